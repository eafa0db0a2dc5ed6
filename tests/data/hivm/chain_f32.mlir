// examples/triton/elementwise.py, chain: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "chain_infer_task_type_function"}> ({
    %81 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%81) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, f32, i32, i32, i32) -> (), sym_name = "chain"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: i32, %arg7: f32, %arg8: i32, %arg9: i32, %arg10: i32):
    %0 = "arith.constant"() <{value = true}> : () -> i1
    %1 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 2 : index}> : () -> index
    %4 = "arith.constant"() <{value = -1 : index}> : () -> index
    %5 = "arith.constant"() <{value = 49472 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 41280 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 41216 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 33024 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 24832 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 24576 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 57696 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 16384 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 49504 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %16 = "arith.constant"() <{value = -1.000000e+00 : f32}> : () -> f32
    %17 = "arith.constant"() <{value = 2048 : index}> : () -> index
    %18 = "arith.constant"() <{value = 2047 : i32}> : () -> i32
    %19 = "arith.constant"() <{value = 2048 : i32}> : () -> i32
    %20 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %21 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %22 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %23 = "arith.muli"(%arg8, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %24 = "arith.muli"(%23, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%24) {logical_block_num} : (i32) -> ()
    %25 = "hivm.hir.get_block_idx"() : () -> i64
    %26 = "arith.trunci"(%25) : (i64) -> i32
    %27 = "arith.muli"(%arg10, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %28 = "arith.divsi"(%26, %27) : (i32, i32) -> i32
    %29 = "arith.remsi"(%28, %arg8) : (i32, i32) -> i32
    %30 = "hivm.hir.pointer_cast"(%15) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%20, %30) <{broadcast_dims = array<i64>}> : (f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %31 = "arith.addi"(%arg6, %18) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %32 = "arith.divsi"(%31, %19) : (i32, i32) -> i32
    %33 = "arith.index_cast"(%arg6) : (i32) -> index
    %34 = "hivm.hir.pointer_cast"(%15) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcmp"(%30, %30, %34) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
    %35 = "hivm.hir.pointer_cast"(%15) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vnot"(%34, %35) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%29, %32, %arg8) ({
    ^bb0(%arg11: i32):
      %36 = "arith.index_cast"(%arg11) : (i32) -> index
      %37 = "arith.index_cast"(%29) : (i32) -> index
      %38 = "arith.index_cast"(%arg8) : (i32) -> index
      %39 = "arith.subi"(%36, %37) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %40 = "arith.cmpi"(%39, %22) <{predicate = 2 : i64}> : (index, index) -> i1
      %41 = "arith.subi"(%4, %39) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %42 = "arith.select"(%40, %41, %39) : (i1, index, index) -> index
      %43 = "arith.divsi"(%42, %38) : (index, index) -> index
      %44 = "arith.subi"(%4, %43) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %45 = "arith.select"(%40, %44, %43) : (i1, index, index) -> index
      %46 = "arith.remsi"(%45, %3) : (index, index) -> index
      %47 = "arith.cmpi"(%46, %22) <{predicate = 2 : i64}> : (index, index) -> i1
      %48 = "arith.addi"(%46, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %49 = "arith.select"(%47, %48, %46) : (i1, index, index) -> index
      %50 = "arith.index_cast"(%49) : (index) -> i1
      %51 = "arith.xori"(%50, %0) : (i1, i1) -> i1
      %52 = "arith.extui"(%51) : (i1) -> i64
      %53 = "arith.index_cast"(%49) : (index) -> i1
      %54 = "arith.select"(%53, %2, %1) : (i1, i64, i64) -> i64
      %55 = "hivm.hir.pointer_cast"(%12, %11) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "annotation.mark"(%55) {hivm.multi_buffer = 2 : i32} : (memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %56 = "hivm.hir.pointer_cast"(%12, %11) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "annotation.mark"(%56) {hivm.multi_buffer = 2 : i32} : (memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %57 = "hivm.hir.pointer_cast"(%14, %13) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "annotation.mark"(%57) {hivm.multi_buffer = 2 : i32} : (memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %58 = "arith.muli"(%arg11, %19) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %59 = "arith.index_cast"(%58) : (i32) -> index
      %60 = "memref.reinterpret_cast"(%arg3, %59) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 2048>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %61 = "arith.maxsi"(%33, %59) : (index, index) -> index
      %62 = "arith.addi"(%59, %17) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %63 = "arith.minsi"(%62, %61) : (index, index) -> index
      %64 = "arith.subi"(%63, %59) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %65 = "arith.cmpi"(%64, %17) <{predicate = 2 : i64}> : (index, index) -> i1
      %66 = "memref.subview"(%60, %64) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %67 = "memref.subview"(%57, %64) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<2048xf32, #hivm.address_space<ub>>, index) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
      "scf.if"(%65) ({
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        "hivm.hir.vbrc"(%20, %57) <{broadcast_dims = array<i64>}> : (f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%54) <{set_pipe = #hivm.pipe<PIPE_V>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.load"(%66, %67, %20, %22) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, f32, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %68 = "memref.reinterpret_cast"(%arg4, %59) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 2048>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %69 = "memref.subview"(%68, %64) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %70 = "memref.subview"(%56, %64) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<2048xf32, #hivm.address_space<ub>>, index) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
      "scf.if"(%65) ({
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        "hivm.hir.vbrc"(%20, %56) <{broadcast_dims = array<i64>}> : (f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%52) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.load"(%69, %70, %20, %22) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, f32, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%57, %arg7, %57) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vabs"(%57, %57) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%57, %16, %57) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%57, %20, %57) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vexp"(%57, %57) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %71 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcmp"(%56, %56, %71) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %72 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%71, %72) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %73 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.vmax"(%56, %20, %73) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %74 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xf32, #hivm.address_space<ub>>
      %75 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%72, %20, %73, %74, %75) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<16xf32, #hivm.address_space<ub>>) -> ()
      %76 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xf32, #hivm.address_space<ub>>
      %77 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%35, %56, %74, %76, %77) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%56, %56, %56) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%56, %21, %56) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vdiv"(%76, %56, %56) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%57, %56, %55) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.set_flag"(%54) <{set_pipe = #hivm.pipe<PIPE_V>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      %78 = "memref.reinterpret_cast"(%arg5, %59) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 2048>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %79 = "memref.subview"(%55, %64) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<2048xf32, #hivm.address_space<ub>>, index) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
      %80 = "memref.subview"(%78, %64) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<2048xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%79, %80) : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"(%52) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false]> : vector<11xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

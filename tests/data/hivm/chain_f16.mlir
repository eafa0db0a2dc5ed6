// examples/triton/elementwise.py, chain: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "chain_infer_task_type_function"}> ({
    %100 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%100) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, f32, i32, i32, i32) -> (), sym_name = "chain"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: memref<?xf16, #hivm.address_space<gm>>, %arg6: i32, %arg7: f32, %arg8: i32, %arg9: i32, %arg10: i32):
    %0 = "arith.constant"() <{value = true}> : () -> i1
    %1 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 2 : index}> : () -> index
    %6 = "arith.constant"() <{value = -1 : index}> : () -> index
    %7 = "arith.constant"() <{value = 57664 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 49472 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 49408 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 41216 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 33024 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 32768 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 24576 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 69984 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 20480 : i64}> : () -> i64
    %16 = "arith.constant"() <{value = 61792 : i64}> : () -> i64
    %17 = "arith.constant"() <{value = 12288 : i64}> : () -> i64
    %18 = "arith.constant"() <{value = 57696 : i64}> : () -> i64
    %19 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %20 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %21 = "arith.constant"() <{value = -1.000000e+00 : f32}> : () -> f32
    %22 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %23 = "arith.constant"() <{value = 2048 : index}> : () -> index
    %24 = "arith.constant"() <{value = 2047 : i32}> : () -> i32
    %25 = "arith.constant"() <{value = 2048 : i32}> : () -> i32
    %26 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %27 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %28 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %29 = "arith.muli"(%arg8, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %30 = "arith.muli"(%29, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%30) {logical_block_num} : (i32) -> ()
    %31 = "hivm.hir.get_block_idx"() : () -> i64
    %32 = "arith.trunci"(%31) : (i64) -> i32
    %33 = "arith.muli"(%arg10, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %34 = "arith.divsi"(%32, %33) : (i32, i32) -> i32
    %35 = "arith.remsi"(%34, %arg8) : (i32, i32) -> i32
    %36 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%26, %36) <{broadcast_dims = array<i64>}> : (f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    %37 = "arith.addi"(%arg6, %24) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %38 = "arith.divsi"(%37, %25) : (i32, i32) -> i32
    %39 = "arith.index_cast"(%arg6) : (i32) -> index
    %40 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcmp"(%36, %36, %40) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
    %41 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vnot"(%40, %41) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%35, %38, %arg8) ({
    ^bb0(%arg11: i32):
      %42 = "arith.index_cast"(%arg11) : (i32) -> index
      %43 = "arith.index_cast"(%35) : (i32) -> index
      %44 = "arith.index_cast"(%arg8) : (i32) -> index
      %45 = "arith.subi"(%42, %43) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %46 = "arith.cmpi"(%45, %28) <{predicate = 2 : i64}> : (index, index) -> i1
      %47 = "arith.subi"(%6, %45) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %48 = "arith.select"(%46, %47, %45) : (i1, index, index) -> index
      %49 = "arith.divsi"(%48, %44) : (index, index) -> index
      %50 = "arith.subi"(%6, %49) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %51 = "arith.select"(%46, %50, %49) : (i1, index, index) -> index
      %52 = "arith.remsi"(%51, %5) : (index, index) -> index
      %53 = "arith.cmpi"(%52, %28) <{predicate = 2 : i64}> : (index, index) -> i1
      %54 = "arith.addi"(%52, %5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %55 = "arith.select"(%53, %54, %52) : (i1, index, index) -> index
      %56 = "arith.index_cast"(%55) : (index) -> i1
      %57 = "arith.select"(%56, %4, %3) : (i1, i64, i64) -> i64
      %58 = "arith.index_cast"(%55) : (index) -> i1
      %59 = "arith.select"(%58, %2, %1) : (i1, i64, i64) -> i64
      %60 = "arith.index_cast"(%55) : (index) -> i1
      %61 = "arith.xori"(%60, %0) : (i1, i1) -> i1
      %62 = "arith.extui"(%61) : (i1) -> i64
      %63 = "hivm.hir.pointer_cast"(%17, %16) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2048xf16, #hivm.address_space<ub>>
      "annotation.mark"(%63) {hivm.multi_buffer = 2 : i32} : (memref<2048xf16, #hivm.address_space<ub>>) -> ()
      %64 = "hivm.hir.pointer_cast"(%15, %14) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2048xf16, #hivm.address_space<ub>>
      "annotation.mark"(%64) {hivm.multi_buffer = 2 : i32} : (memref<2048xf16, #hivm.address_space<ub>>) -> ()
      %65 = "hivm.hir.pointer_cast"(%19, %18) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2048xf16, #hivm.address_space<ub>>
      "annotation.mark"(%65) {hivm.multi_buffer = 2 : i32} : (memref<2048xf16, #hivm.address_space<ub>>) -> ()
      %66 = "arith.muli"(%arg11, %25) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %67 = "arith.index_cast"(%66) : (i32) -> index
      %68 = "memref.reinterpret_cast"(%arg3, %67) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 2048>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<2048xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %69 = "arith.maxsi"(%39, %67) : (index, index) -> index
      %70 = "arith.addi"(%67, %23) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %71 = "arith.minsi"(%70, %69) : (index, index) -> index
      %72 = "arith.subi"(%71, %67) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %73 = "arith.cmpi"(%72, %23) <{predicate = 2 : i64}> : (index, index) -> i1
      %74 = "memref.subview"(%68, %72) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<2048xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %75 = "memref.subview"(%65, %72) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<2048xf16, #hivm.address_space<ub>>, index) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
      "scf.if"(%73) ({
        "hivm.hir.vbrc"(%22, %65) <{broadcast_dims = array<i64>}> : (f16, memref<2048xf16, #hivm.address_space<ub>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%59) <{set_pipe = #hivm.pipe<PIPE_V>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.load"(%74, %75, %22, %28) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, f16, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %76 = "hivm.hir.pointer_cast"(%17, %16) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"(%62) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_V>}> : (i64) -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%65, %76) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<2048xf16, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"(%59) <{set_pipe = #hivm.pipe<PIPE_V>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      %77 = "memref.reinterpret_cast"(%arg4, %67) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 2048>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<2048xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %78 = "memref.subview"(%77, %72) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<2048xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %79 = "memref.subview"(%64, %72) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<2048xf16, #hivm.address_space<ub>>, index) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
      "scf.if"(%73) ({
        "hivm.hir.vbrc"(%22, %64) <{broadcast_dims = array<i64>}> : (f16, memref<2048xf16, #hivm.address_space<ub>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%57) <{set_pipe = #hivm.pipe<PIPE_V>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.load"(%78, %79, %22, %28) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, f16, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %80 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%64, %80) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<2048xf16, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"(%57) <{set_pipe = #hivm.pipe<PIPE_V>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      %81 = "hivm.hir.pointer_cast"(%17, %16) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%76, %arg7, %81) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %82 = "hivm.hir.pointer_cast"(%17, %16) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vabs"(%81, %82) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %83 = "hivm.hir.pointer_cast"(%17, %16) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%82, %21, %83) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %84 = "hivm.hir.pointer_cast"(%17, %16) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%83, %26, %84) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %85 = "hivm.hir.pointer_cast"(%17, %16) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vexp"(%84, %85) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %86 = "hivm.hir.pointer_cast"(%12) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.vcmp"(%80, %80, %86) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %87 = "hivm.hir.pointer_cast"(%12) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xi1, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vnot"(%86, %87) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
      %88 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.vmax"(%80, %26, %88) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %89 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xf32, #hivm.address_space<ub>>
      %90 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%87, %26, %88, %89, %90) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<16xf32, #hivm.address_space<ub>>) -> ()
      %91 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xf32, #hivm.address_space<ub>>
      %92 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%41, %80, %89, %91, %92) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
      %93 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%80, %80, %93) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %94 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%93, %27, %94) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, f32, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %95 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vdiv"(%91, %94, %95) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %96 = "hivm.hir.pointer_cast"(%17, %16) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<2048xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%85, %95, %96) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
      %97 = "memref.reinterpret_cast"(%arg5, %67) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 2048>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<2048xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%96, %63) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %98 = "memref.subview"(%63, %72) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<2048xf16, #hivm.address_space<ub>>, index) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
      %99 = "memref.subview"(%97, %72) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<2048xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%98, %99) : (memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"(%62) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_V>}> : (i64) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false]> : vector<11xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

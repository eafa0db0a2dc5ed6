// examples/triton/rows.py, layer_norm: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "layer_norm_infer_task_type_function"}> ({
    %115 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%115) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, i32, i32, f32, i32, i32, i32) -> (), sym_name = "layer_norm"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xbf16, #hivm.address_space<gm>>, %arg4: memref<?xbf16, #hivm.address_space<gm>>, %arg5: memref<?xbf16, #hivm.address_space<gm>>, %arg6: memref<?xbf16, #hivm.address_space<gm>>, %arg7: i32, %arg8: i32, %arg9: f32, %arg10: i32, %arg11: i32, %arg12: i32):
    %0 = "arith.constant"() <{value = true}> : () -> i1
    %1 = "arith.constant"() <{value = 2 : index}> : () -> index
    %2 = "arith.constant"() <{value = -1 : index}> : () -> index
    %3 = "arith.constant"() <{value = 39200 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 39168 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 37120 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 37088 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 32992 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 32928 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 41280 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 28832 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 28800 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 26752 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 26720 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 22624 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 39232 : i64}> : () -> i64
    %16 = "arith.constant"() <{value = 20576 : i64}> : () -> i64
    %17 = "arith.constant"() <{value = 20544 : i64}> : () -> i64
    %18 = "arith.constant"() <{value = 20512 : i64}> : () -> i64
    %19 = "arith.constant"() <{value = 20480 : i64}> : () -> i64
    %20 = "arith.constant"() <{value = 16384 : i64}> : () -> i64
    %21 = "arith.constant"() <{value = 14336 : i64}> : () -> i64
    %22 = "arith.constant"() <{value = 10240 : i64}> : () -> i64
    %23 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %24 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %25 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %26 = "arith.constant"() <{value = 1 : index}> : () -> index
    %27 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %28 = "arith.constant"() <{value = 1024 : index}> : () -> index
    %29 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %30 = "arith.constant"() <{value = 0 : index}> : () -> index
    %31 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    "hivm.hir.set_mask_norm"() : () -> ()
    %32 = "arith.muli"(%arg10, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %33 = "arith.muli"(%32, %arg12) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%33) {logical_block_num} : (i32) -> ()
    %34 = "hivm.hir.get_block_idx"() : () -> i64
    %35 = "arith.trunci"(%34) : (i64) -> i32
    %36 = "arith.muli"(%arg12, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %37 = "arith.divsi"(%35, %36) : (i32, i32) -> i32
    %38 = "arith.remsi"(%37, %arg10) : (i32, i32) -> i32
    %39 = "hivm.hir.pointer_cast"(%25) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xi32, #hivm.address_space<ub>>
    "hivm.hir.varange"(%39, %30, %26) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (memref<1024xi32, #hivm.address_space<ub>>, index, index) -> ()
    %40 = "hivm.hir.pointer_cast"(%24) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xi32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmax"(%39, %arg8, %40) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xi32, #hivm.address_space<ub>>, i32, memref<1024xi32, #hivm.address_space<ub>>) -> ()
    %41 = "hivm.hir.pointer_cast"(%25) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcmp"(%40, %39, %41) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<1024xi32, #hivm.address_space<ub>>, memref<1024xi32, #hivm.address_space<ub>>, memref<1024xi1, #hivm.address_space<ub>>) -> ()
    %42 = "hivm.hir.pointer_cast"(%25) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vnot"(%41, %42) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<1024xi1, #hivm.address_space<ub>>, memref<1024xi1, #hivm.address_space<ub>>) -> ()
    %43 = "memref.reinterpret_cast"(%arg4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xbf16, #hivm.address_space<gm>>) -> memref<1024xbf16, strided<[1]>, #hivm.address_space<gm>>
    %44 = "hivm.hir.pointer_cast"(%23) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xbf16, #hivm.address_space<ub>>
    %45 = "arith.index_cast"(%arg8) : (i32) -> index
    %46 = "arith.maxsi"(%45, %30) : (index, index) -> index
    %47 = "arith.minsi"(%46, %28) : (index, index) -> index
    %48 = "arith.cmpi"(%47, %28) <{predicate = 2 : i64}> : (index, index) -> i1
    %49 = "memref.subview"(%43, %47) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xbf16, strided<[1]>, #hivm.address_space<gm>>, index) -> memref<?xbf16, strided<[1]>, #hivm.address_space<gm>>
    %50 = "memref.subview"(%44, %47) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xbf16, #hivm.address_space<ub>>, index) -> memref<?xbf16, strided<[1]>, #hivm.address_space<ub>>
    "scf.if"(%48) ({
      "hivm.hir.vbrc"(%27, %44) <{broadcast_dims = array<i64>}> : (bf16, memref<1024xbf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%49, %50, %27, %30) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xbf16, strided<[1]>, #hivm.address_space<gm>>, memref<?xbf16, strided<[1]>, #hivm.address_space<ub>>, bf16, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %51 = "hivm.hir.pointer_cast"(%22) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%44, %51) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xbf16, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %52 = "memref.reinterpret_cast"(%arg5) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xbf16, #hivm.address_space<gm>>) -> memref<1024xbf16, strided<[1]>, #hivm.address_space<gm>>
    %53 = "hivm.hir.pointer_cast"(%21) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xbf16, #hivm.address_space<ub>>
    %54 = "memref.subview"(%52, %47) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xbf16, strided<[1]>, #hivm.address_space<gm>>, index) -> memref<?xbf16, strided<[1]>, #hivm.address_space<gm>>
    %55 = "memref.subview"(%53, %47) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xbf16, #hivm.address_space<ub>>, index) -> memref<?xbf16, strided<[1]>, #hivm.address_space<ub>>
    "scf.if"(%48) ({
      "hivm.hir.vbrc"(%27, %53) <{broadcast_dims = array<i64>}> : (bf16, memref<1024xbf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%54, %55, %27, %30) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xbf16, strided<[1]>, #hivm.address_space<gm>>, memref<?xbf16, strided<[1]>, #hivm.address_space<ub>>, bf16, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %56 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%53, %56) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xbf16, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %57 = "arith.sitofp"(%arg8) : (i32) -> f32
    %58 = "hivm.hir.pointer_cast"(%19) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
    "memref.store"(%57, %58, %30) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
    %59 = "hivm.hir.pointer_cast"(%18) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
    "memref.store"(%arg9, %59, %30) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
    %60 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
    "memref.store"(%31, %60, %30) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "scf.for"(%38, %arg7, %arg10) ({
    ^bb0(%arg13: i32):
      %61 = "arith.index_cast"(%arg13) : (i32) -> index
      %62 = "arith.index_cast"(%38) : (i32) -> index
      %63 = "arith.index_cast"(%arg10) : (i32) -> index
      %64 = "arith.subi"(%61, %62) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %65 = "arith.cmpi"(%64, %30) <{predicate = 2 : i64}> : (index, index) -> i1
      %66 = "arith.subi"(%2, %64) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %67 = "arith.select"(%65, %66, %64) : (i1, index, index) -> index
      %68 = "arith.divsi"(%67, %63) : (index, index) -> index
      %69 = "arith.subi"(%2, %68) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %70 = "arith.select"(%65, %69, %68) : (i1, index, index) -> index
      %71 = "arith.remsi"(%70, %1) : (index, index) -> index
      %72 = "arith.cmpi"(%71, %30) <{predicate = 2 : i64}> : (index, index) -> i1
      %73 = "arith.addi"(%71, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %74 = "arith.select"(%72, %73, %71) : (i1, index, index) -> index
      %75 = "arith.index_cast"(%74) : (index) -> i1
      %76 = "arith.xori"(%75, %0) : (i1, i1) -> i1
      %77 = "arith.extui"(%76) : (i1) -> i64
      %78 = "hivm.hir.pointer_cast"(%10, %9) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xbf16, #hivm.address_space<ub>>
      "annotation.mark"(%78) {hivm.multi_buffer = 2 : i32} : (memref<1024xbf16, #hivm.address_space<ub>>) -> ()
      %79 = "hivm.hir.pointer_cast"(%16, %15) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xbf16, #hivm.address_space<ub>>
      "annotation.mark"(%79) {hivm.multi_buffer = 2 : i32} : (memref<1024xbf16, #hivm.address_space<ub>>) -> ()
      %80 = "arith.muli"(%arg13, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %81 = "arith.index_cast"(%80) : (i32) -> index
      %82 = "memref.reinterpret_cast"(%arg3, %81) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<1024xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %83 = "memref.subview"(%82, %47) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %84 = "memref.subview"(%79, %47) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xbf16, #hivm.address_space<ub>>, index) -> memref<?xbf16, strided<[1]>, #hivm.address_space<ub>>
      "scf.if"(%48) ({
        "hivm.hir.vbrc"(%27, %79) <{broadcast_dims = array<i64>}> : (bf16, memref<1024xbf16, #hivm.address_space<ub>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.load"(%83, %84, %27, %30) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xbf16, strided<[1]>, #hivm.address_space<ub>>, bf16, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %85 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%79, %85) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xbf16, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %86 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      %87 = "hivm.hir.pointer_cast"(%12) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%85, %86, %87) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 0>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<512xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %88 = "memref.load"(%86, %30) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      %89 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      "memref.store"(%88, %89, %30) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %90 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vdiv"(%89, %58, %90) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %91 = "memref.load"(%90, %30) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      %92 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
      %93 = "arith.subf"(%29, %91) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "hivm.hir.vadd"(%85, %93, %92) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %94 = "hivm.hir.pointer_cast"(%10, %9) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf32, #hivm.address_space<ub>>
      %95 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"(%77) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_V>}> : (i64) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vsel"(%42, %92, %29, %94, %95) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<1024xi1, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, f32, memref<1024xf32, #hivm.address_space<ub>>, memref<16xf32, #hivm.address_space<ub>>) -> ()
      %96 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%94, %94, %96) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %97 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      %98 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%96, %97, %98) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 0>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<512xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %99 = "memref.load"(%97, %30) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      %100 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      "memref.store"(%99, %100, %30) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %101 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vdiv"(%100, %58, %101) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %102 = "memref.load"(%101, %30) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      %103 = "memref.load"(%59, %30) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      %104 = "arith.addf"(%102, %103) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %105 = "math.sqrt"(%104) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      %106 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      "memref.store"(%105, %106, %30) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %107 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vdiv"(%60, %106, %107) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %108 = "memref.load"(%107, %30) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      %109 = "hivm.hir.pointer_cast"(%10, %9) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.vmul"(%94, %108, %109) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %110 = "memref.reinterpret_cast"(%arg6, %81) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<1024xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %111 = "hivm.hir.pointer_cast"(%10, %9) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vmul"(%109, %51, %111) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %112 = "hivm.hir.pointer_cast"(%10, %9) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%111, %56, %112) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%112, %78) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xbf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %113 = "memref.subview"(%78, %47) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xbf16, #hivm.address_space<ub>>, index) -> memref<?xbf16, strided<[1]>, #hivm.address_space<ub>>
      %114 = "memref.subview"(%110, %47) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%113, %114) : (memref<?xbf16, strided<[1]>, #hivm.address_space<ub>>, memref<?xbf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"(%77) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_V>}> : (i64) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false, false, false]> : vector<13xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

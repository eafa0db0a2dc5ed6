// examples/triton/moves.py, rotary: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "rotary_infer_task_type_function"}> ({
    %87 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%87) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "rotary"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xbf16, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: memref<?xbf16, #hivm.address_space<gm>>, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32):
    %0 = "arith.constant"() <{value = 64 : index}> : () -> index
    %1 = "arith.constant"() <{value = 24576 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 20480 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 16384 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 12288 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %10 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %11 = "arith.constant"() <{value = 32 : index}> : () -> index
    %12 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %13 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %14 = "arith.muli"(%arg8, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %15 = "arith.muli"(%14, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%15) {logical_block_num} : (i32) -> ()
    %16 = "hivm.hir.get_block_idx"() : () -> i64
    %17 = "arith.trunci"(%16) : (i64) -> i32
    %18 = "arith.muli"(%arg10, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %19 = "arith.divsi"(%17, %18) : (i32, i32) -> i32
    %20 = "arith.remsi"(%19, %arg8) : (i32, i32) -> i32
    %21 = "arith.muli"(%20, %12) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %22 = "arith.index_cast"(%21) : (i32) -> index
    %23 = "arith.muli"(%22, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %24 = "memref.reinterpret_cast"(%arg3, %23) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 64, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<32x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %25 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xbf16, #hivm.address_space<ub>>
    %26 = "arith.index_cast"(%arg7) : (i32) -> index
    %27 = "arith.maxsi"(%26, %22) : (index, index) -> index
    %28 = "arith.addi"(%22, %11) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %29 = "arith.minsi"(%28, %27) : (index, index) -> index
    %30 = "arith.subi"(%29, %22) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %31 = "arith.cmpi"(%30, %11) <{predicate = 2 : i64}> : (index, index) -> i1
    %32 = "memref.subview"(%24, %30) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %33 = "memref.subview"(%25, %30) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xbf16, #hivm.address_space<ub>>, index) -> memref<?x32xbf16, strided<[32, 1]>, #hivm.address_space<ub>>
    "scf.if"(%31) ({
      %86 = "memref.collapse_shape"(%25) <{reassociation = [[0, 1]]}> : (memref<32x32xbf16, #hivm.address_space<ub>>) -> memref<1024xbf16, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%10, %86) <{broadcast_dims = array<i64>}> : (bf16, memref<1024xbf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%32, %33, %10, %13) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x32xbf16, strided<[32, 1]>, #hivm.address_space<ub>>, bf16, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %34 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %35 = "memref.collapse_shape"(%25) <{reassociation = [[0, 1]]}> : (memref<32x32xbf16, #hivm.address_space<ub>>) -> memref<1024xbf16, #hivm.address_space<ub>>
    %36 = "memref.collapse_shape"(%34) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%35, %36) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xbf16, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %37 = "arith.muli"(%22, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %38 = "arith.addi"(%37, %11) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %39 = "memref.reinterpret_cast"(%arg3, %38) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 64, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<32x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %40 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xbf16, #hivm.address_space<ub>>
    %41 = "memref.subview"(%39, %30) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %42 = "memref.subview"(%40, %30) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xbf16, #hivm.address_space<ub>>, index) -> memref<?x32xbf16, strided<[32, 1]>, #hivm.address_space<ub>>
    "scf.if"(%31) ({
      %85 = "memref.collapse_shape"(%40) <{reassociation = [[0, 1]]}> : (memref<32x32xbf16, #hivm.address_space<ub>>) -> memref<1024xbf16, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%10, %85) <{broadcast_dims = array<i64>}> : (bf16, memref<1024xbf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%41, %42, %10, %13) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x32xbf16, strided<[32, 1]>, #hivm.address_space<ub>>, bf16, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %43 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %44 = "memref.collapse_shape"(%40) <{reassociation = [[0, 1]]}> : (memref<32x32xbf16, #hivm.address_space<ub>>) -> memref<1024xbf16, #hivm.address_space<ub>>
    %45 = "memref.collapse_shape"(%43) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%44, %45) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xbf16, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %46 = "arith.muli"(%22, %11) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %47 = "memref.reinterpret_cast"(%arg4, %46) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
    %48 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %49 = "memref.subview"(%47, %30) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
    %50 = "memref.subview"(%48, %30) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, #hivm.address_space<ub>>, index) -> memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>
    "scf.if"(%31) ({
      %84 = "memref.collapse_shape"(%48) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%9, %84) <{broadcast_dims = array<i64>}> : (f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %51 = "memref.collapse_shape"(%49) <{reassociation = [[0, 1]]}> : (memref<?x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %52 = "memref.collapse_shape"(%50) <{reassociation = [[0, 1]]}> : (memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%51, %52, %9, %13) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %53 = "memref.reinterpret_cast"(%arg5, %46) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
    %54 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %55 = "memref.subview"(%53, %30) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
    %56 = "memref.subview"(%54, %30) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, #hivm.address_space<ub>>, index) -> memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>
    "scf.if"(%31) ({
      %83 = "memref.collapse_shape"(%54) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%9, %83) <{broadcast_dims = array<i64>}> : (f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %57 = "memref.collapse_shape"(%55) <{reassociation = [[0, 1]]}> : (memref<?x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %58 = "memref.collapse_shape"(%56) <{reassociation = [[0, 1]]}> : (memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%57, %58, %9, %13) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %59 = "memref.reinterpret_cast"(%arg6, %23) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 64, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<32x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %60 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %61 = "memref.collapse_shape"(%48) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    %62 = "memref.collapse_shape"(%60) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%36, %61, %62) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %63 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %64 = "memref.collapse_shape"(%54) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    %65 = "memref.collapse_shape"(%63) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%45, %64, %65) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %66 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %67 = "memref.collapse_shape"(%66) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsub"(%62, %65, %67) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %68 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xbf16, #hivm.address_space<ub>>
    %69 = "memref.collapse_shape"(%68) <{reassociation = [[0, 1]]}> : (memref<32x32xbf16, #hivm.address_space<ub>>) -> memref<1024xbf16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%67, %69) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xbf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %70 = "memref.subview"(%68, %30) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xbf16, #hivm.address_space<ub>>, index) -> memref<?x32xbf16, strided<[32, 1]>, #hivm.address_space<ub>>
    %71 = "memref.subview"(%59, %30) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%70, %71) : (memref<?x32xbf16, strided<[32, 1]>, #hivm.address_space<ub>>, memref<?x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    %72 = "memref.reinterpret_cast"(%arg6, %38) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 64, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<32x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %73 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %74 = "memref.collapse_shape"(%73) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.vmul"(%45, %61, %74) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %75 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %76 = "memref.collapse_shape"(%75) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.vmul"(%36, %64, %76) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %77 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %78 = "memref.collapse_shape"(%77) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%74, %76, %78) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %79 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xbf16, #hivm.address_space<ub>>
    %80 = "memref.collapse_shape"(%79) <{reassociation = [[0, 1]]}> : (memref<32x32xbf16, #hivm.address_space<ub>>) -> memref<1024xbf16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%78, %80) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xbf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %81 = "memref.subview"(%79, %30) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xbf16, #hivm.address_space<ub>>, index) -> memref<?x32xbf16, strided<[32, 1]>, #hivm.address_space<ub>>
    %82 = "memref.subview"(%72, %30) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%81, %82) : (memref<?x32xbf16, strided<[32, 1]>, #hivm.address_space<ub>>, memref<?x32xbf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false]> : vector<11xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

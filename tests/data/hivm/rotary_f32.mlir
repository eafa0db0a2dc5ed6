// examples/triton/moves.py, rotary: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "rotary_infer_task_type_function"}> ({
    %76 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%76) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "rotary"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: memref<?xf32, #hivm.address_space<gm>>, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32):
    %0 = "arith.constant"() <{value = 64 : index}> : () -> index
    %1 = "arith.constant"() <{value = 20480 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 16384 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 12288 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %8 = "arith.constant"() <{value = 32 : index}> : () -> index
    %9 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %10 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %11 = "arith.muli"(%arg8, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %12 = "arith.muli"(%11, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%12) {logical_block_num} : (i32) -> ()
    %13 = "hivm.hir.get_block_idx"() : () -> i64
    %14 = "arith.trunci"(%13) : (i64) -> i32
    %15 = "arith.muli"(%arg10, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %16 = "arith.divsi"(%14, %15) : (i32, i32) -> i32
    %17 = "arith.remsi"(%16, %arg8) : (i32, i32) -> i32
    %18 = "arith.muli"(%17, %9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %19 = "arith.index_cast"(%18) : (i32) -> index
    %20 = "arith.muli"(%19, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %21 = "memref.reinterpret_cast"(%arg3, %20) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %22 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %23 = "arith.index_cast"(%arg7) : (i32) -> index
    %24 = "arith.maxsi"(%23, %19) : (index, index) -> index
    %25 = "arith.addi"(%19, %8) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %26 = "arith.minsi"(%25, %24) : (index, index) -> index
    %27 = "arith.subi"(%26, %19) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %28 = "arith.cmpi"(%27, %8) <{predicate = 2 : i64}> : (index, index) -> i1
    %29 = "memref.subview"(%21, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %30 = "memref.subview"(%22, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, #hivm.address_space<ub>>, index) -> memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>
    "scf.if"(%28) ({
      %75 = "memref.collapse_shape"(%22) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%7, %75) <{broadcast_dims = array<i64>}> : (f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%29, %30, %7, %10) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>, f32, index) -> ()
    %31 = "arith.muli"(%19, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %32 = "arith.addi"(%31, %8) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %33 = "memref.reinterpret_cast"(%arg3, %32) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %34 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %35 = "memref.subview"(%33, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %36 = "memref.subview"(%34, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, #hivm.address_space<ub>>, index) -> memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>
    "scf.if"(%28) ({
      %74 = "memref.collapse_shape"(%34) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%7, %74) <{broadcast_dims = array<i64>}> : (f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%35, %36, %7, %10) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>, f32, index) -> ()
    %37 = "arith.muli"(%19, %8) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %38 = "memref.reinterpret_cast"(%arg4, %37) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
    %39 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %40 = "memref.subview"(%38, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
    %41 = "memref.subview"(%39, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, #hivm.address_space<ub>>, index) -> memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>
    "scf.if"(%28) ({
      %73 = "memref.collapse_shape"(%39) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%7, %73) <{broadcast_dims = array<i64>}> : (f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %42 = "memref.collapse_shape"(%40) <{reassociation = [[0, 1]]}> : (memref<?x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %43 = "memref.collapse_shape"(%41) <{reassociation = [[0, 1]]}> : (memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%42, %43, %7, %10) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %44 = "memref.reinterpret_cast"(%arg5, %37) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
    %45 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %46 = "memref.subview"(%44, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
    %47 = "memref.subview"(%45, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, #hivm.address_space<ub>>, index) -> memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>
    "scf.if"(%28) ({
      %72 = "memref.collapse_shape"(%45) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%7, %72) <{broadcast_dims = array<i64>}> : (f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %48 = "memref.collapse_shape"(%46) <{reassociation = [[0, 1]]}> : (memref<?x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %49 = "memref.collapse_shape"(%47) <{reassociation = [[0, 1]]}> : (memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%48, %49, %7, %10) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %50 = "memref.reinterpret_cast"(%arg6, %20) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %51 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %52 = "memref.collapse_shape"(%22) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    %53 = "memref.collapse_shape"(%39) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    %54 = "memref.collapse_shape"(%51) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%52, %53, %54) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %55 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %56 = "memref.collapse_shape"(%34) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    %57 = "memref.collapse_shape"(%45) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    %58 = "memref.collapse_shape"(%55) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%56, %57, %58) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %59 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %60 = "memref.collapse_shape"(%59) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsub"(%54, %58, %60) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %61 = "memref.subview"(%59, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, #hivm.address_space<ub>>, index) -> memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>
    %62 = "memref.subview"(%50, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%61, %62) : (memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>, memref<?x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    %63 = "memref.reinterpret_cast"(%arg6, %32) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 64, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    %64 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %65 = "memref.collapse_shape"(%64) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.vmul"(%56, %53, %65) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %66 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %67 = "memref.collapse_shape"(%66) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.vmul"(%52, %57, %67) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %68 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %69 = "memref.collapse_shape"(%68) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%65, %67, %69) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %70 = "memref.subview"(%68, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, #hivm.address_space<ub>>, index) -> memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>
    %71 = "memref.subview"(%63, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%70, %71) : (memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>, memref<?x32xf32, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, false, false, false, false]> : vector<11xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

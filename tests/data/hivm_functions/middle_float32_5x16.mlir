// middle(x, out, matrices) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "middle_infer_task_type_function"}> ({
    %48 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%48) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "middle"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 16 : index}> : () -> index
    %1 = "arith.constant"() <{value = 80 : index}> : () -> index
    %2 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 5632 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 3072 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 2560 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %8 = "arith.constant"() <{value = 8 : index}> : () -> index
    %9 = "arith.constant"() <{value = 8 : i32}> : () -> i32
    %10 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %11 = "arith.muli"(%arg6, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %12 = "arith.muli"(%11, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%12) {logical_block_num} : (i32) -> ()
    %13 = "hivm.hir.get_block_idx"() : () -> i64
    %14 = "arith.trunci"(%13) : (i64) -> i32
    %15 = "arith.muli"(%arg8, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %16 = "arith.divsi"(%14, %15) : (i32, i32) -> i32
    %17 = "arith.remsi"(%16, %arg6) : (i32, i32) -> i32
    %18 = "arith.muli"(%17, %9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %19 = "arith.index_cast"(%18) : (i32) -> index
    %20 = "arith.muli"(%19, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %21 = "memref.reinterpret_cast"(%arg3, %20) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 8, 5, 16>, static_strides = array<i64: 80, 16, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<8x5x16xf32, strided<[80, 16, 1], offset: ?>, #hivm.address_space<gm>>
    %22 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x5x16xf32, #hivm.address_space<ub>>
    %23 = "arith.index_cast"(%arg5) : (i32) -> index
    %24 = "arith.maxsi"(%23, %19) : (index, index) -> index
    %25 = "arith.addi"(%19, %8) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %26 = "arith.minsi"(%25, %24) : (index, index) -> index
    %27 = "arith.subi"(%26, %19) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %28 = "arith.cmpi"(%27, %8) <{predicate = 2 : i64}> : (index, index) -> i1
    %29 = "memref.subview"(%21, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, 5, 16>, static_strides = array<i64: 1, 1, 1>}> : (memref<8x5x16xf32, strided<[80, 16, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x5x16xf32, strided<[80, 16, 1], offset: ?>, #hivm.address_space<gm>>
    %30 = "memref.subview"(%22, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, 5, 16>, static_strides = array<i64: 1, 1, 1>}> : (memref<8x5x16xf32, #hivm.address_space<ub>>, index) -> memref<?x5x16xf32, strided<[80, 16, 1]>, #hivm.address_space<ub>>
    "scf.if"(%28) ({
      %47 = "memref.collapse_shape"(%22) <{reassociation = [[0, 1, 2]]}> : (memref<8x5x16xf32, #hivm.address_space<ub>>) -> memref<640xf32, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%7, %47) <{broadcast_dims = array<i64>}> : (f32, memref<640xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %31 = "memref.collapse_shape"(%29) <{reassociation = [[0, 1, 2]]}> : (memref<?x5x16xf32, strided<[80, 16, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %32 = "memref.collapse_shape"(%30) <{reassociation = [[0, 1, 2]]}> : (memref<?x5x16xf32, strided<[80, 16, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%31, %32, %7, %10) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %33 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x1x16xf32, #hivm.address_space<ub>>
    %34 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<640xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vreduce"(%22, %33, %34) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 1>}> : (memref<8x5x16xf32, #hivm.address_space<ub>>, memref<8x1x16xf32, #hivm.address_space<ub>>, memref<640xf32, #hivm.address_space<ub>>) -> ()
    %35 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x1x16xf32, #hivm.address_space<ub>>
    %36 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<640xf32, #hivm.address_space<ub>>
    "hivm.hir.vreduce"(%22, %35, %36) <{arith = #hivm.reduce_op<max>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 1>}> : (memref<8x5x16xf32, #hivm.address_space<ub>>, memref<8x1x16xf32, #hivm.address_space<ub>>, memref<640xf32, #hivm.address_space<ub>>) -> ()
    %37 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x16xf32, #hivm.address_space<ub>>
    %38 = "memref.collapse_shape"(%33) <{reassociation = [[0, 1, 2]]}> : (memref<8x1x16xf32, #hivm.address_space<ub>>) -> memref<128xf32, #hivm.address_space<ub>>
    %39 = "memref.collapse_shape"(%35) <{reassociation = [[0, 1, 2]]}> : (memref<8x1x16xf32, #hivm.address_space<ub>>) -> memref<128xf32, #hivm.address_space<ub>>
    %40 = "memref.collapse_shape"(%37) <{reassociation = [[0, 1]]}> : (memref<8x16xf32, #hivm.address_space<ub>>) -> memref<128xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%38, %39, %40) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<128xf32, #hivm.address_space<ub>>, memref<128xf32, #hivm.address_space<ub>>, memref<128xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %41 = "arith.muli"(%19, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %42 = "memref.reinterpret_cast"(%arg4, %41) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 8, 16>, static_strides = array<i64: 16, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<8x16xf32, strided<[16, 1], offset: ?>, #hivm.address_space<gm>>
    %43 = "memref.subview"(%37, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 16>, static_strides = array<i64: 1, 1>}> : (memref<8x16xf32, #hivm.address_space<ub>>, index) -> memref<?x16xf32, strided<[16, 1]>, #hivm.address_space<ub>>
    %44 = "memref.subview"(%42, %27) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 16>, static_strides = array<i64: 1, 1>}> : (memref<8x16xf32, strided<[16, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x16xf32, strided<[16, 1], offset: ?>, #hivm.address_space<gm>>
    %45 = "memref.collapse_shape"(%43) <{reassociation = [[0, 1]]}> : (memref<?x16xf32, strided<[16, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    %46 = "memref.collapse_shape"(%44) <{reassociation = [[0, 1]]}> : (memref<?x16xf32, strided<[16, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%45, %46) : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

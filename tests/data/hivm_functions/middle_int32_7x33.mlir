// middle(x, out, matrices) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "middle_infer_task_type_function"}> ({
    %49 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%49) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xi32, #hivm.address_space<gm>>, memref<?xi32, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "middle"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xi32, #hivm.address_space<gm>>, %arg4: memref<?xi32, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 33 : index}> : () -> index
    %1 = "arith.constant"() <{value = 231 : index}> : () -> index
    %2 = "arith.constant"() <{value = 5248 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 4768 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 3840 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 3360 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %8 = "arith.constant"() <{value = 3 : index}> : () -> index
    %9 = "arith.constant"() <{value = 3 : i32}> : () -> i32
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
    %21 = "memref.reinterpret_cast"(%arg3, %20) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 3, 7, 33>, static_strides = array<i64: 231, 33, 1>}> : (memref<?xi32, #hivm.address_space<gm>>, index) -> memref<3x7x33xi32, strided<[231, 33, 1], offset: ?>, #hivm.address_space<gm>>
    %22 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<3x7x40x1xi32, #hivm.address_space<ub>>
    %23 = "memref.subview"(%22) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 3, 7, 33, 1>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<3x7x40x1xi32, #hivm.address_space<ub>>) -> memref<3x7x33xi32, strided<[280, 40, 1]>, #hivm.address_space<ub>>
    %24 = "arith.index_cast"(%arg5) : (i32) -> index
    %25 = "arith.maxsi"(%24, %19) : (index, index) -> index
    %26 = "arith.addi"(%19, %8) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %27 = "arith.minsi"(%26, %25) : (index, index) -> index
    %28 = "arith.subi"(%27, %19) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %29 = "arith.cmpi"(%28, %8) <{predicate = 2 : i64}> : (index, index) -> i1
    %30 = "memref.subview"(%21, %28) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, 7, 33>, static_strides = array<i64: 1, 1, 1>}> : (memref<3x7x33xi32, strided<[231, 33, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x7x33xi32, strided<[231, 33, 1], offset: ?>, #hivm.address_space<gm>>
    %31 = "memref.subview"(%23, %28) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, 7, 33>, static_strides = array<i64: 1, 1, 1>}> : (memref<3x7x33xi32, strided<[280, 40, 1]>, #hivm.address_space<ub>>, index) -> memref<?x7x33xi32, strided<[280, 40, 1]>, #hivm.address_space<ub>>
    "scf.if"(%29) ({
      %48 = "memref.collapse_shape"(%23) <{reassociation = [[0, 1], [2]]}> : (memref<3x7x33xi32, strided<[280, 40, 1]>, #hivm.address_space<ub>>) -> memref<21x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%7, %48) <{broadcast_dims = array<i64>}> : (i32, memref<21x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %32 = "memref.collapse_shape"(%30) <{reassociation = [[0, 1], [2]]}> : (memref<?x7x33xi32, strided<[231, 33, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x33xi32, strided<[33, 1], offset: ?>, #hivm.address_space<gm>>
    %33 = "memref.collapse_shape"(%31) <{reassociation = [[0, 1], [2]]}> : (memref<?x7x33xi32, strided<[280, 40, 1]>, #hivm.address_space<ub>>) -> memref<?x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%32, %33, %7, %10) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?x33xi32, strided<[33, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>, i32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %34 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<3x1x40x1xi32, #hivm.address_space<ub>>
    %35 = "memref.subview"(%34) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 3, 1, 33, 1>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<3x1x40x1xi32, #hivm.address_space<ub>>) -> memref<3x1x33xi32, strided<[40, 40, 1]>, #hivm.address_space<ub>>
    %36 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<231xi32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vreduce"(%23, %35, %36) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 1>}> : (memref<3x7x33xi32, strided<[280, 40, 1]>, #hivm.address_space<ub>>, memref<3x1x33xi32, strided<[40, 40, 1]>, #hivm.address_space<ub>>, memref<231xi32, #hivm.address_space<ub>>) -> ()
    %37 = "memref.collapse_shape"(%35) <{reassociation = [[0, 1], [2]]}> : (memref<3x1x33xi32, strided<[40, 40, 1]>, #hivm.address_space<ub>>) -> memref<3x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>
    %38 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<3x1x40x1xi32, #hivm.address_space<ub>>
    %39 = "memref.subview"(%38) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 3, 1, 33, 1>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<3x1x40x1xi32, #hivm.address_space<ub>>) -> memref<3x1x33xi32, strided<[40, 40, 1]>, #hivm.address_space<ub>>
    %40 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<231xi32, #hivm.address_space<ub>>
    "hivm.hir.vreduce"(%23, %39, %40) <{arith = #hivm.reduce_op<max>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 1>}> : (memref<3x7x33xi32, strided<[280, 40, 1]>, #hivm.address_space<ub>>, memref<3x1x33xi32, strided<[40, 40, 1]>, #hivm.address_space<ub>>, memref<231xi32, #hivm.address_space<ub>>) -> ()
    %41 = "memref.collapse_shape"(%39) <{reassociation = [[0, 1], [2]]}> : (memref<3x1x33xi32, strided<[40, 40, 1]>, #hivm.address_space<ub>>) -> memref<3x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>
    %42 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<3x40x1xi32, #hivm.address_space<ub>>
    %43 = "memref.subview"(%42) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 3, 33, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<3x40x1xi32, #hivm.address_space<ub>>) -> memref<3x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%37, %41, %43) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<3x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>, memref<3x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>, memref<3x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %44 = "arith.muli"(%19, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %45 = "memref.reinterpret_cast"(%arg4, %44) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 3, 33>, static_strides = array<i64: 33, 1>}> : (memref<?xi32, #hivm.address_space<gm>>, index) -> memref<3x33xi32, strided<[33, 1], offset: ?>, #hivm.address_space<gm>>
    %46 = "memref.subview"(%43, %28) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 33>, static_strides = array<i64: 1, 1>}> : (memref<3x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>, index) -> memref<?x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>
    %47 = "memref.subview"(%45, %28) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 33>, static_strides = array<i64: 1, 1>}> : (memref<3x33xi32, strided<[33, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x33xi32, strided<[33, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%46, %47) : (memref<?x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>, memref<?x33xi32, strided<[33, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

// running_middle(x, out) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "running_middle_infer_task_type_function"}> ({
    %12 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%12) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "running_middle"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32):
    %0 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    "hivm.hir.set_mask_norm"() : () -> ()
    %2 = "arith.muli"(%arg5, %arg6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %3 = "arith.muli"(%2, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%3) {logical_block_num} : (i32) -> ()
    %4 = "memref.reinterpret_cast"(%arg4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4, 8, 16>, static_strides = array<i64: 128, 16, 1>}> : (memref<?xf32, #hivm.address_space<gm>>) -> memref<4x8x16xf32, strided<[128, 16, 1]>, #hivm.address_space<gm>>
    %5 = "memref.reinterpret_cast"(%arg3) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4, 8, 16>, static_strides = array<i64: 128, 16, 1>}> : (memref<?xf32, #hivm.address_space<gm>>) -> memref<4x8x16xf32, strided<[128, 16, 1]>, #hivm.address_space<gm>>
    %6 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x8x16xf32, #hivm.address_space<ub>>
    %7 = "memref.collapse_shape"(%5) <{reassociation = [[0, 1, 2]]}> : (memref<4x8x16xf32, strided<[128, 16, 1]>, #hivm.address_space<gm>>) -> memref<512xf32, strided<[1]>, #hivm.address_space<gm>>
    %8 = "memref.collapse_shape"(%6) <{reassociation = [[0, 1, 2]]}> : (memref<4x8x16xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
    "hivm.hir.load"(%7, %8) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> : (memref<512xf32, strided<[1]>, #hivm.address_space<gm>>, memref<512xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %9 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x8x16xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcumsum"(%6, %9) <{cum_dims = array<i64: 1>, reverse = false}> : (memref<4x8x16xf32, #hivm.address_space<ub>>, memref<4x8x16xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %10 = "memref.collapse_shape"(%9) <{reassociation = [[0, 1, 2]]}> : (memref<4x8x16xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
    %11 = "memref.collapse_shape"(%4) <{reassociation = [[0, 1, 2]]}> : (memref<4x8x16xf32, strided<[128, 16, 1]>, #hivm.address_space<gm>>) -> memref<512xf32, strided<[1]>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%10, %11) : (memref<512xf32, #hivm.address_space<ub>>, memref<512xf32, strided<[1]>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false]> : vector<8xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

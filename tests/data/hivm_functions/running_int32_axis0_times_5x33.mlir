// running(x, out, rows) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "running_infer_task_type_function"}> ({
    %21 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%21) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xi32, #hivm.address_space<gm>>, memref<?xi32, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "running"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xi32, #hivm.address_space<gm>>, %arg4: memref<?xi32, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 800 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = 5 : index}> : () -> index
    %4 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %5 = "arith.muli"(%arg6, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %6 = "arith.muli"(%5, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%6) {logical_block_num} : (i32) -> ()
    %7 = "memref.reinterpret_cast"(%arg3) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 5, 33>, static_strides = array<i64: 33, 1>}> : (memref<?xi32, #hivm.address_space<gm>>) -> memref<5x33xi32, strided<[33, 1]>, #hivm.address_space<gm>>
    %8 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<5x40x1xi32, #hivm.address_space<ub>>
    %9 = "memref.subview"(%8) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 5, 33, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<5x40x1xi32, #hivm.address_space<ub>>) -> memref<5x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>
    %10 = "arith.index_cast"(%arg5) : (i32) -> index
    %11 = "arith.maxsi"(%10, %4) : (index, index) -> index
    %12 = "arith.minsi"(%11, %3) : (index, index) -> index
    %13 = "arith.cmpi"(%12, %3) <{predicate = 2 : i64}> : (index, index) -> i1
    %14 = "memref.subview"(%7, %12) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 33>, static_strides = array<i64: 1, 1>}> : (memref<5x33xi32, strided<[33, 1]>, #hivm.address_space<gm>>, index) -> memref<?x33xi32, strided<[33, 1]>, #hivm.address_space<gm>>
    %15 = "memref.subview"(%9, %12) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 33>, static_strides = array<i64: 1, 1>}> : (memref<5x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>, index) -> memref<?x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>
    "scf.if"(%13) ({
      "hivm.hir.vbrc"(%2, %9) <{broadcast_dims = array<i64>}> : (i32, memref<5x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%14, %15, %2, %4) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?x33xi32, strided<[33, 1]>, #hivm.address_space<gm>>, memref<?x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>, i32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %16 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<5x40x1xi32, #hivm.address_space<ub>>
    %17 = "memref.subview"(%16) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 5, 33, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<5x40x1xi32, #hivm.address_space<ub>>) -> memref<5x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcumprod"(%9, %17) <{cum_dims = array<i64: 0>, reverse = false}> : (memref<5x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>, memref<5x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %18 = "memref.reinterpret_cast"(%arg4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 5, 33>, static_strides = array<i64: 33, 1>}> : (memref<?xi32, #hivm.address_space<gm>>) -> memref<5x33xi32, strided<[33, 1]>, #hivm.address_space<gm>>
    %19 = "memref.subview"(%17, %12) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 33>, static_strides = array<i64: 1, 1>}> : (memref<5x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>, index) -> memref<?x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>
    %20 = "memref.subview"(%18, %12) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 33>, static_strides = array<i64: 1, 1>}> : (memref<5x33xi32, strided<[33, 1]>, #hivm.address_space<gm>>, index) -> memref<?x33xi32, strided<[33, 1]>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%19, %20) : (memref<?x33xi32, strided<[40, 1]>, #hivm.address_space<ub>>, memref<?x33xi32, strided<[33, 1]>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

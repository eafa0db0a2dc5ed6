// running(x, out, rows) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "running_infer_task_type_function"}> ({
    %24 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%24) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "running"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 1024 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %3 = "arith.constant"() <{value = 8 : index}> : () -> index
    %4 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %5 = "arith.muli"(%arg6, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %6 = "arith.muli"(%5, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%6) {logical_block_num} : (i32) -> ()
    %7 = "memref.reinterpret_cast"(%arg3) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 8, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf32, #hivm.address_space<gm>>) -> memref<8x32xf32, strided<[32, 1]>, #hivm.address_space<gm>>
    %8 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x32xf32, #hivm.address_space<ub>>
    %9 = "arith.index_cast"(%arg5) : (i32) -> index
    %10 = "arith.maxsi"(%9, %4) : (index, index) -> index
    %11 = "arith.minsi"(%10, %3) : (index, index) -> index
    %12 = "arith.cmpi"(%11, %3) <{predicate = 2 : i64}> : (index, index) -> i1
    %13 = "memref.subview"(%7, %11) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<8x32xf32, strided<[32, 1]>, #hivm.address_space<gm>>, index) -> memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<gm>>
    %14 = "memref.subview"(%8, %11) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<8x32xf32, #hivm.address_space<ub>>, index) -> memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>
    "scf.if"(%12) ({
      %23 = "memref.collapse_shape"(%8) <{reassociation = [[0, 1]]}> : (memref<8x32xf32, #hivm.address_space<ub>>) -> memref<256xf32, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%2, %23) <{broadcast_dims = array<i64>}> : (f32, memref<256xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %15 = "memref.collapse_shape"(%13) <{reassociation = [[0, 1]]}> : (memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<gm>>
    %16 = "memref.collapse_shape"(%14) <{reassociation = [[0, 1]]}> : (memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%15, %16, %2, %4) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf32, strided<[1]>, #hivm.address_space<gm>>, memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %17 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x32xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcumsum"(%8, %17) <{cum_dims = array<i64: 0>, reverse = false}> : (memref<8x32xf32, #hivm.address_space<ub>>, memref<8x32xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %18 = "memref.reinterpret_cast"(%arg4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 8, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf32, #hivm.address_space<gm>>) -> memref<8x32xf32, strided<[32, 1]>, #hivm.address_space<gm>>
    %19 = "memref.subview"(%17, %11) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<8x32xf32, #hivm.address_space<ub>>, index) -> memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>
    %20 = "memref.subview"(%18, %11) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<8x32xf32, strided<[32, 1]>, #hivm.address_space<gm>>, index) -> memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<gm>>
    %21 = "memref.collapse_shape"(%19) <{reassociation = [[0, 1]]}> : (memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    %22 = "memref.collapse_shape"(%20) <{reassociation = [[0, 1]]}> : (memref<?x32xf32, strided<[32, 1]>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%21, %22) : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, memref<?xf32, strided<[1]>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

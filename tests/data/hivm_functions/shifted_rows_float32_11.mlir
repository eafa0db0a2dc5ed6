// shifted_rows(x, out, rows, columns) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "shifted_rows_infer_task_type_function"}> ({
    %41 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%41) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32, i32) -> (), sym_name = "shifted_rows"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = -11 : index}> : () -> index
    %2 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %4 = "arith.constant"() <{value = 11 : index}> : () -> index
    %5 = "arith.constant"() <{value = 32 : index}> : () -> index
    %6 = "arith.constant"() <{value = 8 : index}> : () -> index
    %7 = "arith.constant"() <{value = 8 : i32}> : () -> i32
    "hivm.hir.set_mask_norm"() : () -> ()
    %8 = "arith.muli"(%arg7, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %9 = "arith.muli"(%8, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%9) {logical_block_num} : (i32) -> ()
    %10 = "hivm.hir.get_block_idx"() : () -> i64
    %11 = "arith.trunci"(%10) : (i64) -> i32
    %12 = "arith.muli"(%arg9, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %13 = "arith.divsi"(%11, %12) : (i32, i32) -> i32
    %14 = "arith.remsi"(%13, %arg7) : (i32, i32) -> i32
    %15 = "arith.muli"(%14, %7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %16 = "arith.index_cast"(%15) : (i32) -> index
    %17 = "arith.index_cast"(%arg6) : (i32) -> index
    %18 = "arith.muli"(%16, %17) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %19 = "arith.muli"(%16, %17) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %20 = "arith.addi"(%19, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %21 = "memref.reinterpret_cast"(%arg3, %20, %17) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 8, 32>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<8x32xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %22 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x32xf32, #hivm.address_space<ub>>
    %23 = "arith.index_cast"(%arg5) : (i32) -> index
    %24 = "arith.maxsi"(%23, %16) : (index, index) -> index
    %25 = "arith.addi"(%16, %6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %26 = "arith.minsi"(%25, %24) : (index, index) -> index
    %27 = "arith.maxsi"(%17, %0) : (index, index) -> index
    %28 = "arith.subi"(%26, %16) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %29 = "arith.minsi"(%28, %6) : (index, index) -> index
    %30 = "arith.minsi"(%27, %5) : (index, index) -> index
    %31 = "arith.addi"(%30, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %32 = "arith.cmpi"(%29, %6) <{predicate = 2 : i64}> : (index, index) -> i1
    %33 = "arith.cmpi"(%31, %5) <{predicate = 2 : i64}> : (index, index) -> i1
    %34 = "arith.ori"(%32, %33) : (i1, i1) -> i1
    %35 = "memref.subview"(%21, %29, %31) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 11>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<8x32xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %36 = "memref.subview"(%22, %29, %31) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 11>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<8x32xf32, #hivm.address_space<ub>>, index, index) -> memref<?x?xf32, strided<[32, 1], offset: 11>, #hivm.address_space<ub>>
    "scf.if"(%34) ({
      %40 = "memref.collapse_shape"(%22) <{reassociation = [[0, 1]]}> : (memref<8x32xf32, #hivm.address_space<ub>>) -> memref<256xf32, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%3, %40) <{broadcast_dims = array<i64>}> : (f32, memref<256xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%35, %36, %3, %4) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?xf32, strided<[32, 1], offset: 11>, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %37 = "memref.reinterpret_cast"(%arg4, %18, %17) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 8, 32>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<8x32xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %38 = "memref.subview"(%22, %29, %30) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<8x32xf32, #hivm.address_space<ub>>, index, index) -> memref<?x?xf32, strided<[32, 1]>, #hivm.address_space<ub>>
    %39 = "memref.subview"(%37, %29, %30) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<8x32xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%38, %39) : (memref<?x?xf32, strided<[32, 1]>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false, false]> : vector<10xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

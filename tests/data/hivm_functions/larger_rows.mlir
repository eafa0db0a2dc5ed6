// larger_rows(x, y, out) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "larger_rows_infer_task_type_function"}> ({
    %37 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%37) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xi64, #hivm.address_space<gm>>, memref<?xi64, #hivm.address_space<gm>>, memref<?xi64, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "larger_rows"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xi64, #hivm.address_space<gm>>, %arg4: memref<?xi64, #hivm.address_space<gm>>, %arg5: memref<?xi64, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 33 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 0 : index}> : () -> index
    %3 = "arith.constant"() <{value = 7 : index}> : () -> index
    %4 = "arith.constant"() <{value = 7008 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 4992 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 4544 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 2528 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 2240 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 224 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    "hivm.hir.set_mask_norm"() : () -> ()
    %11 = "arith.muli"(%arg6, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %12 = "arith.muli"(%11, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%12) {logical_block_num} : (i32) -> ()
    %13 = "memref.reinterpret_cast"(%arg3) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 7, 1>, static_strides = array<i64: 1, 1>}> : (memref<?xi64, #hivm.address_space<gm>>) -> memref<7x1xi64, #hivm.address_space<gm>>
    %14 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<7x4x1xi64, #hivm.address_space<ub>>
    %15 = "memref.subview"(%14) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 7, 1, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<7x4x1xi64, #hivm.address_space<ub>>) -> memref<7x1xi64, strided<[4, 1]>, #hivm.address_space<ub>>
    %16 = "memref.collapse_shape"(%13) <{reassociation = [[0, 1]]}> : (memref<7x1xi64, #hivm.address_space<gm>>) -> memref<7xi64, #hivm.address_space<gm>>
    %17 = "memref.collapse_shape"(%15) <{reassociation = [[0, 1]]}> : (memref<7x1xi64, strided<[4, 1]>, #hivm.address_space<ub>>) -> memref<7xi64, strided<[4]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%16, %17) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> : (memref<7xi64, #hivm.address_space<gm>>, memref<7xi64, strided<[4]>, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %18 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<7x36x1xi64, #hivm.address_space<ub>>
    %19 = "memref.subview"(%18) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 7, 33, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<7x36x1xi64, #hivm.address_space<ub>>) -> memref<7x33xi64, strided<[36, 1]>, #hivm.address_space<ub>>
    %20 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xi64, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vbrc"(%15, %19, %20) <{broadcast_dims = array<i64: 1>}> : (memref<7x1xi64, strided<[4, 1]>, #hivm.address_space<ub>>, memref<7x33xi64, strided<[36, 1]>, #hivm.address_space<ub>>, memref<0xi64, #hivm.address_space<ub>>) -> ()
    %21 = "memref.reinterpret_cast"(%arg4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1, 33>, static_strides = array<i64: 33, 1>}> : (memref<?xi64, #hivm.address_space<gm>>) -> memref<1x33xi64, #hivm.address_space<gm>>
    %22 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x33xi64, #hivm.address_space<ub>>
    %23 = "memref.collapse_shape"(%21) <{reassociation = [[0, 1]]}> : (memref<1x33xi64, #hivm.address_space<gm>>) -> memref<33xi64, #hivm.address_space<gm>>
    %24 = "memref.collapse_shape"(%22) <{reassociation = [[0, 1]]}> : (memref<1x33xi64, #hivm.address_space<ub>>) -> memref<33xi64, #hivm.address_space<ub>>
    "hivm.hir.load"(%23, %24) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> : (memref<33xi64, #hivm.address_space<gm>>, memref<33xi64, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %25 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<7x36x1xi64, #hivm.address_space<ub>>
    %26 = "memref.subview"(%25) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 7, 33, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<7x36x1xi64, #hivm.address_space<ub>>) -> memref<7x33xi64, strided<[36, 1]>, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vbrc"(%22, %26) <{broadcast_dims = array<i64: 0>}> : (memref<1x33xi64, #hivm.address_space<ub>>, memref<7x33xi64, strided<[36, 1]>, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    %27 = "memref.reinterpret_cast"(%arg5) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 7, 33>, static_strides = array<i64: 33, 1>}> : (memref<?xi64, #hivm.address_space<gm>>) -> memref<7x33xi64, strided<[33, 1]>, #hivm.address_space<gm>>
    %28 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<7x64x1xi8, #hivm.address_space<ub>>
    %29 = "memref.subview"(%28) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 7, 33, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<7x64x1xi8, #hivm.address_space<ub>>) -> memref<7x33xi8, strided<[64, 1]>, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    "scf.for"(%2, %3, %1) ({
    ^bb0(%arg9: index):
      "scf.for"(%2, %0, %1) ({
      ^bb0(%arg10: index):
        %33 = "memref.load"(%19, %arg9, %arg10) : (memref<7x33xi64, strided<[36, 1]>, #hivm.address_space<ub>>, index, index) -> i64
        %34 = "memref.load"(%26, %arg9, %arg10) : (memref<7x33xi64, strided<[36, 1]>, #hivm.address_space<ub>>, index, index) -> i64
        %35 = "arith.cmpi"(%33, %34) <{predicate = 4 : i64}> : (i64, i64) -> i1
        %36 = "arith.extui"(%35) : (i1) -> i8
        "memref.store"(%36, %29, %arg9, %arg10) : (i8, memref<7x33xi8, strided<[64, 1]>, #hivm.address_space<ub>>, index, index) -> ()
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %30 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<7x36x1xi64, #hivm.address_space<ub>>
    %31 = "memref.subview"(%30) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 7, 33, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<7x36x1xi64, #hivm.address_space<ub>>) -> memref<7x33xi64, strided<[36, 1]>, #hivm.address_space<ub>>
    %32 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32xi64, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsel"(%29, %19, %26, %31, %32) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<7x33xi8, strided<[64, 1]>, #hivm.address_space<ub>>, memref<7x33xi64, strided<[36, 1]>, #hivm.address_space<ub>>, memref<7x33xi64, strided<[36, 1]>, #hivm.address_space<ub>>, memref<7x33xi64, strided<[36, 1]>, #hivm.address_space<ub>>, memref<32xi64, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%31, %27) : (memref<7x33xi64, strided<[36, 1]>, #hivm.address_space<ub>>, memref<7x33xi64, strided<[33, 1]>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

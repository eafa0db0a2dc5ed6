// running(x, out, rows) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "running_infer_task_type_function"}> ({
    %31 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%31) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "running"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 1536 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 512 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 1.000000e+00 : f16}> : () -> f16
    %4 = "arith.constant"() <{value = 16 : index}> : () -> index
    %5 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %6 = "arith.muli"(%arg6, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %7 = "arith.muli"(%6, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%7) {logical_block_num} : (i32) -> ()
    %8 = "memref.reinterpret_cast"(%arg3) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 16, 16>, static_strides = array<i64: 16, 1>}> : (memref<?xf16, #hivm.address_space<gm>>) -> memref<16x16xf16, strided<[16, 1]>, #hivm.address_space<gm>>
    %9 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x16xf16, #hivm.address_space<ub>>
    %10 = "arith.index_cast"(%arg5) : (i32) -> index
    %11 = "arith.maxsi"(%10, %5) : (index, index) -> index
    %12 = "arith.minsi"(%11, %4) : (index, index) -> index
    %13 = "arith.cmpi"(%12, %4) <{predicate = 2 : i64}> : (index, index) -> i1
    %14 = "memref.subview"(%8, %12) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 16>, static_strides = array<i64: 1, 1>}> : (memref<16x16xf16, strided<[16, 1]>, #hivm.address_space<gm>>, index) -> memref<?x16xf16, strided<[16, 1]>, #hivm.address_space<gm>>
    %15 = "memref.subview"(%9, %12) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 16>, static_strides = array<i64: 1, 1>}> : (memref<16x16xf16, #hivm.address_space<ub>>, index) -> memref<?x16xf16, strided<[16, 1]>, #hivm.address_space<ub>>
    "scf.if"(%13) ({
      %30 = "memref.collapse_shape"(%9) <{reassociation = [[0, 1]]}> : (memref<16x16xf16, #hivm.address_space<ub>>) -> memref<256xf16, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%3, %30) <{broadcast_dims = array<i64>}> : (f16, memref<256xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %16 = "memref.collapse_shape"(%14) <{reassociation = [[0, 1]]}> : (memref<?x16xf16, strided<[16, 1]>, #hivm.address_space<gm>>) -> memref<?xf16, strided<[1]>, #hivm.address_space<gm>>
    %17 = "memref.collapse_shape"(%15) <{reassociation = [[0, 1]]}> : (memref<?x16xf16, strided<[16, 1]>, #hivm.address_space<ub>>) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%16, %17, %3, %5) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf16, strided<[1]>, #hivm.address_space<gm>>, memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, f16, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %18 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x16xf32, #hivm.address_space<ub>>
    %19 = "memref.collapse_shape"(%9) <{reassociation = [[0, 1]]}> : (memref<16x16xf16, #hivm.address_space<ub>>) -> memref<256xf16, #hivm.address_space<ub>>
    %20 = "memref.collapse_shape"(%18) <{reassociation = [[0, 1]]}> : (memref<16x16xf32, #hivm.address_space<ub>>) -> memref<256xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%19, %20) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<256xf16, #hivm.address_space<ub>>, memref<256xf32, #hivm.address_space<ub>>) -> ()
    %21 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x16xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcumsum"(%18, %21) <{cum_dims = array<i64: 0>, reverse = true}> : (memref<16x16xf32, #hivm.address_space<ub>>, memref<16x16xf32, #hivm.address_space<ub>>) -> ()
    %22 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x16xf16, #hivm.address_space<ub>>
    %23 = "memref.collapse_shape"(%21) <{reassociation = [[0, 1]]}> : (memref<16x16xf32, #hivm.address_space<ub>>) -> memref<256xf32, #hivm.address_space<ub>>
    %24 = "memref.collapse_shape"(%22) <{reassociation = [[0, 1]]}> : (memref<16x16xf16, #hivm.address_space<ub>>) -> memref<256xf16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%23, %24) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<256xf32, #hivm.address_space<ub>>, memref<256xf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %25 = "memref.reinterpret_cast"(%arg4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 16, 16>, static_strides = array<i64: 16, 1>}> : (memref<?xf16, #hivm.address_space<gm>>) -> memref<16x16xf16, strided<[16, 1]>, #hivm.address_space<gm>>
    %26 = "memref.subview"(%22, %12) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 16>, static_strides = array<i64: 1, 1>}> : (memref<16x16xf16, #hivm.address_space<ub>>, index) -> memref<?x16xf16, strided<[16, 1]>, #hivm.address_space<ub>>
    %27 = "memref.subview"(%25, %12) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 16>, static_strides = array<i64: 1, 1>}> : (memref<16x16xf16, strided<[16, 1]>, #hivm.address_space<gm>>, index) -> memref<?x16xf16, strided<[16, 1]>, #hivm.address_space<gm>>
    %28 = "memref.collapse_shape"(%26) <{reassociation = [[0, 1]]}> : (memref<?x16xf16, strided<[16, 1]>, #hivm.address_space<ub>>) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
    %29 = "memref.collapse_shape"(%27) <{reassociation = [[0, 1]]}> : (memref<?x16xf16, strided<[16, 1]>, #hivm.address_space<gm>>) -> memref<?xf16, strided<[1]>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%28, %29) : (memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, memref<?xf16, strided<[1]>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

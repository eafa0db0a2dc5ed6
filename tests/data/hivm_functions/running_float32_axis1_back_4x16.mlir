// running(x, out, rows) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "running_infer_task_type_function"}> ({
    %33 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%33) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "running"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 16 : index}> : () -> index
    %1 = "arith.constant"() <{value = 15 : index}> : () -> index
    %2 = "arith.constant"() <{value = 1 : index}> : () -> index
    %3 = "arith.constant"() <{value = 256 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %6 = "arith.constant"() <{value = 4 : index}> : () -> index
    %7 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %8 = "arith.muli"(%arg6, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %9 = "arith.muli"(%8, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%9) {logical_block_num} : (i32) -> ()
    %10 = "memref.reinterpret_cast"(%arg3) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4, 16>, static_strides = array<i64: 16, 1>}> : (memref<?xf32, #hivm.address_space<gm>>) -> memref<4x16xf32, strided<[16, 1]>, #hivm.address_space<gm>>
    %11 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x16xf32, #hivm.address_space<ub>>
    %12 = "arith.index_cast"(%arg5) : (i32) -> index
    %13 = "arith.maxsi"(%12, %7) : (index, index) -> index
    %14 = "arith.minsi"(%13, %6) : (index, index) -> index
    %15 = "arith.cmpi"(%14, %6) <{predicate = 2 : i64}> : (index, index) -> i1
    %16 = "memref.subview"(%10, %14) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 16>, static_strides = array<i64: 1, 1>}> : (memref<4x16xf32, strided<[16, 1]>, #hivm.address_space<gm>>, index) -> memref<?x16xf32, strided<[16, 1]>, #hivm.address_space<gm>>
    %17 = "memref.subview"(%11, %14) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 16>, static_strides = array<i64: 1, 1>}> : (memref<4x16xf32, #hivm.address_space<ub>>, index) -> memref<?x16xf32, strided<[16, 1]>, #hivm.address_space<ub>>
    "scf.if"(%15) ({
      %32 = "memref.collapse_shape"(%11) <{reassociation = [[0, 1]]}> : (memref<4x16xf32, #hivm.address_space<ub>>) -> memref<64xf32, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%5, %32) <{broadcast_dims = array<i64>}> : (f32, memref<64xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %18 = "memref.collapse_shape"(%16) <{reassociation = [[0, 1]]}> : (memref<?x16xf32, strided<[16, 1]>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<gm>>
    %19 = "memref.collapse_shape"(%17) <{reassociation = [[0, 1]]}> : (memref<?x16xf32, strided<[16, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%18, %19, %5, %7) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf32, strided<[1]>, #hivm.address_space<gm>>, memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    %20 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x16xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    "scf.for"(%7, %6, %2) ({
    ^bb0(%arg9: index):
      %26 = "memref.load"(%11, %arg9, %1) : (memref<4x16xf32, #hivm.address_space<ub>>, index, index) -> f32
      "memref.store"(%26, %20, %arg9, %1) : (f32, memref<4x16xf32, #hivm.address_space<ub>>, index, index) -> ()
      "scf.for"(%2, %0, %2) ({
      ^bb0(%arg10: index):
        %27 = "arith.subi"(%1, %arg10) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %28 = "memref.load"(%11, %arg9, %27) : (memref<4x16xf32, #hivm.address_space<ub>>, index, index) -> f32
        %29 = "arith.subi"(%0, %arg10) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %30 = "memref.load"(%20, %arg9, %29) : (memref<4x16xf32, #hivm.address_space<ub>>, index, index) -> f32
        %31 = "arith.addf"(%28, %30) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "memref.store"(%31, %20, %arg9, %27) : (f32, memref<4x16xf32, #hivm.address_space<ub>>, index, index) -> ()
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %21 = "memref.reinterpret_cast"(%arg4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4, 16>, static_strides = array<i64: 16, 1>}> : (memref<?xf32, #hivm.address_space<gm>>) -> memref<4x16xf32, strided<[16, 1]>, #hivm.address_space<gm>>
    %22 = "memref.subview"(%20, %14) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 16>, static_strides = array<i64: 1, 1>}> : (memref<4x16xf32, #hivm.address_space<ub>>, index) -> memref<?x16xf32, strided<[16, 1]>, #hivm.address_space<ub>>
    %23 = "memref.subview"(%21, %14) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 16>, static_strides = array<i64: 1, 1>}> : (memref<4x16xf32, strided<[16, 1]>, #hivm.address_space<gm>>, index) -> memref<?x16xf32, strided<[16, 1]>, #hivm.address_space<gm>>
    %24 = "memref.collapse_shape"(%22) <{reassociation = [[0, 1]]}> : (memref<?x16xf32, strided<[16, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    %25 = "memref.collapse_shape"(%23) <{reassociation = [[0, 1]]}> : (memref<?x16xf32, strided<[16, 1]>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%24, %25) : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, memref<?xf32, strided<[1]>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

// larger_words(x, y, out, n) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "larger_words_infer_task_type_function"}> ({
    %42 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%42) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xi64, #hivm.address_space<gm>>, memref<?xi64, #hivm.address_space<gm>>, memref<?xi64, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "larger_words"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xi64, #hivm.address_space<gm>>, %arg4: memref<?xi64, #hivm.address_space<gm>>, %arg5: memref<?xi64, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = 1 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1600 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 1088 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 1024 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 512 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 64 : index}> : () -> index
    %7 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %8 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %9 = "arith.muli"(%arg7, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %10 = "arith.muli"(%9, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%10) {logical_block_num} : (i32) -> ()
    %11 = "hivm.hir.get_block_idx"() : () -> i64
    %12 = "arith.trunci"(%11) : (i64) -> i32
    %13 = "arith.muli"(%arg9, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %14 = "arith.divsi"(%12, %13) : (i32, i32) -> i32
    %15 = "arith.remsi"(%14, %arg7) : (i32, i32) -> i32
    %16 = "arith.muli"(%15, %7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %17 = "arith.index_cast"(%16) : (i32) -> index
    %18 = "memref.reinterpret_cast"(%arg3, %17) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xi64, #hivm.address_space<gm>>, index) -> memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %19 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi64, #hivm.address_space<ub>>
    %20 = "arith.index_cast"(%arg6) : (i32) -> index
    %21 = "arith.maxsi"(%20, %17) : (index, index) -> index
    %22 = "arith.addi"(%17, %6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %23 = "arith.minsi"(%22, %21) : (index, index) -> index
    %24 = "arith.subi"(%23, %17) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %25 = "arith.cmpi"(%24, %6) <{predicate = 2 : i64}> : (index, index) -> i1
    %26 = "memref.subview"(%18, %24) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %27 = "memref.subview"(%19, %24) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, #hivm.address_space<ub>>, index) -> memref<?xi64, strided<[1]>, #hivm.address_space<ub>>
    "scf.if"(%25) ({
      "hivm.hir.vbrc"(%5, %19) <{broadcast_dims = array<i64>}> : (i64, memref<64xi64, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%26, %27, %5, %8) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xi64, strided<[1]>, #hivm.address_space<ub>>, i64, index) -> ()
    %28 = "memref.reinterpret_cast"(%arg4, %17) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xi64, #hivm.address_space<gm>>, index) -> memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %29 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi64, #hivm.address_space<ub>>
    %30 = "memref.subview"(%28, %24) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %31 = "memref.subview"(%29, %24) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, #hivm.address_space<ub>>, index) -> memref<?xi64, strided<[1]>, #hivm.address_space<ub>>
    "scf.if"(%25) ({
      "hivm.hir.vbrc"(%5, %29) <{broadcast_dims = array<i64>}> : (i64, memref<64xi64, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%30, %31, %5, %8) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xi64, strided<[1]>, #hivm.address_space<ub>>, i64, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    %32 = "memref.reinterpret_cast"(%arg5, %17) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xi64, #hivm.address_space<gm>>, index) -> memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %33 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi8, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    "scf.for"(%8, %6, %0) ({
    ^bb0(%arg10: index):
      %38 = "memref.load"(%19, %arg10) : (memref<64xi64, #hivm.address_space<ub>>, index) -> i64
      %39 = "memref.load"(%29, %arg10) : (memref<64xi64, #hivm.address_space<ub>>, index) -> i64
      %40 = "arith.cmpi"(%38, %39) <{predicate = 4 : i64}> : (i64, i64) -> i1
      %41 = "arith.extui"(%40) : (i1) -> i8
      "memref.store"(%41, %33, %arg10) : (i8, memref<64xi8, #hivm.address_space<ub>>, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %34 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi64, #hivm.address_space<ub>>
    %35 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<48xi64, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsel"(%33, %19, %29, %34, %35) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<64xi8, #hivm.address_space<ub>>, memref<64xi64, #hivm.address_space<ub>>, memref<64xi64, #hivm.address_space<ub>>, memref<64xi64, #hivm.address_space<ub>>, memref<48xi64, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %36 = "memref.subview"(%34, %24) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, #hivm.address_space<ub>>, index) -> memref<?xi64, strided<[1]>, #hivm.address_space<ub>>
    %37 = "memref.subview"(%32, %24) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%36, %37) : (memref<?xi64, strided<[1]>, #hivm.address_space<ub>>, memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false]> : vector<10xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

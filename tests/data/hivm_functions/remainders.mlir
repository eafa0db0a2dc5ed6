// remainders(x, y, out, n) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "remainders_infer_task_type_function"}> ({
    %49 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%49) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xi64, #hivm.address_space<gm>>, memref<?xi64, #hivm.address_space<gm>>, memref<?xi64, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "remainders"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xi64, #hivm.address_space<gm>>, %arg4: memref<?xi64, #hivm.address_space<gm>>, %arg5: memref<?xi64, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = 1 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1152 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 1024 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 512 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %5 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 64 : index}> : () -> index
    %9 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %10 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %11 = "arith.muli"(%arg7, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %12 = "arith.muli"(%11, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%12) {logical_block_num} : (i32) -> ()
    %13 = "hivm.hir.get_block_idx"() : () -> i64
    %14 = "arith.trunci"(%13) : (i64) -> i32
    %15 = "arith.muli"(%arg9, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %16 = "arith.divsi"(%14, %15) : (i32, i32) -> i32
    %17 = "arith.remsi"(%16, %arg7) : (i32, i32) -> i32
    %18 = "arith.muli"(%17, %9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %19 = "arith.index_cast"(%18) : (i32) -> index
    %20 = "memref.reinterpret_cast"(%arg3, %19) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xi64, #hivm.address_space<gm>>, index) -> memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %21 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi64, #hivm.address_space<ub>>
    %22 = "arith.index_cast"(%arg6) : (i32) -> index
    %23 = "arith.maxsi"(%22, %19) : (index, index) -> index
    %24 = "arith.addi"(%19, %8) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %25 = "arith.minsi"(%24, %23) : (index, index) -> index
    %26 = "arith.subi"(%25, %19) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %27 = "arith.cmpi"(%26, %8) <{predicate = 2 : i64}> : (index, index) -> i1
    %28 = "memref.subview"(%20, %26) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %29 = "memref.subview"(%21, %26) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, #hivm.address_space<ub>>, index) -> memref<?xi64, strided<[1]>, #hivm.address_space<ub>>
    "scf.if"(%27) ({
      "hivm.hir.vbrc"(%7, %21) <{broadcast_dims = array<i64>}> : (i64, memref<64xi64, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%28, %29, %7, %10) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xi64, strided<[1]>, #hivm.address_space<ub>>, i64, index) -> ()
    %30 = "memref.reinterpret_cast"(%arg4, %19) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xi64, #hivm.address_space<gm>>, index) -> memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %31 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi64, #hivm.address_space<ub>>
    %32 = "memref.subview"(%30, %26) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %33 = "memref.subview"(%31, %26) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, #hivm.address_space<ub>>, index) -> memref<?xi64, strided<[1]>, #hivm.address_space<ub>>
    "scf.if"(%27) ({
      "hivm.hir.vbrc"(%6, %31) <{broadcast_dims = array<i64>}> : (i64, memref<64xi64, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%32, %33, %6, %10) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xi64, strided<[1]>, #hivm.address_space<ub>>, i64, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    %34 = "memref.reinterpret_cast"(%arg5, %19) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xi64, #hivm.address_space<gm>>, index) -> memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %35 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi64, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    "scf.for"(%10, %8, %0) ({
    ^bb0(%arg11: index):
      %46 = "memref.load"(%21, %arg11) : (memref<64xi64, #hivm.address_space<ub>>, index) -> i64
      %47 = "memref.load"(%31, %arg11) : (memref<64xi64, #hivm.address_space<ub>>, index) -> i64
      %48 = "arith.remsi"(%46, %47) : (i64, i64) -> i64
      "memref.store"(%48, %35, %arg11) : (i64, memref<64xi64, #hivm.address_space<ub>>, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    %36 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi1, #hivm.address_space<ub>>
    %37 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi8, #hivm.address_space<ub>>
    "scf.for"(%10, %8, %0) ({
    ^bb0(%arg10: index):
      %43 = "memref.load"(%31, %arg10) : (memref<64xi64, #hivm.address_space<ub>>, index) -> i64
      %44 = "arith.cmpi"(%43, %7) <{predicate = 0 : i64}> : (i64, i64) -> i1
      %45 = "arith.extui"(%44) : (i1) -> i8
      "memref.store"(%45, %37, %arg10) : (i8, memref<64xi8, #hivm.address_space<ub>>, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %38 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf16, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%37, %38) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<64xi8, #hivm.address_space<ub>>, memref<64xf16, #hivm.address_space<ub>>) -> ()
    %39 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf16, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%4, %39) <{broadcast_dims = array<i64>}> : (f16, memref<64xf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcmp"(%38, %39, %36) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<ne>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<64xf16, #hivm.address_space<ub>>, memref<64xf16, #hivm.address_space<ub>>, memref<64xi1, #hivm.address_space<ub>>) -> ()
    %40 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi64, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsel"(%36, %5, %35, %40) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 0>, transpose = array<i64>}> : (memref<64xi1, #hivm.address_space<ub>>, i64, memref<64xi64, #hivm.address_space<ub>>, memref<64xi64, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %41 = "memref.subview"(%40, %26) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, #hivm.address_space<ub>>, index) -> memref<?xi64, strided<[1]>, #hivm.address_space<ub>>
    %42 = "memref.subview"(%34, %26) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%41, %42) : (memref<?xi64, strided<[1]>, #hivm.address_space<ub>>, memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false]> : vector<10xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

// words_or_numbers(x, y, out, n, least) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "words_or_numbers_infer_task_type_function"}> ({
    %59 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%59) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {tt.divisibility = 16 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xi64, #hivm.address_space<gm>>, memref<?xi64, #hivm.address_space<gm>>, memref<?xi64, #hivm.address_space<gm>>, i32, i64, i32, i32, i32) -> (), sym_name = "words_or_numbers"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xi64, #hivm.address_space<gm>>, %arg4: memref<?xi64, #hivm.address_space<gm>>, %arg5: memref<?xi64, #hivm.address_space<gm>>, %arg6: i32, %arg7: i64, %arg8: i32, %arg9: i32, %arg10: i32):
    %0 = "arith.constant"() <{value = 1 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1920 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 1792 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 1536 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 1664 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 1024 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 512 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %9 = "arith.constant"() <{value = 2199023255552 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 1099511627776 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 64 : index}> : () -> index
    %12 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %13 = "arith.constant"() <{value = -4398046511104 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 5 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %16 = "arith.muli"(%arg8, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %17 = "arith.muli"(%16, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%17) {logical_block_num} : (i32) -> ()
    %18 = "hivm.hir.get_block_idx"() : () -> i64
    %19 = "arith.trunci"(%18) : (i64) -> i32
    %20 = "arith.muli"(%arg10, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %21 = "arith.divsi"(%19, %20) : (i32, i32) -> i32
    %22 = "arith.remsi"(%21, %arg8) : (i32, i32) -> i32
    %23 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi64, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%14, %23) <{broadcast_dims = array<i64>}> : (i64, memref<64xi64, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    %24 = "arith.muli"(%22, %12) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %25 = "arith.index_cast"(%24) : (i32) -> index
    %26 = "memref.reinterpret_cast"(%arg3, %25) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xi64, #hivm.address_space<gm>>, index) -> memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %27 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi64, #hivm.address_space<ub>>
    %28 = "arith.index_cast"(%arg6) : (i32) -> index
    %29 = "arith.maxsi"(%28, %25) : (index, index) -> index
    %30 = "arith.addi"(%25, %11) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %31 = "arith.minsi"(%30, %29) : (index, index) -> index
    %32 = "arith.subi"(%31, %25) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %33 = "arith.cmpi"(%32, %11) <{predicate = 2 : i64}> : (index, index) -> i1
    %34 = "memref.subview"(%26, %32) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %35 = "memref.subview"(%27, %32) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, #hivm.address_space<ub>>, index) -> memref<?xi64, strided<[1]>, #hivm.address_space<ub>>
    "scf.if"(%33) ({
      "hivm.hir.vbrc"(%10, %27) <{broadcast_dims = array<i64>}> : (i64, memref<64xi64, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%34, %35, %10, %15) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xi64, strided<[1]>, #hivm.address_space<ub>>, i64, index) -> ()
    %36 = "memref.reinterpret_cast"(%arg4, %25) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xi64, #hivm.address_space<gm>>, index) -> memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %37 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi64, #hivm.address_space<ub>>
    %38 = "memref.subview"(%36, %32) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %39 = "memref.subview"(%37, %32) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xi64, #hivm.address_space<ub>>, index) -> memref<?xi64, strided<[1]>, #hivm.address_space<ub>>
    "scf.if"(%33) ({
      "hivm.hir.vbrc"(%9, %37) <{broadcast_dims = array<i64>}> : (i64, memref<64xi64, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%38, %39, %9, %15) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xi64, strided<[1]>, #hivm.address_space<ub>>, i64, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    %40 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi1, #hivm.address_space<ub>>
    %41 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi8, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    "scf.for"(%15, %11, %0) ({
    ^bb0(%arg12: index):
      %55 = "memref.load"(%37, %arg12) : (memref<64xi64, #hivm.address_space<ub>>, index) -> i64
      %56 = "memref.load"(%23, %arg12) : (memref<64xi64, #hivm.address_space<ub>>, index) -> i64
      %57 = "arith.cmpi"(%55, %56) <{predicate = 4 : i64}> : (i64, i64) -> i1
      %58 = "arith.extui"(%57) : (i1) -> i8
      "memref.store"(%58, %41, %arg12) : (i8, memref<64xi8, #hivm.address_space<ub>>, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %42 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf16, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%41, %42) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<64xi8, #hivm.address_space<ub>>, memref<64xf16, #hivm.address_space<ub>>) -> ()
    %43 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf16, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%8, %43) <{broadcast_dims = array<i64>}> : (f16, memref<64xf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcmp"(%42, %43, %40) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<ne>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<64xf16, #hivm.address_space<ub>>, memref<64xf16, #hivm.address_space<ub>>, memref<64xi1, #hivm.address_space<ub>>) -> ()
    %44 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi1, #hivm.address_space<ub>>
    %45 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi8, #hivm.address_space<ub>>
    "scf.for"(%15, %11, %0) ({
    ^bb0(%arg11: index):
      %51 = "memref.load"(%27, %arg11) : (memref<64xi64, #hivm.address_space<ub>>, index) -> i64
      %52 = "memref.load"(%37, %arg11) : (memref<64xi64, #hivm.address_space<ub>>, index) -> i64
      %53 = "arith.cmpi"(%51, %52) <{predicate = 4 : i64}> : (i64, i64) -> i1
      %54 = "arith.extui"(%53) : (i1) -> i8
      "memref.store"(%54, %45, %arg11) : (i8, memref<64xi8, #hivm.address_space<ub>>, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %46 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf16, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%45, %46) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<64xi8, #hivm.address_space<ub>>, memref<64xf16, #hivm.address_space<ub>>) -> ()
    %47 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf16, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%8, %47) <{broadcast_dims = array<i64>}> : (f16, memref<64xf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcmp"(%46, %47, %44) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<ne>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<64xf16, #hivm.address_space<ub>>, memref<64xf16, #hivm.address_space<ub>>, memref<64xi1, #hivm.address_space<ub>>) -> ()
    %48 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi64, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsel"(%44, %13, %27, %48) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 0>, transpose = array<i64>}> : (memref<64xi1, #hivm.address_space<ub>>, i64, memref<64xi64, #hivm.address_space<ub>>, memref<64xi64, #hivm.address_space<ub>>) -> ()
    %49 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi64, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsel"(%40, %48, %arg7, %49) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 0>, transpose = array<i64>}> : (memref<64xi1, #hivm.address_space<ub>>, memref<64xi64, #hivm.address_space<ub>>, i64, memref<64xi64, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %50 = "memref.reinterpret_cast"(%arg5, %25) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xi64, #hivm.address_space<gm>>, index) -> memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%49, %50) : (memref<64xi64, #hivm.address_space<ub>>, memref<64xi64, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false, false]> : vector<11xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

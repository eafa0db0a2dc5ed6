// examples/triton/rows.py, prefix_sum: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "prefix_sum_infer_task_type_function"}> ({
    %51 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%51) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, i32, i32, i32, i32, i32) -> (), sym_name = "prefix_sum"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xbf16, #hivm.address_space<gm>>, %arg4: memref<?xbf16, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = 1 : index}> : () -> index
    %1 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %5 = "arith.constant"() <{value = 128 : index}> : () -> index
    %6 = "arith.constant"() <{value = 0 : index}> : () -> index
    %7 = "arith.constant"() <{value = 8 : index}> : () -> index
    %8 = "arith.constant"() <{value = 8 : i32}> : () -> i32
    "hivm.hir.set_mask_norm"() : () -> ()
    %9 = "arith.muli"(%arg7, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %10 = "arith.muli"(%9, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%10) {logical_block_num} : (i32) -> ()
    %11 = "hivm.hir.get_block_idx"() : () -> i64
    %12 = "arith.trunci"(%11) : (i64) -> i32
    %13 = "arith.muli"(%arg9, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %14 = "arith.divsi"(%12, %13) : (i32, i32) -> i32
    %15 = "arith.remsi"(%14, %arg7) : (i32, i32) -> i32
    %16 = "arith.muli"(%15, %8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %17 = "arith.index_cast"(%16) : (i32) -> index
    %18 = "arith.index_cast"(%arg6) : (i32) -> index
    %19 = "arith.muli"(%17, %18) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %20 = "memref.reinterpret_cast"(%arg3, %19, %18) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 8, 128>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index, index) -> memref<8x128xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %21 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x128xbf16, #hivm.address_space<ub>>
    %22 = "arith.index_cast"(%arg5) : (i32) -> index
    %23 = "arith.maxsi"(%22, %17) : (index, index) -> index
    %24 = "arith.addi"(%17, %7) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %25 = "arith.minsi"(%24, %23) : (index, index) -> index
    %26 = "arith.maxsi"(%18, %6) : (index, index) -> index
    %27 = "arith.subi"(%25, %17) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %28 = "arith.minsi"(%27, %7) : (index, index) -> index
    %29 = "arith.minsi"(%26, %5) : (index, index) -> index
    %30 = "arith.cmpi"(%28, %7) <{predicate = 2 : i64}> : (index, index) -> i1
    %31 = "arith.cmpi"(%29, %5) <{predicate = 2 : i64}> : (index, index) -> i1
    %32 = "arith.ori"(%30, %31) : (i1, i1) -> i1
    %33 = "memref.subview"(%20, %28, %29) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<8x128xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %34 = "memref.subview"(%21, %28, %29) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<8x128xbf16, #hivm.address_space<ub>>, index, index) -> memref<?x?xbf16, strided<[128, 1]>, #hivm.address_space<ub>>
    "scf.if"(%32) ({
      %50 = "memref.collapse_shape"(%21) <{reassociation = [[0, 1]]}> : (memref<8x128xbf16, #hivm.address_space<ub>>) -> memref<1024xbf16, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%4, %50) <{broadcast_dims = array<i64>}> : (bf16, memref<1024xbf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%33, %34, %4, %6) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?xbf16, strided<[128, 1]>, #hivm.address_space<ub>>, bf16, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %35 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x128xf32, #hivm.address_space<ub>>
    %36 = "memref.collapse_shape"(%21) <{reassociation = [[0, 1]]}> : (memref<8x128xbf16, #hivm.address_space<ub>>) -> memref<1024xbf16, #hivm.address_space<ub>>
    %37 = "memref.collapse_shape"(%35) <{reassociation = [[0, 1]]}> : (memref<8x128xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%36, %37) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xbf16, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    %38 = "memref.reinterpret_cast"(%arg4, %19, %18) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 8, 128>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index, index) -> memref<8x128xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %39 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x128xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    "scf.for"(%6, %7, %0) ({
    ^bb0(%arg10: index):
      %45 = "memref.load"(%35, %arg10, %6) : (memref<8x128xf32, #hivm.address_space<ub>>, index, index) -> f32
      "memref.store"(%45, %39, %arg10, %6) : (f32, memref<8x128xf32, #hivm.address_space<ub>>, index, index) -> ()
      "scf.for"(%0, %5, %0) ({
      ^bb0(%arg11: index):
        %46 = "memref.load"(%35, %arg10, %arg11) : (memref<8x128xf32, #hivm.address_space<ub>>, index, index) -> f32
        %47 = "arith.subi"(%arg11, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %48 = "memref.load"(%39, %arg10, %47) : (memref<8x128xf32, #hivm.address_space<ub>>, index, index) -> f32
        %49 = "arith.addf"(%46, %48) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "memref.store"(%49, %39, %arg10, %arg11) : (f32, memref<8x128xf32, #hivm.address_space<ub>>, index, index) -> ()
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %40 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8x128xbf16, #hivm.address_space<ub>>
    %41 = "memref.collapse_shape"(%39) <{reassociation = [[0, 1]]}> : (memref<8x128xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    %42 = "memref.collapse_shape"(%40) <{reassociation = [[0, 1]]}> : (memref<8x128xbf16, #hivm.address_space<ub>>) -> memref<1024xbf16, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%41, %42) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xbf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %43 = "memref.subview"(%40, %28, %29) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<8x128xbf16, #hivm.address_space<ub>>, index, index) -> memref<?x?xbf16, strided<[128, 1]>, #hivm.address_space<ub>>
    %44 = "memref.subview"(%38, %28, %29) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<8x128xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%43, %44) : (memref<?x?xbf16, strided<[128, 1]>, #hivm.address_space<ub>>, memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false, false]> : vector<10xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

// added_product(a, b, out, K) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "added_product_infer_workspace_shape_function"}> ({
    %68 = "arith.constant"() <{value = 4096 : index}> : () -> index
    "func.return"(%68) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{function_type = () -> i8, sym_name = "added_product_infer_task_type_function"}> ({
    %67 = "arith.constant"() <{value = 32 : i8}> : () -> i8
    "func.return"(%67) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 2 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "added_product_mix_aic"}> ({
  ^bb0(%arg10: i64, %arg11: memref<?xi8, #hivm.address_space<gm>>, %arg12: memref<?xi8, #hivm.address_space<gm>>, %arg13: memref<?xf16, #hivm.address_space<gm>>, %arg14: memref<?xf16, #hivm.address_space<gm>>, %arg15: memref<?xf32, #hivm.address_space<gm>>, %arg16: i32, %arg17: i32, %arg18: i32, %arg19: i32):
    %13 = "arith.constant"() <{value = -16 : index}> : () -> index
    %14 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 16 : index}> : () -> index
    %16 = "arith.constant"() <{value = 15 : index}> : () -> index
    %17 = "arith.constant"() <{value = -1 : index}> : () -> index
    %18 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %19 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %20 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %21 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %22 = "arith.constant"() <{value = 32 : index}> : () -> index
    %23 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %24 = "arith.constant"() <{value = true}> : () -> i1
    %25 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_ffts_base_addr"(%arg10) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %26 = "arith.muli"(%arg17, %arg18) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %27 = "arith.muli"(%26, %arg19) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%27) {logical_block_num} : (i32) -> ()
    %28 = "hivm.hir.get_block_idx"() : () -> i64
    %29 = "arith.trunci"(%28) : (i64) -> i32
    %30 = "arith.muli"(%arg19, %arg18) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %31 = "arith.divsi"(%29, %30) : (i32, i32) -> i32
    %32 = "arith.remsi"(%31, %arg17) : (i32, i32) -> i32
    %33 = "arith.muli"(%32, %21) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %34 = "arith.index_cast"(%arg16) : (i32) -> index
    %35 = "arith.index_cast"(%33) : (i32) -> index
    %36 = "memref.reinterpret_cast"(%arg13, %35, %34) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index, index) -> memref<32x32xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %37 = "hivm.hir.pointer_cast"(%18) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %38 = "memref.cast"(%37) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
    %39 = "arith.maxsi"(%34, %35) : (index, index) -> index
    %40 = "arith.addi"(%35, %22) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %41 = "arith.minsi"(%40, %39) : (index, index) -> index
    %42 = "arith.subi"(%41, %35) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %43 = "arith.cmpi"(%42, %22) <{predicate = 2 : i64}> : (index, index) -> i1
    %44 = "memref.subview"(%36, %42) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 32, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<32x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %45 = "arith.subi"(%41, %35) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %46 = "arith.addi"(%45, %16) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %47 = "arith.cmpi"(%46, %25) <{predicate = 2 : i64}> : (index, index) -> i1
    %48 = "arith.subi"(%13, %45) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %49 = "arith.select"(%47, %48, %46) : (i1, index, index) -> index
    %50 = "arith.divsi"(%49, %15) : (index, index) -> index
    %51 = "arith.subi"(%17, %50) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %52 = "arith.select"(%47, %51, %50) : (i1, index, index) -> index
    %53 = "memref.subview"(%37, %52) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, 2, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, index) -> memref<?x2x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
    %54 = "memref.cast"(%53) : (memref<?x2x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
    "scf.if"(%43) ({
      %66 = "memref.collapse_shape"(%37) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<1024xf16, #hivm.address_space<cbuf>>
      "hivm.hir.vbrc"(%23, %66) <{broadcast_dims = array<i64>}> : (f16, memref<1024xf16, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.nd2nz"(%44, %54) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<32x?xf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    %55 = "arith.muli"(%35, %22) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %56 = "memref.reinterpret_cast"(%arg14, %55) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
    %57 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %58 = "memref.cast"(%57) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, #hivm.address_space<cbuf>>
    %59 = "memref.subview"(%56, %42) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
    %60 = "memref.subview"(%57, %52) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 2, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, index) -> memref<2x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
    %61 = "memref.cast"(%60) : (memref<2x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>
    "scf.if"(%43) ({
      %65 = "memref.collapse_shape"(%57) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<1024xf16, #hivm.address_space<cbuf>>
      "hivm.hir.vbrc"(%23, %65) <{broadcast_dims = array<i64>}> : (f16, memref<1024xf16, #hivm.address_space<cbuf>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.nd2nz"(%59, %61) <{dst_continuous, init_out_buffer = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, 1], offset: ?>, #hivm.address_space<cbuf>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
    %62 = "hivm.hir.pointer_cast"(%18) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf32, #hivm.address_space<cc>>
    %63 = "memref.cast"(%62) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, #hivm.address_space<cc>>
    "hivm.hir.mmadL1"(%38, %58, %24, %22, %42, %22, %63, %18, %19, %14, %14, %14, %14, %14) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 7, 0, 0>}> {fixpipe_for_result_already_inserted = true} : (memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %64 = "memref_ext.alloc_workspace"(%arg12, %25) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<32x32xf32, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.fixpipe"(%63, %64) <{dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<?x?x?x?xf32, #hivm.address_space<cc>>, memref<32x32xf32, #hivm.address_space<gm>>) -> ()
    "annotation.mark"(%64) : (memref<32x32xf32, #hivm.address_space<gm>>) -> ()
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false]> : vector<10xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 2 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "added_product_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 5.000000e-01 : f32}> : () -> f32
    %2 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_ffts_base_addr"(%arg0) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %3 = "arith.muli"(%arg7, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %4 = "arith.muli"(%3, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%4) {logical_block_num} : (i32) -> ()
    %5 = "memref.reinterpret_cast"(%arg5) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf32, #hivm.address_space<gm>>) -> memref<32x32xf32, strided<[32, 1]>, #hivm.address_space<gm>>
    %6 = "memref_ext.alloc_workspace"(%arg2, %2) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<32x32xf32, #hivm.address_space<gm>>
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
    %7 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %8 = "memref.collapse_shape"(%6) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<gm>>) -> memref<1024xf32, #hivm.address_space<gm>>
    %9 = "memref.collapse_shape"(%7) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.load"(%8, %9) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> {"inserted-load"} : (memref<1024xf32, #hivm.address_space<gm>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %10 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x32xf32, #hivm.address_space<ub>>
    %11 = "memref.collapse_shape"(%10) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%9, %1, %11) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %12 = "memref.collapse_shape"(%5) <{reassociation = [[0, 1]]}> : (memref<32x32xf32, strided<[32, 1]>, #hivm.address_space<gm>>) -> memref<1024xf32, strided<[1]>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%11, %12) <{atomic_kind = #hivm.atomic_kind<add>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, strided<[1]>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false, false]> : vector<10xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()

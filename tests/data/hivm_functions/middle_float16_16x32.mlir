// middle(x, out, matrices) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "middle_infer_task_type_function"}> ({
    %59 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%59) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "middle"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 32 : index}> : () -> index
    %1 = "arith.constant"() <{value = 512 : index}> : () -> index
    %2 = "arith.constant"() <{value = 10752 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 8704 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 8448 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 6400 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %10 = "arith.constant"() <{value = 2 : index}> : () -> index
    %11 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %12 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %13 = "arith.muli"(%arg6, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %14 = "arith.muli"(%13, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%14) {logical_block_num} : (i32) -> ()
    %15 = "hivm.hir.get_block_idx"() : () -> i64
    %16 = "arith.trunci"(%15) : (i64) -> i32
    %17 = "arith.muli"(%arg8, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %18 = "arith.divsi"(%16, %17) : (i32, i32) -> i32
    %19 = "arith.remsi"(%18, %arg6) : (i32, i32) -> i32
    %20 = "arith.muli"(%19, %11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %21 = "arith.index_cast"(%20) : (i32) -> index
    %22 = "arith.muli"(%21, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %23 = "memref.reinterpret_cast"(%arg3, %22) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 2, 16, 32>, static_strides = array<i64: 512, 32, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<2x16x32xf16, strided<[512, 32, 1], offset: ?>, #hivm.address_space<gm>>
    %24 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x16x32xf16, #hivm.address_space<ub>>
    %25 = "arith.index_cast"(%arg5) : (i32) -> index
    %26 = "arith.maxsi"(%25, %21) : (index, index) -> index
    %27 = "arith.addi"(%21, %10) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %28 = "arith.minsi"(%27, %26) : (index, index) -> index
    %29 = "arith.subi"(%28, %21) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %30 = "arith.cmpi"(%29, %10) <{predicate = 2 : i64}> : (index, index) -> i1
    %31 = "memref.subview"(%23, %29) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, 16, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<2x16x32xf16, strided<[512, 32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x16x32xf16, strided<[512, 32, 1], offset: ?>, #hivm.address_space<gm>>
    %32 = "memref.subview"(%24, %29) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, 16, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<2x16x32xf16, #hivm.address_space<ub>>, index) -> memref<?x16x32xf16, strided<[512, 32, 1]>, #hivm.address_space<ub>>
    "scf.if"(%30) ({
      %58 = "memref.collapse_shape"(%24) <{reassociation = [[0, 1, 2]]}> : (memref<2x16x32xf16, #hivm.address_space<ub>>) -> memref<1024xf16, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%9, %58) <{broadcast_dims = array<i64>}> : (f16, memref<1024xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    %33 = "memref.collapse_shape"(%31) <{reassociation = [[0, 1, 2]]}> : (memref<?x16x32xf16, strided<[512, 32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %34 = "memref.collapse_shape"(%32) <{reassociation = [[0, 1, 2]]}> : (memref<?x16x32xf16, strided<[512, 32, 1]>, #hivm.address_space<ub>>) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%33, %34, %9, %12) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, f16, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %35 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x16x32xf32, #hivm.address_space<ub>>
    %36 = "memref.collapse_shape"(%24) <{reassociation = [[0, 1, 2]]}> : (memref<2x16x32xf16, #hivm.address_space<ub>>) -> memref<1024xf16, #hivm.address_space<ub>>
    %37 = "memref.collapse_shape"(%35) <{reassociation = [[0, 1, 2]]}> : (memref<2x16x32xf32, #hivm.address_space<ub>>) -> memref<1024xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%36, %37) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xf16, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
    %38 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x1x32xf32, #hivm.address_space<ub>>
    %39 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vreduce"(%35, %38, %39) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 1>}> : (memref<2x16x32xf32, #hivm.address_space<ub>>, memref<2x1x32xf32, #hivm.address_space<ub>>, memref<512xf32, #hivm.address_space<ub>>) -> ()
    %40 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x32xf16, #hivm.address_space<ub>>
    %41 = "memref.collapse_shape"(%38) <{reassociation = [[0, 1, 2]]}> : (memref<2x1x32xf32, #hivm.address_space<ub>>) -> memref<64xf32, #hivm.address_space<ub>>
    %42 = "memref.collapse_shape"(%40) <{reassociation = [[0, 1]]}> : (memref<2x32xf16, #hivm.address_space<ub>>) -> memref<64xf16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%41, %42) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<64xf32, #hivm.address_space<ub>>, memref<64xf16, #hivm.address_space<ub>>) -> ()
    %43 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x1x32xf32, #hivm.address_space<ub>>
    %44 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
    "hivm.hir.vreduce"(%35, %43, %44) <{arith = #hivm.reduce_op<max>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 1>}> : (memref<2x16x32xf32, #hivm.address_space<ub>>, memref<2x1x32xf32, #hivm.address_space<ub>>, memref<512xf32, #hivm.address_space<ub>>) -> ()
    %45 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x32xf32, #hivm.address_space<ub>>
    %46 = "memref.collapse_shape"(%45) <{reassociation = [[0, 1]]}> : (memref<2x32xf32, #hivm.address_space<ub>>) -> memref<64xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%42, %46) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<64xf16, #hivm.address_space<ub>>, memref<64xf32, #hivm.address_space<ub>>) -> ()
    %47 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x32xf32, #hivm.address_space<ub>>
    %48 = "memref.collapse_shape"(%43) <{reassociation = [[0, 1, 2]]}> : (memref<2x1x32xf32, #hivm.address_space<ub>>) -> memref<64xf32, #hivm.address_space<ub>>
    %49 = "memref.collapse_shape"(%47) <{reassociation = [[0, 1]]}> : (memref<2x32xf32, #hivm.address_space<ub>>) -> memref<64xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%46, %48, %49) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<64xf32, #hivm.address_space<ub>>, memref<64xf32, #hivm.address_space<ub>>, memref<64xf32, #hivm.address_space<ub>>) -> ()
    %50 = "arith.muli"(%21, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %51 = "memref.reinterpret_cast"(%arg4, %50) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 2, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<2x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
    %52 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x32xf16, #hivm.address_space<ub>>
    %53 = "memref.collapse_shape"(%52) <{reassociation = [[0, 1]]}> : (memref<2x32xf16, #hivm.address_space<ub>>) -> memref<64xf16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%49, %53) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<64xf32, #hivm.address_space<ub>>, memref<64xf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %54 = "memref.subview"(%52, %29) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<2x32xf16, #hivm.address_space<ub>>, index) -> memref<?x32xf16, strided<[32, 1]>, #hivm.address_space<ub>>
    %55 = "memref.subview"(%51, %29) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 32>, static_strides = array<i64: 1, 1>}> : (memref<2x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
    %56 = "memref.collapse_shape"(%54) <{reassociation = [[0, 1]]}> : (memref<?x32xf16, strided<[32, 1]>, #hivm.address_space<ub>>) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
    %57 = "memref.collapse_shape"(%55) <{reassociation = [[0, 1]]}> : (memref<?x32xf16, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%56, %57) : (memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

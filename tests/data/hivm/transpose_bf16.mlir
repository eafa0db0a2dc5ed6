// examples/triton/moves.py, transpose: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "transpose_infer_task_type_function"}> ({
    %47 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%47) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, i32, i32, i32, i32, i32) -> (), sym_name = "transpose"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xbf16, #hivm.address_space<gm>>, %arg4: memref<?xbf16, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %3 = "arith.constant"() <{value = 64 : index}> : () -> index
    %4 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %6 = "arith.muli"(%arg7, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %7 = "arith.muli"(%6, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%7) {logical_block_num} : (i32) -> ()
    %8 = "hivm.hir.get_block_idx"() : () -> i64
    %9 = "arith.trunci"(%8) : (i64) -> i32
    %10 = "arith.divsi"(%9, %arg9) : (i32, i32) -> i32
    %11 = "arith.remsi"(%10, %arg8) : (i32, i32) -> i32
    %12 = "arith.muli"(%arg9, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %13 = "arith.divsi"(%9, %12) : (i32, i32) -> i32
    %14 = "arith.remsi"(%13, %arg7) : (i32, i32) -> i32
    %15 = "arith.muli"(%14, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %16 = "arith.muli"(%11, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %17 = "arith.index_cast"(%15) : (i32) -> index
    %18 = "arith.index_cast"(%arg6) : (i32) -> index
    %19 = "arith.index_cast"(%16) : (i32) -> index
    %20 = "arith.muli"(%17, %18) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %21 = "arith.addi"(%19, %20) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %22 = "memref.reinterpret_cast"(%arg3, %21, %18) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index, index) -> memref<64x64xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %23 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x64xbf16, #hivm.address_space<ub>>
    %24 = "arith.index_cast"(%arg5) : (i32) -> index
    %25 = "arith.maxsi"(%24, %17) : (index, index) -> index
    %26 = "arith.addi"(%17, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %27 = "arith.minsi"(%26, %25) : (index, index) -> index
    %28 = "arith.maxsi"(%18, %19) : (index, index) -> index
    %29 = "arith.addi"(%19, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %30 = "arith.minsi"(%29, %28) : (index, index) -> index
    %31 = "arith.subi"(%27, %17) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %32 = "arith.minsi"(%31, %3) : (index, index) -> index
    %33 = "arith.subi"(%30, %19) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %34 = "arith.minsi"(%33, %3) : (index, index) -> index
    %35 = "arith.cmpi"(%32, %3) <{predicate = 2 : i64}> : (index, index) -> i1
    %36 = "arith.cmpi"(%34, %3) <{predicate = 2 : i64}> : (index, index) -> i1
    %37 = "arith.ori"(%35, %36) : (i1, i1) -> i1
    %38 = "memref.subview"(%22, %32, %34) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %39 = "memref.subview"(%23, %32, %34) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xbf16, #hivm.address_space<ub>>, index, index) -> memref<?x?xbf16, strided<[64, 1]>, #hivm.address_space<ub>>
    "scf.if"(%37) ({
      %46 = "memref.collapse_shape"(%23) <{reassociation = [[0, 1]]}> : (memref<64x64xbf16, #hivm.address_space<ub>>) -> memref<4096xbf16, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%2, %46) <{broadcast_dims = array<i64>}> : (bf16, memref<4096xbf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%38, %39, %2, %5) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?xbf16, strided<[64, 1]>, #hivm.address_space<ub>>, bf16, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %40 = "arith.muli"(%19, %24) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %41 = "arith.addi"(%17, %40) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %42 = "memref.reinterpret_cast"(%arg4, %41, %24) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64, 64>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index, index) -> memref<64x64xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %43 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64x64xbf16, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vtranspose"(%23, %43) <{disable_align = false, permutation = array<i64: 1, 0>}> : (memref<64x64xbf16, #hivm.address_space<ub>>, memref<64x64xbf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %44 = "memref.subview"(%43, %34, %32) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xbf16, #hivm.address_space<ub>>, index, index) -> memref<?x?xbf16, strided<[64, 1]>, #hivm.address_space<ub>>
    %45 = "memref.subview"(%42, %34, %32) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<64x64xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%44, %45) : (memref<?x?xbf16, strided<[64, 1]>, #hivm.address_space<ub>>, memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false, false]> : vector<10xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

// to_strides(x, out, rows, columns, down, along) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "to_strides_infer_task_type_function"}> ({
    %62 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%62) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32, i32, i32, i32) -> (), sym_name = "to_strides"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %2 = "arith.constant"() <{value = 32 : index}> : () -> index
    %3 = "arith.constant"() <{value = 16 : index}> : () -> index
    %4 = "arith.constant"() <{value = 16 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 2.000000e+00 : f32}> : () -> f32
    %7 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %8 = "arith.muli"(%arg9, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %9 = "arith.muli"(%8, %arg11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%9) {logical_block_num} : (i32) -> ()
    %10 = "hivm.hir.get_block_idx"() : () -> i64
    %11 = "arith.trunci"(%10) : (i64) -> i32
    %12 = "arith.divsi"(%11, %arg11) : (i32, i32) -> i32
    %13 = "arith.remsi"(%12, %arg10) : (i32, i32) -> i32
    %14 = "arith.muli"(%arg11, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %15 = "arith.divsi"(%11, %14) : (i32, i32) -> i32
    %16 = "arith.remsi"(%15, %arg9) : (i32, i32) -> i32
    %17 = "arith.muli"(%16, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %18 = "arith.muli"(%13, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %19 = "arith.index_cast"(%17) : (i32) -> index
    %20 = "arith.index_cast"(%arg6) : (i32) -> index
    %21 = "arith.index_cast"(%18) : (i32) -> index
    %22 = "arith.muli"(%19, %20) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %23 = "arith.addi"(%21, %22) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %24 = "memref.reinterpret_cast"(%arg3, %23, %20) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 16, 32>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<16x32xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %25 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32x8xf32, #hivm.address_space<ub>>
    %26 = "memref.subview"(%25) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 16, 32, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<16x32x8xf32, #hivm.address_space<ub>>) -> memref<16x32xf32, strided<[256, 8]>, #hivm.address_space<ub>>
    %27 = "arith.index_cast"(%arg5) : (i32) -> index
    %28 = "arith.maxsi"(%27, %19) : (index, index) -> index
    %29 = "arith.addi"(%19, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %30 = "arith.minsi"(%29, %28) : (index, index) -> index
    %31 = "arith.maxsi"(%20, %21) : (index, index) -> index
    %32 = "arith.addi"(%21, %2) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %33 = "arith.minsi"(%32, %31) : (index, index) -> index
    %34 = "arith.subi"(%30, %19) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %35 = "arith.minsi"(%34, %3) : (index, index) -> index
    %36 = "arith.subi"(%33, %21) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %37 = "arith.minsi"(%36, %2) : (index, index) -> index
    %38 = "arith.cmpi"(%35, %3) <{predicate = 2 : i64}> : (index, index) -> i1
    %39 = "arith.cmpi"(%37, %2) <{predicate = 2 : i64}> : (index, index) -> i1
    %40 = "arith.ori"(%38, %39) : (i1, i1) -> i1
    %41 = "memref.subview"(%24, %35, %37) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<16x32xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
    %42 = "memref.subview"(%26, %35, %37) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<16x32xf32, strided<[256, 8]>, #hivm.address_space<ub>>, index, index) -> memref<?x?xf32, strided<[256, 8]>, #hivm.address_space<ub>>
    "scf.if"(%40) ({
      %59 = "memref.collapse_shape"(%26) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, strided<[256, 8]>, #hivm.address_space<ub>>) -> memref<512xf32, strided<[8]>, #hivm.address_space<ub>>
      %60:4 = "memref.extract_strided_metadata"(%59) : (memref<512xf32, strided<[8]>, #hivm.address_space<ub>>) -> (memref<f32, #hivm.address_space<ub>>, index, index, index)
      %61 = "memref.reinterpret_cast"(%60#0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 512, 1>, static_strides = array<i64: 8, 1>}> : (memref<f32, #hivm.address_space<ub>>) -> memref<512x1xf32, strided<[8, 1]>, #hivm.address_space<ub>>
      "hivm.hir.vbrc"(%1, %61) <{broadcast_dims = array<i64>}> : (f32, memref<512x1xf32, strided<[8, 1]>, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%41, %42, %1, %7) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?xf32, strided<[256, 8]>, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %43 = "arith.index_cast"(%arg7) : (i32) -> index
    %44 = "arith.index_cast"(%arg8) : (i32) -> index
    %45 = "arith.muli"(%19, %43) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %46 = "arith.muli"(%21, %44) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %47 = "arith.addi"(%45, %46) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %48 = "memref.reinterpret_cast"(%arg4, %47, %43, %44) <{operandSegmentSizes = array<i32: 1, 1, 0, 2>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 16, 32>, static_strides = array<i64: -9223372036854775808, -9223372036854775808>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index, index) -> memref<16x32xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
    %49 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32x8xf32, #hivm.address_space<ub>>
    %50 = "memref.subview"(%49) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 16, 32, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<16x32x8xf32, #hivm.address_space<ub>>) -> memref<16x32xf32, strided<[256, 8]>, #hivm.address_space<ub>>
    %51 = "memref.collapse_shape"(%26) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, strided<[256, 8]>, #hivm.address_space<ub>>) -> memref<512xf32, strided<[8]>, #hivm.address_space<ub>>
    %52 = "memref.collapse_shape"(%50) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, strided<[256, 8]>, #hivm.address_space<ub>>) -> memref<512xf32, strided<[8]>, #hivm.address_space<ub>>
    %53:4 = "memref.extract_strided_metadata"(%51) : (memref<512xf32, strided<[8]>, #hivm.address_space<ub>>) -> (memref<f32, #hivm.address_space<ub>>, index, index, index)
    %54 = "memref.reinterpret_cast"(%53#0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 512, 1>, static_strides = array<i64: 8, 1>}> : (memref<f32, #hivm.address_space<ub>>) -> memref<512x1xf32, strided<[8, 1]>, #hivm.address_space<ub>>
    %55:4 = "memref.extract_strided_metadata"(%52) : (memref<512xf32, strided<[8]>, #hivm.address_space<ub>>) -> (memref<f32, #hivm.address_space<ub>>, index, index, index)
    %56 = "memref.reinterpret_cast"(%55#0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 512, 1>, static_strides = array<i64: 8, 1>}> : (memref<f32, #hivm.address_space<ub>>) -> memref<512x1xf32, strided<[8, 1]>, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%54, %6, %56) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<512x1xf32, strided<[8, 1]>, #hivm.address_space<ub>>, f32, memref<512x1xf32, strided<[8, 1]>, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %57 = "memref.subview"(%50, %35, %37) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<16x32xf32, strided<[256, 8]>, #hivm.address_space<ub>>, index, index) -> memref<?x?xf32, strided<[256, 8]>, #hivm.address_space<ub>>
    %58 = "memref.subview"(%48, %35, %37) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<16x32xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%57, %58) : (memref<?x?xf32, strided<[256, 8]>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false, false, false, false]> : vector<12xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

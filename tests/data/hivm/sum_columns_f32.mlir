// examples/triton/rows.py, sum_columns: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "sum_columns_infer_task_type_function"}> ({
    %71 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%71) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32, i32) -> (), sym_name = "sum_columns"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 2 : index}> : () -> index
    %3 = "arith.constant"() <{value = -1 : index}> : () -> index
    %4 = "arith.constant"() <{value = 16896 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 16384 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 33792 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 33280 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 128 : index}> : () -> index
    %10 = "arith.constant"() <{value = 32 : index}> : () -> index
    %11 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    %12 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %13 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %14 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %15 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %16 = "arith.muli"(%arg7, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %17 = "arith.muli"(%16, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%17) {logical_block_num} : (i32) -> ()
    %18 = "hivm.hir.get_block_idx"() : () -> i64
    %19 = "arith.trunci"(%18) : (i64) -> i32
    %20 = "arith.muli"(%arg9, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %21 = "arith.divsi"(%19, %20) : (i32, i32) -> i32
    %22 = "arith.remsi"(%21, %arg7) : (i32, i32) -> i32
    %23 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<128xf32, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%14, %23) <{broadcast_dims = array<i64>}> : (f32, memref<128xf32, #hivm.address_space<ub>>) -> ()
    %24 = "arith.muli"(%22, %11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %25 = "arith.index_cast"(%arg6) : (i32) -> index
    %26 = "arith.index_cast"(%24) : (i32) -> index
    %27 = "arith.index_cast"(%arg5) : (i32) -> index
    %28 = "arith.maxsi"(%25, %26) : (index, index) -> index
    %29 = "arith.addi"(%26, %9) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %30 = "arith.minsi"(%29, %28) : (index, index) -> index
    %31 = "arith.subi"(%30, %26) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %32 = "arith.minsi"(%31, %9) : (index, index) -> index
    %33 = "arith.cmpi"(%32, %9) <{predicate = 2 : i64}> : (index, index) -> i1
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    %34 = "scf.for"(%12, %arg5, %13, %23) ({
    ^bb0(%arg10: i32, %arg11: memref<128xf32, #hivm.address_space<ub>>):
      %39 = "arith.index_cast"(%arg10) : (i32) -> index
      %40 = "arith.cmpi"(%39, %15) <{predicate = 2 : i64}> : (index, index) -> i1
      %41 = "arith.subi"(%3, %39) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %42 = "arith.select"(%40, %41, %39) : (i1, index, index) -> index
      %43 = "arith.divsi"(%42, %10) : (index, index) -> index
      %44 = "arith.subi"(%3, %43) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %45 = "arith.select"(%40, %44, %43) : (i1, index, index) -> index
      %46 = "arith.remsi"(%45, %2) : (index, index) -> index
      %47 = "arith.cmpi"(%46, %15) <{predicate = 2 : i64}> : (index, index) -> i1
      %48 = "arith.addi"(%46, %2) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %49 = "arith.select"(%47, %48, %46) : (i1, index, index) -> index
      %50 = "arith.index_cast"(%49) : (index) -> i1
      %51 = "arith.select"(%50, %1, %0) : (i1, i64, i64) -> i64
      %52 = "hivm.hir.pointer_cast"(%7, %6) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<32x128xf32, #hivm.address_space<ub>>
      "annotation.mark"(%52) {hivm.multi_buffer = 2 : i32} : (memref<32x128xf32, #hivm.address_space<ub>>) -> ()
      %53 = "arith.index_cast"(%arg10) : (i32) -> index
      %54 = "arith.muli"(%53, %25) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %55 = "arith.addi"(%26, %54) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %56 = "memref.reinterpret_cast"(%arg3, %55, %25) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 128>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index, index) -> memref<32x128xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %57 = "arith.maxsi"(%27, %53) : (index, index) -> index
      %58 = "arith.addi"(%53, %10) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %59 = "arith.minsi"(%58, %57) : (index, index) -> index
      %60 = "arith.subi"(%59, %53) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %61 = "arith.minsi"(%60, %10) : (index, index) -> index
      %62 = "arith.cmpi"(%61, %10) <{predicate = 2 : i64}> : (index, index) -> i1
      %63 = "arith.ori"(%62, %33) : (i1, i1) -> i1
      %64 = "memref.subview"(%56, %61, %32) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x128xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %65 = "memref.subview"(%52, %61, %32) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x128xf32, #hivm.address_space<ub>>, index, index) -> memref<?x?xf32, strided<[128, 1]>, #hivm.address_space<ub>>
      "scf.if"(%63) ({
        %70 = "memref.collapse_shape"(%52) <{reassociation = [[0, 1]]}> : (memref<32x128xf32, #hivm.address_space<ub>>) -> memref<4096xf32, #hivm.address_space<ub>>
        "hivm.hir.vbrc"(%14, %70) <{broadcast_dims = array<i64>}> : (f32, memref<4096xf32, #hivm.address_space<ub>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%51) <{set_pipe = #hivm.pipe<PIPE_V>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.load"(%64, %65, %14, %15) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?x?xf32, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?xf32, strided<[128, 1]>, #hivm.address_space<ub>>, f32, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %66 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x128xf32, #hivm.address_space<ub>>
      %67 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4096xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%52, %66, %67) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 0>}> : (memref<32x128xf32, #hivm.address_space<ub>>, memref<1x128xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"(%51) <{set_pipe = #hivm.pipe<PIPE_V>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      %68 = "memref.collapse_shape"(%66) <{reassociation = [[0, 1]]}> : (memref<1x128xf32, #hivm.address_space<ub>>) -> memref<128xf32, #hivm.address_space<ub>>
      %69 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<128xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%arg11, %68, %69) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<128xf32, #hivm.address_space<ub>>, memref<128xf32, #hivm.address_space<ub>>, memref<128xf32, #hivm.address_space<ub>>) -> ()
      "scf.yield"(%69) : (memref<128xf32, #hivm.address_space<ub>>) -> ()
    }) : (i32, i32, i32, memref<128xf32, #hivm.address_space<ub>>) -> memref<128xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %35 = "memref.reinterpret_cast"(%arg4, %26) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<128xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %36 = "arith.subi"(%30, %26) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %37 = "memref.subview"(%34, %36) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<128xf32, #hivm.address_space<ub>>, index) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    %38 = "memref.subview"(%35, %36) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<128xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%37, %38) : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false, false]> : vector<10xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

// examples/triton/rows.py, sum_columns: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "sum_columns_infer_task_type_function"}> ({
    %76 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%76) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32, i32) -> (), sym_name = "sum_columns"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xbf16, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 2 : index}> : () -> index
    %3 = "arith.constant"() <{value = -1 : index}> : () -> index
    %4 = "arith.constant"() <{value = 25088 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 24576 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 41984 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 41472 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %11 = "arith.constant"() <{value = 128 : index}> : () -> index
    %12 = "arith.constant"() <{value = 32 : index}> : () -> index
    %13 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    %14 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %15 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %16 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %17 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %18 = "arith.muli"(%arg7, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %19 = "arith.muli"(%18, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%19) {logical_block_num} : (i32) -> ()
    %20 = "hivm.hir.get_block_idx"() : () -> i64
    %21 = "arith.trunci"(%20) : (i64) -> i32
    %22 = "arith.muli"(%arg9, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %23 = "arith.divsi"(%21, %22) : (i32, i32) -> i32
    %24 = "arith.remsi"(%23, %arg7) : (i32, i32) -> i32
    %25 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<128xf32, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%16, %25) <{broadcast_dims = array<i64>}> : (f32, memref<128xf32, #hivm.address_space<ub>>) -> ()
    %26 = "arith.muli"(%24, %13) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %27 = "arith.index_cast"(%arg6) : (i32) -> index
    %28 = "arith.index_cast"(%26) : (i32) -> index
    %29 = "arith.index_cast"(%arg5) : (i32) -> index
    %30 = "arith.maxsi"(%27, %28) : (index, index) -> index
    %31 = "arith.addi"(%28, %11) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %32 = "arith.minsi"(%31, %30) : (index, index) -> index
    %33 = "arith.subi"(%32, %28) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %34 = "arith.minsi"(%33, %11) : (index, index) -> index
    %35 = "arith.cmpi"(%34, %11) <{predicate = 2 : i64}> : (index, index) -> i1
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    %36 = "scf.for"(%14, %arg5, %15, %25) ({
    ^bb0(%arg10: i32, %arg11: memref<128xf32, #hivm.address_space<ub>>):
      %41 = "arith.index_cast"(%arg10) : (i32) -> index
      %42 = "arith.cmpi"(%41, %17) <{predicate = 2 : i64}> : (index, index) -> i1
      %43 = "arith.subi"(%3, %41) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %44 = "arith.select"(%42, %43, %41) : (i1, index, index) -> index
      %45 = "arith.divsi"(%44, %12) : (index, index) -> index
      %46 = "arith.subi"(%3, %45) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %47 = "arith.select"(%42, %46, %45) : (i1, index, index) -> index
      %48 = "arith.remsi"(%47, %2) : (index, index) -> index
      %49 = "arith.cmpi"(%48, %17) <{predicate = 2 : i64}> : (index, index) -> i1
      %50 = "arith.addi"(%48, %2) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %51 = "arith.select"(%49, %50, %48) : (i1, index, index) -> index
      %52 = "arith.index_cast"(%51) : (index) -> i1
      %53 = "arith.select"(%52, %1, %0) : (i1, i64, i64) -> i64
      %54 = "hivm.hir.pointer_cast"(%8, %7) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<32x128xbf16, #hivm.address_space<ub>>
      "annotation.mark"(%54) {hivm.multi_buffer = 2 : i32} : (memref<32x128xbf16, #hivm.address_space<ub>>) -> ()
      %55 = "arith.index_cast"(%arg10) : (i32) -> index
      %56 = "arith.muli"(%55, %27) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %57 = "arith.addi"(%28, %56) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %58 = "memref.reinterpret_cast"(%arg3, %57, %27) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 128>, static_strides = array<i64: -9223372036854775808, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index, index) -> memref<32x128xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %59 = "arith.maxsi"(%29, %55) : (index, index) -> index
      %60 = "arith.addi"(%55, %12) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %61 = "arith.minsi"(%60, %59) : (index, index) -> index
      %62 = "arith.subi"(%61, %55) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %63 = "arith.minsi"(%62, %12) : (index, index) -> index
      %64 = "arith.cmpi"(%63, %12) <{predicate = 2 : i64}> : (index, index) -> i1
      %65 = "arith.ori"(%64, %35) : (i1, i1) -> i1
      %66 = "memref.subview"(%58, %63, %34) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x128xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>
      %67 = "memref.subview"(%54, %63, %34) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x128xbf16, #hivm.address_space<ub>>, index, index) -> memref<?x?xbf16, strided<[128, 1]>, #hivm.address_space<ub>>
      "scf.if"(%65) ({
        %75 = "memref.collapse_shape"(%54) <{reassociation = [[0, 1]]}> : (memref<32x128xbf16, #hivm.address_space<ub>>) -> memref<4096xbf16, #hivm.address_space<ub>>
        "hivm.hir.vbrc"(%10, %75) <{broadcast_dims = array<i64>}> : (bf16, memref<4096xbf16, #hivm.address_space<ub>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.wait_flag"(%53) <{set_pipe = #hivm.pipe<PIPE_V>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.load"(%66, %67, %10, %17) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?x?xbf16, strided<[?, 1], offset: ?>, #hivm.address_space<gm>>, memref<?x?xbf16, strided<[128, 1]>, #hivm.address_space<ub>>, bf16, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %68 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<32x128xf32, #hivm.address_space<ub>>
      %69 = "memref.collapse_shape"(%54) <{reassociation = [[0, 1]]}> : (memref<32x128xbf16, #hivm.address_space<ub>>) -> memref<4096xbf16, #hivm.address_space<ub>>
      %70 = "memref.collapse_shape"(%68) <{reassociation = [[0, 1]]}> : (memref<32x128xf32, #hivm.address_space<ub>>) -> memref<4096xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%69, %70) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<4096xbf16, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"(%53) <{set_pipe = #hivm.pipe<PIPE_V>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      %71 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x128xf32, #hivm.address_space<ub>>
      %72 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4096xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%68, %71, %72) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 0>}> : (memref<32x128xf32, #hivm.address_space<ub>>, memref<1x128xf32, #hivm.address_space<ub>>, memref<4096xf32, #hivm.address_space<ub>>) -> ()
      %73 = "memref.collapse_shape"(%71) <{reassociation = [[0, 1]]}> : (memref<1x128xf32, #hivm.address_space<ub>>) -> memref<128xf32, #hivm.address_space<ub>>
      %74 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<128xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vadd"(%arg11, %73, %74) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<128xf32, #hivm.address_space<ub>>, memref<128xf32, #hivm.address_space<ub>>, memref<128xf32, #hivm.address_space<ub>>) -> ()
      "scf.yield"(%74) : (memref<128xf32, #hivm.address_space<ub>>) -> ()
    }) : (i32, i32, i32, memref<128xf32, #hivm.address_space<ub>>) -> memref<128xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %37 = "memref.reinterpret_cast"(%arg4, %28) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 128>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<128xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %38 = "arith.subi"(%32, %28) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %39 = "memref.subview"(%36, %38) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<128xf32, #hivm.address_space<ub>>, index) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    %40 = "memref.subview"(%37, %38) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<128xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%39, %40) : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false, false]> : vector<10xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

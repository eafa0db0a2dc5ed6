// examples/triton/rows.py, softmax: triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508); tests/data/hivm/generate.py
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "softmax_infer_task_type_function"}> ({
    %66 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%66) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, i32, i32, i32, i32) -> (), sym_name = "softmax"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = true}> : () -> i1
    %1 = "arith.constant"() <{value = 2 : index}> : () -> index
    %2 = "arith.constant"() <{value = -1 : index}> : () -> index
    %3 = "arith.constant"() <{value = 8512 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 6464 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 6432 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 6176 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 10592 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 8544 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %13 = "arith.constant"() <{value = 0xFC00 : f16}> : () -> f16
    %14 = "arith.constant"() <{value = 1024 : index}> : () -> index
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
    %23 = "arith.index_cast"(%arg6) : (i32) -> index
    %24 = "arith.maxsi"(%23, %15) : (index, index) -> index
    %25 = "arith.minsi"(%24, %14) : (index, index) -> index
    %26 = "arith.cmpi"(%25, %14) <{predicate = 2 : i64}> : (index, index) -> i1
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "scf.for"(%22, %arg5, %arg7) ({
    ^bb0(%arg10: i32):
      %27 = "arith.index_cast"(%arg10) : (i32) -> index
      %28 = "arith.index_cast"(%22) : (i32) -> index
      %29 = "arith.index_cast"(%arg7) : (i32) -> index
      %30 = "arith.subi"(%27, %28) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %31 = "arith.cmpi"(%30, %15) <{predicate = 2 : i64}> : (index, index) -> i1
      %32 = "arith.subi"(%2, %30) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %33 = "arith.select"(%31, %32, %30) : (i1, index, index) -> index
      %34 = "arith.divsi"(%33, %29) : (index, index) -> index
      %35 = "arith.subi"(%2, %34) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %36 = "arith.select"(%31, %35, %34) : (i1, index, index) -> index
      %37 = "arith.remsi"(%36, %1) : (index, index) -> index
      %38 = "arith.cmpi"(%37, %15) <{predicate = 2 : i64}> : (index, index) -> i1
      %39 = "arith.addi"(%37, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %40 = "arith.select"(%38, %39, %37) : (i1, index, index) -> index
      %41 = "arith.index_cast"(%40) : (index) -> i1
      %42 = "arith.xori"(%41, %0) : (i1, i1) -> i1
      %43 = "arith.extui"(%42) : (i1) -> i64
      %44 = "hivm.hir.pointer_cast"(%9, %8) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf16, #hivm.address_space<ub>>
      "annotation.mark"(%44) {hivm.multi_buffer = 2 : i32} : (memref<1024xf16, #hivm.address_space<ub>>) -> ()
      %45 = "hivm.hir.pointer_cast"(%11, %10) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf16, #hivm.address_space<ub>>
      "annotation.mark"(%45) {hivm.multi_buffer = 2 : i32} : (memref<1024xf16, #hivm.address_space<ub>>) -> ()
      %46 = "arith.muli"(%arg10, %arg6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %47 = "arith.index_cast"(%46) : (i32) -> index
      %48 = "memref.reinterpret_cast"(%arg3, %47) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %49 = "memref.subview"(%48, %25) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      %50 = "memref.subview"(%45, %25) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, #hivm.address_space<ub>>, index) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
      "scf.if"(%26) ({
        "hivm.hir.vbrc"(%13, %45) <{broadcast_dims = array<i64>}> : (f16, memref<1024xf16, #hivm.address_space<ub>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }, {
      }) {hivm.unlikely_condition} : (i1) -> ()
      "hivm.hir.load"(%49, %50, %13, %15) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, f16, index) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %51 = "hivm.hir.pointer_cast"(%9, %8) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"(%43) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_V>}> : (i64) -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%45, %51) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xf16, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %52 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      %53 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%51, %52, %53) <{arith = #hivm.reduce_op<max>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 0>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<64xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %54 = "memref.load"(%52, %15) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %55 = "hivm.hir.pointer_cast"(%9, %8) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf32, #hivm.address_space<ub>>
      %56 = "arith.subf"(%12, %54) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "hivm.hir.vadd"(%51, %56, %55) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, f32, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %57 = "hivm.hir.pointer_cast"(%9, %8) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf32, #hivm.address_space<ub>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vexp"(%55, %57) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf32, #hivm.address_space<ub>>) -> ()
      %58 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
      %59 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<512xf32, #hivm.address_space<ub>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vreduce"(%57, %58, %59) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, reduce_dims = array<i64: 0>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<512xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
      %60 = "memref.load"(%58, %15) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      %61 = "hivm.hir.pointer_cast"(%9, %8) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<1024xf32, #hivm.address_space<ub>>
      %62 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
      "hivm.hir.vdiv"(%57, %60, %61, %62) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 1>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, f32, memref<1024xf32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
      %63 = "memref.reinterpret_cast"(%arg4, %47) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
      "hivm.hir.vcast"(%61, %44) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1024xf32, #hivm.address_space<ub>>, memref<1024xf16, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      %64 = "memref.subview"(%44, %25) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, #hivm.address_space<ub>>, index) -> memref<?xf16, strided<[1]>, #hivm.address_space<ub>>
      %65 = "memref.subview"(%63, %25) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<1024xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%64, %65) : (memref<?xf16, strided<[1]>, #hivm.address_space<ub>>, memref<?xf16, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"(%43) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_V>}> : (i64) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false, false]> : vector<10xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

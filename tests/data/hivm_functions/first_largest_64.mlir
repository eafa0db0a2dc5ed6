// first_largest(x, at, n) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "first_largest_infer_task_type_function"}> ({
    %69 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%69) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xi32, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "first_largest"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xi32, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 928 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 896 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 864 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 832 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 800 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 768 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 736 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 704 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 608 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 352 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 320 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 288 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 256 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %15 = "arith.constant"() <{value = -2139095040 : i32}> : () -> i32
    %16 = "arith.constant"() <{value = 2147483647 : i32}> : () -> i32
    %17 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %18 = "arith.constant"() <{value = 0x7F800000 : f32}> : () -> f32
    %19 = "arith.constant"() <{value = -1 : i32}> : () -> i32
    %20 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %21 = "arith.constant"() <{value = 64 : index}> : () -> index
    %22 = "arith.constant"() <{value = 0 : index}> : () -> index
    "hivm.hir.set_mask_norm"() : () -> ()
    %23 = "arith.muli"(%arg6, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %24 = "arith.muli"(%23, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%24) {logical_block_num} : (i32) -> ()
    %25 = "hivm.hir.get_block_idx"() : () -> i64
    %26 = "arith.trunci"(%25) : (i64) -> i32
    %27 = "arith.muli"(%arg8, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %28 = "arith.divsi"(%26, %27) : (i32, i32) -> i32
    %29 = "arith.remsi"(%28, %arg6) : (i32, i32) -> i32
    %30 = "arith.muli"(%29, %arg5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %31 = "arith.index_cast"(%30) : (i32) -> index
    %32 = "memref.reinterpret_cast"(%arg3, %31) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %33 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf32, #hivm.address_space<ub>>
    %34 = "arith.index_cast"(%arg5) : (i32) -> index
    %35 = "arith.maxsi"(%34, %22) : (index, index) -> index
    %36 = "arith.minsi"(%35, %21) : (index, index) -> index
    %37 = "arith.cmpi"(%36, %21) <{predicate = 2 : i64}> : (index, index) -> i1
    %38 = "memref.subview"(%32, %36) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    %39 = "memref.subview"(%33, %36) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<64xf32, #hivm.address_space<ub>>, index) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
    "scf.if"(%37) ({
      "hivm.hir.vbrc"(%20, %33) <{broadcast_dims = array<i64>}> : (f32, memref<64xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
      "scf.yield"() : () -> ()
    }, {
    }) {hivm.unlikely_condition} : (i1) -> ()
    "hivm.hir.load"(%38, %39, %20, %22) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[1]>, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %40 = "arith.index_cast"(%29) : (i32) -> index
    %41 = "hivm.hir.pointer_cast"(%12) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
    %42 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xi32, #hivm.address_space<ub>>
    %43 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vreduce"(%33, %41, %42, %43) <{arith = #hivm.reduce_op<max_with_index_left>, operandSegmentSizes = array<i32: 1, 2, 1, 0>, reduce_dims = array<i64: 0>}> : (memref<64xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<1xi32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
    %44 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcmp"(%33, %33, %44) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<64xf32, #hivm.address_space<ub>>, memref<64xf32, #hivm.address_space<ub>>, memref<64xi1, #hivm.address_space<ub>>) -> ()
    %45 = "hivm.hir.pointer_cast"(%13) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vnot"(%44, %45) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<64xi1, #hivm.address_space<ub>>, memref<64xi1, #hivm.address_space<ub>>) -> ()
    %46 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf32, #hivm.address_space<ub>>
    %47 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<24xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsel"(%45, %18, %17, %46, %47) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<64xi1, #hivm.address_space<ub>>, f32, f32, memref<64xf32, #hivm.address_space<ub>>, memref<24xf32, #hivm.address_space<ub>>) -> ()
    %48 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
    %49 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xi32, #hivm.address_space<ub>>
    %50 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vreduce"(%46, %48, %49, %50) <{arith = #hivm.reduce_op<max_with_index_left>, operandSegmentSizes = array<i32: 1, 2, 1, 0>, reduce_dims = array<i64: 0>}> : (memref<64xf32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>, memref<1xi32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
    %51 = "hivm.hir.bitcast"(%48) : (memref<1xf32, #hivm.address_space<ub>>) -> memref<1xi32, #hivm.address_space<ub>>
    %52 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xi32, #hivm.address_space<ub>>
    "memref.store"(%16, %52, %22) : (i32, memref<1xi32, #hivm.address_space<ub>>, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %53 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xi32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vand"(%51, %52, %53) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1xi32, #hivm.address_space<ub>>, memref<1xi32, #hivm.address_space<ub>>, memref<1xi32, #hivm.address_space<ub>>) -> ()
    %54 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xi32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%53, %15, %54) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1xi32, #hivm.address_space<ub>>, i32, memref<1xi32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    %55 = "hivm.hir.bitcast"(%54) : (memref<1xi32, #hivm.address_space<ub>>) -> memref<1xf32, #hivm.address_space<ub>>
    %56 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    %57 = "memref.load"(%55, %22) : (memref<1xf32, #hivm.address_space<ub>>, index) -> f32
    %58 = "math.absf"(%57) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
    "memref.store"(%58, %56, %22) : (f32, memref<1xf32, #hivm.address_space<ub>>, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %59 = "hivm.hir.bitcast"(%56) : (memref<1xf32, #hivm.address_space<ub>>) -> memref<1xi32, #hivm.address_space<ub>>
    %60 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xi32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmin"(%59, %14, %60) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1xi32, #hivm.address_space<ub>>, i32, memref<1xi32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%60, %19, %60) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1xi32, #hivm.address_space<ub>>, i32, memref<1xi32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%60, %14, %60) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<1xi32, #hivm.address_space<ub>>, i32, memref<1xi32, #hivm.address_space<ub>>) -> ()
    %61 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%60, %61) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<1xi32, #hivm.address_space<ub>>, memref<1xf32, #hivm.address_space<ub>>) -> ()
    %62 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcmp"(%61, %17, %62) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<1xf32, #hivm.address_space<ub>>, f32, memref<1xi1, #hivm.address_space<ub>>) -> ()
    %63 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vnot"(%62, %63) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<1xi1, #hivm.address_space<ub>>, memref<1xi1, #hivm.address_space<ub>>) -> ()
    %64 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xi32, #hivm.address_space<ub>>
    %65 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xi32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsel"(%63, %49, %42, %64, %65) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<1xi1, #hivm.address_space<ub>>, memref<1xi32, #hivm.address_space<ub>>, memref<1xi32, #hivm.address_space<ub>>, memref<1xi32, #hivm.address_space<ub>>, memref<8xi32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()
    %66 = "memref.load"(%64, %22) : (memref<1xi32, #hivm.address_space<ub>>, index) -> i32
    %67 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1xi32, #hivm.address_space<ub>>
    "memref.store"(%66, %67, %22) : (i32, memref<1xi32, #hivm.address_space<ub>>, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %68 = "memref.reinterpret_cast"(%arg4, %40) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (memref<?xi32, #hivm.address_space<gm>>, index) -> memref<1xi32, strided<[1], offset: ?>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_S>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%67, %68) : (memref<1xi32, #hivm.address_space<ub>>, memref<1xi32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

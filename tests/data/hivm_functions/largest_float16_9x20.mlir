// largest(x, out, at) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "largest_infer_task_type_function"}> ({
    %55 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%55) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xi32, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "largest"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: memref<?xi32, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 1600 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 1536 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 1504 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 1472 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 1408 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 1376 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 1280 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 704 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 672 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 608 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 576 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = -1 : i16}> : () -> i16
    %13 = "arith.constant"() <{value = 1 : i16}> : () -> i16
    %14 = "arith.constant"() <{value = -31744 : i16}> : () -> i16
    %15 = "arith.constant"() <{value = 32767 : i16}> : () -> i16
    %16 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %17 = "arith.constant"() <{value = 0x7C00 : f16}> : () -> f16
    "hivm.hir.set_mask_norm"() : () -> ()
    %18 = "arith.muli"(%arg6, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %19 = "arith.muli"(%18, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%19) {logical_block_num} : (i32) -> ()
    %20 = "memref.reinterpret_cast"(%arg3) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 9, 20>, static_strides = array<i64: 20, 1>}> : (memref<?xf16, #hivm.address_space<gm>>) -> memref<9x20xf16, strided<[20, 1]>, #hivm.address_space<gm>>
    %21 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9x32x1xf16, #hivm.address_space<ub>>
    %22 = "memref.subview"(%21) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 9, 20, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<9x32x1xf16, #hivm.address_space<ub>>) -> memref<9x20xf16, strided<[32, 1]>, #hivm.address_space<ub>>
    "hivm.hir.load"(%20, %22) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> : (memref<9x20xf16, strided<[20, 1]>, #hivm.address_space<gm>>, memref<9x20xf16, strided<[32, 1]>, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %23 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9x1xf16, #hivm.address_space<ub>>
    %24 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9x1xi32, #hivm.address_space<ub>>
    %25 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16xf16, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vreduce"(%22, %23, %24, %25) <{arith = #hivm.reduce_op<max_with_index_left>, operandSegmentSizes = array<i32: 1, 2, 1, 0>, reduce_dims = array<i64: 1>}> : (memref<9x20xf16, strided<[32, 1]>, #hivm.address_space<ub>>, memref<9x1xf16, #hivm.address_space<ub>>, memref<9x1xi32, #hivm.address_space<ub>>, memref<16xf16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %26 = "memref.collapse_shape"(%23) <{reassociation = [[0, 1]]}> : (memref<9x1xf16, #hivm.address_space<ub>>) -> memref<9xf16, #hivm.address_space<ub>>
    %27 = "memref.collapse_shape"(%24) <{reassociation = [[0, 1]]}> : (memref<9x1xi32, #hivm.address_space<ub>>) -> memref<9xi32, #hivm.address_space<ub>>
    %28 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9x256x1xi1, #hivm.address_space<ub>>
    %29 = "memref.subview"(%28) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 9, 20, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<9x256x1xi1, #hivm.address_space<ub>>) -> memref<9x20xi1, strided<[256, 1]>, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcmp"(%22, %22, %29) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<9x20xf16, strided<[32, 1]>, #hivm.address_space<ub>>, memref<9x20xf16, strided<[32, 1]>, #hivm.address_space<ub>>, memref<9x20xi1, strided<[256, 1]>, #hivm.address_space<ub>>) -> ()
    %30 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9x256x1xi1, #hivm.address_space<ub>>
    %31 = "memref.subview"(%30) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 9, 20, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<9x256x1xi1, #hivm.address_space<ub>>) -> memref<9x20xi1, strided<[256, 1]>, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vnot"(%29, %31) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<9x20xi1, strided<[256, 1]>, #hivm.address_space<ub>>, memref<9x20xi1, strided<[256, 1]>, #hivm.address_space<ub>>) -> ()
    %32 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9x32x1xf16, #hivm.address_space<ub>>
    %33 = "memref.subview"(%32) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 9, 20, 1>, static_strides = array<i64: 1, 1, 1>}> : (memref<9x32x1xf16, #hivm.address_space<ub>>) -> memref<9x20xf16, strided<[32, 1]>, #hivm.address_space<ub>>
    %34 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<48xf16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsel"(%31, %17, %16, %33, %34) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<9x20xi1, strided<[256, 1]>, #hivm.address_space<ub>>, f16, f16, memref<9x20xf16, strided<[32, 1]>, #hivm.address_space<ub>>, memref<48xf16, #hivm.address_space<ub>>) -> ()
    %35 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9x1xf16, #hivm.address_space<ub>>
    %36 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9x1xi32, #hivm.address_space<ub>>
    %37 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16xf16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vreduce"(%33, %35, %36, %37) <{arith = #hivm.reduce_op<max_with_index_left>, operandSegmentSizes = array<i32: 1, 2, 1, 0>, reduce_dims = array<i64: 1>}> : (memref<9x20xf16, strided<[32, 1]>, #hivm.address_space<ub>>, memref<9x1xf16, #hivm.address_space<ub>>, memref<9x1xi32, #hivm.address_space<ub>>, memref<16xf16, #hivm.address_space<ub>>) -> ()
    %38 = "memref.collapse_shape"(%35) <{reassociation = [[0, 1]]}> : (memref<9x1xf16, #hivm.address_space<ub>>) -> memref<9xf16, #hivm.address_space<ub>>
    %39 = "memref.collapse_shape"(%36) <{reassociation = [[0, 1]]}> : (memref<9x1xi32, #hivm.address_space<ub>>) -> memref<9xi32, #hivm.address_space<ub>>
    %40 = "hivm.hir.bitcast"(%38) : (memref<9xf16, #hivm.address_space<ub>>) -> memref<9xi16, #hivm.address_space<ub>>
    %41 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9xi16, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%15, %41) <{broadcast_dims = array<i64>}> : (i16, memref<9xi16, #hivm.address_space<ub>>) -> ()
    %42 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9xi16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vand"(%40, %41, %42) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<9xi16, #hivm.address_space<ub>>, memref<9xi16, #hivm.address_space<ub>>, memref<9xi16, #hivm.address_space<ub>>) -> ()
    %43 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9xi16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%42, %14, %43) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<9xi16, #hivm.address_space<ub>>, i16, memref<9xi16, #hivm.address_space<ub>>) -> ()
    %44 = "hivm.hir.bitcast"(%43) : (memref<9xi16, #hivm.address_space<ub>>) -> memref<9xf16, #hivm.address_space<ub>>
    %45 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9xf16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vabs"(%44, %45) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<9xf16, #hivm.address_space<ub>>, memref<9xf16, #hivm.address_space<ub>>) -> ()
    %46 = "hivm.hir.bitcast"(%45) : (memref<9xf16, #hivm.address_space<ub>>) -> memref<9xi16, #hivm.address_space<ub>>
    %47 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9xi16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmin"(%46, %13, %47) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<9xi16, #hivm.address_space<ub>>, i16, memref<9xi16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%47, %12, %47) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<9xi16, #hivm.address_space<ub>>, i16, memref<9xi16, #hivm.address_space<ub>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%47, %13, %47) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<9xi16, #hivm.address_space<ub>>, i16, memref<9xi16, #hivm.address_space<ub>>) -> ()
    %48 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9xf16, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%47, %48) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<9xi16, #hivm.address_space<ub>>, memref<9xf16, #hivm.address_space<ub>>) -> ()
    %49 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcmp"(%48, %16, %49) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<9xf16, #hivm.address_space<ub>>, f16, memref<9xi1, #hivm.address_space<ub>>) -> ()
    %50 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vnot"(%49, %50) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<9xi1, #hivm.address_space<ub>>, memref<9xi1, #hivm.address_space<ub>>) -> ()
    %51 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<9xi32, #hivm.address_space<ub>>
    %52 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xi32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsel"(%50, %39, %27, %51, %52) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<9xi1, #hivm.address_space<ub>>, memref<9xi32, #hivm.address_space<ub>>, memref<9xi32, #hivm.address_space<ub>>, memref<9xi32, #hivm.address_space<ub>>, memref<8xi32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %53 = "memref.reinterpret_cast"(%arg4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 9>, static_strides = array<i64: 1>}> : (memref<?xf16, #hivm.address_space<gm>>) -> memref<9xf16, strided<[1]>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%26, %53) : (memref<9xf16, #hivm.address_space<ub>>, memref<9xf16, strided<[1]>, #hivm.address_space<gm>>) -> ()
    %54 = "memref.reinterpret_cast"(%arg5) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 9>, static_strides = array<i64: 1>}> : (memref<?xi32, #hivm.address_space<gm>>) -> memref<9xi32, strided<[1]>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%51, %54) : (memref<9xi32, #hivm.address_space<ub>>, memref<9xi32, strided<[1]>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

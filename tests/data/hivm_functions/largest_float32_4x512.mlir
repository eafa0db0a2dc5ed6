// largest(x, out, at) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "largest_infer_task_type_function"}> ({
    %56 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%56) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xi32, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "largest"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: memref<?xi32, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 16736 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 16704 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 16672 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 16640 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 16608 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 16576 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 16480 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 8288 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 8256 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 8224 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %13 = "arith.constant"() <{value = -2139095040 : i32}> : () -> i32
    %14 = "arith.constant"() <{value = 2147483647 : i32}> : () -> i32
    %15 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %16 = "arith.constant"() <{value = 0x7F800000 : f32}> : () -> f32
    %17 = "arith.constant"() <{value = -1 : i32}> : () -> i32
    "hivm.hir.set_mask_norm"() : () -> ()
    %18 = "arith.muli"(%arg6, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %19 = "arith.muli"(%18, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%19) {logical_block_num} : (i32) -> ()
    %20 = "memref.reinterpret_cast"(%arg3) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4, 512>, static_strides = array<i64: 512, 1>}> : (memref<?xf32, #hivm.address_space<gm>>) -> memref<4x512xf32, strided<[512, 1]>, #hivm.address_space<gm>>
    %21 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x512xf32, #hivm.address_space<ub>>
    %22 = "memref.collapse_shape"(%20) <{reassociation = [[0, 1]]}> : (memref<4x512xf32, strided<[512, 1]>, #hivm.address_space<gm>>) -> memref<2048xf32, strided<[1]>, #hivm.address_space<gm>>
    %23 = "memref.collapse_shape"(%21) <{reassociation = [[0, 1]]}> : (memref<4x512xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    "hivm.hir.load"(%22, %23) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> : (memref<2048xf32, strided<[1]>, #hivm.address_space<gm>>, memref<2048xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %24 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x1xf32, #hivm.address_space<ub>>
    %25 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x1xi32, #hivm.address_space<ub>>
    %26 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vreduce"(%21, %24, %25, %26) <{arith = #hivm.reduce_op<max_with_index_left>, operandSegmentSizes = array<i32: 1, 2, 1, 0>, reduce_dims = array<i64: 1>}> : (memref<4x512xf32, #hivm.address_space<ub>>, memref<4x1xf32, #hivm.address_space<ub>>, memref<4x1xi32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %27 = "memref.collapse_shape"(%24) <{reassociation = [[0, 1]]}> : (memref<4x1xf32, #hivm.address_space<ub>>) -> memref<4xf32, #hivm.address_space<ub>>
    %28 = "memref.collapse_shape"(%25) <{reassociation = [[0, 1]]}> : (memref<4x1xi32, #hivm.address_space<ub>>) -> memref<4xi32, #hivm.address_space<ub>>
    %29 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x512xi1, #hivm.address_space<ub>>
    %30 = "memref.collapse_shape"(%29) <{reassociation = [[0, 1]]}> : (memref<4x512xi1, #hivm.address_space<ub>>) -> memref<2048xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcmp"(%23, %23, %30) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<2048xf32, #hivm.address_space<ub>>, memref<2048xf32, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
    %31 = "hivm.hir.pointer_cast"(%11) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x512xi1, #hivm.address_space<ub>>
    %32 = "memref.collapse_shape"(%31) <{reassociation = [[0, 1]]}> : (memref<4x512xi1, #hivm.address_space<ub>>) -> memref<2048xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vnot"(%30, %32) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, memref<2048xi1, #hivm.address_space<ub>>) -> ()
    %33 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x512xf32, #hivm.address_space<ub>>
    %34 = "memref.collapse_shape"(%33) <{reassociation = [[0, 1]]}> : (memref<4x512xf32, #hivm.address_space<ub>>) -> memref<2048xf32, #hivm.address_space<ub>>
    %35 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<24xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsel"(%32, %16, %15, %34, %35) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<2048xi1, #hivm.address_space<ub>>, f32, f32, memref<2048xf32, #hivm.address_space<ub>>, memref<24xf32, #hivm.address_space<ub>>) -> ()
    %36 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x1xf32, #hivm.address_space<ub>>
    %37 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x1xi32, #hivm.address_space<ub>>
    %38 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vreduce"(%33, %36, %37, %38) <{arith = #hivm.reduce_op<max_with_index_left>, operandSegmentSizes = array<i32: 1, 2, 1, 0>, reduce_dims = array<i64: 1>}> : (memref<4x512xf32, #hivm.address_space<ub>>, memref<4x1xf32, #hivm.address_space<ub>>, memref<4x1xi32, #hivm.address_space<ub>>, memref<8xf32, #hivm.address_space<ub>>) -> ()
    %39 = "memref.collapse_shape"(%36) <{reassociation = [[0, 1]]}> : (memref<4x1xf32, #hivm.address_space<ub>>) -> memref<4xf32, #hivm.address_space<ub>>
    %40 = "memref.collapse_shape"(%37) <{reassociation = [[0, 1]]}> : (memref<4x1xi32, #hivm.address_space<ub>>) -> memref<4xi32, #hivm.address_space<ub>>
    %41 = "hivm.hir.bitcast"(%39) : (memref<4xf32, #hivm.address_space<ub>>) -> memref<4xi32, #hivm.address_space<ub>>
    %42 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4xi32, #hivm.address_space<ub>>
    "hivm.hir.vbrc"(%14, %42) <{broadcast_dims = array<i64>}> : (i32, memref<4xi32, #hivm.address_space<ub>>) -> ()
    %43 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4xi32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vand"(%41, %42, %43) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<4xi32, #hivm.address_space<ub>>, memref<4xi32, #hivm.address_space<ub>>, memref<4xi32, #hivm.address_space<ub>>) -> ()
    %44 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4xi32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%43, %13, %44) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<4xi32, #hivm.address_space<ub>>, i32, memref<4xi32, #hivm.address_space<ub>>) -> ()
    %45 = "hivm.hir.bitcast"(%44) : (memref<4xi32, #hivm.address_space<ub>>) -> memref<4xf32, #hivm.address_space<ub>>
    %46 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vabs"(%45, %46) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<4xf32, #hivm.address_space<ub>>, memref<4xf32, #hivm.address_space<ub>>) -> ()
    %47 = "hivm.hir.bitcast"(%46) : (memref<4xf32, #hivm.address_space<ub>>) -> memref<4xi32, #hivm.address_space<ub>>
    %48 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4xi32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmin"(%47, %12, %48) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<4xi32, #hivm.address_space<ub>>, i32, memref<4xi32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vmul"(%48, %17, %48) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<4xi32, #hivm.address_space<ub>>, i32, memref<4xi32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vadd"(%48, %12, %48) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<4xi32, #hivm.address_space<ub>>, i32, memref<4xi32, #hivm.address_space<ub>>) -> ()
    %49 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4xf32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcast"(%48, %49) <{broadcast = array<i64>, cast = #hivm.cast<cast_signed>, operandSegmentSizes = array<i32: 1, 1, 0>, round_mode = #hivm.round_mode<rint>, transpose = array<i64>}> : (memref<4xi32, #hivm.address_space<ub>>, memref<4xf32, #hivm.address_space<ub>>) -> ()
    %50 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vcmp"(%49, %15, %50) <{broadcast = array<i64>, compare_mode = #hivm.compare_mode<eq>, operandSegmentSizes = array<i32: 2, 1>, transpose = array<i64>}> : (memref<4xf32, #hivm.address_space<ub>>, f32, memref<4xi1, #hivm.address_space<ub>>) -> ()
    %51 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vnot"(%50, %51) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0>, transpose = array<i64>}> : (memref<4xi1, #hivm.address_space<ub>>, memref<4xi1, #hivm.address_space<ub>>) -> ()
    %52 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4xi32, #hivm.address_space<ub>>
    %53 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xi32, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.vsel"(%51, %40, %28, %52, %53) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 3, 1, 1>, transpose = array<i64>}> : (memref<4xi1, #hivm.address_space<ub>>, memref<4xi32, #hivm.address_space<ub>>, memref<4xi32, #hivm.address_space<ub>>, memref<4xi32, #hivm.address_space<ub>>, memref<8xi32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    %54 = "memref.reinterpret_cast"(%arg4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>) -> memref<4xf32, strided<[1]>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%27, %54) : (memref<4xf32, #hivm.address_space<ub>>, memref<4xf32, strided<[1]>, #hivm.address_space<gm>>) -> ()
    %55 = "memref.reinterpret_cast"(%arg5) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (memref<?xi32, #hivm.address_space<gm>>) -> memref<4xi32, strided<[1]>, #hivm.address_space<gm>>
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "hivm.hir.store"(%52, %55) : (memref<4xi32, #hivm.address_space<ub>>, memref<4xi32, strided<[1]>, #hivm.address_space<gm>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

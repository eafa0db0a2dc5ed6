// overlapping(x, out, steps) of tests/helpers/triton_functions.py
// triton-ascend 3.2.0, ascendnpu-ir 1.2.0 (8796a8ac1508)
"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "overlapping_infer_task_type_function"}> ({
    %37 = "arith.constant"() <{value = 10 : i8}> : () -> i8
    "func.return"(%37) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.divisibility = 16 : i32, tt.tensor_kind = 0 : i32}, {tt.divisibility = 16 : i32, tt.tensor_kind = 2 : i32}, {}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32, i32) -> (), sym_name = "overlapping"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = true}> : () -> i1
    %1 = "arith.constant"() <{value = 2 : index}> : () -> index
    %2 = "arith.constant"() <{value = 0 : index}> : () -> index
    %3 = "arith.constant"() <{value = -1 : index}> : () -> index
    %4 = "arith.constant"() <{value = 256 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %7 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %8 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    "hivm.hir.set_mask_norm"() : () -> ()
    %9 = "arith.muli"(%arg6, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %10 = "arith.muli"(%9, %arg8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "annotation.mark"(%10) {logical_block_num} : (i32) -> ()
    %11 = "hivm.hir.get_block_idx"() : () -> i64
    %12 = "arith.trunci"(%11) : (i64) -> i32
    %13 = "arith.muli"(%arg8, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %14 = "arith.divsi"(%12, %13) : (i32, i32) -> i32
    %15 = "arith.remsi"(%14, %arg6) : (i32, i32) -> i32
    %16 = "arith.muli"(%15, %arg5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %17 = "memref.reinterpret_cast"(%arg4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>) -> memref<64xf32, strided<[1]>, #hivm.address_space<gm>>
    %18 = "memref.reinterpret_cast"(%arg4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 32>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>) -> memref<64xf32, strided<[1], offset: 32>, #hivm.address_space<gm>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%7, %arg5, %6) ({
    ^bb0(%arg9: i32):
      %19 = "arith.index_cast"(%arg9) : (i32) -> index
      %20 = "arith.cmpi"(%19, %2) <{predicate = 2 : i64}> : (index, index) -> i1
      %21 = "arith.subi"(%3, %19) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %22 = "arith.select"(%20, %21, %19) : (i1, index, index) -> index
      %23 = "arith.subi"(%3, %22) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %24 = "arith.select"(%20, %23, %19) : (i1, index, index) -> index
      %25 = "arith.remsi"(%24, %1) : (index, index) -> index
      %26 = "arith.cmpi"(%25, %2) <{predicate = 2 : i64}> : (index, index) -> i1
      %27 = "arith.addi"(%25, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %28 = "arith.select"(%26, %27, %25) : (i1, index, index) -> index
      %29 = "arith.index_cast"(%28) : (index) -> i1
      %30 = "arith.xori"(%29, %0) : (i1, i1) -> i1
      %31 = "arith.extui"(%30) : (i1) -> i64
      %32 = "hivm.hir.pointer_cast"(%5, %4) <{operandSegmentSizes = array<i32: 2, 0>}> : (i64, i64) -> memref<64xf32, #hivm.address_space<ub>>
      "annotation.mark"(%32) {hivm.multi_buffer = 2 : i32} : (memref<64xf32, #hivm.address_space<ub>>) -> ()
      %33 = "arith.addi"(%16, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %34 = "arith.muli"(%33, %8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %35 = "arith.index_cast"(%34) : (i32) -> index
      %36 = "memref.reinterpret_cast"(%arg3, %35) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 64>, static_strides = array<i64: 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"(%31) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "hivm.hir.load"(%36, %32) <{init_out_buffer = false, may_implicit_transpose_with_last_axis = false, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, tcoretype = #hivm.tcore_type<VECTOR>}> : (memref<64xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>, memref<64xf32, #hivm.address_space<ub>>) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%32, %17) <{atomic_kind = #hivm.atomic_kind<add>}> : (memref<64xf32, #hivm.address_space<ub>>, memref<64xf32, strided<[1]>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
      "hivm.hir.store"(%32, %18) <{atomic_kind = #hivm.atomic_kind<add>}> : (memref<64xf32, #hivm.address_space<ub>>, memref<64xf32, strided<[1], offset: 32>, #hivm.address_space<gm>>) -> ()
      "hivm.hir.set_flag"(%31) <{set_pipe = #hivm.pipe<PIPE_MTE3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, false, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.storage_aligned, parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 24 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 48 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hacc.hivmc_compatible_print = false, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

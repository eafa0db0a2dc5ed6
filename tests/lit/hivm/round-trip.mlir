// RUN: ascend-opt %s | filecheck %s
// RUN: ascend-opt %s | ascend-opt - | filecheck %s
// RUN: ascend-opt %s --print-op-generic | ascend-opt - | filecheck %s

// What AscendNPU-IR prints in the generic form is read, verified and printed: ops with their groups of operands, words of
// its attributes, and a description of the chip as LLVM 19 writes it.
// CHECK:       builtin.module attributes {dlti.target_system_spec = #dlti.target_system_spec<"NPU" = #hacc.target_device_spec<#dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"ARCH", 1 : i32>>>, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} {
// CHECK-NEXT:    func.func @k(%lock: memref<?xi8, #hivm.address_space<gm>> {hacc.arg_type = #hacc.arg_type<workspace>}, %n: i64, %s: f32, %i: index, %flag: i1)
// CHECK-SAME:      attributes {hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} {
// CHECK:         [[A:%.*]] = "hivm.hir.pointer_cast"([[ZERO:%.*]]) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf32, #hivm.address_space<ub>>
// CHECK-NEXT:    "annotation.mark"([[A]]) {hivm.multi_buffer = 2 : i32} : (memref<64xf32, #hivm.address_space<ub>>) -> ()
// CHECK-NEXT:    [[W:%.*]] = "memref_ext.alloc_workspace"(%lock, %i) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64xf32, #hivm.address_space<gm>>
// CHECK-NEXT:    "hivm.hir.load"([[W]], [[A]], %s, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<64xf32, #hivm.address_space<gm>>, memref<64xf32, #hivm.address_space<ub>>, f32, index) -> ()
// CHECK-NEXT:    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
// CHECK-NEXT:    "hivm.hir.wait_flag"(%n) <{set_pipe = #hivm.pipe<PIPE_MTE2>, wait_pipe = #hivm.pipe<PIPE_V>}> : (i64) -> ()
// CHECK-NEXT:    "hivm.hir.vadd"([[A]], %s, [[A]]) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}>
// CHECK-NEXT:    "hivm.hir.vreduce"([[A]], [[A]]) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, reduce_dims = array<i64: 0>}>
// CHECK-NEXT:    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
// CHECK-NEXT:    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<workspace>}, {}, {}, {}, {}], function_type = (memref<?xi8, #hivm.address_space<gm>>, i64, f32, index, i1) -> (), sym_name = "k"}> ({
  ^bb0(%lock: memref<?xi8, #hivm.address_space<gm>>, %n: i64, %s: f32, %i: index, %flag: i1):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "hivm.hir.pointer_cast"(%0) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<64xf32, #hivm.address_space<ub>>
    "annotation.mark"(%1) {hivm.multi_buffer = 2 : i32} : (memref<64xf32, #hivm.address_space<ub>>) -> ()
    %2 = "memref_ext.alloc_workspace"(%lock, %i) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<64xf32, #hivm.address_space<gm>>
    "hivm.hir.load"(%2, %1, %s, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, pad_mode = #hivm.padmode<PadValue>}> : (memref<64xf32, #hivm.address_space<gm>>, memref<64xf32, #hivm.address_space<ub>>, f32, index) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.wait_flag"(%n) <{set_pipe = #hivm.pipe<PIPE_MTE2>, wait_pipe = #hivm.pipe<PIPE_V>}> : (i64) -> ()
    "hivm.hir.vadd"(%1, %s, %1) <{broadcast = array<i64>, operandSegmentSizes = array<i32: 2, 1, 0>, transpose = array<i64>}> : (memref<64xf32, #hivm.address_space<ub>>, f32, memref<64xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.vreduce"(%1, %1) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, reduce_dims = array<i64: 0>}> : (memref<64xf32, #hivm.address_space<ub>>, memref<64xf32, #hivm.address_space<ub>>) -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "hivm.hir.sync_block_set"() <{operandSegmentSizes = array<i32: 0, 0>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
    "func.return"() : () -> ()
  }) {hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"ARCH", 1 : i32>>>, hacc.hivmc_version = #hacc.hivmc_version<"0.0.0">, hivm.module_core_type = #hivm.module_core_type<AIV>} : () -> ()

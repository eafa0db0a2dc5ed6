// RUN: ascend-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: hivm.hir.set_flag: an event id is stated or computed, one of both
"hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, wait_pipe = #hivm.pipe<PIPE_S>}> : () -> ()

// -----

// CHECK: #hivm.pipe is one of {{.*}}, not 'PIPE_9'
"hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_9>}> : () -> ()

// -----

// CHECK: hivm.hir.vexp: 2 operands are src, wanted 1
%a, %b, %c = "test.op"() : () -> (memref<8xf32>, memref<8xf32>, memref<8xf32>)
"hivm.hir.vexp"(%a, %b, %c) <{operandSegmentSizes = array<i32: 2, 1, 0>}> : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()

// -----

// CHECK: hivm.hir.vexp: 2 operands are not operandSegmentSizes [2, 1, 0] of src*, dst*, temp?
%a, %b = "test.op"() : () -> (memref<8xf32>, memref<8xf32>)
"hivm.hir.vexp"(%a, %b) <{operandSegmentSizes = array<i32: 2, 1, 0>}> : (memref<8xf32>, memref<8xf32>) -> ()

// -----

// CHECK: hivm.hir.store: src is a memref, not tensor<8xf32>
%a, %b = "test.op"() : () -> (tensor<8xf32>, memref<8xf32>)
"hivm.hir.store"(%a, %b) : (tensor<8xf32>, memref<8xf32>) -> ()

// -----

// CHECK: hivm.hir.pointer_cast: it has no address
%a = "hivm.hir.pointer_cast"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8xf32>

// -----

// CHECK: hivm.hir.vreduce: reduce_dims are ascending dimensions, not [1, 0]
%a, %b = "test.op"() : () -> (memref<8x8xf32>, memref<1x1xf32>)
"hivm.hir.vreduce"(%a, %b) <{arith = #hivm.reduce_op<sum>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, reduce_dims = array<i64: 1, 0>}> : (memref<8x8xf32>, memref<1x1xf32>) -> ()

// RUN: ascend-opt %s | filecheck %s
// RUN: ascend-opt %s | ascend-opt | filecheck %s
// RUN: ascend-opt %s --print-op-generic | ascend-opt | filecheck %s
// RUN: ascend-opt %s --print-op-generic | filecheck %s --check-prefix GENERIC

// Operands have names of their own inside, where tensors have no layout; what is said of the price, and attributes, stay.
// CHECK:       %y = tile.group "f_0"(%a = %x, %b = %w) : (tensor<64x64xf16, #tile.layout<blocked 1 order [1, 0]>>, tensor<64x64xf16>) -> tensor<64x64xf16> predicted 5.21 us attributes {ascend.note = "mine"} {
// CHECK-NEXT:    %p = graph.matmul %a, %b : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
// CHECK-NEXT:    %r = graph.relu %p : (tensor<64x64xf16>) -> tensor<64x64xf16>
// CHECK-NEXT:    tile.yield %r : tensor<64x64xf16>
// CHECK-NEXT:  }
// CHECK-NEXT:  %z = tile.group "f_1"(%c = %y, %y_1 = %w) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16> {
// GENERIC:     "tile.group"(%x, %w) <{group_name = "f_0", predicted_us = 5.210000e+00 : f64}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>):
func.func @f(%x: tensor<64x64xf16, #tile.layout<blocked 1 order [1, 0]>>, %w: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %y = tile.group "f_0"(%a = %x, %b = %w) : (tensor<64x64xf16, #tile.layout<blocked 1 order [1, 0]>>, tensor<64x64xf16>) -> tensor<64x64xf16> predicted 5.21 us attributes {ascend.note = "mine"} {
    %p = graph.matmul %a, %b : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
    %r = graph.relu %p : (tensor<64x64xf16>) -> tensor<64x64xf16>
    tile.yield %r : tensor<64x64xf16>
  }
  %z = tile.group "f_1"(%c = %y, %y_1 = %w) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16> {
    %s = graph.add %c, %y_1 : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
    tile.yield %s : tensor<64x64xf16>
  }
  func.return %z : tensor<64x64xf16>
}

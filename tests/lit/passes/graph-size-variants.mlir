// RUN: ascend-opt %s -p 'graph-size-variants{range=1,64 ends=8,64}' | filecheck %s

// Each part of a range of run-time sizes gets a variant, and a function calls the one that serves the size.
func.func @f(%x: tensor<?x64xf16>, %w: tensor<64x16xf16> {graph.weight}) -> tensor<?x16xf16> {
  %y = graph.matmul %x, %w : (tensor<?x64xf16>, tensor<64x16xf16>) -> tensor<?x16xf16>
  func.return %y : tensor<?x16xf16>
}

// CHECK:       func.func @f.to_8(%x: tensor<?x64xf16>, %w: tensor<64x16xf16> {graph.weight}) -> tensor<?x16xf16> attributes {graph.sizes = array<i64: 1, 2, 3, 4, 6, 8>} {
// CHECK-NEXT:    %y = graph.matmul %x, %w
// CHECK:       func.func @f.to_64(
// CHECK-SAME:    attributes {graph.sizes = array<i64: 12, 16, 24, 32, 48, 64>} {
// CHECK:       func.func @f(%x: tensor<?x64xf16>, %w: tensor<64x16xf16> {graph.weight}) -> tensor<?x16xf16> {
// CHECK-NEXT:    [[ZERO:%.+]] = arith.constant 0 : index
// CHECK-NEXT:    %n = tensor.dim %x, [[ZERO]] : tensor<?x64xf16>
// CHECK-NEXT:    [[LAST:%.+]] = arith.constant 8 : index
// CHECK-NEXT:    [[HERE:%.+]] = arith.cmpi ule, %n, [[LAST]] : index
// CHECK-NEXT:    [[Y:%.+]] = scf.if [[HERE]] -> (tensor<?x16xf16>) {
// CHECK-NEXT:      [[A:%.+]] = func.call @f.to_8(%x, %w)
// CHECK-NEXT:      scf.yield [[A]] : tensor<?x16xf16>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      [[B:%.+]] = func.call @f.to_64(%x, %w)
// CHECK-NEXT:      scf.yield [[B]] : tensor<?x16xf16>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return [[Y]] : tensor<?x16xf16>

// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s
// Tensors that lie in one another.

// CHECK:      tile.concat %a, %b {axis = 1 : i64} : tensor<1x4x8x8xf16>, tensor<1x2x8x8xf16> -> tensor<1x6x8x8xf16>
func.func @f(%a: tensor<1x4x8x8xf16>, %b: tensor<1x2x8x8xf16>) -> tensor<1x6x8x8xf16> {
  %y = tile.concat %a, %b {axis = 1 : i64} : tensor<1x4x8x8xf16>, tensor<1x2x8x8xf16> -> tensor<1x6x8x8xf16>
  func.return %y : tensor<1x6x8x8xf16>
}

// -----

// CHECK: concat.mlir:14:8: error: tile.concat: tensor<2x4x8x8xf16> has gaps in tensor<2x6x8x8xf16>
func.func @f(%a: tensor<2x4x8x8xf16>, %b: tensor<2x2x8x8xf16>) {
  %y = tile.concat %a, %b {axis = 1 : i64} : tensor<2x4x8x8xf16>, tensor<2x2x8x8xf16> -> tensor<2x6x8x8xf16>
  func.return
}

// -----

// CHECK: concat.mlir:22:8: error: tile.concat: tensor<1x1x7x7xf16> ends inside a block of 32 B
func.func @f(%a: tensor<1x1x7x7xf16>) {
  %y = tile.concat %a, %a {axis = 1 : i64} : tensor<1x1x7x7xf16>, tensor<1x1x7x7xf16> -> tensor<1x2x7x7xf16>
  func.return
}

// -----

// CHECK: concat.mlir:30:8: error: tile.concat: the parts do not add up to tensor<64x16xf16>
func.func @f(%a: tensor<16x16xf16>) {
  %y = tile.concat %a, %a {axis = 0 : i64} : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<64x16xf16>
  func.return
}

// -----

// CHECK: concat.mlir:38:8: error: tile.concat: tensor<16x32xf16> is no part of tensor<32x16xf16>
func.func @f(%a: tensor<16x32xf16>) {
  %y = tile.concat %a {axis = 0 : i64} : tensor<16x32xf16> -> tensor<32x16xf16>
  func.return
}

// -----

// CHECK: concat.mlir:46:8: error: tile.concat: tensor<16x16xf32> does not lie as tensor<16x16xf16>
func.func @f(%a: tensor<16x16xf32>) {
  %y = tile.concat %a {axis = 0 : i64} : tensor<16x16xf32> -> tensor<16x16xf16>
  func.return
}

// -----

// In NZ parts of columns lie whole, whatever the rows.
// CHECK-LABEL: func.func @nz
func.func @nz(%a: tensor<24x16xf16, #tile.layout<blocked 1 order [1, 0]>>) -> tensor<24x32xf16, #tile.layout<blocked 1 order [1, 0]>> {
  %y = tile.concat %a, %a {axis = 1 : i64} : tensor<24x16xf16, #tile.layout<blocked 1 order [1, 0]>>, tensor<24x16xf16, #tile.layout<blocked 1 order [1, 0]>> -> tensor<24x32xf16, #tile.layout<blocked 1 order [1, 0]>>
  func.return %y : tensor<24x32xf16, #tile.layout<blocked 1 order [1, 0]>>
}

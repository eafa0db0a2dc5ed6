// RUN: ascend-opt %s --target=ascend910b --split-input-file --parsing-diagnostics --verify-diagnostics -p tile-from-groups | filecheck %s
// Groups that no kernel computes: where, and why not.

// The softmax is along columns, of which a kernel that goes on with a product has parts.
// CHECK: tile-from-groups-errors.mlir:10:10: error: tile.group "both": it is no kernel: graph.softmax needs whole rows of what a product gives in parts
func.func @products(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %y = tile.group "both"(%a = %x, %v = %w) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16> {
    %p = graph.matmul %a, %v : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
    %s = graph.softmax %p {axis = 0 : i64} : (tensor<64x64xf16>) -> tensor<64x64xf16>
    %q = graph.matmul %s, %v : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
    tile.yield %q : tensor<64x64xf16>
  }
  func.return %y : tensor<64x64xf16>
}

// -----

// An op that is made of others.
// CHECK: error: graph.argmax: it is made of others; run graph-decompose first
func.func @composite(%x: tensor<64x64xf16>) -> tensor<64xi32> {
  %y = tile.group "largest"(%a = %x) : (tensor<64x64xf16>) -> tensor<64xi32> {
    %r = graph.argmax %a {axis = 1 : i64} : (tensor<64x64xf16>) -> tensor<64xi32>
    tile.yield %r : tensor<64xi32>
  }
  func.return %y : tensor<64xi32>
}

// -----

// Blocks that the kernel does not write: tiles of rows on the Vector unit are rows.
// CHECK: error: tile.group "rows": tensor<64x64xf16, #tile.layout<blocked 1 order [1, 0]>>: tiles of the result lie as rows, not so
func.func @blocks(%x: tensor<64x64xf16>) -> tensor<64x64xf16, #tile.layout<blocked 1 order [1, 0]>> {
  %y = tile.group "rows"(%a = %x) : (tensor<64x64xf16>) -> tensor<64x64xf16, #tile.layout<blocked 1 order [1, 0]>> {
    %r = graph.softmax %a : (tensor<64x64xf16>) -> tensor<64x64xf16>
    tile.yield %r : tensor<64x64xf16>
  }
  func.return %y : tensor<64x64xf16, #tile.layout<blocked 1 order [1, 0]>>
}

// -----

// Blocks that the kernel does not read.
// CHECK: error: tile.group "read": tensor<64x64xf16, #tile.layout<blocked 1 order [1, 0]>>: graph.softmax, which reads it, takes whole rows
func.func @read(%x: tensor<64x64xf16, #tile.layout<blocked 1 order [1, 0]>>) -> tensor<64x64xf16> {
  %y = tile.group "read"(%a = %x) : (tensor<64x64xf16, #tile.layout<blocked 1 order [1, 0]>>) -> tensor<64x64xf16> {
    %r = graph.softmax %a : (tensor<64x64xf16>) -> tensor<64x64xf16>
    tile.yield %r : tensor<64x64xf16>
  }
  func.return %y : tensor<64x64xf16>
}

// -----

// An element type that the chip does not have.
// CHECK: error: graph.relu: ascend910b has no f64; it stores
func.func @wide(%x: tensor<64xf64>) -> tensor<64xf64> {
  %y = tile.group "wide"(%a = %x) : (tensor<64xf64>) -> tensor<64xf64> {
    %r = graph.relu %a : (tensor<64xf64>) -> tensor<64xf64>
    tile.yield %r : tensor<64xf64>
  }
  func.return %y : tensor<64xf64>
}

// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Mistakes in the padding of a computed tile.

// A padded tile has the type of its source.
// CHECK: {{.*}}verify-errors-border.mlir:7:8: error: tile.border: a tile in ub keeps its type, !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]> gives !tile.tile<16x8x56xf16, ub, nd>
func.func @f(%t: !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>, %o: index) {
  %p = tile.border %t at %o {dims = array<i64: 1>, strides = array<i64: 1>, pads = array<i64: 1>, extents = array<i64: 8>, fill = 0.000000e+00 : f32} : !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]> -> !tile.tile<16x8x56xf16, ub, nd>
  func.return
}

// -----

// It is in UB.
// CHECK: {{.*}}verify-errors-border.mlir:16:8: error: tile.border: a tile in ub keeps its type, !tile.tile<16x8x56xf16, l1, blocked 0 order [0, 1, 2]> gives !tile.tile<16x8x56xf16, l1, blocked 0 order [0, 1, 2]>
func.func @f(%t: !tile.tile<16x8x56xf16, l1, blocked 0 order [0, 1, 2]>, %o: index) {
  %p = tile.border %t at %o {dims = array<i64: 1>, strides = array<i64: 1>, pads = array<i64: 1>, extents = array<i64: 8>, fill = 0.000000e+00 : f32} : !tile.tile<16x8x56xf16, l1, blocked 0 order [0, 1, 2]> -> !tile.tile<16x8x56xf16, l1, blocked 0 order [0, 1, 2]>
  func.return
}

// -----

// Each dimension has an offset, a stride, a padding and an extent.
// CHECK: {{.*}}verify-errors-border.mlir:25:8: error: tile.border: 1 offsets need as many dims, strides, pads and extents
func.func @f(%t: !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>, %o: index) {
  %p = tile.border %t at %o {dims = array<i64: 1, 2>, strides = array<i64: 1>, pads = array<i64: 1>, extents = array<i64: 8>, fill = 0.000000e+00 : f32} : !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]> -> !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>
  func.return
}

// -----

// CHECK: {{.*}}verify-errors-border.mlir:33:8: error: tile.border: 1 offsets need as many dims, strides, pads and extents
func.func @f(%t: !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>, %o: index) {
  %p = tile.border %t at %o {dims = array<i64: 1>, strides = array<i64>, pads = array<i64: 1>, extents = array<i64: 8>, fill = 0.000000e+00 : f32} : !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]> -> !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>
  func.return
}

// -----

// CHECK: {{.*}}verify-errors-border.mlir:41:8: error: tile.border: 1 offsets need as many dims, strides, pads and extents
func.func @f(%t: !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>, %o: index) {
  %p = tile.border %t at %o {dims = array<i64: 1>, strides = array<i64: 1>, pads = array<i64: 1, 1>, extents = array<i64: 8>, fill = 0.000000e+00 : f32} : !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]> -> !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>
  func.return
}

// -----

// CHECK: {{.*}}verify-errors-border.mlir:49:8: error: tile.border: 1 offsets need as many dims, strides, pads and extents
func.func @f(%t: !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>, %o: index) {
  %p = tile.border %t at %o {dims = array<i64: 1>, strides = array<i64: 1>, pads = array<i64: 1>, extents = array<i64: 8, 56>, fill = 0.000000e+00 : f32} : !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]> -> !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>
  func.return
}

// -----

// CHECK: {{.*}}verify-errors-border.mlir:57:8: error: tile.border: 2 offsets need as many dims, strides, pads and extents
func.func @f(%t: !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>, %o: index) {
  %p = tile.border %t at %o, %o {dims = array<i64: 1>, strides = array<i64: 1>, pads = array<i64: 1>, extents = array<i64: 8>, fill = 0.000000e+00 : f32} : !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]> -> !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>
  func.return
}

// -----

// A dimension is one of the tile's.
// CHECK: {{.*}}verify-errors-border.mlir:66:8: error: tile.border: dim 3 of !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>, which has no padding in its lanes
func.func @f(%t: !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>, %o: index) {
  %p = tile.border %t at %o {dims = array<i64: 3>, strides = array<i64: 1>, pads = array<i64: 1>, extents = array<i64: 8>, fill = 0.000000e+00 : f32} : !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]> -> !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>
  func.return
}

// -----

// CHECK: {{.*}}verify-errors-border.mlir:74:8: error: tile.border: dim -1 of !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>, which has no padding in its lanes
func.func @f(%t: !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>, %o: index) {
  %p = tile.border %t at %o {dims = array<i64: -1>, strides = array<i64: 1>, pads = array<i64: 1>, extents = array<i64: 8>, fill = 0.000000e+00 : f32} : !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]> -> !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>
  func.return
}

// -----

// Lanes are the dimension in blocks.
// CHECK: {{.*}}verify-errors-border.mlir:83:8: error: tile.border: dim 0 of !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>, which has no padding in its lanes
func.func @f(%t: !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>, %o: index) {
  %p = tile.border %t at %o {dims = array<i64: 0>, strides = array<i64: 1>, pads = array<i64: 1>, extents = array<i64: 8>, fill = 0.000000e+00 : f32} : !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]> -> !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>
  func.return
}

// -----

// In rows they are the last one.
// CHECK: {{.*}}verify-errors-border.mlir:92:8: error: tile.border: dim 2 of !tile.tile<16x8x56xf16, ub, nd>, which has no padding in its lanes
func.func @f(%t: !tile.tile<16x8x56xf16, ub, nd>, %o: index) {
  %p = tile.border %t at %o {dims = array<i64: 2>, strides = array<i64: 1>, pads = array<i64: 1>, extents = array<i64: 8>, fill = 0.000000e+00 : f32} : !tile.tile<16x8x56xf16, ub, nd> -> !tile.tile<16x8x56xf16, ub, nd>
  func.return
}

// -----

// A stride is 1 or more.
// CHECK: {{.*}}verify-errors-border.mlir:101:8: error: tile.border: strides and extents are 1 or more
func.func @f(%t: !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>, %o: index) {
  %p = tile.border %t at %o {dims = array<i64: 1>, strides = array<i64: 0>, pads = array<i64: 1>, extents = array<i64: 8>, fill = 0.000000e+00 : f32} : !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]> -> !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>
  func.return
}

// -----

// So is an extent.
// CHECK: {{.*}}verify-errors-border.mlir:110:8: error: tile.border: strides and extents are 1 or more
func.func @f(%t: !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>, %o: index) {
  %p = tile.border %t at %o {dims = array<i64: 1>, strides = array<i64: 1>, pads = array<i64: 1>, extents = array<i64: 0>, fill = 0.000000e+00 : f32} : !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]> -> !tile.tile<16x8x56xf16, ub, blocked 0 order [0, 1, 2]>
  func.return
}

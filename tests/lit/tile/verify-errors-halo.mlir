// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Mistakes in what is read of an image that is held in L1.

// A part of an image in L1 is read from L1.
// CHECK: {{.*}}verify-errors-halo.mlir:7:8: error: tile.halo: a part of a tile in l1 is in l1, not !tile.tile<1x64x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]> and !tile.tile<1x16x6x30xf16, l1, blocked 1 order [0, 1, 2, 3]>
func.func @f(%t: !tile.tile<1x64x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>, %h: index, %o: index) {
  %a = tile.halo %t from %h, %h at %o, %o, %o, %o, %o size %o, %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, d2 + window(3) - 1, d3 + window(3) - 1)>, extents = array<i64: 28, 28>} : !tile.tile<1x64x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x30xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// It stays there.
// CHECK: {{.*}}verify-errors-halo.mlir:16:8: error: tile.halo: a part of a tile in l1 is in l1, not !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> and !tile.tile<1x16x6x30xf16, ub, blocked 1 order [0, 1, 2, 3]>
func.func @f(%t: !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>, %h: index, %o: index) {
  %a = tile.halo %t from %h, %h at %o, %o, %o, %o, %o size %o, %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, d2 + window(3) - 1, d3 + window(3) - 1)>, extents = array<i64: 28, 28>} : !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x30xf16, ub, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// Its elements are the image's.
// CHECK: {{.*}}verify-errors-halo.mlir:25:8: error: tile.halo: a part of a tile in l1 is in l1, not !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> and !tile.tile<1x16x6x30xf32, l1, blocked 1 order [0, 1, 2, 3]>
func.func @f(%t: !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>, %h: index, %o: index) {
  %a = tile.halo %t from %h, %h at %o, %o, %o, %o, %o size %o, %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, d2 + window(3) - 1, d3 + window(3) - 1)>, extents = array<i64: 28, 28>} : !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x30xf32, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// An image lies in blocks of channels.
// CHECK: {{.*}}verify-errors-halo.mlir:34:8: error: tile.halo: an image and a part of it are [1, C, H, W] blocked at 1, not !tile.tile<1x64x6x28xf16, l1, nd>
func.func @f(%t: !tile.tile<1x64x6x28xf16, l1, nd>, %h: index, %o: index) {
  %a = tile.halo %t from %h, %h at %o, %o, %o, %o, %o size %o, %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, d2 + window(3) - 1, d3 + window(3) - 1)>, extents = array<i64: 28, 28>} : !tile.tile<1x64x6x28xf16, l1, nd> -> !tile.tile<1x16x6x30xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// So does a part of it.
// CHECK: {{.*}}verify-errors-halo.mlir:43:8: error: tile.halo: an image and a part of it are [1, C, H, W] blocked at 1, not !tile.tile<1x16x6x30xf16, l1, nd>
func.func @f(%t: !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>, %h: index, %o: index) {
  %a = tile.halo %t from %h, %h at %o, %o, %o, %o, %o size %o, %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, d2 + window(3) - 1, d3 + window(3) - 1)>, extents = array<i64: 28, 28>} : !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x30xf16, l1, nd>
  func.return
}

// -----

// An image has four dimensions.
// CHECK: {{.*}}verify-errors-halo.mlir:52:8: error: tile.halo: an image and a part of it are [1, C, H, W] blocked at 1, not !tile.tile<6x64x28xf16, l1, blocked 1 order [0, 1, 2]>
func.func @f(%t: !tile.tile<6x64x28xf16, l1, blocked 1 order [0, 1, 2]>, %h: index, %o: index) {
  %a = tile.halo %t from %h, %h at %o, %o, %o, %o, %o size %o, %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, d2 + window(3) - 1, d3 + window(3) - 1)>, extents = array<i64: 28, 28>} : !tile.tile<6x64x28xf16, l1, blocked 1 order [0, 1, 2]> -> !tile.tile<1x16x6x30xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// So has a part of it.
// CHECK: {{.*}}verify-errors-halo.mlir:61:8: error: tile.halo: an image and a part of it are [1, C, H, W] blocked at 1, not !tile.tile<6x16x30xf16, l1, blocked 1 order [0, 1, 2]>
func.func @f(%t: !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>, %h: index, %o: index) {
  %a = tile.halo %t from %h, %h at %o, %o, %o, %o, %o size %o, %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, d2 + window(3) - 1, d3 + window(3) - 1)>, extents = array<i64: 28, 28>} : !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<6x16x30xf16, l1, blocked 1 order [0, 1, 2]>
  func.return
}

// -----

// A tile in L1 starts at a row and a column.
// CHECK: {{.*}}verify-errors-halo.mlir:70:8: error: tile.halo: starts and extents, 1 or more, are those of rows and columns
func.func @f(%t: !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>, %h: index, %o: index) {
  %a = tile.halo %t from %h at %o, %o, %o, %o, %o size %o, %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, d2 + window(3) - 1, d3 + window(3) - 1)>, extents = array<i64: 28, 28>} : !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x30xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// An image has rows and columns.
// CHECK: {{.*}}verify-errors-halo.mlir:79:8: error: tile.halo: starts and extents, 1 or more, are those of rows and columns
func.func @f(%t: !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>, %h: index, %o: index) {
  %a = tile.halo %t from %h, %h at %o, %o, %o, %o, %o size %o, %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, d2 + window(3) - 1, d3 + window(3) - 1)>, extents = array<i64: 28>} : !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x30xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// A region has as many sizes as offsets.
// CHECK: {{.*}}verify-errors-halo.mlir:88:8: error: tile.halo: 5 offsets, 4 sizes and a map over 5 dimensions
func.func @f(%t: !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>, %h: index, %o: index) {
  %a = tile.halo %t from %h, %h at %o, %o, %o, %o, %o size %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, d2 + window(3) - 1, d3 + window(3) - 1)>, extents = array<i64: 28, 28>} : !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x30xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// A map has a row for each dimension of the image.
// CHECK: {{.*}}verify-errors-halo.mlir:97:8: error: tile.halo: a map of 3 dimensions for an image of 4
func.func @f(%t: !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>, %h: index, %o: index) {
  %a = tile.halo %t from %h, %h at %o, %o, %o, %o, %o size %o, %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, d2 + window(3) - 1)>, extents = array<i64: 28, 28>} : !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x30xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// A row of it is one that maps have.
// CHECK: {{.*}}verify-errors-halo.mlir:106:129: error: map: d2 + window(0) - 1: a stride is 0 or more, a window, dilation and floordiv 1 or more
func.func @f(%t: !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>, %h: index, %o: index) {
  %a = tile.halo %t from %h, %h at %o, %o, %o, %o, %o size %o, %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, d2 + window(0) - 1, d3 + window(3) - 1)>, extents = array<i64: 28, 28>} : !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x30xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// It follows a dimension of the region.
// CHECK: {{.*}}verify-errors-halo.mlir:115:129: error: no dimension 'd5': there are d0, d1, d2, d3, d4
func.func @f(%t: !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>, %h: index, %o: index) {
  %a = tile.halo %t from %h, %h at %o, %o, %o, %o, %o size %o, %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, d5 + window(3) - 1, d3 + window(3) - 1)>, extents = array<i64: 28, 28>} : !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x30xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// Channels, rows and columns are not read whole.
// CHECK: {{.*}}verify-errors-halo.mlir:124:8: error: tile.halo: channels, rows and columns follow a dimension each
func.func @f(%t: !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>, %h: index, %o: index) {
  %a = tile.halo %t from %h, %h at %o, %o, %o, %o, %o size %o, %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, whole, d3 + window(3) - 1)>, extents = array<i64: 28, 28>} : !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x30xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// An image is not empty.
// CHECK: {{.*}}verify-errors-halo.mlir:133:8: error: tile.halo: starts and extents, 1 or more, are those of rows and columns
func.func @f(%t: !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>, %h: index, %o: index) {
  %a = tile.halo %t from %h, %h at %o, %o, %o, %o, %o size %o, %o, %o, %o, %o {map = #tile.map<(d0, d1, d2, d3, d4) -> (d0, d4, d2 + window(3) - 1, d3 + window(3) - 1)>, extents = array<i64: 28, 0>} : !tile.tile<1x64x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x30xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

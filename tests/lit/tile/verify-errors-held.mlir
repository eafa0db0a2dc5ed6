// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Mistakes in the chunks of an accumulator, and in what is held of them.

// A chunk is taken along a dimension.
// CHECK: {{.*}}verify-errors-held.mlir:7:3: error: tile.chunks: there is no dimension -1
func.func @f(%t: !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]>) {
  tile.chunks attributes {dim = -1 : i64, size = 32 : i64, step = 16 : i64} {
  ^bb0(%at: index):
    %c = tile.extract %t at %at {dim = 1 : i64} : !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>
  }
  func.return
}

// -----

// Chunks are equal.
// CHECK: {{.*}}verify-errors-held.mlir:19:3: error: tile.chunks: step 12 does not divide 32
func.func @f(%t: !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]>) {
  tile.chunks attributes {dim = 1 : i64, size = 32 : i64, step = 12 : i64} {
  ^bb0(%at: index):
    %c = tile.extract %t at %at {dim = 1 : i64} : !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>
  }
  func.return
}

// -----

// They have a size.
// CHECK: {{.*}}verify-errors-held.mlir:31:3: error: tile.chunks: step 0 does not divide 32
func.func @f(%t: !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]>) {
  tile.chunks attributes {dim = 1 : i64, size = 32 : i64, step = 0 : i64} {
  ^bb0(%at: index):
    %c = tile.extract %t at %at {dim = 1 : i64} : !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>
  }
  func.return
}

// -----

// Without a result a body yields nothing.
// CHECK: {{.*}}verify-errors-held.mlir:43:3: error: tile.chunks: the body yields a chunk of the result, and there is none
func.func @f(%t: !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]>) {
  tile.chunks attributes {dim = 1 : i64, size = 32 : i64, step = 16 : i64} {
  ^bb0(%at: index):
    %c = tile.extract %t at %at {dim = 1 : i64} : !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>
    tile.yield %c : !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>
  }
  func.return
}

// -----

// What is held is in L1.
// CHECK: {{.*}}verify-errors-held.mlir:56:8: error: tile.chunks: what is held is in l1, not !tile.tile<1x32x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>
func.func @f(%t: !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]>) {
  %r = tile.chunks attributes {dim = 1 : i64, size = 32 : i64, step = 16 : i64} {
  ^bb0(%at: index):
    %c = tile.extract %t at %at {dim = 1 : i64} : !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>
    tile.yield %c : !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>
  } -> !tile.tile<1x32x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// A body gives a chunk of it.
// CHECK: {{.*}}verify-errors-held.mlir:69:8: error: tile.chunks: the body yields one chunk of the result
func.func @f(%t: !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]>) {
  %r = tile.chunks attributes {dim = 1 : i64, size = 32 : i64, step = 16 : i64} {
  ^bb0(%at: index):
    %c = tile.extract %t at %at {dim = 1 : i64} : !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>
  } -> !tile.tile<1x32x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// It gives one.
// CHECK: {{.*}}verify-errors-held.mlir:81:8: error: tile.chunks: the body yields one chunk of the result
func.func @f(%t: !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]>) {
  %r = tile.chunks attributes {dim = 1 : i64, size = 32 : i64, step = 16 : i64} {
  ^bb0(%at: index):
    %c = tile.extract %t at %at {dim = 1 : i64} : !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>
    tile.yield %c, %c : !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>, !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>
  } -> !tile.tile<1x32x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// A chunk has the elements of what is held.
// CHECK: {{.*}}verify-errors-held.mlir:94:8: error: tile.chunks: !tile.tile<1x16x6x28xf32, ub, blocked 1 order [0, 1, 2, 3]> is no chunk of !tile.tile<1x32x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> along 1
func.func @f(%t: !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]>) {
  %r = tile.chunks attributes {dim = 1 : i64, size = 32 : i64, step = 16 : i64} {
  ^bb0(%at: index):
    %c = tile.extract %t at %at {dim = 1 : i64} : !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x28xf32, ub, blocked 1 order [0, 1, 2, 3]>
    tile.yield %c : !tile.tile<1x16x6x28xf32, ub, blocked 1 order [0, 1, 2, 3]>
  } -> !tile.tile<1x32x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// It is blocked as that is.
// CHECK: {{.*}}verify-errors-held.mlir:107:8: error: tile.chunks: !tile.tile<1x16x6x28xf16, ub, blocked 2 order [0, 1, 2, 3]> is no chunk of !tile.tile<1x32x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> along 1
func.func @f(%t: !tile.tile<1x16x6x28xf16, ub, blocked 2 order [0, 1, 2, 3]>) {
  %r = tile.chunks attributes {dim = 1 : i64, size = 32 : i64, step = 16 : i64} {
  ^bb0(%at: index):
    %c = tile.vec "vrelu"(%t) : (!tile.tile<1x16x6x28xf16, ub, blocked 2 order [0, 1, 2, 3]>) -> !tile.tile<1x16x6x28xf16, ub, blocked 2 order [0, 1, 2, 3]>
    tile.yield %c : !tile.tile<1x16x6x28xf16, ub, blocked 2 order [0, 1, 2, 3]>
  } -> !tile.tile<1x32x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// Along the dimension of the chunks.
// CHECK: {{.*}}verify-errors-held.mlir:120:8: error: tile.chunks: !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]> is no chunk of !tile.tile<1x32x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> along 2
func.func @f(%t: !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]>) {
  %r = tile.chunks attributes {dim = 2 : i64, size = 32 : i64, step = 16 : i64} {
  ^bb0(%at: index):
    %c = tile.extract %t at %at {dim = 1 : i64} : !tile.tile<1x32x6x28xf32, l0c, blocked 1 order [0, 1, 2, 3]> -> !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>
    tile.yield %c : !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 2, 3]>
  } -> !tile.tile<1x32x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// And it lies in its order.
// CHECK: {{.*}}verify-errors-held.mlir:133:8: error: tile.chunks: !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 3, 2]> is no chunk of !tile.tile<1x32x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> along 1
func.func @f(%t: !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 3, 2]>) {
  %r = tile.chunks attributes {dim = 1 : i64, size = 32 : i64, step = 16 : i64} {
  ^bb0(%at: index):
    %c = tile.vec "vrelu"(%t) : (!tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 3, 2]>) -> !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 3, 2]>
    tile.yield %c : !tile.tile<1x16x6x28xf16, ub, blocked 1 order [0, 1, 3, 2]>
  } -> !tile.tile<1x32x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// -----

// Beside the chunks it is as large.
// CHECK: {{.*}}verify-errors-held.mlir:146:8: error: tile.chunks: !tile.tile<1x16x6x14xf16, ub, blocked 1 order [0, 1, 2, 3]> is no chunk of !tile.tile<1x32x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]> along 1
func.func @f(%t: !tile.tile<1x16x6x14xf16, ub, blocked 1 order [0, 1, 2, 3]>) {
  %r = tile.chunks attributes {dim = 1 : i64, size = 32 : i64, step = 16 : i64} {
  ^bb0(%at: index):
    %c = tile.vec "vrelu"(%t) : (!tile.tile<1x16x6x14xf16, ub, blocked 1 order [0, 1, 2, 3]>) -> !tile.tile<1x16x6x14xf16, ub, blocked 1 order [0, 1, 2, 3]>
    tile.yield %c : !tile.tile<1x16x6x14xf16, ub, blocked 1 order [0, 1, 2, 3]>
  } -> !tile.tile<1x32x6x28xf16, l1, blocked 1 order [0, 1, 2, 3]>
  func.return
}

// RUN: ascend-opt %s | filecheck %s
// RUN: ascend-opt %s | ascend-opt - | filecheck %s
// RUN: ascend-opt %s --print-op-generic | ascend-opt - | filecheck %s

// A kernel without a product: a window of rows with a halo, filled outside the tensor, computed and stored.
// CHECK-LABEL: func.func @windows
// CHECK-NEXT:    tile.kernel "pool"(%x) attributes {schedule = #tile.grid<extents = [32, 32], tiles = [16, 32], tails = clip, cores = 2>, ops = ["graph.relu"]} {
// CHECK-NEXT:    ^bb0([[IN:%.*]]: tensor<64x64xf16>, [[OUT:%.*]]: tensor<32x32xf16>, [[O0:%.*]]: index, [[O1:%.*]]: index, [[S0:%.*]]: index, [[S1:%.*]]: index):
// CHECK-NEXT:      [[T:%.*]] = tile.load [[IN]] at [[O0]], [[O1]] size [[S0]], [[S1]]
// CHECK-SAME:        fill = 0.000000e+00 : f32
// CHECK-SAME:        : tensor<64x64xf16> -> !tile.tile<33x65xf16, ub, nd>
// CHECK-NEXT:      [[V:%.*]] = tile.window [[T]] {starts = array<i64: 0, 1>, strides = array<i64: 2, 2>} : !tile.tile<33x65xf16, ub, nd> -> !tile.tile<16x32xf16, ub, nd>
// CHECK-NEXT:      [[M:%.*]] = tile.vec "vmaxs"([[V]]) scalar 0.000000e+00 : f32 : (!tile.tile<16x32xf16, ub, nd>) -> !tile.tile<16x32xf16, ub, nd>
// CHECK-NEXT:      [[A:%.*]] = tile.vec "vadd"([[M]], [[V]]) {apart} : (!tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>) -> !tile.tile<16x32xf16, ub, nd>
// CHECK-NEXT:      tile.store [[A]], [[OUT]] at [[O0]], [[O1]] size [[S0]], [[S1]] : !tile.tile<16x32xf16, ub, nd>, tensor<32x32xf16>
// CHECK-NEXT:    } : (tensor<64x64xf16>) -> (tensor<32x32xf16>)
func.func @windows(%x: tensor<64x64xf16>) -> tensor<32x32xf16> {
  %y = tile.kernel "pool"(%x) attributes {schedule = #tile.grid<extents = [32, 32], tiles = [16, 32], tails = clip, cores = 2>, ops = ["graph.relu"]} {
  ^bb0(%in: tensor<64x64xf16>, %out: tensor<32x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0 * 2 + window(3) - 1, d1 * 2 + window(3) - 1)>, fill = 0.0 : f32} : tensor<64x64xf16> -> !tile.tile<33x65xf16, ub, nd>
    %v = tile.window %t {starts = array<i64: 0, 1>, strides = array<i64: 2, 2>} : !tile.tile<33x65xf16, ub, nd> -> !tile.tile<16x32xf16, ub, nd>
    %m = tile.vec "vmaxs"(%v) scalar 0.0 : f32 : (!tile.tile<16x32xf16, ub, nd>) -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.vec "vadd"(%m, %v) {apart} : (!tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>) -> !tile.tile<16x32xf16, ub, nd>
    tile.store %a, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<32x32xf16>
  } : (tensor<64x64xf16>) -> (tensor<32x32xf16>)
  func.return %y : tensor<32x32xf16>
}

// A kernel around a product: operands of a step in L1, the accumulator in L0C, the epilogue chunk by chunk.
// CHECK-LABEL: func.func @product
// CHECK:         [[ACC:%.*]] = tile.contract attributes {schedule = #tile.product<m = 16, n = 32, k = 64, step = 32, l0_k = 32>} {
// CHECK-NEXT:    ^bb0([[K:%.*]]: index, [[KS:%.*]]: index):
// CHECK-NEXT:      [[L:%.*]] = tile.load {{.*}} -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
// CHECK-NEXT:      [[R:%.*]] = tile.load {{.*}}packed = "zn"{{.*}} -> !tile.tile<32x32xf16, l1, blocked 1 order [0, 1]>
// CHECK-NEXT:      tile.yield [[L]], [[R]] : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x32xf16, l1, blocked 1 order [0, 1]>
// CHECK-NEXT:    } -> !tile.tile<16x32xf32, l0c, blocked 1 order [1, 0]>
// CHECK-NEXT:    tile.chunks attributes {dim = 1 : i64, size = 32 : i64, step = 16 : i64} {
// CHECK-NEXT:    ^bb0([[AT:%.*]]: index):
// CHECK-NEXT:      [[C:%.*]] = tile.extract [[ACC]] at [[AT]] {dim = 1 : i64} : !tile.tile<16x32xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
// CHECK-NEXT:      tile.store [[C]]
func.func @product(%x: tensor<16x64xf16>, %w: tensor<4x2x16x16xf16>) -> tensor<16x32xf16> {
  %y = tile.kernel "k"(%x, %w) attributes {schedule = #tile.grid<extents = [16, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = ["graph.matmul"]} {
  ^bb0(%a: tensor<16x64xf16>, %b: tensor<4x2x16x16xf16>, %out: tensor<16x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %columns = arith.constant 16 : index
    %acc = tile.contract attributes {schedule = #tile.product<m = 16, n = 32, k = 64, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %ks: index):
      %l = tile.load %a at %o0, %o1, %k size %s0, %s1, %ks {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<16x64xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %b at %k, %o1 size %ks, %s1 {packed = "zn"} : tensor<4x2x16x16xf16> -> !tile.tile<32x32xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x32xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x32xf32, l0c, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 1 : i64, size = 32 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %c = tile.extract %acc at %at {dim = 1 : i64} : !tile.tile<16x32xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %c, %out at %o0, %at size %s0, %columns : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<16x32xf16>
    }
  } : (tensor<16x64xf16>, tensor<4x2x16x16xf16>) -> (tensor<16x32xf16>)
  func.return %y : tensor<16x32xf16>
}

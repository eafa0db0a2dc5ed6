// RUN: ascend-opt %s --target=ascend910 -p tile-partition,tile-pipeline,tile-to-ascend,ascend-multi-buffer --split-input-file --verify-diagnostics | filecheck %s
// RUN: ascend-opt %s --target=ascend910b1 -p tile-partition,tile-pipeline,tile-to-ascend --split-input-file | filecheck %s --check-prefix HAS

// What hands over by the unit flag is refused where the Cube has none, at both levels.
// CHECK: {{.*}}unit-flag.mlir:[[# @LINE + 6]]:12: error: tile.contract: ascend910 has no unit flag
// HAS: ascend.mmad {{.*}} unit %
// HAS: ascend.fixpipe {{.*}}unit_flag
func.func @product(%x: tensor<16x64xf16>, %w: tensor<4x2x16x16xf16>) -> tensor<16x32xf16> {
  %y = tile.kernel "k"(%x, %w) attributes {schedule = #tile.grid<extents = [16, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = ["graph.matmul"]} {
  ^bb0(%a: tensor<16x64xf16>, %b: tensor<4x2x16x16xf16>, %out: tensor<16x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %acc = tile.contract attributes {schedule = #tile.product<m = 16, n = 32, k = 64, step = 32, l0_k = 32, unit_flag>} {
    ^bb1(%k: index, %ks: index):
      %l = tile.load %a at %o0, %o1, %k size %s0, %s1, %ks {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<16x64xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %b at %k, %o1 size %ks, %s1 {packed = "zn"} : tensor<4x2x16x16xf16> -> !tile.tile<32x32xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x32xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x32xf32, l0c, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %c = tile.extract %acc at %at {dim = 0 : i64} : !tile.tile<16x32xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x32xf16, ub, blocked 1 order [1, 0]>
      tile.store %c, %out at %at, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, blocked 1 order [1, 0]>, tensor<16x32xf16>
    }
  } : (tensor<16x64xf16>, tensor<4x2x16x16xf16>) -> (tensor<16x32xf16>)
  func.return %y : tensor<16x32xf16>
}

// -----
// CHECK: {{.*}}unit-flag.mlir:[[# @LINE + 8]]:3: error: ascend.mmad: ascend910 has no unit flag
ascend.kernel @k cores 1 : i64 {
^bb0(%x: memref<4096xf16, "gm">):
  %n = arith.constant 16 : index
  %true = arith.constant true
  %a = ascend.buffer : memref<1x1x16x16xf16, "l0a">
  %b = ascend.buffer : memref<1x1x16x16xf16, "l0b">
  %c = ascend.buffer : memref<1x16x16xf32, "l0c">
  ascend.mmad %a, %b, %c size %n, %n, %n init %true unit %true : memref<1x1x16x16xf16, "l0a">, memref<1x1x16x16xf16, "l0b">, memref<1x16x16xf32, "l0c">
  ascend.end
}

// RUN: ascend-opt %s | filecheck %s
// RUN: ascend-opt %s | ascend-opt - | filecheck %s
// RUN: ascend-opt %s --lower | filecheck %s --check-prefix LOWER

// Sums up to each element: log2(8) steps of a copy and a sum.
// CHECK: tile.scan %{{.+}} {dim = 0 : i64, reverse} : !tile.tile<8x16xf32, ub, nd>
// LOWER-COUNT-3: ascend.vec "vadd"
// LOWER-NOT: ascend.vec "vadd"
func.func @f(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [8, 16], tiles = [8, 16], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<8x16xf32>, %out: tensor<8x16xf32>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<8x16xf32> -> !tile.tile<8x16xf32, ub, nd>
    %b = tile.scan %a {dim = 0 : i64, reverse} : !tile.tile<8x16xf32, ub, nd>
    tile.store %b, %out at %o0, %o1 size %s0, %s1 : !tile.tile<8x16xf32, ub, nd>, tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> (tensor<8x16xf32>)
  func.return %y : tensor<8x16xf32>
}

// RUN: ascend-opt %s --target=ascend910b --fuse | filecheck %s --check-prefix TILE
// RUN: ascend-opt %s --target=ascend910b --fuse | ascend-opt - --target=ascend910b | filecheck %s --check-prefix TILE
// RUN: ascend-opt %s --target=ascend910b --fuse --lower | filecheck %s
// RUN: ascend-opt %s --target=ascend910b --fuse --lower | ascend-opt - | filecheck %s
// RUN: ascend-opt %s --target=ascend910b --fuse --dynamic-sizes 4,4096 | filecheck %s --check-prefix SIZES

// Merged dimensions: the first extent is 6 times the run-time size, and open.
// TILE-LABEL: func.func @flat(%x: tensor<?x2x3xf16>) -> tensor<?x2x3xf16>
// TILE:         tile.kernel "flat_0"(%x) attributes {schedule = #tile.grid<extents = [-1], tiles = {{.}}[[T:[0-9]+]]], tails = clip, {{.*}}dynamic = 6, sizes = [1, 8, 32]>, {{.*}} {
// TILE-NEXT:    ^bb0(%{{.*}}: tensor<?xf16>, %{{.*}}: tensor<?xf16>, %{{.*}}: index, %{{.*}}: index):
// SIZES:        sizes = [4, 4096]

// Its tiling function, the numbers that the kernel takes and loops by, and the launch.
// CHECK:      ascend.kernel @flat_0 cores [[C:[0-9]+]] : i64 attributes {{.*}} tiling = @flat_0.tiling, sizes = array<i64: 1, 8, 32>} {
// CHECK-NEXT: ^bb0(%{{.*}}: memref<?xf16, "gm">, %{{.*}}: memref<?xf16, "gm">, %extent: index, %tiles: index):
// CHECK:        scf.for %{{.*}} = %{{.*}} to %tiles step
// CHECK:          arith.subi %extent,
// CHECK:      func.func @flat_0.tiling(%n: index) -> (index, index, index) {
// CHECK:        [[SIX:%.*]] = arith.constant 6 : index
// CHECK-NEXT:   %extent = arith.muli %n, [[SIX]] : index
// CHECK:        %tiles = arith.ceildivui %extent,
// CHECK:        %blocks = arith.minui %tiles,
// CHECK-NEXT:   func.return %extent, %tiles, %blocks : index, index, index
// CHECK:      func.func @flat(%x: memref<?x2x3xf16, "gm"> {ascend.name = "x"}) -> memref<?x2x3xf16, "gm"> attributes {ascend.sizes = array<i64: 1, 8, 32>} {
// CHECK:        %n = memref.dim %x,
// CHECK-NEXT:   [[E:%.*]], [[N:%.*]], [[B:%.*]] = func.call @flat_0.tiling(%n) : (index) -> (index, index, index)
// CHECK:        %y = ascend.gm_alloc size %n : memref<?x2x3xf16, "gm">
// CHECK:        ascend.launch @flat_0({{.*}}) numbers([[E]], [[N]]) blocks [[B]] : memref<?xf16, "gm">, memref<?xf16, "gm">
graph @flat(%x: tensor<?x2x3xf16>) {
  %y = relu(%x)
  return %y
}

// Rows of a product may be fewer than a tile has: it goes past the end. The tensor between the kernels has its offset from
// a function of the size.
// TILE-LABEL: func.func @rows(
// TILE:         tile.kernel "rows_0"{{.*}}extents = [-1, 48], {{.*}}tails = [cover, shift], {{.*}}dynamic = 1,
// CHECK:      func.func @rows.workspace(%n: index) -> (index, index) {
// CHECK:        arith.muli %n,
// CHECK:      func.func @rows(
// CHECK:        [[AT:%.*]], [[PEAK:%.*]] = func.call @rows.workspace(%n) : (index) -> (index, index)
// CHECK:        ascend.gm_alloc size %n at [[AT]] : memref<?x48xf16, "gm">
graph @rows(%x: tensor<?x64xf16>, %w: tensor<64x48xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = softmax(%0) {nofuse}
  return %1
}

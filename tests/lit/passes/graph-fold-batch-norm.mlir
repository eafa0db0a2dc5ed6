// RUN: ascend-opt %s -p graph-fold-batch-norm | filecheck %s

// After a convolution whose weights are known, batch normalisation becomes part of the weights and a bias.
// CHECK-LABEL: func.func @folded
// CHECK:         [[Y:%.*]] = graph.conv2d %x, [[W:%.*]] {
// CHECK-NEXT:    [[Z:%.*]] = graph.bias_add [[Y]]
// CHECK-NOT:     graph.batch_norm
// CHECK:         func.return [[Z]]
graph @folded(%x: tensor<1x4x8x8xf16>, %w: tensor<8x4x3x3xf16> {weight}, %scale: tensor<8xf16> {weight},
              %shift: tensor<8xf16> {weight}, %mean: tensor<8xf16> {weight}, %var: tensor<8xf16> {weight}) {
  %c = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  %y = batch_norm(%c, %scale, %shift, %mean, %var) {epsilon = 1e-5}
  return %y
}

// Of anything else it becomes one scale and one shift for each channel.
// CHECK-LABEL: func.func @alone
// CHECK-NOT:     graph.batch_norm
// CHECK:         [[M:%.*]] = graph.mul %x
// CHECK-NEXT:    graph.add [[M]]
graph @alone(%x: tensor<1x8x8x8xf16>, %scale: tensor<8xf16> {weight}, %shift: tensor<8xf16> {weight},
             %mean: tensor<8xf16> {weight}, %var: tensor<8xf16> {weight}) {
  %y = batch_norm(%x, %scale, %shift, %mean, %var)
  return %y
}

// Statistics that are computed at run time stay.
// CHECK-LABEL: func.func @computed
// CHECK:         graph.batch_norm
graph @computed(%x: tensor<1x8x8x8xf16>, %scale: tensor<8xf16> {weight}, %shift: tensor<8xf16> {weight},
                %mean: tensor<8xf16>, %var: tensor<8xf16>) {
  %y = batch_norm(%x, %scale, %shift, %mean, %var)
  return %y
}

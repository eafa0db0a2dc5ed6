// RUN: ascend-opt %s --target=ascend910 -p tile-from-graph,tile-partition | filecheck %s --check-prefix COUPLED
// RUN: ascend-opt %s --target=ascend910b -p tile-from-graph | filecheck %s --check-prefix BEFORE
// RUN: ascend-opt %s --target=ascend910b -p tile-from-graph,tile-partition | filecheck %s --check-prefix SPLIT
// RUN: ascend-opt %s --target=ascend950 -p tile-from-graph,tile-partition | filecheck %s --check-prefix LANDS
// RUN: ascend-opt %s --target=ascend950 -p tile-from-graph,tile-partition | ascend-opt | filecheck %s --check-prefix LANDS

// Which cores run a kernel is nothing that its tiles say.
// BEFORE-NOT: programs
// BEFORE-NOT: hand_overs

// Without a product the Vector cores do, where they are apart.
// COUPLED-LABEL: tile.kernel "elements_relu_0"
// COUPLED-SAME:    programs = [#tile.program<core>]}
// SPLIT-LABEL:   tile.kernel "elements_relu_0"
// SPLIT-SAME:      programs = [#tile.program<aiv>]}
// LANDS-LABEL:   tile.kernel "elements_relu_0"
// LANDS-SAME:      programs = [#tile.program<aiv>]}
graph @elements(%x: tensor<4096x4096xf16>) {
  %y = relu(%x)
  return %y
}

// A product whose result FixPipe stores as it is needs the Cube cores alone.
// COUPLED-LABEL: tile.kernel "product_matmul_0"
// COUPLED-SAME:    programs = [#tile.program<core>]}
// SPLIT-LABEL:   tile.kernel "product_matmul_0"
// SPLIT-SAME:      programs = [#tile.program<aic>]}
// LANDS-LABEL:   tile.kernel "product_matmul_0"
// LANDS-SAME:      programs = [#tile.program<aic>]}
graph @product(%x: tensor<64x512xf16>, %w: tensor<512x64xf16> {weight}) {
  %y = matmul(%x, %w)
  return %y
}

// An image of rows of channels is laid out by the Vector cores, and so is the result: both hand over through workspaces,
// or straight to the memories of the other cores.
// COUPLED-LABEL: tile.kernel "image_conv2d_0"
// COUPLED-SAME:    programs = [#tile.program<core>]}
// SPLIT-LABEL:   tile.kernel "image_conv2d_0"
// SPLIT-SAME:      programs = [#tile.program<aic>, #tile.program<aiv>], hand_overs = [#tile.hand_over<result through gm slots 2>, #tile.hand_over<operands through gm slots 4>]}
// LANDS-LABEL:   tile.kernel "image_conv2d_0"
// LANDS-SAME:      programs = [#tile.program<aic>, #tile.program<aiv>], hand_overs = [#tile.hand_over<result through ub slots 2>, #tile.hand_over<operands through l1 slots 4>]}
graph @image(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x3x3xf16> {weight}) {
  %y = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  return %y
}

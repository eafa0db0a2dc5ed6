// RUN: ascend-opt %s | filecheck %s --check-prefix MLIR
// RUN: ascend-opt %s | ascend-opt -f mlir -t graph-text | filecheck %s --check-prefix TEXT
// RUN: ascend-opt %s -p graph-canonicalize,graph-fold-batch-norm | filecheck %s --check-prefix FOLD
// RUN: ascend-opt %s --target=ascend910 --fuse | filecheck %s --check-prefix FUSE
// RUN: ascend-opt %s --target=ascend910 --fuse --report=- -o /dev/null | filecheck %s --check-prefix REPORT

// Marks are discardable attributes, which print in both syntaxes and read back as they were.
// MLIR-LABEL: func.func @marks(
// MLIR:         graph.tanh %x {graph.fuse = "group1"}
// MLIR:         graph.relu %a {graph.fuse = "group1"}
// MLIR:         graph.leaky_relu %b {graph.nofuse, alpha = 1.000000e-01 : f64}
// MLIR:         graph.neg %c {graph.nofuse = "two words"}
// TEXT-LABEL: graph @marks(
// TEXT:         %a = tanh(%x) {fuse = group1}
// TEXT:         %b = relu(%a) {fuse = group1}
// TEXT:         %c = leaky_relu(%b) {alpha = 0.1, nofuse}
// TEXT:         %d = neg(%c) {nofuse = "two words"}

// The group is one kernel, which takes in no other op, and a marked op one by itself.
// FUSE-LABEL: func.func @marks(
// FUSE:         ops = ["graph.tanh", "graph.relu"]
// FUSE:         ops = ["graph.leaky_relu"]
// FUSE:         ops = ["graph.neg", "graph.abs"]
// REPORT-LABEL: fusion of @marks: 5 ops -> 3 kernels
// REPORT:         taken: tanh into relu: fuse = "group1"
// REPORT:         refused: tanh + relu into leaky_relu: graph.relu is in group 'group1', which takes in no other op
// REPORT:         refused: leaky_relu into neg: graph.leaky_relu is marked nofuse
// REPORT:         taken: neg into abs
graph @marks(%x: tensor<64x64xf16>) {
  %a = tanh(%x) {fuse = "group1"}
  %b = relu(%a) {fuse = group1}
  %c = leaky_relu(%b) {alpha = 0.1, nofuse}
  %d = neg(%c) {nofuse = "two words"}
  %e = abs(%d) {nofuse = "two words"}
  return %e
}

// What a pass puts in an op's place has its marks: the folded convolution, its bias, and the scale and shift.
// FOLD-LABEL: func.func @folded(
// FOLD:         graph.conv2d {{.*}} {graph.fuse = "k", pads
// FOLD:         graph.bias_add {{.*}} {graph.fuse = "k"}
// FOLD-NOT:     graph.batch_norm
// FOLD:         graph.relu {{.*}} {graph.fuse = "k"}
// FOLD:         graph.mul {{.*}} {graph.nofuse = "batch_norm.{{[0-9]+}}"}
// FOLD:         graph.add {{.*}} {graph.nofuse = "batch_norm.{{[0-9]+}}"}
// FOLD:         graph.tanh
// FUSE-LABEL: func.func @folded(
// FUSE:         ops = ["graph.conv2d", "graph.bias_add", "graph.relu"]
// FUSE:         ops = ["graph.mul", "graph.add"]
// FUSE:         ops = ["graph.tanh"]
graph @folded(%x: tensor<1x32x8x8xf16>, %w: tensor<32x32x3x3xf16> {weight}, %g: tensor<32xf16> {weight}) {
  %a = conv2d(%x, %w, %g) {pads = [1, 1, 1, 1], fuse = k}
  %b = batch_norm(%a, %g, %g, %g, %g) {fuse = k}
  %c = relu(%b) {fuse = k}
  %d = batch_norm(%c, %g, %g, %g, %g) {nofuse}
  %e = tanh(%d)
  return %e
}

// RUN: ascend-opt %s -p "graph-pool-first{target=ascend910b}" -t graph-text | filecheck %s

// A transition of a dense network: the mean comes first, and the convolution has a quarter of the pixels.
// CHECK-LABEL: graph @transition
// CHECK: [[R:%[a-z0-9]+]] = relu(%x)
// CHECK-NEXT: [[P:%[a-z0-9]+]] = avg_pool2d([[R]]) {kernel = [2, 2], strides = [2, 2]}
// CHECK-NEXT: [[C:%[a-z0-9]+]] = conv2d([[P]], %w)
// CHECK-NEXT: [[Y:%[a-z0-9]+]] = bias_add([[C]], %b)
// CHECK-NEXT: return [[Y]]
graph @transition(%x: tensor<1x128x28x28xf16>, %w: tensor<64x128x1x1xf16> {weight}, %b: tensor<64xf16> {weight}) {
  %r = relu(%x)
  %c = conv2d(%r, %w)
  %s = bias_add(%c, %b)
  %y = avg_pool2d(%s) {kernel = [2, 2], strides = [2, 2]}
  return %y
}

// What stands between the two is no longer linear.
// CHECK-LABEL: graph @relu_between
// CHECK: conv2d
// CHECK: avg_pool2d
graph @relu_between(%x: tensor<1x128x28x28xf16>, %w: tensor<64x128x1x1xf16> {weight}) {
  %c = conv2d(%x, %w)
  %r = relu(%c)
  %y = avg_pool2d(%r) {kernel = [2, 2], strides = [2, 2]}
  return %y
}

// Padding counts as zeros that the bias was never added to.
// CHECK-LABEL: graph @padded
// CHECK: conv2d
// CHECK: avg_pool2d
graph @padded(%x: tensor<1x128x28x28xf16>, %w: tensor<64x128x1x1xf16> {weight}, %b: tensor<64xf16> {weight}) {
  %c = conv2d(%x, %w)
  %s = bias_add(%c, %b)
  %y = avg_pool2d(%s) {kernel = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1], count_include_pad = true}
  return %y
}

// Windows of the convolution, and what else reads it.
// CHECK-LABEL: graph @window
// CHECK: conv2d
// CHECK: avg_pool2d
graph @window(%x: tensor<1x128x28x28xf16>, %w: tensor<64x128x3x3xf16> {weight}) {
  %c = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  %y = avg_pool2d(%c) {kernel = [2, 2], strides = [2, 2]}
  return %y
}

// CHECK-LABEL: graph @read_twice
// CHECK: conv2d
// CHECK: avg_pool2d
graph @read_twice(%x: tensor<1x128x28x28xf16>, %w: tensor<64x128x1x1xf16> {weight}) {
  %c = conv2d(%x, %w)
  %y = avg_pool2d(%c) {kernel = [2, 2], strides = [2, 2]}
  return %y, %c
}

// With few pixels each core would compute all of the operand for its filters.
// CHECK-LABEL: graph @few_pixels
// CHECK: conv2d
// CHECK: avg_pool2d
graph @few_pixels(%x: tensor<1x1024x14x14xf16>, %w: tensor<512x1024x1x1xf16> {weight}) {
  %r = relu(%x)
  %c = conv2d(%r, %w)
  %y = avg_pool2d(%c) {kernel = [2, 2], strides = [2, 2]}
  return %y
}

// A pool of stride 1 has as many pixels behind it as before it, of more channels: it stays where they are few.
// CHECK-LABEL: graph @wide
// CHECK: conv2d
// CHECK: avg_pool2d
graph @wide(%x: tensor<1x512x56x56xf16>, %w: tensor<16x512x1x1xf16> {weight}) {
  %c = conv2d(%x, %w)
  %y = avg_pool2d(%c) {kernel = [5, 5], strides = [1, 1]}
  return %y
}

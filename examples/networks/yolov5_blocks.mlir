// The blocks of YOLOv5 in a row, at a small size: Focus, a strided convolution, C3 with one bottleneck, SPPF.
graph @yolov5_blocks(%x: tensor<1x3x64x64xf16>,
                     %w0: tensor<32x12x3x3xf16> {weight}, %b0: tensor<32xf16> {weight},
                     %w1: tensor<64x32x3x3xf16> {weight}, %b1: tensor<64xf16> {weight},
                     %w2: tensor<32x64x1x1xf16> {weight}, %b2: tensor<32xf16> {weight},
                     %w3: tensor<32x32x1x1xf16> {weight}, %b3: tensor<32xf16> {weight},
                     %w4: tensor<32x32x3x3xf16> {weight}, %b4: tensor<32xf16> {weight},
                     %w5: tensor<32x64x1x1xf16> {weight}, %b5: tensor<32xf16> {weight},
                     %w6: tensor<64x64x1x1xf16> {weight}, %b6: tensor<64xf16> {weight},
                     %w7: tensor<32x64x1x1xf16> {weight}, %b7: tensor<32xf16> {weight},
                     %w8: tensor<64x128x1x1xf16> {weight}, %b8: tensor<64xf16> {weight}) {
  %f0 = space_to_depth(%x) {block = 2}
  %f1 = conv2d(%f0, %w0, %b0) {pads = [1, 1, 1, 1]}
  %f = silu(%f1)
  %s0 = conv2d(%f, %w1, %b1) {pads = [1, 1, 1, 1], strides = [2, 2]}
  %s = silu(%s0)
  %c0 = conv2d(%s, %w2, %b2)
  %c1 = silu(%c0)
  %c2 = conv2d(%c1, %w3, %b3)
  %c3 = silu(%c2)
  %c4 = conv2d(%c3, %w4, %b4) {pads = [1, 1, 1, 1]}
  %c5 = silu(%c4)
  %c6 = add(%c5, %c1)
  %c7 = conv2d(%s, %w5, %b5)
  %c8 = silu(%c7)
  %c9 = concat(%c6, %c8) {axis = 1}
  %d0 = conv2d(%c9, %w6, %b6)
  %d = silu(%d0)
  %p0 = conv2d(%d, %w7, %b7)
  %p1 = silu(%p0)
  %p2 = max_pool2d(%p1) {kernel = [5, 5], pads = [2, 2, 2, 2]}
  %p3 = max_pool2d(%p2) {kernel = [5, 5], pads = [2, 2, 2, 2]}
  %p4 = max_pool2d(%p3) {kernel = [5, 5], pads = [2, 2, 2, 2]}
  %p5 = concat(%p1, %p2, %p3, %p4) {axis = 1}
  %p6 = conv2d(%p5, %w8, %b8)
  %y = silu(%p6)
  return %y
}

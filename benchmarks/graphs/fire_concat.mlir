graph @fire(%x: tensor<1x16x54x54xf16>, %w1: tensor<64x16x1x1xf16> {weight}, %w3: tensor<64x16x3x3xf16> {weight},
            %b1: tensor<64xf16> {weight}, %b3: tensor<64xf16> {weight}) {
  %a = conv2d(%x, %w1, %b1)
  %b = relu(%a)
  %c = conv2d(%x, %w3, %b3) {pads = [1, 1, 1, 1]}
  %d = relu(%c)
  %y = concat(%b, %d) {axis = 1}
  return %y
}

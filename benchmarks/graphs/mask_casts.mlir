graph @mask(%m: tensor<1x128xi32>) {
  %c = constant() {value = 0.0} : tensor<f16>
  %d = constant() {value = -65504.0} : tensor<f16>
  %b = cast(%m) {to = i1}
  %f = cast(%b) {to = f16}
  %r = reshape(%f) {shape = [1, 1, 1, 128]}
  %h = cast(%r) {to = i1}
  %s = select(%h, %c, %d)
  return %s
}

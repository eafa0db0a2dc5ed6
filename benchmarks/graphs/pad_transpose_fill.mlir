graph @g(%x: tensor<33x9xf16>) {
  %p = pad(%x) {pads = [0, 0, 16, 0], value = 1.0}
  %y = transpose(%p) {perm = [1, 0]}
  return %y
}

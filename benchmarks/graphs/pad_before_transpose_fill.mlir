graph @g(%a: tensor<33x9xf16>) {
  %0 = pad(%a) {pads = [5, 0, 0, 0], value = 1.0}
  %1 = transpose(%0) {perm = [1, 0]}
  return %1
}

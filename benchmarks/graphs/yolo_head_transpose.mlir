graph @head(%x: tensor<1x3x85x40x40xf16>) {
  %0 = transpose(%x) {perm = [0, 1, 3, 4, 2]}
  %y = sigmoid(%0)
  return %y
}

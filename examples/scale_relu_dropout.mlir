// A chain of element-wise operations: memory-bound, so one kernel that reads and writes global memory
// once replaces three that each do. Dropout is the identity at inference.
graph @scale_relu_dropout(%x: tensor<4096x4096xf16>) {
  %factor = constant() {value = 0.125} : tensor<f16>
  %scaled = mul(%x, %factor)
  %positive = relu(%scaled)
  %y = dropout(%positive) {ratio = 0.1}
  return %y
}

// RUN: ascend-opt %s | filecheck %s
// RUN: ascend-opt %s | ascend-opt - | filecheck %s
// RUN: ascend-opt %s -t graph-text | filecheck %s --check-prefix TEXT
// RUN: ascend-opt %s -t graph-text | ascend-opt - | filecheck %s

// Lists, a scalar for all elements, and rank 0.
// CHECK-LABEL: func.func @finite
// CHECK:         %list = graph.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 5.000000e-01]]> : tensor<2x2xf16>
// CHECK:         %splat = graph.constant dense<2.500000e-01> : tensor<2x2xf16>
// CHECK:         %scalar = graph.constant dense<3.000000e+00> : tensor<f32>
// CHECK:         %ints = graph.constant dense<[1, -2, 127]> : tensor<3xi8>
// TEXT-LABEL: graph @finite
// TEXT:         %list = constant() {value = {{\[\[}}1.0, 2.0], [3.0, 0.5]]} : tensor<2x2xf16>
// TEXT:         %splat = constant() {value = 0.25} : tensor<2x2xf16>
// TEXT:         %scalar = constant() {value = 3.0} : tensor<f32>
// TEXT:         %ints = constant() {value = [1, -2, 127]} : tensor<3xi8>
graph @finite() {
  %list = constant() {value = [[1.0, 2.0], [3, 5e-1]]} : tensor<2x2xf16>
  %splat = constant() {value = .25} : tensor<2x2xf16>
  %scalar = constant() {value = 0x1.8p1} : tensor<f32>
  %ints = constant() {value = [1, -2, 0x7F]} : tensor<3xi8>
  return %list, %splat, %scalar, %ints
}

// Infinities and bit patterns keep their bits through both syntaxes.
// CHECK-LABEL: func.func @special
// CHECK:         %mask = graph.constant #graph.exact<dense<"0x00FC"> : tensor<2x2xf16>>
// CHECK:         %bits = graph.constant #graph.exact<dense<"0x007C00FC017E0100"> : tensor<4xf16>>
// CHECK:         %bytes = graph.constant dense<1.000000e+00> : tensor<2xf16>
// TEXT-LABEL: graph @special
// TEXT:         %mask = constant() {value = -inf} : tensor<2x2xf16>
// TEXT:         %bits = constant() {value = [inf, -inf, 0x7E01, 6e-08]} : tensor<4xf16>
// TEXT:         %bytes = constant() {value = 1.0} : tensor<2xf16>
graph @special() {
  %mask = constant() {value = -inf} : tensor<2x2xf16>
  %bits = constant() {value = [inf, 0xFC00, 0x7E01, 0x0001]} : tensor<4xf16>
  %bytes = constant() {value = "0x003C"} : tensor<2xf16>
  return %mask, %bits, %bytes
}

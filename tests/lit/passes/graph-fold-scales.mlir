// RUN: ascend-opt %s -p graph-fold-scales -t graph-text | filecheck %s

// A factor for each channel and a shift go into the filters and the bias.
// CHECK-LABEL: graph @channels
// CHECK:       %[[W:.*]] = cast(%w) {to = f32}
// CHECK:       %[[S:.*]] = mul(%[[W]], %{{.*}})
// CHECK:       %[[F:.*]] = cast(%[[S]]) {to = f16}
// CHECK:       %{{.*}} = conv2d(%x, %[[F]])
// CHECK:       %[[Y:.*]] = bias_add(
// CHECK-NEXT:  return %[[Y]]
graph @channels(%x: tensor<1x8x4x4xf16>, %w: tensor<16x8x1x1xf16> {weight}, %b: tensor<16xf16> {weight},
                %s: tensor<16x1x1xf16> {weight}, %h: tensor<16x1x1xf16> {weight}) {
  %0 = conv2d(%x, %w)
  %1 = bias_add(%0, %b)
  %2 = mul(%1, %s)
  %y = add(%2, %h)
  return %y
}

// A number passes moves: a transpose is left behind the product.
// CHECK-LABEL: graph @queries
// CHECK:       matmul(%x, %{{.*}})
// CHECK-NEXT:  %[[R:.*]] = reshape(
// CHECK-NEXT:  %[[T:.*]] = transpose(%[[R]])
// CHECK-NEXT:  return %[[T]]
graph @queries(%x: tensor<8x16xf16>, %w: tensor<16x32xf16> {weight}) {
  %c = constant() {value = 0.125} : tensor<f16>
  %0 = matmul(%x, %w)
  %1 = reshape(%0) {shape = [8, 4, 8]}
  %2 = transpose(%1) {perm = [1, 0, 2]}
  %y = mul(%2, %c)
  return %y
}

// Another reader needs the product as it is.
// CHECK-LABEL: graph @shared
// CHECK-NEXT:  %[[P:.*]] = matmul(%x, %w)
// CHECK-NEXT:  %[[Y:.*]] = mul(%[[P]], %s)
// CHECK-NEXT:  return %[[P]], %[[Y]]
graph @shared(%x: tensor<8x16xf16>, %w: tensor<16x32xf16> {weight}, %s: tensor<32xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = mul(%0, %s)
  return %0, %1
}

// Without a product: one factor, one shift.
// CHECK-LABEL: graph @twice
// CHECK:       %[[M:.*]] = mul(%x, %{{.*}})
// CHECK-NOT:   mul(%[[M]]
// CHECK:       %[[Y:.*]] = add(%[[M]], %{{.*}})
// CHECK-NEXT:  return %[[Y]]
graph @twice(%x: tensor<8x16xf16>, %a: tensor<16xf16> {weight}, %b: tensor<16xf16> {weight}, %c: tensor<16xf16> {weight},
             %d: tensor<16xf16> {weight}) {
  %0 = mul(%x, %a)
  %1 = add(%0, %b)
  %2 = mul(%1, %c)
  %3 = add(%2, %d)
  return %3
}

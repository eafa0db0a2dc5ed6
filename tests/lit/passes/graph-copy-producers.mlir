// RUN: ascend-opt %s -p "graph-copy-producers{target=ascend910b}" -t graph-text | filecheck %s

// The first step of a recurrent cell: its state is computed in the kernel of what it gives and in that of the next
// state, from columns that are in GM anyway.
// CHECK-LABEL: graph @first_step
// CHECK-COUNT-2: slice(%x) {starts = [0, 0], ends = [4, 128], axes = [0, 1]}
// CHECK: tanh
// CHECK: return
graph @first_step(%x: tensor<64x512xf16>, %f: tensor<4x128xf16>, %o: tensor<4x128xf16>, %n: tensor<4x128xf16>) {
  %i = slice(%x) {starts = [0, 0], ends = [4, 128], axes = [0, 1]}
  %g = slice(%x) {starts = [0, 384], ends = [4, 512], axes = [0, 1]}
  %s = sigmoid(%i)
  %t = tanh(%g)
  %c = mul(%s, %t)
  %u = tanh(%c)
  %h = mul(%o, %u)
  %k = mul(%f, %c)
  %d = add(%k, %n)
  return %h, %d
}

// What follows a product is its epilogue, and the product is not done again.
// CHECK-LABEL: graph @behind_a_product
// CHECK-COUNT-1: sigmoid
// CHECK-NOT: sigmoid
// CHECK: return
graph @behind_a_product(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}, %f: tensor<64x64xf16>) {
  %p = matmul(%x, %w)
  %c = sigmoid(%p)
  %h = mul(%f, %c)
  %d = softmax(%c)
  return %h, %d
}

// What the graph gives is stored.
// CHECK-LABEL: graph @returned
// CHECK-COUNT-1: sigmoid
// CHECK-NOT: sigmoid
// CHECK: return
graph @returned(%x: tensor<64x64xf16>, %f: tensor<64x64xf16>) {
  %c = sigmoid(%x)
  %h = mul(%f, %c)
  return %h, %c
}

// A mark says which kernel it is.
// CHECK-LABEL: graph @marked
// CHECK-COUNT-1: sigmoid
// CHECK-NOT: sigmoid
// CHECK: return
graph @marked(%x: tensor<64x64xf16>, %f: tensor<64x64xf16>) {
  %c = sigmoid(%x) {nofuse}
  %h = mul(%f, %c)
  %d = exp(%c)
  return %h, %d
}

// Where both consumers need much of the Vector unit, copies would be slower than a kernel.
// CHECK-LABEL: graph @costly
// CHECK-COUNT-1: gelu
// CHECK-NOT: gelu
// CHECK: return
graph @costly(%x: tensor<8192x8192xf16>, %f: tensor<8192x8192xf16>) {
  %a = gelu(%x)
  %b = mish(%a)
  %c = sin(%b)
  %h = mul(%f, %c)
  %d = softmax(%c)
  return %h, %d
}

// Each of three consumers gets a copy.
// CHECK-LABEL: graph @three
// CHECK-COUNT-3: mul(%x, %k)
// CHECK-NOT: mul(%x, %k)
// CHECK: return
graph @three(%x: tensor<64x64xf16>, %k: tensor<64x64xf16>, %f: tensor<64x64xf16>) {
  %c = mul(%x, %k)
  %h = add(%f, %c)
  %d = sub(%f, %c)
  %e = maximum(%f, %c)
  return %h, %d, %e
}

// tanh(a * b + c) with numpy broadcasting: b is a row, c is a column.
graph @tanh_muladd(%a: tensor<1024x2048xf16>, %b: tensor<2048xf16>, %c: tensor<1024x1xf16>) {
  %product = mul(%a, %b)
  %sum = add(%product, %c)
  %y = tanh(%sum)
  return %y
}

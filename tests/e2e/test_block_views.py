"""Graphs that take and give tensors in blocks: the values of the reference, no hazards, no kernels that convert."""

import pytest
from fused_graphs import check

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
TAKEN = "%t = transpose(%x5) {perm = [0, 1, 4, 2, 3]}"
GIVEN = "%y = transpose(%r) {perm = [0, 1, 3, 4, 2]}"
GRAPHS = {
    "convolution": f"""graph @f(%x5: tensor<2x2x9x11x16xf16>, %w: tensor<48x32x3x3xf16> {{weight}}) {{
      {TAKEN}
      %x = reshape(%t) {{shape = [2, 32, 9, 11]}}
      %0 = conv2d(%x, %w) {{pads = [1, 1, 1, 1], fuse = a}}
      %1 = sigmoid(%0) {{fuse = a}}
      %r = reshape(%1) {{shape = [2, 3, 16, 9, 11]}}
      {GIVEN}
      return %y }}""",
    "residual": f"""graph @f(%x5: tensor<1x3x9x11x16xf16>, %w: tensor<48x48x1x1xf16> {{weight}}) {{
      {TAKEN}
      %x = reshape(%t) {{shape = [1, 48, 9, 11]}}
      %0 = conv2d(%x, %w) {{fuse = a}}
      %1 = add(%0, %x) {{fuse = a}}
      %r = reshape(%1) {{shape = [1, 3, 16, 9, 11]}}
      {GIVEN}
      return %y }}""",
    "depthwise": f"""graph @f(%x5: tensor<1x3x9x11x16xf16>, %d: tensor<48x1x3x3xf16> {{weight}}) {{
      {TAKEN}
      %x = reshape(%t) {{shape = [1, 48, 9, 11]}}
      %0 = conv2d(%x, %d) {{pads = [1, 1, 1, 1], strides = [2, 2], groups = 48}}
      %r = reshape(%0) {{shape = [1, 3, 16, 5, 6]}}
      {GIVEN}
      return %y }}""",
    "separable": f"""graph @f(%x5: tensor<1x4x7x9x16xf16>, %d: tensor<64x1x3x3xf16> {{weight}},
                             %p: tensor<32x64x1x1xf16> {{weight}}) {{
      {TAKEN}
      %x = reshape(%t) {{shape = [1, 64, 7, 9]}}
      %0 = conv2d(%x, %d) {{pads = [1, 1, 1, 1], groups = 64, fuse = a}}
      %1 = relu(%0) {{fuse = a}}
      %2 = conv2d(%1, %p) {{fuse = a}}
      %r = reshape(%2) {{shape = [1, 2, 16, 7, 9]}}
      {GIVEN}
      return %y }}""",
    "matrices": """graph @f(%xz: tensor<4x37x16xf16>, %w: tensor<64x80xf16> {weight}, %b: tensor<80xf16>) {
      %t = transpose(%xz) {perm = [1, 0, 2]}
      %x = reshape(%t) {shape = [37, 64]}
      %0 = matmul(%x, %w) {fuse = a}
      %1 = add(%0, %b) {fuse = a}
      %r = reshape(%1) {shape = [37, 5, 16]}
      %y = transpose(%r) {perm = [1, 0, 2]}
      return %y }""",
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("graph", GRAPHS)
def test_one_kernel(graph: str, chip: str):
    program, result = check(GRAPHS[graph], chip)
    assert len(result.profile.kernels) == 1
    if chip == "ascend910":  # the only transposes of blocks would be those of a layout
        assert not any(op.name == "ascend.transpose" for op in program.module.walk())


@pytest.mark.parametrize("chip", CHIPS)
def test_a_tensor_that_is_needed_in_rows_too(chip: str):
    """One kernel puts it into rows for the op that takes them."""
    text = f"""graph @f(%x5: tensor<1x3x9x11x16xf16>, %w: tensor<32x48x1x1xf16> {{weight}}) {{
      {TAKEN}
      %x = reshape(%t) {{shape = [1, 48, 9, 11]}}
      %0 = conv2d(%x, %w)
      %1 = exp(%x)
      return %0, %1 }}"""
    program, _ = check(text, chip)
    assert [source.ops for source in program.kernel_sources] == [
        ("graph.transpose",),
        ("graph.conv2d",),
        ("graph.exp",),
    ]


APART = {
    "twice": f"""graph @f(%x: tensor<2x16x9x11xf16>, %w: tensor<48x16x3x3xf16> {{weight}}) {{
      %0 = conv2d(%x, %w) {{pads = [1, 1, 1, 1]}}
      %s = reshape(%0) {{shape = [2, 3, 16, 9, 11]}}
      %z = transpose(%s) {{perm = [1, 0, 3, 4, 2]}}
      %r = reshape(%0) {{shape = [2, 3, 16, 9, 11]}}
      {GIVEN}
      return %y, %z }}""",
    "through": """graph @f(%xz: tensor<4x37x16xf16>) {
      %t = transpose(%xz) {perm = [1, 0, 2]}
      %x = reshape(%t) {shape = [37, 64]}
      %r = reshape(%x) {shape = [37, 4, 16]}
      %y = transpose(%r) {perm = [1, 0, 2]}
      %0 = relu(%x)
      return %y, %0 }""",
    "alike": """graph @f(%x: tensor<37x64xf16>, %w: tensor<64x64xf16> {weight}) {
      %0 = matmul(%x, %w)
      %1 = softmax(%0)
      %r = reshape(%1) {shape = [37, 4, 16]}
      %y = transpose(%r) {perm = [1, 0, 2]}
      %s = reshape(%1) {shape = [37, 4, 16]}
      %z = transpose(%s) {perm = [1, 0, 2]}
      return %y, %z }""",
}


@pytest.mark.parametrize("chip", ("ascend910", "ascend910b"))
@pytest.mark.parametrize("graph", APART)
def test_blocks_that_cannot_stay(graph: str, chip: str):
    """One tensor given in two ways, an argument given as it was taken, rows that are wanted in blocks twice."""
    check(APART[graph], chip)

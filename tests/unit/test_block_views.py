"""Which transposes and reshapes of a graph say that its tensors lie in blocks."""

from collections.abc import Sequence

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from ascend_opt.compiler.pipeline.read_module import choose_function
from ascend_opt.compiler.text.graph_text import parse_graph_text
from ascend_opt.dialects.attributes import integers
from ascend_opt.dialects.graph import ReshapeOp, TransposeOp
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.tile import BLOCK, LayoutAttr, layout_of, physical_shape
from ascend_opt.passes.fusion.cost_model import cost_model
from ascend_opt.passes.fusion.interface_layouts import fold_views, unfold
from ascend_opt.passes.fusion.layout_rules import with_layout


def taken(
    source: Sequence[int], perm: Sequence[int], shape: Sequence[int], *, weight: bool = False
) -> FuncOp:
    """A graph that takes an argument's blocks apart."""
    text = f"""graph @f(%a: tensor<{"x".join(map(str, source))}xf16>{" {weight}" if weight else ""}) {{
      %t = transpose(%a) {{perm = {list(perm)}}}
      %x = reshape(%t) {{shape = {list(shape)}}}
      %y = relu(%x)
      return %y }}"""
    return choose_function(parse_graph_text(text), "f")


def given(source: Sequence[int], shape: Sequence[int], perm: Sequence[int], then: str = "") -> FuncOp:
    """A graph whose result is made of blocks."""
    text = f"""graph @f(%a: tensor<{"x".join(map(str, source))}xf16>) {{
      %x = relu(%a)
      %r = reshape(%x) {{shape = {list(shape)}}}
      %y = transpose(%r) {{perm = {list(perm)}}}
      {then or "return %y"} }}"""
    return choose_function(parse_graph_text(text), "f")


TAKEN = (
    ((1, 2, 5, 7, 16), (0, 1, 4, 2, 3), (1, 32, 5, 7), LayoutAttr.get(1, (0, 1, 2, 3))),
    ((4, 37, 16), (1, 0, 2), (37, 64), LayoutAttr.get(1, (1, 0))),
    ((3, 4, 37, 16), (0, 2, 1, 3), (3, 37, 64), LayoutAttr.get(2, (0, 2, 1))),
    ((5, 2, 7, 3, 16), (3, 0, 1, 4, 2), (3, 5, 32, 7), LayoutAttr.get(2, (1, 2, 3, 0))),
)
"""NC1HWC0, NZ, NZ of a batch, and dimensions in an order of nobody's."""
GIVEN = (
    ((1, 32, 5, 7), (1, 2, 16, 5, 7), (0, 1, 3, 4, 2), LayoutAttr.get(1, (0, 1, 2, 3))),
    ((37, 64), (37, 4, 16), (1, 0, 2), LayoutAttr.get(1, (1, 0))),
    ((3, 5, 32, 7), (3, 5, 2, 16, 7), (1, 2, 4, 0, 3), LayoutAttr.get(2, (1, 2, 3, 0))),
)


def _bytes(x: np.ndarray, layout: LayoutAttr) -> np.ndarray:
    """An array as it lies in GM with a layout, element by element."""
    shape = [n // BLOCK if d == layout.blocked else n for d, n in enumerate(x.shape)]
    found = np.empty([*(shape[d] for d in layout.dims), BLOCK], x.dtype)
    for at in np.ndindex(*x.shape):
        outer = [at[d] // BLOCK if d == layout.blocked else at[d] for d in layout.dims]
        found[(*outer, at[layout.blocked] % BLOCK)] = x[at]
    return found


@pytest.mark.parametrize("source, perm, shape, layout", TAKEN)
def test_an_argument_in_blocks(
    source: tuple[int, ...], perm: tuple[int, ...], shape: tuple[int, ...], layout: LayoutAttr
):
    """The layout is that with which the argument's bytes are those of the reshape's result."""
    a = np.arange(np.prod(source)).reshape(source)
    assert np.array_equal(_bytes(a.transpose(perm).reshape(shape), layout), a)
    function = taken(source, perm, shape)
    (view,) = fold_views(function)
    assert view.argument and view.layout == layout
    assert physical_shape(with_layout(view.value, layout)) == source
    assert not any(isinstance(op, ReshapeOp | TransposeOp) for op in function.body.block.ops)


@pytest.mark.parametrize("source, parts, perm, layout", GIVEN)
def test_a_result_in_blocks(
    source: tuple[int, ...], parts: tuple[int, ...], perm: tuple[int, ...], layout: LayoutAttr
):
    x = np.arange(np.prod(source)).reshape(source)
    assert np.array_equal(_bytes(x, layout), x.reshape(parts).transpose(perm))
    function = given(source, parts, perm)
    (view,) = fold_views(function)
    assert not view.argument and view.layout == layout
    assert not any(isinstance(op, ReshapeOp | TransposeOp) for op in function.body.block.ops)


@pytest.mark.parametrize("case", (*TAKEN, *GIVEN))
def test_unfolded_ops_are_those_of_the_graph(
    case: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], LayoutAttr],
):
    function = taken(*case[:3]) if case in TAKEN else given(*case[:3])

    def ops() -> list[tuple[str, tuple[int, ...]]]:
        found = (op for op in function.body.block.ops if isinstance(op, ReshapeOp | TransposeOp))
        return [
            (op.name, tuple(integers(op.perm if isinstance(op, TransposeOp) else op.shape))) for op in found
        ]

    before = ops()
    (view,) = fold_views(function)
    unfold(view)
    function.verify()
    assert ops() == before and len(before) == 2


def test_pricing_leaves_the_tensors_row_major():
    """The argument lies in blocks only while a group is priced that takes it so, which makes the group cheaper."""
    text = """graph @f(%a: tensor<1x4x28x28x16xf16>, %w: tensor<64x64x1x1xf16> {weight}) {
      %t = transpose(%a) {perm = [0, 1, 4, 2, 3]}
      %x = reshape(%t) {shape = [1, 64, 28, 28]}
      %y = conv2d(%x, %w)
      return %y }"""
    function = choose_function(parse_graph_text(text), "f")
    views = fold_views(function)
    (op,) = (op for op in function.body.block.ops if op.name == "graph.conv2d")
    before = op.operands[0].type
    costs = [cost_model(function, load_target("ascend910"), given).known((op,)) for given in (views, [])]
    assert op.operands[0].type == before and layout_of(before) is None
    blocked, rows = costs
    assert blocked is not None and rows is not None and blocked.time_us < rows.time_us


@pytest.mark.parametrize(
    "function",
    (
        taken((4, 37, 8), (1, 0, 2), (37, 32)),
        taken((16, 37, 16), (2, 1, 0), (16, 592)),
        taken((4, 37, 16), (1, 0, 2), (37, 4, 16)),
        taken((4, 36, 16), (1, 0, 2), (18, 128)),
        taken((4, 37, 16), (2, 0, 1), (64, 37)),
        taken((4, 37, 16), (1, 0, 2), (37, 64), weight=True),
        given((37, 64), (37, 16, 4), (1, 0, 2)),
        given((37, 64), (37, 4, 16), (2, 0, 1)),
        given((37, 64), (37, 8, 8), (1, 0, 2)),
        given((37, 64), (37, 2, 2, 16), (1, 2, 0, 3)),
        given((16, 64), (4, 16, 16), (0, 2, 1)),
        given((37, 64), (37, 4, 16), (1, 0, 2), "%z = relu(%y)\nreturn %z"),
    ),
)
def test_other_ops_stay(function: FuncOp):
    """Blocks of 8, blocks that are taken from another place or go to another one, a weight, a tensor in the middle."""
    before = str(function)
    assert fold_views(function) == []
    assert str(function) == before

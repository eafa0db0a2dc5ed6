"""`tile.stream`: what its verifier refuses, what it means, and which groups become one."""

from collections.abc import Callable

import numpy as np
import pytest
from stored_tiles import kernel_of, stored_tiles
from xdsl.utils.exceptions import VerifyException

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import tile
from ascend_opt.dialects.tile import TileType, tile_type
from ascend_opt.dialects.tile.chunks import YieldOp
from ascend_opt.passes.support.values import DTYPES

ROW = TileType.get((4, 1), DTYPES["f32"], "ub")


def streamed(
    count: int = 1, first: int = 0, end: int = 64, step: int = 32, kind: TileType = ROW
) -> tile.StreamOp:
    values = [tile.VecOp("vdup", [], kind, 0.0).result for _ in range(count)]
    return tile.StreamOp(values, first, end, step)


def yields(op: tile.StreamOp, *places: int) -> tile.StreamOp:
    op.body.block.add_op(YieldOp(*(op.carried[i] for i in places)))
    return op


def test_a_stream_verifies():
    yields(streamed(2), 0, 1).verify()
    assert streamed(end=96).parts == 3


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: yields(streamed(end=70), 0), r"parts of 32 do not make up \[0, 70\)"),
        (lambda: yields(streamed(end=0), 0), "do not make up"),
        (lambda: yields(streamed(2), 0), "yields the 2 carried tiles"),
        (lambda: yields(streamed(2), 1, 0), "takes no other one's place"),
        (
            lambda: yields(streamed(kind=TileType.get((16, 16), DTYPES["f32"], "l0c", (1, 0), 1)), 0),
            "carried tiles are in ub, not in l0c",
        ),
    ],
)
def test_a_wrong_stream_says_what_is_wrong(make: Callable[[], tile.StreamOp], reason: str):
    with pytest.raises(VerifyException, match=reason):
        make().verify()


def test_other_types_are_refused():
    op = streamed()
    other = tile.VecOp("vdup", [], TileType.get((4, 1), DTYPES["f16"], "ub"), 0.0)
    op.body.block.add_ops([other, YieldOp(other.result)])
    with pytest.raises(VerifyException, match="one type before, in and after"):
        op.verify()


@pytest.mark.parametrize(
    ("dims", "shape", "reason"),
    [
        ((0, 1), (4, 1), None),
        ((0,), (4,), None),
        ((1,), (1,), "leave out more than one element"),
        ((1, 0), (1, 4), "of a tile of rank 2"),
        ((0,), (5,), "are not"),
    ],
)
def test_squeeze(dims: tuple[int, ...], shape: tuple[int, ...], reason: str | None):
    source = tile.VecOp("vdup", [], ROW, 0.0).result
    op = tile.SqueezeOp(source, dims, TileType.get(shape, DTYPES["f32"], "ub"))
    if reason is None:
        op.verify()
        return
    with pytest.raises(VerifyException, match=reason):
        op.verify()


TEXT = """graph @f(%q: tensor<2x40x32xf16>, %k: tensor<2x75x32xf16>, %v: tensor<2x75x16xf16>) {
  %y = attention(%q, %k, %v)
  return %y
}"""


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1"])
def test_tiles_in_numpy_make_the_result(chip: str):
    """The tile level means what the graph says, whatever the instructions are: every tile of the grid."""
    program = ascend_opt.compile(TEXT, target=chip, tune=1)
    rng = np.random.default_rng(0)
    inputs = {name: rng.standard_normal(t.shape).astype(np.float16) for name, t in program.inputs.items()}
    (expected,) = program.reference(inputs).values()
    kernel = kernel_of(program)
    assert any(isinstance(op, tile.StreamOp) for op in kernel.walk())
    tensors = [inputs[value.name_hint or ""] for value in kernel.inputs]
    stored = stored_tiles(kernel, tensors, expected.shape)
    np.testing.assert_allclose(stored, expected, atol=4e-3, rtol=4e-3)


def test_what_is_carried_has_one_number_a_row_and_the_sums():
    """The largest score, the sum of weights, the sum of weighted rows of v."""
    program = ascend_opt.compile(TEXT, target="ascend910b1", tune=1)
    stream = next(op for op in compile_until(program, "tile").walk() if isinstance(op, tile.StreamOp))
    shapes = [tile_type(a).get_shape() for a in stream.carried]
    rows = shapes[0][1]
    assert shapes == [(1, rows, 1, 1), (1, rows, 1, 1), (1, rows, 16)]


@pytest.mark.parametrize(
    ("between", "reason"),
    [
        ("%2 = softmax(%1) {axis = 1}\n  %p = relu(%2)", "more than the rows"),
        ("%2 = softmax(%1)\n  %p = relu(%2)", "what follows graph.softmax is no product"),
        ("%2 = layer_norm(%1)\n  %p = relu(%2)", "whole rows"),
    ],
)
def test_what_does_not_compose_says_why(between: str, reason: str):
    text = f"""graph @f(%q: tensor<2x40x32xf16>, %k: tensor<2x75x32xf16>, %v: tensor<2x75x16xf16>) {{
  %1 = matmul(%q, %k) {{transpose_b = true}}
  {between}
  %y = matmul(%p, %v)
  return %y
}}"""
    program = ascend_opt.compile(text, target="ascend910b1", tune=1)
    assert reason in program.report()
    assert len(program.time().kernels) > 1

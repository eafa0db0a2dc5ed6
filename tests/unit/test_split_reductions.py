"""Reductions of few long rows: into which two they are split, and which stay as they are."""

import pytest

from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.graph.reduction import ReduceOp
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.graph_split_reductions import split_reductions
from ascend_opt.passes.support.values import shape_of


def reductions(shape: str, axes: str, body: str = "%y = {}", kind: str = "reduce_sum") -> list[ReduceOp]:
    ops = body.format(f"{kind}(%x) {{axes = {axes}}}")
    text = f"graph @f(%x: tensor<{shape}xf16>) {{\n  {ops}\n  return %y\n}}"
    function = choose_function(read_module(text).module, None)
    split_reductions(function, load_target("ascend910"))
    function.verify()
    return [op for op in function.body.block.ops if isinstance(op, ReduceOp)]


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("shape", "axes"), [("1024x2048", [0, 1]), ("4x300000", [1]), ("2x65536x8", [1]), ("65536x32", [0])]
)
@pytest.mark.parametrize("kind", ["reduce_sum", "reduce_max"])
def test_elements_beside_each_other_are_reduced_first(shape: str, axes: list[int], kind: str):
    """A part is a run of the dimension that is split, with all of the others that are reduced; one result each."""
    first, second = reductions(shape, str(axes), kind=kind)
    assert first.parent is not None and first.parent.args[0].has_one_use()  # nothing that was tried is left
    given, parts = shape_of(first.x), shape_of(second.x)
    whole = [int(n) for n in shape.split("x")]
    at = next(d for d, n in enumerate(whole) if given[d] != n)  # the dimension that is split
    assert at in axes and given[at] * given[at + 1] == whole[at]
    assert list(parts) == [n for d, n in enumerate(given) if d == at or d - (d > at) not in axes]
    assert len(shape_of(second.results[0])) == len(whole) - len(axes)
    assert str(second.x.type).endswith("xf32>") == (kind == "reduce_sum")


@pytest.mark.parametrize(
    ("shape", "axes", "body"),
    [
        ("64x64", "[0, 1]", "%y = {}"),
        ("1024x2048", "[1]", "%y = {}"),
        ("1024x2048", "[0, 1]", "%x2 = exp(%x)\n  %y = reduce_sum(%x2) {{axes = [0, 1]}}"),
        ("1024x2048", "[0, 1]", "%z = {}\n  %y = sub(%x, %z)"),
        ("1024x2048", "[0, 1]", "%y = reduce_sum(%x) {{axes = [0, 1], nofuse}}"),
    ],
    ids=["short", "many rows", "computed", "used beside it", "marked"],
)
def test_what_stays_one_reduction(shape: str, axes: str, body: str):
    assert len(reductions(shape, axes, body)) == 1

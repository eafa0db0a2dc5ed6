"""A `?` of a graph whose size is stated: the same graph with that size in its place, or one clear message."""

from pathlib import Path

import numpy as np
import pytest

import ascend_opt
from ascend_opt.tools.ascend_opt import main as run_tool
from ascend_opt.tools.ascend_run import main as ascend_run

OPEN = """
graph @f(%x: tensor<?x64xf16>, %w: tensor<64x32xf16> {weight}, %r: tensor<?x32xf16>) {
  %a = matmul(%x, %w)
  %y = add(%a, %r)
  return %y
}"""
IMAGES = """
graph @g(%x: tensor<1x16x?x?xf16>, %w: tensor<32x16x3x3xf16> {weight}) {
  %y = conv2d(%x, %w) {pads = [1, 1, 1, 1], strides = [2, 2]}
  return %y
}"""


def test_it_is_the_graph_of_that_size() -> None:
    stated = ascend_opt.compile(OPEN, dims={"x:0": 8})
    written = ascend_opt.compile(OPEN.replace("?", "8"))
    assert str(stated.module) == str(written.module)
    x, w, r = np.ones((8, 64)), np.ones((64, 32)), np.ones((8, 32))
    assert stated.run(x=x, w=w, r=r).outputs["output0"].shape == (8, 32)


def test_any_of_its_places_will_do() -> None:
    one, other, both = (
        ascend_opt.compile(OPEN, dims=d) for d in ({"x:0": 8}, {"r:0": 8}, {"x:0": 8, "r:0": 8})
    )
    assert str(one.module) == str(other.module) == str(both.module)


def test_a_dimension_that_is_not_the_first() -> None:
    program = ascend_opt.compile(IMAGES, dims={"x:2": 32})
    assert program.inputs["x"].shape == (1, 16, 32, 32)
    assert str(program.module) == str(ascend_opt.compile(IMAGES.replace("?", "32")).module)


def test_a_module_is_not_changed() -> None:
    from xdsl.dialects.builtin import ModuleOp

    module = ascend_opt.compile(OPEN).graph_module
    assert isinstance(module, ModuleOp)
    before = str(module)
    assert ascend_opt.compile(module, dims={"x:0": 4}).inputs["x"].shape == (4, 64)
    assert str(module) == before


@pytest.mark.parametrize(
    ("dims", "reason"),
    [
        ({"X:0": 8}, "no graph has a dimension 'X:0'; did you mean 'x:0'?"),
        ({"batch": 8}, "no graph has a dimension 'batch': dynamic (?) is x:0, r:0"),
        ({"x:1": 8}, "dimension 'x:1' is 64 in the graph, not 8; only one that is ? takes other sizes"),
        ({"x:0": 8, "r:0": 4}, "all ? of a graph are one size, not x:0=8 and r:0=4"),
        ({"x:0": 0}, "the size of dimension 'x:0' is a whole number, 1 or more, not 0"),
    ],
)
def test_what_cannot_be_stated(dims: dict[str, int], reason: str) -> None:
    with pytest.raises(ascend_opt.CompileError) as error:
        ascend_opt.compile(OPEN, dims=dims)
    assert reason in str(error.value)


def test_an_op_that_cannot_be_at_a_size_says_where() -> None:
    with pytest.raises(ascend_opt.CompileError, match=r"where \? is 1"):
        ascend_opt.compile(
            IMAGES.replace("3x3", "5x5").replace("[1, 1, 1, 1]", "[0, 0, 0, 0]"), dims={"x:2": 1}
        )


def test_static_and_lowered_modules(tmp_path: Path) -> None:
    static = OPEN.replace("?", "8")
    assert ascend_opt.compile(static, dims={"x:0": 8}).inputs["x"].shape == (8, 64)
    with pytest.raises(ascend_opt.CompileError, match=r"no graph has a dimension 'n': none of @f is dynamic"):
        ascend_opt.compile(static, dims={"n": 8})
    lowered = ascend_opt.compile(static).module
    with pytest.raises(ascend_opt.CompileError, match="'x:0': the module is past the graph level"):
        ascend_opt.compile(lowered, dims={"x:0": 8})


def test_the_tools_take_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "f.mlir"
    path.write_text(OPEN, encoding="utf-8")
    assert run_tool([str(path), "--dim", "x:0=8"]) == 0
    found = capsys.readouterr()
    assert "%x: tensor<8x64xf16>" in found.out and "?" not in found.out and not found.err
    assert run_tool([str(path), "--dim", "y:0=8"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert ascend_run([str(path), "--tune", "1", "--dim", "x:0=8", "--check"]) == 0
    assert not capsys.readouterr().err

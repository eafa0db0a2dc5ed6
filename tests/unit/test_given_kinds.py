"""Arguments of the Python API that are of no kind that makes sense: one sentence says what they may be."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import compile_until

GRAPH = "graph @f(%x: tensor<4x8xf16>) {\n  %y = relu(%x)\n  return %y\n}\n"
DYNAMIC = GRAPH.replace("4x8", "?x8")
X = np.ones((4, 8))


@pytest.fixture(scope="module")
def program() -> ascend_opt.Program:
    return ascend_opt.compile(GRAPH)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tune": "4"}, "tune is a whole number, not '4'"),
        ({"tune": True}, "tune is a whole number, not True"),
        ({"min_gain": "x"}, "min_gain is a number, not 'x'"),
        ({"layouts": "no"}, "layouts is True or False, not 'no'"),
        ({"join_launches": None}, "join_launches is True or False, not None"),
        ({"reports": 0}, "reports is True or False, not 0"),
        ({"marks": "%y {tile = [8]}"}, "marks is a sequence of texts, not '%y {tile = [8]}'"),
        ({"marks": [5]}, "marks is a sequence of texts, not [5]"),
        ({"plan": {}}, "plan is a plan or the path of one, not {}"),
        ({"store": 5}, "store is the path of a file, not 5"),
        ({"dynamic_sizes": 4}, "dynamic_sizes is a sequence of whole numbers, not 4"),
        ({"dynamic_sizes": {1, 8}}, "dynamic_sizes is a sequence of whole numbers, not {8, 1}"),
        ({"dynamic_range": "1-64"}, "dynamic_range is a sequence of whole numbers, not '1-64'"),
        ({"max_loss": "x"}, "max_loss is a number, not 'x'"),
        ({"precision": 16}, "precision is a text, not 16"),
        ({"precision_of": ["a"]}, "precision_of is a mapping of names to texts, not ['a']"),
        ({"dims": ["x:0"]}, "dims is a mapping of names to values, not ['x:0']"),
        ({"jobs": 1.5}, "jobs is a whole number, not 1.5"),
        ({"after_pass": 5}, "after_pass is a function, not 5"),
        ({"warn": "w" * 50}, "warn is a function, not a value of type str"),
        ({"graph": 5}, "graph is a text, not 5"),
    ],
)
def test_options_of_compile(given: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError) as raised:
        ascend_opt.compile(GRAPH, **given)
    assert str(raised.value) == message


def test_numbers_of_numpy_are_numbers() -> None:
    given: dict[str, Any] = {
        "tune": np.int64(1),
        "min_gain": np.float32(0.25),
        "dynamic_sizes": np.array([8, 1]),
        "jobs": np.int8(1),
    }
    program = ascend_opt.compile(DYNAMIC, **given)
    assert program.run_sizes == (1, 8) and program.fusion == {"min-gain": 0.25}
    sizes: Any = {"x:0": np.int64(5)}
    assert ascend_opt.compile(DYNAMIC, dims=sizes).inputs["x"].shape == (5, 8)
    eight: Any = np.int32(8)
    assert program.time(eight).total_us == program.time(8).total_us


CALLS: list[tuple[Callable[[Any], object], str]] = [
    (lambda p: p.run(x=X, traced_cores=-1), "traced_cores is a whole number of 0 or more, not -1"),
    (lambda p: p.run(x=X, values="no"), "values is True or False, not 'no'"),
    (lambda p: p.run(x=X, warm=1), "warm is True or False, not 1"),
    (lambda p: p.run(x=X, watch=5), "watch is an object with before and after, not 5"),
    (lambda p: p.time("4"), "size is a whole number, not '4'"),
    (lambda p: p.save(5), "path is the path of a file, not 5"),
    (lambda p: ascend_opt.load(None), "path is the path of a file, not None"),  # pyright: ignore
    (lambda p: ascend_opt.from_onnx(5), "source is the path of a model or a model, not 5"),  # pyright: ignore
]


@pytest.mark.parametrize(("call", "message"), CALLS)
def test_other_calls(program: ascend_opt.Program, call: Callable[[Any], object], message: str) -> None:
    with pytest.raises(TypeError) as raised:
        call(program)
    assert str(raised.value) == message


def test_inputs_are_checked_where_only_time_runs(program: ascend_opt.Program) -> None:
    with pytest.raises(ascend_opt.ProgramError, match="there is no input 'sise'; @f takes x"):
        program.run(values=False, sise=4)
    dynamic = ascend_opt.compile(DYNAMIC)
    rows = np.ones((4096, 8), np.float16)
    assert dynamic.run(values=False, x=rows).profile.total_us == dynamic.time(4096).total_us
    with pytest.raises(ascend_opt.ProgramError, match="is 4096 in the inputs, not 3"):
        dynamic.run(values=False, size=3, x=rows)


def test_a_reference_takes_inputs_by_name(program: ascend_opt.Program) -> None:
    with pytest.raises(ascend_opt.ProgramError, match="inputs go by name"):
        program.reference(X)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("empty", [{"source": ""}, {"source": GRAPH, "target": ""}])
def test_empty_names_are_no_defaults(empty: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"empty|unknown target ''"):
        ascend_opt.compile(**empty)


def test_levels(program: ascend_opt.Program) -> None:
    with pytest.raises(ValueError, match="level is one of graph, tile, ascend, not 'foo'"):
        compile_until(program, "foo")  # pyright: ignore[reportArgumentType]


def test_paths_may_be_texts_or_paths(program: ascend_opt.Program, tmp_path: Path) -> None:
    program.save(tmp_path / "a.program")
    assert ascend_opt.load(str(tmp_path / "a.program")).name == "f"

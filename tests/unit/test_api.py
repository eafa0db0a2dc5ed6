"""The Python API: compile, run, save, load."""

# pyright: basic

from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
from small_graphs import LINEAR, SCALE
from xdsl.printer import Printer

import ascend_opt
from ascend_opt.compiler.api import CompileError, Program, compile_until
from ascend_opt.compiler.checks.run_check import check_outputs, coarsest_types, relative_error
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.read_module import choose_function
from ascend_opt.dialects.target import DEFAULT_TARGET
from ascend_opt.runtime.support.hazard import HazardError, ProgramError
from ascend_opt.tools.ascend_opt import main as opt


@pytest.fixture
def linear() -> Program:
    return ascend_opt.compile(LINEAR)


@pytest.fixture
def inputs(linear):
    return seeded_inputs(linear.inputs, 0)


def kernels(program: Program) -> list[tuple[str, ...]]:
    return [kernel.ops for kernel in program.time().kernels]


def text(module) -> str:
    from io import StringIO

    stream = StringIO()
    Printer(stream).print_op(module)
    return stream.getvalue()


# Compiling


def test_fused_and_unfused_give_the_graphs_values(linear, inputs):
    unfused = ascend_opt.compile(LINEAR, fuse=False)
    assert kernels(linear) == [("graph.matmul", "graph.add", "graph.leaky_relu")]
    assert kernels(unfused) == [("graph.matmul",), ("graph.add",), ("graph.leaky_relu",)]
    for program in (linear, unfused):
        result, reference = program.run(inputs), program.reference(inputs)
        assert list(result.outputs) == list(reference) == ["output0", "output1"]
        assert result.outputs["output0"].dtype == np.float16
        assert 0 < relative_error(result.outputs["output0"], reference["output0"]) < 3e-3
        np.testing.assert_array_equal(result.outputs["output1"], inputs["x"])


def test_programs_and_results_are_keys(linear, inputs):
    """Each is equal to itself alone: those who embed the compiler keep them in dictionaries."""
    result, other = linear.run(inputs), ascend_opt.compile(LINEAR)
    known = {linear: "first", other: "second", result: "its result"}
    assert (known[linear], known[other], known[result]) == ("first", "second", "its result")


def test_a_file_a_text_and_a_module_are_the_same_to_it(tmp_path, linear):
    path = tmp_path / "linear.mlir"
    path.write_text(LINEAR)
    for source in (path, str(path), linear.graph_module):
        program = ascend_opt.compile(source)
        assert program.name == "linear"
        assert text(program.module) == text(linear.module)


def test_the_given_module_is_not_changed(linear):
    before = text(linear.graph_module)
    ascend_opt.compile(linear.graph_module)
    assert text(linear.graph_module) == before


def test_the_target_is_that_of_the_call_the_module_or_the_default(linear):
    assert linear.target.name == DEFAULT_TARGET == "ascend910b"
    program = ascend_opt.compile(SCALE, "ascend310p")
    assert ascend_opt.compile(program.module).target.name == "ascend310p"
    with pytest.raises(
        CompileError, match="was lowered for ascend310p, not for ascend910; start from its graph"
    ):
        ascend_opt.compile(program.module, "ascend910")


def test_one_of_several_graphs(linear):
    both = LINEAR + SCALE
    assert ascend_opt.compile(both, graph="scale").inputs.keys() == {"x"}
    with pytest.raises(CompileError, match=r"2 graphs \(@linear, @scale\): say which one to run"):
        ascend_opt.compile(both)
    with pytest.raises(CompileError, match=r"no graph @scales.* did you mean 'scale'"):
        ascend_opt.compile(both, graph="scales")


def test_each_pass_is_timed_and_shown():
    seen: list[str] = []
    program = ascend_opt.compile(SCALE, after_pass=lambda name, seconds, module: seen.append(name))
    assert seen == [name for name, _ in program.timings]
    assert seen[-1] == "ascend-join-vectors"
    assert all(seconds >= 0 for _, seconds in program.timings)
    assert "ascend.copy" not in text(compile_until(program, "tile"))


def test_reports_say_what_fused(linear):
    assert "matmul + add + leaky_relu" in linear.report()


class NoNumpy:
    """As a tensor of PyTorch in bf16."""

    def __array__(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("bf16 is no type of numpy")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("graph @f(%x: tensor<4xf16>) {\n  return %y\n}", r"^<string>:2:10: error: unknown value '%y'\n"),
        ("nothing.mlir", r"^error: cannot open 'nothing.mlir': No such file"),
        ("\n", r"error: the file is empty"),
        ("builtin.module {\n}", r"the module has no graph to run"),
    ],
)
def test_mistakes_are_compile_errors(source, message):
    with pytest.raises(CompileError, match=message):
        ascend_opt.compile(source)


def test_unknown_targets_are_compile_errors():
    with pytest.raises(CompileError, match="did you mean 'ascend910'"):
        ascend_opt.compile(SCALE, "ascend91")


# Inputs


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"b": None}, r"input 'b' is missing; @linear takes x, w, b"),
        ({"bb": np.zeros(64)}, r"there is no input 'bb'; did you mean 'b'\?"),
        ({"other": np.zeros(64)}, r"there is no input 'other'; @linear takes x, w, b"),
        ({"x": np.zeros((64, 127))}, r"input 'x' must have shape 64x128, got 64x127"),
        ({"x": np.zeros(64 * 128)}, r"input 'x' must have shape 64x128, got 8192"),
        ({"x": "text"}, r"input 'x' must hold real numbers"),
        ({"x": [[1], [1, 2]]}, r"input 'x' is no array"),
        ({"x": NoNumpy()}, r"input 'x' is no array: bf16 is no type of numpy"),
        ({"x": np.zeros((64, 128), complex)}, r"input 'x' must hold real numbers"),
    ],
)
def test_wrong_inputs_are_named(linear, inputs, change, message):
    given = {name: value for name, value in {**inputs, **change}.items() if value is not None}
    with pytest.raises(ProgramError, match=message):
        linear.run(given)


def test_inputs_are_rounded_to_their_storage_type():
    program = ascend_opt.compile(SCALE)
    x = np.full(4096, 1 + 2**-11 + 2**-20)  # a little more than half way between two f16 numbers
    np.testing.assert_array_equal(program.run(x=x).outputs["output0"], np.float16(3 * (1 + 2**-10)))
    big = program.run(x=np.full(4096, 1e6)).outputs["output0"]
    assert np.isinf(big).all() if program.target.overflow == "inf" else (big == 65504).all()


def test_weights_are_prepared_once_and_again_when_they_change(linear, inputs, monkeypatch):
    calls: list[int] = []
    prepare = linear._emulator.prepare
    monkeypatch.setattr(linear._emulator, "prepare", lambda *a: calls.append(1) or prepare(*a))
    first = linear.run(inputs).outputs["output0"]
    np.testing.assert_array_equal(linear.run({**inputs, "w": inputs["w"].copy()}).outputs["output0"], first)
    assert len(calls) == 1
    inputs["w"] *= 2  # in place: what counts are the values
    assert not np.array_equal(linear.run(inputs).outputs["output0"], first)
    assert len(calls) == 2


def test_bound_weights_need_not_be_given(linear, inputs):
    expected = linear.run(inputs).outputs["output0"]
    linear.bind(w=inputs["w"], b=inputs["b"])
    np.testing.assert_array_equal(linear.run(x=inputs["x"]).outputs["output0"], expected)
    with pytest.raises(ProgramError, match="there is no input 'v'"):
        linear.bind(v=inputs["w"])


def test_time_alone_is_that_of_a_run_with_values(linear, inputs):
    assert linear.time() == linear.run(inputs).profile
    assert linear.run(values=False).outputs == {}


def test_a_trace_is_written_for_the_cores_asked_for(linear, inputs, tmp_path):
    import json

    linear.run(inputs, traced_cores=1).save_trace(tmp_path / "t.json")
    events = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    assert {event["ph"] for event in events} == {"M", "X"}
    assert {event["pid"] for event in events} == {0, 1}


# Files


# Programs that came lowered


def test_an_ascend_module_runs_as_it_stands(linear, inputs):
    program = ascend_opt.compile(text(linear.module))
    assert program.graph_module is None
    assert set(program.inputs) == {"x", "w", "b"}
    np.testing.assert_array_equal(
        program.run(inputs).outputs["output0"], linear.run(inputs).outputs["output0"]
    )
    with pytest.raises(ProgramError, match="no graph to compare it with"):
        program.reference(inputs)


def test_its_hazards_are_found(linear, inputs):
    module = linear.module.clone()
    flag = next(op for op in module.walk() if op.name == "ascend.wait_flag")
    assert flag.parent is not None
    flag.parent.erase_op(flag)
    with pytest.raises(HazardError):
        ascend_opt.compile(module).run(inputs)


# The measure of errors


@pytest.mark.parametrize(
    ("actual", "expected", "overflow", "error"),
    [
        ([1, 2], [1, 2], "inf", 0),
        ([3, 4], [3, 4.5], "inf", 0.5 / np.hypot(3, 4.5)),
        ([0, 0], [0, 0], "inf", 0),
        ([1, 0], [0, 0], "inf", np.inf),
        ([np.inf, 1], [1e5, 1], "inf", 0),
        ([65504, 1], [1e5, 1], "inf", np.inf),
        ([-np.inf, 1], [1e5, 1], "inf", np.inf),
        ([65504, 1], [1e5, 1], "saturate", 0),
        ([np.inf, 1], [65519, 1], "inf", 0),
        ([np.nan, 1], [np.nan, 1], "inf", 0),
        ([np.nan, 1], [0, 1], "inf", np.inf),
    ],
)
def test_relative_error(actual, expected, overflow, error):
    got = relative_error(np.array(actual, np.float16), np.array(expected, np.float32), overflow)
    assert got == pytest.approx(error)


def test_inputs_go_by_name():
    program = ascend_opt.compile("graph @f(%x: tensor<16xf16>) { %y = relu(%x) return %y }", tune=1)
    with pytest.raises(ascend_opt.ProgramError, match=r"inputs go by name, as run\(x=\.\.\.\)"):
        program.run(np.zeros(16))  # pyright: ignore[reportArgumentType]
    assert repr(program) == f"<Program @f for {DEFAULT_TARGET}: 1 kernel, inputs x>"


def test_outputs_that_cannot_be_checked_do_not_pass():
    """NaN on both sides agrees; an infinity is checked, though it does not count; something has to count."""
    array = np.array([1, 2, np.nan, np.inf], np.float16)
    (check,) = check_outputs({"o": array}, {"o": array}).values()
    assert (check.error, check.wrong, check.passed, check.failure) == (0, False, True, "")
    assert "; 1 of 4 elements are NaN, in the reference too" in check.left_out
    assert "; 1 of 4 elements are not finite and do not count" in check.left_out
    (check,) = check_outputs({"o": array[2:3]}, {"o": array[2:3]}).values()
    assert not check.passed and check.failure == f"could not be checked{check.left_out}"
    (check,) = check_outputs({"o": array[:3]}, {"o": np.array([1, 2, 3], np.float32)}).values()
    assert check.wrong and not check.passed
    array[2] = 3
    (check,) = check_outputs({"o": array}, {"o": array}).values()
    assert check.passed and check.failure == ""
    (check,) = check_outputs({"o": array[3:]}, {"o": array[3:]}).values()
    assert not check.passed and "1 of 1 elements are not finite" in check.failure
    (check,) = check_outputs({"o": array[:0]}, {"o": array[:0]}).values()
    assert check.passed
    (check,) = check_outputs({"o": array[:1]}, {"o": array[1:2]}).values()
    assert check.wrong and check.failure == "is off by 5.00e-01, its bound is 3e-03"


def test_arguments_that_make_no_sense():
    with pytest.raises(TypeError, match="not int"):
        ascend_opt.compile(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="tune is 1 or more, not 0") as error:
        ascend_opt.compile("graph @f(%x: tensor<4xf16>) { return %x }", tune=0)
    assert type(error.value) is ValueError, "not a fault of the graph"


def test_a_buffer_behind_the_end_of_its_memory(tmp_path: Path):
    text = "graph @f(%x: tensor<64x64xf16>) {\n  %y = relu(%x)\n  return %y\n}\n"
    path = tmp_path / "lowered.mlir"
    source = tmp_path / "graph.mlir"
    source.write_text(text)
    assert opt([str(source), "--fuse", "--lower", "-o", str(path)]) == 0
    lowered = path.read_text()
    assert "addresses = array<i64: 0" in lowered
    path.write_text(lowered.replace("addresses = array<i64: 0", "addresses = array<i64: 999424"))
    with pytest.raises(HazardError, match="of ub, of which ascend910b has 196608"):
        ascend_opt.compile(path).time()


def test_a_deadlock_of_two_programs_names_the_pipe_that_is_stuck(tmp_path: Path):
    """Not the flag between cores that is waited for because of it."""
    source, path = tmp_path / "graph.mlir", tmp_path / "lowered.mlir"
    source.write_text(
        "graph @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) {\n  %c = matmul(%a, %b)\n"
        "  %y = gelu(%c)\n  return %y\n}\n"
    )
    assert opt([str(source), "--fuse", "--lower", "--target=ascend910b", "-o", str(path)]) == 0
    lines = path.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if 'ascend.set_flag "MTE2" -> "MTE1"' in line)
    path.write_text("\n".join(lines[:first] + lines[first + 1 :]))
    program = ascend_opt.compile(path)
    with pytest.raises(HazardError, match="MTE1 waits for flag MTE2 -> MTE1") as caught:
        program.time()
    assert caught.value.kind == "deadlock"


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1", "ascend950"])
def test_what_is_printed_of_programs_and_results_is_short(chip: str):
    """A kernel of two programs, for Cube and Vector cores, is one kernel."""
    body = "%p = matmul(%x, %w)\n  %y = gelu(%p)\n  return %y\n"
    text = f"graph @f(%x: tensor<64x96xf16>, %w: tensor<96x32xf16>) {{\n  {body}}}"
    program = ascend_opt.compile(text, chip, tune=1)
    assert repr(program) == f"<Program @f for {chip}: 1 kernel, inputs x, w>"
    result = program.run(x=np.ones((64, 96)), w=np.ones((96, 32)), traced_cores=1)
    around = result.profile.interval_us
    known = "not validated" if around is None else f"{around[0]:.1f}-{around[1]:.1f}"
    time = f"1 kernel on {chip}: {result.profile.total_us:.1f} us ({known})"
    assert repr(result) == f"<Result of {time}, output0 64x32 float16>"
    assert repr(result.profile) == repr(program.time()) == f"<Profile of {time}>"


@pytest.mark.parametrize("body, coarsest", [
    ("%0 = cast(%x) {to = f32} %y = exp(%0)", "float32"),  # what comes in f16 is exact
    ("%0 = reshape(%x) {shape = [32]} %1 = cast(%0) {to = f32} %y = exp(%1)", "float32"),
    ("%0 = transpose(%x) {perm = [1, 0]} %1 = cast(%0) {to = f32} %y = exp(%1)", "float32"),
    ("%0 = exp(%x) %y = cast(%0) {to = f32}", "float16"),
    ("%0 = exp(%x) %1 = cast(%0) {to = f32} %2 = cast(%x) {to = f32} %y = add(%1, %2)", "float16"),
    ("%y = exp(%x)", "float16"),
])  # fmt: skip
def test_a_result_is_bounded_by_what_it_was_computed_in(body: str, coarsest: str):
    """A wider type behind a computation in f16 makes it no more exact; one before it does."""
    graph = f"graph @f(%x: tensor<4x8xf16>) {{ {body} return %y }}"
    program = ascend_opt.compile(graph, tune=1)
    assert program.graph_module is not None
    types = coarsest_types(choose_function(program.graph_module, "f"))
    assert types == [coarsest]
    x = np.linspace(-1, 1, 32).reshape(4, 8)
    found, wanted = program.run(x=x).outputs, program.reference(x=x)
    (check,) = check_outputs(found, wanted, coarsest=types).values()
    assert check.passed and check.bound == {"float16": 3e-3, "float32": 1e-4}[coarsest]
    off = {name: (array * 1.001).astype(array.dtype) for name, array in found.items()}
    (check,) = check_outputs(off, wanted, coarsest=types).values()
    assert check.passed == (coarsest == "float16")


def test_a_way_to_fuse_that_there_is_not():
    with pytest.raises(ValueError, match="fuse is True, False or 'library', not 'foo'"):
        ascend_opt.compile("graph @f(%x: tensor<16xf16>) { %y = relu(%x) return %y }", fuse="foo")  # type: ignore[arg-type]

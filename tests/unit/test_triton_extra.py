"""Triton functions through the compilers of the extra `triton`; without it only the message about that is tested."""

import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from triton_cases import CASES
from triton_sources import INSTALLED, function

from ascend_opt.triton import Overflow, TritonError, build, emulate, explain, rank

ROOT = Path(__file__).parents[2]
needs_triton = pytest.mark.skipif(not INSTALLED, reason="the extra triton is not installed")


@pytest.mark.skipif(INSTALLED, reason="the extra triton is installed")
def test_without_the_extra_a_message_says_what_to_install():
    with pytest.raises(TritonError, match=r"pip install 'ascend-opt\[triton\]'"):
        emulate(len)[1]()
    with pytest.raises(TritonError, match=r"pip install 'ascend-opt\[triton\]'"):
        rank(len, [], {}, grid=1)


def vectors(n: int = 5000) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    x, y = np.random.default_rng(0).standard_normal((2, n)).astype(np.float32)
    return x, y, np.full(n, np.nan, np.float32), n


def by_blocks(arguments: Mapping[str, Any]) -> int:
    return -(-arguments["n"] // arguments["BLOCK"])


@needs_triton
def test_a_function_runs_as_it_is_and_writes_its_outputs():
    x, y, out, n = vectors()
    profile = emulate(function("elementwise:vector_add"))[by_blocks](x, y, out, n, BLOCK=1024)
    assert np.array_equal(out, x + y)
    assert profile.kernels[0].cores == 5
    assert profile.total_us > 0


@needs_triton
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"BLOK": 8}, "vector_add takes no BLOK; did you mean BLOCK?"),
        ({"n": None, "BLOCK": ...}, "vector_add lacks BLOCK: it takes x, y, out, n, BLOCK"),
        ({"x": np.zeros((8, 8), np.float32).T}, "vector_add: x has strides (4, 32) B"),
        ({"x": [1.0, 2.0]}, "vector_add: x is a list; the emulator takes arrays of numpy"),
        ({"n": "many"}, "vector_add: n is a str; it takes an array of numpy or a number"),
        (
            {"x": np.zeros(5000, complex)},
            "vector_add: x is an array of complex128, a type that kernels have no",
        ),
        (
            {"x": np.zeros(5000, ">f4")},
            "vector_add: x is an array of >f4, a type that kernels have no pointers to",
        ),
        ({"grid": (1, 1, 1, 1)}, "a grid is one to three numbers of 1 or more"),
        ({"grid": 0}, "a grid is one to three numbers of 1 or more"),
        ({"grid": 5.0}, "a grid is one to three numbers of 1 or more, not 5.0"),
        ({"grid": (256, 256)}, "a launch has at most 65,535 blocks, not 65,536 (256,256)"),
        ({"target": "ascend910"}, "not on ascend910"),
    ],
)
def test_mistakes_of_a_launch_have_one_clear_message(change: dict[str, object], message: str):
    x, y, out, n = vectors()
    named: dict[str, object] = {"x": x, "y": y, "out": out, "n": n, "BLOCK": 1024, **change}
    grid, target = named.pop("grid", 5), str(named.pop("target", "ascend910b"))
    given = {name: value for name, value in named.items() if value is not ...}
    with pytest.raises(TritonError) as raised:
        emulate(function("elementwise:vector_add"), target=target)[grid](**given)  # type: ignore[index]
    assert message in str(raised.value)


@needs_triton
def test_what_is_read_may_be_read_only_and_what_is_written_may_not():
    x, y, out, n = vectors()
    x.flags.writeable = False
    grid: Any = np.int64(5)
    emulate(function("elementwise:vector_add"))[grid](x, y, out, n, BLOCK=1024)
    assert np.array_equal(out, x + y)
    with pytest.raises(TritonError, match="vector_add writes out, which is a read-only array"):
        out.flags.writeable = False
        emulate(function("elementwise:vector_add"))[5](x, y, out, n, BLOCK=1024)


@needs_triton
def test_configurations_are_dicts():
    with pytest.raises(TritonError, match=r"a configuration is a dict or triton\.Config, not 512"):
        rank(function("elementwise:vector_add"), [512], vectors(), grid=5)


@needs_triton
def test_an_overflow_names_the_buffers_and_the_lines_that_fill_them():
    case = CASES["chain_f16"]
    kernel = function(case.kernel.source)
    arguments = {**case.arguments((100_000,)), "BLOCK": 65536}
    with pytest.raises(Overflow) as raised:
        emulate(kernel)[2](**arguments)
    overflow = raised.value
    assert (overflow.memory, overflow.available) == ("UB", 192 * 1024)
    assert overflow.over == overflow.needed - overflow.available > 0
    assert overflow.buffers[0].what == "65536 f32"
    assert sum(b.bytes for b in overflow.buffers) > overflow.available
    lines = Path(kernel.fn.__code__.co_filename).read_text().splitlines()
    line = next(n for n, text in enumerate(lines, 1) if "tl.exp(-tl.abs" in text)
    assert any(b.place is not None and b.place[1] == line for b in overflow.buffers)
    assert "tl.exp(" in str(overflow)


@needs_triton
def test_explanations_find_the_constant_that_fits():
    case = CASES["chain_f16"]
    found = explain(function(case.kernel.source))[by_blocks](**case.arguments((100_000,)), BLOCK=65536)
    assert found.overflow is not None
    assert [one.name for one in found.smaller] == ["BLOCK"]
    assert found.smaller[0].value < 65536
    fits = explain(function(case.kernel.source))[2](**case.arguments((100_000,)), BLOCK=2048)
    assert fits.profile is not None
    assert "of 192.0 KiB" in str(fits)


def by_tiles(arguments: Mapping[str, Any]) -> tuple[int, ...]:
    return CASES["matmul_f16"].kernel.grid(arguments, arguments)


@needs_triton
def test_configurations_are_ranked_and_those_that_overflow_say_so():
    case = CASES["matmul_f16"]
    configs = [{"BM": m, "BN": n, "BK": 64} for m, n in ((64, 64), (128, 128), (256, 256))]
    found = rank(
        function(case.kernel.source),
        configs,
        case.arguments((512, 512, 512)),
        grid=by_tiles,
    )
    assert found.ranked[-1].config["BM"] == 256
    assert found.ranked[-1].reason.startswith("L0C overflows: 256.0 KiB needed, 128.0 KiB over")
    times = [one.time_us for one in found.ranked]
    assert times == sorted(times)
    assert found.best.profile is not None


@needs_triton
def test_what_is_autotuned_runs_in_its_fastest_configuration():
    triton: Any = import_module("triton")
    wrap = triton.autotune([triton.Config({"BLOCK": n}) for n in (512, 2048)], key=["n"])
    tuned = wrap(function("elementwise:vector_add"))
    x, y, out, n = vectors(100_000)
    found = rank(tuned, tuned.configs, (x, y, out, n), grid=by_blocks)
    assert [one.config["BLOCK"] for one in found.ranked] == [2048, 512]
    assert np.isnan(out).all()
    assert emulate(tuned)[by_blocks](x, y, out, n).total_us == found.best.time_us
    assert np.array_equal(out, x + y)


@needs_triton
def test_explanations_are_of_the_fastest_configuration_and_of_what_heuristics_say():
    triton: Any = import_module("triton")
    kernel = function("elementwise:vector_add")
    tuned = triton.autotune([triton.Config({"BLOCK": n}) for n in (512, 2048)], key=["n"])(kernel)
    x, y, out, n = vectors(100_000)
    found = explain(tuned)[by_blocks](x, y, out, n)
    assert found.name == "vector_add" and found.profile is not None
    best = rank(kernel, tuned.configs, (x, y, out, n), grid=by_blocks).best
    assert found.profile.total_us == best.time_us
    wide = explain(triton.heuristics({"BLOCK": by_power})(kernel))[by_blocks](x, y, out, n)
    assert wide.overflow is not None and [one.name for one in wide.smaller] == ["BLOCK"]


def by_power(arguments: Mapping[str, Any]) -> int:
    return 1 << (arguments["n"] - 1).bit_length()


@needs_triton
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"configs": 5}, "configurations are a list, not 5"),
        ({"args": 5}, "arguments are in order or by name, not 5"),
        ({"target": "ascend910"}, "not on ascend910"),
    ],
)
def test_mistakes_of_a_ranking_have_one_clear_message(wrong: dict[str, Any], message: str):
    given: dict[str, Any] = {"configs": [{"BLOCK": 512}], "args": vectors(), "grid": 5, **wrong}
    with pytest.raises(TritonError, match=message):
        rank(function("elementwise:vector_add"), given.pop("configs"), given.pop("args"), **given)


def argument(name: str, given: Mapping[str, Any]) -> Any:
    return given[name]


@needs_triton
def test_a_grid_and_a_heuristic_that_ask_for_what_is_not_there():
    triton: Any = import_module("triton")
    kernel = function("elementwise:vector_add")
    x, y, out, n = vectors()
    message = r"the grid asks for the argument BLOK, which is not there; did you mean BLOCK\?"
    with pytest.raises(TritonError, match=message):
        emulate(kernel)[partial(argument, "BLOK")](x, y, out, n, BLOCK=512)
    wrapped = triton.heuristics({"BLOCK": partial(argument, "columns")})(kernel)
    with pytest.raises(TritonError, match="the heuristic of BLOCK asks for the argument columns"):
        emulate(wrapped)[5](x, y, out, n)
    with pytest.raises(TritonError, match="there is no configuration to choose from"):
        rank(kernel, [], (x, y, out, n), grid=5).best  # noqa: B018  # pyright: ignore
    with pytest.raises(TritonError, match="vector_add lacks BLOCK"):
        build(kernel, {"x": x, "y": y, "out": out, "n": n})


def by_size(arguments: Mapping[str, Any]) -> int:
    return 64 * (1 + arguments["n"] // 4096)


@needs_triton
def test_heuristics_are_asked():
    triton: Any = import_module("triton")
    wrap = triton.heuristics({"BLOCK": by_size})
    x, y, out, n = vectors()
    assert emulate(wrap(function("elementwise:vector_add")))[by_blocks](x, y, out, n).kernels[0].cores == 40
    assert np.array_equal(out, x + y)


@needs_triton
def test_launching_without_a_board_says_how_to():
    x, y, out, n = vectors()
    with pytest.raises(TritonError, match=r"no NPU; ascend_opt\.triton\.emulate"):
        function("elementwise:vector_add")[(5,)](x, y, out, n, BLOCK=1024)


@needs_triton
def test_bf16_is_a_type_and_options_are_those_of_triton_ascend():
    case = CASES["chain_bf16"]
    peaks = list[int]()
    for slots in (True, False):
        arguments = case.arguments((250_003,))
        profile = emulate(function(case.kernel.source))[case.grid(arguments)](
            **arguments, **case.constants, multibuffer=slots
        )
        got, want = arguments["out"].astype(np.float64), case.expected(arguments)["out"]
        np.testing.assert_allclose(got, want, rtol=4.5e-3, atol=4.5e-3)
        peaks.append(profile.kernels[0].memory["ub"].peak_bytes)
    assert peaks[0] > peaks[1]


@needs_triton
def test_what_triton_refuses_is_told_with_its_line():
    x, y, out, n = vectors()
    with pytest.raises(TritonError, match="Triton refuses vector_add") as raised:
        emulate(function("elementwise:vector_add"))[1](x, y, out, n, BLOCK="many")
    assert "tl.arange" in str(raised.value)


@needs_triton
@pytest.mark.slow
def test_stored_programs_are_what_the_compilers_give(tmp_path: Path):
    script = ROOT / "tests" / "data" / "hivm" / "generate.py"
    subprocess.run([sys.executable, str(script), "--into", str(tmp_path)], check=True)
    stored = script.parent
    for path in sorted(tmp_path.iterdir()):
        assert path.read_text() == (stored / path.name).read_text(), path.name
    assert len(list(tmp_path.glob("*.mlir"))) == len(CASES)

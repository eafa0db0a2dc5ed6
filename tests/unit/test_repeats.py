"""Launches that repeat another one take its time: the profile is the one of a clock that runs for each of them."""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.dialects.ascend import LaunchOp
from ascend_opt.runtime.execution import launcher
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.execution.repeats import Repeats
from ascend_opt.runtime.execution.run_state import RunState
from ascend_opt.runtime.machine.memory_system import MemorySystem
from ascend_opt.runtime.machine.request_memory import memory_of
from ascend_opt.runtime.program.storage import Storage

CHIPS = ["ascend910", "ascend910b1", "ascend310p", "ascend950"]


def layers(count: int, rows: int = 64, columns: int = 256, shared: bool = False, every: bool = False) -> str:
    """Products behind each other, each with weights of its own or all with the same. `every`: each of them is a result,
    so none lies where an earlier one lay."""
    weight = f"tensor<{columns}x{columns}xf16> {{weight}}"
    weights = ["%w0"] if shared else [f"%w{i}" for i in range(count)]
    lines = [
        f"  %y{i} = matmul({f'%y{i - 1}' if i else '%x'}, {weights[0 if shared else i]})"
        for i in range(count)
    ]
    taken = "".join(f", {one}: {weight}" for one in weights)
    text = "\n".join(lines)
    results = ", ".join(f"%y{i}" for i in range(0 if every else count - 1, count))
    return f"graph @f(%x: tensor<{rows}x{columns}xf16>{taken}) {{\n{text}\n  return {results}\n}}"


def sums(count: int) -> str:
    """One tensor added to others, each a result."""
    taken = "".join(f", %x{i}: tensor<256x512xf16>" for i in range(count))
    lines = "\n".join(f"  %y{i} = add(%x, %x{i})" for i in range(count))
    results = ", ".join(f"%y{i}" for i in range(count))
    return f"graph @f(%x: tensor<256x512xf16>{taken}) {{\n{lines}\n  return {results}\n}}"


def steps(count: int, rows: int, columns: int) -> str:
    """Functions of each element behind each other."""
    lines = "\n".join(f"  %y{i} = gelu({f'%y{i - 1}' if i else '%x'})" for i in range(count))
    return f"graph @f(%x: tensor<{rows}x{columns}xf16>) {{\n{lines}\n  return %y{count - 1}\n}}"


TEXTS = {
    "own weights": layers(6),
    "same weights": layers(6, shared=True),
    "results": layers(6, every=True),
    "large results": layers(6, rows=2048, every=True),
    "sums": sums(5),
    "steps": steps(6, 512, 2048),
}


def compiled(text: str, chip: str) -> Program:
    return ascend_opt.compile(text, target=chip, fuse=False, tune=1)


def numbers(found: Any) -> list[Any]:
    """All that a profile says."""
    if is_dataclass(found):
        return [one for field in fields(found) for one in numbers(getattr(found, field.name))]
    if isinstance(found, dict):
        return [one for value in found.values() for one in numbers(value)]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(found, list | tuple):
        return [one for value in found for one in numbers(value)]  # pyright: ignore[reportUnknownVariableType]
    return [found]


def same(one: Any, other: Any) -> None:
    a, b = numbers(one), numbers(other)
    assert len(a) == len(b)
    for x, y in zip(a, b, strict=True):
        assert x == pytest.approx(y, rel=1e-9, abs=1e-9) if isinstance(x, float) else x == y


def never(*_: Any) -> None:
    return None


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by the number of cores with each launch whose clock runs."""
    ran: list[int] = []
    run: Callable[..., None] = launcher.run_cores

    def counted(cores: Any, *others: Any) -> None:
        ran.append(len(cores))
        run(cores, *others)

    monkeypatch.setattr(launcher, "run_cores", counted)
    return ran


@pytest.mark.sweep(5)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("kind", sorted(TEXTS))
def test_profile_is_that_of_each_launch(
    kind: str, chip: str, clocks: list[int], monkeypatch: pytest.MonkeyPatch
):
    """Also where weights are in L2 from the launch before, and where HBM is behind with what was written."""
    program = compiled(TEXTS[kind], chip)
    found = program.time()
    ran = len(clocks)
    monkeypatch.setattr(Repeats, "situation", never)
    expected = program.time()
    assert len(clocks) - ran == len(expected.kernels) > ran
    same(found, expected)


@pytest.mark.sweep(5)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("kind", sorted(TEXTS))
def test_l2_is_left_as_the_launch_leaves_it(kind: str, chip: str, monkeypatch: pytest.MonkeyPatch):
    """After each launch, of each of its tensors: the lines that L2 holds, those that are dirty, and what was moved."""
    program = compiled(TEXTS[kind], chip)
    seen: list[Any] = []
    launch = launcher.Launcher.launch

    def watched(self: launcher.Launcher, op: LaunchOp, state: RunState) -> None:
        launch(self, op, state)
        limit = state.system.clock - self.target.memory.l2_bytes
        for value in op.arguments:
            one = state.tensors[value].lines
            seen.append(
                ((one.stamp > limit).tolist(), one.dirty.tolist(), one.read, one.written, one.fetched)
            )

    monkeypatch.setattr(launcher.Launcher, "launch", watched)
    program.time()
    found = seen.copy()
    seen.clear()
    monkeypatch.setattr(Repeats, "situation", never)
    program.time()
    assert found == seen and found


def first_launch(chip: str) -> tuple[LaunchOp, list[Storage], MemorySystem, Repeats]:
    """A launch of a kernel that is launched several times, with a state of L2 that has room for everything."""
    program = compiled(layers(3), chip)
    found = [op for op in program.module.walk() if isinstance(op, LaunchOp)]
    system = memory_of(program.target)
    system.roomy = True
    arguments = [Storage.new(f"t{i}", 64 * 1024, system, i, False) for i in range(3)]
    return found[0], arguments, system, Repeats.of(found)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
def test_situations(chip: str):
    """All that decides how long a launch takes makes another one of it, and what is later than its start none."""
    op, arguments, system, repeats = first_launch(chip)

    def situation(*, same: str | None = "k", now: float = 100.0, given: Sequence[Storage] = arguments):
        return repeats.situation(op, same, given, system, now)

    assert situation() is not None and situation() == situation(now=200.0)
    seen = [situation(), situation(same="another")]
    arguments[1].lines.stamp[3] = system.clock
    seen.append(situation())
    arguments[1].lines.dirty[3] = True
    seen.append(situation())
    system.hbm_free = 150.0
    seen.append(situation())
    assert situation(now=150.0) == seen[-2]
    arguments[2].lines.start = 32
    seen.append(situation())
    part = arguments[0].part(32 * 1024, 1024, "part", 3, system.target.memory.l2_line)
    apart = Storage.new("part", 1024, system, 3, False)
    apart.lines.short, apart.lines.start = part.lines.short, part.lines.start
    apart.lines.dirty[:] = part.lines.dirty
    seen += [situation(given=[arguments[0], other]) for other in (part, apart)]
    assert len(set(seen)) == len(seen) and None not in seen
    arguments[0].lines.latest = 101.0
    assert situation() is None and situation(now=101.0) is not None
    assert situation(same=None) is None
    system.roomy = False
    assert situation(now=101.0) is None


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
def test_what_l2_holds_decides(chip: str):
    """The first of four equal launches reads its input from HBM, the others find theirs in L2."""
    first, *others = compiled(steps(4, 512, 2048), chip).time().kernels
    assert first.hbm_read_bytes >= 512 * 2048 * 2
    assert all(one.time_us < first.time_us and not one.hbm_read_bytes for one in others)


def test_clock_runs_where_l2_is_too_small(clocks: list[int]):
    """Lines leave L2 then, so what was touched when matters."""
    program = compiled(steps(4, 4096, 4096), "ascend910")
    assert program.target.memory.l2_bytes < 2 * 4096 * 4096 * 2
    program.time()
    assert len(clocks) == 4


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
def test_values_are_computed_each_time(chip: str, clocks: list[int], monkeypatch: pytest.MonkeyPatch):
    """Each launch has data of its own; checked for hazards, at the first run and later."""
    program = compiled(layers(5), chip)
    rng = np.random.default_rng(0)
    given = {n: (rng.standard_normal(t.shape) / 8).astype(np.float16) for n, t in program.inputs.items()}
    expected = given["x"].astype(np.float64)
    for i in range(5):
        expected = (expected @ given[f"w{i}"]).astype(np.float16).astype(np.float64)
    results = [program.run(given) for _ in range(2)]
    assert len(clocks) < 10
    for result in results:
        (output,) = result.outputs.values()
        assert np.allclose(output, expected, rtol=5e-3, atol=5e-3)
    monkeypatch.setattr(Repeats, "situation", never)
    same(results[0].profile, program.run(given).profile)
    same(results[1].profile, results[0].profile)


def test_traced_launches_run_each(clocks: list[int]):
    """A trace has the instructions of all launches."""
    program = compiled(layers(5), "ascend910b1")
    emulator = Emulator(program.module, program.target)
    result = emulator.run(program.name, values=False, traced_cores=1)
    assert len(clocks) == 5 and [bool(one.events) for one in result.trace] == [True] * 5

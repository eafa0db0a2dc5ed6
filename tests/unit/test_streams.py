"""Streams as runs: what they are made of, when they are kept, and that they change nothing of the time."""

# pyright: reportPrivateUsage=false

from dataclasses import replace
from itertools import chain
from typing import Never

import numpy as np
import pytest
from split_programs import PROGRAMS, compiled, inputs

from ascend_opt.compiler.api import Program
from ascend_opt.runtime.decode.decode import decode
from ascend_opt.runtime.execution import start
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.program.instruction import BARRIER_ALL, GM, SCALAR, UNIT, Trip
from ascend_opt.runtime.program.streams import HELD
from ascend_opt.runtime.support.hazard import HazardError

TABLE = """
graph @f(%x: tensor<64x32xf16>, %i: tensor<16xi32>) {
  %y = gather(%x, %i) {axis = 0}
  return %y
}"""


def streams(program: Program):
    """The emulator of a program that has run, and its kernels with what they keep of streams."""
    emulator = Emulator(program.module, program.target)
    emulator.run(program.name, inputs(program))
    return emulator, list(emulator.launcher.kernels.values())


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_runs_are_the_stream(name: str):
    """One behind the other they are its instructions; each goes to one pipe, and what holds the scalar unit, or what it
    waits for, is a run of its own."""
    program = compiled(PROGRAMS[name])
    emulator, kernels = streams(program)
    for kernel in kernels:
        assert kernel.streams.plans
        for signature, plan in kernel.streams.plans.items():
            listed = tuple(chain.from_iterable(items for _, items, *_ in plan.runs))
            assert listed == plan.instructions
            trips = signature.count(Trip(0.0).id)
            assert tuple(one.id for one in listed) == tuple(one for one in signature if one != Trip(0.0).id)
            issued = sum(one.issue for one in listed) + trips * emulator.target.scalar.loop
            assert sum(total for *_, total in plan.runs) == plan.scalar == pytest.approx(issued)
            for pipe, items, issues, total in plan.runs:
                assert len(issues) == len(items) and sum(issues) == total
                held = items[0].kind >= BARRIER_ALL
                assert (pipe == HELD) == held
                assert held or {one.pipe for one in items} == {pipe}
                assert not (held or pipe == SCALAR) or len(items) == 1
                pairs = zip(items, issues[1:], strict=False)
                assert all(one.busy >= issue for one, issue in pairs if one.kind == UNIT or one.busy)
            assert [plan.instructions[at] for at in plan.positions] == list(plan.steps)
            middle = len(listed) // 2
            parts = [*plan.steps_between(0, middle), *plan.steps_between(middle, len(listed))]
            assert parts == list(plan.steps)


def test_offsets_are_those_of_the_program():
    """Of each block, and in the order of each pipe."""
    program = compiled(PROGRAMS["several tiles a core"])
    emulator, kernels = streams(program)
    for kernel in kernels:
        fresh = decode(emulator.kernel_ops[kernel.program.name])
        for block in range(kernel.program.cores):
            kept = kernel.streams.get(block, ())
            assert kept is not None
            expected: dict[int, list[int]] = {}
            stream = fresh.start(block, (), kernel.resolver.gets, kernel.resolver.new, None)
            for instruction, offset in stream:
                if instruction.kind == GM:
                    expected.setdefault(instruction.pipe, []).append(offset)
            found = {pipe: list(one) for pipe, one in enumerate(kept.requests()) if kept.offsets[pipe]}
            assert found == expected


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", sorted(PROGRAMS))
@pytest.mark.parametrize("hazards", [False, True])
def test_time_is_that_of_single_instructions(name: str, hazards: bool, monkeypatch: pytest.MonkeyPatch):
    """Issued in runs or one by one, with races checked before or as the clock runs, the profile is the same."""
    program = compiled(PROGRAMS[name])
    given = inputs(program)
    expected = program.run(given, hazards=hazards)

    def none_ahead(self: start.Starting, place: int) -> Never:
        raise HazardError("race", "the stream is taken as it comes")

    monkeypatch.setattr(start.Starting, "stream", none_ahead)

    def unknown(*_: object) -> None: ...

    monkeypatch.setattr(start, "check_stream", unknown)
    monkeypatch.setattr(start, "check_group", unknown)
    one_by_one = Emulator(program.module, program.target).run(program.name, given, hazards=hazards)
    for a, b in zip(one_by_one.profile.kernels, expected.profile.kernels, strict=True):
        assert (a.time_us, a.instructions) == (b.time_us, b.instructions)
        assert a.pipes.keys() == b.pipes.keys()
        for pipe, found in a.pipes.items():
            issued = b.pipes[pipe].issue_us  # sums of as many numbers, in another order
            assert found.issue_us == pytest.approx(issued)
            assert replace(found, issue_us=issued) == b.pipes[pipe]
    for a, b in zip(one_by_one.outputs, expected.outputs.values(), strict=True):
        assert np.array_equal(a, b)


def test_streams_that_indices_decide_are_not_kept():
    """Other indices, other rows; while the plan of their common instructions is kept."""
    program = compiled(TABLE)
    emulator = Emulator(program.module, program.target)
    x = np.arange(64 * 32).reshape(64, 32).astype(np.float16)
    for indices in (np.arange(16), np.arange(16)[::-1]):
        found = emulator.run(program.name, {"x": x, "i": indices.astype(np.int32)}).outputs[0]
        assert np.array_equal(found, x[indices])
    (kernel,) = emulator.launcher.kernels.values()
    assert not kernel.program.fixed and kernel.streams.plans
    assert all(kernel.streams.get(block, ()) is None for block in range(kernel.program.cores))

"""Cores without races: checked once for all that do the same, their values computed on the same memories."""

import tracemalloc

import numpy as np
import pytest
import split_programs
from split_programs import PROGRAMS, compiled, inputs

from ascend_opt.dialects.ascend import CrossSetFlagOp, KernelOp
from ascend_opt.runtime.execution import start
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.support.hazard import HazardError

ALONE = """
graph @f(%x: tensor<1600x96xf16>, %w: tensor<96x1000xf16> {weight}) {
  %y = matmul(%x, %w)
  return %y
}"""


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_values_are_those_of_the_order_of_the_clock(name: str):
    """Without hazards instructions run in the order of the clock, each core on memories of its own."""
    program = compiled(PROGRAMS[name])
    given = inputs(program)
    ordered, timed = program.run(given), program.run(given, hazards=False)
    for found, wanted in zip(ordered.outputs.values(), timed.outputs.values(), strict=True):
        assert np.array_equal(found.view(np.uint16), wanted.view(np.uint16))
    assert ordered.profile == timed.profile


@pytest.mark.parametrize(
    ("text", "check"),
    [(PROGRAMS["several images a core"], "check_group"), (ALONE, "check_stream")],
    ids=["groups", "cores"],
)
def test_what_does_the_same_is_checked_once(text: str, check: str, monkeypatch: pytest.MonkeyPatch):
    """A second run has nothing left to check; in one there are fewer checks than cores."""
    program = compiled(text)
    given = inputs(program)
    calls: list[int] = []
    original = getattr(start, check)

    def counted(*args: object) -> object:
        calls.append(1)
        return original(*args)

    monkeypatch.setattr(start, check, counted)
    program.run(given)
    first = len(calls)
    cores = max(op.cores.value.data for op in program.module.walk() if isinstance(op, KernelOp))
    assert 0 < first < cores / 2
    program.run(given)
    assert len(calls) == first


def test_cores_of_a_position_share_a_memory():
    program = compiled(PROGRAMS["several tiles a core"])
    emulator = Emulator(program.module, program.target)
    emulator.run(program.name, inputs(program))
    cores = {kernel.program.kind: kernel.program for kernel in emulator.launcher.kernels.values()}  # pyright: ignore[reportPrivateUsage]
    beside = {"aic": 1, "aiv": program.target.vectors_beside}
    assert all(one.cores > beside[kind] for kind, one in cores.items())
    kept = {k: len(emulator.launcher.cores.of(one).memories) for k, one in cores.items()}  # pyright: ignore[reportPrivateUsage]
    assert kept == beside


def test_weights_are_not_kept_twice():
    """A program holds its weights, and once more as the Cube reads them."""
    program = compiled(split_programs.GELU.format(m=16, n=16384))
    weight = np.ones((96, 16384), np.float16)
    program.bind(w=weight)
    x = np.ones((16, 96), np.float16)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        program._prepare({**program.weights, "x": x})  # pyright: ignore[reportPrivateUsage]
        held, most = (n - before for n in tracemalloc.get_traced_memory())
    finally:
        tracemalloc.stop()
    assert held < 1.1 * weight.nbytes
    assert most < 1.5 * weight.nbytes


def test_a_group_that_waits_in_vain_is_told_as_it_runs():
    """The check before gives way: what it cannot order has to run to be told of."""
    program = compiled(PROGRAMS["several tiles a core"])
    module = program.module.clone()
    flag = next(op for op in module.walk() if isinstance(op, CrossSetFlagOp))
    flag.detach()
    with pytest.raises(HazardError, match=r"deadlock|flag"):
        Emulator(module, program.target).run(program.name, inputs(program))

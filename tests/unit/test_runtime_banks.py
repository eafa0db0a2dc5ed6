"""Cycles that bank conflicts of UB add to a repeat, on the published layouts and on simple ones."""

import pytest

from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.machine.banks import conflict_cycles
from ascend_opt.runtime.machine.costs import vec_cost
from ascend_opt.runtime.machine.memory import View

T = load_target("ascend910b1")


def view(address: int, repeats: int = 64, step: int = 256, stride: int = 32) -> View:
    return View("ub", "f32", 4, address, (repeats, 8, 8), (step, stride, 4), "v")


@pytest.mark.parametrize(
    ("sources", "destination", "expected"),
    [
        ((view(0), view(0x10100)), view(0x20000), 0.0),
        ((view(0), view(0x4000)), view(0x10000), 1.0),
        ((view(0), view(0x10000)), view(0x14100), 1.0),
        ((view(0), view(0x10100)), view(0x4000), 0.0),
        ((view(0), view(0x10100)), view(0x4020), 0.77),
        ((view(0, step=32, stride=0), view(0x10100)), view(0x10100), 0.5 + 7 * 0.39 / 16),
        ((view(0, 2, step=32, stride=0), view(0x10100, 2)), view(0x10100, 2), (1 + 0.39) / 2),
        ((view(0, step=256, stride=0), view(0x10100)), view(0x10100), 0.0),
        ((view(0, 144),), view(0x12000, 144, step=32, stride=144 * 32), 7.0),
        ((view(0, 144),), view(0x12000, 144, step=32, stride=145 * 32), 0.0),
        ((), view(0), 0.0),
    ],
)
def test_layouts(sources: tuple[View, ...], destination: View, expected: float):
    assert conflict_cycles(T, sources, destination) == pytest.approx(expected)


def test_contiguous_operands():
    a, b, c = (View("ub", "f16", 2, address, (4096,), (2,), "v") for address in (0, 8192, 65536))
    assert conflict_cycles(T, (a, b), c) == pytest.approx(1.0)


@pytest.mark.parametrize("source", range(0, 512, 96))
@pytest.mark.parametrize("result", [0x4000, 0x4020, 0x4100, 0x10060])
def test_contiguous_operands_are_walked_in_repeats_of_eight_rows(source: int, result: int):
    flat = [View("ub", "f32", 4, address, (2048,), (4,), "v") for address in (source, 0x10100, result)]
    whole = [view(v.address, 32) for v in flat]
    assert conflict_cycles(T, flat[:2], flat[2]) == conflict_cycles(T, whole[:2], whole[2])


def test_chips_without_banks_have_no_conflicts():
    assert conflict_cycles(load_target("ascend910"), (view(0), view(0x4000)), view(0x8000)) == 0.0


def test_long_instructions_hide_conflicts():
    assert vec_cost(T, "vdiv", "f16", 10, 1.0) == vec_cost(T, "vdiv", "f16", 10)
    assert vec_cost(T, "vadd", "f16", 10, 1.0).busy == 20

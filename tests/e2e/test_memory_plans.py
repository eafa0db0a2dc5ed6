"""Memory plans of compiled programs: near their bounds, as fast as promised, and found out when one offset is wrong."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from planned_memory import kernels, planned, problems, sized, unplanned

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.dialects import ascend, tile
from ascend_opt.dialects.ascend.memory import memref_type
from ascend_opt.dialects.attributes import integer_array
from ascend_opt.passes.ascend_plan_memory import plan_kernel
from ascend_opt.passes.lowering.transfers.pack_rows import span_scratch, store_scratch
from ascend_opt.passes.memory.bank_phases import bank_turn
from ascend_opt.passes.memory.group_buffers import taken_by_groups
from ascend_opt.passes.memory.report import MemoryPlan
from ascend_opt.passes.memory.space_plan import plan_smallest
from ascend_opt.passes.support.errors import LocatedError
from ascend_opt.runtime.support.hazard import HazardError

EXAMPLES = Path(__file__).parents[2] / "examples"
CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
NAMES = ("conv_bias_leaky_relu", "conv_bn_relu", "matmul_add_gelu", "matmul_bias_relu", "tanh_muladd")


@cache
def program(name: str, chip: str) -> Program:
    """An example at the ascend level, its buffers without addresses."""
    return unplanned(ascend_opt.compile((EXAMPLES / f"{name}.mlir").read_text(), target=chip, tune=1))


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("chip", CHIPS)
def test_a_plan_by_lifetimes_is_near_its_bound(name: str, chip: str):
    for kernel, problem in problems(program(name, chip)):
        plan = plan_smallest(problem)
        assert plan.optimal or plan.peak <= 1.02 * plan.bound, (kernel, problem.space)


@pytest.mark.full
@pytest.mark.sweep(4)
@pytest.mark.parametrize("chip", ["ascend910b", "ascend310p", "ascend950", "ascend910"])
def test_the_plan_of_attention_is_near_its_bound(chip: str):
    found = list(problems(program("attention", chip)))
    assert max(len(problem.buffers) for _, problem in found) > 38
    for kernel, problem in found:
        plan = plan_smallest(problem)
        assert plan.optimal or plan.peak <= 1.02 * plan.bound, (kernel, problem.space)


def least_room(asked: Program, level: str) -> dict[str, int]:
    """The smallest UB in which a level lays out all kernels, with room enough in the other memories."""
    taken = taken_by_groups(asked.module, asked.target)
    room = {space: 1 << 24 for space in asked.target.spaces if space != "gm"}

    def fits(ub: int) -> bool:
        chip = sized(asked.target, {**room, "ub": ub})
        try:
            for kernel in kernels(asked):
                plan_kernel(kernel, chip, level, taken.get(kernel.sym_name.data, {}))
        except LocatedError:
            return False
        return True

    low, high = 0, 1 << 15
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(32 * middle) else (middle + 1, high)
    return {**room, "ub": 32 * high}


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("name", "chip"),
    [("tanh_muladd", "ascend910b"), ("conv_bias_leaky_relu", "ascend910"), ("matmul_bias_relu", "ascend310p")]
    + [("matmul_add_gelu", chip) for chip in CHIPS],
)
def test_reuse_without_stalls_is_as_fast_as_no_reuse(name: str, chip: str):
    """Emulated, on the smallest UB in which reuse without stalls has room; no reuse where that has room, else on a
    larger one."""
    asked = program(name, chip)
    room = least_room(asked, "no-stall")
    plans, shared = planned(asked, sized(asked.target, room), "no-stall")
    try:
        _, apart = planned(asked, sized(asked.target, room), "none")
    except LocatedError:
        _, apart = planned(asked, sized(asked.target, {**room, "ub": 1 << 20}), "none")
    levels = {space.level for plan in plans for _, space, _ in plan.spaces}
    if name in ("matmul_add_gelu", "tanh_muladd") and not bank_turn(asked.target):
        assert (
            "no-stall" in levels
        )  # the others have nothing to share without a barrier more, or that pays for phases
    assert levels <= {"none", "no-stall"}
    assert shared.time().total_us <= apart.time().total_us * (1 + 1e-9)


@pytest.mark.full
def test_no_barrier_is_free_for_lack_of_haste():
    """The Vector of this program has time to spare, but not for each barrier that could be put there."""
    asked = program("attention", "ascend950")
    room = {space: 1 << 24 for space in asked.target.spaces if space != "gm"}
    plans, shared = planned(asked, sized(asked.target, {**room, "ub": 1 << 19}), "no-stall")
    _, apart = planned(asked, sized(asked.target, {**room, "ub": 1 << 20}), "none")
    assert {space.level for plan in plans for problem, space, _ in plan.spaces if problem.space == "ub"} == {
        "no-stall"
    }
    assert shared.time().total_us <= apart.time().total_us * (1 + 1e-9)


def corruptions(plans: list[MemoryPlan]) -> Iterator[tuple[str, int]]:
    """Each buffer in turn at the address of one that lives at the same time, while the yield lasts."""
    for plan in plans:
        for problem, space, usages in plan.spaces:
            over = {frozenset(pair) for pair in problem.in_place}
            for i, first in enumerate(problem.buffers):
                for j, second in enumerate(problem.buffers):
                    if i == j or not first.meets(second) or frozenset((i, j)) in over:
                        continue
                    buffer, right = usages[i].buffer, usages[i].buffer.addresses
                    buffer.addresses = integer_array((space.offsets[j][0], *space.offsets[i][1:]))
                    yield f"{first.name} of {problem.space} at {second.name}", space.offsets[j][0]
                    buffer.addresses = right


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("name", "chip"),
    [("tanh_muladd", "ascend910"), ("matmul_add_gelu", "ascend910b"), ("matmul_bias_relu", "ascend910")],
)
def test_a_wrong_offset_does_not_go_unnoticed(name: str, chip: str):
    """Flags stay those of the right plan; on V they order much of what the wrong one lets meet."""
    asked = program(name, chip)
    plans, good = planned(asked, asked.target, "max")
    rng = np.random.default_rng(1)
    inputs = {n: rng.standard_normal(t.shape).astype(np.float16) for n, t in good.inputs.items()}
    good.run(inputs)
    count = 0
    for what, _ in corruptions(plans):
        wrong = type(good)(good.module, good.target, good.name)
        with pytest.raises(HazardError):
            wrong.run(inputs)
            pytest.fail(what)
        count += 1
    assert count > 10


@pytest.mark.parametrize("columns", [7, 23, 40, 100, 1000, 1001])
def test_room_that_is_counted_for_ragged_rows_is_what_their_store_takes(columns: int):
    """Where rows are packed into one run, where they are too long for it, and where cores share blocks."""
    text = f"graph @f(%x: tensor<1024x{columns}xf16>) {{\n  %y = softmax(%x)\n  return %y\n}}"
    program = ascend_opt.compile(text, target="ascend910", tune=1)
    (kernel,) = [op for op in compile_until(program, "tile").walk() if isinstance(op, tile.KernelOp)]
    rows, _ = kernel.tile_sizes
    labels = {"padded", "apart", "close", "packed", "turned", "row_ends"}
    labels |= {"old", "old_blocks", "new_blocks", "merged"}
    taken = 0
    for op in program.module.walk():
        if isinstance(op, ascend.BufferOp) and op.label is not None and op.label.data in labels:
            (elements,) = memref_type(op.result).get_shape()
            taken += elements
    counted = store_scratch(rows, columns) + (span_scratch() if kernel.schedule.spans else 0)
    assert 0 < taken <= counted <= 2 * taken

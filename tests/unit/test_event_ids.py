"""Event ids of flags: within what the chip has, shared where that is in order, barriers where there are none."""

import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from sync_programs import CHIP, GRAPHS, LINEAR, RELU, barriers, before_sync, kernel_of, pairs, run
from xdsl.dialects import scf

import ascend_opt
from ascend_opt.passes.analysis.required_slots import least_slots
from ascend_opt.passes.ascend_insert_sync import synchronise
from ascend_opt.passes.sync import plan as sync_plan
from ascend_opt.passes.sync.flags import Flag, SyncPlan
from ascend_opt.passes.sync.launch_order import check_order
from ascend_opt.passes.sync.plan import assign_events


def numbered(plan: SyncPlan) -> list[tuple[int, int, int]]:
    """(source, destination, event) of every flag's events."""
    return [
        (flag.source, flag.destination, first + i)
        for flag, first in zip(plan.flags, plan.events, strict=True)
        for i in range(flag.count)
    ]


@pytest.mark.parametrize("name", GRAPHS)
def test_ping_pong_flags_have_an_event_for_each_slot(name: str):
    plan = synchronise(kernel_of(before_sync(GRAPHS[name])), CHIP).plan
    assert any(flag.count == 2 for flag in plan.flags)
    assert all((flag.count > 1) == (flag.slot is not None) for flag in plan.flags)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("key", ["pair", "source"])
@pytest.mark.parametrize("events", [0, 1, 2, 3, 4, 8])
def test_event_ids_stay_within_the_chip(events: int, key: str):
    """Few ids cost slots and time, never correctness."""
    target = CHIP.with_(sync={"events": events, "key": key})
    module = before_sync(LINEAR)
    plan = synchronise(kernel_of(module), target).plan
    assert all(event < events for _, _, event in numbered(plan))
    run(module, LINEAR, target)


@pytest.mark.parametrize("name", GRAPHS)
def test_without_event_ids_barriers_of_every_pipe_order_the_program(name: str):
    module = before_sync(GRAPHS[name])
    synchronise(kernel_of(module), CHIP.with_(sync={"events": 0}))
    assert not pairs(kernel_of(module)) and barriers(kernel_of(module))["ALL"]
    run(module, GRAPHS[name])


def test_events_keyed_by_source_are_distinct_for_each_source():
    target = CHIP.with_(sync={"key": "source", "events": 8})
    module = before_sync(RELU)
    plan = synchronise(kernel_of(module), target).plan
    used = [(source, event) for source, _, event in numbered(plan)]
    assert len(used) == len(set(used))
    run(module, RELU, target)


STREAMED = """
graph @f(%x: tensor<256x512xf16>, %w: tensor<512x1024xf16> {weight}) {
  %y = matmul(%x, %w)
  return %y
}"""


@pytest.mark.parametrize("events", [1, 2, 4])
def test_operands_loaded_ahead_keep_their_two_slots(events: int, tmp_path: Path):
    """In one slot the next step's operands would lie over those that the product still reads: wrong, and no race."""
    chip = tmp_path / "few.toml"
    text = (resources.files("ascend_opt.dialects") / "targets" / "ascend910.toml").read_text()
    text = text.replace('name = "ascend910"', 'name = "few"')
    for key, value in (("cores", 2), ("events", events)):
        text = re.sub(rf"(?m)^{key} = \d+", f"{key} = {value}", text)
    chip.write_text(text)
    program = ascend_opt.compile(STREAMED, target=str(chip), tune=1)
    assert least_slots(kernel_of(program.module))
    rng = np.random.default_rng(0)
    inputs = {name: rng.standard_normal(tensor.shape) for name, tensor in program.inputs.items()}
    found = program.run(inputs).outputs["output0"].astype(np.float32)
    expected = program.reference(inputs)["output0"]
    assert np.linalg.norm(found - expected) <= 3e-3 * np.linalg.norm(expected)


def test_ids_that_are_shared_count_as_taken(monkeypatch: pytest.MonkeyPatch):
    """The second flag shares an id with the first; the third may not take the other one unseen."""
    op = kernel_of(before_sync(RELU))
    first, second, third = (Flag(0, 1, op, op, None, None, count) for count in (2, 2, 1))

    class Graph:
        def may_share(self, firsts: Mapping[Flag, int]) -> bool:
            return second not in firsts or (third not in firsts and firsts[second] == 1)

    def graphs(_: object, flags: object, barriers: object) -> list[Graph]:
        return [Graph()]

    monkeypatch.setattr(sync_plan.Schedule, "graphs", graphs)
    events = assign_events([], SyncPlan((first, second, third), ()), 3, False)
    assert events == (0, 1, 0)


def test_products_in_peeled_parts_share_the_ids_of_those_in_the_loop():
    """Attention on 4 ids: those of a loop are free outside it. No barrier of every pipe is needed."""
    shape = "tensor<1x8x512x128xf16>"
    text = f"graph @f(%q: {shape}, %k: {shape}, %v: {shape}) {{\n  %y = attention(%q, %k, %v) "
    module = before_sync(text + '{fuse = "a"}\n  return %y\n}')
    sync = synchronise(kernel_of(module), CHIP)
    assert not sync.short and not sync.barred and "ALL" not in sync.barriers
    loops = {flag.loop for flag in sync.plan.flags if flag.loop is not None}
    assert any(isinstance(loop.parent_op(), scf.ForOp) for loop in loops)
    check_order(module, CHIP)

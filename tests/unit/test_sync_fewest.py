"""What is found on the graph of what pipes know is what a walk over the trace says: which flags are dropped, and which
may share ids."""

from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import ascend_opt
from ascend_opt.passes import ascend_insert_sync
from ascend_opt.passes.sync.flags import Barrier, Flag, SyncPlan
from ascend_opt.passes.sync.schedule import Schedule

ROOT = Path(__file__).parents[2]
GRAPHS = (
    "examples/conv_bias_leaky_relu.mlir",
    "examples/matmul_add_gelu.mlir",
    "examples/attention.mlir",
    "benchmarks/graphs/separable_rows_910b.mlir",
    "benchmarks/graphs/lstm_step.mlir",
)


@pytest.mark.sweep(8)
@pytest.mark.parametrize("target", ["ascend910", "ascend910b"])
@pytest.mark.parametrize("graph", GRAPHS)
def test_each_flag_is_dropped_that_the_others_make_up_for(
    graph: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fewest, dropped = Schedule.fewest, list[int]()

    def compared(
        self: Schedule, flags: Sequence[Flag], barriers: Sequence[Barrier]
    ) -> tuple[list[Flag], list[Barrier]]:
        kept = list(flags)
        for flag in flags:
            fewer = [one for one in kept if one is not flag]
            if self.check(fewer, barriers):
                kept = fewer
        left = list(barriers)
        for barrier in barriers:
            others = [one for one in left if one is not barrier]
            if self.check(kept, others):
                left = others
        dropped.append(len(flags) - len(kept))
        found = fewest(self, flags, barriers)
        assert found == (kept, left)
        return found

    monkeypatch.setattr(Schedule, "fewest", compared)
    ascend_opt.compile((ROOT / graph).read_text(), target=target)
    assert sum(dropped) > 0


@pytest.mark.sweep(8)
@pytest.mark.parametrize("target", ["ascend910", "ascend910b"])
@pytest.mark.parametrize("graph", GRAPHS[1:])
def test_ids_that_may_be_shared(graph: str, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two ids a pair most flags ask whether they may share them."""
    asked: list[bool] = []
    plan_sync = ascend_insert_sync.plan_sync

    def compared(*given: Any) -> SyncPlan:
        plan, schedule = plan_sync(*given), given[2]
        graphs = schedule.graphs(plan.flags, plan.barriers)
        for one, other in permutations(plan.flags, 2):
            if (one.source, one.destination) == (other.source, other.destination):
                firsts = {one: 0, other: max(one.count - 1, 0)}
                found = all(graph.may_share(firsts) for graph in graphs)
                assert found == schedule.check(plan.flags, plan.barriers, None, firsts)
                asked.append(found)
        return plan

    monkeypatch.setattr(ascend_insert_sync, "plan_sync", compared)
    ascend_opt.compile((ROOT / graph).read_text(), target=target)
    assert len(asked) > 4
    assert not all(asked)

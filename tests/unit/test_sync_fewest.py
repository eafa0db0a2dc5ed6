"""Flags that are dropped because they tell nothing new are those that a check of the others would drop."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import ascend_opt
from ascend_opt.passes.sync.flags import Barrier, Flag
from ascend_opt.passes.sync.schedule import Schedule

ROOT = Path(__file__).parents[2]
GRAPHS = (
    "examples/conv_bias_leaky_relu.mlir",
    "examples/matmul_add_gelu.mlir",
    "examples/attention.mlir",
    "benchmarks/graphs/separable_rows_910b.mlir",
    "benchmarks/graphs/lstm_step.mlir",
)


@pytest.mark.parametrize("target", ["ascend910", "ascend910b"])
@pytest.mark.parametrize("graph", GRAPHS)
def test_each_flag_is_dropped_that_the_others_make_up_for(
    graph: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fewest, dropped = Schedule.fewest, list[int]()

    def compared(self: Schedule, flags: Sequence[Flag], barriers: Sequence[Barrier]) -> list[Flag]:
        kept = list(flags)
        for flag in flags:
            fewer = [one for one in kept if one is not flag]
            if self.check(fewer, barriers):
                kept = fewer
        dropped.append(len(flags) - len(kept))
        found = fewest(self, flags, barriers)
        assert found == kept
        return found

    monkeypatch.setattr(Schedule, "fewest", compared)
    ascend_opt.compile((ROOT / graph).read_text(), target=target)
    assert sum(dropped) > 0

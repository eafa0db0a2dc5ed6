"""Which of the changes that make a plan need fewer event ids is made."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ascend_opt.passes.sync import share_event_ids
from ascend_opt.passes.sync.flags import SyncPlan

Change = share_event_ids._Change  # pyright: ignore[reportPrivateUsage]
CYCLES = {"plan": 10.0, "dear": 14.0, "cheap": 12.0, "as cheap": 12.0, "free": 10.0}


@pytest.mark.parametrize(
    ("right", "made"),
    [
        ({"dear", "cheap", "as cheap", "free"}, "free"),
        ({"dear", "cheap", "as cheap"}, "cheap"),
        ({"dear", "as cheap"}, "as cheap"),
        ({"dear"}, "dear"),
        (set[str](), None),
    ],
)
def test_the_cheapest_that_keeps_a_plan_right(
    right: set[str], made: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changes(*_: object) -> Iterator[Any]:
        return (Change(cast(Any, (name,))) for name in CYCLES if name != "plan")

    monkeypatch.setattr(share_event_ids, "_merges", changes)

    def none(*_: object) -> tuple[()]:
        return ()

    monkeypatch.setattr(share_event_ids, "_narrowed", none)

    def check(flags: tuple[str, ...], *_: object) -> bool:
        return flags[0] in right

    def cycles(flags: tuple[str, ...], _: object) -> float:
        return CYCLES[flags[0]]

    schedule, clock = cast(Any, SimpleNamespace(check=check)), cast(Any, SimpleNamespace(cycles=cycles))
    saver = share_event_ids.IdSaver(schedule, clock, {}, lambda _: None)
    found = saver.fewer_ids(
        SyncPlan(cast(Any, ("plan",)), ()), cast(Any, SimpleNamespace(source=0, destination=1)), False
    )
    assert (None if found is None else cast(Any, found.flags[0])) == made

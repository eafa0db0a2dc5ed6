"""Slots of operands leave event ids to the other flags of their pairs of pipes."""

import pytest

from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.selection.event_budget import l0_slots, most_l1_slots


def chip(events: int) -> Target:
    return load_target("ascend910b1").with_(sync={"events": events})


@pytest.mark.parametrize("events", [0, 4, 5, 6, 7, 8, 16])
def test_slots_leave_three_ids_of_l1_and_two_of_l0(events: int):
    """Each operand in L0 has ids of its own. Two slots are what every buffer may have."""
    in_l1, in_l0 = most_l1_slots(chip(events)), l0_slots(chip(events), stages=100)
    assert in_l1 == (events - 3 if events > 5 else 2)
    assert in_l0 == ((events - 2) // 2 if events > 6 else 2)


@pytest.mark.parametrize(("stages", "slots"), [(1, 2), (2, 2), (3, 3), (4, 4), (8, 7)])
def test_no_more_pieces_are_in_l0_than_steps_in_l1(stages: int, slots: int):
    assert l0_slots(chip(16), stages) == slots

"""Races in buffers of a group, against the last access of each block, kept one by one."""

# pyright: basic, reportArgumentType=false, reportGeneralTypeIssues=false

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_opt.dialects.element_types import BLOCK_BYTES
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import PIPES
from ascend_opt.runtime.hazards.group_races import GroupRaces
from ascend_opt.runtime.machine.meeting import Meeting
from ascend_opt.runtime.machine.memory import SELF
from ascend_opt.runtime.support.hazard import HazardError

CORES, KINDS, BLOCKS = 3, 2, 12
ACCESS = st.tuples(
    st.integers(0, CORES - 1),
    st.integers(0, KINDS - 1),
    st.lists(
        st.tuples(
            st.sampled_from([SELF, 0, 1]),
            st.sampled_from(["l1", "ub"]),
            st.integers(1, (1 << BLOCKS) - 1),
            st.booleans(),
        ),
        min_size=1,
        max_size=2,
    ),
    st.lists(st.integers(0, 12), min_size=CORES * KINDS, max_size=CORES * KINDS),
)


def first_race(accesses, ordered: bool) -> tuple[int, set[int]] | None:
    """The access that is not in order, and the blocks that may be named."""
    last: dict[tuple, int] = {}
    for number, (position, pipe, meetings, known) in enumerate(accesses, 1):
        for owner, space, blocks, write in meetings:
            owner = position if owner == SELF else owner
            late = set()
            for (core, other, wrote, where, block), at in last.items():
                same = (core, other) == (position, pipe)
                if where != (owner, space) or not blocks >> block & 1 or not (wrote or write):
                    continue
                if at > known[core * KINDS + other] and not (same and ordered):
                    late.add(block)
            if late:
                return number, late
        for owner, space, blocks, write in meetings:
            where = position if owner == SELF else owner, space
            for block in range(BLOCKS):
                if blocks >> block & 1:
                    last[position, pipe, write, where, block] = number
    return None


@pytest.mark.parametrize("chip", ["ascend910b", "ascend950"])
@given(st.lists(ACCESS, max_size=12))
@settings(max_examples=300, deadline=None)
def test_an_access_is_late_where_a_block_is(chip: str, accesses) -> None:
    target = load_target(chip)
    races, found = GroupRaces(target), None
    for number, (position, pipe, meetings, known) in enumerate(accesses, 1):
        instruction = SimpleNamespace(
            pipe=pipe,
            meetings=[
                Meeting(owner, space, blocks, write, "buffer") for owner, space, blocks, write in meetings
            ],
            site=SimpleNamespace(reference=lambda number=number: str(number)),
        )
        flat = [0] * (CORES * len(PIPES))
        for core in range(CORES):
            flat[core * len(PIPES) : core * len(PIPES) + KINDS] = known[core * KINDS : (core + 1) * KINDS]
        try:
            races._access(position, list(range(CORES)), instruction, number, flat)
        except HazardError as error:
            begin, end = error.byte_range
            assert end - begin == BLOCK_BYTES
            found = number, begin // BLOCK_BYTES
            break
    expected = first_race(accesses, target.sync.ordered_pipe)
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert found[0] == expected[0]
        assert found[1] in expected[1]

"""Groupings beyond the greedy one: exact on small parts of a graph, a beam on larger ones.

Ops are placed from the last to the first. An op either begins a group, whose result it gives, or joins the one group
that all its users are in, so every grouping is a word of such choices. The greedy grouping is the first incumbent;
another one takes its place where it is predicted faster and moves no more bytes of GM.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from xdsl.ir import Operation

from ...runtime.support.progress import tracked

Group = tuple[Operation, ...]
Grouping = tuple[Group, ...]

MOST_EXACT = 10
"""Ops up to which every grouping is weighed."""
BEAM = 3
"""Groupings that are kept from op to op in larger parts."""
MOST_OPEN = 16
"""Groups of one grouping that the next op may join, the last ones begun."""
LEAST_GAIN = 0.001
"""Share of the predicted time below which two groupings are alike."""


class Price(Protocol):
    """What a group costs as one kernel."""

    @property
    def time_us(self) -> float: ...

    @property
    def bytes(self) -> int: ...


Pricing = Callable[[Group], Price | None]
"""The price of a group in program order; None where it may not be one kernel."""


@dataclass(frozen=True)
class Searched:
    """One part in which the search found a better grouping: names of the ops of each group, µs and bytes, before and
    after. `exact`: whether every grouping was weighed."""

    exact: bool
    before: tuple[tuple[str, ...], ...]
    after: tuple[tuple[str, ...], ...]
    time_before: float
    time_after: float
    bytes_before: int
    bytes_after: int


@dataclass(frozen=True)
class _Total:
    """Price of a whole grouping."""

    time_us: float
    bytes: int

    def beats(self, other: "_Total") -> bool:
        return self.time_us < other.time_us * (1 - LEAST_GAIN) and self.bytes <= other.bytes


def parts_of(ops: Sequence[Operation], joins: Callable[[Operation, Operation], bool]) -> list[Group]:
    """The ops in parts, in program order, between which no kernel can reach. `joins`: whether an op may be in one
    kernel with one of its users."""
    inside = set(ops)
    part: dict[Operation, list[Operation]] = {}
    for op in ops:
        part[op] = [op]
    for op in ops:
        users = [use.operation for result in op.results for use in result.uses]
        if not users or not all(user in inside and joins(op, user) for user in users):
            continue
        for user in users:
            if part[user] is not part[op]:
                small, large = sorted((part[user], part[op]), key=len)
                large.extend(small)
                for member in small:
                    part[member] = large
    order = {op: i for i, op in enumerate(ops)}
    distinct: dict[int, list[Operation]] = {id(members): members for members in part.values()}
    return [tuple(sorted(members, key=order.__getitem__)) for members in distinct.values()]


def better_grouping(
    part: Group, greedy: Grouping, price: Pricing, joins: Callable[[Operation, Operation], bool]
) -> tuple[Grouping, Searched] | None:
    """A grouping of a part that beats the greedy one, and what it changes; None where there is none."""
    start = _total(greedy, price)
    if len(greedy) == 1 or start is None:  # one kernel moves the fewest bytes
        return None
    exact = len(part) <= MOST_EXACT
    found = _exact(part, start, price, joins) if exact else _beam(part, start, price, joins)
    if found is None:
        return None
    grouping, total = found
    names = tuple(tuple(op.name for op in group) for group in greedy)
    changed = tuple(tuple(op.name for op in group) for group in grouping)
    record = Searched(exact, names, changed, start.time_us, total.time_us, start.bytes, total.bytes)
    return grouping, record


def _total(grouping: Grouping, price: Pricing) -> _Total | None:
    prices = [price(group) for group in grouping]
    known = [one for one in prices if one is not None]
    if len(known) < len(prices):
        return None
    return _Total(sum(one.time_us for one in known), sum(one.bytes for one in known))


def _choices(
    op: Operation, grouping: Grouping, joins: Callable[[Operation, Operation], bool]
) -> list[Grouping]:
    """The grouping with one more op before it: in the group of all its users, and in one of its own."""
    users = {use.operation for result in op.results for use in result.uses}
    alone = ((op,), *grouping)
    for i, group in enumerate(grouping):
        if users and users <= set(group) and all(joins(op, user) for user in users):
            return [(*grouping[:i], (op, *group), *grouping[i + 1 :]), alone]
    return [alone]


def _exact(
    part: Group, start: _Total, price: Pricing, joins: Callable[[Operation, Operation], bool]
) -> tuple[Grouping, _Total] | None:
    """The fastest grouping of all; a group that is no kernel is not extended."""
    best: tuple[Grouping, _Total] | None = None

    def place(left: int, grouping: Grouping) -> None:
        nonlocal best
        if left == 0:
            total = _total(grouping, price)
            if total is None or not total.beats(start):
                return
            if best is None or total.time_us < best[1].time_us * (1 - LEAST_GAIN):
                best = grouping, total
            return
        for choice in _choices(part[left - 1], grouping, joins):
            grown = len(choice) == len(grouping)
            if not grown or all(price(group) is not None for group in choice if group not in grouping):
                place(left - 1, choice)

    place(len(part), ())
    return best


@dataclass(frozen=True)
class _Open:
    """A group that another op may still join, and the earliest place of one that could."""

    group: Group
    first: int
    time_us: float


@dataclass(frozen=True)
class _State:
    """A grouping of the ops placed so far: the groups that are open, and the others, one tied to the next."""

    time_us: float = 0.0
    open: tuple[_Open, ...] = ()
    closed: "tuple[Group, _State] | None" = None
    """One group that is closed, and the state with those closed before it."""

    def until(self, place: int) -> "_State":
        """The state when the ops before `place` are still to come."""
        state, kept = self, tuple(one for one in self.open if one.first < place)[:MOST_OPEN]
        for one in self.open:
            if one not in kept:
                state = _State(self.time_us, kept, (one.group, state))
        return state

    def grouping(self) -> Grouping:
        groups, state = [one.group for one in self.open], self
        while state.closed is not None:
            group, state = state.closed
            groups.append(group)
        return tuple(groups)


def _beam(
    part: Group, start: _Total, price: Pricing, joins: Callable[[Operation, Operation], bool]
) -> tuple[Grouping, _Total] | None:
    """The best of the groupings that stay among the `BEAM` fastest at every op."""
    place = {op: i for i, op in enumerate(part)}
    states = [_State()]
    places = range(len(part) - 1, -1, -1)
    for i in tracked(places, "searching groups", "op", lambda i: part[i].name):
        feeds = (
            place[o] for o in (v.owner for v in part[i].operands) if isinstance(o, Operation) and o in place
        )
        first = min(feeds, default=i)
        grown = (one for state in states for one in _placed(part[i], first, state.until(i + 1), price, joins))
        states = sorted(grown, key=lambda state: state.time_us)[:BEAM]
    for state in states:
        grouping = state.grouping()
        total = _total(grouping, price)
        if total is not None and total.beats(start):
            return grouping, total
    return None


def _placed(
    op: Operation, first: int, state: _State, price: Pricing, joins: Callable[[Operation, Operation], bool]
) -> Iterator[_State]:
    """The states with one more op, whose operands begin at place `first`."""
    for choice in _choices(op, tuple(one.group for one in state.open), joins):
        kept = tuple(one for one in state.open if one.group in choice)
        taken = [one for one in state.open if one.group not in choice]
        (group,) = (one for one in choice if one[0] is op)
        new = price(group)
        if new is not None:
            time = state.time_us + new.time_us - sum(one.time_us for one in taken)
            grown = _Open(group, min([first, *(one.first for one in taken)]), new.time_us)
            yield _State(time, (grown, *kept), state.closed)

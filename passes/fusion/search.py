"""Groupings beyond the greedy one: exact on small parts of a graph, a beam on larger ones.

Units of ops (units.py) are placed from the last to the first. One either begins a group, whose result it gives, or
joins the one group that all its users are in, so every grouping is a word of such choices. The greedy grouping is the
first incumbent; another one takes its place where it is predicted faster and moves no more bytes of GM.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol

from xdsl.ir import Operation

from ...dialects.records import dataclass
from ...runtime.support.progress import tracked
from .units import units_of

Group = tuple[Operation, ...]
Grouping = tuple[Group, ...]

MOST_EXACT = 10
"""Ops up to which every grouping is weighed."""
BEAM = 3
"""Groupings that are kept from op to op in larger parts."""
MOST_OPEN = 16
"""Groups of one grouping that the next op may join, the last ones begun."""
PIECE = 40
"""Least units of a larger part that are looked at together, ahead of the search."""
LEAST_GAIN = 0.001
"""Share of the predicted time below which two groupings are alike."""
TOLD_APART = 0.02
"""Share of the predicted time of the groups that change by which a grouping must be faster than the greedy one:
predictions are no better than that."""


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
    part: Group,
    greedy: Grouping,
    price: Pricing,
    joins: Callable[[Operation, Operation], bool],
    light: Callable[[Operation], bool] = lambda op: False,
) -> tuple[Grouping, Searched] | None:
    """A grouping of a part that beats the greedy one, and what it changes; None where there is none. Ops that are
    `light` stay with what they work on each element of."""
    search = _Search(part, units_of(part, greedy, light), price, joins)
    start = search.total(greedy)
    if len(greedy) == 1 or start is None:  # one kernel moves the fewest bytes
        return None
    exact = len(part) <= MOST_EXACT
    found = search.exact(start) if exact else search.beam(start)
    if found is None:
        return None
    grouping, total = found
    changing = search.total([group for group in greedy if group not in grouping])
    if changing is None or start.time_us - total.time_us < TOLD_APART * changing.time_us:
        return None
    names = tuple(tuple(op.name for op in group) for group in greedy)
    changed = tuple(tuple(op.name for op in group) for group in grouping)
    record = Searched(exact, names, changed, start.time_us, total.time_us, start.bytes, total.bytes)
    return grouping, record


def looks_at(
    part: Group,
    greedy: Grouping,
    price: Pricing,
    joins: Callable[[Operation, Operation], bool],
    light: Callable[[Operation], bool] = lambda op: False,
) -> list[Callable[[], object]]:
    """What asks for the prices that `better_grouping` will ask for, in pieces which do not wait for each other: those
    of a large part begin as if its other ops were in closed groups."""
    if len(greedy) == 1:
        return []
    if len(part) <= MOST_EXACT:
        return [partial(better_grouping, part, greedy, price, joins, light)]
    search = _Search(part, units_of(part, greedy, light), price, joins)
    return [partial(search.placed, piece) for piece in search.pieces()]


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


class _Search:
    """The groupings of one part, unit by unit from the last to the first."""

    def __init__(
        self, part: Group, units: list[Group], price: Pricing, joins: Callable[[Operation, Operation], bool]
    ):
        self.units, self.price, self.joins = units, price, joins
        self.place = {op: i for i, op in enumerate(part)}

    def total(self, grouping: Sequence[Group]) -> _Total | None:
        """Its price; None where a group may not be one kernel."""
        prices = [self.price(group) for group in grouping]
        known = [one for one in prices if one is not None]
        if len(known) < len(prices):
            return None
        return _Total(sum(one.time_us for one in known), sum(one.bytes for one in known))

    def choices(self, unit: Group, grouping: Grouping) -> list[Grouping]:
        """The grouping with one more unit before it: in the group of all its users, and in one of its own."""
        op = unit[-1]
        users = {use.operation for result in op.results for use in result.uses}
        alone = (unit, *grouping)
        for i, group in enumerate(grouping):
            if users and users <= set(group) and all(self.joins(op, user) for user in users):
                joined = tuple(sorted((*unit, *group), key=self.place.__getitem__))
                return [(*grouping[:i], joined, *grouping[i + 1 :]), alone]
        return [alone]

    def exact(self, start: _Total) -> tuple[Grouping, _Total] | None:
        """The fastest grouping of all; a group that is no kernel is not extended."""
        best: tuple[Grouping, _Total] | None = None

        def place(left: int, grouping: Grouping) -> None:
            nonlocal best
            if left == 0:
                total = self.total(grouping)
                if total is None or not total.beats(start):
                    return
                if best is None or total.time_us < best[1].time_us * (1 - LEAST_GAIN):
                    best = grouping, total
                return
            for choice in self.choices(self.units[left - 1], grouping):
                grown = len(choice) == len(grouping)
                if not grown or all(
                    self.price(group) is not None for group in choice if group not in grouping
                ):
                    place(left - 1, choice)

        place(len(self.units), ())
        return best

    def beam(self, start: _Total) -> tuple[Grouping, _Total] | None:
        """The best of the groupings that stay among the `BEAM` fastest at every unit."""
        for state in self.placed(
            tracked(self.units[::-1], "searching groups", "op", lambda unit: unit[-1].name)
        ):
            grouping = state.grouping()
            total = self.total(grouping)
            if total is not None and total.beats(start):
                return grouping, total
        return None

    def placed(self, units: Iterable[Group]) -> list[_State]:
        """The fastest states with some units, of which the last ones come first."""
        states = [_State()]
        for unit in units:
            last = self.place[unit[-1]]
            feeds = [self.place[o] for o in self._feeding(unit)]
            first = min(feeds, default=last)
            grown = (one for state in states for one in self._placed(unit, first, state.until(last + 1)))
            states = sorted(grown, key=lambda state: state.time_us)[:BEAM]
        return states

    def pieces(self) -> list[list[Group]]:
        """The units, of which the last ones come first, in pieces that begin with one which can join no group, or are
        long."""
        found, unit_of = [list[Group]()], {op: unit for unit in self.units for op in unit}
        for unit in reversed(self.units):
            users = {unit_of.get(use.operation) for result in unit[-1].results for use in result.uses}
            if len(found[-1]) >= (PIECE if len(users) > 1 else 3 * PIECE):
                found.append([])
            found[-1].append(unit)
        return found

    def _feeding(self, unit: Group) -> Iterator[Operation]:
        """Ops of the part that a unit takes operands from."""
        for op in unit:
            for value in op.operands:
                owner = value.owner
                if isinstance(owner, Operation) and owner in self.place and owner not in unit:
                    yield owner

    def _placed(self, unit: Group, first: int, state: _State) -> Iterator[_State]:
        """The states with one more unit, whose operands begin at place `first`."""
        for choice in self.choices(unit, tuple(one.group for one in state.open)):
            kept = tuple(one for one in state.open if one.group in choice)
            taken = [one for one in state.open if one.group not in choice]
            (group,) = (one for one in choice if unit[-1] in one)
            new = self.price(group)
            if new is not None:
                time = state.time_us + new.time_us - sum(one.time_us for one in taken)
                grown = _Open(group, min([first, *(one.first for one in taken)]), new.time_us)
                yield _State(time, (grown, *kept), state.closed)

"""How a group is computed whose rows no tile holds in full: by reading the parts of its rows several times.

    t = add(x, r)   y = softmax(t)   z = gelu(y)

    reading 1   of each part:  t                 and the state of softmax so far
    once        what results of softmax are computed of
    reading 2   of each part:  t, y, z           stored

An op on rows needs all that it is computed of, so what it gives is known one reading later. What a part needs is
computed again in each reading; what has one element a row is computed once, behind the reading that it needs.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation, SSAValue

from ...dialects.graph.rules import RowWise
from ...dialects.records import dataclass
from ...dialects.tiling import Along, OperandMap, Picked
from ..support.values import rule_of
from .loads import Load
from .regions import Regions


class NoPartsError(Exception):
    """The group's rows cannot be met part by part; the message is the reason."""


@dataclass(frozen=True)
class Reading:
    """One walk over the parts of the rows: ops that are computed of each part, row ops that meet their rows, and ops
    that are computed once behind it."""

    body: tuple[Operation, ...]
    meets: tuple[Operation, ...]
    after: tuple[Operation, ...]


@dataclass(frozen=True)
class RowReadings:
    """`rows`: the kernel's dimensions that make up a row, in order. `before`: ops that are computed once, before the
    first reading. `stores`: whether the last reading gives the results, part by part; else they have one element a
    row."""

    rows: tuple[int, ...]
    before: tuple[Operation, ...]
    readings: tuple[Reading, ...]
    stores: bool

    @property
    def row_ops(self) -> tuple[Operation, ...]:
        return tuple(op for reading in self.readings for op in reading.meets)


def follows(regions: Regions, maps: OperandMap, dims: Iterable[int]) -> bool:
    """Whether a value varies along one of some kernel dimensions."""
    found = {e.dim for e in regions.kernel_map(maps) if isinstance(e, Along)}
    return not found.isdisjoint(dims)


def row_rule(op: Operation) -> RowWise:
    """The rule of an op whose rows are met part by part."""
    rule = rule_of(op)
    assert isinstance(rule, RowWise)
    return rule


def row_readings(regions: Regions) -> RowReadings:
    """The readings of a group without a product; `NoPartsError` where its rows cannot be met part by part."""
    rows = tuple(sorted(regions.whole))
    _check(regions, rows)
    inside: dict[SSAValue, Operation] = {op.results[0]: op for op in regions.ops}
    varies = {op: follows(regions, regions.maps[op.results[0]], rows) for op in regions.ops}
    known: dict[Operation, int] = {}
    """How many readings come before an op's result is known."""
    for op in regions.ops:
        before = max((known[inside[v]] for v in op.operands if v in inside), default=0)
        known[op] = before + bool(regions.kernel_rows(op))
    count, stores = max(known.values()), varies[regions.ops[-1]]
    readings: list[Reading] = []
    for i in range(count + stores):
        meets = tuple(op for op in regions.ops if regions.kernel_rows(op) and known[op] == i + 1)
        wanted = [op.operands[0] for op in meets] or [regions.result]
        body = _computed(wanted, regions, inside, varies)
        after = tuple(op for op in regions.ops if not varies[op] and known[op] == i + 1)
        readings.append(Reading(body, meets, after))
    first = tuple(op for op in regions.ops if not varies[op] and not known[op])
    return RowReadings(rows, first, tuple(readings), stores)


def _check(regions: Regions, rows: tuple[int, ...]) -> None:
    if not rows:
        raise NoPartsError("it has no rows")
    for op in regions.ops:
        own = regions.kernel_rows(op)
        rule = rule_of(op)
        if own and (not isinstance(rule, RowWise) or rule.parts is None):
            raise NoPartsError(f"{op.name} does not say how its rows are met part by part")
        if own and own != frozenset(rows):
            raise NoPartsError(f"rows of {op.name} are not those of other ops of the kernel")
    if regions.joins:
        raise NoPartsError("it joins tensors")
    if regions.factor and 0 in rows:
        raise NoPartsError("the length of its rows is known at run time only")
    for load in regions.loads:
        _check_load(regions, load)


def _check_load(regions: Regions, load: Load) -> None:
    along = [e for e in regions.kernel_map(load.maps) if isinstance(e, Along)]
    if any(isinstance(e, Picked) for e in load.maps):
        raise NoPartsError("its rows are gathered")
    order = [e.dim for e in along]
    if order != sorted(order) or not all(e.is_identity for e in along):
        raise NoPartsError("its elements are moved on the way")


def _computed(
    wanted: Iterable[SSAValue],
    regions: Regions,
    inside: dict[SSAValue, Operation],
    varies: dict[Operation, bool],
) -> tuple[Operation, ...]:
    """The ops that are computed of each part for some values, in order."""
    found: set[Operation] = set()
    waiting = list(wanted)
    while waiting:
        op = inside.get(waiting.pop())
        if op is not None and varies[op] and op not in found:
            found.add(op)
            waiting += op.operands
    return tuple(op for op in regions.ops if op in found)


__all__ = ["NoPartsError", "Reading", "RowReadings", "follows", "row_readings", "row_rule"]

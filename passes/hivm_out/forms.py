"""Indices of a kernel as sums of what they are computed from: which of two is larger, and by how much, is then known
whatever core and trip computes them."""

from collections.abc import Mapping
from math import inf

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

from ...dialects.records import dataclass
from ..analysis.index_arithmetic import COMPUTED, function_of
from ..analysis.index_ranges import Range, range_of

Trips = Mapping[SSAValue, int]
"""The numbers of loops that are at one trip."""
PREDICATES = tuple(arith.CMPI_COMPARISON_OPERATIONS)


@dataclass(frozen=True)
class Form:
    """`constant` and so many times each of `terms`: what is not computed by sums, by how it is."""

    constant: int
    terms: frozenset[tuple[object, int]] = frozenset()

    @property
    def known(self) -> int | None:
        """The number, where it is one."""
        return None if self.terms else self.constant

    def __add__(self, other: "Form") -> "Form":
        found = dict(self.terms)
        for term, times in other.terms:
            found[term] = found.get(term, 0) + times
        kept = frozenset((term, times) for term, times in found.items() if times)
        return Form(self.constant + other.constant, kept)

    def times(self, factor: int) -> "Form":
        terms = ((term, times * factor) for term, times in self.terms if factor)
        return Form(self.constant * factor, frozenset(terms))

    def __sub__(self, other: "Form") -> "Form":
        return self + other.times(-1)


class Forms:
    """The forms of a kernel's indices."""

    def __init__(self):
        self._ranges: dict[object, Range] = {}

    def of(self, value: SSAValue, trips: Trips) -> Form:
        """The form of an index or a condition, in the loops of `trips` at one trip."""
        if value in trips:
            return Form(trips[value])
        op = value.owner
        if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr):
            return Form(abs(op.value.value.data) if str(op.value.type) == "i1" else op.value.value.data)
        if not isinstance(op, Operation) or op.name not in COMPUTED:
            return self._term(value, value)
        first, second = (self.of(operand, trips) for operand in op.operands)
        if first.known is not None and second.known is not None:
            return Form(int(function_of(op)(first.known, second.known)))
        if isinstance(op, arith.AddiOp):
            return first + second
        if isinstance(op, arith.SubiOp):
            return first - second
        if isinstance(op, arith.MuliOp) and (first.known is not None or second.known is not None):
            return first.times(second.constant) if second.known is not None else second.times(first.constant)
        if isinstance(op, arith.CmpiOp):
            return self._compared(op, first - second)
        return self._term((op.name, first, second), value)

    def _term(self, key: object, value: SSAValue) -> Form:
        self._ranges[key] = range_of(value)
        return Form(0, frozenset(((key, 1),)))

    def _compared(self, op: arith.CmpiOp, difference: Form) -> Form:
        """A condition: known where the difference of what it compares is on one side of zero."""
        low, high = self.range(difference)
        name = PREDICATES[op.predicate.value.data]
        if low == high:
            return Form(int(function_of(op)(int(low), 0)))
        decided = {"eq": (0, low > 0 or high < 0), "slt": (int(high < 0), low >= 0 or high < 0),
                   "sge": (int(low >= 0), low >= 0 or high < 0)}.get(name, (0, False))  # fmt: skip
        if decided[1]:
            return Form(decided[0])
        return self._term((name, difference), op.result)

    def range(self, form: Form) -> Range:
        """Between which numbers a form is."""
        low = high = float(form.constant)
        for term, times in form.terms:
            least, most = self._ranges.get(term, (-inf, inf))
            low += times * (least if times > 0 else most)
            high += times * (most if times > 0 else least)
        return low, high


__all__ = ["Form", "Forms", "Trips"]

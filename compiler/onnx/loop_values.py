"""What values are in one trip of a Loop, in terms of tensors from outside of it.

    s, e = o[b], o[b + 1]        Element(o, b), Element(o, b + 1)
    g = t[i[s:e]]                Rows(i, s, e, table=t)
    y = sum(g, axis=0)           Bag("sum", Rows(i, s, e, table=t), keep=False)
    s == e                       Empty(s, e)
    n - s                        Length(s, n)

The trip's number is known, so whatever is computed of it is, too, and branches on it are taken. What is nothing of this
raises NoBag.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.records import dataclass
from .builder import Builder

if TYPE_CHECKING:
    import onnx_ir as ir
    from numpy.typing import NDArray

    Array = NDArray[Any]

MODES = {"ReduceSum": "sum", "ReduceMean": "mean", "ReduceMax": "max"}


class NoBag(Exception):
    """A value is none that folds bags of rows."""


@dataclass(frozen=True)
class Outer:
    """A tensor from outside of the loop that the program computes."""


@dataclass(frozen=True)
class Element:
    """One number of a list from outside."""

    source: ir.Value
    index: int


Number = int | Element


@dataclass(frozen=True)
class Length:
    """How long a part is."""

    start: Number
    end: Number


@dataclass(frozen=True)
class Empty:
    """Whether a part is empty, or with `holds` = False whether it is not."""

    start: Number
    end: Number
    holds: bool = True


@dataclass(frozen=True)
class Rows:
    """Rows or numbers of a tensor from start to end; with a table its rows that these numbers name, with weights each
    times its own. `column`: a dimension of size one is behind them."""

    source: ir.Value
    start: Number
    end: Number
    table: ir.Value | None = None
    weights: ir.Value | None = None
    column: bool = False


@dataclass(frozen=True)
class Bag:
    """Rows folded along their first dimension, which with `keep` stays, with size one."""

    mode: str
    rows: Rows
    keep: bool


class Outside:
    """What is known of values from outside of the loop."""

    def __init__(self, values: Mapping[ir.Value, Any], b: Builder):
        self.values, self.b = values, b
        self._known: dict[ir.Value, Array] = {}
        self.taken_for_all: set[Element] = set()
        """Last offsets that were taken for the number of indices."""

    def value(self, value: ir.Value) -> Any:
        """An array or an SSA value."""
        if value.const_value is not None and value not in self._known:
            self._known[value] = self.values.get(value, value.const_value.numpy())
        found = self._known.get(value, self.values.get(value))
        if not isinstance(found, SSAValue | np.ndarray):
            raise NoBag
        return found

    def shape(self, value: ir.Value) -> tuple[int, ...]:
        shape = self.b.shape(self.value(value))
        if -1 in shape:
            raise NoBag
        return shape

    def element(self, value: ir.Value, index: int) -> Number:
        """One number of a list, followed back through parts and joined lists; known where the list is."""
        (size,) = shape if len(shape := self.shape(value)) == 1 else (0,)
        found = self.value(value)
        if not -size <= index < size or self.b.is_float(found):
            raise NoBag
        index %= size
        if isinstance(found, np.ndarray):
            return int(found[index])
        node = value.producer()
        if node is None or node.domain or not node.inputs or node.inputs[0] is None:
            return Element(value, index)
        first = node.inputs[0]
        if node.op_type == "Concat":
            for part in node.inputs:
                assert part is not None
                if index < self.shape(part)[0]:
                    return self.element(part, index)
                index -= self.shape(part)[0]
        if node.op_type in ("Cast", "Identity", "Reshape") and len(self.shape(first)) == 1:
            return Element(value, index) if self.b.is_float(self.value(first)) else self.element(first, index)
        if node.op_type == "Slice":
            return self._before_slice(value, node, index)
        return Element(value, index)

    def _before_slice(self, value: ir.Value, node: ir.Node, index: int) -> Number:
        first, starts, *others = node.inputs
        assert first is not None and starts is not None
        start = self.value(starts)
        steps = self.value(others[2]) if len(others) > 2 and others[2] is not None else np.ones(1)
        constant = isinstance(start, np.ndarray) and isinstance(steps, np.ndarray)
        if not constant or int(steps[0]) != 1:
            return Element(value, index)
        size, at = self.shape(first)[0], int(start[0])
        return self.element(first, max(at + size, 0) + index if at < 0 else at + index)

    def number(self, one: Any) -> Number:
        """A known number, or one of a list. Raises NoBag where it is neither."""
        array = known(one)
        if array is not None and array.size == 1 and array.dtype.kind in "iu":
            return int(array.reshape(-1)[0])
        if isinstance(one, Rows) and one.table is None and not one.column:
            start, end = one.start, one.end
            if isinstance(start, int) and isinstance(end, int) and end - start == 1:
                return self.element(one.source, start)
        if isinstance(one, Element):
            return one
        raise NoBag

    def same(self, a: Number, b: Number, rows: Rows) -> bool:
        """Whether two ends of a bag are one: alike, or the last offset and the number of indices."""
        if a == b:
            return True
        lists = [one for one in (a, b) if isinstance(one, Element)]
        ends = [one for one in lists if one.index + 1 == self.shape(one.source)[0]]
        if len(lists) != 1 or not ends or self.shape(rows.source)[0] not in (a, b):
            return False
        self.taken_for_all.add(ends[0])
        return True


def known(value: Any) -> Array | None:
    """The array that a value is, if it is known."""
    return cast("Array", value) if isinstance(value, np.ndarray) else None


def boxed(number: Number) -> Any:
    """A number as the value of a node: an array where it is known."""
    return np.asarray(number, np.int64) if isinstance(number, int) else number


class Trip:
    """What values of a loop's body are in one trip; `given` are its inputs, `inside` the nodes of the body and of what
    is in it."""

    def __init__(self, outside: Outside, inside: set[ir.Node], given: Mapping[ir.Value, Any]):
        self.outside, self.inside = outside, inside
        self.found: dict[ir.Value, Any] = dict(given)

    def of(self, value: ir.Value | None) -> Any:
        if value is None:
            return None
        if value not in self.found:
            node = value.producer()
            if node is not None and node in self.inside:
                self.found[value] = self._branch(node) if node.op_type == "If" else self._made(node)
            else:
                outer = self.outside.value(value)
                self.found[value] = outer if isinstance(outer, np.ndarray) else Outer()
        return self.found[value]

    def _made(self, node: ir.Node) -> Any:
        inputs = [self.of(value) for value in node.inputs]
        constant = all(one is None or isinstance(one, np.ndarray) for one in inputs)
        if constant and node.op_type in _BY_NUMPY:
            return np.asarray(_BY_NUMPY[node.op_type](*inputs))
        rule = None if node.domain else _RULES.get(node.op_type)
        if rule is None:
            raise NoBag
        return rule(self.outside, node, inputs)

    def _branch(self, node: ir.Node) -> Any:
        """The branch that is taken, or that of bags which are not empty where the other one gives zeros."""
        test = self.of(node.inputs[0])
        names = ("then_branch", "else_branch")
        results = [node.attributes[name].as_graph().outputs[0] for name in names]
        if isinstance(test, np.ndarray):
            return self.of(results[0 if test.all() else 1])
        if not isinstance(test, Empty):
            raise NoBag
        empty, full = (self.of(one) for one in results[:: 1 if test.holds else -1])
        zeros = isinstance(empty, np.ndarray) and not empty.any()
        if isinstance(empty, Bag):
            zeros = empty.mode == "sum" and self._tests(test, empty.rows)
        if not zeros or not isinstance(full, Bag) or not self._tests(test, full.rows):
            raise NoBag
        return full

    def _tests(self, test: Empty, rows: Rows) -> bool:
        """Whether a test is of whether these rows are none."""
        both = ((test.start, test.end), (test.end, test.start))
        return any(start == rows.start and self.outside.same(end, rows.end, rows) for start, end in both)


def _like(x: Array, like: Array) -> Array:
    return x.astype(like.dtype)


_BY_NUMPY: dict[str, Callable[..., Any]] = {
    "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Equal": np.equal, "Less": np.less,
    "LessOrEqual": np.less_equal, "Greater": np.greater, "GreaterOrEqual": np.greater_equal,
    "And": np.logical_and, "Or": np.logical_or, "Not": np.logical_not, "Identity": np.asarray,
    "CastLike": _like, "Reshape": np.reshape,
}  # fmt: skip
"""What is computed of known numbers."""


def _first(outside: Outside, node: ir.Node, inputs: list[Any]) -> Any:
    """The first input as it is."""
    return inputs[0]


def _passed(outside: Outside, node: ir.Node, inputs: list[Any]) -> Any:
    """A number, a length or a condition of another shape or type."""
    array = known(inputs[0])
    condition = array is not None and array.dtype.kind == "b"
    return inputs[0] if condition or isinstance(inputs[0], Length) else boxed(outside.number(inputs[0]))


def _unsqueezed(outside: Outside, node: ir.Node, inputs: list[Any]) -> Any:
    one = inputs[0]
    if isinstance(one, Rows) and one.table is None and _axes(node, inputs) in ([1], [-1]):
        if one.column or len(outside.shape(one.source)) != 1:
            raise NoBag
        return replace(one, column=True)
    return _passed(outside, node, inputs)


def _axes(node: ir.Node, inputs: list[Any]) -> list[int]:
    """The axes of a node, an attribute or its second input; none are stated: no axis."""
    if "axes" in node.attributes:
        return list(node.attributes["axes"].as_ints())
    axes = known(inputs[1]) if len(inputs) > 1 else None
    return [] if axes is None else [int(n) for n in axes.reshape(-1)]


def _sliced(outside: Outside, node: ir.Node, inputs: list[Any]) -> Any:
    data, starts, ends, *others = inputs
    wanted = ([0], [1])  # axes and steps
    plain = all(
        one is None or ((array := known(one)) is not None and array.reshape(-1).tolist() == want)
        for one, want in zip(others, wanted, strict=False)
    )
    source = node.inputs[0]
    if source is None or not isinstance(data, Outer | np.ndarray) or not plain:
        raise NoBag
    size = outside.shape(source)[0]

    def held(one: Any) -> Number:
        """A known bound counted from the front, within the list."""
        bound = outside.number(one)
        return min(max(bound + size * (bound < 0), 0), size) if isinstance(bound, int) else bound

    return Rows(source, held(starts), held(ends))


def _gathered(outside: Outside, node: ir.Node, inputs: list[Any]) -> Any:
    data, indices = inputs
    source = node.inputs[0]
    axis = node.attributes["axis"].as_int() if "axis" in node.attributes else 0
    if source is None or axis != 0 or not isinstance(data, Outer | np.ndarray):
        raise NoBag
    if isinstance(indices, Rows) and len(outside.shape(indices.source)) == 1 and not indices.column:
        if indices.table is not None or len(outside.shape(source)) != 2:
            raise NoBag
        return replace(indices, table=source)
    index = outside.number(indices)
    if not isinstance(index, int):
        raise NoBag
    return boxed(outside.element(source, index))


def _multiplied(outside: Outside, node: ir.Node, inputs: list[Any]) -> Any:
    """Rows times their weights."""
    rows, weights = inputs if not getattr(inputs[0], "column", False) else inputs[::-1]
    if not isinstance(rows, Rows) or not isinstance(weights, Rows) or not weights.column:
        raise NoBag
    alike = (rows.start, rows.end) == (weights.start, weights.end)
    fits = outside.shape(rows.source)[0] == outside.shape(weights.source)[0]
    if not alike or not fits or rows.table is None or rows.weights is not None:
        raise NoBag
    return replace(rows, weights=weights.source)


def _folded(outside: Outside, node: ir.Node, inputs: list[Any]) -> Any:
    rows = inputs[0]
    if not isinstance(rows, Rows) or rows.column or _axes(node, inputs) != [0]:
        raise NoBag
    if rows.table is None and len(outside.shape(rows.source)) != 2:
        raise NoBag
    keep = node.attributes["keepdims"].as_int() if "keepdims" in node.attributes else 1
    return Bag(MODES[node.op_type], rows, bool(keep))


def _difference(outside: Outside, node: ir.Node, inputs: list[Any]) -> Any:
    end, start = (outside.number(one) for one in inputs)
    return Length(start, end)


def _divided(outside: Outside, node: ir.Node, inputs: list[Any]) -> Any:
    """A sum by the number of its rows."""
    bag, count = inputs
    if not isinstance(bag, Bag) or bag.mode != "sum" or not isinstance(count, Length):
        raise NoBag
    if count.start != bag.rows.start or not outside.same(count.end, bag.rows.end, bag.rows):
        raise NoBag
    return replace(bag, mode="mean")


def _equal(outside: Outside, node: ir.Node, inputs: list[Any]) -> Any:
    a, b = (outside.number(one) for one in inputs)
    return Empty(a, b)


def _greater(outside: Outside, node: ir.Node, inputs: list[Any]) -> Any:
    length, zero = inputs
    if not isinstance(length, Length) or outside.number(zero) != 0:
        raise NoBag
    return Empty(length.start, length.end, holds=False)


_RULES: dict[str, Callable[[Outside, Any, list[Any]], Any]] = {
    **dict.fromkeys(("Cast", "Reshape", "Squeeze"), _passed),
    **dict.fromkeys(MODES, _folded),
    "Identity": _first,
    "CastLike": _passed,
    "Unsqueeze": _unsqueezed,
    "Slice": _sliced,
    "Gather": _gathered,
    "Mul": _multiplied,
    "Sub": _difference,
    "Div": _divided,
    "Equal": _equal,
    "Greater": _greater,
}

__all__ = ["Bag", "Element", "NoBag", "Number", "Outside", "Rows", "Trip", "boxed"]

"""What of a group its cost depends on: equal signatures, equal costs."""

from collections.abc import Sequence
from functools import cached_property
from math import inf, prod
from typing import cast

from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ...dialects.graph import SliceOp
from ...dialects.graph.fusion_marks import kernel_marks
from ...dialects.graph.slicing import slice_parts
from ...dialects.tile import BLOCK
from ..support.values import is_splat, moves, rule_of, shape_of

Signature = tuple[object, ...]


class _Hashed(tuple[object, ...]):
    """A part of a signature whose hash, which goes through all types and attributes, is computed once."""

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            self._hash = super().__hash__()
            return self._hash

    @cached_property
    def text(self) -> str:
        """The part in words, without rules: the same in every process, where hashes and rules are others."""
        return "(" + ",".join(map(_text, self)) + ")"


class _Parts:
    """Parts of signatures of a function, of which only types change."""

    def __init__(self):
        self._ops: dict[Operation, Signature] = {}
        self._types: dict[int, tuple[Attribute, Signature]] = {}
        """By the `id` of the types: these objects, so that nothing else gets their `id`."""
        self._fills: dict[SSAValue, str | None] = {}

    def of_op(self, op: Operation) -> Signature:
        """What an op says of itself; of a slice, what it says of its kernel."""
        found = self._ops.get(op)
        if found is None:
            named = () if isinstance(op, SliceOp) else sorted(op.properties.items(), key=lambda item: item[0])
            found = self._ops[op] = _Hashed((op.name, rule_of(op), (*named, *kernel_marks(op))))
        return found

    def of_type(self, kind: Attribute) -> Signature:
        found = self._types.get(id(kind))
        if found is None:
            found = self._types[id(kind)] = kind, _Hashed((kind,))
        return found[1]

    def fill_of(self, value: SSAValue) -> str | None:
        """The number that fills a tensor."""
        if value not in self._fills:
            fill = is_splat(value)
            self._fills[value] = None if fill is None else str(fill)
        return self._fills[value]


class Signatures:
    """Signatures of groups of one function, of which only types change. `packable`: its weights."""

    def __init__(self, packable: frozenset[SSAValue]):
        self._packable = packable
        self._parts = _Parts()
        self._known: dict[
            tuple[Operation, ...], dict[tuple[int, ...], tuple[list[Attribute], Signature]]
        ] = {}
        """By the `id` of the types: these objects, so that nothing else gets their `id`."""

    def of(self, ops: tuple[Operation, ...]) -> Signature:
        """The signature of a group, with the types that its tensors have now."""
        types = [value.type for op in ops for value in (*op.operands, *op.results)]
        known, key = self._known.setdefault(ops, {}), tuple(map(id, types))
        if key not in known:
            known[key] = types, _signature(ops, self._packable, self._parts)
        return known[key][1]


def group_signature(ops: Sequence[Operation], packable: frozenset[SSAValue]) -> Signature:
    """Kinds, rules, attributes, types and edges of a group in program order: an operand is the number of the op in the
    group that gives it, or the number of the outside tensor, with what is known of it (its type, whether it is a
    weight, the number that fills it, and beside a product whether the function is given it, where it is as large
    as what a product gives). Of a slice only where it begins within a block, not in which one, and which others are of
    the same part. What ops say of their kernel counts."""
    return _signature(ops, packable, _Parts())


def _signature(ops: Sequence[Operation], packable: frozenset[SSAValue], parts: _Parts) -> Signature:
    beside = _beside_products(ops)
    least = min((_size(op.results[0]) for op in ops if rule_of(op).engine == "cube"), default=0)
    inside = dict[SSAValue, tuple[object, ...]]()
    for i, op in enumerate(ops):
        inside |= {result: ("op", i, j) for j, result in enumerate(op.results)}
    outside: dict[SSAValue, int] = {}
    slices: dict[Signature, int] = {}

    def operand(op: Operation, value: SSAValue) -> tuple[object, ...]:
        if value in inside:
            return inside[value]
        number = outside.setdefault(value, len(outside))
        given = isinstance(value, BlockArgument) and op in beside and (_size(value) >= least or moves(op))
        return ("tensor", number, parts.of_type(value.type), value in packable, given, parts.fill_of(value))

    def part(op: Operation) -> Signature:
        if not isinstance(op, SliceOp):
            return ()
        found = slice_parts(shape_of(op.x), op.attribute_values())
        alike = slices.setdefault((op.x, *found), len(slices))
        begin = (start and (start % BLOCK or BLOCK) for start, _, _ in found)
        return (alike, *zip(begin, (one[1:] for one in found), strict=True))

    return _Hashed(
        (
            parts.of_op(op),
            part(op),
            tuple(parts.of_type(r.type) for r in op.results),
            tuple(operand(op, v) for v in op.operands),
        )
        for op in ops
    )


def signature_text(signature: Signature) -> str:
    """A signature as another process can be told of it: rules are left out, which are what the rest of an op says."""
    return _text(signature)


def _text(part: object) -> str:
    if isinstance(part, _Hashed):
        return part.text
    if isinstance(part, tuple):
        return "(" + ",".join(map(_text, cast(tuple[object, ...], part))) + ")"
    if isinstance(part, str):
        return repr(part)
    return str(part) if isinstance(part, Attribute | int | None) else ""  # a rule


def _size(value: SSAValue) -> float:
    """Elements of a tensor; endless where its size is not known."""
    shape = shape_of(value)
    return inf if any(size < 0 for size in shape) else prod(shape)


def _beside_products(ops: Sequence[Operation]) -> frozenset[Operation]:
    """The ops of a group with a product for which it matters whether the function is given what they read: all but the
    one product and what is computed for its operands. What only moves elements may be an address elsewhere, too."""
    products = [op for op in ops if rule_of(op).engine == "cube"]
    if len(products) != 1:
        return frozenset(ops if products else ())
    before, waiting = set(products), list(products)
    while waiting:
        for value in waiting.pop().operands:
            owner = value.owner
            if isinstance(owner, Operation) and owner in ops and owner not in before:
                before.add(owner)
                waiting.append(owner)
    return frozenset(op for op in ops if op not in before or moves(op))

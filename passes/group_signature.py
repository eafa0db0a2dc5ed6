"""What of a group its cost depends on: equal signatures, equal costs."""

from collections.abc import Sequence

from xdsl.ir import Attribute, Operation, SSAValue

from .graph_values import is_splat, rule_of

Signature = tuple[object, ...]


def group_signature(ops: Sequence[Operation], packable: frozenset[SSAValue]) -> Signature:
    """Kinds, rules, attributes, types and edges of a group in program order: an operand is the number of the op in the
    group that gives it, or the number of the outside tensor, with what is known of it (its type, whether it is a
    weight, the number that fills it)."""
    inside: dict[SSAValue, int] = {op.results[0]: i for i, op in enumerate(ops)}
    outside: dict[SSAValue, int] = {}

    def operand(value: SSAValue) -> tuple[object, ...]:
        if value in inside:
            return ("op", inside[value])
        number = outside.setdefault(value, len(outside))
        fill = is_splat(value)
        return ("tensor", number, value.type, value in packable, None if fill is None else str(fill))

    def attributes(op: Operation) -> tuple[tuple[str, Attribute], ...]:
        return tuple(sorted(op.properties.items(), key=lambda item: item[0]))

    return tuple(
        (
            op.name,
            rule_of(op),
            attributes(op),
            tuple(r.type for r in op.results),
            tuple(operand(v) for v in op.operands),
        )
        for op in ops
    )

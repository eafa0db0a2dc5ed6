"""Ops that the search for a grouping places as one: each works on the elements of the one before it.

    %p = conv2d(%x, %w)      conv2d, bias_add and relu are one unit
    %s = bias_add(%p, %b)
    %y = relu(%s)
    %z = conv2d(%y, %v)      another one

A grouping that parts them moves no fewer bytes: what the op gives is no larger than what it takes. And it gains no time
where the op takes little: what takes longer, such as gelu, may be better in front of the product that follows. Only
ops in kernels around products are in units, for tiles of these take long to find.
"""

from collections.abc import Callable, Sequence
from math import prod

from xdsl.ir import Operation

from ...dialects.element_types import bytes_of
from ...dialects.tiling import Along
from ..support.values import element_type_of, iteration_of, rule_of, shape_of

Group = tuple[Operation, ...]


def units_of(part: Group, grouping: Sequence[Group], light: Callable[[Operation], bool]) -> list[Group]:
    """The units of a part of a graph, in the order of their last ops. Those of several ops are each within a group of
    `grouping`; `light` tells of an op whether it takes little beside a product."""
    inside = set(part)
    around = (g for g in grouping if any(rule_of(op).engine == "cube" for op in g))
    group = {op: members for members in around for op in members}
    units: dict[Operation, list[Operation]] = {}
    """By their last ops."""
    for op in part:
        owners = [v.owner for v in op.operands if v.owner in inside]
        first = owners[0] if len(owners) == 1 else None
        if (
            isinstance(first, Operation)
            and op in group
            and group.get(first) is group[op]
            and light(op)
            and _stays(first, op)
        ):
            units[op] = [*units.pop(first), op]
        else:
            units[op] = [op]
    return [tuple(unit) for unit in units.values()]


def _stays(op: Operation, user: Operation) -> bool:
    """Whether `user` alone uses the op's result, each element for one of its own, and takes no other tensor as large:
    that could come with what follows as well."""
    (value,) = op.results
    if len(user.results) != 1 or [use.operation for use in value.uses] != [user]:
        return False
    result = user.results[0]
    if shape_of(result) != shape_of(value):
        return False
    if any(v is not value and prod(shape_of(v)) >= prod(shape_of(value)) for v in user.operands):
        return False
    before, after = (bytes_of(element_type_of(v)) for v in (value, result))
    if after > before:
        return False
    iteration = iteration_of(user)
    if len(iteration.extents) != iteration.parallel or iteration.whole:
        return False
    maps = iteration.operands[list(user.operands).index(value)]
    return all(isinstance(e, Along) and e.is_identity and e.dim == d for d, e in enumerate(maps))

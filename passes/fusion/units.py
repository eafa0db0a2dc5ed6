"""Ops that the search for a grouping places as one: each works on the elements of the one before it.

    %p = conv2d(%x, %w)      conv2d, bias_add and relu are one unit
    %s = bias_add(%p, %b)
    %y = relu(%s)
    %z = conv2d(%y, %v)      another one

A grouping that parts them moves no fewer bytes: what the op gives is no larger than what it takes. And it gains no time
where the op takes little: what takes longer, such as gelu, may be better in front of the product that follows. Only
ops in kernels around products are in units, for tiles of these take long to find. A unit of a product, or of an op that
reads windows, and what follows it is taken before other fusions are weighed, where its ops are no faster apart. The
search takes it apart where the Vector cores beside the Cube's would do the op, and a kernel of whole rows is behind it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf, prod

from xdsl.ir import Operation

from ...dialects.element_types import bytes_of
from ...dialects.graph.fusion_marks import joins
from ...dialects.tiling import Along
from ..regions.joined_parts import has_window
from ..support.values import element_type_of, iteration_of, rule_of, shape_of
from .cost_model import CostModel
from .group_cost import GroupCost, Slower

Group = tuple[Operation, ...]

FEW_STEPS = 2
"""Vector instructions for each tile up to which an op takes little beside a product: a bias, relu, a clip."""
MOST_OPS = 8
"""Ops of a unit that is taken at once."""


def is_light(op: Operation, model: CostModel) -> bool:
    """Whether an op takes little of the Vector beside a product."""
    return model.vector_steps(op) <= FEW_STEPS


def product_units(
    ops: Sequence[Operation], group: Mapping[Operation, Group], model: CostModel, occupancy: float
) -> list[Group]:
    """Products and ops that read windows, with the light ops that follow each, of those that `group` has alone, which
    are no slower as one kernel than apart. All that is on chip for an element takes at most the share `occupancy` of
    UB."""
    units: list[Group] = []
    room = occupancy * model.target.spaces["ub"].bytes
    for op in ops:
        if not _begins(op) or group[op] != (op,) or len(op.results) != 1:
            continue
        unit = (op,)
        while len(unit) < MOST_OPS and (user := _follower(unit[-1], group, model)) is not None:
            unit = (*unit, user)
        if len(unit) > 1:
            units.append(unit)
    model.look_ahead([partial(_pays, unit, room, model) for unit in units])
    return [unit for unit in units if _pays(unit, room, model)]


def _pays(unit: Group, room: float, model: CostModel) -> bool:
    """Whether ops are no slower as one kernel than apart, with at most `room` bytes of UB on chip."""
    cost = model.known(unit)
    if cost is None or cost.live * cost.per_element > room:
        return False
    return _no_slower(unit, cost.time_us, model)


def _begins(op: Operation) -> bool:
    """Whether a unit may begin with an op: a product, or one that reads windows, which may be in a kernel with one."""
    return rule_of(op).engine == "cube" or has_window(op)


def _follower(op: Operation, group: Mapping[Operation, Group], model: CostModel) -> Operation | None:
    """The light op that alone uses the result of `op`, where nothing states that they are apart."""
    user = op.results[0].get_user_of_unique_use()
    if user is None or group.get(user) != (user,) or not joins(op, user):
        return None
    return user if _stays(op, user) and is_light(user, model) else None


def _no_slower(unit: Group, us: float, model: CostModel) -> bool:
    """Whether a product and its followers take at least so many µs as kernels of their own. What the product takes is
    looked for only as far as that needs it."""
    product, *followers = unit
    costs = (model.known((op,)) for op in followers)
    left = us - sum(inf if cost is None else cost.time_us for cost in costs)
    if model.floor_us(product) >= left:
        return True
    alone = model.cost_within((product,), left)
    return isinstance(alone, Slower) or (isinstance(alone, GroupCost) and alone.time_us >= left)


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
            and _stays(first, op)
            and light(op)
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

"""Groups in the IR: graph ops move into a `tile.group`, and out of it again where their kernel is built.

    %0 = graph.matmul %x, %w                %y = tile.group "f_0"(%a = %x, %b = %w) : (…) -> … {
    %y = graph.relu %0                        %0 = graph.matmul %a, %b
                                    <->       %1 = graph.relu %0
                                              tile.yield %1
                                            }

The ops stay the same objects. Constants, views, and what depends on weights alone stay outside.
"""

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import tile
from ...dialects.locations import fused_location
from ...dialects.records import dataclass
from ...dialects.tile import without_layout
from ..kernels.common.stated import FREE, GROUP_TILING, PLANNED_IN, Stated
from ..support.errors import LocatedError
from .layout_rules import retype


@dataclass(frozen=True)
class OpenGroup:
    """A group whose ops stand in the function again, in program order: its name, and they."""

    name: str
    ops: tuple[Operation, ...]
    stated: Stated = FREE
    """What the group says of its tiling."""
    predicted_us: float | None = None
    """What it says that its kernel takes, with its launch."""
    planned_in: str = ""
    """The plan that states its tiling, if one does."""


def make_group(name: str, ops: Sequence[Operation], predicted_us: float | None = None) -> tile.GroupOp:
    """Put ops, in program order, into a group in the place of the last one, whose result alone is used outside."""
    last = ops[-1]
    inside = {result for op in ops for result in op.results}
    read = list(dict.fromkeys(value for op in ops for value in op.operands if value not in inside))
    result = last.results[0]
    group = tile.GroupOp(name, read, result.type, predicted_us=predicted_us)
    group.location = fused_location([last.location, *(op.location for op in ops)])
    group.result.name_hint = result.name_hint
    Rewriter.insert_op(group, InsertPoint.before(last))
    result.replace_all_uses_with(group.result)
    block = group.body.block
    known: dict[SSAValue, SSAValue] = dict(zip(read, block.args, strict=True))
    for value, argument in known.items():
        argument.name_hint = value.name_hint
    for op in ops:
        op.detach()
        block.add_op(op)
        for i, operand in enumerate(op.operands):
            if operand in known:
                op.operands[i] = known[operand]
    retype(result, without_layout(result.type))
    block.add_op(tile.YieldOp(result))
    return group


def make_groups(
    groups: Iterable[Sequence[Operation]], names: Sequence[str], predicted: Sequence[float | None] = ()
) -> None:
    """Put the ops of each group into one; `predicted`: µs of each, where that is known."""
    for i, (ops, name) in enumerate(zip(groups, names, strict=True)):
        make_group(name, ops, predicted[i] if i < len(predicted) else None)


def open_group(group: tile.GroupOp) -> OpenGroup:
    """Put the ops of a group in its place."""
    ops = group.ops
    for argument, value in zip(group.body.block.args, group.inputs, strict=True):
        argument.replace_all_uses_with(value)
    result = ops[-1].results[0]
    last = group.body.block.last_op
    assert last is not None
    Rewriter.erase_op(last)
    for op in ops:
        op.detach()
    Rewriter.insert_op(list(ops), InsertPoint.before(group))
    retype(result, group.result.type)
    result.name_hint = group.result.name_hint
    stated = group.attributes.get(GROUP_TILING)
    predicted = None if group.predicted_us is None else group.predicted_us.value.data
    try:
        tiling = FREE if stated is None else Stated.of_attribute(stated)
    except ValueError as error:
        raise LocatedError(group, f"{group.name}: {GROUP_TILING}: {error}") from None
    where = group.attributes.get(PLANNED_IN)
    planned_in = where.data if isinstance(where, StringAttr) else ""
    opened = OpenGroup(group.group_name.data, ops, tiling, predicted, planned_in)
    Rewriter.replace_op(group, [], [result])
    return opened


def groups_of(function: FuncOp) -> list[tile.GroupOp]:
    """The groups of a function, in program order."""
    return [op for op in function.body.block.ops if isinstance(op, tile.GroupOp)]


def free_names(module: ModuleOp, wanted: Iterable[str]) -> list[str]:
    """Names for groups, no two alike and none that a group or a kernel of the module has."""
    taken: set[str] = set()
    for function in module.body.block.ops:
        for op in function.body.block.ops if isinstance(function, FuncOp) and function.body.blocks else ():
            if isinstance(op, tile.GroupOp):
                taken.add(op.group_name.data)
            elif isinstance(op, tile.KernelOp):
                taken.add(op.kernel_name.data)
    found: list[str] = []
    for name in wanted:
        while name in taken:
            name += "_"
        taken.add(name)
        found.append(name)
    return found


__all__ = ["OpenGroup", "free_names", "groups_of", "make_group", "make_groups", "open_group"]

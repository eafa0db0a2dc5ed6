"""Groups that the graph itself asks for (`graph.fuse`): what may become one kernel, or the error that says why not."""

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialects.graph.base import GraphOp
from ...dialects.graph.fusion_marks import NOFUSE, fuse_group, joins
from ..regions.compose_group import group_regions
from ..regions.compose_maps import NotFusableError
from ..support.errors import LocatedError


def forced_groups(function: FuncOp, ops: Sequence[Operation]) -> dict[str, tuple[Operation, ...]]:
    """The groups that a function names, each with its ops in program order; `ops` are those that need a kernel.

    `LocatedError` at the op that no kernel can take in: it needs none, its result is used outside, or the regions do
    not compose.
    """
    kernels, groups = set(ops), dict[str, tuple[Operation, ...]]()
    for op in function.body.block.ops:
        name = fuse_group(op) if isinstance(op, GraphOp) else None
        if name is None:
            continue
        if op not in kernels:
            raise LocatedError(op, f"{op.name} in group '{name}': it computes nothing that needs a kernel")
        groups[name] = (*groups.get(name, ()), op)
    for name, group in groups.items():
        check_group(name, group)
    return groups


def check_group(name: str, group: tuple[Operation, ...], composes: bool = False) -> None:
    """`LocatedError` at the op of a stated group that stands against its kernel. `composes`: it is known that their
    regions do."""
    for i in reversed(range(len(group) - 1)):
        op = group[i]
        users = [use.operation for use in op.results[0].uses]
        outside = [user.name for user in users if user not in group]
        if outside:
            used = "also used" if len(outside) < len(users) else "used"
            raise LocatedError(
                op, f"{op.name} in group '{name}': its result is {used} by {outside[0]}, which is not in it"
            )
    if composes:
        return
    # the last ops alone need not be a kernel: two products and what is between them may be one
    whole = _obstacle(group)
    for i in reversed(range(len(group) - 1)):
        error = None if whole is None else _obstacle(group[i:])
        if error is not None and str(error) == str(whole):
            at = error.op or group[i]
            raise LocatedError(at, f"{at.name} in group '{name}': {error}") from error


def _obstacle(group: Sequence[Operation]) -> NotFusableError | None:
    """Why ops do not compose."""
    try:
        group_regions(group)
    except NotFusableError as error:
        return error
    return None


def stated_reason(producer: Operation, consumer: Operation) -> str:
    """Which mark keeps two ops apart; empty where none does."""
    if joins(producer, consumer):
        return ""
    for op in (producer, consumer):
        if (group := fuse_group(op)) is not None:
            return f"{op.name} is in group '{group}', which takes in no other op"
    return f"{(producer if NOFUSE in producer.attributes else consumer).name} is marked nofuse"

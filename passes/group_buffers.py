"""Buffers of groups (`ascend.group_buffer`): where they start, and what that leaves to the programs.

A group's buffers lie at the start of their memory, one after the other, at the same addresses on every core. Both
programs of a launch put their own buffers behind them.
"""

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from ..dialects import ascend
from ..dialects.ascend.memory import space_of
from ..dialects.target import Target
from .graph_module import LocatedError, functions_of

Taken = Mapping[str, int]
"""Bytes at the start of each memory that a group's buffers take."""


def taken_by_groups(module: ModuleOp, target: Target) -> dict[str, dict[str, int]]:
    """For each kernel, what the buffers of its groups take of each memory; of several launches, the most."""
    taken: dict[str, dict[str, int]] = {}
    for launch, buffers in _launches(module):
        ends = _ends(buffers, target)
        for name in launch.kernels:
            mine = taken.setdefault(name, {})
            for space, end in ends.items():
                mine[space] = max(end, mine.get(space, 0))
    return taken


def place_group_buffers(module: ModuleOp, target: Target) -> None:
    """Write the addresses. `LocatedError` where a memory is too small."""
    for _, buffers in _launches(module):
        ends: dict[str, int] = {}
        for buffer in buffers:
            space = space_of(buffer.result)
            start = ends.get(space, 0)
            ends[space] = start + _rounded(buffer, target)
            if ends[space] > target.spaces[space].bytes:
                raise LocatedError(
                    buffer,
                    f"ascend.group_buffer: {space} needs {ends[space]} B for buffers of the group, "
                    f"{target.name} has {target.spaces[space].bytes} B",
                )
            buffer.address = IntegerAttr(start, i64)


def _launches(module: ModuleOp) -> Iterator[tuple[ascend.LaunchOp, Sequence[ascend.GroupBufferOp]]]:
    """Launches whose cores share buffers. A buffer belongs to one launch."""
    for function in functions_of(module):
        for op in function.body.block.ops:
            if isinstance(op, ascend.GroupBufferOp) and len({use.operation for use in op.result.uses}) > 1:
                raise LocatedError(
                    op, "ascend.group_buffer: a buffer belongs to one launch, this one to several"
                )
            if isinstance(op, ascend.LaunchOp):
                owners = (value.owner for value in op.arguments)
                buffers = [owner for owner in owners if isinstance(owner, ascend.GroupBufferOp)]
                if buffers:
                    yield op, buffers


def _ends(buffers: Sequence[ascend.GroupBufferOp], target: Target) -> dict[str, int]:
    ends: dict[str, int] = {}
    for buffer in buffers:
        space = space_of(buffer.result)
        ends[space] = ends.get(space, 0) + _rounded(buffer, target)
    return ends


def _rounded(buffer: ascend.GroupBufferOp, target: Target) -> int:
    align = target.spaces[space_of(buffer.result)].align
    return -(-buffer.bytes // align) * align

"""Buffers of groups (`ascend.group_buffer`): where they start, and what that leaves to the programs.

A group's buffers lie at the start of their memory, one after the other, at the same addresses on every core. Both
programs of a launch put their own buffers behind them.
"""

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from ...dialects import ascend
from ...dialects.ascend.memory import space_of
from ...dialects.target_types import Target
from ..support.errors import LocatedError
from ..support.module import functions_of

Taken = Mapping[str, int]
"""Bytes at the start of each memory that a group's buffers take."""


def taken_by_groups(module: ModuleOp, target: Target) -> dict[str, dict[str, int]]:
    """For each kernel, what the buffers of its groups take of each memory; of several launches, the most."""
    taken: dict[str, dict[str, int]] = {}
    for launch, buffers in _launches(module):
        for buffer, _, end in _placed(buffers, target):
            space = space_of(buffer.result)
            for name in launch.kernels:
                mine = taken.setdefault(name, {})
                mine[space] = max(end, mine.get(space, 0))
    return taken


def place_group_buffers(module: ModuleOp, target: Target) -> None:
    """Write the addresses. `LocatedError` where a memory is too small."""
    for _, buffers in _launches(module):
        for buffer, start, end in _placed(buffers, target):
            space = space_of(buffer.result)
            if end > target.spaces[space].bytes:
                raise LocatedError(
                    buffer,
                    f"ascend.group_buffer: {space} needs {end} B for buffers of the group, "
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


def _placed(
    buffers: Sequence[ascend.GroupBufferOp], target: Target
) -> Iterator[tuple[ascend.GroupBufferOp, int, int]]:
    """Buffers of one launch, one behind the other in each memory: first byte, and the byte behind the last."""
    ends: dict[str, int] = {}
    for buffer in buffers:
        space = space_of(buffer.result)
        start, align = ends.get(space, 0), target.spaces[space].align
        ends[space] = start + -(-buffer.bytes // align) * align
        yield buffer, start, ends[space]

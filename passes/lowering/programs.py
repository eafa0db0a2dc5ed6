"""The programs of one `tile.kernel`, as it says: one for each of its `programs`, which meet where `hand_overs` say."""

import pickle
from collections.abc import Hashable
from typing import cast

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialects import ascend, tile
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ..memory.space_problem import fits
from ..support.errors import LocatedError
from ..support.kernel_signature import kernel_signature
from ..support.packed_ops import Parts, packed, unpacked
from .base.tiling_function import tiling_function
from .kernel import KernelLowering
from .rooms import Room, room_of, taken
from .stream_hand_overs import rooms_of_parts, shared_rows, stream_of
from .stream_partition import StreamLowering


@dataclass(frozen=True)
class Lowered:
    """The kernels of one launch, and where they meet: their last arguments. `tiling`: the function that gives them the
    numbers of a dynamic extent."""

    kernels: tuple[ascend.KernelOp, ...]
    workspaces: tuple[Room, ...] = ()
    tiling: FuncOp | None = None

    @property
    def made(self) -> tuple[Operation, ...]:
        """What the module gets."""
        return self.kernels if self.tiling is None else (*self.kernels, self.tiling)


def lower_kernel(source: tile.KernelOp, target: Target) -> Lowered:
    """The programs of one `tile.kernel`. `LocatedError` where it does not say which, and how they loop."""
    if not source.program_list or source.program_list[0].loop is None:
        raise LocatedError(
            source,
            f"{source.name}: says not how it is carried out; run tile-partition and tile-pipeline first",
        )
    rooms, kept = _rooms(source, target), _taken_over(source, target)
    kernels = tuple(
        kept
        if kept is not None and program is source.program_list[-1]
        else _lowering(source, target, program, rooms).run()
        for program in source.program_list
    )
    return Lowered(kernels, rooms, tiling_function(source) if source.factor else None)


def packed_program(lowered: Lowered, parts: Parts) -> bytes:
    """What a kernel became, for another process. `parts`: of kernels that were packed or unpacked before."""
    return pickle.dumps((packed(lowered.made, parts), len(lowered.kernels), lowered.workspaces))


def unpacked_program(data: bytes, parts: Parts) -> Lowered:
    """What a kernel became in another process."""
    ops, count, workspaces = pickle.loads(data)
    made = unpacked(ops, parts)
    kernels, tiling = cast(list[ascend.KernelOp], made[:count]), cast(list[FuncOp], made[count:])
    return Lowered(tuple(kernels), workspaces, tiling[0] if tiling else None)


def has_room_ahead(source: tile.KernelOp, target: Target) -> bool:
    """Whether the program that loads ahead of their use (`prefetch`, `hoisted`) does so, and its buffers can be laid
    out."""
    rooms = _rooms(source, target)
    lowering = _lowering(source, target, source.program_list[-1], rooms)
    kernel = lowering.run()
    found = bool(lowering.fetched_ahead or lowering.shared) and fits(kernel, target, taken(rooms))
    if found:
        setattr(source, _KEPT, _Kept(target, _identity(source), kernel))
    return found


_KEPT = "kept_program"
"""The attribute of a kernel's object that holds its last program, where that was lowered to see what it takes."""


@dataclass(frozen=True, eq=False)
class _Kept:
    """A program, and what it was lowered from."""

    target: Target
    source: Hashable
    kernel: ascend.KernelOp


def _identity(source: tile.KernelOp) -> Hashable:
    return source.kernel_name, source.location, kernel_signature(source)


def _taken_over(source: tile.KernelOp, target: Target) -> ascend.KernelOp | None:
    """The last program of a kernel, where `has_room_ahead` has lowered it as it is now. It is used up."""
    kept: _Kept | None = vars(source).pop(_KEPT, None)
    same = kept is not None and kept.target == target and kept.source == _identity(source)
    return kept.kernel if kept is not None and same else None


def _rooms(source: tile.KernelOp, target: Target) -> tuple[Room, ...]:
    if target.split and stream_of(source) is not None:
        return rooms_of_parts(source)
    return tuple(room_of(source, one) for one in source.hand_over_list)


def _lowering(
    source: tile.KernelOp, target: Target, program: tile.ProgramAttr, rooms: tuple[Room, ...]
) -> KernelLowering:
    if target.split and stream_of(source) is not None:
        rows = source if program.core == "aic" else shared_rows(source, target)
        return StreamLowering(rows, target, program, rooms)
    return KernelLowering(source, target, program, rooms)


__all__ = ["Lowered", "has_room_ahead", "lower_kernel", "packed_program", "unpacked_program"]

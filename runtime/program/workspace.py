"""The workspace of a function: the bytes in GM in which its planned tensors lie, and how many those are."""

from collections.abc import Mapping
from math import prod

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.ascend import GmAllocOp
from ...dialects.ascend.memory import dtype_of, element_bytes, memref_type
from ...dialects.element_types import ELEMENT_BYTES
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ..machine.costs import gm_room
from ..support.hazard import ProgramError
from ..support.labels import label_of


@dataclass(frozen=True)
class WorkspaceProfile:
    """The bytes in GM that hold the tensors between kernels: as they lie, and with bytes of its own for each."""

    peak: int = 0
    apart: int = 0


def tensor_bytes(value: SSAValue, rows: int | None = None) -> int:
    """Bytes of a tensor in GM, whose dynamic first dimension is `rows`; `ProgramError` for an element type or a shape
    that no tensor has."""
    if dtype_of(value) not in ELEMENT_BYTES:
        raise ProgramError(f"the emulator has no element type {dtype_of(value)}")
    shape = memref_type(value).get_shape()
    if rows is not None and shape and shape[0] < 0:
        shape = (rows, *shape[1:])
    if any(n < 0 for n in shape):
        raise ProgramError(f"{label_of(value)} in GM has a dynamic shape: {value.type}")
    return element_bytes(value) * prod(shape)


def rows_of(op: GmAllocOp, known: Mapping[SSAValue, int]) -> int | None:
    """The dynamic first dimension of a tensor; None for a static one. `known`: indices of the function."""
    return None if op.size is None else known[op.size]


def offset_of(op: GmAllocOp, known: Mapping[SSAValue, int]) -> int | None:
    """Where a tensor starts in the function's workspace; None where it has bytes of its own."""
    if op.at is not None:
        return known[op.at]
    return None if op.offset is None else op.offset.value.data


def footprint(
    main: FuncOp, target: Target, room: WorkspaceProfile, known: Mapping[SSAValue, int], size: int | None
) -> int:
    """Bytes of the lines of L2 that the tensors of a function lie in, those of its workspace as `room` says. `known`:
    indices of the function, `size` its run-time size."""
    line = target.memory.l2_line
    sizes = [room.peak, *(tensor_bytes(argument, size) for argument in main.body.block.args)]
    for op in main.body.block.ops:
        if isinstance(op, GmAllocOp) and offset_of(op, known) is None:
            sizes.append(tensor_bytes(op.result, rows_of(op, known)))
    return sum((-(-one // line) + 1) * line for one in sizes)


def workspace_of(main: FuncOp, target: Target, known: Mapping[SSAValue, int]) -> WorkspaceProfile:
    """Bytes of the function's workspace, with and without reuse; `ProgramError` at a tensor that cannot lie there.
    `known`: indices of the function."""
    peak = apart = 0
    for op in main.body.block.ops:
        if not isinstance(op, GmAllocOp) or (offset := offset_of(op, known)) is None:
            continue
        line = target.memory.l2_line
        room = gm_room(tensor_bytes(op.result, rows_of(op, known)), target)
        if offset < 0 or offset % line:
            raise ProgramError(f"ascend.gm_alloc: offset {offset} is no multiple of {line} B", op)
        if offset + room > target.spaces["gm"].bytes:
            raise ProgramError(
                f"ascend.gm_alloc: bytes {offset} to {offset + room} of the workspace; {target.name} has "
                f"{target.spaces['gm'].bytes} B of GM",
                op,
            )
        peak, apart = max(peak, offset + room), apart + room
    return WorkspaceProfile(peak, apart)

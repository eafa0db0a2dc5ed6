"""The `ascend` dialect: one op per instruction of a DaVinci core, on views of physical buffers.

A kernel is one program that every core runs with its own block index. Buffers are memrefs in a named
space (`"l1" "l0a" "l0b" "l0c" "ub"`); a view picks a slot, an offset, sizes and strides of a buffer or of
a tensor in GM, so the layout (NZ, Zz, Zn, NC1HWC0) is visible in its shape.
"""

from typing import TypeGuard

from xdsl.ir import Dialect, Operation

from ..leading_operands import name_by_place
from .cube import FixpipeOp, Load2dOp, Load3dOp, MmadOp
from .host import FitOp
from .instructions import CopyOp, FillOp, TransposeOp, VecOp
from .launch import LaunchOp, LaunchPart, numbers_before
from .memory import BitcastOp, BufferOp, ViewOp
from .program import (
    BlockIdxOp,
    EndOp,
    GmAllocOp,
    GroupBufferOp,
    KernelOp,
    PackOp,
    ViewTensorOp,
    place_in_tensor,
)
from .scalar import LoadIndexOp, LoadScalarOp, StoreScalarOp
from .slots import NextSlotOp, PreviousSlotOp
from .sync import BarrierOp, CrossSetFlagOp, CrossWaitFlagOp, SetFlagOp, WaitFlagOp

INSTRUCTIONS = (CopyOp, FillOp, FixpipeOp, Load2dOp, Load3dOp, MmadOp, TransposeOp, VecOp)
SYNCHRONISATION = (SetFlagOp, WaitFlagOp, BarrierOp)
CROSS_CORE = (CrossSetFlagOp, CrossWaitFlagOp)

Instruction = CopyOp | FillOp | FixpipeOp | Load2dOp | Load3dOp | MmadOp | TransposeOp | VecOp
_INSTRUCTIONS, _SYNCHRONISATION = frozenset(INSTRUCTIONS), frozenset(SYNCHRONISATION)


def is_instruction(op: Operation) -> TypeGuard[Instruction]:
    """Whether an op is one of `INSTRUCTIONS`: `isinstance` asks the base classes of each in turn."""
    return type(op) in _INSTRUCTIONS


def is_synchronisation(op: Operation) -> TypeGuard[SetFlagOp | WaitFlagOp | BarrierOp]:
    """Whether an op is one of `SYNCHRONISATION`."""
    return type(op) in _SYNCHRONISATION


Ascend = Dialect(
    "ascend",
    [
        BufferOp,
        BitcastOp,
        ViewOp,
        NextSlotOp,
        PreviousSlotOp,
        LoadIndexOp,
        LoadScalarOp,
        StoreScalarOp,
        *INSTRUCTIONS,
        *SYNCHRONISATION,
        *CROSS_CORE,
        KernelOp,
        EndOp,
        BlockIdxOp,
        LaunchOp,
        GmAllocOp,
        GroupBufferOp,
        PackOp,
        FitOp,
        ViewTensorOp,
    ],
    [],
)
name_by_place(Ascend.operations)

__all__ = [
    "CROSS_CORE",
    "INSTRUCTIONS",
    "SYNCHRONISATION",
    "Ascend",
    "BarrierOp",
    "BitcastOp",
    "BlockIdxOp",
    "BufferOp",
    "CopyOp",
    "CrossSetFlagOp",
    "CrossWaitFlagOp",
    "EndOp",
    "FillOp",
    "FitOp",
    "FixpipeOp",
    "GmAllocOp",
    "GroupBufferOp",
    "Instruction",
    "KernelOp",
    "LaunchOp",
    "LaunchPart",
    "Load2dOp",
    "Load3dOp",
    "LoadIndexOp",
    "LoadScalarOp",
    "MmadOp",
    "NextSlotOp",
    "PackOp",
    "PreviousSlotOp",
    "SetFlagOp",
    "StoreScalarOp",
    "TransposeOp",
    "VecOp",
    "ViewOp",
    "ViewTensorOp",
    "WaitFlagOp",
    "is_instruction",
    "is_synchronisation",
    "numbers_before",
    "place_in_tensor",
]

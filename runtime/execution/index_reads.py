"""Indices and other numbers that a core's scalar unit reads from tensors in GM, and from its registers."""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ...dialects.ascend.memory import memref_type
from ..decode.scalar_plan import CELL
from ..machine.memory import NUMPY_TYPES, REGISTERS, Bytes, CoreMemory
from ..program.kernel_program import KernelProgram
from ..support.hazard import HazardError

Read = Callable[[int, int, int, int, int, int], int]
"""`read(argument, position, size, site, parts, step)`: an index into `size` elements, or what begins one of so many
parts of them, which are walked in steps."""

Take = Callable[[int, int, str, int], Any]
"""`take(argument, byte, type, site)`: an element of a tensor; `take(-1, register, type, site)`: one of a register."""


def index_reader(program: KernelProgram, tensors: Sequence[Bytes], sizes: Sequence[int] = ()) -> Read:
    """Reads the kernel's arguments, which have `sizes` bytes where they are dynamic. Where only time runs and tensors
    have no bytes, indices go one after the other, and parts are as long as each other."""

    def read(argument: int, position: int, size: int, site: int, parts: int, step: int) -> int:
        data = tensors[argument]
        if not data.size:
            return min(position, parts) * (size - 1) // parts if parts else position % size
        label = program.labels[argument]
        shape = memref_type(program.arguments[argument]).get_shape()
        count = prod(shape) if min(shape, default=1) >= 0 else sizes[argument] // 4
        if not 0 <= position < count:
            raise _outside(program, site, label, f"element {position} of {label}, which has {count} indices")
        found = int(data[4 * position : 4 * position + 4].view(np.int32)[0])
        if not (0 if parts else -size) <= found < size:
            raise _outside(
                program, site, label, f"index {found}, number {position} of {label}, into {size} elements"
            )
        return found + size if found < 0 else found

    return read


def number_reader(
    program: KernelProgram,
    tensors: Sequence[Bytes],
    sizes: Sequence[int],
    memory: Callable[[], CoreMemory | None],
) -> Take:
    """Reads elements of the kernel's arguments, which have so many bytes, and registers of the core whose `memory` that
    is. Where only time runs, numbers are 0."""

    def take(argument: int, at: int, dtype: str, site: int) -> Any:
        kind = NUMPY_TYPES[dtype]
        item = np.dtype(kind).itemsize
        if argument < 0:
            held = memory()
            if held is None:
                return kind(0).item() if dtype.startswith("i") else kind(0)
            data, start = held.spaces[REGISTERS], CELL * at
        else:
            data, start = tensors[argument], at
            if not 0 <= at <= sizes[argument] - item or at % item:
                label = program.labels[argument]
                raise _outside(program, site, label, f"byte {at} of {label}, which has {sizes[argument]}")
            if not data.size:
                return kind(0).item() if dtype.startswith("i") else kind(0)
        found = data[start : start + item].view(kind)[0]
        return int(found) if dtype.startswith("i") else found

    return take


def _outside(program: KernelProgram, site: int, label: str, message: str) -> HazardError:
    reference = program.sites[site].reference()
    return HazardError("out-of-bounds", message, instructions=(reference,), buffers=(label,))


__all__ = ["Read", "Take", "index_reader", "number_reader"]

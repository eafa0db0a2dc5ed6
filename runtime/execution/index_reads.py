"""Indices that a core's scalar unit reads from tensors in GM."""

from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from ...dialects.ascend.memory import memref_type
from ..machine.memory import Bytes
from ..program.kernel_program import KernelProgram
from ..support.hazard import HazardError

Read = Callable[[int, int, int, int, int, int], int]
"""`read(argument, position, size, site, parts, step)`: an index into `size` elements, or what begins one of so many
parts of them, which are walked in steps."""


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


def _outside(program: KernelProgram, site: int, label: str, message: str) -> HazardError:
    reference = program.sites[site].reference()
    return HazardError("out-of-bounds", message, instructions=(reference,), buffers=(label,))


__all__ = ["Read", "index_reader"]

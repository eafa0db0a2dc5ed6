"""The result of a kernel, put together of what all of its tiles are in numpy."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.compiler.checks.tile_values import PointEvaluation
from ascend_opt.dialects import tile


def kernel_of(program: Program) -> tile.KernelOp:
    """The only kernel of a program at the tile level."""
    (kernel,) = (op for op in compile_until(program, "tile").walk() if isinstance(op, tile.KernelOp))
    return kernel


def stored_tiles(
    kernel: tile.KernelOp, inputs: Sequence[NDArray[Any]], shape: Sequence[int]
) -> NDArray[np.float64]:
    """What the kernel stores on `inputs`, in the result's `shape`; NaN where no tile stores anything."""
    stored = np.full(kernel.extent_list, np.nan)
    for at in itertools.product(*map(range, kernel.grid)):
        for found in PointEvaluation(kernel, [*inputs, np.zeros(shape)]).run(at):
            if isinstance(found.op, tile.StoreOp):
                starts, sizes = found.offsets, found.value.shape
                ends = [min(o + n, e) for o, n, e in zip(starts, sizes, stored.shape, strict=True)]
                inside = tuple(slice(0, end - o) for o, end in zip(starts, ends, strict=True))
                stored[tuple(map(slice, starts, ends))] = found.value[inside]
    return stored.reshape(shape)

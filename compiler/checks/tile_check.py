"""Which op of a tile program its lowering does not compute, and by which instruction.

Every whole 32 B block of a tile that an op of the kernel's body gives must be among the bytes that the
core's instructions wrote: rounding differs in a block here and there, a wrong instruction in all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialects import tile
from ...dialects.ascend import MmadOp, VecOp
from ...dialects.records import dataclass
from .replay import Step
from .tile_blocks import blocks
from .tile_values import PointEvaluation, TileValue

Array = NDArray[Any]
BLOCK_BYTES = 32
LEAST_FOUND = 0.5
"""Share of a computed tile's blocks that must have been written; rounding alone costs far fewer. Of a
loaded one all must."""


@dataclass(frozen=True)
class Verdict:
    """`tiles_wrong`: the tile program itself gives wrong numbers, so that its lowering is not at fault.
    Else `description` of the first tile that no instruction wrote, and the step that should have."""

    tiles_wrong: bool
    description: str = ""
    step: Step | None = None


def judge(
    kernel: tile.KernelOp,
    at: Sequence[int],
    cell: Sequence[tuple[int, int]],
    tensors: Sequence[Array],
    wrong: NDArray[np.bool_],
    wanted: Array,
    steps: Sequence[Step],
    chain: Sequence[Step],
) -> Verdict | None:
    """Compare a grid point's instructions with the meaning of its tile ops; None if they agree.

    `steps` are those of its core, `chain` those that its first wrong element depends on. `wanted` is what the
    kernel should give, `wrong` tells which elements of it are wrong in the point's part `cell`.
    """
    found = PointEvaluation(kernel, tensors).run(at)
    stored = np.full(kernel.extent_list, np.nan)
    for value in found:
        if isinstance(value.op, tile.StoreOp):
            _place(stored, value)
    inside = tuple(slice(start, end) for start, end in cell)
    part, right = stored[inside], wanted[inside]
    scale = float(np.sqrt(np.mean(np.square(wanted[np.isfinite(wanted)]), dtype=np.float64)))
    with np.errstate(invalid="ignore"):
        far = ~(np.abs(part - right) <= 0.02 * np.maximum(np.abs(right), scale))
    if (far & wrong[inside]).any():
        return Verdict(True)
    written = {block for step in steps for block in _split(step.written)}
    for value in found:
        rows = blocks(value, wrong)
        hits = sum(row.tobytes() in written for row in rows)
        least = 1 if isinstance(value.op, tile.LoadOp) else LEAST_FOUND
        if hits < least * len(rows):
            share = f"{hits} of the {len(rows)} blocks of"
            step = _responsible(value, kernel, chain, found)
            return Verdict(False, f"no instruction gives {share} {_describe(value)}", step)
    return None


def _split(data: bytes) -> list[bytes]:
    """Bytes as 32 B blocks; none of what is no whole number of them."""
    if len(data) % BLOCK_BYTES:
        return []
    return [data[i : i + BLOCK_BYTES] for i in range(0, len(data), BLOCK_BYTES)]


def _place(stored: Array, value: TileValue) -> None:
    starts = [max(o, 0) for o in value.offsets]
    ends = [min(o + n, e) for o, n, e in zip(value.offsets, value.value.shape, stored.shape, strict=True)]
    region = tuple(slice(start, end) for start, end in zip(starts, ends, strict=True))
    inside = tuple(
        slice(start - o, end - o) for o, start, end in zip(value.offsets, starts, ends, strict=True)
    )
    stored[region] = value.value[inside]


def _describe(value: TileValue) -> str:
    op = value.op
    shape = "x".join(map(str, value.value.shape))
    what = op.name
    if isinstance(op, tile.VecOp):
        what += f' "{op.instruction.data}"' + ("" if op.scalar is None else f" {op.scalar.value.data:g}")
    return f"{what}, the tile {shape}x{value.value.dtype}"


def _responsible(
    value: TileValue, kernel: tile.KernelOp, chain: Sequence[Step], found: Sequence[TileValue]
) -> Step | None:
    """Of the instructions that the wrong element depends on, the first one whose work the op is and that
    writes what no tile holds; else the last one whose work it is."""
    op = value.op
    fitting: list[Step] = []
    if isinstance(op, tile.VecOp):
        right = {row.tobytes() for other in found for row in blocks(other)}
        fitting = [s for s in chain if isinstance(s.op, VecOp) and s.op.instruction.data not in _MOVES]
        for step in fitting:
            data = _split(step.written)
            if sum(block in right for block in data) < LEAST_FOUND * len(data):
                return step
    elif isinstance(op, tile.LoadOp):
        index = kernel.body.block.args.index(op.tensor)  # pyright: ignore[reportArgumentType]
        fitting = [s for s in chain if s.argument == index and not s.to_gm]
    elif isinstance(op, tile.ExtractOp):
        fitting = [s for s in chain if isinstance(s.op, MmadOp)]
    return fitting[-1] if fitting else chain[-1] if chain else None


_MOVES = ("vcopy", "vdup")

__all__ = ["Verdict", "judge"]

"""What moves of elements in UB are made of: transposes of blocks, and runs of one value."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, SSAValue

from ....dialects import ascend
from ....dialects.element_types import BLOCK_BYTES, lanes_of
from ....dialects.tile import BLOCK
from ...support.indices import Idx
from ..base.emitter import Emitter, Generation


def fill_elements(
    emit: Emitter, base: Generation | SSAValue, dtype: Attribute, at: Idx, count: Idx, value: float
) -> None:
    """Set `count` elements from `at` on, whole blocks of 16."""
    if count == 0:
        return
    vector, width = emit.target.vector, lanes_of(dtype)
    step = vector.max_repeat * vector.bytes_per_repeat * width // BLOCK_BYTES
    with emit.loop(0, count, step) as done:
        piece = emit.min(emit.sub(count, done), step)
        emit.insert(ascend.VecOp("vdup", [], emit.view(base, [piece], [1], emit.add(at, done)), value))


def block_transposes(
    emit: Emitter,
    source: tuple[Generation | SSAValue, Idx, int],
    result: tuple[Generation | SSAValue, Idx, int],
    dtype: Attribute,
    walks: Sequence[tuple[Idx, int, int]],
) -> None:
    """Blocks of 16 rows and one 32 B block each, at every point of `walks` (count, step in source and result). Sources
    and results are a base, an offset and the distance of their rows."""
    width, most = lanes_of(dtype), emit.target.vector.max_repeat
    (read_base, read_at, read_row), (write_base, write_at, write_row) = source, result
    known = [w for w in walks if w[0] != 1]
    repeats = max(known, key=lambda w: w[0] if isinstance(w[0], int) else most + 1, default=(1, 0, 0))
    rest = [w for w in known if w is not repeats]

    def walk(left: list[tuple[Idx, int, int]], read_from: Idx, write_to: Idx) -> None:
        if left:
            count, near, far = left[0]
            with emit.loop(0, count) as i:
                walk(left[1:], emit.add(read_from, emit.mul(i, near)), emit.add(write_to, emit.mul(i, far)))
            return
        count, near, far = repeats
        with emit.loop(0, count, most) as first:
            piece = (
                min(most, count)
                if isinstance(count, int) and count <= most
                else emit.min(most, emit.sub(count, first))
            )
            read_here, write_here = (
                emit.add(read_from, emit.mul(first, near)),
                emit.add(write_to, emit.mul(first, far)),
            )
            read = emit.view(read_base, [piece, BLOCK, width], [near, read_row, 1], read_here)
            write = emit.view(write_base, [piece, width, BLOCK], [far, write_row, 1], write_here)
            emit.insert(ascend.TransposeOp(read, write))

    walk(rest, read_at, write_at)

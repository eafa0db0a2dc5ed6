"""What the instructions compute, on numpy views of the operands' own bytes.

Each `bind_*` function takes the memory of a core and the operands' views, and returns the closure that
executes the instruction there. f16 and bf16 results are rounded once per instruction (computed in f32 and
rounded to nearest even), products accumulate in f32. On a target that saturates, infinite results become the
largest finite number and nan becomes zero.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialects.ascend.cube import F32_DIGITS, SCALE_DIGITS
from ...dialects.storage_types import largest
from ...dialects.target_types import Target
from ..machine.memory import NUMPY_TYPES, Array, CoreMemory, View
from .drain import Drain
from .image_windows import transposed_window
from .product_values import settle
from .rectify import rectify
from .widening import scratch

Action = Callable[[], Any]
GmAction = Callable[[int], Any]

_WORD = 8
_WORDS = {8: np.uint64, 4: np.uint32, 2: np.uint16, 1: np.uint8}


def _word(view: View) -> tuple[Any, int]:
    """The widest integer type that moves the view's contiguous bursts, and its bytes."""
    span = view.sizes[-1] * view.itemsize
    for size, dtype in _WORDS.items():
        if span % size == 0 and view.address % size == 0 and all(s % size == 0 for s in view.strides[:-1]):
            return dtype, size
    return np.uint8, 1


def _bursts(view: View, size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Shape and strides of the view's bursts in words of `size` bytes."""
    return (*view.sizes[:-1], view.sizes[-1] * view.itemsize // size), (*view.strides[:-1], size)


def bind_copy(memory: CoreMemory, source: View, destination: View) -> Action:
    """Move bursts between two on-chip spaces."""
    size = min(_word(source)[1], _word(destination)[1])

    def words(view: View) -> Array:
        shape, strides = _bursts(view, size)
        return np.ndarray(shape, _WORDS[size], memory.at(view.space, view.owner).data, view.address, strides)

    return partial(np.copyto, words(destination), words(source))


def bind_convert(memory: CoreMemory, source: View, destination: View) -> Action:
    """Move elements to f32."""
    return partial(np.copyto, memory.array(destination), memory.array(source))


def bind_gm_copy(memory: CoreMemory, tensor: NDArray[np.uint8], source: View, destination: View) -> GmAction:
    """Move bursts between a tensor in GM and an on-chip space; the action takes the GM byte offset."""
    to_gm = destination.space == "gm"
    chip, far = (source, destination) if to_gm else (destination, source)
    size = min(_word(chip)[1], _word(far)[1], far.itemsize)
    shape, strides = _bursts(chip, size)
    near = np.ndarray(shape, _WORDS[size], memory.at(chip.space, chip.owner).data, chip.address, strides)
    far_shape, far_strides = _bursts(far, size)
    data, dtype = tensor.data, _WORDS[size]

    def store(offset: int) -> None:
        np.ndarray(far_shape, dtype, data, offset, far_strides)[...] = near

    def load(offset: int) -> None:
        near[...] = np.ndarray(far_shape, dtype, data, offset, far_strides)

    return store if to_gm else load


_JOINS = {"add": np.add, "max": np.maximum, "min": np.minimum}


def bind_gm_atomic(
    memory: CoreMemory, tensor: NDArray[np.uint8], views: tuple[View, View], kind: str, dtype: Any = None
) -> GmAction:
    """Join elements to those of a tensor in GM, of their type or of `dtype`; each result is rounded to it."""
    source, destination = views
    near, join, data = memory.array(source, dtype), _JOINS[kind], tensor.data
    sizes, strides = destination.sizes, destination.strides

    def store(offset: int) -> None:
        far = np.ndarray(sizes, near.dtype, data, offset, strides)
        far[...] = join(far, near)

    return store


def bind_padded_copy(
    memory: CoreMemory,
    tensor: NDArray[np.uint8],
    source: View,
    destination: View,
    pad: float = 0,
    left: int = 0,
) -> GmAction:
    """Bursts of any length from GM, each with `pad` after it up to a whole block, and in `left` elements before it."""
    near = memory.array(destination)
    end, dtype, data = left + source.sizes[-1], near.dtype, tensor.data
    filler = near.dtype.type(pad)
    sizes, strides = source.sizes, source.strides

    def load(offset: int) -> None:
        near[..., :left] = filler
        near[..., left:end] = np.ndarray(sizes, dtype, data, offset, strides)
        near[..., end:] = filler

    return load


def bind_fill(memory: CoreMemory, destination: View, value: float) -> Action:
    """One number everywhere."""
    result = memory.array(destination)
    return partial(result.fill, result.dtype.type(value))


def bind_nd2nz(memory: CoreMemory, tensor: NDArray[np.uint8], source: View, destination: View) -> GmAction:
    """Row-major [rows, columns] in GM to NZ [ceil(columns / c0), rows, c0], zeros after the last column."""
    near = memory.array(destination)
    rows, columns = source.sizes
    c0, item = destination.sizes[2], source.itemsize
    full, tail = divmod(columns, c0)
    dtype, data, pitch = near.dtype, tensor.data, source.strides[0]

    def load(offset: int) -> None:
        if full:
            near[:full] = np.ndarray((full, rows, c0), dtype, data, offset, (c0 * item, pitch, item))
        if tail:
            start = offset + full * c0 * item
            near[full, :, :tail] = np.ndarray((rows, tail), dtype, data, start, (pitch, item))
            near[full, :, tail:] = 0

    return load


def bind_drain(memory: CoreMemory, target: Target, source: View, destination: View, relu: bool) -> Action:
    """l0c to ub: f32 as it is or rounded to f16 or bf16, negative values to zero with `relu`."""
    src, dst = memory.array(source), memory.array(destination)
    finish = finisher(target, destination.dtype, dst)

    def run() -> None:
        settle(memory, source)
        np.copyto(dst, src, casting="unsafe")
        if relu:
            rectify(dst, dst)
        if finish is not None:
            finish()

    return run


SCALE_BITS = np.uint32(2**32 - 2 ** (F32_DIGITS - SCALE_DIGITS))
"""Bits of an f32 that FixPipe reads of a scale: the sign, the exponent and the first of the mantissa."""


def _drained(drain: Drain, source: View, memory: CoreMemory) -> Callable[[], Array]:
    """An accumulator [N1, M, 16] converted and rectified, not yet laid out."""
    src, slope, steps = memory.array(source), drain.slope, drain.steps
    work = np.empty(src.shape, NUMPY_TYPES[drain.dtype])
    finish = finisher(drain.target, drain.dtype, work)
    columns = np.ones(16 * src.shape[0], np.float32)
    table = None if drain.row is None else memory.array(drain.row)
    factors = columns.reshape(-1, 1, 16)

    def run() -> Array:
        settle(memory, source)
        scale: Any = np.float32(1.0 if steps is None else steps[0])
        if table is not None:
            columns[: len(table)] = table
            if steps is not None:
                columns.view(np.uint32)[...] &= SCALE_BITS
                scale = factors
        if steps is None:
            np.copyto(work, src, casting="unsafe")
        elif drain.dtype != "i8":
            np.copyto(work, src.astype(np.float32) * scale, casting="unsafe")
        else:
            scaled = np.rint(src * scale) + steps[1]
            held = np.clip(np.where(np.isnan(scaled), 0, scaled), -128, 127)
            np.copyto(work, held, casting="unsafe")
        if table is not None and steps is None:
            np.multiply(work, factors, out=work, where=work < 0, casting="unsafe")
        elif slope == 0:
            rectify(work, work)
        elif slope is not None:
            np.multiply(work, slope, out=work, where=work < 0, casting="unsafe")
        if finish is not None:
            finish()
        return work

    return run


def rows_of(work: Array, rows: int, columns: int) -> Array:
    """The first rows and columns of [N1, M, 16]."""
    return work.transpose(1, 0, 2).reshape(work.shape[1], -1)[:rows, :columns]


def bind_fixpipe(
    memory: CoreMemory,
    tensor: NDArray[np.uint8],
    drain: Drain,
    source: View,
    destination: View,
) -> GmAction:
    """l0c to GM: row-major for a destination [m, n], NZ for [N1, M, 16]."""
    dtype = NUMPY_TYPES[destination.dtype]
    drained = _drained(drain, source, memory)
    sizes, strides, data = destination.sizes, destination.strides, tensor.data

    def store(offset: int) -> None:
        work = drained()
        if len(sizes) == 2:
            work = rows_of(work, *sizes)
        np.ndarray(sizes, dtype, data, offset, strides)[...] = work

    return store


def bind_fixpipe_on_chip(memory: CoreMemory, drain: Drain, source: View, destination: View) -> Action:
    """l0c to l1."""
    drained = _drained(drain, source, memory)
    dst = memory.array(destination)

    def run() -> None:
        work = drained()
        dst[...] = rows_of(work, dst.shape[0], dst.shape[1]) if dst.ndim == 2 else work

    return run


def bind_load2d(memory: CoreMemory, source: View, destination: View, transpose: bool) -> Action:
    """Move fractals, each transposed with `transpose`."""
    src, dst = memory.array(source), memory.array(destination)
    return partial(np.copyto, dst, src.transpose(0, 2, 1) if transpose else src)


def bind_transpose(memory: CoreMemory, source: View, destination: View) -> Action:
    """[repeat, 16, w] to [repeat, w, 16], or to [repeat, 16 / w, w, w]: columns in blocks, as rows may be too."""
    if len(source.sizes) < len(destination.sizes):
        (_, _, width), (step, row, lane) = source.sizes, source.strides
        source = replace(source, sizes=destination.sizes, strides=(step, row * width, row, lane))
    src = memory.array(source)
    return partial(np.copyto, memory.array(destination), src.swapaxes(-1, -2))


@lru_cache(maxsize=16384)
def image_rows(
    shape: tuple[int, int, int],
    kernel: tuple[int, int],
    strides: tuple[int, int],
    dilations: tuple[int, int],
    pads: tuple[int, int, int, int],
    window: tuple[int, int, int, int],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Channel block, row and column in a [C1, H, W] map of each [row, fractal column] of a window, and
    whether that is a pixel (false in the padding and at or after row Ho * Wo).

    `window` is (m_start, rows, k_start, columns); pads are (top, left, bottom, right).
    """
    _, height, width = shape
    kh, kw = kernel
    top, left, bottom, right = pads
    ho = (height + top + bottom - (kh - 1) * dilations[0] - 1) // strides[0] + 1
    wo = (width + left + right - (kw - 1) * dilations[1] - 1) // strides[1] + 1
    m_start, rows, k_start, columns = window
    m = np.arange(m_start, m_start + rows)[:, None]
    k = np.arange(k_start, k_start + columns)[None, :]
    c1, i, j = k // (kh * kw), k // kw % kh, k % kw
    y = m // max(wo, 1) * strides[0] - top + i * dilations[0]
    x = m % max(wo, 1) * strides[1] - left + j * dilations[1]
    inside = (m < ho * wo) & (y >= 0) & (y < height) & (x >= 0) & (x < width) & (c1 < shape[0])
    c1 = np.where(inside, c1, 0)
    return c1, np.where(inside, y, 0), np.where(inside, x, 0), inside


def bind_load3d(
    memory: CoreMemory,
    source: View,
    destination: View,
    geometry: tuple[Any, ...],
    transpose: bool,
    padding: int,
) -> Action:
    """Image-to-column load; `padding` is the byte that pixels outside the map read as."""
    kernel, strides, dilations, pads, m_start, k_start = geometry
    m1, k1, rows, c0 = destination.sizes
    dst = memory.array(destination)
    if transpose:
        m, k1 = transposed_window(destination)
        order, by_row = (m, k1), dst.transpose((1, 3, 0, 2) if destination.space == "l0a" else (0, 3, 1, 2))
    else:
        m = m1 * rows
        order, by_row = (m1, rows, k1), dst.transpose(0, 2, 1, 3)
    c1, y, x, inside = image_rows(
        source.sizes[:3], kernel, strides, dilations, pads, (m_start, m, k_start, k1)
    )
    pixel = source.strides[3] * c0
    if source.strides[2] != pixel or any(s % pixel for s in source.strides[:2]):
        return _gather_apart(memory.array(source), (c1, y, x), inside, by_row, padding)
    steps = [s // pixel for s in source.strides[:3]]
    index = (c1 * steps[0] + y * steps[1] + x * steps[2]).reshape(order)
    inside = inside.reshape(order)
    direct = not transpose and dst.flags.c_contiguous
    if direct:
        index, inside = index.swapaxes(1, 2), inside.swapaxes(1, 2)
    index, outside = index.reshape(-1), np.flatnonzero(~inside)
    words = pixel // _WORD
    span = (source.end - source.address) // pixel
    data = memory.at(source.space, source.owner).data
    flat = np.ndarray((span, words), np.uint64, data, source.address, (pixel, _WORD))
    room = dst if direct else scratch("pixels", index.size * c0, dst.dtype)
    pixels = room.reshape(-1).view(np.uint64).reshape(-1, words)
    fill = np.full(_WORD, padding, np.uint8).view(np.uint64)[0]

    def run() -> None:
        flat.take(index, axis=0, out=pixels, mode="clip")
        if outside.size:
            pixels[outside] = fill
        if not direct:
            by_row[...] = room.reshape(by_row.shape)

    return run


def _gather_apart(
    source: Array, pixels: tuple[Array, Array, Array], inside: Array, by_row: Array, padding: int
) -> Action:
    """The same where pixels are not at whole steps of their size."""
    fill = np.full(source.itemsize, padding, np.uint8).view(source.dtype)[0]

    def run() -> None:
        found = source[pixels]
        found[~inside] = fill
        by_row[...] = found.reshape(by_row.shape)

    return run


def finisher(target: Target, dtype: str, result: Array) -> Action | None:
    """What the target's overflow mode does to a result; None when nothing."""
    if target.overflow != "saturate" or dtype not in ("f16", "bf16", "f32"):
        return None
    limit = largest(result.dtype)

    def saturate() -> None:
        np.copyto(result, limit, where=result > limit, casting="unsafe")
        np.copyto(result, -limit, where=result < -limit, casting="unsafe")
        np.copyto(result, 0, where=np.isnan(result), casting="unsafe")

    return saturate

"""Triton functions that are compiled for `tests/data/hivm_functions`.

Run as a script, with the extra `triton`, this file compiles them again.
"""

# pyright: basic

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import triton
import triton.language as tl


@triton.jit
def larger(x, out, n, BLOCK: tl.constexpr):
    """The larger and the smaller one of a sum and a maximum, which the scalar unit has read."""
    at = tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n, other=0.0)
    total = tl.sum(values, axis=0)
    most = tl.max(values, axis=0)
    tl.store(out, tl.maximum(total, most))
    tl.store(out + 1, tl.minimum(total, most))


@triton.jit
def by_strides(x, out, rows, columns, down, along, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """out (rows × columns) = 2 x, whose elements are `down` and `along` apart."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    block = tl.load(x + row[:, None] * down + column[None, :] * along, mask=inside, other=0.0)
    tl.store(out + row[:, None] * columns + column[None, :], block * 2, mask=inside)


@triton.jit
def to_strides(x, out, rows, columns, down, along, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Elements of out that are `down` and `along` apart = 2 x (rows × columns)."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    block = tl.load(x + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
    tl.store(out + row[:, None] * down + column[None, :] * along, block * 2, mask=inside)


@triton.jit
def turned_product(a, b, out, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """out (M × N) = a (M × K) @ b.T, b (N × K) by rows: a block of it comes element by element."""
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        left = tl.load(
            a + row[:, None] * K + k[None, :], mask=(row[:, None] < M) & (k[None, :] < K), other=0.0
        )
        right = tl.load(
            b + k[:, None] + column[None, :] * K, mask=(k[:, None] < K) & (column[None, :] < N), other=0.0
        )
        total = tl.dot(left, right, total)
    inside = (row[:, None] < M) & (column[None, :] < N)
    tl.store(out + row[:, None] * N + column[None, :], total, mask=inside)


@triton.jit
def without_sign(x, y, out, n, BLOCK: tl.constexpr):
    """Sums of whole numbers, which wrap around."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.load(x + at, mask=at < n, other=0) + tl.load(y + at, mask=at < n, other=0)
    tl.store(out + at, total, mask=at < n)


@triton.jit
def whole_numbers(x, out, n, BLOCK: tl.constexpr):
    """The whole numbers below and above, times ten and added up."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(out + at, 10 * tl.floor(values) + tl.ceil(values), mask=at < n)


@triton.jit
def low_bits(x, out, n, BLOCK: tl.constexpr):
    """The last eight bits of whole numbers."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, (tl.load(x + at, mask=at < n, other=0) + 3).to(tl.int8), mask=at < n)


@triton.jit
def marked(x, out, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """1 where an element of a row has the number of its row, else 0: bits have no sign."""
    row = tl.arange(0, ROWS)
    at = row[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    tl.store(out + at, (tl.load(x + at) == row[:, None]).to(tl.float32))


@triton.jit
def odd_bits(x, out, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """The bits that an odd number of elements of each row has: of Triton's library, several functions deep."""
    row = tl.arange(0, ROWS)
    values = tl.load(x + row[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :])
    tl.store(out + row, tl.xor_sum(values, axis=1))


@triton.jit
def largest(x, out, at, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """The largest element of each row, and where the first one of them is."""
    row = tl.arange(0, ROWS)
    values = tl.load(x + row[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :])
    most, place = tl.max(values, axis=1, return_indices=True)
    tl.store(out + row, most)
    tl.store(at + row, place)


@triton.jit
def smallest(x, out, at, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """The smallest element of each column, and where the first one of them is."""
    column = tl.arange(0, BLOCK)
    values = tl.load(x + tl.arange(0, ROWS)[:, None] * BLOCK + column[None, :])
    least, place = tl.min(values, axis=0, return_indices=True)
    tl.store(out + column, least)
    tl.store(at + column, place)


@triton.jit
def first_largest(x, at, n, BLOCK: tl.constexpr):
    """Where the first largest element of a row of any length is."""
    row, column = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(x + row * n + column, mask=column < n, other=-float("inf"))
    tl.store(at + row, tl.argmax(values, axis=0))


@triton.jit
def middle(x, out, matrices, A: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """Sums and maxima over the middle dimension, added up."""
    matrix = tl.program_id(0) * A + tl.arange(0, A)
    row, column = tl.arange(0, ROWS), tl.arange(0, BLOCK)
    at = (matrix[:, None, None] * ROWS + row[None, :, None]) * BLOCK + column[None, None, :]
    values = tl.load(x + at, mask=matrix[:, None, None] < matrices, other=0)
    found = tl.sum(values, axis=1) + tl.max(values, axis=1)
    to = matrix[:, None] * BLOCK + column[None, :]
    tl.store(out + to, found, mask=matrix[:, None] < matrices)


@triton.jit
def larger_words(x, y, out, n, BLOCK: tl.constexpr):
    """The larger ones of words of 64 bits, chosen by a byte each."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + at, mask=at < n, other=0)
    b = tl.load(y + at, mask=at < n, other=0)
    tl.store(out + at, tl.where(a > b, a, b), mask=at < n)


@triton.jit
def larger_rows(x, y, out, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """The larger one of a word for each row and one for each column."""
    row, column = tl.arange(0, ROWS), tl.arange(0, BLOCK)
    zeros = tl.zeros((ROWS, BLOCK), tl.int64)
    a = tl.load(x + row)[:, None] + zeros
    b = tl.load(y + column)[None, :] + zeros
    tl.store(out + row[:, None] * BLOCK + column[None, :], tl.where(a > b, a, b))


@triton.jit
def remainders(x, y, out, n, BLOCK: tl.constexpr):
    """Remainders of words, with the sign of what is divided; nothing is divided by zero, and remains -1."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + at, mask=at < n, other=0)
    b = tl.load(y + at, mask=at < n, other=1)
    tl.store(out + at, a % b, mask=at < n)


@triton.jit
def words_or_numbers(x, y, out, n, least, BLOCK: tl.constexpr):
    """Words, or numbers of more than 32 bits in their place; those that pad a row among them."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + at, mask=at < n, other=1 << 40)
    b = tl.load(y + at, mask=at < n, other=1 << 41)
    chosen = tl.where(b > 5, tl.where(a > b, -(1 << 42), a), least)
    tl.store(out + at, chosen)


@triton.jit
def joined(x, total, most, least, n, BLOCK: tl.constexpr):
    """The sums, the largest and the smallest ones of all blocks, element by element."""
    column = tl.arange(0, BLOCK)
    at = tl.program_id(0) * BLOCK + column
    values = tl.load(x + at, mask=at < n, other=0)
    tl.atomic_add(total + column, values, mask=at < n)
    tl.atomic_max(most + column, values, mask=at < n)
    tl.atomic_min(least + column, values, mask=at < n)


@triton.jit
def one_sum(x, out, n, BLOCK: tl.constexpr):
    """The sum of all elements, to which each block adds its own."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + at, mask=at < n, other=0), axis=0))


@triton.jit
def overlapping(x, out, steps, BLOCK: tl.constexpr):
    """Blocks are added twice, the second time half a block further on."""
    column = tl.arange(0, BLOCK)
    for step in range(steps):
        values = tl.load(x + (tl.program_id(0) * steps + step) * BLOCK + column)
        tl.atomic_add(out + column, values)
        tl.atomic_add(out + BLOCK // 2 + column, values)


@triton.jit
def old_value(x, out, old, n, BLOCK: tl.constexpr):
    """What was there before a block is added to it."""
    column = tl.arange(0, BLOCK)
    at = tl.program_id(0) * BLOCK + column
    values = tl.load(x + at, mask=at < n, other=0)
    tl.store(old + at, tl.atomic_add(out + column, values, mask=at < n), mask=at < n)


@triton.jit
def first_and_others(x, out, n, BLOCK: tl.constexpr, HOW: tl.constexpr):
    """The first block does something else to the elements to which the others are added."""
    column = tl.arange(0, BLOCK)
    block = tl.program_id(0)
    values = tl.load(x + block * BLOCK + column, mask=block * BLOCK + column < n, other=0)
    if block > 0:
        tl.atomic_add(out + column, values)
    elif HOW == "store":
        tl.store(out + column, values)
    elif HOW == "max":
        tl.atomic_max(out + column, values)
    else:
        tl.store(x + column, tl.load(out + column) + values)


@triton.jit
def shifted(x, out, n, lag, BLOCK: tl.constexpr):
    """Elements some places further on, behind -1."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at - lag, mask=(at >= lag) & (at < n), other=-1)
    tl.store(out + at, values, mask=at < n)


@triton.jit
def shifted_rows(x, out, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr, LAG: tl.constexpr):
    """The same of each row, behind zeros."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, BLOCK)[None, :]
    inside = (row < rows) & (column < columns)
    values = tl.load(x + row * columns + column - LAG, mask=inside & (column >= LAG), other=0)
    tl.store(out + row * columns + column, values, mask=inside)


@triton.jit
def every_so_many(x, step, out, n):
    """The sum of elements some places apart; how many is read from memory."""
    total = 0.0
    for at in range(0, n, tl.load(step)):
        total += tl.load(x + at)
    tl.store(out, total)


@triton.jit
def added_product(a, b, out, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Parts of a product, halved and added to what is there."""
    row, column = tl.arange(0, BM), tl.arange(0, BN)
    k = tl.program_id(0) * BK + tl.arange(0, BK)
    left = tl.load(a + row[:, None] * K + k[None, :], mask=k[None, :] < K, other=0.0)
    right = tl.load(b + k[:, None] * BN + column[None, :], mask=k[:, None] < K, other=0.0)
    tl.atomic_add(out + row[:, None] * BN + column[None, :], tl.dot(left, right) * 0.5)


@triton.jit
def running(
    x,
    out,
    rows,
    ROWS: tl.constexpr,
    BLOCK: tl.constexpr,
    AXIS: tl.constexpr,
    BACK: tl.constexpr,
    TIMES: tl.constexpr,
):
    """Sums or products of all elements up to each, along columns or rows, from either end."""
    row = tl.arange(0, ROWS)[:, None]
    at = row * BLOCK + tl.arange(0, BLOCK)[None, :]
    values = tl.load(x + at, mask=row < rows, other=1)
    if TIMES:
        found = tl.cumprod(values, axis=AXIS, reverse=BACK)
    else:
        found = tl.cumsum(values, axis=AXIS, reverse=BACK)
    tl.store(out + at, found, mask=row < rows)


@triton.jit
def running_middle(x, out, A: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """Sums of all elements up to each, along the middle dimension."""
    row = tl.arange(0, A)[:, None, None] * ROWS + tl.arange(0, ROWS)[None, :, None]
    at = row * BLOCK + tl.arange(0, BLOCK)[None, None, :]
    tl.store(out + at, tl.cumsum(tl.load(x + at), axis=1))


def main() -> None:
    from ascend_opt.triton import build

    folder = Path(__file__).parents[1] / "data" / "hivm_functions"
    for name, function, arguments in _programs():
        made = build(function, arguments)
        head = f"{function.__name__}({', '.join(made.parameters)}) of tests/helpers/triton_functions.py"
        (folder / f"{name}.mlir").write_text(f"// {head}\n// {made.versions}\n{made.plain}")


def _programs() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """What is stored: names, functions and what they are compiled for."""
    f16, f32, u32, i64, i32, i8 = (np.zeros(1, kind) for kind in ("f2", "f4", "u4", "i8", "i4", "i1"))
    numbers = {"rows": 97, "columns": 97, "down": 97, "along": 97, "ROWS": 16, "COLUMNS": 32}
    sizes = {"M": 97, "N": 97, "K": 97, "BM": 32, "BN": 32, "BK": 32}
    for function, arguments in (
        (larger, {"x": f32, "out": f32, "n": 97, "BLOCK": 64}),
        (by_strides, {"x": f32, "out": f32, **numbers}),
        (to_strides, {"x": f32, "out": f32, **numbers}),
        (turned_product, {"a": f16, "b": f16, "out": f32, **sizes}),
        (whole_numbers, {"x": f32, "out": f32, "n": 97, "BLOCK": 64}),
        (low_bits, {"x": i32, "out": i8, "n": 97, "BLOCK": 64}),
        (without_sign, {"x": u32, "y": u32, "out": u32, "n": 97, "BLOCK": 64}),
        (larger_words, {"x": i64, "y": i64, "out": i64, "n": 97, "BLOCK": 64}),
        (larger_rows, {"x": i64, "y": i64, "out": i64, "ROWS": 7, "BLOCK": 33}),
        (remainders, {"x": i64, "y": i64, "out": i64, "n": 97, "BLOCK": 64}),
        (words_or_numbers, {"x": i64, "y": i64, "out": i64, "n": 97, "least": 1 << 45, "BLOCK": 64}),
    ):
        yield function.__name__, function, arguments
    for kind in (f16, f32):
        for rows, columns in ((16, 32), (4, 512), (9, 20)):
            blocks = {"ROWS": rows, "BLOCK": columns}
            name = f"{kind.dtype}_{rows}x{columns}"
            yield f"largest_{name}", largest, {"x": kind, "out": kind, "at": i32, **blocks}
            yield f"smallest_{name}", smallest, {"x": kind, "out": kind, "at": i32, **blocks}
    for block in (64, 256):
        yield f"first_largest_{block}", first_largest, {"x": f32, "at": i32, "n": 97, "BLOCK": block}
    for kind, (a, rows, columns) in ((f32, (8, 5, 16)), (f16, (2, 16, 32)), (i32, (3, 7, 33))):
        given = {"x": kind, "out": kind, "matrices": 97, "A": a, "ROWS": rows, "BLOCK": columns}
        yield f"middle_{kind.dtype}_{rows}x{columns}", middle, given
    yield from _atomics()
    yield "every_so_many", every_so_many, {"x": f32, "step": i32, "out": f32, "n": 97}
    for kind in (f16, f32, np.zeros(1, np.int32), np.zeros(1, np.int64)):
        given = {"x": kind, "out": kind, "n": 97, "lag": 97, "BLOCK": 64}
        yield f"shifted_{kind.dtype}", shifted, given
    for kind, lag in ((f32, 1), (f16, 3), (f32, 11)):
        given = {"x": kind, "out": kind, "rows": 97, "columns": 97, "ROWS": 8, "BLOCK": 32, "LAG": lag}
        yield f"shifted_rows_{kind.dtype}_{lag}", shifted_rows, given
    for kind, rows, columns, axis, back, times in (
        (f32, 8, 32, 0, False, False),
        (f16, 16, 16, 0, True, False),
        (i32, 5, 33, 0, False, True),
        (f32, 4, 8, 0, True, True),
        (f32, 4, 16, 1, True, False),
    ):
        how = f"{kind.dtype}_axis{axis}{'_back' if back else ''}{'_times' if times else ''}"
        given = {"ROWS": rows, "BLOCK": columns, "AXIS": axis, "BACK": back, "TIMES": times}
        yield f"running_{how}_{rows}x{columns}", running, {"x": kind, "out": kind, "rows": 97, **given}
    for a, rows, columns in ((4, 8, 16), (2, 3, 5)):
        given = {"x": f32, "out": f32, "A": a, "ROWS": rows, "BLOCK": columns}
        yield f"running_middle_{a}x{rows}x{columns}", running_middle, given


def _atomics() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    f16, f32, i16, i32 = (np.zeros(1, kind) for kind in ("f2", "f4", "i2", "i4"))
    for kind in (f16, f32, i16, i32):
        given = {"x": kind, "total": kind, "most": kind, "least": kind, "n": 97, "BLOCK": 64}
        yield f"joined_{kind.dtype}", joined, given
    for kind in (f16, f32, i32):
        yield f"one_sum_{kind.dtype}", one_sum, {"x": kind, "out": kind, "n": 97, "BLOCK": 64}
    yield "overlapping", overlapping, {"x": f32, "out": f32, "steps": 97, "BLOCK": 64}
    yield "old_value", old_value, {"x": f32, "out": f32, "old": f32, "n": 97, "BLOCK": 64}
    yield (
        "added_product",
        added_product,
        {"a": f16, "b": f16, "out": f32, "K": 97, "BM": 32, "BN": 32, "BK": 32},
    )
    for how in ("store", "max", "read"):
        yield f"{how}_and_add", first_and_others, {"x": f32, "out": f32, "n": 97, "BLOCK": 64, "HOW": how}


if __name__ == "__main__":
    main()

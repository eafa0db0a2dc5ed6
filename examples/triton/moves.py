"""Where elements go: rotated pairs, gathered rows, transposed matrices."""

import triton
import triton.language as tl


@triton.jit
def rotary(x, cosine, sine, out, rows, HALF: tl.constexpr, ROWS: tl.constexpr):
    """Rotary embedding: the halves of each row of 2 * HALF turn by the angle of their position."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    lane = tl.arange(0, HALF)
    inside = row[:, None] < rows
    at = row[:, None] * (2 * HALF) + lane[None, :]
    angle = row[:, None] * HALF + lane[None, :]
    first = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
    second = tl.load(x + at + HALF, mask=inside, other=0.0).to(tl.float32)
    c = tl.load(cosine + angle, mask=inside, other=0.0).to(tl.float32)
    s = tl.load(sine + angle, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + at, (first * c - second * s).to(out.dtype.element_ty), mask=inside)
    tl.store(out + at + HALF, (second * c + first * s).to(out.dtype.element_ty), mask=inside)


@triton.jit
def embedding(ids, table, out, n, WIDTH: tl.constexpr, ROWS: tl.constexpr):
    """out[i] = table[ids[i]]; a program gathers ROWS rows."""
    lane = tl.arange(0, WIDTH)
    first = tl.program_id(0) * ROWS
    for i in range(first, tl.minimum(first + ROWS, n)):
        row = tl.load(ids + i)
        tl.store(out + i * WIDTH + lane, tl.load(table + row * WIDTH + lane))


@triton.jit
def transpose(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """out (columns × rows) = x.T; a program turns one block."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    block = tl.load(x + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
    inside = (column[:, None] < columns) & (row[None, :] < rows)
    tl.store(out + column[:, None] * rows + row[None, :], tl.trans(block), mask=inside)

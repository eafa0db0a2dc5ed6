"""Whole rows: one program reduces a row, or walks over a few of them, in f32."""

import triton
import triton.language as tl


@triton.jit
def softmax(x, out, rows, columns, BLOCK: tl.constexpr):
    """out = softmax of x (rows × columns) over columns; programs take each P-th row. BLOCK >= columns."""
    at = tl.arange(0, BLOCK)
    inside = at < columns
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        values = tl.load(x + row * columns + at, mask=inside, other=-float("inf")).to(tl.float32)
        grown = tl.exp(values - tl.max(values, axis=0))
        share = grown / tl.sum(grown, axis=0)
        tl.store(out + row * columns + at, share.to(out.dtype.element_ty), mask=inside)


@triton.jit
def layer_norm(x, weight, bias, out, rows, columns, eps, BLOCK: tl.constexpr):
    """out = (x - mean) / sqrt(variance + eps) * weight + bias over columns. BLOCK >= columns."""
    at = tl.arange(0, BLOCK)
    inside = at < columns
    w = tl.load(weight + at, mask=inside, other=0.0).to(tl.float32)
    b = tl.load(bias + at, mask=inside, other=0.0).to(tl.float32)
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        values = tl.load(x + row * columns + at, mask=inside, other=0.0).to(tl.float32)
        mean = tl.sum(values, axis=0) / columns
        centred = tl.where(inside, values - mean, 0.0)
        variance = tl.sum(centred * centred, axis=0) / columns
        normal = centred * (1.0 / tl.sqrt(variance + eps))
        tl.store(out + row * columns + at, (normal * w + b).to(out.dtype.element_ty), mask=inside)


@triton.jit
def rms_norm(x, weight, out, rows, columns, eps, BLOCK: tl.constexpr):
    """out = x / sqrt(mean of x² + eps) * weight over columns. BLOCK >= columns."""
    at = tl.arange(0, BLOCK)
    inside = at < columns
    w = tl.load(weight + at, mask=inside, other=0.0).to(tl.float32)
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        values = tl.load(x + row * columns + at, mask=inside, other=0.0).to(tl.float32)
        square = tl.sum(values * values, axis=0) / columns
        tl.store(
            out + row * columns + at,
            (values * tl.rsqrt(square + eps) * w).to(out.dtype.element_ty),
            mask=inside,
        )


@triton.jit
def sum_rows(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """out[i] = sum of x[i, :]; a program takes ROWS rows, and walks over them in parts of COLUMNS."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS,), tl.float32)
    for start in range(0, columns, COLUMNS):
        column = start + tl.arange(0, COLUMNS)
        inside = (row[:, None] < rows) & (column[None, :] < columns)
        part = tl.load(x + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
        total += tl.sum(part.to(tl.float32), axis=1)
    tl.store(out + row, total.to(out.dtype.element_ty), mask=row < rows)


@triton.jit
def sum_columns(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """out[j] = sum of x[:, j]; a program takes COLUMNS columns, and walks down them in parts of ROWS."""
    column = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    total = tl.zeros((COLUMNS,), tl.float32)
    for start in range(0, rows, ROWS):
        row = start + tl.arange(0, ROWS)
        inside = (row[:, None] < rows) & (column[None, :] < columns)
        part = tl.load(x + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
        total += tl.sum(part.to(tl.float32), axis=0)
    tl.store(out + column, total.to(out.dtype.element_ty), mask=column < columns)


@triton.jit
def prefix_sum(x, out, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """out[i, j] = sum of x[i, :j + 1]; a program takes ROWS rows. BLOCK >= columns."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, BLOCK)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    at = row[:, None] * columns + column[None, :]
    values = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + at, tl.cumsum(values, axis=1).to(out.dtype.element_ty), mask=inside)

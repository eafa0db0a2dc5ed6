"""Element by element: programs take blocks of a tensor, and a mask cuts the last one."""

import triton
import triton.language as tl


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    """out = x + y, on n elements; one block for each program."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    total = tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside)
    tl.store(out + at, total, mask=inside)


@triton.jit
def chain(x, y, out, n, scale, BLOCK: tl.constexpr):
    """out = exp(-|x * scale|) + max(y, 0) / (1 + y * y), on n elements; every program takes each P-th block."""
    blocks = tl.cdiv(n, BLOCK)
    for block in range(tl.program_id(0), blocks, tl.num_programs(0)):
        at = block * BLOCK + tl.arange(0, BLOCK)
        inside = at < n
        a = tl.load(x + at, mask=inside).to(tl.float32)
        b = tl.load(y + at, mask=inside).to(tl.float32)
        value = tl.exp(-tl.abs(a * scale)) + tl.maximum(b, 0.0) / (1.0 + b * b)
        tl.store(out + at, value.to(out.dtype.element_ty), mask=inside)


@triton.jit
def masked_chain(x, keep, out, n, BLOCK: tl.constexpr):
    """out = x * sigmoid(x) where keep > 0, else x / 4, on n elements."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + at, mask=inside).to(tl.float32)
    wanted = tl.load(keep + at, mask=inside, other=0)
    gated = value * tl.sigmoid(value)
    tl.store(out + at, tl.where(wanted > 0, gated, value * 0.25).to(out.dtype.element_ty), mask=inside)

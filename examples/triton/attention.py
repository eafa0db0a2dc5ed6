"""Attention whose scores never leave the chip: an online softmax over blocks of keys."""

import triton
import triton.language as tl


@triton.jit
def attention(
    q, k, v, out, length, scale, WIDTH: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr
):
    """out = softmax(q @ k.T * scale) @ v for each head; the grid is blocks of BM queries × heads."""
    head = tl.program_id(1) * length * WIDTH
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    lane = tl.arange(0, WIDTH)
    queries = tl.load(q + head + row[:, None] * WIDTH + lane[None, :], mask=row[:, None] < length, other=0.0)
    top = tl.full((BM,), -float("inf"), tl.float32)
    weight = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, WIDTH), tl.float32)
    end = length
    if CAUSAL:
        end = tl.minimum(length, (tl.program_id(0) + 1) * BM)
    for start in range(0, end, BN):
        key = start + tl.arange(0, BN)
        at = head + key[:, None] * WIDTH + lane[None, :]
        keys = tl.load(k + at, mask=key[:, None] < length, other=0.0)
        scores = tl.dot(queries, tl.trans(keys)) * scale
        seen = key[None, :] < length
        if CAUSAL:
            seen = seen & (key[None, :] <= row[:, None])
        scores = tl.where(seen, scores, -1.0e30)
        above = tl.maximum(top, tl.max(scores, axis=1))
        grown = tl.exp(scores - above[:, None])
        shrink = tl.exp(top - above)
        weight = weight * shrink + tl.sum(grown, axis=1)
        values = tl.load(v + at, mask=key[:, None] < length, other=0.0)
        total = total * shrink[:, None] + tl.dot(grown.to(values.dtype), values)
        top = above
    total = total / weight[:, None]
    at = head + row[:, None] * WIDTH + lane[None, :]
    tl.store(out + at, total.to(out.dtype.element_ty), mask=row[:, None] < length)

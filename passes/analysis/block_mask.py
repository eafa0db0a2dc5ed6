"""Bytes of a memory space as bit masks of 32 B blocks: two accesses meet where their masks share a bit."""

from collections.abc import Sequence

BLOCK = 32


def unaligned(start: int, sizes: Sequence[int], strides: Sequence[int], item: int) -> bool:
    """Whether some run of the view starts or ends inside a block."""
    return any(n % BLOCK for n in (start, sizes[-1] * item, *strides[:-1]))


def _repeat(mask: int, stride: int, count: int) -> int:
    """`mask` OR-ed with itself at `count` multiples of `stride` blocks."""
    if stride == 0 or count <= 0:
        return mask if count > 0 else 0
    result, have = mask, 1
    while have * 2 <= count:
        result |= result << (stride * have)
        have *= 2
    if have < count:
        result |= result << (stride * (count - have))
    return result


def block_mask(start: int, sizes: Sequence[int], strides: Sequence[int], item: int) -> int:
    """Bit i is set when 32 B block i holds a byte of the view; `start` and `strides` in bytes."""
    if any(s <= 0 for s in sizes):
        return 0
    run, dims = item, list(zip(sizes, strides, strict=True))
    while dims and (dims[-1][1] == run or dims[-1][0] == 1):
        size, stride = dims.pop()
        run = stride * (size - 1) + run if size > 1 else run

    def walk(at: int, rest: Sequence[tuple[int, int]]) -> int:
        if not rest:
            first, last = at // BLOCK, (at + run - 1) // BLOCK
            return ((1 << (last - first + 1)) - 1) << first
        (size, stride), *inner = rest
        if stride % BLOCK == 0:
            return _repeat(walk(at, inner), stride // BLOCK, size)
        mask = 0
        for i in range(size):
            mask |= walk(at + i * stride, inner)
        return mask

    return walk(start, dims)

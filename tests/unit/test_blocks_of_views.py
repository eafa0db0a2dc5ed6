"""The 32 B blocks that the boxes of a view touch, as bits."""

from itertools import product
from random import Random

import pytest

from ascend_opt.runtime.machine.memory import Box, block_bits


@pytest.mark.parametrize("strides", [(32, 64, 96, 512), (20, 48, 100, 32), (1, 2, 31, 33)])
def test_blocks_are_those_of_the_bytes(strides: tuple[int, ...]):
    """Strides of whole blocks, and others."""
    draw = Random(str(strides))
    for _ in range(200):
        sizes = tuple(draw.randint(2, 6) for _ in range(draw.randint(1, 3)))
        steps = tuple(draw.choice(strides) for _ in sizes)
        box = Box(draw.randrange(200), sizes, steps, draw.choice([1, 2, 16, 32, 40, 100]))
        starts = [
            box.address + sum(i * s for i, s in zip(index, steps, strict=True))
            for index in product(*map(range, sizes))
        ]
        blocks = {block for at in starts for block in range(at // 32, (at + box.run - 1) // 32 + 1)}
        assert block_bits((box,)) == sum(1 << block for block in blocks)

"""A hash of the labels of a core's memories (shadow.py): their sum, each multiplied by a random number of its byte.

It follows from the labels alone, whatever wrote them, and changes with those of a few bytes by what these add to it.
"""

from functools import lru_cache

import numpy as np

from ..machine.memory import Array, Box, Bytes

HASHES = 1 << 64
"""So many differ; multiples of it tell apart what is not to be compared."""


@lru_cache(maxsize=32)
def _weights(position: int, space: str, size: int) -> Array:
    """A random number for each byte, of so many, of a memory of the core at a position of its group."""
    return np.random.default_rng([position, *space.encode()]).integers(0, HASHES, size, np.uint64)


def hash_of(labels: Bytes, position: int, space: str, box: Box) -> int:
    """What the bytes of a box add to the hash; `labels`: those of the whole memory."""
    shape, weights = (*box.sizes, box.run), _weights(position, space, 1 << labels.size.bit_length())
    found = np.ndarray(shape, np.uint8, labels.data, box.address, (*box.strides, 1))
    mine = np.ndarray(
        shape, np.uint64, weights.data, 8 * box.address, tuple(8 * n for n in (*box.strides, 1))
    )
    return int(np.multiply(found, mine, dtype=np.uint64).sum()) if found.any() else 0


def moved(state: int, before: int, behind: int) -> int:
    """The hash after a change of what some bytes add to it."""
    return state - state % HASHES + (state + behind - before) % HASHES


def meets_itself(box: Box) -> bool:
    """Whether a box may have a byte several times."""
    run = box.run
    for stride, n in sorted(zip(box.strides, box.sizes, strict=True)):
        if stride < run:
            return True
        run += (n - 1) * stride
    return False

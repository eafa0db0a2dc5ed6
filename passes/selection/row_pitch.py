"""How far apart rows lie in UB that are put there block of columns by block of columns."""

from ...dialects.element_types import BLOCK_BYTES
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK


def row_pitch(target: Target, columns: int, item: int) -> int:
    """Elements of `item` bytes from one row of so many to the next, where several rows are written at once: whole
    blocks of 16, and 32 B more where blocks of one column would meet in few groups of banks."""
    pitch = -(-columns // BLOCK) * BLOCK
    banks = target.banks
    if banks is None or pitch * item % (banks.groups * banks.row // 2):
        return pitch
    return pitch + BLOCK_BYTES // item


__all__ = ["row_pitch"]

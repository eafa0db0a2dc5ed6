"""How many slots a buffer of operands may have for the event ids there are.

Counted are the ids of one pair of pipes, of which a chip has `sync.events`: a buffer with `n` slots that one pipe fills
and another one empties takes `n` ids each way. Of an operand in L1 the pairs are that of MTE2 and MTE1, of operands in
L0 that of MTE1 and M. What a budget leaves is for the other flags of its pair.
"""

from ...dialects.target_types import Target

_OTHERS_IN_L1 = 3
"""Ids of MTE2 and MTE1 that slots of the right operand leave to other flags."""
_OTHERS_IN_L0 = 2
"""Ids of MTE1 and M that slots of both operands leave, to those of a bias."""
_OPERANDS = 2
"""Buffers in L0, each of which has ids of its own."""


def most_l1_slots(target: Target) -> int:
    """Most steps of the right operand that are in L1 at once."""
    return max(2, target.sync.events - _OTHERS_IN_L1)


def l0_slots(target: Target, stages: int) -> int:
    """Slots of both operands in L0 where `stages` steps of the right one are in L1 at once."""
    return max(2, min(stages, (target.sync.events - _OTHERS_IN_L0) // _OPERANDS))

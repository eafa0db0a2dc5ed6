"""Predicted time of a kernel of two convolutions: the pipes of one core follow a tile of the first one, then a tile of
the second one, which reads it, as the lowering emits them."""

from ..product.candidate import Candidate
from ..product.clock import Clock
from ..product.pipes import FOLLOWED, TIMES


def back_to_back_cycles(first: Candidate, second: Candidate) -> float:
    """Predicted cycles of the kernel, whose cores compute as many tiles of either."""
    before, after = Clock(first), Clock(second)
    rounds = before.rounds
    ends: list[float] = []
    for _ in range(min(rounds, FOLLOWED)):
        _follow(before)
        _hand_on(before, after)
        after.mte1 = max(after.mte1, before.end)  # the tile is in L1
        _follow(after)
        _hand_on(after, before)
        ends.append(after.end)
    return ends[-1] + (rounds - len(ends)) * (ends[-1] - ends[-2]) if rounds > len(ends) else ends[-1]


def _follow(clock: Clock) -> None:
    """One tile of one product."""
    for step in clock.trips(clock.steps, 1):
        clock.load(2)
        clock.multiply(step == 0)
    clock.finish()


def _hand_on(clock: Clock, other: Clock) -> None:
    """The pipes are as one product leaves them when the other one's tile begins."""
    for name in TIMES:
        setattr(other, name, getattr(clock, name))


__all__ = ["back_to_back_cycles"]

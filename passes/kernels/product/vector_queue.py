"""The queue in front of a core's Vector unit, as the prediction follows it: the scalar unit waits where it is full."""

BEGIN_AT_ONCE = 2
"""Places that are free when the unit begins: of its wait for what it works on, and of the first instruction."""


class VectorQueue:
    """Instructions in order, barriers and flags among them, of which at most `depth` are issued and not begun."""

    def __init__(self, depth: int):
        self.depth = depth
        self.issued: list[tuple[float, float, float]] = []
        """How many, and when the unit begins and ends with them."""

    def fill(self, entries: float, begun: float, ended: float) -> float:
        """So many instructions are issued, which the unit begins with and ends with then: the cycle when it has begun
        with all but a queue's."""
        self.issued.append((entries, begun, ended))
        over, free = sum(count for count, _, _ in self.issued) - self.depth, 0.0
        while over > 0:
            count, first, last = self.issued[0]
            if over < count:
                later, behind = max(0.0, over - BEGIN_AT_ONCE), max(1.0, count - BEGIN_AT_ONCE)
                return first + (last - first) * later / behind
            over, free = over - count, last
            self.issued.pop(0)
        return free

    def skip(self, cycles: float) -> None:
        """All happens `cycles` later."""
        self.issued = [(count, first + cycles, last + cycles) for count, first, last in self.issued]

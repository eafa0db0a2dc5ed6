"""HBM behind the pipes of a core: it serves all cores in turn, which read and write at about the same time.

reads    as they are asked for, behind all that was written before
writes   when they are stored; no core waits for them, but those that read behind them
"""

from .costs import KernelCosts

HALVES = 2
"""The cores write one after the other: half of them comes before the other half."""


class HbmQueue:
    """HBM as the last of the cores sees it."""

    costs: KernelCosts
    mte2: float
    loaded: list[float]
    right: list[float]

    def begin(self) -> None:
        """Nothing was asked of it."""
        self.hbm: float = 0.0
        """When it is through with what it was asked for."""
        self.served: float = 0.0
        """Cycles of HBM for all that was fetched and written."""
        self.fetches: float = 0.0
        """Of these for what was fetched."""
        self.asked_at = self.given_at = 0.0
        """When it was last asked for something, and had given it."""
        self.asked: float = 0.0
        """Cycles of HBM for what was last fetched."""
        self.skew: float = 0.0
        """How far ahead the first of the cores is, which HBM serves in turn: this one is the last of them."""
        self.writes: list[float] = []
        """When the chunks were stored whose writes HBM has not taken yet."""

    def from_hbm(self, start: float, end: float, asked: float, turns: int, before: float = 0.0) -> float:
        """A transfer from `start` on takes `asked` cycles of HBM: when it is over, `end` at least. So many cores have
        `turns` of their own: where all wait for the same bytes, the first goes on with the last. It comes behind what
        is written `before` so many cycles later, by cores that are ahead."""
        if not asked:
            return end
        self.served += asked
        self.fetches += asked
        while self.writes and self.writes[0] <= start + before:
            self.hbm = max(self.hbm, self.writes.pop(0)) + self.costs.epilogue.chunk_written / HALVES
        began = start - self.skew
        given = max(self.hbm, began)
        first = max(end - self.skew, given + asked / turns)
        self.hbm = given + asked
        end = max(end, self.hbm)
        self.skew = end - first
        self.asked_at, self.given_at = start, end
        return end

    def hold_up(self, written: float) -> None:
        """What was last asked for comes behind so many cycles of writes, by cores that are ahead."""
        self.hbm += written
        late = max(0.0, self.hbm - self.given_at)
        self.mte2, self.skew, self.given_at = self.mte2 + late, self.skew + late, self.given_at + late
        for there in (self.loaded, self.right):
            if there:
                there[-1] += late


__all__ = ["HALVES", "HbmQueue"]

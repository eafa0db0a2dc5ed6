"""How K may be cut into steps, and what each cut adds at least to what a tile takes however it is cut.

The first products wait for the operands of a whole step, which are the more, the fewer steps there are. Pieces of K in
L0, turns of Vector cores and slots of L1 have costs of their own, which are the more, the more steps there are. What a
part of K costs is no less than its share of what all of K costs.
"""

from typing import NamedTuple

from ...lowering.cores.vector_to_cube import SLOTS as FED_SLOTS
from .load_costs import LoadCosts, feeds_filters
from .operand_reads import Fetch, Reads
from .operands import channel_groups, staged_groups_of
from .problem import Problem, Tile
from .step_costs import SLOTS, OperandCosts, StepCosts, turns_of_last


class Cut(NamedTuple):
    """So many steps, none of which has less than a `share` of K but the last one. `parts`: passages of one step of the
    left operand, of whose whole in one step there are `of`."""

    steps: int
    share: float
    parts: int = 1
    of: int = 1

    @property
    def first(self) -> float:
        """What a passage of one step is of one where K is one step; at most 1."""
        return min(1.0, self.share * self.of / self.parts)


WHOLE = Cut(1, 0.0)
"""Nothing is known of the steps but that there is one."""


def cut_of(p: Problem, tile: Tile, step: int, whole: int) -> Cut:
    """The cut of K into steps of a length, where costs are those of one step of K `whole`, which may be rounded up."""
    k = p.roles.k
    if feeds_filters(p):
        return WHOLE
    image = p.window and p.prologue is None and not p.lhs_blocked
    parts, of = (_passages(p, tile, one) if image else 1 for one in (step, k))
    return Cut(-(-k // step), min(1.0, step / whole), parts, of)


def _passages(p: Problem, tile: Tile, step: int) -> int:
    """Passages in which the channels of an image go through UB."""
    return channel_groups(p, step) // staged_groups_of(p, tile, step)


class Products(NamedTuple):
    """Cycles of M for `all` of K as one step, without what each product takes: `pieces` products of `each` cycles,
    `wide` of them beside each other. `late`: whether those of a tile's last step may follow by columns."""

    all: float
    pieces: int
    wide: int
    each: float
    late: bool
    follows: bool
    """Whether all steps read lines of their own: else the first ones bring some for those behind them, and less comes
    last than where K is one step."""

    def more_pieces(self, cut: Cut) -> int:
        """Products of a tile, over those where K is one step: each step has as many as are beside each other."""
        more = (cut.steps - self.late) * self.wide - (1 - self.late) * self.pieces
        return more if more > 0 else 0

    def last_step(self, cut: Cut) -> float:
        """Cycles of M for a tile's last step."""
        return cut.share * self.all + self.each if self.follows and not self.late else 0.0


class _Load(NamedTuple):
    """An operand where K is one step: cycles of MTE2; from when that is through until it is in L1, beside latencies
    that each load has; V and MTE3 for one passage."""

    read: float
    late: float
    work: float


class Shares(NamedTuple):
    """What a step takes of what all of K does. `turn`: latencies of MTE1 and M around a product."""

    costs: StepCosts
    operands: OperandCosts
    fetch: Fetch
    """A part of the left operand in the mean."""
    loads: tuple[_Load | None, _Load]
    turn: float

    def in_slots(self, cut: Cut) -> float:
        """Cycles of one slot of L1 for the latencies of all steps, over those where K is one step."""
        costs, rates, right = self.costs, self.costs.rates, self.costs.phases[1]
        load, sharing = self.operands.loads[1], self.operands.sharing[1]
        if load.goes_on:
            sharing = cut.steps
        elif load.rows:  # maybe cores share lines that have other columns
            sharing = costs.tiling.cores
        late = costs.rounds * cut.steps * (rates.dma_latency + rates.mte1_latency)
        if costs.p.target.split:  # what L2 lacks comes later
            missed = right.tiles * -(-cut.steps // min(sharing, cut.steps))
            late += missed * (_opening(right).latency - rates.dma_latency)
        return (late - costs.rounds * (rates.dma_latency + rates.mte1_latency)) / SLOTS

    def begin(self, cut: Cut) -> float:
        """Cycles until both operands of the first step are in L1, beside the latencies of every kernel."""
        left, right = self.loads
        read, ready = cut.share * right.read, 0.0
        if left is not None:
            read += cut.share * left.read
            ready = cut.share * left.read + left.late + cut.first * left.work
        return max(ready, read + right.late + cut.share * right.work)

    def fed(self, cut: Cut, first: float, whole: float) -> tuple[float, float]:
        """Cycles until the Vector cores beside have brought the first part of the left operand, `first` at least, and
        the last one of their turns, `whole` at least, beside the latency of DMA."""
        costs, operands, fetch, rates = self.costs, self.operands, self.fetch, self.costs.rates
        load, beside, warm = operands.loads[0], costs.beside, costs.phases[0].warm
        each, copy = min(fetch.cycles, warm.cycles), 0.0
        vector, mte3 = load.vector * beside, load.mte3 * beside
        if operands.bytes:
            copy = max(rates.dma_issue, operands.bytes / rates.l2_read)
        copy *= cut.share
        read = each if costs.tiling.resident else _opening(costs.phases[0]).cycles
        opening = first + cut.first * (read + vector + mte3) + copy
        passages = load.passages if cut.of == cut.parts == 1 else cut.parts * (load.passages // cut.of)
        parts = costs.counts[0] * cut.steps * passages
        share = costs.counts[0] * load.passages / parts
        """What each of the parts is of one where K is one step, at least: together they are as much."""
        in_turns = costs.p.prologue is not None or passages == 1
        """Else the Vector cores share each step, and end together."""
        more = max(0.0, (turns_of_last(parts / beside) if in_turns else parts / beside) - 1)
        ahead = 1 + (not costs.p.prologue or cut.steps % beside == 0)
        turn = share * (each + vector) + rates.dma_latency + rates.vector_latency
        waited = 0.0
        if operands.bytes and not costs.tiling.resident:
            chain = turn + share * mte3 + copy + rates.store_latency + rates.shape_latency
            waited = (parts // passages - 1) // FED_SLOTS * (chain + 2 * rates.cross_latency)
        slowest = share * max(fetch.cycles, vector, mte3)
        return opening, max(whole, opening + max(more * slowest, more // ahead * turn, waited))


def shares_of(costs: StepCosts, operands: OperandCosts, reads: list[Fetch]) -> Shares:
    """What a step takes of what all of K does, where that is one step in `costs`."""
    rates = costs.rates
    loads = [
        _load(
            costs, load, mean._replace(latency=rates.dma_latency) if costs.tiling.resident else _opening(one)
        )
        for load, one, mean in zip(operands.loads, costs.phases, reads, strict=True)
    ]
    turn = rates.mte1_latency + rates.mmad_latency
    return Shares(costs, operands, reads[0], (None if costs.given else loads[0], loads[1]), turn)


def _opening(reads: Reads) -> Fetch:
    return reads.opening or reads.cold


def _load(costs: StepCosts, load: LoadCosts, opening: Fetch) -> _Load:
    rates = costs.rates
    late, work = opening.latency - rates.dma_latency, 0.0
    if load.mte3:
        late += rates.vector_latency + rates.shape_latency
        work = load.vector + load.mte3
    return _Load(load.passages * opening.cycles, late, work)


__all__ = ["WHOLE", "Cut", "Products", "Shares", "cut_of", "shares_of"]

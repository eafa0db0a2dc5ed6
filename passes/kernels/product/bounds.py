"""What no kernel is faster than that has a tiling, or one of several that share a tile and a step of K.

Each pipe is busy for its share of all tiles. Before its first work stands the way of the first operands, behind its
last the way of the last tile to GM.
"""

from typing import NamedTuple

from .costs import KernelCosts, least_set_up
from .epilogue_costs import EpilogueCosts, epilogue_costs
from .load_costs import LoadCosts
from .operand_reads import Fetch, Reads
from .problem import Problem, Tile, remembered, takes_vector
from .step_costs import SLOTS, OperandCosts, Rates, StepCosts

L0_SLOTS = 2
"""Slots of operands in L0, where steps have no more than two in L1."""


class TileWork(NamedTuple):
    """Cycles of pipes beside the loads of operands."""

    m: float
    """Of M for a tile."""
    mte1: float
    """Of MTE1 for a tile."""
    first_load: float
    """Of MTE1 before the first product of a step, at least."""
    last_step: float
    """Of M for a tile's last step, at least."""
    piece: float
    """Of M for one product, at most."""
    shortest: float
    """At least."""
    in_slots: float
    """Of MTE1 and M for all tiles, where each product waits for a slot of L0: at least."""
    epilogue: "EpilogueWork"
    epilogues: list[EpilogueCosts]
    """Those of one tile, one of which each tile has."""


class EpilogueWork(NamedTuple):
    """Cycles of the epilogues of all tiles."""

    end: float
    """Behind a tile's last product, or by the unit flag behind its begin."""
    read: float
    """Of MTE2."""
    vector: float
    """Of V, or of FixPipe."""
    store: float
    """Of MTE3."""
    asked: float
    """Of HBM, with what comes behind the last of it, beside latencies."""
    behind: float
    """Of the busiest pipe of the Vector cores that do nothing but epilogues, from when FixPipe has written the first
    tile until they have stored the last one."""


def bound_of_steps(costs: StepCosts, l0_k: int, chunks: list[tuple[int, int]]) -> float:
    """Cycles that no kernel takes less of with the tile and step of `costs`, whose pieces of K are no longer than
    `l0_k`, with one of `chunks` (and rows of one that are computed at once)."""
    whole = _of_steps(costs, costs.whole, costs.reads, l0_k, chunks)
    if costs.rest is costs.whole:
        return whole
    return min(whole, _of_steps(costs, costs.rest, costs.reads_rest, l0_k, chunks))


def bound_of_tiling(costs: StepCosts, whole: KernelCosts, rest: KernelCosts) -> float:
    """Cycles that no kernel with a tiling takes less of, whose tiles cost `whole`, and the last ones of columns
    `rest`."""
    found = _of_tiling(costs, whole, costs.reads)
    return found if rest is whole else min(found, _of_tiling(costs, rest, costs.reads_rest))


def _of_tiling(costs: StepCosts, c: KernelCosts, reads: list[Fetch]) -> float:
    """The same if all tiles cost `c`."""
    step = c.pieces * c.mmad
    work = TileWork(
        m=_products(costs, c),
        mte1=costs.steps * c.pieces * c.mte1,
        first_load=c.mte1 - (c.mte1_right if c.right_first else 0.0),
        last_step=0.0 if c.by_columns else step,
        piece=c.mmad,
        shortest=0.0 if c.by_columns else c.mmad,
        in_slots=0.0 if c.by_columns else _through_l0(costs, c.pieces, c.mte1, c.mmad, c.slots),
        epilogue=_epilogues([c.epilogue], Around.of(costs, c.by_columns)),
        epilogues=[c.epilogue],
    )
    return _longest(costs, c.operands, reads, work)


def busiest_pipe(costs: StepCosts, c: KernelCosts, reads: list[Fetch]) -> float:
    """Cycles of the busiest pipe if all tiles cost `c`, with the loads before its first work and the epilogue behind
    its last: a program that waits less than the clock counts takes as many."""
    e, operands = c.epilogue, c.operands
    busy, m = operands_busy(costs, operands, reads), _products(costs, c)
    chunks = costs.rounds * e.chunks
    last = 0.0 if c.by_columns else c.pieces * c.mmad
    end = e.chunk_vector if c.by_columns else e.chunks * e.chunk_vector + e.chunk_store
    if c.unit_flag:  # FixPipe ends with it
        end = 0.0
    loaded = list(zip(operands.loads, reads, strict=True))[costs.given :]
    begin = sum(load.passages * fetch.cycles for load, fetch in loaded)
    split = costs.p.target.split and not c.unit_flag
    pipes = (
        begin + costs.rounds * m + end,
        begin + costs.rounds * costs.steps * c.pieces * c.mte1 + end,
        busy.mte2 + (chunks * e.chunk_read or last + end),
        busy.hbm + last + end,
        (begin + m if split else 0.0) + chunks * e.chunk_vector,
        busy.v + chunks * e.chunk_vector,
        busy.mte3 + chunks * e.chunk_store,
    )
    return costs.rates.through + max(pipes)


def _through_l0(costs: StepCosts, pieces: int, mte1: float, mmad: float, slots: int) -> float:
    """Cycles of MTE1 and M until the last product ends, beside its latencies, where each of so many `pieces` of a step
    waits until the one that had its slot is multiplied."""
    turn = mte1 + costs.rates.mte1_latency + mmad + costs.rates.mmad_latency
    return (costs.rounds * costs.steps * pieces - 1) // slots * turn + mte1 + mmad


def _least_through_l0(costs: StepCosts, pieces: int, work: float) -> float:
    """The same of any tiling with at least so many pieces of a step, which take `work` cycles of MTE1 and M."""
    latency = costs.rates.mte1_latency + costs.rates.mmad_latency
    return (costs.rounds * costs.steps / L0_SLOTS - 1 / pieces) * (work + pieces * latency)


def _products(costs: StepCosts, c: KernelCosts) -> float:
    """Cycles of M for a tile that costs `c`."""
    return (costs.steps - c.by_columns) * c.pieces * c.mmad + c.epilogue.chunks * c.late_products


def _of_steps(
    costs: StepCosts, operands: OperandCosts, reads: list[Fetch], l0_k: int, chunks: list[tuple[int, int]]
) -> float:
    """The same of all tilings with a step, if all tiles cost `operands`."""
    p, tile, tiling = costs.p, operands.tile, costs.tiling
    products, loads = operands.ideal
    wide = -(-tile.n16 // tiling.product_columns(tile.n16))
    pieces = -(-tiling.step // l0_k) * wide
    late = p.prologue is not None and not p.target.split
    """Whether products of a tile's last step may follow by columns."""
    each = p.target.cube.issue
    small = tile.m16 // 16 * (tile.n16 / 16 / wide) < p.target.cube.accumulate_overlap
    if small and not costs.apart:  # products of a tile so small wait for each other
        each += p.target.cube.latency
    longest = products * min(1.0, l0_k / tiling.step) / wide if costs.apart else products / pieces
    resident = tiling.resident > 0
    around = Around.of(costs, late)
    work = TileWork(
        m=costs.steps * products + (costs.steps - late) * pieces * each,
        mte1=costs.steps * max(loads, least_set_up(p, tile, tiling.step, l0_k, wide)),
        first_load=0.0,
        last_step=0.0 if late or costs.apart else products + pieces * each,
        piece=longest + p.target.cube.issue + small * p.target.cube.latency,
        shortest=0.0,
        in_slots=0.0 if late or tiling.resident else _least_through_l0(costs, pieces, loads + products),
        epilogue=_epilogues_of(p, tile, tuple(chunks), tiling.cores, resident, around),
        epilogues=[epilogue_costs(p, tile, *chunk, tiling.cores, resident) for chunk in chunks]
        if costs.beside
        else [],
    )
    return _longest(costs, operands, reads, work)


class Around(NamedTuple):
    """What the work of epilogues depends on, beside their costs: tiles of a core; whether products of the last step may
    follow by columns, with what comes behind the columns before; whether any chunk may be theirs; whether Vector cores
    take tiles of the product and do nothing else; whether they wait for tiles and compute left operands too."""

    rounds: int
    late: bool
    any_chunk: bool
    follows: bool
    waits: bool
    split: bool
    rates: Rates

    @staticmethod
    def of(costs: StepCosts, late: bool) -> "Around":
        p = costs.p
        follows = p.target.split and not costs.beside and not p.feeds and takes_vector(p)
        waits = bool(costs.beside and costs.whole.bytes and not costs.tiling.resident and not costs.apart)
        return Around(costs.rounds, late, costs.apart > 0, follows, waits, p.target.split, costs.rates)


@remembered
def _epilogues_of(
    p: Problem, tile: Tile, chunks: tuple[tuple[int, int], ...], cores: int, resident: bool, around: Around
) -> EpilogueWork:
    """What the epilogues of all tiles take at least, each in one of `chunks`."""
    return _epilogues([epilogue_costs(p, tile, *chunk, cores, resident) for chunk in chunks], around)


def _epilogues(epilogues: list[EpilogueCosts], around: Around) -> EpilogueWork:
    """What the epilogues of all tiles take at least, each as one of `epilogues`."""
    rounds = around.rounds
    return EpilogueWork(
        min(_behind(around, e) for e in epilogues),
        rounds * min(e.chunks * e.chunk_read for e in epilogues),
        rounds * min(e.chunks * e.chunk_vector for e in epilogues),
        rounds * min(e.chunks * e.chunk_store for e in epilogues),
        min(_asked(around, e) for e in epilogues),
        min(_behind_fixpipe(around, e, rounds) for e in epilogues) if around.follows else 0.0,
    )


def _behind(around: Around, e: EpilogueCosts) -> float:
    """Cycles of a tile's epilogue behind its last product, beside latencies."""
    if around.late:
        return 0.0 if around.any_chunk else e.chunk_vector
    if not around.split:
        return e.chunks * e.chunk_vector + (0.0 if around.any_chunk else e.chunk_store)
    if around.follows:
        return e.chunk_vector + _behind_fixpipe(around, e, 1)
    behind = e.chunk_store + (0.0 if around.any_chunk else e.last)
    if around.waits and e.beside_store:
        behind = max(behind, _taken(around, e, 1))
    return e.chunk_vector + behind


def _behind_fixpipe(around: Around, e: EpilogueCosts, tiles: int) -> float:
    """Cycles of the Vector cores that take so many tiles behind FixPipe, beside the latencies of every kernel."""
    asked = tiles * e.chunk_asked + around.rates.vector_latency if e.chunk_asked else 0.0
    """Until HBM has given what they read beside."""
    if around.any_chunk:
        arrival = around.rates.cross_latency + (around.rates.dma_latency if e.beside_load else 0.0)
        return max(asked, arrival + tiles * max(e.beside_load, e.beside_work, e.beside_store))
    return max(asked + e.beside_work / e.parts + e.beside_store / e.parts, _taken(around, e, tiles))


def _taken(around: Around, e: EpilogueCosts, tiles: int) -> float:
    """The same where HBM gives at once what they read beside."""
    load, work, store, parts = e.beside_load, e.beside_work, e.beside_store, e.parts
    arrival = around.rates.cross_latency + (around.rates.dma_latency if load else 0.0)
    return arrival + max(
        tiles * load + work / parts + store / parts,
        load / parts + tiles * work + store / parts,
        load / parts + work / parts + tiles * store,
    )


def _asked(around: Around, e: EpilogueCosts) -> float:
    """Cycles of HBM for what the epilogues of all tiles read beside them, and what Vector cores that take tiles then do
    with the last of it."""
    asked = around.rounds * e.chunks * e.chunk_asked
    if not asked or around.any_chunk or not around.follows:
        return asked
    return asked + e.beside_work / e.parts + e.beside_store / e.parts


def _longest(costs: StepCosts, operands: OperandCosts, reads: list[Fetch], work: TileWork) -> float:
    """Cycles of the busiest pipe, with what comes before its first work and behind its last."""
    rounds, e = costs.rounds, work.epilogue
    busy = operands_busy(costs, operands, reads)
    begin, fed, beside = _begin(costs, operands, reads), 0.0, 0.0
    if costs.beside and not costs.p.held:
        first, fed = costs.fed_by_sides(operands, reads)
        begin = max(begin, first)
        beside = min(costs.beside_busy(operands, reads, e) for e in work.epilogues)
    unit_flag, split = costs.tiling.unit_flag, costs.p.target.split
    overlap = work.piece if unit_flag else 0.0
    """Of the last product with what is behind it."""
    step = work.first_load + max(work.last_step - overlap, 0.0) + e.end
    """Behind the last loads."""
    first = begin + work.first_load + work.m - overlap
    """When FixPipe may begin with the first tile."""
    mte2, hbm = _arrivals(costs, operands, reads)
    pipes = (
        begin + work.first_load + rounds * work.m - overlap + e.end,
        begin + rounds * work.mte1 + (0.0 if unit_flag else work.shortest) + e.end,
        busy.mte2 + (e.read or mte2 + step),
        busy.hbm + hbm + step,
        (first if split else 0.0) + e.vector,
        busy.v + e.vector,
        busy.mte3 + e.store,
        beside,
        first + e.vector / rounds + e.behind if e.behind else 0.0,
        fed + step if fed else 0.0,
        _in_slots(costs, operands, reads, busy.mte2 + rounds * work.mte1) + e.end,
        begin + work.in_slots - overlap + e.end if work.in_slots else 0.0,
    )
    return max(costs.rates.through + max(pipes), busy.hbm + e.asked + costs.rates.to_store)


def _in_slots(costs: StepCosts, operands: OperandCosts, reads: list[Fetch], work: float) -> float:
    """Cycles until the last step's operands are in L0, beside the latencies of every kernel; `work`: of MTE2 and of
    MTE1 for all steps. A step is loaded to L1 when MTE1 has read the one before the last, so that each of two slots
    holds half of the steps, one after the other: each for its transfers and their latencies."""
    tiling = costs.tiling
    if (
        tiling.resident
        or tiling.keeps
        or costs.given
        or costs.beside
        or any(load.mte3 for load in operands.loads)
    ):
        return 0.0
    rates, latency = costs.rates, costs.rates.dma_latency
    if not costs.apart and costs.p.target.split:  # elsewhere steps of a tile may have places of their own
        left, right = reads  # the right one follows the left one
        latency = max(left.latency - operands.loads[1].passages * right.cycles, right.latency)
    each = latency + rates.mte1_latency
    return (work + costs.rounds * costs.steps * each) / SLOTS - rates.dma_latency - rates.mte1_latency


class Busy(NamedTuple):
    """Cycles in which pipes are busy."""

    mte2: float
    hbm: float
    v: float
    mte3: float


def operands_busy(costs: StepCosts, operands: OperandCosts, reads: list[Fetch]) -> Busy:
    """What the pipes of a core do for the operands of all of its tiles."""
    right, fetch = operands.loads[1], reads[1]
    times = costs.counts[1] * right.passages
    mte2, hbm, v, mte3 = times * fetch.cycles, times * fetch.asked, 0.0, 0.0
    if right.mte3:
        v, mte3 = times * right.vector, times * right.mte3
    if not costs.given:
        left, fetch = operands.loads[0], reads[0]
        times = costs.counts[0] * left.passages
        mte2, hbm = mte2 + times * fetch.cycles, hbm + times * fetch.asked * costs.phases[0].over_mean
        if left.mte3:
            v, mte3 = v + times * left.vector, mte3 + times * left.mte3
    return Busy(mte2, hbm, v, mte3)


def _begin(costs: StepCosts, operands: OperandCosts, reads: list[Fetch]) -> float:
    """Cycles before the first product, beside the latencies of every kernel: until both operands of its step are in
    L1."""
    ready = read = 0.0
    firsts = reads if costs.tiling.resident else [one.cold for one in costs.phases]
    for operand, (load, fetch) in enumerate(zip(operands.loads, firsts, strict=True)):
        if operand == 0 and costs.given:
            continue
        read += 0.0 if costs.apart else load.passages * fetch.cycles
        latency = costs.rates.dma_latency if costs.apart and costs.tiling.resident else fetch.latency
        ready = max(ready, read + _through_ub(costs, load, latency))
    return ready


def _through_ub(costs: StepCosts, load: LoadCosts, latency: float) -> float:
    """Cycles from when MTE2 is through with a part of an operand, which is there after `latency`, until it is in L1,
    beside the latency of DMA."""
    rates = costs.rates
    late = latency - rates.dma_latency
    if not load.mte3:
        return late
    work = 0.0 if costs.apart else load.vector + load.mte3
    return late + rates.vector_latency + work + rates.shape_latency


def _arrivals(costs: StepCosts, operands: OperandCosts, reads: list[Fetch]) -> tuple[float, float]:
    """Cycles from when MTE2, and HBM, have read the last operand until the last product may begin, beside the latencies
    of every kernel."""
    first, second = costs.phases
    alike = not costs.apart and first.every == 1 and second.every == 1
    right = _through_ub(costs, operands.loads[1], _last_latency(costs, second, reads[1], alike))
    if costs.given:
        return right, right
    left = _through_ub(costs, operands.loads[0], _last_latency(costs, first, reads[0], alike))
    if costs.apart or costs.fetches_ahead or costs.tiling.resident or costs.tiling.keeps:
        return min(left, right), min(left, right)
    parts = operands.loads[1].passages
    return max(right, left - parts * reads[1].cycles), max(right, left - parts * reads[1].asked)


def _last_latency(costs: StepCosts, phases: Reads, mean: Fetch, alike: bool) -> float:
    """Cycles until the last part of an operand is there: what L2 lacks to the last comes from HBM. `alike`: every
    step is like the first, lines of L2 hold no other."""
    cold = alike and mean.latency == phases.cold.latency
    return mean.latency if cold else costs.rates.dma_latency

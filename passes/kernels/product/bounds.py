"""What no kernel is faster than that has a tiling, or one of several that share a tile and a step of K.

Each pipe is busy for its share of all tiles. Before its first work stands the way of the first operands, behind its
last the way of the last tile to GM.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .costs import KernelCosts, least_set_up
from .cuts_of_k import WHOLE, Cut, Products, shares_of
from .epilogue_bounds import Around, EpilogueWork, epilogues_at_least, epilogues_of
from .epilogue_costs import EpilogueCosts, epilogue_costs
from .load_costs import LoadCosts
from .operand_reads import Fetch, Reads
from .step_costs import SLOTS, OperandCosts, StepCosts

Chunks = Sequence[tuple[int, int]]
"""Chunks of the result, and rows of one that are computed at once (0: all)."""
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
    epilogue: EpilogueWork
    epilogues: list[EpilogueCosts]
    """Those of one tile, one of which each tile has."""


def bound_of_steps(costs: StepCosts, l0_k: int, chunks: Chunks) -> float:
    """Cycles that no kernel takes less of with the tile and step of `costs`, whose pieces of K are no longer than
    `l0_k`, with one of `chunks` (and rows of one that are computed at once)."""
    (least,) = bounds_of_cuts(costs, l0_k, chunks, (WHOLE,))
    return least


def bounds_of_cuts(costs: StepCosts, l0_k: int, chunks: Chunks, cuts: Sequence[Cut]) -> list[float]:
    """The same for each way of cutting the step of `costs`, which are those of all shorter ones at least."""
    whole = _of_steps(costs, costs.whole, costs.reads, l0_k, chunks, cuts)
    if costs.rest is costs.whole:
        return whole
    rest = _of_steps(costs, costs.rest, costs.reads_rest, l0_k, chunks, cuts)
    return [min(both) for both in zip(whole, rest, strict=True)]


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
        epilogue=epilogues_at_least([c.epilogue], Around.of(costs, c.by_columns)),
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
    costs: StepCosts,
    operands: OperandCosts,
    reads: list[Fetch],
    l0_k: int,
    chunks: Chunks,
    cuts: Sequence[Cut],
) -> list[float]:
    """The same of all tilings with a step, if all tiles cost `operands`."""
    p, tile, tiling = costs.p, operands.tile, costs.tiling
    products, loads = operands.ideal
    wide = -(-tile.n16 // tiling.product_columns(tile.n16))
    pieces = -(-tiling.step // l0_k) * wide
    late = p.prologue is not None and not p.target.split
    """Whether products of a tile's last step may follow by columns."""
    each = p.target.cube.issue
    small = tile.m16 // 16 * (tile.n16 / 16 / wide) < p.target.cube.accumulate_overlap
    if small:  # products of a tile so small wait for each other
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
        epilogue=epilogues_of(p, tile, tuple(chunks), tiling.cores, resident, around),
        epilogues=[epilogue_costs(p, tile, *chunk, tiling.cores, resident) for chunk in chunks]
        if costs.beside
        else [],
    )
    if cuts == (WHOLE,):
        return [_longest(costs, operands, reads, work)]
    follows = not any(load.goes_on for load in operands.loads)
    products_of = Products(products, pieces, wide, each, late, follows)
    return _longest_of_cuts(costs, operands, reads, work, products_of, cuts)


def _longest(costs: StepCosts, operands: OperandCosts, reads: list[Fetch], work: TileWork) -> float:
    """Cycles of the busiest pipe, with what comes before its first work and behind its last."""
    ends = _ends_of(costs, operands, reads, work)
    slowest = _slowest_of(costs, work, ends)
    return slowest(ends.begin, work.m, work.last_step, work.in_slots, ends.fed, ends.in_slots)


def _longest_of_cuts(
    costs: StepCosts,
    operands: OperandCosts,
    reads: list[Fetch],
    work: TileWork,
    products: Products,
    cuts: Sequence[Cut],
) -> list[float]:
    """The same of each cut of K, where `costs`, `reads` and `work` are those of all cuts at least."""
    whole = _ends_of(costs, operands, reads, work)
    shares, slowest = shares_of(costs, operands, reads), _slowest_of(costs, work, whole)
    found, turns = list[float](), costs.rounds / L0_SLOTS * shares.turn
    for cut in cuts:
        if not cut.share:
            found.append(
                slowest(whole.begin, work.m, work.last_step, work.in_slots, whole.fed, whole.in_slots)
            )
            continue
        begin, fed, more = shares.begin(cut), whole.fed, products.more_pieces(cut)
        if fed:
            first, fed = shares.fed(cut, whole.first, fed)
            begin = max(begin, first)
        in_l0 = work.in_slots and work.in_slots + more * turns
        in_slots = whole.in_slots and whole.in_slots + shares.in_slots(cut)
        m = work.m + more * products.each
        found.append(slowest(begin, m, products.last_step(cut), in_l0, fed, in_slots))
    return found


class Busy(NamedTuple):
    """Cycles in which pipes are busy."""

    mte2: float
    hbm: float
    v: float
    mte3: float


class Ends(NamedTuple):
    """What comes before the work on tiles and behind it, beside the latencies of every kernel: `begin` until the first
    operands are in L1, of which Vector cores beside bring the first left one by `first`, and the last one by `fed`; how
    long these are busy; what follows the last loads of MTE2 and of HBM; `in_slots`: until the last step's operands,
    which wait for slots, are in L0."""

    busy: Busy
    begin: float
    first: float
    fed: float
    beside: float
    arrivals: tuple[float, float]
    in_slots: float


def _ends_of(costs: StepCosts, operands: OperandCosts, reads: list[Fetch], work: TileWork) -> Ends:
    busy = operands_busy(costs, operands, reads)
    begin, first, fed, beside = _begin(costs, operands, reads), 0.0, 0.0, 0.0
    if costs.beside and not costs.p.held:
        first, fed = costs.fed_by_sides(operands, reads)
        begin = max(begin, first)
        beside = min(costs.beside_busy(operands, reads, e) for e in work.epilogues)
    arrivals = _arrivals(costs, operands, reads)
    in_slots = _in_slots(costs, operands, reads, busy.mte2 + costs.rounds * work.mte1)
    return Ends(busy, begin, first, fed, beside, arrivals, in_slots)


def _slowest_of(
    costs: StepCosts, work: TileWork, ends: Ends
) -> Callable[[float, float, float, float, float, float], float]:
    """Cycles of the busiest pipe, with what comes before its first work and behind its last. What is left open is what
    depends on how K is cut: `begin`, `m`, `last_step`, `in_slots` of the work (here `in_l0`), `fed`, `in_slots`."""
    e, busy, rounds, first_load = work.epilogue, ends.busy, costs.rounds, work.first_load
    unit_flag, split = costs.tiling.unit_flag, costs.p.target.split
    overlap = work.piece if unit_flag else 0.0
    """Of the last product with what is behind it."""
    loaded = rounds * work.mte1 + (0.0 if unit_flag else work.shortest) + e.end
    mte2, hbm = ends.arrivals
    mte2, hbm = busy.mte2 + (e.read or mte2), busy.hbm + hbm
    others = max(busy.v + e.vector, busy.mte3 + e.store, ends.beside)
    vector, followed = e.vector, e.vector / rounds + e.behind if e.behind else 0.0
    through, asked = costs.rates.through, busy.hbm + e.asked + costs.rates.to_store

    def slowest(begin: float, m: float, last_step: float, in_l0: float, fed: float, in_slots: float) -> float:
        step = first_load + (last_step - overlap if last_step > overlap else 0.0) + e.end
        """Behind the last loads."""
        first = begin + first_load + m - overlap
        """When FixPipe may begin with the first tile."""
        pipes = (
            first + (rounds - 1) * m + e.end,
            begin + loaded,
            mte2 if e.read else mte2 + step,
            hbm + step,
            first + vector if split else vector,
            others,
            first + followed if followed else 0.0,
            fed + step if fed else 0.0,
            in_slots + e.end,
            begin + in_l0 - overlap + e.end if in_l0 else 0.0,
        )
        return max(through + max(pipes), asked)

    return slowest


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

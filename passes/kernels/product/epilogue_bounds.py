"""What the epilogues of all tiles of a product take at least, each in one of some chunks."""

from typing import NamedTuple

from .epilogue_costs import EpilogueCosts, epilogue_costs
from .problem import Problem, Tile, remembered, takes_vector
from .step_costs import Rates, StepCosts


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
        waits = bool(costs.beside and costs.whole.bytes and not costs.tiling.resident)
        listed = p.target.split and takes_vector(p) and not p.whole_columns
        any_chunk = costs.apart > 0 and not listed
        return Around(costs.rounds, late, any_chunk, follows, waits, p.target.split, costs.rates)


@remembered
def epilogues_of(
    p: Problem, tile: Tile, chunks: tuple[tuple[int, int], ...], cores: int, resident: bool, around: Around
) -> EpilogueWork:
    """What the epilogues of all tiles take at least, each in one of `chunks`."""
    return epilogues_at_least([epilogue_costs(p, tile, *chunk, cores, resident) for chunk in chunks], around)


def epilogues_at_least(epilogues: list[EpilogueCosts], around: Around) -> EpilogueWork:
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


__all__ = ["Around", "EpilogueWork", "epilogues_at_least", "epilogues_of"]

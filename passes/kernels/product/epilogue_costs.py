"""What the pipes of a core take for a tile of a product behind its accumulator: chunk by chunk to UB, through the
Vector unit, and to GM; or through FixPipe."""

from math import gcd, prod

from ....dialects.tile import BLOCK
from ....runtime.machine.costs import copy_cost, hbm_written, hit_rate
from ...cost.group_trace import ceil_to
from ...cost.vector import vector_cycles
from ...lowering.cores.cube_to_vector_gm import SLOTS
from ...lowering.transfers.pack_rows import packs, rows_a_lane
from ...lowering.transfers.store_circular import LANES_AT_ONCE, circular_repeats
from ...lowering.transfers.store_partial_rows import skews
from ...regions.tiling import product_spans
from ...selection.transfers import turns_of
from ...selection.vector_shapes import BLOCKS
from .circular_rows import own_pixels, share_of_ends
from .load_costs import feeds, turned
from .operand_costs import fixpipe_cost, requests_beside
from .problem import Problem, Tile, chunk_shape, lands, remembered, takes_vector
from .tiles import tile_count


class EpilogueCosts:
    """Cycles of a tile's epilogue in chunks of `chunk`, of which `part` rows are computed at once (0: all). So many
    `cores` work together; `resident`: the left operand stays in L1 for all tiles of columns."""

    def __init__(self, p: Problem, tile: Tile, chunk: int, part: int, cores: int, resident: bool):
        target = p.target
        self.p, self.tile, self.part, self.cores = p, tile, part, cores
        self.chunk_taken: float = 0.0
        """Cycles of V until a chunk has left L0C."""
        self.chunk_written: float = 0.0
        """Cycles of HBM for what all cores write."""
        self.chunk_asked: float = 0.0
        """Cycles of HBM for what all cores read beside a chunk: of tensors that are new each element once, and each
        line again that was asked for in part where L2 keeps no such line."""
        self.parts = 1
        """Chunks of a tile that each of the Vector cores beside does."""
        self.chunk_port = 0.0
        """Cycles of the port through which a Cube core and the Vector cores beside it write."""
        self.last = 0.0
        """Cycles in which the Vector cores beside load the first chunk of the last tile and store its last one, which
        nothing overlaps."""
        self.beside_work = self.beside_load = self.beside_store = 0.0
        """What the epilogue of a tile takes of V, MTE2 and MTE3 of each of the Vector cores beside."""
        self.dma, self.store = target.path("gm", "ub"), target.path("ub", "gm")
        self.l2_read = hit_rate(target, self.dma)
        self.behind = _behind_windows(p, tile)
        span = product_spans(p.regions, tile.tiles)[p.roles.chunk_dim]
        if target.split:
            self._through_fixpipe(-(-span // chunk), resident)
        else:
            self.chunks = -(-ceil_to(span, 16) // ceil_to(chunk, 16))
            self._chunk(*chunk_shape(p, tile, chunk))
        del self.p, self.tile  # the problem knows its costs, and a cycle would be the collector's

    @property
    def writes_as_it_reads(self) -> bool:
        """Whether what the next chunk reads from HBM waits for what this one writes."""
        return bool(self.chunk_asked and self.chunk_read)

    def _chunk(self, n: int, m: int) -> None:
        """One chunk of `n` columns and `m` rows: V, what it reads, MTE3."""
        p, tile, target = self.p, self.tile, self.p.target
        elements = n * m
        latency = target.vector.inner_latency
        self.chunk_taken = copy_cost(target, "l0c", "ub", 1, elements * 4).busy
        self.chunk_vector = self.chunk_taken + latency
        self.chunk_vector += self._cycles(elements)
        repeated = sum(step.full and not all(x.full for x in step.sources) for step in p.trace.steps)
        self.chunk_entries = 6 + 2 * len(p.trace.steps) + repeated * (_strided(p, n, m) - 1)
        if p.feeds:
            self.chunk_store = copy_cost(target, "ub", "l1", 1, elements * p.out).busy
            self.chunk_read = 0.0
            self.beside = len(p.trace.loads)
            return
        self._stored_chunk(n, round(m * self.behind))
        full = p.full_loads
        self.chunk_read = full * (elements * p.out / self.l2_read)
        if tile.circular:  # rows at the ends of planes come by themselves
            turns = turns_of(target, prod(p.extents[p.roles.n + 1 :]), p.block)
            ends = share_of_ends(p, tile, self.cores)
            self.chunk_read = full * max(self.chunk_read / max(full, 1), turns * self.dma.issue)
            self.chunk_read += full * ends * turns * self.dma.issue
            self.chunk_vector += full * ends * 3 * latency
        asked = p.new_loads * prod(p.extents) * p.out / tile_count(p, tile) / self.chunks
        self.chunk_asked = asked * self.cores / target.memory.hbm_chip
        self.chunk_vector += p.staged_loads * (elements * p.out / target.vector.bytes_per_repeat + latency)
        self.beside = len(p.trace.loads) - full

    def _stored_chunk(self, n: int, m: int) -> None:
        """A chunk of `n` columns and `m` rows on its way to GM: into the result's order, and MTE3."""
        p, tile, target, elements = self.p, self.tile, self.p.target, n * m
        latency = target.vector.inner_latency
        if p.result_blocked:
            rows, columns, pitch = n // 16, m * 16, prod(p.extents) // p.extents[p.roles.n] * 16
        elif p.rows_last:
            rows, columns, pitch = m, tile.tiles[p.roles.n], p.extents[p.roles.n]
            if columns > 16:
                self.chunk_vector += elements * p.out / target.vector.bytes_per_repeat + latency
                self.chunk_entries += 1 + _strided(p, n, m)
        else:
            rows, columns, pitch = n, round(tile.m * self.behind), prod(p.extents[p.roles.n + 1 :])
            self.chunk_vector += n // 16 * turned(target, p.result_dtype, BLOCK * m) + latency
            self.chunk_entries += n // 16
        written = min(rows * columns, elements) * p.stored
        tile_bytes = prod(p.extents) * p.stored / tile_count(p, tile)
        self.chunk_written = hbm_written(target, tile_bytes / self.chunks * self.cores, p.gm_bytes)
        turns = min(rows, p.block // gcd(pitch, p.block))
        issue = target.path("ub", "gm").issue
        self.chunk_store = max(copy_cost(target, "ub", "gm", 1, int(written)).busy, issue * turns)
        if tile.circular:
            self._go_round(n)
        elif tile.lead:
            self._blocks(m)
        elif columns % p.block:
            if packs(columns) and columns == pitch:
                lane = rows_a_lane(columns)
                padded = ceil_to(rows, 16 * lane)
                passes = 4 * padded * ceil_to(columns, 16) * p.out
                self.chunk_vector += passes / target.vector.bytes_per_repeat + 6 * latency
                self.chunk_entries += 7 + padded // (16 * lane) * (
                    lane + 6
                )  # of `lowering.transfers.pack_rows`
            else:
                self._row_ends(rows)
                self.chunk_store += self.store.latency + issue * turns

    def _row_ends(self, rows: int) -> None:
        """What the last elements of so many rows add, which share a block with what follows: they are turned over with
        those before, and stored by themselves (`lowering.transfers.store_rows`)."""
        target, dtype = self.p.target, self.p.result_dtype
        filled = rows * BLOCK * self.p.out / target.vector.bytes_per_repeat
        self.chunk_vector += (
            1.5 * filled + 4 * turned(target, dtype, rows * BLOCK) + 4 * target.vector.latency
        )
        self.chunk_entries += 12

    def _through_fixpipe(self, chunks: int, resident: bool) -> None:
        """The tile through FixPipe, then, if the Vector cores beside have work, their half of it each: it overlaps the
        products of the tiles that follow."""
        p, tile, target = self.p, self.tile, self.p.target
        self.chunks = 1
        elements = tile.m16 * tile.n16
        drain = fixpipe_cost(p, tile)
        self.chunk_vector = drain.busy + drain.latency
        self.chunk_entries = 2
        self.chunk_read = 0.0
        self.beside = 0
        shared = elements * -(-chunks // target.vectors_beside) // chunks
        """Elements of the one with more chunks of the tile, which the Vector cores share."""
        if p.feeds:
            self.chunk_store = 0.0
            return
        self.chunk_written = hbm_written(target, elements * p.stored * self.cores, p.gm_bytes)
        beside = takes_vector(p)
        load = 0.0 if lands(p) else shared * p.out / self.l2_read
        if p.full_loads:
            requests, cut, _ = requests_beside(p, tile)
            load += p.full_loads * requests * shared / elements * target.memory.l2_line / self.l2_read
            asked = p.new_loads * (requests - cut) + p.full_loads * cut
            self.chunk_asked = asked * target.memory.l2_line * self.cores / target.memory.hbm_chip
        store = copy_cost(target, "ub", "gm", 1, shared * p.stored).busy
        parts = -(-chunks // target.vectors_beside)
        work = parts * self._cycles(shared // parts) if p.trace.steps else 0.0
        if not (p.rows_last or p.result_blocked):  # its rows are those of the matrix: blocks are turned over
            work += (1 + p.staged_loads) * turned(target, p.result_dtype, shared)
        elif beside and not p.result_blocked and tile.n16 > BLOCK:  # row by row
            work += shared * p.out / target.vector.bytes_per_repeat + target.vector.inner_latency
        self.chunk_store = 0.0
        if beside:
            arrival = 0.0 if lands(p) else self.dma.latency
            turn = load + work + parts * (arrival + target.vector.latency)
            if resident:
                turn += store + parts * self.store.latency
            # chunks take turns in two slots; cores that do nothing else are followed
            self.chunk_store = max(load, work, store, turn / SLOTS) if feeds(p) else store
            self.parts = parts
            written = elements * p.stored + (0 if lands(p) else elements * p.out)
            self.chunk_port = written / target.memory.l2_write
            self.last = max(load + work + store - self.chunk_store, 0.0) / parts if feeds(p) else 0.0
            # a slot of the result is free when it is stored
            stored = work + store + parts * (target.vector.latency + self.store.latency)
            again = max(0, parts - SLOTS) / parts
            turns = max(turn, again * stored + (1 - again) * SLOTS * work)
            self.beside_work, self.beside_load, self.beside_store = max(work, turns / SLOTS), load, store

    def _go_round(self, n: int) -> None:
        """What a store of rows that go round takes beside the transposes of all pixels
        (`lowering.transfers.store_circular`)."""
        p, tile, target = self.p, self.tile, self.p.target
        repeats, instructions = circular_repeats(n, *own_pixels(p, tile))
        shifted = turned(target, p.result_dtype, repeats * BLOCK * BLOCK)
        self.chunk_vector += shifted + (BLOCK // LANES_AT_ONCE * 3 + 1) * target.vector.latency
        self.chunk_entries += instructions
        # the first pixels of the next channel, through transposes that wait for each other
        around = 2 * turned(target, p.result_dtype, n * BLOCK) + 5 * target.vector.latency
        self.chunk_vector += share_of_ends(p, tile, self.cores) * around

    def _blocks(self, rows: int) -> None:
        """What a store of whole 32 B blocks of parts of rows adds: the columns before a tile's own, zeros behind the
        last rows, and both transposes of each turn (`lowering.transfers.store_partial_rows`)."""
        p, tile, target = self.p, self.tile, self.p.target
        extent = p.extents[p.roles.n]
        turns = skews(extent)
        groups = -(-rows // (16 * turns))
        once = turned(target, p.result_dtype, BLOCK * tile.n16) + target.vector.latency
        padded = groups * 16 * turns if turns > 1 else rows
        ends_inside = prod(p.extents) % p.block > 0
        wide = tile.n16 + BLOCK * (1 + ends_inside)
        cleared = padded * wide * p.out / target.vector.bytes_per_repeat + target.vector.inner_latency
        if padded > rows or ends_inside or p.extents[p.roles.m[-1]] % tile.tiles[p.roles.m[-1]]:
            self.chunk_vector += cleared
            self.chunk_entries += 1
        self.chunk_vector += rows * BLOCK * p.out / target.vector.bytes_per_repeat
        shifted = min(turns, rows) - 1
        self.chunk_vector += 2 * shifted * groups * once
        self.chunk_entries += 4 * shifted * groups + 2 * shifted

    def _cycles(self, elements: int) -> float:
        """Vector cycles of the epilogue of so many elements of a tile, where whole rows are cut part by part."""
        p = self.p
        if not self.part:
            behind = round(elements * self.behind) if self.behind < 1 else 0
            return vector_cycles(p.trace, elements // p.several, p.target, behind)
        part = self.tile.n16 * self.part
        return elements / part * vector_cycles(p.trace, part, p.target)


@remembered
def epilogue_costs(
    p: Problem, tile: Tile, chunk: int, part: int, cores: int, resident: bool
) -> EpilogueCosts:
    """Those of `EpilogueCosts`, once for all candidates that share them."""
    return EpilogueCosts(p, tile, chunk, part, cores, resident)


def _behind_windows(p: Problem, tile: Tile) -> float:
    """Positions of a tile behind windows over those of the product, which the windows see."""
    trace = p.trace
    seen = any(one.seen for step in trace.steps for one in (step.result, *step.sources))
    return min(1.0, prod(tile.tiles[d] for d in p.roles.m) / tile.m) if seen else 1.0


def _strided(p: Problem, n: int, m: int) -> int:
    """Vector instructions for a chunk of `n` columns and `m` rows that is not contiguous on all sides, as
    `selection.vector_shapes` chooses them: one for eight blocks of columns or for a block, of all rows, or one for
    eight rows."""
    vector, blocks, groups = p.target.vector, n // BLOCK, -(-m // BLOCKS)
    counts = [
        (count * (pieces := -(-repeats // vector.max_repeat)), -(-repeats // pieces))
        for count, repeats in ((blocks, groups), (groups, blocks), (-(-blocks // BLOCKS), m))
    ]
    return min(counts, key=lambda one: one[0] * (max(one[1], vector.issue) + 1))[0]

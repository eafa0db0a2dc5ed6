"""What each pipe of a core takes for a kernel around a product under one tiling, from `runtime/machine/costs.py`."""

from math import prod

from ....runtime.machine.costs import hit_cycles, load2d_cost, mmad_cost
from ...cost.group_trace import ceil_to
from ...lowering.cores.cube_to_vector_gm import rooms_of_operand
from ...lowering.product.l0_pieces import AHEAD
from ...lowering.product.split_last_step import may_end_by_columns
from ...regions.tiling import ProductTiling, grid_of
from ...selection.event_budget import l0_slots
from .epilogue_costs import epilogue_costs
from .footprint import l1_of_rows
from .load_costs import LoadCosts
from .operand_costs import left_cost, right_cost, tiles_of_right, together
from .operands import computed_part, operand_elements
from .problem import Problem, Tile, bias_in_parts, takes_vector


class KernelCosts:
    """Times in cycles, rates in bytes a cycle."""

    def __init__(self, p: Problem, tiling: ProductTiling, tile: Tile):
        target = p.target
        memory, path = target.memory, target.path
        self.depth = target.scalar.queue_depth
        self.target, self.hbm, self.memory = target, memory.hbm_chip, memory
        self.reader = path("gm", "l1" if target.split else "ub")
        self.l2_read = self.reader.rate or memory.l2_read
        self.dma_issue, self.dma_latency = path("gm", "ub").issue, path("gm", "ub").latency
        self.miss_latency, self.vector_latency = memory.miss_latency, target.vector.latency
        shaped = path("gm", "l1") if target.split else path("ub", "l1")
        self.shape_latency, self.store_latency = shaped.latency, path("ub", "gm").latency
        self.mte1_latency, self.mmad_latency = path("l1", "l0a").latency, target.cube.latency
        rows, columns = together(p, tiling.tiles, tiling.cores, tiling.swizzle, tiling.resident)
        rows = min(rows, tiles_of_right(p, tiling.tiles))
        self.window = p.window
        self.loads = left_cost(p, tiling, tile, columns), right_cost(p, tiling, tile, rows)
        self.stays = p.gm_bytes <= memory.l2_bytes
        """Whether L2 holds all tensors: every byte is then read from HBM once."""
        self.cross_latency = 0.0 if target.cross is None else target.cross.latency
        direct = ("ub", "l1") in target.paths
        step = tiling.resident or tiling.step
        self.operand_bytes = (
            0 if direct else operand_elements(p, computed_part(p, tile, tiling.rows), step) * p.item
        )
        """Of a computed left operand, those of a part that the Cube core fetches from where Vector cores put it."""
        self.operand_room = not direct or (
            target.split and tiling.resident > 0 and _rooms(p, tiling, tile) > 1
        )
        """Whether one that stays in L1 has room for that of the next row of tiles."""
        short = -(-p.roles.k // tiling.l0_k) <= p.slots
        tables = p.drain.rows if p.drain is not None and short else ()
        whole = [table for table in tables if table != "bt" or not bias_in_parts(p, tile)]
        self.one_table = any(2 * tile.n16 * 4 > target.spaces[table].bytes for table in whole)
        """Whether rows beside the Cube wait for the products of the tile before: they have no room for two, and its
        first product is no older than what loads of L0 wait for."""
        self.epilogue = epilogue_costs(p, tile, tiling.chunk, tiling.part, tiling.cores, tiling.resident > 0)
        self._products(p, tiling, tile)

    def port(self, load: LoadCosts, missed: float) -> float:
        """Cycles of a core's port to GM for one part of an operand, `missed` bytes of which L2 lacks."""
        memory = self.memory
        if not memory.sector:
            return load.size / self.l2_read
        absent = missed / load.size * (load.requests - load.cut)
        if (
            not self.window and memory.sector == 1
        ):  # L2 keeps the line for other tiles, which read the rest of it
            absent = min(absent, missed / memory.l2_line)
        absent += load.cut
        moved = min(load.size, missed + load.cut * memory.l2_line / 2)
        if load.rows and self.reader.row:
            moved = absent * memory.l2_line
        hit = hit_cycles(self.target, self.reader, load.rows, load.size, load.requests)
        cycles = hit * (1 - absent / load.requests) + absent * memory.request_port
        return cycles + moved / (self.reader.miss_rate or memory.hbm_read)

    def _products(self, p: Problem, tiling: ProductTiling, tile: Tile) -> None:
        """One piece of K: MTE1 and M."""
        target = p.target
        depth, wide = -(-tiling.step // tiling.l0_k), -(-tile.n16 // tiling.product_columns(tile.n16))
        self.pieces = depth * wide
        """Products of a step, each of a part of K and of the columns."""
        self.rest = depth > 1 and tiling.step % tiling.l0_k > 0
        """Whether the last piece of a step is a smaller one."""
        m1, n1, k1 = tile.m16 // 16, tile.n16 // 16 / wide, ceil_to(tiling.step, p.grain) / p.k0 / depth
        ideal = mmad_cost(target, p.dtype, tile.m, tile.n16, tiling.step).ideal
        self.mmad = ideal / self.pieces + target.cube.issue
        if m1 * n1 < target.cube.accumulate_overlap:
            self.mmad += target.cube.latency
        self._l0_loads(p, m1, n1, k1, wide)
        self._last_step(p, tiling, tile)
        self._l0_room(p, tiling, tile)
        self._accumulators(p, tiling, tile)

    def _l0_loads(self, p: Problem, m1: int, n1: float, k1: float, wide: int) -> None:
        """Operands of one product, of so many fractals along M, N and K, to L0; what the left one brings serves `wide`
        products."""
        target = p.target
        turned = p.k0 < 16 and not p.window  # by one load of all fractals
        if p.window:
            left = 1 if target.dma.image2col_blocks else k1
        else:
            left = 1 if turned and p.contraction.transpose_lhs else min(k1, m1)
        one = p.packed or p.window or (turned and not p.contraction.transpose_rhs)
        right = 1 if one else min(k1, n1)
        self.mte1 = max(load2d_cost(target, "l0a", 1).ideal * m1 * k1, target.path("l1", "l0a").issue * left)
        self.mte1 /= wide
        self.mte1_right = max(
            load2d_cost(target, "l0b", 1).ideal * n1 * k1, target.path("l1", "l0b").issue * right
        )
        self.mte1 += self.mte1_right
        self.mte1_entries = left / wide + right + 4
        self.right_first = p.prologue is not None and not target.split and self.pieces <= AHEAD
        """Whether the right operand goes to L0 while the left one is computed."""

    def _last_step(self, p: Problem, tiling: ProductTiling, tile: Tile) -> None:
        """Products of the last step, where they follow by columns."""
        self.by_columns = will_end_by_columns(p, tiling, tile)
        """Whether the last step's products follow chunk by chunk of the columns."""
        self.late_products = 0.0
        """Those of a chunk."""
        if self.by_columns:
            late = mmad_cost(p.target, p.dtype, tile.m, tiling.chunk, tiling.step).ideal
            self.late_products = late + self.pieces * p.target.cube.issue

    def _l0_room(self, p: Problem, tiling: ProductTiling, tile: Tile) -> None:
        """How far MTE1 may be ahead of M."""
        spaces = p.target.spaces
        columns = tiling.product_columns(tile.n16)
        sizes = {"l0a": tile.m16 * tiling.l0_k * p.item, "l0b": columns * tiling.l0_k * p.item}
        rooms = [spaces[space].bytes // size for space, size in sizes.items()]
        self.slots = 2 if tiling.stages == 2 else max(2, min(*rooms, l0_slots(p.target, tiling.stages)))
        """Slots of what MTE1 hands to the Cube."""
        turn = self.mte1 + self.mte1_latency + self.mmad + self.mmad_latency
        self.pace = max(self.mmad, self.mte1, turn / self.slots)

    def _accumulators(self, p: Problem, tiling: ProductTiling, tile: Tile) -> None:
        """How the Cube hands over a tile in L0C."""
        self.unit_flag = tiling.unit_flag
        """Whether FixPipe reads a tile while the Cube ends it and begins the next one."""
        in_order = p.result_blocked or takes_vector(p)
        self.first_read = min(tiling.product_columns(tile.n16), tile.n16) / tile.n16 if in_order else 1.0
        """Share of the time of FixPipe after which it has read the columns of the next tile's first product."""
        self.two_accumulators = 2 * tile.m16 * tile.n16 * 4 <= p.target.spaces["l0c"].bytes


def _rooms(p: Problem, tiling: ProductTiling, tile: Tile) -> int:
    """Rows of tiles whose left operand, which stays in L1, has room there."""
    parts = tile.tiles[p.roles.m[-1]] // tiling.rows if tiling.rows else p.roles.k // tiling.resident
    whole, beside = tile.m16 * ceil_to(p.roles.k, 16) * p.item, tile.n16 * tiling.step * p.item
    return rooms_of_operand(p.target, parts, whole, beside, l1_of_rows(p, tile))


def will_end_by_columns(p: Problem, tiling: ProductTiling, tile: Tile) -> bool:
    """Whether the last step's products follow chunk by chunk of the columns: of cores that compute their left operand a
    step ahead, and one tile each. What `late_columns.ends_by_columns` will find in the kernel with this tiling."""
    n, roles = p.roles.n, p.roles
    if p.target.split or p.prologue is None or tiling.resident or tiling.lead or p.regions.factor:
        return False
    if (
        roles.k % tiling.step
        or roles.k == tiling.step
        or p.held
        or p.feeds
        or p.products > 1
        or p.several > 1
    ):
        return False
    points = prod(grid_of(p.extents, tiling.tiles, tiling.circular))
    if points > tiling.cores or tiling.serial or roles.chunk_dim != n or tile.n16 != tiling.tiles[n]:
        return False
    return may_end_by_columns(p.target, tile.m, tile.n16, tiling.step, tiling.l0_k, tiling.chunk, p.item)

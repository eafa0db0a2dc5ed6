"""What each pipe of a core takes for a kernel around a product under one tiling, from `runtime/machine/costs.py`."""

from ....dialects.target_types import Target
from ....runtime.machine.costs import load2d_cost, mmad_cost
from ...cost.group_trace import ceil_to
from ...lowering.product.l0_pieces import AHEAD
from ...lowering.product.split_last_step import LastStep, may_end_by_columns
from ...regions.tiling import ProductTiling
from ...selection.event_budget import l0_slots
from .epilogue_costs import EpilogueCosts, epilogue_costs
from .problem import Problem, Tile, bias_in_parts, last_columns, takes_vector
from .step_costs import OperandCosts, rates_of
from .tiles import tile_count


class KernelCosts:
    """Times in cycles of a tile, whose operands take what `operands` says."""

    def __init__(self, p: Problem, tiling: ProductTiling, tile: Tile, operands: OperandCosts):
        self.target, self.operands, self.loads = p.target, operands, operands.loads
        short = -(-p.roles.k // tiling.l0_k) <= p.slots
        self.one_table = p.drain is not None and short and _one_table(p, tile)
        """Whether rows beside the Cube wait for the products of the tile before: they have no room for two, and its
        first product is no older than what loads of L0 wait for."""
        self.epilogue = epilogue_of(p, tile, tiling)
        self._products(p, tiling, tile)

    def _products(self, p: Problem, tiling: ProductTiling, tile: Tile) -> None:
        """One piece of K: MTE1 and M."""
        target = p.target
        depth, wide = -(-tiling.step // tiling.l0_k), -(-tile.n16 // tiling.product_columns(tile.n16))
        self.pieces = depth * wide
        """Products of a step, each of a part of K and of the columns."""
        self.rest = depth > 1 and tiling.step % tiling.l0_k > 0
        """Whether the last piece of a step is a smaller one."""
        m1, n1, k1 = tile.m16 // 16, tile.n16 // 16 / wide, ceil_to(tiling.step, p.grain) / p.k0 / depth
        self.mmad = self.operands.ideal[0] / self.pieces + target.cube.issue
        if m1 * n1 < target.cube.accumulate_overlap:
            self.mmad += target.cube.latency
        narrower = last_columns(p, tile) < tile.n16 and tile.n16 % tiling.product_columns(tile.n16) > 0
        self._l0_loads(p, m1, n1, k1, wide, narrower)
        self._last_step(p, tiling, tile)
        self._l0_room(p, tiling, tile)
        self._accumulators(p, tiling, tile)

    def _l0_loads(self, p: Problem, m1: int, n1: float, k1: float, wide: int, narrower: bool) -> None:
        """Operands of one product, of so many fractals along M, N and K, to L0; what the left one brings serves `wide`
        products. Where the last product is `narrower`, an instruction loads what there is of a fractal of K."""
        target = p.target
        left, right = _load_counts(p, m1, n1, k1)
        self.mte1 = max(load2d_cost(target, "l0a", 1).ideal * m1 * k1, target.path("l1", "l0a").issue * left)
        self.mte1 /= wide
        self.mte1_right = max(
            load2d_cost(target, "l0b", 1).ideal * n1 * k1, target.path("l1", "l0b").issue * right
        )
        self.mte1 += self.mte1_right
        self.mte1 = max(self.mte1, set_up(target, left / wide + (k1 if narrower else right)))
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
        rates = rates_of(p)
        loads = self.mte1 * (1 + p.target.cube.contention)  # beside products
        turn = loads + rates.mte1_latency + self.mmad + rates.mmad_latency
        self.pace = max(self.mmad, self.mte1, turn / self.slots)

    def _accumulators(self, p: Problem, tiling: ProductTiling, tile: Tile) -> None:
        """How the Cube hands over a tile in L0C."""
        self.unit_flag = tiling.unit_flag
        """Whether FixPipe reads a tile while the Cube ends it and begins the next one."""
        in_order = p.leaves_as_it_lies or takes_vector(p)
        self.first_read = min(tiling.product_columns(tile.n16), tile.n16) / tile.n16 if in_order else 1.0
        """Share of the time of FixPipe after which it has read the columns of the next tile's first product."""
        self.two_accumulators = 2 * tile.m16 * tile.n16 * 4 <= p.target.spaces["l0c"].bytes


def _load_counts(p: Problem, m1: int, n1: float, k1: float) -> tuple[float, float]:
    """Instructions that load the operands of one product, of so many fractals, to L0A and to L0B."""
    turned = p.k0 < 16 and not p.window  # by one load of all fractals
    if p.window:
        left = 1 if p.target.dma.image2col_blocks else k1
    else:
        left = 1 if turned and p.contraction.transpose_lhs else min(k1, m1)
    one = p.packed or p.window or (turned and not p.contraction.transpose_rhs)
    return left, 1 if one else min(k1, n1)


def set_up(target: Target, loads: float) -> float:
    """Cycles of the scalar unit for a product and so many loads of L0; 0 where the target file does not say."""
    return target.scalar.setup * (loads + 1) + target.scalar.loop if target.scalar.setup else 0.0


def least_set_up(p: Problem, tile: Tile, step: int, l0_k: int, wide: int) -> float:
    """Cycles of the scalar unit for the products of a step, and their loads, whose pieces of K are no longer than
    `l0_k`, with `wide` products beside each other: at least."""
    if not p.target.scalar.setup:
        return 0.0
    depth = -(-step // l0_k)
    left, right = _load_counts(p, tile.m16 // 16, tile.n16 / 16 / wide, ceil_to(step, p.grain) / p.k0 / depth)
    return depth * wide * set_up(p.target, left / wide + right)


def _one_table(p: Problem, tile: Tile) -> bool:
    """Whether a table beside the Cube has no room for the rows of two tiles."""
    tables = () if p.drain is None else p.drain.rows
    whole = [table for table in tables if table != "bt" or not bias_in_parts(p, tile)]
    return any(2 * tile.n16 * 4 > p.target.spaces[table].bytes for table in whole)


def epilogue_of(p: Problem, tile: Tile, tiling: ProductTiling) -> EpilogueCosts:
    """What a tile takes behind its product."""
    return epilogue_costs(p, tile, tiling.chunk, tiling.part, tiling.cores, tiling.resident > 0)


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
    points = tile_count(p, tile)
    if points > tiling.cores or tiling.serial or roles.chunk_dim != n or tile.n16 != tiling.tiles[n]:
        return False
    last = LastStep(tile.m, tile.n16, tiling.step, tiling.l0_k, tiling.chunk, p.item)
    return may_end_by_columns(p.target, last)

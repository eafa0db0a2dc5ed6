"""One `tile.kernel` becomes one `ascend.kernel`: the loop over the grid, then each op of the body.

tile.kernel "k"(%x) {extents = [4096], tiles = [1024], cores = 4}   ->   ascend.kernel @k cores 4 {
  %t = tile.load %x …                                                      scf.for %t = %core to 4 step 4 {
                                                                             ascend.copy %gm, %ub …
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from xdsl.dialects.builtin import IndexType, SymbolRefAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import ascend, tile
from ...dialects.attributes import integer_array
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK, TileType, tile_type
from ..support.indices import Idx
from .base.context import LoweringContext
from .base.emitter import gm_tensor
from .base.grid import enter_grid_point
from .base.index import lower_index
from .base.last_uses import last_uses
from .base.place import Place
from .base.products import accumulator_of, products_of, steps_of
from .base.tiling_function import NUMBERS, tiling_name
from .cores.cube_to_vector_gm import HandOver, Workspace
from .cores.cube_to_vector_ub import Landing, LandingHandOver
from .cores.stream import lower_stream, squeezed
from .cores.vector_program import work_and_feed
from .cores.vector_to_cube import OPERANDS, Feed, FeedRoom, left_elements
from .pipelining.software_pipeline import one_by_one, overlapped, streamed
from .pipelining.tile_loop import TileLoop
from .product.chunks import lower_chunks, lower_extract
from .product.computed_operand import lower_move
from .product.contract import lower_contract
from .product.l1_intermediate import holds, lower_halo, lower_held
from .product.prefetch import sweep
from .rooms import Room
from .transfers.fixpipe import left_to_last
from .transfers.join import joined_later, lower_join
from .transfers.load import lower_load
from .transfers.loop_invariant import load_shared
from .transfers.row_lanes import has_row_lanes
from .transfers.spans import walk_spans
from .transfers.store import lower_store
from .transfers.store_circular import carried_rows
from .transfers.table_rows import is_row, load_whole_rows
from .vector.padding import lower_border
from .vector.reduce import lower_reduce
from .vector.scan import lower_scan
from .vector.vector import emit_vector
from .vector.window import emit_clipped, lower_window


class KernelLowering(LoweringContext):
    """Lowers one kernel: walks the grid, and hands each op of the body to the part that lowers it."""

    def __init__(
        self,
        source: tile.KernelOp,
        target: Target,
        program: tile.ProgramAttr,
        workspaces: Sequence[Room] = (),
    ):
        """`program`: which of the kernel's. With `workspaces` it is one of two: the first one takes products to the
        Vector cores, the second one operands to the Cube core. Without, an `aic` one stores its result itself."""
        self.program, core = program, None if program.core == "core" else program.core
        block = source.body.block
        tensors = len(source.inputs) + len(source.outputs)
        arguments: list[Attribute] = [gm_tensor(argument.type) for argument in block.args[:tensors]]
        name, cores = source.kernel_name.data, source.schedule.cores
        if workspaces:
            arguments += [workspace.type for workspace in workspaces]
            name, cores = f"{name}_{core}", cores * (target.vectors_beside if core == "aiv" else 1)
        if source.factor:
            arguments += [IndexType()] * len(NUMBERS)
        ops = [attribute.data for attribute in source.ops]
        kernel = ascend.KernelOp(name, cores, arguments, ops, core)
        kernel.location = source.location
        super().__init__(source, target, core, kernel)
        if source.factor:
            kernel.tiling = SymbolRefAttr(tiling_name(source.kernel_name.data))
            kernel.sizes = integer_array(source.size_list)
            for number, hint in zip(kernel.numbers, NUMBERS, strict=True):
                number.name_hint = hint
            extent, count = kernel.numbers
            self.extents, self.grid = (extent, *self.extents[1:]), (count, *self.grid[1:])
        self.meet(workspaces, kernel.body.block.args[tensors : tensors + len(workspaces)])
        self.chained = holds(source)
        self.row_lanes = has_row_lanes(source)
        loads = (op for op in source.body.block.ops if isinstance(op, tile.LoadOp))
        self.shared = tuple(op for op in loads if op.hoisted is not None and not is_row(op))
        product = accumulator_of(source)
        self.by_units = core == "aic" and product is not None and product.schedule.unit_flag
        self.left_to_last = left_to_last(self, product) if product is not None else frozenset[int]()
        self.last_use = last_uses(source.body.block)
        self.tables = tuple(op for op in source.body.block.ops if isinstance(op, tile.LoadOp) and is_row(op))

    def meet(self, workspaces: Sequence[Room], rooms: Sequence[SSAValue]) -> None:
        """Set up what the two kinds of cores exchange: `rooms` are the program's arguments for `workspaces`."""
        for place, room in zip(rooms, workspaces, strict=False):  # numbers of a dynamic kernel follow
            if isinstance(room, Landing):
                self.hand_over = LandingHandOver(self, place, room.elements, 0, halves=room.halves)
            elif room.label == OPERANDS:
                self._meet_operands(room, place)
            else:
                self.hand_over = HandOver(self, place, room.elements, 0)

    def _meet_operands(self, room: FeedRoom | Workspace, place: SSAValue) -> None:
        product = products_of(self.source)[0]
        direct, parts = isinstance(room, FeedRoom), steps_of(product)
        self.feed = Feed(self, place, room.elements, left_elements(product), parts, room.slots, direct)
        if direct and product.schedule.resident is not None:
            self.feed.slots, self.feed.rooms = parts * room.slots, room.slots
            if self.core == "aiv":
                self.resident = place

    def run(self) -> ascend.KernelOp:
        """Lower the whole kernel."""
        emit, source = self.emit, self.source
        points = self.points()
        core: Idx = emit.insert(ascend.BlockIdxOp()).result if self.kernel.core_count > 1 else 0
        core = self._begin(core)
        load_shared(self)
        if self.core == "aic":
            load_whole_rows(self)
        if source.rows is not None:
            self.carried = carried_rows(self)
        self._tiles(core, points, TileLoop.of(self, core, points))
        if self.hand_over is not None and self.core == "aic":
            self.hand_over.drain()
        if self.feed is not None and self.core == "aiv":
            self.feed.close()
        emit.insert(ascend.EndOp())
        if self.fetched_ahead:
            sweep(self.kernel)
        return self.kernel

    def points(self) -> Idx:
        """How many points of the grid are dealt to the cores."""
        points: Idx = 1
        for d, count in enumerate(self.grid):
            points = points if d in self.source.walked else self.emit.mul(points, count)
        return points

    def _tiles(self, core: Idx, points: Idx, walk: TileLoop) -> None:
        """All tiles of the core, in the order that its program states."""
        emit, loop = self.emit, self.program.loop
        if loop in PRODUCT_LOOPS:
            PRODUCT_LOOPS[loop](self, products_of(self.source)[0], walk)
        elif loop == "spans":
            assert isinstance(points, int), "spans are of a known number of tiles"
            walk_spans(self, core, points)
        elif points == (cores := self.source.schedule.cores):
            self._serial_tile_loop(core, list(self.source.walked), {})
        else:
            with emit.loop(core, points, cores) as point:
                self._serial_tile_loop(point, list(self.source.walked), {}, emit.div(point, cores))

    def _begin(self, block: Idx) -> Idx:
        """The index of the core among those that share the grid; of two programs, their exchange is set up."""
        emit, exchange = self.emit, self.hand_over
        if exchange is None and self.feed is None:
            return block
        if self.core == "aiv":
            self.vector = emit.rem(block, self.target.vectors_beside)
            block = emit.div(block, self.target.vectors_beside)
        if exchange is not None:
            exchange.core = block
            if self.core == "aiv":
                exchange.prime()
        if self.feed is not None:
            self.feed.core = block
            if self.core == "aic":
                self.feed.open()
        return block

    def epilogue(self, op: tile.ContractOp, acc: Place | None) -> None:
        """What follows the product, on the accumulator `acc`; None where it comes from another core."""
        if acc is not None:
            self.places[op.result] = acc
        for other in self.source.body.block.ops:
            if other is not op and other not in self.tables:
                self.emit.location = other.location
                self.operation(other)

    def load_tables(self) -> None:
        """What the product and FixPipe need of the current grid point beside the operands."""
        for op in self.tables:
            self.emit.location = op.location
            self.operation(op)

    def _serial_tile_loop(self, point: Idx, dims: list[int], fixed: dict[int, Idx], turn: Idx = 0) -> None:
        """Loops over the grid dimensions that one core walks, then the body; `turn` numbers the core's tiles."""
        emit = self.emit
        if not dims:
            self.turn = turn
            self.grid_point(point, fixed)
            if self.hand_over is not None:
                self.hand_over.turn = turn
            if self.feed is not None:
                self.feed.turn = turn
            self.body(self.source.body.block)
            return
        count = self.grid[dims[0]]
        with emit.loop(0, count) as at:
            inner = emit.add(emit.mul(turn, count), at)
            self._serial_tile_loop(point, dims[1:], {**fixed, dims[0]: at}, inner)

    def grid_point(self, point: Idx, fixed: dict[int, Idx]) -> None:
        """Offsets and sizes of the tile at linear grid index `point`, walking `swizzle` rows at a time."""
        enter_grid_point(self, point, fixed)

    def body(self, block: Block) -> None:
        for op in block.ops:
            self.emit.location = op.location
            self.operation(op)

    def operation(self, op: Operation) -> None:
        if self.core is not None and op.parent is self.source.body.block and self._elsewhere(op):
            return
        if op.dialect_name() == "arith":
            self.index[op.results[0]] = lower_index(self, op)
        elif type(op) in PLACED:
            place = PLACED[type(op)](self, op)
            if place is not None:
                self.places[op.results[0]] = place
        elif isinstance(op, tile.ChunksOp) and op.held is not None:
            self.places[op.held] = lower_held(self, op)
        elif isinstance(op, tile.ChunksOp):
            lower_chunks(self, op)
        elif isinstance(op, tile.ExtractOp):
            self._extract(op)
        elif isinstance(op, tile.VecOp):
            self._vec(op)
        elif isinstance(op, tile.StreamOp):
            lower_stream(self, op)
        elif isinstance(op, tile.StoreOp):
            lower_store(self, op)
        elif not isinstance(op, tile.YieldOp):
            raise TypeError(f"tile-to-ascend: cannot lower {op.name}")

    def enter_part(self, op: tile.StreamOp, at: Idx) -> None:
        pass

    def _elsewhere(self, op: Operation) -> bool:
        """Whether the kind of core that this program is for leaves an op of the body to the other kind."""
        if isinstance(op, tile.ContractOp):
            return self.core == "aiv"
        if isinstance(op, tile.ChunksOp):
            return self.core == "aiv" and op.held is not None
        if not isinstance(op, tile.LoadOp):
            return False
        return (self.core == "aic") != is_row(op)

    def _extract(self, op: tile.ExtractOp) -> None:
        lower_extract(self, op)

    def _vec(self, op: tile.VecOp) -> None:
        kind = tile_type(op.result)
        sources = [self.places[s] for s in op.sources]
        sizes = self._result_sizes(kind, sources)
        result = self.in_place(op, kind, sources, sizes)
        if op.result in self.results:
            result = replace(self.results[op.result], sizes=sizes)
        if result is None:
            rows = BLOCK if any(s.landed for s in sources) else 1
            result = self.new_place(kind, sizes, "result" if rows > 1 else "temp", rows=rows)
        shape = kind.get_shape()
        seen = [
            source.broadcast(frozenset(d for d, n in enumerate(source.shape) if n == 1 != shape[d]))
            for source in sources
        ]
        scalar = None if op.scalar is None else op.scalar.value.data
        emits = emit_clipped if any(source.clip for source in seen) else emit_vector
        emits(self.emit, op.instruction.data, seen, result, scalar)
        self.places[op.result] = result

    def _result_sizes(self, kind: TileType, sources: Sequence[Place]) -> tuple[Idx, ...]:
        sizes: list[Idx] = []
        for d, full in enumerate(kind.get_shape()):
            candidates = [s.sizes[d] for s in sources if s.shape[d] == full]
            known = [c for c in candidates if not isinstance(c, int)] or candidates
            sizes.append(known[0] if known else full)
        return tuple(sizes)


PRODUCT_LOOPS: dict[str | None, Callable[[LoweringContext, tile.ContractOp, TileLoop], None]] = {
    "overlapped": overlapped,
    "streamed": streamed,
    "resident": one_by_one,
    "feed": work_and_feed,
}
"""What emits the tiles of a program around its first product, by its loop."""


def _lower_load(k: KernelLowering, op: tile.LoadOp) -> Place | None:
    return None if joined_later(op) or op in k.shared else lower_load(k, op)


def _lower_squeeze(k: KernelLowering, op: tile.SqueezeOp) -> Place:
    return squeezed(k.places[op.source], tile_type(op.result), op.dim_list)


PLACED: dict[type[Operation], Callable[[KernelLowering, Any], Place | None]] = {
    tile.LoadOp: _lower_load,
    tile.ContractOp: lower_contract,
    tile.HaloOp: lower_halo,
    tile.MoveOp: lower_move,
    tile.ReduceOp: lower_reduce,
    tile.ScanOp: lower_scan,
    tile.JoinOp: lower_join,
    tile.WindowOp: lower_window,
    tile.BorderOp: lower_border,
    tile.SqueezeOp: _lower_squeeze,
}
"""What lowers an op with one result, and gives the place of that; None where it is somewhere else."""

"""Runs the tiling rules of a group without building IR: which vector instructions they emit, and what is live.

The tile search asks this many times, so it is plain Python on small objects.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

from xdsl.ir import Operation, SSAValue

from ...dialects.element_types import ELEMENT_BYTES, HELD_AS, lanes_of, name_of
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK
from ...dialects.tiling import Along, DimMap, OperandMap, bags_of, picked_dims
from ...runtime.machine.costs import wider
from ..regions.compute_type import ComputeTypes
from ..regions.gather import loaded_type
from ..regions.padding import border_fill, border_share
from ..regions.regions import Regions
from ..selection.fold_halves import larger_halves
from ..support.values import element_type_of, index_operands, iteration_of, rule_of, scalar_operands, shape_of
from .builder_base import MaskEmitter
from .group_trace import GroupTrace, TraceStep, TraceTile, ceil_to
from .operand_banks import times_as_long
from .tap_sums import reorder_steps

NEARLY_HALF = 1.03
"""Of the larger half of a fold over the exact one: up to that the room beside tiles holds what is more."""


class Recorder(MaskEmitter):
    """A `VectorBuilder` that records."""

    def __init__(self, trace: GroupTrace, target: Target, share_of: Callable[[frozenset[int]], float]):
        self.trace = trace
        self.target = target
        self.vector = target.vector
        self.share_of = share_of
        self.slides = False
        self.extents: tuple[int, ...] = ()
        self.lanes: int | None = None
        """The dimension that has the lanes; None: the last one."""
        self.region: OperandMap = ()
        """What the op's result holds."""
        self.operand: tuple[DimMap | None, ...] = ()
        """What the op's first operand holds, and how the op itself follows it (`own`), entry by entry."""
        self.own: OperandMap = ()
        self.dim_of: Callable[[int], int | None] = lambda _: None

    @property
    def last(self) -> int:
        """The dimension that has the lanes."""
        return len(self.extents) - 1 if self.lanes is None else self.lanes

    def _emit(
        self,
        name: str,
        sources: Sequence[TraceTile],
        scalar: float | None = None,
        dtype: str = "",
        like: Sequence[TraceTile] = (),
    ) -> TraceTile:
        shaping = (*sources, *like)
        lacks = frozenset[int].intersection(*(s.lacks for s in shaping))
        full = any(s.full for s in shaping)
        result = TraceTile(dtype or sources[0].type_name, full, lacks, 1.0 if full else self.share_of(lacks))
        return self._step(name, tuple(sources), result)

    def _fills(self, x: TraceTile, like: Sequence[TraceTile]) -> bool:
        missing = x.lacks - x.lacks.intersection(*(s.lacks for s in like))
        return not x.seen and all(d < len(self.extents) and self.extents[d] == 1 for d in missing)

    def _step(
        self,
        name: str,
        sources: tuple[TraceTile, ...],
        result: TraceTile,
        share: float | None = None,
        folds: bool = False,
    ) -> TraceTile:
        result.region = result.region or self.region
        wide = wider(result.type_name, *(s.type_name for s in sources))
        runs = result.share if share is None else share
        times = self._times(name, wide, sources, result) if share is None else 1.0
        self.trace.steps.append(TraceStep(name, wide, result.full, sources, result, runs, times, folds))
        return result

    def _times(self, name: str, dtype: str, sources: Sequence[TraceTile], result: TraceTile) -> float:
        """How many times as long an instruction on whole tiles takes for banks."""
        last = self.last
        if self.target.banks is None or len(sources) < 2 or last < 0:
            return 1.0
        rest = {d for d, n in enumerate(self.extents) if d != last and n > 1} - result.lacks
        spread = [(not rest or not rest <= tile.lacks, last not in tile.lacks) for tile in (*sources, result)]
        return times_as_long(self.target, name, dtype, self.extents[last], [*map(id, sources)], spread)

    def join(self, tiles: Sequence[TraceTile], dim: int, starts: Sequence[int]) -> TraceTile:
        """Tiles that come from GM go to their places in the result; others are copied there, each its own part."""
        lacks = frozenset[int].intersection(*(t.lacks for t in tiles))
        result = TraceTile(tiles[0].type_name, not lacks, lacks, self.share_of(lacks) if lacks else 1.0)
        return self._step("vcopy", tuple(tiles), result)

    def copied(self, x: TraceTile) -> TraceTile:
        """What is stored of a larger tile `x`."""
        x.seen = True
        return self._step("vcopy", (x,), TraceTile(x.type_name, x.full, x.lacks, x.share))

    def in_blocks(self, x: TraceTile) -> TraceTile:
        """A copy of rows in blocks of columns."""
        return self._step("vcopy", (x,), TraceTile(x.type_name, x.full, x.lacks, x.share))

    def repeated(self, x: TraceTile, dims: frozenset[int]) -> TraceTile:
        """A copy of `x` that has the elements along `dims` which it lacks."""
        if not x.lacks & dims:
            return x
        lacks = x.lacks - dims
        result = TraceTile(x.type_name, not lacks, lacks, self.share_of(lacks) if lacks else 1.0)
        return self._step("vcopy", (x,), result)

    def reduce(self, x: TraceTile, kind: str, dims: Sequence[int]) -> TraceTile:
        """As the lowering does it: halves are combined along each dimension, then the elements of each row's repeat."""
        found = sorted({d for d in map(self.dim_of, dims) if d is not None} - x.lacks)
        lanes, last = lanes_of(x.type_name), self.last
        across = self.vector.computes(f"vc{kind}", x.type_name)
        each = ELEMENT_BYTES[x.type_name]
        most = self.vector.bytes_per_repeat // each if across else BLOCK
        for d in found:
            share, left = x.share, self.extents[d]
            folds = _halves(left)
            if d == last:
                left //= BLOCK
                folds = larger_halves(self.target, left, BLOCK * each, most // BLOCK)
            whole = left
            for near in folds:
                half = -(-left // 2)
                held = half if near <= NEARLY_HALF * half else near
                part = TraceTile(x.type_name, False, x.lacks, share * held / whole)
                x = self._step(f"v{kind}", (x,), part, share * (left - near) / whole, d != last)
                left = near
            lacks = x.lacks | {d}
            row = self.share_of(lacks)
            if d == last and not across:
                x = self._turned(x, kind, lacks)
            elif d == last:
                narrow = TraceTile(x.type_name, False, lacks, row / 16)
                x = self._step(f"vc{kind}", (x,), narrow, row / 16 * most)
                x = self._step(
                    "vtranspose", (x,), TraceTile(x.type_name, False, lacks, row), row * 16 / lanes
                )
            else:
                x.lacks = lacks
        return x

    def _turned(self, x: TraceTile, kind: str, lacks: frozenset[int]) -> TraceTile:
        """Blocks of rows that were folded to one of 16, as the lowering reduces them where no instruction does."""
        row, lanes = self.share_of(lacks), lanes_of(x.type_name)
        half = TraceTile(x.type_name, False, x.lacks, row * lanes / BLOCK)
        x = self._step(f"v{kind}", (x,), half)
        turned = TraceTile(x.type_name, False, x.lacks, half.share)
        x = self._step("vtranspose", (x,), turned)
        x = self._step(f"v{kind}", (x,), TraceTile(x.type_name, False, lacks, row / BLOCK), half.share)
        return self._step("vtranspose", (x,), TraceTile(x.type_name, False, lacks, row), row * BLOCK / lanes)

    def scan(self, x: TraceTile, dim: int, reverse: bool) -> TraceTile:
        """As the lowering does it: a copy and a sum for each power of two."""
        found = self.dim_of(dim)
        count, step = 1 if found is None else self.extents[found], 1
        while step < count:
            result = TraceTile(x.type_name, x.full, x.lacks, x.share)
            self._step("vcopy", (x,), result, x.share * step / count)
            x = self._step("vadd", (x, x), result, x.share * (count - step) / count)
            step *= 2
        return x

    def __getattr__(self, name: str) -> Any:
        names = {"reciprocal": "vrec", "leaky_relu": "vlrelu"}

        def emit(x: TraceTile, y: float | None = None, **_: Any) -> TraceTile:
            return self._emit(names.get(name, "v" + name), [x])

        return emit

    def multiply_add(self, x: TraceTile, y: TraceTile, z: TraceTile) -> TraceTile:
        return self._emit("vmadd", [x, y, z])

    def border(self, x: TraceTile, share: float, fill: float) -> TraceTile:
        """`x` with `fill` in its border, `share` of its elements."""
        result = TraceTile(x.type_name, x.full, x.lacks, x.share, border=fill)
        return self._step("vdup", (x,), result, share)

    def cast(self, x: TraceTile, dtype: str) -> TraceTile:
        if not self.vector.converts(x.type_name, dtype):
            x = self._emit("vconv", [x], dtype="f32")
        return self._emit("vconv", [x], dtype=dtype)

    def dtype(self, x: TraceTile) -> str:
        return x.type_name

    def window(self, x: TraceTile, position: Sequence[int]) -> TraceTile:
        x.seen = True
        return x

    def slide(self, x: TraceTile, kind: str, at: int) -> TraceTile:
        x.seen = True
        left = [
            i for i, (e, own) in enumerate(zip(self.operand, self.own, strict=True))
            if isinstance(e, Along) and isinstance(own, Along) and own.is_windowed
        ]  # fmt: skip
        entry, own = self.operand[left[at]], self.own[left[at]]
        assert isinstance(entry, Along) and isinstance(own, Along)
        there = next((e for e in self.region if isinstance(e, Along) and e.dim == entry.dim), None)
        now = (*self.operand[: left[at]], there, *self.operand[left[at] + 1 :])
        region = tuple(e for e in now if e is not None)
        total = x
        for _ in range(own.window - 1):
            result = TraceTile(x.type_name, x.full, x.lacks, x.share, region=region)
            total = self._step(f"v{kind}", (total, x), result)
        self.operand = now
        self.own = (*self.own[: left[at]], Along(own.dim), *self.own[left[at] + 1 :])
        return total


def _halves(steps: int) -> list[int]:
    """What is left of steps after each time that halves of them are combined, the odd one with the first."""
    found: list[int] = []
    while steps > 1:
        steps //= 2
        found.append(steps)
    return found


def trace_group(
    regions: Regions, target: Target, taken: Sequence[Operation] = (), start: SSAValue | None = None
) -> GroupTrace:
    """The instructions that the group's rules emit for one tile of its result, after the product if there is one.
    Without the ops in `taken`, that begins with their result `start` instead of the product's."""
    dimensions = frozenset(range(len(regions.merged)))
    given: dict[Any, TraceTile] = {}
    if regions.product is not None:
        result = regions.product.results[0] if start is None else start
        for value in (result, *(sibling.results[0] for sibling in regions.siblings)):
            given[value, regions.maps[value]] = TraceTile(
                name_of(element_type_of(value)), True, frozenset[int](), 1.0
            )
    ops = [op for op in regions.computing if op not in regions.prologue and op not in taken]
    return _trace(regions, target, ops, dimensions, given)


def trace_prologue(regions: Regions, target: Target) -> GroupTrace:
    """The instructions that give one tile of the product's left operand."""
    ops = [op for op in regions.ops if op in regions.prologue]
    dimensions = frozenset((*regions.step_order, *regions.folded_dims))
    return _trace(regions, target, ops, dimensions, {}, len(regions.merged))


def _trace(
    regions: Regions,
    target: Target,
    ops: Sequence[Operation],
    dimensions: frozenset[int],
    given: dict[Any, TraceTile],
    lanes: int | None = None,
) -> GroupTrace:
    """The instructions of `ops` on tiles with `dimensions`, of which `lanes` (else the kernel's last one) has the
    lanes; those in `given` are there already."""
    run = _Run(regions, target, dimensions, given, lanes)
    for op in ops:
        if rule_of(op).engine != "cube":
            run.op(op)
    run.store()
    reorder_steps(run.trace.steps)
    return run.trace


class _Run:
    """The ops of a group, run on tiles with `dimensions`."""

    def __init__(
        self,
        regions: Regions,
        target: Target,
        dimensions: frozenset[int],
        given: dict[Any, TraceTile],
        lanes: int | None,
    ):
        self.regions, self.trace = regions, GroupTrace()
        self.recorder = recorder = Recorder(self.trace, target, self._share_of)
        recorder.extents = regions.kernel_extents if lanes is None else regions.tile_extents
        recorder.lanes, recorder.slides = lanes, regions.product is None
        self.types = ComputeTypes(target.vector)
        self.tiles = dict(given)
        for load in regions.loads:
            maps = regions.kernel_map(load.maps)
            follows = {e.dim for e in maps if isinstance(e, Along) and e.stride > 0} | {*picked_dims(maps)}
            lacks = dimensions - follows
            share = 1.0 if not lacks else self._share_of(lacks)
            kind = element_type_of(load.value) if bags_of(load.maps) is None else loaded_type(load, target)
            tile = TraceTile(str(kind), not lacks, lacks, share)
            self.tiles[load.value, load.maps] = tile

    def _share_of(self, lacks: frozenset[int]) -> float:
        """Elements of a tile without some dimensions, over those of one with all: known if tiles hold them in full."""
        if not lacks <= self.regions.whole:
            return 0.0
        extents, last = self.recorder.extents, self.recorder.last
        return prod(16 / ceil_to(extents[d], 16) if d == last else 1 / extents[d] for d in lacks)

    def op(self, op: Operation) -> None:
        """One op, whose result joins the tiles."""
        regions, recorder, scalars = self.regions, self.recorder, scalar_operands(op)
        value = op.results[0]
        recorder.dim_of = partial(regions.kernel_dim, op)
        recorder.region = regions.kernel_map(regions.maps[value])
        iteration = iteration_of(op)
        if iteration.operands and 0 not in scalars:
            recorder.operand = tuple(regions.in_kernel(regions.operand_map(op, 0)))
            recorder.own = iteration.operands[0]
        operands: list[Any] = []
        for i in range(len(op.operands)):
            if i in scalars:
                operands.append(scalars[i])
            elif i not in index_operands(op):
                operands.append(self.types.operand(op, recorder, self._operand(op, i)))
        result = self.types.result(op, recorder, operands)
        stored = name_of(element_type_of(value))
        if stored in HELD_AS and value is regions.result:
            result = recorder.cast(recorder.numbers(result), stored)
        self.tiles[value, regions.maps[value]] = result

    def _operand(self, op: Operation, i: int) -> TraceTile:
        """The tile of operand `i` as the op reads it: in a type of its own from GM, repeated, with a border."""
        regions, recorder, value = self.regions, self.recorder, op.operands[i]
        region = regions.tile_map(op, i)
        tile = self.tiles[value, region]
        if tile not in self.trace.loads and value not in regions.maps:
            self.trace.loads.append(tile)
            if tile.type_name in HELD_AS:
                tile = recorder.cast(tile, HELD_AS[tile.type_name])
                self.tiles[value, region] = tile
        tile = recorder.repeated(tile, regions.kernel_rows(op))
        fill = border_fill(op, i) if value in regions.maps else None
        if fill is not None and tile.border != fill:
            share = border_share(regions.maps[value], shape_of(value), dict(enumerate(regions.extents)))
            self.tiles[value, region] = tile = recorder.border(tile, share, fill)
        if region != regions.operand_map(op, i):
            tile.seen = True
        return tile

    def store(self) -> None:
        """What becomes of the result, or the left operand, before it leaves UB."""
        regions, recorder, tiles = self.regions, self.recorder, self.tiles
        if regions.parts:
            self._store_parts()
        elif regions.product is None:
            recorder.repeated(tiles[regions.result, regions.maps[regions.result]], regions.stored_dims)
        elif recorder.lanes is not None and regions.by_rows:
            contraction = rule_of(regions.product).contraction(regions.product)
            operand = regions.product.operands[contraction.lhs]
            recorder.in_blocks(tiles[operand, regions.maps[operand]])

    def _store_parts(self) -> None:
        """What of the tiles is stored, each part on its own."""
        regions, recorder = self.regions, self.recorder
        own = regions.maps[regions.result]
        for part in regions.parts:
            tile = self.tiles[part.value, part.maps]
            if tile not in self.trace.loads and part.value not in regions.maps:
                self.trace.loads.append(tile)
            tile = recorder.repeated(tile if part.maps == own else recorder.copied(tile), regions.stored_dims)
            tile.stored = True

"""Tiling rules that are run without building IR: what they call leaves a record of each Vector instruction, and tiles
are records of what is in UB."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from xdsl.ir import Operation, SSAValue

from ...dialects.element_types import BLOCK_BYTES, ELEMENT_BYTES, lanes_of
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK
from ...dialects.tiling import Along, DimMap, OperandMap
from ...runtime.machine.banks import conflicts
from ...runtime.machine.costs import wider
from ..regions.padding import border_share
from ..regions.rule_interpreter import Key, RuleInterpreter
from ..selection.fold_halves import blocks_at_once, larger_halves
from ..support.values import iteration_of, scalar_operands, shape_of
from .builder_base import MaskEmitter
from .group_trace import GroupTrace, Halves, TraceStep, TraceTile
from .operand_banks import times_as_long

NEARLY_HALF = 1.03
"""Of the larger half of a fold over the exact one: up to that the room beside tiles holds what is more."""
ROWS_APART = 64
"""Rows whose blocks are taken to be between two of one row: their number, a multiple of 16, says little."""


class Recorder(MaskEmitter):
    """A `VectorBuilder` that records."""

    def __init__(self, trace: GroupTrace, target: Target, share_of: Callable[[frozenset[int]], float]):
        self.trace = trace
        self.target = target
        self.vector = target.vector
        self.share_of = share_of
        self.slides = False
        self.apart = False
        """Whether blocks of a row lie apart, each beside those of other rows."""
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
        halves: Halves | None = None,
        times: float = 1.0,
    ) -> TraceTile:
        result.region = result.region or self.region
        wide = wider(result.type_name, *(s.type_name for s in sources))
        runs = result.share if share is None else share
        times = self._times(name, wide, sources, result) if share is None else times
        self.trace.steps.append(
            TraceStep(name, wide, result.full, sources, result, runs, times, folds, halves)
        )
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
                if self.apart and across:
                    pitch = ROWS_APART * BLOCK_BYTES
                    at_once = blocks_at_once(self.target, kind, x.type_name, left, pitch, most // BLOCK)
                    most = BLOCK * at_once
                folds = larger_halves(self.target, left, BLOCK * each, most // BLOCK)
            whole = left
            for near in folds:
                half = -(-left // 2)
                held = half if near <= NEARLY_HALF * half else near
                part = TraceTile(x.type_name, False, x.lacks, share * held / whole)
                runs, halves, times = share * (left - near) / whole, None, 1.0
                if d == last:
                    halves = Halves(near, left, whole if left == whole else folds[0], folds[0])
                    times = self._halves_meet(near * BLOCK * each)
                x = self._step(f"v{kind}", (x,), part, runs, d != last, halves, times)
                left = near
            lacks = x.lacks | {d}
            row = self.share_of(lacks)
            if d == last and not across:
                x = self._turned(x, kind, lacks)
            elif d == last:
                narrow = TraceTile(x.type_name, False, lacks, row / 16)
                repeat = self.vector.bytes_per_repeat // each if self.apart else most
                x = self._step(f"vc{kind}", (x,), narrow, row / 16 * repeat)
                x = self._step(
                    "vtranspose", (x,), TraceTile(x.type_name, False, lacks, row), row * 16 / lanes
                )
            else:
                x.lacks = lacks
        return x

    def _halves_meet(self, distance: int) -> float:
        """How many times as long banks make a fold of halves so many bytes apart in a row by itself, where rows lie in
        blocks."""
        banks, each = self.target.banks, self.vector.bytes_per_repeat
        if banks is None or not self.apart:
            return 1.0
        shapes = [(at, 2, each // banks.row, each, banks.row) for at in (0, distance * ROWS_APART, 0)]
        return 1.0 + conflicts(banks, shapes)

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


class RecordingInterpreter(RuleInterpreter):
    """Runs a group's ops on records of tiles: its `recorder` takes what instructions they emit."""

    tiles: dict[Key, TraceTile]
    recorder: Recorder

    def builder_of(self, op: Operation) -> Recorder:
        """The recorder, which learns where the op's dimensions are."""
        regions, recorder = self.regions, self.recorder
        recorder.dim_of = partial(regions.kernel_dim, op)
        recorder.region = regions.kernel_map(regions.maps[op.results[0]])
        operands = iteration_of(op).operands
        if operands and 0 not in scalar_operands(op):
            recorder.operand = tuple(regions.in_kernel(regions.operand_map(op, 0)))
            recorder.own = operands[0]
        return recorder

    def repeated(self, x: TraceTile, dims: frozenset[int]) -> TraceTile:
        """By a copy."""
        return self.recorder.repeated(x, dims)

    def bordered(self, value: SSAValue, x: TraceTile, fill: float) -> TraceTile:
        """The border is filled once for all that want the same in it."""
        if x.border == fill:
            return x
        regions = self.regions
        share = border_share(regions.maps[value], shape_of(value), dict(enumerate(regions.extents)))
        return self.recorder.border(x, share, fill)

    def viewed(self, x: TraceTile, region: OperandMap, needed: OperandMap) -> TraceTile:
        """Costs nothing."""
        x.seen = x.seen or region != needed
        return x

    def as_stored(self, x: TraceTile, viewed: bool = False) -> TraceTile:
        """A view is copied."""
        return self.recorder.copied(x) if viewed else x


__all__ = ["Recorder", "RecordingInterpreter"]

"""Runs the tiling rules of a group without building IR: which vector instructions they emit, and what is live.

The tile search asks this many times, so it is plain Python on small objects.
"""

from collections.abc import Sequence
from math import prod

from xdsl.ir import Operation, SSAValue

from ...dialects.element_types import HELD_AS, name_of
from ...dialects.target_types import Target
from ...dialects.tiling import Along, OperandMap, bags_of, picked_dims
from ..regions.gather import loaded_type
from ..regions.regions import Regions
from ..regions.rule_interpreter import Key
from ..support.values import element_type_of, rule_of
from .group_trace import GroupTrace, TraceTile, ceil_to
from .recorder import Recorder, RecordingInterpreter
from .tap_sums import reorder_steps


def trace_group(
    regions: Regions, target: Target, taken: Sequence[Operation] = (), start: SSAValue | None = None
) -> GroupTrace:
    """The instructions that the group's rules emit for one tile of its result, after the product if there is one.
    Without the ops in `taken`, that begins with their result `start` instead of the product's."""
    dimensions = frozenset(range(len(regions.merged)))
    given: dict[Key, TraceTile] = {}
    if regions.product is not None:
        result = regions.product.results[0] if start is None else start
        for value in (result, *(sibling.results[0] for sibling in regions.siblings)):
            given[value, regions.maps[value]] = TraceTile(
                name_of(element_type_of(value)), True, frozenset[int](), 1.0
            )
    ops = [op for op in regions.computing if op not in regions.prologue and op not in taken]
    return _Interpreter(regions, target, dimensions, given).run(ops)


def trace_prologue(regions: Regions, target: Target) -> GroupTrace:
    """The instructions that give one tile of the product's left operand."""
    ops = [op for op in regions.ops if op in regions.prologue]
    dimensions = frozenset((*regions.step_order, *regions.folded_dims))
    return _Interpreter(regions, target, dimensions, {}, len(regions.merged)).run(ops)


class _Interpreter(RecordingInterpreter):
    """The ops of a group, run on tiles with `dimensions`, of which `lanes` (else the kernel's last one) has the lanes;
    the tiles in `given` are there already."""

    def __init__(
        self,
        regions: Regions,
        target: Target,
        dimensions: frozenset[int],
        given: dict[Key, TraceTile],
        lanes: int | None = None,
    ):
        self.regions, self.target, self.trace = regions, target, GroupTrace()
        self.recorder = recorder = Recorder(self.trace, target, self._share_of)
        recorder.extents = regions.kernel_extents if lanes is None else regions.tile_extents
        recorder.lanes, recorder.slides = lanes, regions.product is None
        recorder.apart = regions.product is not None and lanes is None
        self.tiles = dict(given)
        for load in regions.loads:
            maps = regions.kernel_map(load.maps)
            follows = {e.dim for e in maps if isinstance(e, Along) and e.stride > 0} | {*picked_dims(maps)}
            lacks = dimensions - follows
            share = 1.0 if not lacks else self._share_of(lacks)
            kind = element_type_of(load.value) if bags_of(load.maps) is None else loaded_type(load, target)
            tile = TraceTile(str(kind), not lacks, lacks, share)
            self.tiles[load.value, load.maps] = tile

    def run(self, ops: Sequence[Operation]) -> GroupTrace:
        """The instructions of `ops`, and of what becomes of the result, or the left operand, before it leaves UB."""
        self.emit(ops)
        regions = self.regions
        if regions.product is None:
            for tile, _ in self.results():
                tile.stored = bool(regions.parts)
        elif self.recorder.lanes is not None and regions.by_rows:
            contraction = rule_of(regions.product).contraction(regions.product)
            operand = regions.product.operands[contraction.lhs]
            self.recorder.in_blocks(self.tiles[operand, regions.maps[operand]])
        reorder_steps(self.trace.steps)
        return self.trace

    def _share_of(self, lacks: frozenset[int]) -> float:
        """Elements of a tile without some dimensions, over those of one with all: known if tiles hold them in full."""
        if not lacks <= self.regions.whole:
            return 0.0
        extents, last = self.recorder.extents, self.recorder.last
        return prod(16 / ceil_to(extents[d], 16) if d == last else 1 / extents[d] for d in lacks)

    def tile_of(self, value: SSAValue, region: OperandMap) -> TraceTile:
        """The first use of a tile from GM puts it among the loads; it is converted where its type is stored alone."""
        tile = self.tiles[value, region]
        if value not in self.regions.maps and tile not in self.trace.loads:
            self.trace.loads.append(tile)
            if tile.type_name in HELD_AS:
                self.tiles[value, region] = tile = self.recorder.cast(tile, HELD_AS[tile.type_name])
        return tile

    def hold(self, op: Operation, tile: TraceTile) -> None:
        """The group's result leaves in the type it is stored in."""
        value = op.results[0]
        stored = name_of(element_type_of(value))
        if stored in HELD_AS and value is self.regions.result:
            tile = self.recorder.cast(self.recorder.numbers(tile), stored)
        super().hold(op, tile)


__all__ = ["trace_group", "trace_prologue"]

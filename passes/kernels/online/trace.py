"""Runs the rules of a streamed group's rows without building IR: the Vector instructions of one part."""

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple, cast

from xdsl.ir import Operation

from ....dialects.element_types import name_of
from ....dialects.graph.rules import RowWise
from ....dialects.target_types import Target
from ....dialects.tiling import Along
from ...cost.group_trace import GroupTrace, TraceTile, ceil_to
from ...cost.recorder import Recorder, RecordingInterpreter
from ...regions.loads import Load
from ...regions.regions import Regions
from ...regions.signature import group_signature
from ...regions.tiling import OnlineTiling
from ...support.values import element_type_of, rule_of
from .build import OnlineParts, rows_read


def trace_part(
    regions: Regions, parts: OnlineParts, target: Target, tiles: Sequence[int], step: int
) -> GroupTrace:
    """The instructions from a part of the rows to its weights, on tiles of the kernel's dimensions `tiles` and `step`
    columns. What is loaded for each part is in `loads`."""
    run = _Interpreter(regions, parts, target, (*tiles, step))
    run.emit(parts.middle)
    if parts.stream.online is not None:
        run.meet(parts.stream.online)
    return run.trace


class Alike(NamedTuple):
    """What was found of groups whose parts run the same instructions, by what it depends on beside."""

    traces: dict[tuple[object, ...], GroupTrace]
    """By tiles and step."""
    vector_work: dict[tuple[object, ...], float]
    """Cycles of the Vector unit, by tiles and step."""
    fastest: dict[tuple[object, ...], tuple[float, OnlineTiling]]
    """The fastest tiling with its cycles, by bytes and cycles of HBM."""


MOST_ALIKE = 64
"""Kinds of groups whose traces are kept."""
_alike: dict[tuple[object, ...], tuple[Target, Alike]] = {}
"""By the id of a target, which is kept so that the id stays its own, and what a group's traces depend on."""


def alike(regions: Regions, target: Target) -> Alike:
    """What was found of groups whose parts run the same instructions: those that differ in nothing but where in memory
    lies what they read. A search for groups asks for many of them."""
    ops = regions.ops
    maps = tuple(regions.maps[op.results[0]] for op in ops)
    key = id(target), group_signature(ops, frozenset()), regions.extents, regions.merged, maps
    if key not in _alike:
        if len(_alike) >= MOST_ALIKE:
            _alike.clear()
        _alike[key] = target, Alike({}, {}, {})
    return _alike[key][1]


def lacked_dims(regions: Regions, parts: OnlineParts) -> frozenset[int]:
    """The kernel's dimensions, and that of the columns, that some of the tiles that a part begins with lack."""
    return frozenset[int]().union(*(_lacks(regions, load) for load in rows_read(regions, parts)))


def _lacks(regions: Regions, load: Load) -> frozenset[int]:
    return frozenset(regions.step_order) - _followed(regions, load)


def _followed(regions: Regions, load: Load) -> frozenset[int]:
    """Dimensions along which a tile of what is loaded differs."""
    return frozenset(e.dim for e in regions.kernel_map(load.maps) if isinstance(e, Along) and e.stride > 0)


class _Interpreter(RecordingInterpreter):
    """One part of a group's rows, run on tiles of `sizes`: the kernel's dimensions, and the part's columns."""

    def __init__(self, regions: Regions, parts: OnlineParts, target: Target, sizes: Sequence[int]):
        self.regions, self.parts, self.target = regions, parts, target
        self.trace, self.tiles, self.columns = GroupTrace(), {}, len(sizes) - 1
        dims = frozenset(regions.step_order)
        self.recorder = Recorder(self.trace, target, self._share_of)
        self.recorder.apart = True
        self.recorder.extents = tuple(t if d in dims else 1 for d, t in enumerate(sizes))
        for product in parts.stream.products:
            value = product.results[0]
            kind = name_of(element_type_of(value))
            self.tiles[value, regions.maps[value]] = TraceTile(kind, True, frozenset(), 1.0)
        for load in rows_read(regions, parts):
            lacks = _lacks(regions, load)
            tile = TraceTile(name_of(element_type_of(load.value)), not lacks, lacks, self._share_of(lacks))
            self.tiles[load.value, load.maps] = tile
            if self.columns in _followed(regions, load):
                self.trace.loads.append(tile)

    def _share_of(self, lacks: frozenset[int]) -> float:
        """Elements of a tile without some dimensions, over those of one with all."""
        sizes, last = self.recorder.extents, self.columns
        return prod(16 / ceil_to(sizes[d], 16) if d == last else 1 / sizes[d] for d in lacks)

    def meet(self, op: Operation) -> None:
        """The row op takes the part into its state, and gives the weights of the product that follows."""
        product = self.parts.product
        _, operands = self.operands(op, 1 if op is product else None)
        rule, lacks = cast(RowWise, rule_of(op)), frozenset({self.columns})
        assert rule.online is not None
        state = tuple(TraceTile("f32", False, lacks, self._share_of(lacks)) for _ in rule.online.start)
        _, weights, _ = rule.update(op, cast(Any, self.recorder), cast(Any, state), operands)
        stored = product.operands[0] if op is product else op.results[0]
        self.recorder.cast(cast(Any, weights), name_of(element_type_of(stored)))

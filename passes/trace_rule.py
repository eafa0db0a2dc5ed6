"""Runs the tiling rules of a group without building IR: which vector instructions they emit, and what is live.

The tile search asks this many times, so it is plain Python on small objects.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import Operation, SSAValue

from ..dialects.ascend.memory import ELEMENT_BYTES
from ..dialects.target import Target, Vector
from ..dialects.tiling import Along
from .compute_type import ComputeTypes
from .regions import Regions, element_type_of, rule_of, scalar_operands


@dataclass(eq=False)
class TraceTile:
    """A value that a rule sees: its element type, whether it is as large as the result's tile or made from one that
    is, and the dimensions that it lacks."""

    type_name: str
    full: bool
    lacks: frozenset[int]
    buffer: int = -1
    uses: int = 0


@dataclass(frozen=True)
class TraceStep:
    """One vector instruction: name, the wider element type, whether a source is as large as the whole tile."""

    name: str
    dtype: str
    full: bool
    sources: tuple[TraceTile, ...]
    result: TraceTile

    @property
    def whole(self) -> bool:
        """Whether it gives a whole tile; sources that lack different dimensions do too."""
        return not self.result.lacks


@dataclass
class GroupTrace:
    """Instructions of one tile, in order, and the tiles that come from outside."""

    steps: list[TraceStep] = field(default_factory=list[TraceStep])
    loads: list[TraceTile] = field(default_factory=list[TraceTile])

    def bytes_per_element(self, regions: Regions, slots: int = 2) -> int:
        """UB bytes that one element of the result's tile costs: loads and the result in `slots` slots, and every
        intermediate tile that cannot take the place of a source that dies."""
        last: dict[int, int] = {}
        for i, step in enumerate(self.steps):
            for source in step.sources:
                last[id(source)] = i
        total = sum(slots * ELEMENT_BYTES[t.type_name] for t in self.loads if t.full)
        for i, step in enumerate(self.steps):
            if not step.full:
                continue
            dying = [
                s
                for s in step.sources
                if s.full and last[id(s)] == i and s.type_name == step.result.type_name
            ]
            if not dying:
                total += ELEMENT_BYTES[step.result.type_name] * (slots if i == len(self.steps) - 1 else 1)
        if regions.product is not None:
            total += 2 * slots * ELEMENT_BYTES[str(element_type_of(regions.result))]
        return max(total, 2)

    def most_alive(self) -> int:
        """The most tiles that hold a value at once; a result takes the place of a source that dies where it may."""
        last: dict[int, int] = {}
        for i, step in enumerate(self.steps):
            for source in step.sources:
                last[id(source)] = i
        first = {id(step.result): i for i, step in enumerate(self.steps)}
        most = 0
        for i, step in enumerate(self.steps):
            held = sum(first.get(tile, -1) < i <= end for tile, end in last.items())
            in_place = any(last[id(s)] == i and s.type_name == step.result.type_name for s in step.sources)
            most = max(most, held + (not in_place))
        return most


class _Recorder:
    """A `VectorBuilder` that records."""

    def __init__(self, trace: GroupTrace, vector: Vector):
        self.trace = trace
        self.vector = vector

    def _emit(self, name: str, *sources: TraceTile, dtype: str = "") -> TraceTile:
        lacks = frozenset[int].intersection(*(s.lacks for s in sources))
        result = TraceTile(dtype or sources[0].type_name, any(s.full for s in sources), lacks)
        wide = max((result.type_name, *(s.type_name for s in sources)), key=ELEMENT_BYTES.__getitem__)
        self.trace.steps.append(TraceStep(name, wide, result.full, sources, result))
        return result

    def __getattr__(self, name: str) -> Any:
        names = {"reciprocal": "vrec", "leaky_relu": "vlrelu"}

        def emit(x: TraceTile, y: TraceTile | float | None = None, **_: Any) -> TraceTile:
            if isinstance(y, TraceTile):
                return self._emit("v" + name, x, y)
            scalar = y is not None and name in ("add", "sub", "mul", "max", "min")
            return self._emit(names.get(name, "v" + name) + "s" * scalar, x)

        return emit

    def multiply_add(self, x: TraceTile, y: TraceTile, z: TraceTile) -> TraceTile:
        return self._emit("vmadd", x, y, z)

    def cast(self, x: TraceTile, dtype: str) -> TraceTile:
        if not self.vector.converts(x.type_name, dtype):
            x = self._emit("vconv", x, dtype="f32")
        return self._emit("vconv", x, dtype=dtype)

    def dtype(self, x: TraceTile) -> str:
        return x.type_name

    def window(self, x: TraceTile, position: Sequence[int]) -> TraceTile:
        return x


def trace_group(
    regions: Regions, target: Target, taken: Sequence[Operation] = (), start: SSAValue | None = None
) -> GroupTrace:
    """The instructions that the group's rules emit for one tile. Without the ops in `taken`, that begins with their
    result `start` instead of the product's."""
    trace = GroupTrace()
    recorder, types = _Recorder(trace, target.vector), ComputeTypes(target.vector)
    tiles: dict[Any, TraceTile] = {}
    dimensions = frozenset(range(len(regions.merged)))
    for load in regions.loads:
        followed = (e for e in regions.kernel_map(load.maps) if isinstance(e, Along) and e.stride > 0)
        lacks = dimensions.difference(e.dim for e in followed)
        tile = TraceTile(str(element_type_of(load.value)), not lacks, lacks)
        tiles[load.value, load.maps] = tile
    if regions.product is not None:
        result = regions.product.results[0] if start is None else start
        tiles[result, regions.maps[result]] = TraceTile(str(element_type_of(result)), True, frozenset[int]())
    for op in regions.ops:
        rule = rule_of(op)
        if rule.engine == "cube" or op in taken:
            continue
        scalars = scalar_operands(op)
        operands: list[Any] = []
        for i, value in enumerate(op.operands):
            if i in scalars:
                operands.append(scalars[i])
            else:
                tile = tiles[value, regions.operand_map(op, i)]
                if tile not in trace.loads and value not in regions.maps:
                    trace.loads.append(tile)
                operands.append(types.operand(recorder, tile))
        tiles[op.results[0], regions.maps[op.results[0]]] = types.result(op, recorder, operands)
    return trace

"""Helpers that state tiling rules: what most ops need, in one line each.

    TILING: ClassVar = pointwise(computes.sigmoid)            operands follow the result by numpy broadcasting
    TILING: ClassVar = pointwise(add, maps=channel_maps)      operands 1.. are vectors along dimension `axis`
    TILING: ClassVar = Contracted(iteration, contraction)     the Cube
    TILING: ClassVar = Moved(maps, fill)                      elements are moved, nothing is computed
    TILING: ClassVar = View()                                 elements are renamed, nothing is computed

A tile that reaches a function of `computes` is seen in the result's iteration space: dimension `d` of
an operand lies along the dimension its map names, and the missing dimensions have size one.
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ..dynamic import STAND_IN
from ..records import dataclass
from ..tiling import Along, Contraction, Iteration, OperandMap, TilingRule, Unit, VectorBuilder, Whole
from .row_computes import Online, Rows, State
from .row_parts import Parts

TileFunction = Callable[..., SSAValue]
"""`f(b, *tiles, **attributes)`: emits one tile of the result with builder `b`."""
Maps = Callable[[Operation], tuple[OperandMap, ...]]


def shape_of(value: SSAValue) -> tuple[int, ...]:
    return cast(TensorType[Attribute], value.type).get_shape()


def element_of(value: SSAValue) -> Attribute:
    return cast(TensorType[Attribute], value.type).element_type


def broadcast_map(shape: tuple[int, ...], result: tuple[int, ...]) -> OperandMap:
    """How an operand of `shape` follows a result that it was broadcast to (right-aligned)."""
    first = len(result) - len(shape)
    return tuple(
        Unit(first + d) if size == 1 != result[first + d] else Along(first + d)
        for d, size in enumerate(shape)
    )


def broadcast_maps(op: Operation) -> tuple[OperandMap, ...]:
    result = shape_of(op.results[0])
    return tuple(broadcast_map(shape_of(operand), result) for operand in op.operands)


def channel_maps(op: Operation) -> tuple[OperandMap, ...]:
    """Operand 0 follows the result; the others are vectors along its dimension `axis` (default 1). A result of rank 0
    has none."""
    rank = len(shape_of(op.results[0]))
    follow = tuple(Along(d) for d in range(rank))
    if not op.operands[1:]:
        return (follow,)
    axis = cast(Any, op).attribute_values().get("axis", 1) % rank
    return (follow, *((Along(axis),) for _ in op.operands[1:]))


@dataclass(frozen=True)
class Pointwise(TilingRule):
    """Each result element is a function of one element of each operand; no reduction."""

    function: TileFunction
    maps: Maps = broadcast_maps
    engine: str = "vector"
    accepts_scalars: bool = False
    """Whether `compute` takes a float for an operand that is a splat constant."""
    drain: str = ""
    """What the op is for FixPipe, on an accumulator's way out of L0C: "bias", "relu", "leaky_relu", "prelu",
    "quantize", "dequantize", or nothing."""

    def iteration(self, op: Operation, /) -> Iteration:
        extents = shape_of(op.results[0])
        return Iteration(extents, len(extents), self.maps(op), (None,) * len(op.operands))

    def compute(self, op: Operation, b: VectorBuilder, operands: Sequence[SSAValue], /) -> SSAValue:
        return self.function(b, *operands, **cast(Any, op).attribute_values())


def pointwise(function: TileFunction, *, maps: Maps = broadcast_maps, drain: str = "") -> Pointwise:
    return Pointwise(function, maps, drain=drain)


def pointwise_scalar(function: TileFunction, drain: str = "") -> Pointwise:
    """A pointwise rule whose function also takes a float for any one operand."""
    return Pointwise(function, accepts_scalars=True, drain=drain)


def instruction(method: str, drain: str = "") -> Pointwise:
    """A pointwise rule of one vector instruction in the storage type."""

    def emit(b: VectorBuilder, x: SSAValue, **attributes: Any) -> SSAValue:
        return getattr(b, method)(x, **attributes)

    return Pointwise(emit, drain=drain)


@dataclass(frozen=True)
class RowWise(TilingRule):
    """Each result element is a function of the operand's elements along some dimensions, which a tile holds in full.

    `function(b, rows, *tiles, **attributes)` emits one tile; `space` gives the iteration.
    """

    function: Callable[..., SSAValue]
    space: Callable[[Any], Iteration]
    engine: str = "vector"
    online: Online | None = None
    """How the op is computed before a product of rows that come part by part, once; None: it is not."""
    parts: Parts | None = None
    """How the op is computed of rows that no tile holds in full; None: of whole rows only."""
    in_lanes: bool = True
    """Whether rows may lie in the lanes of a tile."""

    def iteration(self, op: Operation, /) -> Iteration:
        return self.space(op)

    def rows(self, op: Operation) -> Rows:
        iteration = self.space(op)
        dims = (*iteration.whole, *range(iteration.parallel, len(iteration.extents)))
        return Rows(dims, prod(iteration.extents[d] for d in dims))

    def compute(self, op: Operation, b: VectorBuilder, operands: Sequence[SSAValue], /) -> SSAValue:
        return self.function(b, self.rows(op), *operands, **cast(Any, op).attribute_values())

    def meet(
        self, op: Operation, b: VectorBuilder, count: int, state: State, operands: Sequence[SSAValue]
    ) -> State:
        """`Parts.meet` of the op, on a part of its rows that has `count` elements of each."""
        assert self.parts is not None
        rows = Rows(self.rows(op).dims, count)
        return self.parts.meet(b, rows, state, operands[0], **cast(Any, op).attribute_values())

    def settle(self, op: Operation, b: VectorBuilder, state: State) -> State:
        """`Parts.settle` of the op, once every part was met."""
        assert self.parts is not None
        return self.parts.settle(b, self.rows(op), state, **cast(Any, op).attribute_values())

    def finish(
        self, op: Operation, b: VectorBuilder, settled: State, operands: Sequence[SSAValue]
    ) -> SSAValue:
        """`Parts.finish` of the op, on one part of its operands."""
        assert self.parts is not None
        return self.parts.finish(b, settled, *operands, **cast(Any, op).attribute_values())

    def update(
        self, op: Operation, b: VectorBuilder, state: State, operands: Sequence[SSAValue]
    ) -> tuple[State, SSAValue, SSAValue]:
        """`Online.update` of the op, on one part of its rows."""
        assert self.online is not None
        return self.online.update(b, self.rows(op), state, *operands, **cast(Any, op).attribute_values())

    def factor(self, op: Operation, b: VectorBuilder, state: State) -> SSAValue:
        """`Online.factor` of the op, once its rows were met."""
        assert self.online is not None
        return self.online.factor(b, state, **cast(Any, op).attribute_values())


def _no_fill(op: Operation) -> float | None:
    return None


@dataclass(frozen=True)
class Moved(TilingRule):
    """The result's elements are the operand's, at the places that `maps` gives; `fill` is what lies outside of it."""

    maps: Maps
    fill: Callable[[Operation], float | None] = _no_fill
    engine: str = "vector"
    moves: bool = True

    def iteration(self, op: Operation, /) -> Iteration:
        extents = shape_of(op.results[0])
        return Iteration(extents, len(extents), self.maps(op), (self.fill(op),))

    def compute(self, op: Operation, b: VectorBuilder, operands: Sequence[SSAValue], /) -> SSAValue:
        return operands[0]


@dataclass(frozen=True)
class Joined(TilingRule):
    """The operands one after the other along the op's `axis`: what a tile holds of an operand outside of that operand
    is not used."""

    maps: Maps
    engine: str = "vector"
    moves: bool = True
    joins: bool = True

    def iteration(self, op: Operation, /) -> Iteration:
        extents = shape_of(op.results[0])
        return Iteration(extents, len(extents), self.maps(op), (None,) * len(op.operands))

    def compute(self, op: Operation, b: VectorBuilder, operands: Sequence[SSAValue], /) -> SSAValue:
        axis: int = cast(Any, op).attribute_values()["axis"] % len(shape_of(op.results[0]))
        starts = [0]
        for operand in op.operands[:-1]:
            starts.append(starts[-1] + shape_of(operand)[axis])
        return operands[0] if len(starts) == 1 else b.join([b.numbers(x) for x in operands], axis, starts)


@dataclass(frozen=True)
class Composite(TilingRule):
    """An op that other graph ops take the place of before kernels are built; the last of them give its results.
    `without_cube`: those that do on a chip whose Cube does not multiply the op's element type, if they are others."""

    expand: Callable[[Any], list[Operation]]
    without_cube: Callable[[Any], list[Operation]] | None = None
    engine: str = "composite"

    def iteration(self, op: Operation, /) -> Iteration:
        raise NotImplementedError(f"{op.name} is expanded before it is tiled")


@dataclass(frozen=True)
class View(TilingRule):
    """The result names the operand's elements anew: leading dimensions that agree are followed, the
    rest is needed in full. An op without operands (a constant) has only its own extents."""

    engine: str = "view"

    def iteration(self, op: Operation, /) -> Iteration:
        extents = shape_of(op.results[0])
        maps = tuple(_view_map(shape_of(operand), extents) for operand in op.operands)
        return Iteration(extents, len(extents), maps, (None,) * len(maps))


def _view_map(shape: tuple[int, ...], result: tuple[int, ...]) -> OperandMap:
    agreed = 0
    while agreed < min(len(shape), len(result)) and shape[agreed] == result[agreed] >= 0:
        agreed += 1
    return tuple(Along(d) if d < agreed else Whole() for d in range(len(shape)))


@dataclass(frozen=True)
class Contracted(TilingRule):
    """A sum of products on the Cube."""

    space: Callable[[Any], Iteration]
    product: Callable[[Any], Contraction]
    engine: str = "cube"

    def iteration(self, op: Operation, /) -> Iteration:
        return self.space(op)

    def contraction(self, op: Operation, /) -> Contraction:
        """What the op contracts, derived anew only where its types or attributes are others than before."""
        types = [value.type for value in (*op.operands, *op.results)]
        basis = STAND_IN.get(), self, types, [*op.properties.values()]
        known = _contractions.get(op)
        if known is None or known[0] != basis:
            known = _contractions[op] = basis, self.product(op)
        return known[1]


_contractions: WeakKeyDictionary[Operation, tuple[object, Contraction]] = WeakKeyDictionary()
"""Of ops: what their contraction was derived from, and that."""


def vector_of(value: SSAValue, shape: Sequence[int], axis: int) -> bool:
    """Whether a factor of a tensor of `shape` differs along `axis` alone, or nowhere."""
    own = shape_of(value)
    aligned = (1,) * (len(shape) - len(own)) + tuple(own)
    return len(own) <= len(shape) and all(
        n == 1 or (d == axis and n == shape[d]) for d, n in enumerate(aligned)
    )

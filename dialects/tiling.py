"""How a graph op tiles: the one statement each op makes, from which every fused kernel is composed.

A rule says three things about its op. Its iteration space: the dimensions of the result, then the
reduction dimensions. For a region of the result, the region of each operand that it needs (an
`OperandMap`: halo, stride, dilation, broadcast). How one tile of the result is computed: vector ops
for the vector engine, a `Contraction` for the Cube. No pass knows an op by name; it asks the rule.

    conv2d %x[N,C,H,W], %w[O,C,kh,kw] -> [N,O,Ho,Wo]     parallel (n, o, ho, wo), reduction (c, kh, kw)
    x: (Along n, Along c, Along ho x stride + window kh - pad, Along wo x stride + window kw - pad)
    w: (Along o, Along c, Along kh, Along kw)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from math import prod
from typing import Any, Protocol

from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from .record_attributes import record_text, some_integers
from .records import dataclass

DIRECTIONS = ("eq", "ne", "lt", "le", "gt", "ge")
"""How elements compare: a == b, a != b, a < b, a <= b, a > b, a >= b."""


@dataclass(frozen=True)
class Along:
    """An operand dimension that follows iteration dimension `dim`.

    Result index `i` reads the indices `stride * i - pad + dilation * j` for `0 <= j < window`.
    Indices outside the operand read the operand's fill value. With stride 0 every result reads the same
    window: the weights of a depthwise convolution. With `repeat` each index serves so many results in a row:
    for `i` above read `i // repeat`. With `thin` (a slice with a step: stride above 1, window 1) a tile in UB holds
    only the elements that are read, one for each result; else it holds those between them too.
    """

    dim: int
    stride: int = 1
    window: int = 1
    dilation: int = 1
    pad: int = 0
    repeat: int = 1
    thin: bool = False

    @property
    def is_identity(self) -> bool:
        return (self.stride, self.window, self.pad, self.repeat) == (1, 1, 0, 1)

    @property
    def is_windowed(self) -> bool:
        """Whether a tile is larger than the result's along the dimension, or not walked as it is."""
        return self.window > 1 or (self.stride != 1 and not self.thin)

    def along(self, dim: int) -> "Along":
        """The same of another dimension."""
        return self if dim == self.dim else replace(self, dim=dim)

    def held(self, size: int) -> int:
        """Operand elements that a tile in UB holds for `size` consecutive result elements."""
        return size if self.thin else self.span(size)

    def span(self, size: int) -> int:
        """Operand elements that `size` consecutive result elements need."""
        return (size - 1) * self.stride + (self.window - 1) * self.dilation + 1

    def met(self, size: int, begin: int, end: int) -> int:
        """Elements of an operand dimension of `size` from the first to the last that results `begin` up to `end`
        read."""
        if begin >= end:
            return 0
        first = begin // self.repeat * self.stride - self.pad
        last = first + self.span((end - 1) // self.repeat - begin // self.repeat + 1)
        return max(0, min(last, size) - max(first, 0))


@dataclass(frozen=True)
class Whole:
    """An operand dimension that every result element needs in full."""


@dataclass(frozen=True)
class Unit:
    """An operand dimension of size one, repeated along the result: along iteration dimension `dim`, where that is
    known."""

    dim: int | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Bags:
    """Parts of a list of indices: part `b` begins at `offsets[b]` (of i32) and ends where the next one begins, the last
    one with the list where no offset ends it. What a part's indices pick is folded to one: the sum ("add") or the mean
    ("mean"), in f32, or the largest ("max"); of no indices that is 0. What is summed is first multiplied with the
    number that `weights` has for its index, if there are any."""

    offsets: SSAValue | None
    fold: str
    weights: SSAValue | None = None


@dataclass(frozen=True)
class Picked:
    """An operand dimension of which every result needs the one index that tensor `by` (of i32) holds for it. The
    dimensions of `by` follow iteration dimensions `dims`, one each. With `bags` it needs all that are in its part of
    `by`, which is a list; `dims` is the one that numbers the parts."""

    by: SSAValue | None
    dims: tuple[int, ...]
    bags: Bags | None = None


DimMap = Along | Whole | Unit | Picked
OperandMap = tuple[DimMap, ...]


def picked_dims(maps: OperandMap) -> tuple[int, ...]:
    """The iteration dimensions along which an operand's index is looked up."""
    return next((entry.dims for entry in maps if isinstance(entry, Picked)), ())


def has_picked(maps: OperandMap) -> bool:
    """Whether a dimension of an operand is looked up, maybe by one index for all results."""
    return any(isinstance(entry, Picked) for entry in maps)


def bags_of(maps: OperandMap) -> Bags | None:
    """The parts of the indices by which an operand is looked up; None where each result needs one index."""
    return next((entry.bags for entry in maps if isinstance(entry, Picked)), None)


def reaches_outside(maps: OperandMap, shape: Sequence[int], extents: Mapping[int, int]) -> bool:
    """Whether some of what a result of `extents` needs of an operand lies before its start or past its end."""
    return any(
        e.pad > 0 or (extents[e.dim] - 1) * e.stride - e.pad + e.span(1) > size * e.repeat
        for e, size in zip(maps, shape, strict=True)
        if isinstance(e, Along) and e.dim in extents
    )


@dataclass(frozen=True)
class Iteration:
    """Iteration space of one op: `extents[:parallel]` are the result's dimensions in order, the rest
    are reduced. `operands[i]` maps the dimensions of operand `i`; `fills[i]` is the value that
    operand `i` has outside its bounds (None: the rule never reads there).

    A tile holds the dimensions in `whole` in full, and on the Vector the reduced ones too. `kept[j]` is the result
    dimension of size one that stands for reduced dimension `j` (None: there is none)."""

    extents: tuple[int, ...]
    parallel: int
    operands: tuple[OperandMap, ...]
    fills: tuple[float | None, ...] = ()
    whole: tuple[int, ...] = ()
    kept: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class Image2Col:
    """Sliding window of a convolution's input, seen as matrix rows by the load from L1. Pairs are of rows and columns;
    `pads` are those at the top, the left, the bottom and the right."""

    kernel: tuple[int, int] = field(metadata=some_integers(2))
    strides: tuple[int, int] = field(metadata=some_integers(2))
    dilations: tuple[int, int] = field(metadata=some_integers(2))
    pads: tuple[int, int, int, int] = field(metadata=some_integers(4))

    @property
    def taps(self) -> int:
        """Positions in the window."""
        return prod(self.kernel)

    def verify(self) -> None:
        """`VerifyException` where there is no such window."""
        if min(*self.kernel, *self.strides, *self.dilations) < 1 or min(self.pads) < 0:
            raise VerifyException(
                f"window: kernel, strides and dilations are 1 or more and pads 0 or more, not {record_text(self)[1:-1]}"
            )


@dataclass(frozen=True)
class Contraction:
    """A sum of products on the Cube: `result[batch, m, n] = sum over k of lhs[batch, m, k] * rhs[batch, k, n]`.

    `batch`, `m` and `n` are iteration dimensions of the result; several `m` are flattened, in order,
    into matrix rows. With `window`, lhs is an image [N, C, H, W], rhs its filters [O, C, kh, kw].
    `transpose_lhs` means that lhs is stored [.., K, M], `transpose_rhs` that rhs is stored [.., N, K]. With `groups`
    the columns fall into so many equal parts, each a product of its own with its part of the image's channels:
    `k` counts the channels of one group. With `part` the sums are those of parts of K, which dimension `part` of the
    batch numbers: `k` has the extent of one, the last of which may be shorter, and all of K is `depth`.
    """

    batch: tuple[int, ...]
    m: tuple[int, ...]
    n: int
    k: int
    lhs: int = 0
    rhs: int = 1
    transpose_lhs: bool = False
    transpose_rhs: bool = False
    window: Image2Col | None = None
    groups: int = 1
    part: int | None = None
    depth: int = 0


class VectorBuilder(Protocol):
    """What a rule may use to compute a tile: the instructions of the Vector pipe, on whole tiles.

    A tile argument `y` may be a Python float where the instruction has a scalar form. All operands of
    an instruction have one element type; results keep it, except `cast`'s and `compare`'s. Sums, differences and
    products of i32 keep the low 32 bits.
    """

    def add(self, x: SSAValue, y: SSAValue | float) -> SSAValue: ...
    def sub(self, x: SSAValue, y: SSAValue | float) -> SSAValue: ...
    def mul(self, x: SSAValue, y: SSAValue | float) -> SSAValue: ...
    def div(self, x: SSAValue, y: SSAValue) -> SSAValue:
        """x / y; of i32 without what is after the point."""
        ...

    def max(self, x: SSAValue, y: SSAValue | float) -> SSAValue: ...
    def min(self, x: SSAValue, y: SSAValue | float) -> SSAValue: ...
    def abs(self, x: SSAValue) -> SSAValue: ...
    def exp(self, x: SSAValue) -> SSAValue: ...
    def ln(self, x: SSAValue) -> SSAValue: ...
    def sqrt(self, x: SSAValue) -> SSAValue: ...
    def rsqrt(self, x: SSAValue) -> SSAValue: ...
    def reciprocal(self, x: SSAValue) -> SSAValue: ...
    def multiply_add(self, x: SSAValue, y: SSAValue, z: SSAValue) -> SSAValue:
        """x y + z, rounded once."""
        ...

    def relu(self, x: SSAValue) -> SSAValue: ...
    def leaky_relu(self, x: SSAValue, alpha: float) -> SSAValue: ...
    def cast(self, x: SSAValue, dtype: str) -> SSAValue:
        """Convert to `dtype` ("f16", "bf16", "f32" or "i32"), rounding to nearest even."""
        ...

    def compare(self, x: SSAValue | float, y: SSAValue | float, direction: str) -> SSAValue:
        """The mask of `x direction y` ("eq", "ne", "lt", "le", "gt" or "ge"); at most one of them is a number."""
        ...

    def select(
        self, mask: SSAValue, x: SSAValue | float, y: SSAValue | float, dtype: str = "f16"
    ) -> SSAValue:
        """x where the mask holds, else y; of `dtype` where both are numbers."""
        ...

    def numbers(self, mask: SSAValue) -> SSAValue:
        """A mask as f16 numbers, 0 or 1, which do for it too."""
        ...

    def fill(self, x: SSAValue | float, like: SSAValue) -> SSAValue:
        """`x` repeated to be as large as `like`."""
        ...

    def dtype(self, x: SSAValue) -> str:
        """Element type of a tile, in which it is computed: f32 where the Vector does not compute in the stored type."""
        ...

    def reduce(self, x: SSAValue, kind: str, dims: Sequence[int]) -> SSAValue:
        """Sum ("add"), largest ("max") or least ("min") element or product ("mul": not of lanes) of `x` along iteration
        dimensions `dims`, which the tile holds in full; they have size one in the result. Computed in the type
        of `x`."""
        ...

    def scan(self, x: SSAValue, dim: int, reverse: bool) -> SSAValue:
        """The sum of the elements of `x` up to each one along iteration dimension `dim`, from each one on with
        `reverse`. The tile holds `dim` in full; its lanes lie along another one. Computed in the type of `x`."""
        ...

    def join(self, tiles: Sequence[SSAValue], dim: int, starts: Sequence[int]) -> SSAValue:
        """Of each tile the part of the result that it gives along result dimension `dim`: `tiles[j]` from index
        `starts[j]` to the next start."""
        ...

    def window(self, x: SSAValue, position: Sequence[int]) -> SSAValue:
        """The result-shaped view of operand tile `x`, or of a conversion of it, at window `position`: one index per
        windowed dimension (`Along.is_windowed`). Along dimensions of stride 0 it has size one and repeats."""
        ...

    @property
    def slides(self) -> bool:
        """Whether windows may slide along one dimension after the other (`slide`): in kernels without a product."""
        ...

    def slide(self, x: SSAValue, kind: str, at: int) -> SSAValue:
        """Of operand tile `x`, or what `slide` gave, the sum ("add") or largest ("max") element of each window along
        one dimension: number `at` of those that are still windowed. Along the others it keeps its halo."""
        ...


Compute = Callable[[Any, VectorBuilder, Sequence[SSAValue]], SSAValue]


class TilingRule:
    """What a graph op states once. Exactly one of `compute` and `contraction` is used, by `engine`."""

    engine: str = "vector"
    """ "vector", "cube", "view" for an op that only renames elements (reshape), or "composite" for one that others take
    the place of."""
    moves: bool = False
    """Whether the op puts elements elsewhere, and computes nothing."""
    joins: bool = False
    """Whether it puts tensors one after the other."""
    indices: tuple[int, ...] = ()
    """Operands that hold indices, which the scalar unit reads from GM."""

    def iteration(self, op: Operation, /) -> Iteration:
        """The op's iteration space."""
        raise NotImplementedError(f"{op.name} has no iteration space")

    def compute(self, op: Operation, b: VectorBuilder, operands: Sequence[SSAValue], /) -> SSAValue:
        """Emit one tile of the result from the operands' tiles (engine "vector")."""
        raise NotImplementedError(f"{op.name} is not computed by the Vector unit")

    def contraction(self, op: Operation, /) -> Contraction:
        """The product that the Cube computes (engine "cube")."""
        raise NotImplementedError(f"{op.name} is not computed by the Cube")

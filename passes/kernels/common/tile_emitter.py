"""What tiling rules write to: `tile.vec` and `tile.window` ops."""

from collections.abc import Callable, Sequence

from xdsl.builder import Builder
from xdsl.ir import SSAValue

from ....dialects import tile
from ....dialects.element_types import name_of
from ....dialects.target_types import Vector
from ....dialects.tile import TileType, tile_type
from ....dialects.tiling import Along, OperandMap
from ...cost.builder_base import MaskEmitter
from ...support.values import DTYPES


def _joined(tiles: Sequence[SSAValue]) -> tuple[int, ...]:
    """The shape that tiles broadcast to."""
    return tuple(max(sizes) for sizes in zip(*(tile_type(t).get_shape() for t in tiles), strict=True))


class TileEmitter(MaskEmitter):
    """The `VectorBuilder` that tiling rules write to: one `tile.vec` a call, shapes broadcast."""

    slides = False

    def __init__(self, builder: Builder, vector: Vector):
        self.builder = builder
        self.vector = vector

    def _emit(
        self,
        name: str,
        sources: Sequence[SSAValue],
        scalar: float | None = None,
        dtype: str = "",
        like: Sequence[SSAValue] = (),
    ) -> SSAValue:
        types = [tile_type(s) for s in (*sources, *like)]
        shape = _joined([*sources, *like])
        element = DTYPES[dtype] if dtype else types[0].element_type
        order, block = types[0].get_order(), types[0].block.data
        result = TileType.get(shape, element, "ub", order, block)
        return self.builder.insert(tile.VecOp(name, sources, result, scalar)).result

    def _fills(self, x: SSAValue, like: Sequence[SSAValue]) -> bool:
        apart = isinstance(x.owner, tile.WindowOp)  # bits of a mask are not
        return not apart and tile_type(x).get_shape() == _joined([x, *like])

    def exp(self, x: SSAValue) -> SSAValue:
        return self._emit("vexp", [x])

    def ln(self, x: SSAValue) -> SSAValue:
        return self._emit("vln", [x])

    def sqrt(self, x: SSAValue) -> SSAValue:
        return self._emit("vsqrt", [x])

    def rsqrt(self, x: SSAValue) -> SSAValue:
        return self._emit("vrsqrt", [x])

    def reciprocal(self, x: SSAValue) -> SSAValue:
        return self._emit("vrec", [x])

    def leaky_relu(self, x: SSAValue, alpha: float) -> SSAValue:
        return self._emit("vlrelu", [x], alpha)

    def multiply_add(self, x: SSAValue, y: SSAValue, z: SSAValue) -> SSAValue:
        return self._emit("vmadd", [x, y, z])

    def cast(self, x: SSAValue, dtype: str) -> SSAValue:
        if not self.vector.converts(self.dtype(x), dtype):
            x = self._emit("vconv", [x], dtype="f32")
        return self._emit("vconv", [x], dtype=dtype)

    def dtype(self, x: SSAValue) -> str:
        return name_of(tile_type(x).element_type)

    def window(self, x: SSAValue, position: Sequence[int]) -> SSAValue:
        raise NotImplementedError("tile.window is set up by OpEmitter")

    def slide(self, x: SSAValue, kind: str, at: int) -> SSAValue:
        raise NotImplementedError("tile.window is set up by OpEmitter")

    def reduce(self, x: SSAValue, kind: str, dims: Sequence[int]) -> SSAValue:
        raise NotImplementedError("tile.reduce is set up by OpEmitter")

    def scan(self, x: SSAValue, dim: int, reverse: bool) -> SSAValue:
        raise NotImplementedError("tile.scan is set up by OpEmitter")

    def join(self, tiles: Sequence[SSAValue], dim: int, starts: Sequence[int]) -> SSAValue:
        raise NotImplementedError("tile.join is set up by OpEmitter")


class OpEmitter(TileEmitter):
    """A `TileEmitter` for one op: `window` knows the op's operand maps and the result tile's shape, `reduce` which
    dimension of tiles each of the op's dimensions is (None: it has one element)."""

    def __init__(
        self,
        builder: Builder,
        vector: Vector,
        maps: dict[SSAValue, OperandMap],
        shape: tuple[int, ...],
        dim_of: Callable[[int], int | None],
    ):
        super().__init__(builder, vector)
        self.maps = maps
        self.shape = shape
        self.dim_of = dim_of
        self.offsets: Sequence[SSAValue] = ()
        self.through: OperandMap = ()

    def join(self, tiles: Sequence[SSAValue], dim: int, starts: Sequence[int]) -> SSAValue:
        entry, at = self.through[dim], self.dim_of(dim)
        if not isinstance(entry, Along) or at is None:  # one element of the whole
            first = entry.pad if isinstance(entry, Along) else 0
            return tiles[max(j for j, start in enumerate(starts) if start <= -first)]
        seen = [max(0, -(-(start + entry.pad) // entry.stride)) for start in starts]
        kind = tile_type(tiles[0])
        shape = [max(sizes) for sizes in zip(*(tile_type(t).get_shape() for t in tiles), strict=True)]
        result = TileType.get(shape, kind.element_type, "ub", kind.get_order(), kind.block.data)
        whole = [
            t if t.type == result else self.builder.insert(tile.VecOp("vcopy", [t], result)).result
            for t in tiles
        ]
        return self.builder.insert(tile.JoinOp(whole, self.offsets[at], at, seen, result)).result

    def reduce(self, x: SSAValue, kind: str, dims: Sequence[int]) -> SSAValue:
        found = sorted({d for d in map(self.dim_of, dims) if d is not None})
        if not found:
            return x
        source = tile_type(x)
        shape = [1 if d in found else n for d, n in enumerate(source.get_shape())]
        result = TileType.get(shape, source.element_type, "ub", source.get_order(), source.block.data)
        return self.builder.insert(tile.ReduceOp(kind, x, found, result)).result

    def scan(self, x: SSAValue, dim: int, reverse: bool) -> SSAValue:
        at = self.dim_of(dim)
        return x if at is None else self.builder.insert(tile.ScanOp(x, at, reverse)).result

    def cast(self, x: SSAValue, dtype: str) -> SSAValue:
        result = super().cast(x, dtype)
        if x in self.maps:
            self.maps[result] = self.maps[x]
        return result

    def window(self, x: SSAValue, position: Sequence[int]) -> SSAValue:
        windowed = [e for e in self.maps[x] if isinstance(e, Along) and e.is_windowed]
        starts, strides = [0] * len(self.shape), [1] * len(self.shape)
        for entry, at in zip(windowed, position, strict=True):
            starts[entry.dim], strides[entry.dim] = at * entry.dilation, entry.stride
        if not windowed:
            return x
        source = tile_type(x)
        shape = tuple(
            min(-(-(size - start) // stride), most) if stride else 1
            for size, start, stride, most in zip(source.get_shape(), starts, strides, self.shape, strict=True)
        )
        result = TileType.get(shape, source.element_type, "ub", source.get_order(), source.block.data)
        return self.builder.insert(tile.WindowOp(x, starts, strides, result)).result

    def slide(self, x: SSAValue, kind: str, at: int) -> SSAValue:
        windowed = [e for e in self.maps[x] if isinstance(e, Along) and e.is_windowed]
        entry, source = windowed[at], tile_type(x)
        starts, strides, shape = [0] * len(self.shape), [1] * len(self.shape), list(source.get_shape())
        strides[entry.dim] = entry.stride
        shape[entry.dim] = min((shape[entry.dim] - entry.span(1)) // entry.stride + 1, self.shape[entry.dim])
        result = TileType.get(shape, source.element_type, "ub", source.get_order(), source.block.data)
        taps: list[SSAValue] = []
        for j in range(entry.window):
            starts[entry.dim] = j * entry.dilation
            taps.append(self.builder.insert(tile.WindowOp(x, starts, strides, result)).result)
        total = taps[0]
        for tap in taps[1:]:
            total = self._emit(f"v{kind}", [total, tap])
        self.maps[total] = tuple(Along(entry.dim) if e is entry else e for e in self.maps[x])
        return total

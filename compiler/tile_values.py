"""What the tiles of one grid point hold, by the meaning of the `tile` ops, in plain numpy.

A second opinion on a kernel's lowering: it shares nothing with instruction selection or the emulator, so
where an instruction's bytes differ from these values, the lowering is at fault.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..dialects import tile
from ..dialects.ascend.memory import TABLES
from ..dialects.tile import BLOCK, TileType, tile_type
from ..dialects.tiling import Along, Picked
from ..runtime.memory import NUMPY_TYPES

Array = NDArray[Any]


def _whole(x: Array, dtype: str = "i8") -> Array:
    """The nearest whole numbers, half to even, held to the range of an integer type; NaN gives 0."""
    limits = np.iinfo(NUMPY_TYPES[dtype])
    whole = np.rint(np.nan_to_num(x.astype(np.float64), posinf=limits.max, neginf=limits.min))
    return np.clip(whole, limits.min, limits.max).astype(limits.dtype)


def _same(x: Array) -> Array:
    return x


def _relu(x: Array) -> Array:
    return np.maximum(x, 0)


def _leaky_relu(x: Array, slope: Any) -> Array:
    return np.where(x >= 0, x, slope * x)


_ONE: dict[str, Callable[[Any], Any]] = {
    "vabs": np.abs, "vexp": np.exp, "vln": np.log, "vsqrt": np.sqrt, "vcopy": _same,
    "vrelu": _relu, "vrsqrt": lambda x: 1 / np.sqrt(x), "vrec": lambda x: 1 / x,
    "vconv": _same,
}  # fmt: skip
_REDUCED: dict[str, Callable[..., Any]] = {"add": np.sum, "max": np.max, "min": np.min, "mul": np.prod}
_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "vadd": np.add, "vsub": np.subtract, "vmul": np.multiply, "vdiv": np.divide, "vmax": np.maximum,
    "vmin": np.minimum,
}  # fmt: skip
_SCALAR: dict[str, Callable[[Any, Any], Any]] = {
    "vadds": lambda x, s: x + s, "vmuls": lambda x, s: x * s, "vmaxs": np.maximum, "vmins": np.minimum,
    "vlrelu": _leaky_relu,
}  # fmt: skip


@dataclass(frozen=True)
class TileValue:
    """What one op of the kernel's body gave, in the order of execution. `store` ops give what they write."""

    op: Operation
    value: Array
    offsets: tuple[int, ...]  # where the tile starts in the kernel's result (its halo, if any, left out)


@dataclass
class PointEvaluation:
    """One grid point of a kernel on its tensors (inputs, then results)."""

    kernel: tile.KernelOp
    tensors: Sequence[Array]
    found: list[TileValue] = field(default_factory=list[TileValue])

    def run(self, at: Sequence[int]) -> list[TileValue]:
        """The tiles of the point with these grid coordinates."""
        kernel = self.kernel
        args = kernel.body.block.args
        count = len(kernel.inputs) + len(kernel.outputs)
        self.index: dict[SSAValue, int] = {}
        self.values: dict[SSAValue, Array] = {}
        self.arrays: dict[SSAValue, Array] = {}
        for argument, array in zip(args[:count], self.tensors, strict=True):
            shape = cast(TensorType[Attribute], argument.type).get_shape()
            self.arrays[argument] = array.reshape(shape)
        rank = len(kernel.extent_list)
        self.origin: list[int] = []
        self.sizes: list[int] = []
        sizes = zip(at, kernel.tile_sizes, kernel.extent_list, kernel.tail_list, strict=True)
        for d, (i, size, extent, tail) in enumerate(sizes):
            first = i * size
            self.index[args[count + d]] = max(0, min(first, extent - size)) if tail == "shift" else first
            self.origin.append(self.index[args[count + d]])
            self.index[args[count + rank + d]] = min(size, extent - first) if tail == "clip" else size
            self.sizes.append(self.index[args[count + rank + d]])
        with np.errstate(all="ignore"):
            self._block(kernel.body.block)
        return self.found

    def _block(self, block: Block) -> None:
        for op in block.ops:
            self._operation(op)

    def _operation(self, op: Operation) -> None:
        match op:
            case arith.ConstantOp():
                self.index[op.result] = cast(IntegerAttr[Any], op.value).value.data
            case arith.AddiOp():
                self.index[op.result] = self.index[op.lhs] + self.index[op.rhs]
            case arith.SubiOp():
                self.index[op.result] = self.index[op.lhs] - self.index[op.rhs]
            case arith.MinSIOp():
                self.index[op.result] = min(self.index[op.lhs], self.index[op.rhs])
            case arith.MaxSIOp():
                self.index[op.result] = max(self.index[op.lhs], self.index[op.rhs])
            case arith.MuliOp():
                self.index[op.result] = self.index[op.lhs] * self.index[op.rhs]
            case arith.DivUIOp():
                self.index[op.result] = self.index[op.lhs] // self.index[op.rhs]
            case tile.LoadOp():
                self._give(op, self._load(op))
            case tile.ContractOp():
                self.values[op.result] = self._contract(op)
            case tile.ChunksOp():
                dim = op.dim.value.data
                first = self.origin[dim]
                chunks: list[Array] = []
                for start in range(0, op.size.value.data, op.step.value.data):
                    self.index[op.body.block.args[0]] = start
                    self.origin[dim] = first + start
                    self._block(op.body.block)
                    if op.held is not None:
                        chunks.append(self.values[cast(tile.YieldOp, op.body.block.last_op).values[0]])
                self.origin[dim] = first
                if op.held is not None:
                    self.values[op.held] = np.concatenate(chunks, axis=dim)
            case tile.StreamOp():
                self._stream(op)
            case tile.YieldOp():
                pass
            case tile.SqueezeOp():
                source = self.values[op.source]
                self.values[op.result] = source.reshape([source.shape[d] for d in op.dim_list])
            case tile.ExtractOp():
                self._extract(op)
            case tile.WindowOp():
                self._window(op)
            case tile.HaloOp():
                self.values[op.result] = self._halo(op)
            case tile.BorderOp():
                self._give(op, self._border(op))
            case tile.MoveOp():
                self._move(op)
            case tile.VecOp():
                self._give(op, self._vec(op))
            case tile.JoinOp():
                self._give(op, self._join(op))
            case tile.ReduceOp():
                self._give(
                    op, _REDUCED[op.kind.data](self.values[op.source], axis=op.dim_list, keepdims=True)
                )
            case tile.StoreOp():
                value = self.values[op.tile]
                element = str(cast(Any, op.tensor.type).element_type)
                if element in ("i8", "i32"):
                    value = _whole(value, element)
                self.found.append(TileValue(op, value, tuple(self.origin)))
            case _:
                raise TypeError(f"{op.name} has no meaning here")

    def _give(self, op: Operation, value: Array) -> None:
        element = str(tile_type(op.results[0]).element_type)
        self.values[op.results[0]] = value.astype(NUMPY_TYPES[element], copy=False)
        self.found.append(TileValue(op, self.values[op.results[0]], tuple(self.origin)))

    def _load(self, op: tile.LoadOp) -> Array:
        array = self.arrays[op.tensor]
        offsets, sizes = [self.index[o] for o in op.offsets], [self.index[s] for s in op.sizes]
        if op.packed is not None and op.packed.data == "blocks":
            return _from_blocks(array, op, offsets)
        if op.packed is not None:
            k, n = (np.arange(o, o + s) for o, s in zip(offsets, sizes, strict=True))
            k1, n1, n0, k0 = array.shape
            k, n = k[k < k1 * k0, None], n[None, n < n1 * n0]
            return array[k // k0, n // n0, n % n0, k % k0]
        picked, in_ub = array, tile_type(op.result).space.data == "ub"
        for d, entry in enumerate(op.maps):
            start, count = 0, 1
            if isinstance(entry, Picked):
                assert op.indices is not None
                ranges = [range(offsets[e], offsets[e] + sizes[e]) for e in entry.dims]
                found = self.arrays[op.indices][np.ix_(*ranges)] if ranges else self.arrays[op.indices]
                picked = np.take(picked, found.reshape(-1), axis=d)  # a negative index counts from the end
                continue
            if isinstance(entry, Along):
                start = offsets[entry.dim] * entry.stride - entry.pad
                count = entry.span(sizes[entry.dim])
            indices = np.arange(start, start + count)
            if isinstance(entry, Along) and entry.thin and in_ub:
                indices = indices[:: entry.stride]
            if isinstance(entry, Along) and entry.repeat > 1:
                indices //= entry.repeat
            if op.lead is not None and isinstance(entry, Along) and entry.dim == len(self.origin) - 1:
                indices = np.concatenate([np.arange(start - BLOCK, start) % array.shape[d], indices])
            inside = (indices >= 0) & (indices < array.shape[d])
            picked = np.take(picked, np.clip(indices, 0, array.shape[d] - 1), axis=d)
            fill = 0.0 if op.fill is None else op.fill.value.data
            mask = inside.reshape([-1 if i == d else 1 for i in range(array.ndim)])
            picked = np.where(mask, picked, np.asarray(fill, picked.dtype))
        kind = tile_type(op.result)
        if kind.space.data not in ("ub", *TABLES):
            return picked
        # In UB a tile is seen in the kernel's dimensions: one that the tensor lacks has size one.
        shape, order = [1] * len(kind.get_shape()), list[int]()
        for d, entry in enumerate(op.maps):
            for e in (
                entry.dims if isinstance(entry, Picked) else [entry.dim] if isinstance(entry, Along) else []
            ):
                shape[e] = sizes[e] if isinstance(entry, Picked) else picked.shape[d]
                order.append(e)
        kept = picked.reshape([shape[e] for e in order])
        return kept.transpose(np.argsort(order)).reshape(shape) if order else kept.reshape(shape)

    def _contract(self, op: tile.ContractOp) -> Array:
        total: Array | None = None
        depth, step = op.k.value.data, op.step.value.data
        for at in range(0, depth, step):
            self.index[op.body.block.args[0]] = at
            self.index[op.body.block.args[1]] = min(step, depth - at)
            resident = 0 if op.resident is None else op.resident.value.data
            if resident:  # computed anew for each step of the product
                self.index[op.body.block.args[2]] = at // resident * resident
                self.index[op.body.block.args[3]] = min(resident, depth - at // resident * resident)
            if op.rows is not None:  # all rows at once
                self.index[op.body.block.args[2]], self.index[op.body.block.args[3]] = (
                    0,
                    _ints(op.m_shape)[-1],
                )
            last = op.body.block.last_op
            for inner in op.body.block.ops:
                if inner is not last:
                    self._operation(inner)
            assert isinstance(last, tile.YieldOp)
            lhs, *right_tiles = (
                _in_rows(self.values[v].astype(np.float32), tile_type(v)) for v in last.values
            )
            if resident:
                part = range(at % resident, at % resident + min(step, depth - at))
                lhs = np.take(lhs, part, axis=1 if op.window is not None else -1)
            if op.window is not None:
                left = _columns(lhs, _ints(op.window), tile_type(last.values[0]).lanes)
            else:
                left = lhs.reshape(-1, lhs.shape[-1])
                left = left.T if op.transpose_lhs.value.data else left
            matrices = [rhs.reshape(-1, rhs.shape[-1]) for rhs in right_tiles]
            turned = bool(op.transpose_rhs.value.data)
            right = np.concatenate([rhs.T if turned else rhs for rhs in matrices], axis=1)
            depth_here = min(left.shape[1], right.shape[0])
            product = left[:, :depth_here] @ right[:depth_here]
            total = product if total is None else total + product
        assert total is not None
        if op.bias is not None:
            row = self.values[op.bias].reshape(1, -1).astype(np.float32)
            total[:, : row.shape[1]] += row
        kind = tile_type(op.result)
        order, n = list(kind.get_order()), kind.block.data
        place = order.index(n)
        m_dims, batch = order[place + 1 :], order[:place]
        m_shape = _ints(op.m_shape)
        shaped = total.reshape([1] * len(batch) + m_shape + [total.shape[1]])
        return shaped.transpose(np.argsort([*batch, *m_dims, n]))

    def _extract(self, op: tile.ExtractOp) -> None:
        dim, start = op.dim.value.data, self.index[op.offset]
        source = self.values[op.source]
        size = tile_type(op.result).get_shape()[dim]
        part = np.take(source, range(start, min(start + size, source.shape[dim])), axis=dim)
        if op.slope is not None:
            if op.steps is None:
                part = part.astype(NUMPY_TYPES[str(tile_type(op.result).element_type)])
            part = np.where(part < 0, part * part.dtype.type(op.slope.value.data), part)
        if op.slopes is not None:
            row = self.values[op.slopes]
            part = part.astype(NUMPY_TYPES[str(tile_type(op.result).element_type)])
            part = np.where(part < 0, part * row.astype(part.dtype), part)
        if op.steps is not None:
            scale, zero_point = op.steps
            part = _whole(np.rint(part * np.float32(scale)) + zero_point)
        if tile_type(op.source).space.data == "ub":
            self.values[op.result] = part
        else:
            self._give(op, part)

    def _stream(self, op: tile.StreamOp) -> None:
        """Part by part, with what the body yields in the places of the carried tiles."""
        at, size = op.body.block.args[:2]
        carried: list[Array] = [self.values[value] for value in op.initial]
        moved = [inner for inner in op.walk() if isinstance(inner, tile.LoadOp | tile.StoreOp)]
        dims = {d for inner in moved for d, offset in enumerate(inner.offsets) if offset is at}
        origin = list(self.origin)
        for start in range(op.first.value.data, op.end.value.data, op.step.value.data):
            self.index[at], self.index[size] = start, op.step.value.data
            self.origin = [start if d in dims else first for d, first in enumerate(origin)]
            self.values |= dict(zip(op.carried, carried, strict=True))
            self._block(op.body.block)
            carried = [self.values[value] for value in op.yielded]
        self.origin = origin
        self.values |= dict(zip(op.outputs, carried, strict=True))

    def _move(self, op: tile.MoveOp) -> None:
        source, dims = self.values[op.source], op.dim_list
        rest = [d for d in range(source.ndim) if d not in dims]
        self.values[op.result] = source.transpose(*rest, *dims).reshape([source.shape[d] for d in dims])

    def _window(self, op: tile.WindowOp) -> None:
        source, full = self.values[op.source], tile_type(op.source).get_shape()
        cut: list[slice] = []
        for d, size in enumerate(tile_type(op.result).get_shape()):
            start = _ints(op.starts)[d]
            stride = _ints(op.strides)[d] or 1
            lost = full[d] - source.shape[d]  # what a tile at the end of the grid lacks
            count = size - -(-lost // stride)
            cut.append(slice(start, start + (count - 1) * stride + 1, stride))
        self.values[op.result] = source[tuple(cut)]

    def _halo(self, op: tile.HaloOp) -> Array:
        found = self.values[op.source]
        _, channel, *image = op.maps
        assert isinstance(channel, Along)
        at = self.index[op.offsets[channel.dim]]
        found = found[:, at : at + self.index[op.sizes[channel.dim]]]
        for d, (entry, start, extent) in enumerate(zip(image, op.starts, op.image, strict=True), 2):
            assert isinstance(entry, Along)
            first = self.index[op.offsets[entry.dim]] * entry.stride - entry.pad
            indices = np.arange(first, first + entry.span(self.index[op.sizes[entry.dim]]))
            inside = (indices >= 0) & (indices < extent)
            held = np.clip(indices - self.index[start], 0, found.shape[d] - 1)
            mask = inside.reshape([-1 if i == d else 1 for i in range(found.ndim)])
            found = np.where(mask, np.take(found, held, axis=d), np.asarray(0, found.dtype))
        return found

    def _border(self, op: tile.BorderOp) -> Array:
        found = self.values[op.source].copy()
        for (d, stride, pad, extent), offset in zip(op.sides, op.offsets, strict=True):
            first = self.index[offset] * stride - pad
            outside = [not 0 <= first + i < extent for i in range(found.shape[d])]
            np.moveaxis(found, d, 0)[outside] = op.fill.value.data
        return found

    def _join(self, op: tile.JoinOp) -> Array:
        dim, start = op.dim.value.data, self.index[op.at]
        parts = [self.values[s] for s in op.sources]
        chosen = parts[0]
        for part, first in zip(parts[1:], op.start_list[1:], strict=True):
            size = chosen.shape[dim]
            before = min(max(first - start, 0), size)
            kept = np.take(chosen, range(before), axis=dim), np.take(part, range(before, size), axis=dim)
            chosen = np.concatenate(kept, axis=dim)
        return chosen

    def _vec(self, op: tile.VecOp) -> Array:
        name = op.instruction.data
        sources = [self.values[s].astype(np.float32) for s in op.sources]
        scalar = None if op.scalar is None else np.float32(op.scalar.value.data)
        shape = [max(sizes) for sizes in zip(*(s.shape for s in sources), strict=True)] if sources else []
        sources = [s[tuple(slice(0, m) for m in shape)] for s in sources]
        if name in _TWO:
            return _TWO[name](*sources)
        if name in _ONE:
            found = _ONE[name](*sources)
            full = tile_type(op.result).get_shape()
            if name != "vcopy" or len(full) != len(self.sizes):
                return found
            return np.broadcast_to(
                found,
                [min(f, s) if n == 1 else n for f, s, n in zip(full, self.sizes, found.shape, strict=False)],
            )
        if name in _SCALAR:
            assert scalar is not None
            if op.sources:  # the instruction takes it in the type that it computes in
                scalar = np.float32(self.values[op.sources[0]].dtype.type(scalar))
            return _SCALAR[name](sources[0], scalar)
        if name.startswith("vcmpv"):
            other = (
                sources[1] if scalar is None else np.float32(self.values[op.sources[0]].dtype.type(scalar))
            )
            return _comparison(name)(sources[0], other)
        if name == "vsel":
            return np.where(sources[0] != 0, sources[1], sources[2])
        if name == "vmadd":
            return sources[0] * sources[1] + sources[2]
        if name == "vaxpy":
            return cast(Any, scalar) * sources[0] + sources[1]
        return np.full(tile_type(op.result).get_shape(), scalar)


def _comparison(name: str) -> Callable[[Any, Any], Any]:
    return {
        "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
        "ge": np.greater_equal,
    }[name.partition("_")[2]]  # fmt: skip


def _from_blocks(array: Array, op: tile.LoadOp, offsets: Sequence[int]) -> Array:
    """A tile of packed weights [c1, .., 16]: whole blocks of 16 along the first dimension of the map."""
    kind = tile_type(op.result)
    shape, first = kind.get_shape(), op.maps[0]
    assert isinstance(first, Along)
    start = offsets[first.dim] // BLOCK
    blocks = np.moveaxis(array[start : start - (-shape[first.dim] // BLOCK)], -1, 1)
    joined = blocks.reshape(-1, *blocks.shape[2:])[: shape[first.dim]]
    return joined.reshape(shape)


def _ints(attribute: DenseArrayBase[Any]) -> list[int]:
    return [int(v) for v in attribute.get_values()]


def _in_rows(operand: Array, kind: TileType) -> Array:
    """An operand in NZ with its rows as the product counts them."""
    order, last = kind.get_order(), len(kind.get_shape()) - 1
    return operand.transpose(*order[1:], last) if order[0] == last == kind.blocked else operand


def _columns(image: Array, window: Sequence[int], c0: int) -> Array:
    """Rows of the matrix that a convolution's product reads: K is (C1, kh, kw, C0). The padding is in the image."""
    kh, kw, sh, sw, *_, dh, dw = window
    channels = -(-image.shape[-3] // c0) * c0
    padded = np.zeros((channels, *image.shape[-2:]), image.dtype)
    padded[: image.shape[-3]] = image.reshape(-1, *image.shape[-3:])[0]
    rows = (image.shape[-2] - (kh - 1) * dh - 1) // sh + 1
    columns = (image.shape[-1] - (kw - 1) * dw - 1) // sw + 1
    taps = [
        padded[:, i * dh : i * dh + (rows - 1) * sh + 1 : sh, j * dw : j * dw + (columns - 1) * sw + 1 : sw]
        for i in range(kh)
        for j in range(kw)
    ]
    stacked = np.stack(taps).reshape(kh * kw, channels // c0, c0, rows * columns)
    return stacked.transpose(3, 1, 0, 2).reshape(rows * columns, -1)


def blocks(found: TileValue, wrong: NDArray[np.bool_] | None = None) -> Array:
    """Whole 32 B blocks of a tile as rows of bytes, as its layout stores them; those of zeros are left out, and
    bit masks, which are found by what is made of them.

    With `wrong`, a mask over the kernel's result, those of a computed tile that wrong elements come from, if
    the tile lies as the result does.
    """
    op, value = found.op, found.value
    kind = tile_type(op.operands[0] if isinstance(op, tile.StoreOp) else op.results[0])
    if str(kind.element_type) == "i1":  # bits in UB
        return np.empty((0, 32), np.uint8)
    dim = len(kind.get_shape()) - 1 if kind.blocked is None else kind.blocked
    if isinstance(op, tile.LoadOp) and op.packed is not None:
        dim = 0
    lanes = 32 // value.dtype.itemsize
    whole = value.shape[dim] // lanes * lanes

    def rows(array: Array) -> Array:
        cut = np.take(array, range(whole), axis=dim)
        return np.ascontiguousarray(np.moveaxis(cut, dim, -1)).reshape(-1, lanes)

    found_rows = rows(value)
    kept = (found_rows != 0).any(axis=1)
    mask = None
    if wrong is not None and not isinstance(op, tile.LoadOp):
        mask = _part(wrong, found.offsets, value.shape)
    if mask is not None:
        kept &= rows(mask).any(axis=1)
    return found_rows[kept].view(np.uint8)


def _part(wrong: NDArray[np.bool_], offsets: Sequence[int], shape: Sequence[int]) -> Array | None:
    """The part of a mask over the result that a tile covers, repeated dimensions folded into one."""
    if len(shape) != wrong.ndim:
        return None
    part: Array = wrong
    for d, (start, size, extent) in enumerate(zip(offsets, shape, wrong.shape, strict=True)):
        if size == 1 != extent:
            part = np.max(part, axis=d, keepdims=True)
            continue
        part = np.take(part, range(start, min(start + size, extent)), axis=d)
        part = np.pad(part, [(0, size - part.shape[i] if i == d else 0) for i in range(wrong.ndim)])
    return part

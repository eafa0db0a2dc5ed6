"""What the tiles of one grid point hold, by the meaning of the `tile` ops, in plain numpy.

A second opinion on a kernel's lowering: it shares nothing with instruction selection or the emulator, so
where an instruction's bytes differ from these values, the lowering is at fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import tile
from ...dialects.records import dataclass
from ...dialects.tile import tile_type
from ...dialects.tiling import Along
from ...runtime.machine.memory import NUMPY_TYPES
from .tile_operands import in_rows, load, step_product, yielded
from .tile_vectors import reduced, vector, whole_numbers

Array = NDArray[Any]


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
            if kernel.rows is not None and d == kernel.rows.dim:
                first = i * (size - kernel.rows.halo) - kernel.rows.lead
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
        if op.name.startswith("arith."):
            self._index(op)
            return
        match op:
            case tile.LoadOp():
                self._load(op)
            case tile.ContractOp():
                self.values[op.result] = self._contract(op)
            case tile.ChunksOp():
                self._chunks(op)
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
                self._give(op, vector(op, [self.values[s] for s in op.sources], self.sizes))
            case tile.JoinOp():
                self._give(op, self._join(op))
            case tile.ReduceOp():
                self._give(op, reduced(op, self.values[op.source]))
            case tile.ScanOp():
                turn = (slice(None),) * op.dim.value.data + (slice(None, None, -1 if op.reverse else 1),)
                self._give(op, np.cumsum(self.values[op.source][turn], axis=op.dim.value.data)[turn])
            case tile.StoreOp():
                self._store(op)
            case _:
                raise TypeError(f"{op.name} has no meaning here")

    def _index(self, op: Operation) -> None:
        """Arithmetic on offsets and sizes."""
        index = self.index
        match op:
            case arith.ConstantOp():
                index[op.result] = cast(IntegerAttr[Any], op.value).value.data
            case arith.AddiOp():
                index[op.result] = index[op.lhs] + index[op.rhs]
            case arith.SubiOp():
                index[op.result] = index[op.lhs] - index[op.rhs]
            case arith.MinSIOp():
                index[op.result] = min(index[op.lhs], index[op.rhs])
            case arith.MaxSIOp():
                index[op.result] = max(index[op.lhs], index[op.rhs])
            case arith.MuliOp():
                index[op.result] = index[op.lhs] * index[op.rhs]
            case arith.DivUIOp():
                index[op.result] = index[op.lhs] // index[op.rhs]
            case _:
                raise TypeError(f"{op.name} has no meaning here")

    def _load(self, op: tile.LoadOp) -> None:
        array, indices = self.arrays[op.tensor], None if op.indices is None else self.arrays[op.indices]
        offsets, sizes = [self.index[o] for o in op.offsets], [self.index[s] for s in op.sizes]
        self._give(op, load(op, array, indices, offsets, sizes, len(self.origin)))

    def _chunks(self, op: tile.ChunksOp) -> None:
        """Each chunk, and what they are together where that stays in L1."""
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

    def _store(self, op: tile.StoreOp) -> None:
        value = self.values[op.tile]
        element = str(cast(Any, op.tensor.type).element_type)
        if element == "i8":
            value = whole_numbers(value, element)
        self.found.append(TileValue(op, value, tuple(self.origin)))

    def _give(self, op: Operation, value: Array) -> None:
        element = str(tile_type(op.results[0]).element_type)
        self.values[op.results[0]] = value.astype(NUMPY_TYPES[element], copy=False)
        self.found.append(TileValue(op, self.values[op.results[0]], tuple(self.origin)))

    def _contract(self, op: tile.ContractOp) -> Array:
        total: Array | None = None
        depth, step = op.schedule.k, op.schedule.step
        whole = str(tile_type(op.result).element_type) == "i32"
        wide = np.float64 if whole else np.float32
        first = 0
        if op.schedule.parts is not None:
            first = self.origin[op.schedule.parts.dim] * depth
            depth = min(first + depth, op.schedule.depth)
        for at in range(first, depth, step):
            self.index[op.body.block.args[0]] = at
            self.index[op.body.block.args[1]] = min(step, depth - at)
            resident = op.schedule.resident
            if resident:  # computed anew for each step of the product
                self.index[op.body.block.args[2]] = at // resident * resident
                self.index[op.body.block.args[3]] = min(resident, depth - at // resident * resident)
            if op.schedule.rows is not None:  # all rows at once
                self.index[op.body.block.args[2]], self.index[op.body.block.args[3]] = (
                    0,
                    op.schedule.m_shape[-1],
                )
            last = yielded(op)
            for inner in op.body.block.ops:
                if inner is not last:
                    self._operation(inner)
            lhs, *right = (in_rows(self.values[v].astype(wide), tile_type(v)) for v in last.values)
            if resident:
                part = range(at % resident, at % resident + min(step, depth - at))
                lhs = np.take(lhs, part, axis=1 if op.window is not None else -1)
            product = step_product(op, lhs, right)
            total = product if total is None else total + product
        assert total is not None
        if op.bias is not None:
            row = self.values[op.bias].reshape(1, -1).astype(wide)
            total[:, : row.shape[1]] += row
        if whole:
            total = total.astype(np.int64).astype(np.int32)
        kind = tile_type(op.result)
        order, n = list(kind.get_order()), kind.block.data
        place = order.index(n)
        m_dims, batch = order[place + 1 :], order[:place]
        m_shape = op.schedule.m_shape
        shaped = total.reshape([*[1] * len(batch), *m_shape, total.shape[1]])
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
            factor = np.asarray(scale, np.float32)
            if op.scales is not None:
                row = self.values[op.scales].astype(np.float32)
                factor = (
                    row if row.shape[dim] == 1 else np.take(row, range(start, start + part.shape[dim]), dim)
                )
            bytes_ = str(tile_type(op.result).element_type) == "i8"
            part = whole_numbers(np.rint(part * factor) + zero_point) if bytes_ else part * factor
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
        seen = zip(tile_type(op.result).get_shape(), op.start_list, op.stride_list, strict=True)
        for d, (size, start, step) in enumerate(seen):
            stride = step or 1
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

"""How many GM bytes a `tile.kernel` moves: which operand is read how often, and why.

Every tile of the grid loads what it needs, so an operand that does not vary along a dimension of the grid is read again
for each tile of that dimension, and a window reads the rows and columns between two tiles twice (halo). L2 serves what
of it still holds; the DMA engines move all of it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from ...dialects import ascend, tile
from ...dialects.dynamic import is_dynamic, shape_of
from ...dialects.element_types import BLOCK_BYTES, bytes_of
from ...dialects.tile import BLOCK, tile_type
from ...dialects.tiling import Along, OperandMap, Picked
from ..regions.loop_invariant_loads import shared_loads
from ..support.run_size import typical
from .operand_traffic import KernelTraffic, OperandTraffic

Axis = int | Block | tile.ContractOp
"""A dimension of the grid, the block of a loop inside the kernel (steps of K, parts of a stream, chunks), or a product:
the parts of K of a left operand that stays in L1."""
FAR = 256
"""Tiles this far from the ends of a dimension do not touch the padding of any window."""
Count = Callable[[int, int], int]
Value = tuple[int, int]
"""Offset and size of a tile along a dimension, or index and size of a step."""


def kernel_traffic(kernel: tile.KernelOp) -> KernelTraffic:
    """What the kernel moves, in bytes that its tiles ask for; along a dynamic dimension at the middle one of its sizes.

    DMA moves whole blocks of 32 B, so rows that are no multiple of that move a little more.
    """
    arguments = kernel.body.block.args
    loads = [op for op in kernel.body.walk() if isinstance(op, tile.LoadOp)]
    axes = _Axes(kernel)
    operands: list[OperandTraffic] = []
    for value, argument in zip(kernel.inputs, arguments, strict=False):
        loads_of = [load for load in loads if load.tensor is argument]
        if not loads_of:
            continue
        reads = [axes.read(load) for load in loads_of]
        size = _bytes(kernel, argument)
        points, again = kernel.shared_points, cores_of(kernel) - 1 if kernel.schedule.spans else 0
        total, repeats = sum(r for r, _ in reads) * (points + again) // points, reads[0][1]
        readings = max(1, sum(map(_begins_rows, loads_of)))
        once = all(load in axes.shared for load in loads_of)
        cores = cores_of(kernel) if once or all(map(_is_kept, loads_of)) else 1
        overlap = total / size / readings / cores / prod(count for _, count in repeats)
        windowed = any(isinstance(e, Along) and e.span(1) > 1 for load in loads_of for e in load.maps)
        blocks = sum(axes.read(load, BLOCK_BYTES)[0] for load in loads_of) * (points + again) // points
        alike: dict[OperandMap, list[tile.LoadOp]] = {}
        for load in loads_of:
            alike.setdefault(load.maps, []).append(load)
        most = min(size, sum(axes.met(each, size) for each in alike.values()))
        packed = isinstance(value.owner, ascend.PackOp)
        operands.append(
            OperandTraffic(
                name_of(value), size, total, repeats, overlap, windowed, blocks, readings, cores, most, packed
            )
        )
    first = len(kernel.inputs)
    return KernelTraffic(
        tuple(operands), sum(_bytes(kernel, a) for a in arguments[first : first + len(kernel.outputs)])
    )


def cores_of(kernel: tile.KernelOp) -> int:
    """How many cores the kernel runs on; a dynamic one at the middle one of its sizes."""
    most = kernel.schedule.cores
    return min(most, kernel.shared_points) if kernel.factor else most


def _begins_rows(load: tile.LoadOp) -> bool:
    """Whether a load reads the first part of rows that come part by part."""
    block = load.parent
    streams: list[tile.StreamOp] = []
    while block is not None and (parent := block.parent_op()) is not None:
        streams += [parent] if isinstance(parent, tile.StreamOp) else []
        block = parent.parent
    met = [s for s in streams if s.body.block.args[0] in load.offsets]
    return bool(met) and all(s.first.value.data == 0 for s in met)


def name_of(value: SSAValue) -> str:
    """What to call a kernel's input in a report."""
    if isinstance(value.owner, ascend.PackOp):
        return f"{name_of(value.owner.operands[0])} (packed)"
    if value.name_hint:
        return f"%{value.name_hint}"
    if isinstance(value, BlockArgument):
        return f"argument {value.index}"
    if isinstance(value.owner, tile.KernelOp):
        return f"the result of {value.owner.kernel_name.data}"
    return f"the result of {cast(Operation, value.owner).name}"


def _shape(kernel: tile.KernelOp, argument: SSAValue) -> tuple[int, ...]:
    """The shape of a tensor inside the kernel, at the middle one of the sizes where it is dynamic.

    Dimensions are merged inside, so its `?` is a multiple of that of the tensor which is handed over.
    """
    shape = shape_of(argument.type)
    if not is_dynamic(argument.type):
        return shape
    assert isinstance(argument, BlockArgument)
    outer = shape_of([*kernel.inputs, *kernel.outputs][argument.index].type)
    return (typical(kernel.size_list) * prod(outer[1:]) // prod(shape[1:]), *shape[1:])


def _bytes(kernel: tile.KernelOp, tensor: SSAValue) -> int:
    kind = cast(TensorType[Attribute], tensor.type)
    return prod(_shape(kernel, tensor)) * bytes_of(kind.element_type)


class _Axes:
    """What each index of a kernel's body can be: values along the axes that it depends on."""

    def __init__(self, kernel: tile.KernelOp):
        self.kernel, self.shared = kernel, shared_loads(kernel)
        rank = len(kernel.extent_list)
        grid = kernel.body.block.args[len(kernel.body.block.args) - 2 * rank :]
        self.grid: dict[SSAValue, tuple[int, int]] = {}
        """Grid arguments: dimension, and whether it is the offset (0) or the size (1)."""
        for d in range(rank):
            self.grid[grid[d]], self.grid[grid[rank + d]] = (d, 0), (d, 1)
        self.values: dict[Axis, list[tuple[Value, int]]] = {d: _tiles(kernel, d) for d in range(rank)}
        """What an index can be along each axis, and how often."""

    def read(self, load: tile.LoadOp, unit: int = 1) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Bytes that a load reads over the whole grid, rows taken to whole blocks of `unit` bytes, and the dimensions
        of the grid it does not follow."""
        kind = cast(TensorType[Attribute], load.tensor.type)
        shape, item = _shape(self.kernel, load.tensor), bytes_of(kind.element_type)
        counts: list[tuple[frozenset[Axis], int]] = []
        if load.packed is not None and load.packed.data == "blocks":
            first = load.maps[0]
            assert isinstance(first, Along)

            def blocks(offset: int, size: int) -> int:
                return -(-size // BLOCK) * BLOCK

            counts = [self._sum(load.offsets[first.dim], load.sizes[first.dim], blocks)]
            counts.append((frozenset(), prod(shape[1:-1])))
        elif load.packed is not None:
            sizes = tile_type(load.result).get_shape()
            columns, k0 = -(-sizes[1] // BLOCK), shape[-1]

            def rows(offset: int, size: int) -> int:
                return -(-size // k0)

            def all_columns(offset: int, size: int) -> int:
                return columns

            k_axes, k = self._sum(load.offsets[0], load.sizes[0], rows)
            n_axes, n = self._sum(load.offsets[1], load.sizes[1], all_columns)
            counts = [(k_axes, k), (n_axes, n * prod(shape[2:]))]
        else:
            last_dim = len(self.kernel.extent_list) - 1
            for i, (entry, extent) in enumerate(zip(load.maps, shape, strict=True)):
                if isinstance(entry, Picked):
                    followed = [self._sum(load.offsets[d], load.sizes[d], _all) for d in entry.dims]
                    if load.bags is not None and load.indices is not None:  # all rows, for all bags
                        axes = frozenset[Axis]().union(*(axes for axes, _ in followed))
                        followed = [(axes, _shape(self.kernel, load.indices)[0])]
                    counts += followed
                if not isinstance(entry, Along):
                    continue
                if entry.stride == 0:
                    counts.append((frozenset(), min(entry.span(1), extent)))
                    continue
                lead = BLOCK if load.lead is not None and entry.dim == last_dim else 0
                lanes = max(1, unit // item) if i == len(shape) - 1 else 1
                count = partial(_inside, entry, extent, lead, lanes)
                counts.append(self._sum(load.offsets[entry.dim], load.sizes[entry.dim], count))
        used = frozenset[Axis]().union(*(axes for axes, _ in counts))
        if _is_kept(load) or load in self.shared:  # for the first tile of each core
            return prod(n for _, n in counts) * cores_of(self.kernel) * item, ()
        around = frozenset[Axis](self._around(load)) | frozenset(range(len(self.kernel.extent_list)))
        if (
            any(isinstance(axis, tile.ContractOp) for axis in around)
            and self.kernel.schedule.inner is not None
        ):
            around -= {self.kernel.schedule.inner}
        repeated = {axis: sum(n for _, n in self._of(axis)) for axis in around - used}
        total = prod(n for _, n in counts) * prod(repeated.values()) * item
        repeats = sorted((a, n) for a, n in repeated.items() if isinstance(a, int) and n > 1)
        return total, tuple(repeats)

    def met(self, loads: Sequence[tile.LoadOp], size: int) -> int:
        """Bytes between the first and the last element along each dimension that loads of one map read over the whole
        grid, at most the `size` of their tensor, which is what loads of a packed tensor or of bags may read."""
        one = loads[0]
        if any(load.packed is not None or load.bags is not None for load in loads):
            return size
        count = bytes_of(cast(TensorType[Attribute], one.tensor.type).element_type)
        for entry, extent in zip(one.maps, _shape(self.kernel, one.tensor), strict=True):
            if isinstance(entry, Picked):
                ends = [self._ends_of(loads, d) for d in entry.dims]
                count *= min(extent, prod(last - first for first, last in ends))
            elif isinstance(entry, Along) and entry.stride:
                count *= entry.met(extent, *self._ends_of(loads, entry.dim))
            else:
                count *= extent
        return min(size, count)

    def _ends_of(self, loads: Sequence[tile.LoadOp], dim: int) -> tuple[int, int]:
        """Where the regions of loads begin at least, and end at most, along a dimension."""
        ends = [self._ends(load.offsets[dim], load.sizes[dim]) for load in loads]
        return min(first for first, _ in ends), max(last for _, last in ends)

    def _ends(self, offset: SSAValue, size: SSAValue) -> tuple[int, int]:
        """Where a region begins at least and ends at most."""
        axes = sorted(self._axes(offset) | self._axes(size), key=lambda a: (not isinstance(a, int), str(a)))
        first, last = 1 << 62, 0
        for values in product(*(self._of(a) for a in axes)):
            known = {axis: value for axis, (value, _) in zip(axes, values, strict=True)}
            start = self._index(offset, known)
            first, last = min(first, start), max(last, start + self._index(size, known))
        return first, last

    def _sum(self, offset: SSAValue, size: SSAValue, count: Count) -> tuple[frozenset[Axis], int]:
        """The axes that a region's offset and size depend on, and `count` of both summed over all their values."""
        axes = sorted(self._axes(offset) | self._axes(size), key=lambda a: (not isinstance(a, int), str(a)))
        total = 0
        for values in product(*(self._of(a) for a in axes)):
            known = {axis: value for axis, (value, _) in zip(axes, values, strict=True)}
            times = prod(n for _, n in values)
            total += times * count(self._index(offset, known), self._index(size, known))
        return frozenset(axes), total

    def _of(self, axis: Axis) -> list[tuple[Value, int]]:
        if axis not in self.values:
            first = 0
            op = axis.parent_op() if isinstance(axis, Block) else axis
            if isinstance(axis, tile.ContractOp):
                assert axis.schedule.resident is not None
                step, end = axis.schedule.resident, axis.schedule.k
                if axis.schedule.rows is not None:
                    step, end = axis.schedule.rows, axis.schedule.m_shape[-1]
            elif isinstance(op, tile.ContractOp):
                step, end = op.schedule.step, op.schedule.k
            elif isinstance(op, tile.StreamOp):
                first, step, end = op.first.value.data, op.step.value.data, op.end.value.data
            else:
                assert isinstance(op, tile.ChunksOp)
                step, end = op.step.value.data, op.size.value.data
            self.values[axis] = [((at, min(step, end - at)), 1) for at in range(first, end, step)]
        return self.values[axis]

    def _around(self, op: tile.LoadOp) -> Iterator[Axis]:
        block = op.parent
        while block is not None and block is not self.kernel.body.block:
            parent = block.parent_op()
            resident = isinstance(parent, tile.ContractOp) and parent.schedule.resident is not None
            computes = resident and tile_type(op.result).space.data == "ub"
            yield parent if computes and isinstance(parent, tile.ContractOp) else block
            block = None if parent is None else parent.parent

    def _axes(self, value: SSAValue) -> frozenset[Axis]:
        if value in self.grid:
            return frozenset({self.grid[value][0]})
        if isinstance(value, BlockArgument):
            parent = value.owner.parent_op()
            computes = isinstance(parent, tile.ContractOp) and value.index >= 2
            return frozenset({parent if computes and isinstance(parent, tile.ContractOp) else value.owner})
        assert isinstance(value.owner, Operation)
        return frozenset[Axis]().union(*(self._axes(v) for v in value.owner.operands))

    def _index(self, value: SSAValue, known: Mapping[Axis, Value]) -> int:
        if value in self.grid:
            d, which = self.grid[value]
            return known[d][which]
        owner = value.owner
        if isinstance(value, BlockArgument):
            parent, index = value.owner.parent_op(), value.index
            if isinstance(parent, tile.ContractOp) and index >= 2:
                return known[parent][index - 2]
            return known[value.owner][index]
        assert isinstance(owner, Operation)
        match owner:
            case arith.ConstantOp():
                return cast(IntegerAttr[Any], owner.value).value.data
            case arith.AddiOp():
                return self._index(owner.lhs, known) + self._index(owner.rhs, known)
            case arith.SubiOp():
                return self._index(owner.lhs, known) - self._index(owner.rhs, known)
            case arith.MinSIOp():
                return min(self._index(owner.lhs, known), self._index(owner.rhs, known))
            case arith.MaxSIOp():
                return max(self._index(owner.lhs, known), self._index(owner.rhs, known))
            case arith.MuliOp():
                return self._index(owner.lhs, known) * self._index(owner.rhs, known)
            case arith.DivUIOp():
                return self._index(owner.lhs, known) // self._index(owner.rhs, known)
            case _:
                raise TypeError(f"{owner.name} is no index arithmetic of a kernel's body")


def _is_kept(load: tile.LoadOp) -> bool:
    """Whether a load is of the right operand of a product that keeps it in L1."""
    parent = load.parent_op()
    kept = isinstance(parent, tile.ContractOp) and parent.schedule.keeps
    return kept and load.packed is not None and tile_type(load.result).space.data == "l1"


def _all(offset: int, size: int) -> int:
    return size


def _inside(along: Along, extent: int, lead: int, lanes: int, offset: int, size: int) -> int:
    """Elements of a dimension of `extent` that `size` results from `offset` need, in whole groups of `lanes`, and the
    `lead` before them."""
    first = offset * along.stride - along.pad
    needed = max(0, min(first + along.span(size), extent) - max(first, 0))
    return lead + -(-needed // lanes) * lanes


def _tiles(kernel: tile.KernelOp, d: int) -> list[tuple[Value, int]]:
    """Offset and size of each tile along a dimension of the grid, and how many there are like it: all that are far from
    both ends of a long dimension read alike."""
    extent, size, tail = kernel.extent_list[d], kernel.tile_sizes[d], kernel.tail_list[d]
    firsts = range(0, extent, size)
    if kernel.rows is not None and d == kernel.rows.dim:
        firsts = range(-kernel.rows.lead, extent, size - kernel.rows.halo)
    between = max(0, len(firsts) - 2 * FAR)
    ends = [*firsts[: FAR + 1], *firsts[-FAR:]] if between else [*firsts]
    tiles: list[tuple[Value, int]] = []
    for i, first in enumerate(ends):
        start = max(0, min(first, extent - size)) if tail == "shift" else first
        length = min(size, extent - first) if tail == "clip" else size
        tiles.append(((start, length), between if between and i == FAR else 1))
    return tiles

"""Whether what loads and stores say agrees: regions with the kernel's grid, with tensors, and with tiles."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..ascend.memory import TABLES
from ..attributes import tensor_type
from ..element_types import BLOCK_BYTES, bytes_of
from ..op_checks import checks
from ..tiling import Along, Picked, Whole
from .chunks import ChunksOp
from .kernel import KernelOp
from .layout import layout_of
from .transfer import LoadOp, StoreOp
from .types import BLOCK, tile_type

Slot = tuple[Block, int]
"""A dimension of a kernel's grid, or of what another op walks: its block, and a number among those of the block."""


@checks(LoadOp)
def check_load(op: LoadOp) -> None:
    """`VerifyException` where a load reads past its tensor, which nothing fills, or its tile is too small."""
    tile, kind = tile_type(op.result), op.tensor.type
    shape, in_l1 = tile.get_shape(), tile.space.data == "l1"
    check_slots(op)
    if op.hoisted is not None:
        _check_hoisted(op)
    followed = set[int]()
    for d, (size, entry) in enumerate(zip(tensor_type(kind).get_shape(), op.maps, strict=False)):
        if isinstance(entry, Picked):
            followed.update(entry.dims)
        if not isinstance(entry, Along):
            whole = size if isinstance(entry, Whole) else 1
            if in_l1 and len(shape) == len(op.maps) and size >= 0 and shape[d] != whole:
                raise VerifyException(
                    f"tile.load: {whole} of dimension {d} of {kind}, and {tile} has {shape[d]}"
                )
            continue
        followed.add(entry.dim)
        if in_l1 and entry.repeat != 1:
            raise VerifyException(f"tile.load: elements repeat in ub, not in {tile}")
        extent = _extent(op.offsets[entry.dim])
        if extent is not None and size >= 0 and op.fill is None:
            last = (extent - 1) * entry.stride - entry.pad + entry.span(1)
            if entry.pad > 0 or last > size * entry.repeat:
                raise VerifyException(
                    f"tile.load: {extent} of the kernel's dimension need [{-entry.pad}, {last}) of dimension {d} of "
                    f"{kind}, and there is nothing to fill with"
                )
        part = _size(op.sizes[entry.dim])
        if part is None or entry.repeat != 1:
            continue
        needed = entry.span(part) if in_l1 else entry.held(part)
        place = d if in_l1 else entry.dim
        found = grid_dim(op.sizes[entry.dim], size=True)
        if op.lead is not None and found is not None and found[1] == len(found[0].tile_sizes) - 1:
            needed += BLOCK
        exact = found is not None
        if (
            (not in_l1 or len(shape) == len(op.maps))
            and place < len(shape)
            and (shape[place] < needed or (exact and shape[place] != needed))
        ):
            raise VerifyException(
                f"tile.load: {part} of dimension {entry.dim} need {needed} of dimension {place}, and {tile} has "
                f"{shape[place]}"
            )
    if not in_l1:
        for d, size in enumerate(shape):
            if size != 1 and d not in followed:
                raise VerifyException(f"tile.load: no dimension of {kind} is dimension {d} of {tile}")


def whole_row_dim(op: LoadOp) -> int | None:
    """The kernel's dimension that a row for a table follows which may come whole; None where the tensor is more than
    one row, has its size at run time only, or is no whole blocks of 16 elements and of 32 B."""
    kind = tensor_type(op.tensor.type)
    shape = kind.get_shape()
    along = [(e, n) for e, n in zip(op.maps, shape, strict=False) if isinstance(e, Along)]
    if tile_type(op.result).space.data not in TABLES or len(along) != 1 or layout_of(kind) is not None:
        return None
    (entry, columns), block = along[0], BLOCK * bytes_of(kind.element_type)
    whole = prod(shape) == columns and columns > 0 and columns % BLOCK == 0 and block % BLOCK_BYTES == 0
    return entry.dim if whole and entry.is_identity else None


def _check_hoisted(op: LoadOp) -> None:
    """What is loaded in front of the loop over tiles follows dimensions that one tile covers, or is a row for a table,
    which comes whole."""
    kernel = op.parent_op()
    if tile_type(op.result).space.data in TABLES:
        if whole_row_dim(op) is None or not isinstance(kernel, KernelOp):
            raise VerifyException(
                "tile.load: hoisted is a row for a table, of the kernel's body, in whole blocks"
            )
        return
    offsets = all(isinstance(value, BlockArgument) for value in (*op.offsets, *op.sizes))
    if isinstance(kernel, KernelOp) and kernel.stated_schedule is None:
        return
    if not isinstance(kernel, KernelOp) or not offsets or tile_type(op.result).space.data != "ub":
        raise VerifyException("tile.load: hoisted is a load of the kernel's body to ub, for whole tiles")
    dims = [e.dim for e in op.maps if isinstance(e, Along)]
    several = [d for d in dims if kernel.grid[d] > 1 or (kernel.factor and d == 0)]
    if op.indices is not None or several:
        raise VerifyException(f"tile.load: hoisted is what all tiles share, and they differ along {several}")


@checks(LoadOp, "fractals")
def check_fractals(op: LoadOp) -> None:
    """`VerifyException` where a load of packed weights takes other columns than whole blocks, or than its tile has."""
    check_slots(op)
    tile, size = tile_type(op.result), op.sizes[1]
    starts = list(_starts(size))
    parts = [_size(part) for part in (starts if len(starts) == 1 else starts[1:])]
    columns = sum(part for part in parts if part is not None)
    if None not in parts and tile.get_shape()[1] != columns:
        raise VerifyException(f"tile.load: {columns} columns, and {tile} has {tile.get_shape()[1]}")
    found = grid_dim(op.offsets[1])
    extent = _extent(op.offsets[1])
    if found is None or extent is None:
        return
    step, tail = found[0].tile_sizes[found[1]], found[0].tail_list[found[1]]
    if extent > step and (step % BLOCK or (tail == "shift" and extent % BLOCK)):
        raise VerifyException(
            f"tile.load: fractals begin every {BLOCK} columns, and tiles of {step} of {extent} ({tail}) do not"
        )


@checks(StoreOp)
def check_store(op: StoreOp) -> None:
    """`VerifyException` where a store writes another part of its tensor than the kernel's tile, or chunk of it, is."""
    tile, kind = tile_type(op.tile), op.tensor.type
    check_slots(op)
    sizes = tensor_type(kind).get_shape()
    for d, (size, offset, part) in enumerate(zip(sizes, op.offsets, op.sizes, strict=True)):
        held = tile.get_shape()[d]
        once = size == 1 and held == 1
        starts = list(_starts(offset))
        extent = next((found for found in map(_extent, starts) if found is not None), None)
        if op.origin is not None and extent is not None:
            if op.first[d] + extent > size:
                raise VerifyException(
                    f"tile.store: {extent} elements of the kernel's dimension {d} from {op.first[d]} on are not in "
                    f"{kind}"
                )
        elif extent is not None and size >= 0 and size != extent and not once:
            raise VerifyException(
                f"tile.store: dimension {d} of {kind} has {size} elements, the kernel's {extent}"
            )
        written = _size(part)
        if written is None or once:
            continue
        needed = written + (BLOCK if op.lead is not None and d == len(sizes) - 1 else 0)
        if held < needed:
            raise VerifyException(f"tile.store: {needed} of dimension {d} are written, and {tile} has {held}")
        tiles = [step for step in map(_step, starts) if step is not None]
        steps = tiles if len(starts) == 1 else [step for step in map(_chunk, starts) if step is not None]
        for whole in (size for size in map(_chunked, starts) if size is not None):
            if any(not whole - BLOCK < step <= whole for step in tiles):
                raise VerifyException(
                    f"tile.store: chunks of {whole} of dimension {d}, of which a tile has {tiles[0]}"
                )
        for step in steps:
            if step != written and not (written < step and written in tiles):
                raise VerifyException(
                    f"tile.store: of parts of {step} of dimension {d}, {written} are written"
                )


def check_slots(op: LoadOp | StoreOp) -> None:
    """An offset goes with the size of the same dimension."""
    for number, (offset, size) in enumerate(zip(op.offsets, op.sizes, strict=True)):
        start, part = _slot(offset), _slot(size)
        if start is not None and part is not None and (start[0] != part[0] or start[1]):
            raise VerifyException(
                f"{op.name}: the size of dimension {number} is not that which its offset goes with"
            )


def _starts(offset: SSAValue) -> Iterator[SSAValue]:
    """An offset, and what it is the sum of."""
    yield offset
    if isinstance(offset.owner, arith.AddiOp):
        yield from (offset.owner.lhs, offset.owner.rhs)


def _slot(value: SSAValue) -> tuple[Slot, bool] | None:
    """The dimension of a grid, or of a loop over parts, that `value` is of, and whether as its size."""
    if not isinstance(value, BlockArgument):
        return None
    block, number = value.block, value.index
    around = block.parent_op()
    if isinstance(around, KernelOp):
        if (schedule := around.stated_schedule) is None:
            return None
        rank = schedule.rank
        number -= len(around.inputs) + len(around.outputs)
        return ((block, number % rank), number >= rank) if 0 <= number < 2 * rank else None
    return ((block, number // 2), number % 2 == 1) if len(block.args) > 1 else None


def grid_dim(value: SSAValue, size: bool = False) -> tuple[KernelOp, int] | None:
    """The kernel and the dimension of its grid that `value` is the offset, or the size, of."""
    found = _slot(value)
    kernel = None if found is None else found[0][0].parent_op()
    if found is None or found[1] != size or not isinstance(kernel, KernelOp):
        return None
    return kernel, found[0][1]


def _extent(offset: SSAValue) -> int | None:
    """The kernel's extent along the dimension that `offset` is of; None where it is no such offset, or not known."""
    found = grid_dim(offset)
    extent = -1 if found is None else found[0].schedule.extents[found[1]]
    return None if extent < 0 else extent


def _size(value: SSAValue) -> int | None:
    """How much a region has along a dimension at most: a tile of the grid, or a constant."""
    found = grid_dim(value, True)
    if found is not None:
        return found[0].tile_sizes[found[1]]
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None


def _chunk(offset: SSAValue) -> int | None:
    """From one chunk to the next, if `offset` is that of a chunk."""
    return _of_chunks(offset, "step")


def _chunked(offset: SSAValue) -> int | None:
    """What the chunks make up of which `offset` is that of one."""
    return _of_chunks(offset, "size")


def _of_chunks(offset: SSAValue, name: str) -> int | None:
    """What the chunks around say, if `offset` is that of one; they are verified after what is inside."""
    around = offset.block.parent_op() if isinstance(offset, BlockArgument) else None
    stated = around.properties.get(name) if isinstance(around, ChunksOp) else None
    return stated.value.data if isinstance(stated, IntegerAttr) else None


def _step(offset: SSAValue) -> int | None:
    """From one tile of the grid to the next."""
    found = grid_dim(offset)
    return None if found is None else found[0].tile_sizes[found[1]]

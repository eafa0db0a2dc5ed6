"""Whether what a product says of itself agrees: its sizes with its accumulator, its operands, and what they are of."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..attributes import tensor_type
from ..element_types import SUMS, lanes_of
from ..op_checks import checks
from ..tiling import Along
from .halo import HaloOp
from .kernel import KernelOp
from .product import ContractOp
from .transfer import LoadOp
from .transfer_checks import grid_dim
from .types import BLOCK, TileType, tile_type
from .vector import MoveOp


@checks(ContractOp)
def check_product(op: ContractOp) -> None:
    """`VerifyException` where the sizes of a product contradict its accumulator, the tiles that its body gives, or the
    tensors that these are parts of."""
    operands = cast(Operation, op.body.block.last_op).operands
    left, *right = (tile_type(value) for value in operands)
    for kind in (left, *right):
        if kind.space.data != "l1" or kind.blocked is None:
            raise VerifyException(f"tile.contract: operands are in l1, in blocks, not {kind}")
        if kind.element_type != left.element_type or str(kind.element_type) not in SUMS:
            raise VerifyException(f"tile.contract: {left} and {kind} are no operands of one product")
    _check_result(op, left.element_type)
    _check_steps(op, lanes_of(left.element_type))
    _check_parts(op)
    _check_layout(op, left, packed=False)
    _check_left(op, left)
    for value, kind in zip(operands[1:], right, strict=True):
        _check_layout(op, kind, op.window is not None or _is_packed(value))
        _check_right(op, kind, len(right))
    for value in operands:
        if isinstance(value.owner, HaloOp) and op.window is not None:
            _check_channels(op, tile_type(value.owner.source).get_shape()[1], value.owner.source.type)
        if isinstance(value.owner, MoveOp) and op.schedule.resident is None and not _computes(op):
            _check_moved(op, tile_type(value))
    for inner in op.body.block.ops:
        if isinstance(inner, LoadOp):
            _check_load(op, inner)
    if op.schedule.keeps:
        _check_kept(operands[1])
    if (op.schedule.prefetch or op.schedule.split_last) and not isinstance(operands[0].owner, MoveOp):
        raise VerifyException("tile.contract: prefetch and split_last are of a left operand that is computed")


def _check_layout(op: ContractOp, kind: TileType, packed: bool) -> None:
    """Blocks of the last dimension, one after the other, are a matrix in NZ; of filters and packed weights all K of a
    block of columns; of an image blocks of channels."""
    last = len(kind.get_shape()) - 1
    if packed:
        fits = (kind.blocked, kind.get_order()) == (1, (0, 1))
    elif op.window is not None:
        fits = (kind.blocked, kind.get_order()) == (1, tuple(range(last + 1)))
    else:
        fits = kind.blocked == last and kind.get_order()[0] == last
    if not fits:
        raise VerifyException(f"tile.contract: the Cube reads no operand that lies as {kind}")


def _is_packed(value: SSAValue) -> bool:
    return isinstance(value.owner, LoadOp) and value.owner.packed is not None


def _check_result(op: ContractOp, element: Attribute) -> None:
    """`m` and `n` against the accumulator, and its type against that of the operands."""
    kind, m, n = tile_type(op.result), op.schedule.m, op.schedule.n
    sums = SUMS[str(element)]
    if kind.blocked is None or str(kind.element_type) != sums:
        raise VerifyException(f"tile.contract: the accumulator is {sums} in blocks, not {kind}")
    shape, order = kind.get_shape(), kind.get_order()
    rows = prod(shape[d] for d in order[order.index(kind.blocked) + 1 :])
    if m != rows:
        raise VerifyException(f"tile.contract: m = {m}, and {kind} has {rows} rows")
    columns = shape[kind.blocked]
    if n not in (columns, _whole(columns, BLOCK)):
        raise VerifyException(f"tile.contract: n = {n}, and {kind} has {columns} columns")


def _check_steps(op: ContractOp, k0: int) -> None:
    """Steps of K and pieces of a step are whole fractals, `k0` deep, and of a window whole blocks of channels; only
    what is all of K, or of a step, may be less."""
    k, step = op.schedule.k, op.schedule.step_k
    unit = k0 * _taps(op)
    if step < k and step % unit:
        raise VerifyException(
            f"tile.contract: step is in units of {unit}, what fractals are deep, or all of K, not {step} of {k}"
        )
    piece = op.schedule.l0_k
    if piece < step and piece % k0:
        raise VerifyException(
            f"tile.contract: l0_k is in units of {k0}, what a fractal is deep, or a whole step, not {piece} of {step}"
        )


def _check_parts(op: ContractOp) -> None:
    """Parts of K are whole steps, of operands that are read for each, and there are as many as a tile of one index is
    dealt out of the grid."""
    schedule = op.schedule
    if schedule.parts is None:
        return
    kernel = op.parent_op()
    while kernel is not None and not isinstance(kernel, KernelOp):
        kernel = kernel.parent_op()
    d, depth = schedule.parts.dim, schedule.parts.depth
    k, step = schedule.k, schedule.step
    read = op.window is None and schedule.resident is None and not schedule.keeps
    if k % step or depth % step or not read:
        raise VerifyException(
            "tile.contract: parts of K are whole steps of operands that are read, "
            f"not {k} of {depth} in steps of {step}"
        )
    grid = None if kernel is None else kernel.stated_schedule
    if grid is None:
        return
    count = -(-depth // k)
    if d >= grid.rank or (grid.static_extents[d], grid.tiles[d]) != (count, 1):
        raise VerifyException(
            f"tile.contract: {depth} of K are {count} parts of {k}, one each along dimension {d}"
        )


def _check_left(op: ContractOp, kind: TileType) -> None:
    """The left operand of a step: `m` rows of so much of K as a step has, or of an image what its windows meet."""
    schedule, image, shape = op.schedule, op.image, kind.get_shape()
    wanted = schedule.step if schedule.resident is None else schedule.resident
    if image is not None:
        (kh, kw), (sh, sw), (dh, dw) = image.kernel, image.strides, image.dilations
        if len(shape) != 4:
            raise VerifyException(f"tile.contract: the left operand is an image [1, C, H, W], not {kind}")
        _check_depth(op, kind, _whole(shape[1], kind.lanes) * kh * kw, wanted)
        if len(schedule.m_shape) == 2 and schedule.rows is None:
            rows, columns = schedule.m_shape
            met = (rows - 1) * sh + (kh - 1) * dh + 1, (columns - 1) * sw + (kw - 1) * dw + 1
            if met != shape[2:]:
                raise VerifyException(
                    f"tile.contract: windows of {rows} rows and {columns} columns meet {met[0]} x {met[1]} of an "
                    f"image, not {kind}"
                )
        return
    rows, depth = prod(shape[:-1]), shape[-1]
    if schedule.transpose_lhs:
        rows, depth = depth, rows
    if op.schedule.rows is None and rows != op.schedule.m:
        raise VerifyException(f"tile.contract: m = {op.schedule.m}, and the left operand is {kind}")
    if op.schedule.rows is None:
        _check_depth(op, kind, depth, wanted)


def _check_right(op: ContractOp, kind: TileType, count: int) -> None:
    """One of `count` right operands: as many columns as each gives, of so much of K as a step has."""
    shape = kind.get_shape()
    columns, depth = shape[-1], prod(shape[:-1])
    if op.schedule.transpose_rhs and kind.get_order() != (0, 1):
        columns, depth = depth, columns
    n = op.schedule.n
    if n not in (count * columns, _whole(count * columns, BLOCK)):
        each = f" with {count - 1} beside" if count > 1 else ""
        raise VerifyException(f"tile.contract: n = {n}, and the right operand is {kind}{each}")
    _check_depth(op, kind, depth, op.schedule.step)


def _check_depth(op: ContractOp, kind: TileType, depth: int, step: int) -> None:
    if depth < min(step, op.schedule.k):
        raise VerifyException(
            f"tile.contract: a step has {min(step, op.schedule.k)} of K, and {kind} holds {depth}"
        )


def _check_moved(op: ContractOp, kind: TileType) -> None:
    """A left operand that was computed before the product is all of K."""
    shape, k = kind.get_shape(), op.schedule.k
    depth = shape[1] if op.window is not None else shape[-1]
    if not depth - BLOCK < k <= _whole(depth, BLOCK):
        raise VerifyException(f"tile.contract: k = {k}, and {kind} holds {depth} of K")


def _check_kept(right: SSAValue) -> None:
    """A right operand that stays in L1 has the columns of all tiles."""
    load = right.owner
    if not isinstance(load, LoadOp) or load.packed is None:
        raise VerifyException("tile.contract: keeps is for packed weights")
    found = grid_dim(load.offsets[1])
    if found is not None and found[0].extent_list[found[1]] > found[0].tile_sizes[found[1]]:
        raise VerifyException(
            f"tile.contract: keeps is for a right operand with the columns of all tiles, not {right.type} of "
            f"{found[0].extent_list[found[1]]}"
        )


def _computes(op: ContractOp) -> bool:
    """Whether the body computes its left operand from what it loads for each step."""
    return any(
        isinstance(inner, LoadOp) and any(True for _ in _along_k(op, inner)) for inner in op.body.block.ops
    )


def _check_load(op: ContractOp, load: LoadOp) -> None:
    """What the body loads of a tensor against K in all."""
    kind = load.tensor.type
    shape = tensor_type(kind).get_shape()
    for i, taps in _along_k(op, load):
        if load.packed is not None and load.packed.data == "zn":
            depth, unit = shape[0] * shape[3], shape[3]
            if i != 0:
                raise VerifyException(f"tile.contract: K is dimension 0 of fractals, not {i} of {kind}")
            if not depth - unit < op.schedule.depth <= depth:
                raise VerifyException(f"tile.contract: k = {op.schedule.depth}, and {kind} has {depth} of K")
            continue
        for size, entry in zip(shape, load.maps, strict=False):
            if not isinstance(entry, Along) or entry.dim != i or size < 0:
                continue
            if op.window is not None and entry == Along(i):
                if tile_type(load.result).space.data == "l1" and taps == _taps(op):
                    _check_channels(op, size, kind)
                continue
            last = (op.schedule.depth // taps - 1) * entry.stride - entry.pad + entry.span(1)
            if load.fill is None and op.window is None and last > size * entry.repeat:
                raise VerifyException(
                    f"tile.contract: k = {op.schedule.depth}, and {kind} has {size * entry.repeat} of K"
                )


def _check_channels(op: ContractOp, channels: int, kind: object) -> None:
    """K of windows: the taps of each block of channels."""
    unit = lanes_of(tile_type(op.body.block.last_op.operands[0]).element_type)  # pyright: ignore
    depth = _whole(channels, unit) * _taps(op)
    if op.schedule.k != depth and not (_taps(op) == 1 and op.schedule.k == channels):
        raise VerifyException(
            f"tile.contract: k = {op.schedule.k}, and {channels} channels of {kind} with {_taps(op)} taps are "
            f"{depth} of K"
        )


def _along_k(op: ContractOp, load: LoadOp) -> Iterator[tuple[int, int]]:
    """The dimensions of a load that follow K, and how many of K each index of it is."""
    arguments = op.body.block.args
    starts = (
        [arguments[0]]
        if op.schedule.resident is None or op.schedule.rows is not None
        else [arguments[0], arguments[2]]
    )
    for i, offset in enumerate(load.offsets):
        if offset in starts:
            yield i, 1
        elif isinstance(offset.owner, arith.DivUIOp) and offset.owner.lhs in starts:
            constant = offset.owner.rhs.owner
            if isinstance(constant, arith.ConstantOp) and isinstance(constant.value, IntegerAttr):
                yield i, constant.value.value.data


def _taps(op: ContractOp) -> int:
    return 1 if op.image is None else op.image.taps


def _whole(size: int, unit: int) -> int:
    return -(-size // unit) * unit

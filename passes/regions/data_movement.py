"""Where ops that move elements do not compose with others."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.ir import Operation, SSAValue

from ...dialects.graph.rules import shape_of
from ...dialects.tile import BLOCK
from ...dialects.tiling import Along, DimMap, OperandMap, has_picked, reaches_outside
from ..support.values import iteration_of, joins, moves, rule_of
from .compose_maps import compose
from .loads import Load, only_moves


def obstacle(
    ops: Sequence[Operation],
    maps: Mapping[SSAValue, OperandMap],
    loads: Sequence[Load],
    inside: Mapping[SSAValue, Operation],
    product: Operation | None,
    apart: Operation | None = None,
) -> str | None:
    """Why a group that moves elements cannot be one kernel: it has a product or a window, or the parts of a
    concatenation cannot be put together on chip; or elements are to be repeated along lanes that come as rows. `apart`:
    a concatenation whose parts are stored each to its place."""
    for load in loads:
        *_, last = [e for e in load.maps if isinstance(e, Along)] or [None]
        if last is not None and last.repeat > 1:
            return "channels that several of the result's are computed from have a vector beside them"
    picks = any(has_picked(load.maps) for load in loads)
    windows = any(
        isinstance(e, Along) and e.is_windowed
        for m in (*maps.values(), *(load.maps for load in loads))
        for e in m
    )
    for op in ops:
        if op is apart:
            continue
        moved = moves(op)
        if moved and product is not None and (reason := _around_product(op, product, loads, inside)):
            return reason
        if picks and (moved or windows):
            return f"{op.name} joins gathered rows with what is moved or has a halo"
        if moved and windows:
            return f"{op.name} moves elements, and a window's tiles have a halo"
        if not joins(op):
            continue
        outer = maps[op.results[0]]
        axis: int = cast(Any, op).attribute_values()["axis"] % len(outer)
        along: DimMap = outer[axis]
        shape = shape_of(ops[-1].results[0])
        last = max((d for d, n in enumerate(shape) if n > 1), default=0)
        if (
            not isinstance(along, Along) or along.dim < last
        ):  # those that are reduced may be the tile's lanes, too
            continue
        start, aligned = 0, along.stride == 1
        for operand in op.operands:
            aligned = aligned and (start + along.pad) % 16 == 0
            start += shape_of(operand)[axis]
        if aligned:
            continue
        if any(operand in inside for operand in op.operands):
            return f"{op.name} joins rows of tiles at columns that are no multiple of 16"
        iteration = iteration_of(op)
        read = [
            [compose(e, outer, iteration.parallel, ()) for e in entries] for entries in iteration.operands
        ]
        if any(_last_dim(entries, shape) != along.dim for entries in read):
            return f"{op.name} joins what is turned at columns that are no multiple of 16"
    return None


def _last_dim(read: Sequence[DimMap], shape: Sequence[int]) -> int | None:
    """The dimension of a result of `shape`, with more than one element, that the elements of a tensor's rows follow."""
    along = [e.dim for e in read if isinstance(e, Along)]
    return next((d for d in reversed(along) if not 0 <= d < len(shape) or shape[d] > 1), None)


def _around_product(
    op: Operation,
    product: Operation,
    loads: Sequence[Load],
    inside: Mapping[SSAValue, Operation],
) -> str | None:
    """Why an op that moves elements cannot be in a kernel with a product: behind it dimensions may change places, all
    but the last one, whose rows a store writes where they belong."""
    if any(
        value in inside and (inside[value] is op or _feeds(op, inside[value], inside))
        for value in product.operands
    ):
        return f"{op.name} moves elements of what feeds a product"
    if _takes_part(op, inside):
        return None
    shape = shape_of(op.results[0])
    (entries, *_) = iteration_of(op).operands
    order = [e.dim for e in entries if isinstance(e, Along) and e.is_identity]
    if not only_moves(op) or sorted(order) != list(range(len(shape))) or order[-1] != len(shape) - 1:
        return f"{op.name} moves elements of rows, and tiles around a product follow its result"
    if rule_of(product).contraction(product).window is not None:
        return f"{op.name} moves elements, and tiles of a convolution follow its result"
    if shape[-1] % BLOCK:
        return f"{op.name} moves rows of {shape[-1]} elements, which are no whole blocks of {BLOCK}"
    for load in loads:
        dims = [
            e.dim
            for e, n in zip(load.maps, shape_of(load.value), strict=True)
            if isinstance(e, Along) and n > 1
        ]
        if load.value not in product.operands and dims != sorted(dims) and min(dims) >= 0:
            return f"{op.name} moves elements, and an operand beside the product has them in another order"
    return None


def _takes_part(op: Operation, inside: Mapping[SSAValue, Operation]) -> bool:
    """Whether an op gives a part of a tensor from outside, which is where a load begins."""
    if not only_moves(op) or op.operands[0] in inside:
        return False
    (entries, *_), sizes = iteration_of(op).operands, shape_of(op.results[0])
    if len(entries) != len(sizes) or not all(
        isinstance(e, Along) and e.dim == d and e.stride == e.window == e.repeat == 1 and e.pad <= 0
        for d, e in enumerate(entries)
    ):
        return False
    return not reaches_outside(entries, shape_of(op.operands[0]), dict(enumerate(sizes)))


def _feeds(op: Operation, user: Operation, inside: Mapping[SSAValue, Operation]) -> bool:
    """Whether `user` needs what `op` gives."""
    owners = [inside[value] for value in user.operands if value in inside]
    return op in owners or any(_feeds(op, owner, inside) for owner in owners)

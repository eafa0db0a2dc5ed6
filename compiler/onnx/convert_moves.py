"""Operators that move elements: shapes, slices, pads, joins."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from .builder import Builder, Node, converts
from .unsupported import Unsupported

if TYPE_CHECKING:
    from .builder import Value

FAR = 2**31 - 1
"""An end from here on is that of the dimension, whatever its size."""


@converts("Reshape")
def _reshape(b: Builder, n: Node) -> Value:
    """0 copies the size of the input, unless `allowzero` says that it is one."""
    shape = b.shape(n[0])
    wanted = b.ints(n.input(1), "the shape")
    if not n.get("allowzero", 0):
        copied = [shape[d] if size == 0 else size for d, size in enumerate(wanted)]
        if copied.count(-1) == 2 and wanted.count(-1) == 1 == shape.count(-1):  # the dynamic one is copied
            rest, others = (prod(size for size in sizes if size >= 0) for sizes in (shape, copied))
            if others and rest % others == 0:
                copied[wanted.index(-1)] = rest // others
        wanted = copied
    return _shaped(b, n[0], wanted)


def _shaped(b: Builder, x: Value, wanted: Sequence[int]) -> Value:
    shape = b.shape(x)
    sizes = list(wanted)
    if -1 in sizes and -1 not in shape:
        others = prod(size for size in sizes if size != -1)
        sizes[sizes.index(-1)] = prod(shape) // others if others else 0
    return b.reshape(x, sizes)


@converts("Flatten")
def _flatten(b: Builder, n: Node) -> Value:
    shape = b.shape(n[0])
    axis = n.get("axis", 1)
    axis += len(shape) if axis < 0 else 0
    if -1 in shape:
        if axis == 0:
            raise Unsupported("a dynamic dimension is flattened with others")
        return _shaped(b, n[0], [-1 if -1 in shape[:axis] else prod(shape[:axis]), prod(shape[axis:])])
    return b.reshape(n[0], [prod(shape[:axis]), prod(shape[axis:])])


@converts("Squeeze")
def _squeeze(b: Builder, n: Node) -> Value:
    shape = b.shape(n[0])
    axes = n.get("axes") if n.version < 13 else None if n.input(1) is None else b.ints(n.input(1), "axes")
    gone = (
        {d for d, size in enumerate(shape) if size == 1} if axes is None else {a % len(shape) for a in axes}
    )
    return _shaped(b, n[0], [size for d, size in enumerate(shape) if d not in gone])


@converts("Unsqueeze")
def _unsqueeze(b: Builder, n: Node) -> Value:
    axes = n.get("axes") if n.version < 13 else b.ints(n.input(1), "axes")
    rank = b.rank(n[0]) + len(axes)
    new = {axis % rank for axis in axes}
    sizes = iter(b.shape(n[0]))
    return _shaped(b, n[0], [1 if d in new else next(sizes) for d in range(rank)])


@converts("Transpose")
def _transpose(b: Builder, n: Node) -> Value:
    perm = n.get("perm") or list(range(b.rank(n[0])))[::-1]
    if sorted(perm) != list(range(b.rank(n[0]))):
        raise Unsupported(f"perm {perm} is no order of {b.rank(n[0])} dimensions")
    return b.transpose(n[0], perm)


@converts("Concat")
def _concat(b: Builder, n: Node) -> Value:
    parts = [part for part in n.inputs if part is not None]
    if len(parts) == 1:
        return parts[0]
    return b.op("concat", parts, axis=n.get("axis"))


@converts("Split")
def _split(b: Builder, n: Node) -> list[Value]:
    rank = b.rank(n[0])
    axis: int = n.get("axis", 0) % rank
    size = b.shape(n[0])[axis]
    sizes: list[int] | None
    if n.version < 13:
        sizes = n.get("split")
    else:
        sizes = None if n.input(1) is None else b.ints(n.input(1), "sizes")
    if sizes is None:
        part = -(-size // n.outputs)
        sizes = [min(part, size - i * part) for i in range(n.outputs)]
    if len(sizes) == 1:
        return [n[0]]
    return list(b.ops("split", n[0], axis=axis, sizes=sizes))


@converts("Slice")
def _slice(b: Builder, n: Node) -> Value:
    """Starts and ends are attributes before opset 10."""
    shape = b.shape(n[0])
    given: Any
    if n.version < 10:
        starts, ends, given = n.get("starts"), n.get("ends"), n.get("axes")
        steps = None
    else:
        starts, ends = b.ints(n.input(1), "starts"), b.ints(n.input(2), "ends")
        given, steps = (
            None if n.input(i) is None else b.ints(n.input(i), w) for i, w in ((3, "axes"), (4, "steps"))
        )
    axes = [axis % len(shape) for axis in (range(len(starts)) if given is None else given)]
    steps = [1] * len(axes) if steps is None else steps
    kept = [
        (axis, *_taken(start, end, step, shape[axis]))
        for axis, start, end, step in zip(axes, starts, ends, steps, strict=True)
    ]
    kept = [(a, *part) for a, *part in kept if part != [0, shape[a], 1]]
    if not kept:
        return n[0]
    return b.op(
        "slice",
        n[0],
        starts=[start for _, start, _, _ in kept],
        ends=[end for _, _, end, _ in kept],
        axes=[axis for axis, *_ in kept],
        steps=[step for *_, step in kept],
    )


def _taken(start: int, end: int, step: int, size: int) -> tuple[int, int, int]:
    """Where a slice along a dimension starts and ends, and its step; as it is stated where the size is not known."""
    if size < 0:
        return (0, size, 1) if (start, step) == (0, 1) and end >= FAR else (start, end, step)
    first, last, step = slice(start, end, step).indices(size)
    return (
        first,
        last if last >= 0 else -size - 1,
        step,
    )  # going backwards to the first element ends before it


@converts("Pad")
def _pad(b: Builder, n: Node) -> Value:
    rank = b.rank(n[0])
    if n.version < 11:
        pads, value = n.get("pads"), n.get("value", 0.0)
    else:
        pads, given = b.ints(n.input(1), "pads"), n.input(2)
        value = 0.0 if given is None else b.number(given, "the value")
    axes = n.input(3)
    if axes is not None:
        named = [axis % rank for axis in b.ints(axes, "axes")]
        before, after = (
            dict(zip(named, pads[: len(named)], strict=True)),
            dict(zip(named, pads[len(named) :], strict=True)),
        )
        pads = [one.get(d, 0) for one in (before, after) for d in range(rank)]
    mode = n.get("mode", "constant")
    x: Value = n[0]
    cut = [max(0, -pad) for pad in pads]
    if any(cut):
        for d, size in enumerate(b.shape(x)):
            x = b.slice(x, d, cut[d], size - cut[rank + d])
        pads = [max(0, pad) for pad in pads]
    if not any(pads):
        return x
    if mode == "constant":
        return b.op("pad", x, pads=pads, value=float(value))
    for d in range(rank):
        x = _bordered(b, x, d, pads[d], pads[rank + d], mode)
    return x


def _bordered(b: Builder, x: Value, axis: int, before: int, after: int, mode: str) -> Value:
    """`before` and `after` elements along `axis` that are copies of those of x."""
    size = b.shape(x)[axis]
    if not before and not after:
        return x
    if mode == "edge":
        first, last = b.slice(x, axis, 0, 1), b.slice(x, axis, size - 1, size)
        return b.op("concat", [*[first] * before, x, *[last] * after], axis=axis)
    parts: list[Value] = [x]
    if mode == "reflect":
        if max(before, after) >= size:
            raise Unsupported(f"{max(before, after)} elements are reflected of {size}")
        if before:
            parts.insert(0, _backwards(b, x, axis, before, 0))
        if after:
            parts.append(_backwards(b, x, axis, size - 2, size - 2 - after))
    elif mode == "wrap":
        if max(before, after) > size:
            raise Unsupported(f"{max(before, after)} elements are repeated of {size}")
        if before:
            parts.insert(0, b.slice(x, axis, size - before, size))
        if after:
            parts.append(b.slice(x, axis, 0, after))
    else:
        raise Unsupported(f"there is no mode '{mode}' of pads: it is constant, edge, reflect or wrap")
    return b.op("concat", parts, axis=axis)


def _backwards(b: Builder, x: Value, axis: int, first: int, last: int) -> Value:
    """Elements from `first` down to the one above `last`."""
    size = b.shape(x)[axis]
    end = last if last >= 0 else -size - 1
    return b.op("slice", x, starts=[first], ends=[end], axes=[axis], steps=[-1])


@converts("Tile")
def _tile(b: Builder, n: Node) -> Value:
    return b.op("tile", n[0], repeats=b.ints(n.input(1), "repeats"))


@converts("Expand")
def _expand(b: Builder, n: Node) -> Value:
    return expanded(b, n[0], b.ints(n.input(1), "the shape"))


def expanded(b: Builder, x: Value, wanted: Sequence[int]) -> Value:
    """x repeated to what it and a tensor of shape `wanted` broadcast to."""
    shape = b.shape(x)
    rank = max(len(shape), len(wanted))
    mine, other = ((1,) * (rank - len(s)) + tuple(s) for s in (shape, wanted))
    if any(m < 0 and w not in (1, m) for m, w in zip(mine, other, strict=True)):
        raise Unsupported("it repeats the dynamic dimension where that is 1")
    sizes = [m if m != 1 else w for m, w in zip(mine, other, strict=True)]
    if tuple(sizes) == shape:
        return x
    return b.op("broadcast", x, shape=sizes)


@converts("Shape")
def _shape(b: Builder, n: Node) -> Value:
    shape = b.shape(n[0])
    found = shape[slice(n.get("start", 0), n.get("end"))]
    if -1 in found:
        raise Unsupported("it asks for the size of a dynamic dimension")
    return np.asarray(found, np.int64)


@converts("Size")
def _size(b: Builder, n: Node) -> Value:
    if -1 in b.shape(n[0]):
        raise Unsupported("it asks for the size of a dynamic dimension")
    return np.asarray(prod(b.shape(n[0])), np.int64)


@converts("DepthToSpace")
def _depth_to_space(b: Builder, n: Node) -> Value:
    return b.op("depth_to_space", n[0], block=n.get("blocksize"), mode=n.get("mode", "DCR"))


@converts("SpaceToDepth")
def _space_to_depth(b: Builder, n: Node) -> Value:
    block = n.get("blocksize")
    if n.get("mode", "DCR") == "DCR":
        return b.op("space_to_depth", n[0], block=block)
    batch, channels, height, width = b.shape(n[0])
    h, w = height // block, width // block
    apart = b.transpose(b.reshape(n[0], [batch, channels, h, block, w, block]), [0, 1, 3, 5, 2, 4])
    return b.reshape(apart, [batch, channels * block * block, h, w])


@converts("ConstantOfShape", "Range")
def _made(b: Builder, n: Node) -> Value:
    """Folded where the inputs are known."""
    for value in n.inputs:
        b.known(value, "its shape")
    raise Unsupported("it has no inputs")


@converts("EyeLike")
def _eye_like(b: Builder, n: Node) -> Value:
    """Of the shape of a matrix, and of its type unless it says another."""
    import onnx_ir as ir

    rows, columns = b.shape(n[0])
    if -1 in (rows, columns):
        raise Unsupported("it asks for the size of a dynamic dimension")
    eye = np.eye(rows, columns, n.get("k", 0), np.bool_)
    stated = n.get("dtype")
    if stated is not None:
        return eye.astype(ir.DataType(stated).numpy())
    return eye if b.is_bool(n[0]) else eye.astype(np.float32 if b.is_float(n[0]) else np.int64)


@converts("Trilu")
def _trilu(b: Builder, n: Node) -> Value:
    """What is not kept is zero."""
    rows, columns = b.shape(n[0])[-2:]
    k = 0 if n.input(1) is None else int(b.number(n.input(1), "k"))
    upper = bool(n.get("upper", 1))
    keep = (
        np.triu(np.ones((rows, columns), np.bool_), k)
        if upper
        else np.tril(np.ones((rows, columns), np.bool_), k)
    )
    x = b.tensor(n[0])
    if b.is_bool(x):
        return b.op("logical_and", x, keep)
    return b.op("select", keep, x, np.zeros((), np.float32 if b.is_float(x) else np.int64))


@converts("ReverseSequence")
def _reverse_sequence(b: Builder, n: Node) -> Value:
    lengths = b.ints(n.input(1), "the lengths")
    time: int = n.get("time_axis", 0)
    batch: int = n.get("batch_axis", 1)
    rows: list[Value] = []
    for i, length in enumerate(lengths):
        row = b.slice(n[0], batch, i, i + 1)
        if length > 1:
            turned = _backwards(b, row, time, length - 1, -1)
            rest = b.shape(row)[time] - length
            row = (
                b.op("concat", [turned, b.slice(row, time, length, length + rest)], axis=time)
                if rest
                else turned
            )
        rows.append(row)
    return rows[0] if len(rows) == 1 else b.op("concat", rows, axis=batch)


__all__ = ["expanded"]

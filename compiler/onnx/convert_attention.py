"""Attention and rotary position embedding."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from .builder import Builder, Node, converts
from .unsupported import Unsupported

if TYPE_CHECKING:
    from .builder import Value


def _heads(b: Builder, x: Value, heads: int | None) -> Value:
    """[B, S, H D] as [B, H, S, D]."""
    if b.rank(x) == 4:
        return x
    if heads is None:
        raise Unsupported("three dimensions and no number of heads")
    batch, rows, width = b.shape(x)
    return b.transpose(b.reshape(x, [batch, rows, heads, width // heads]), [0, 2, 1, 3])


@converts("Attention")
def _attention(b: Builder, n: Node) -> list[Value | None]:
    q, k, v = (
        _heads(b, n[i], n.get(name)) for i, name in enumerate(("q_num_heads", "kv_num_heads", "kv_num_heads"))
    )
    past = 0
    if n.input(4) is not None:
        past = b.shape(n[4])[2]
        k, v = b.op("concat", [n[4], k], axis=2), b.op("concat", [n[5], v], axis=2)
    rows, columns, depth = b.shape(q)[2], b.shape(k)[2], b.shape(q)[3]
    scale = n.get("scale") or 1 / math.sqrt(depth)
    read = len(n.used) > 3 and n.used[3]
    whole = not read and not n.get("softcap", 0.0)
    causal = bool(n.get("is_causal", 0)) and whole and not past and n.input(6) is None
    mask = _mask(b, n, columns, _counted(b, n, rows, columns, past, causal))
    scores = None
    if whole:
        made: Value = b.op("attention", q, k, v, mask, scale=scale, causal=causal)
    else:
        made, scores = _by_parts(b, n, q, k, v, mask, scale)
    if b.rank(n[0]) == 3:
        batch, heads, _, width = b.shape(made)
        made = b.reshape(b.transpose(made, [0, 2, 1, 3]), [batch, rows, heads * width])
    return [made, k, v, scores][: max(n.outputs, 1)]


def _counted(b: Builder, n: Node, rows: int, columns: int, past: int, causal: bool) -> Value | None:
    """Which keys each query sees: those behind it and in its window, and those that are no padding. `causal`: what is
    behind a query is left to the op."""
    left, right = n.get("left_window_size", -1), n.get("right_window_size", -1)
    if n.get("is_causal", 0) and not causal:
        right = 0
    apart: Value = np.arange(rows).reshape(rows, 1) + past - np.arange(columns).reshape(1, columns)
    keep: list[Value] = []
    lengths = n.input(6)
    if lengths is not None:
        sizes = b.reshape(lengths, [b.shape(lengths)[0], 1, 1, 1])
        keep.append(_compared(b, np.arange(columns).reshape(1, 1, 1, columns), sizes, "lt"))
        if left >= 0 or right >= 0:
            behind = apart.reshape(1, 1, rows, columns) - rows
            apart = behind + sizes if isinstance(sizes, np.ndarray) else b.op("add", behind, sizes)
    if left >= 0:
        keep.append(_compared(b, apart, np.asarray(left), "le"))
    if right >= 0:
        keep.append(_compared(b, apart, np.asarray(-right), "ge"))
    found: Value | None = None
    for one in keep:
        if found is None:
            found = one
        elif isinstance(found, np.ndarray) and isinstance(one, np.ndarray):
            found = found & one
        else:
            found = b.op("logical_and", found, one)
    return found


def _compared(b: Builder, x: Value, y: Value, direction: str) -> Value:
    if isinstance(x, np.ndarray) and isinstance(y, np.ndarray):
        return {"lt": np.less, "le": np.less_equal, "ge": np.greater_equal}[direction](x, y)
    return b.op("compare", x, y, direction=direction)


def _mask(b: Builder, n: Node, columns: int, keep: Value | None) -> Value | None:
    """The mask of the node, as wide as there are keys, and `keep` in one: of bool, or what is added."""
    mask = n.input(3)
    if mask is None:
        return keep
    x = b.tensor(mask)
    if b.shape(x)[-1] < columns:
        pads = [0] * (2 * b.rank(x))
        pads[-1] = columns - b.shape(x)[-1]
        x = b.op("pad", x, pads=pads, value=0.0 if b.is_bool(x) else -math.inf)
    if keep is None:
        return x
    if b.is_bool(x):
        return b.op("logical_and", x, keep)
    return b.op("select", keep, x, np.asarray(-math.inf, np.float32))


def _by_parts(
    b: Builder, n: Node, q: Value, k: Value, v: Value, mask: Value | None, scale: float
) -> tuple[Value, Value]:
    """Attention with a cap of its scores, and the scores that are asked for: as they are, capped, masked, or the shares
    that they give."""
    heads, groups = b.shape(q)[1], b.shape(k)[1]
    if heads != groups:
        k, v = (_repeated(b, x, heads // groups) for x in (k, v))
    scores = b.op("mul", b.op("matmul", q, k, transpose_b=True), scale)
    found = [scores]
    cap = n.get("softcap", 0.0)
    if cap:
        scores = b.op("mul", b.op("tanh", b.op("mul", scores, 1 / cap)), cap)
    found.append(scores)
    if mask is not None and b.is_bool(mask):
        scores = b.op("select", mask, scores, np.asarray(-math.inf, np.float32))
    elif mask is not None:
        scores = b.op("add", scores, mask)
    found.append(scores)
    shares = b.op("softmax", scores, masked=mask is not None)
    found.append(shares)
    mode: int = n.get("qk_matmul_output_mode", 0)
    return b.op("matmul", shares, v), found[mode]


def _repeated(b: Builder, x: Value, times: int) -> Value:
    batch, groups, rows, depth = b.shape(x)
    wide = b.op(
        "broadcast", b.reshape(x, [batch, groups, 1, rows, depth]), shape=[batch, groups, times, rows, depth]
    )
    return b.reshape(wide, [batch, groups * times, rows, depth])


@converts("RotaryEmbedding")
def _rotary(b: Builder, n: Node) -> Value:
    """x is [B, H, S, D] or [B, S, H D]; the caches are [positions, D / 2], or [B, S, D / 2] without positions."""
    x = _heads(b, n[0], n.get("num_heads") or None)
    batch, heads, rows, depth = b.shape(x)
    width = n.get("rotary_embedding_dim", 0) or depth
    cos, sin = n[1], n[2]
    positions = n.input(3)
    if positions is not None:
        cos, sin = (b.op("gather", cache, positions, axis=0) for cache in (cos, sin))
    cos, sin = (b.reshape(cache, [b.shape(cache)[0], 1, rows, width // 2]) for cache in (cos, sin))
    turned, rest = b.slice(x, 3, 0, width), None
    if width < depth:
        rest = b.slice(x, 3, width, depth)
    made: Value = b.op("rope", turned, cos, sin, interleaved=bool(n.get("interleaved", 0)))
    if rest is not None:
        made = b.op("concat", [made, rest], axis=3)
    if b.rank(n[0]) == 3:
        made = b.reshape(b.transpose(made, [0, 2, 1, 3]), [batch, rows, heads * depth])
    return made

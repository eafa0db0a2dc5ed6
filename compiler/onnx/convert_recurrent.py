"""Recurrent cells, unrolled: the inputs of all steps are one product, each step has one of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .builder import Builder, Node, converts
from .unsupported import Unsupported

if TYPE_CHECKING:
    from .builder import Value

MOST_STEPS = 512
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
ACTIVATIONS = {
    "LSTM": ("Sigmoid", "Tanh", "Tanh"),
    "GRU": ("Sigmoid", "Tanh"),
    "RNN": ("Tanh",),
}
FUNCTIONS = {
    "sigmoid": "sigmoid",
    "tanh": "tanh",
    "relu": "relu",
    "softplus": "softplus",
    "hardsigmoid": "hard_sigmoid",
    "elu": "elu",
}

Function = Callable[[Any], Any]


@converts("LSTM", "GRU", "RNN")
def _recurrent(b: Builder, n: Node) -> list[Value | None]:
    """x is [S, B, I]; W is [D, G H, I], R [D, G H, H], B [D, 2 G H]; results Y [S, D, B, H] and the last h (and c)."""
    x = n[0]
    layout = n.get("layout", 0)
    if layout:
        x = b.transpose(x, [1, 0, 2])
    steps = b.shape(x)[0]
    if steps > MOST_STEPS:
        raise Unsupported(f"{steps} steps; at most {MOST_STEPS} are unrolled")
    if n.get("clip") is not None:
        raise Unsupported("a clip of cells")
    lengths = n.input(4)
    if lengths is not None and any(length != steps for length in b.ints(lengths, "the lengths of sequences")):
        raise Unsupported("sequences of several lengths")
    direction = n.get("direction", "forward")
    both = 2 if direction == "bidirectional" else 1
    outputs: list[list[Value]] = []
    ends: list[tuple[Value, Value | None]] = []
    for d in range(both):
        backwards = direction == "reverse" or d == 1
        made, end = _direction(b, n, x, d, both, backwards, bool(layout))
        outputs.append(made)
        ends.append(end)
    return _results(b, n, outputs, ends, bool(layout))


def _direction(
    b: Builder, n: Node, x: Value, d: int, both: int, backwards: bool, layout: bool
) -> tuple[list[Value], tuple[Value, Value | None]]:
    steps, batch, width = b.shape(x)
    hidden = n.get("hidden_size") or b.shape(n[2])[2]
    gates = GATES[n.op]
    w, r = (b.reshape(b.slice(n[i], 0, d, d + 1), b.shape(n[i])[1:]) for i in (1, 2))
    functions = _functions(b, n, d, both)
    bias_w = bias_r = None
    if n.input(3) is not None:
        bias = b.reshape(b.slice(n[3], 0, d, d + 1), [2 * gates * hidden])
        bias_w, bias_r = (
            b.slice(bias, 0, 0, gates * hidden),
            b.slice(bias, 0, gates * hidden, 2 * gates * hidden),
        )
    h, c = (_start(b, n, i, d, batch, hidden, layout) for i in (5, 6))
    flat = b.reshape(x, [steps * batch, width])
    inputs: Value = b.op("matmul", flat, w, transpose_b=True)
    after_reset = n.op == "GRU" and bool(n.get("linear_before_reset", 0))
    # the bias of a GRU's candidate is inside the reset gate, or beside it
    if bias_w is not None and bias_r is not None:
        if n.op == "GRU":
            inside = b.slice(bias_r, 0, 2 * hidden, 3 * hidden)
            outside = _sum(b, bias_w, _padded(b, b.slice(bias_r, 0, 0, 2 * hidden), hidden))
            outside = outside if after_reset else _sum(b, outside, _padded(b, inside, 2 * hidden, front=True))
            inputs = b.op("bias_add", inputs, outside, axis=1)
            bias_r = inside
        else:
            inputs = b.op("bias_add", inputs, _sum(b, bias_w, bias_r), axis=1)
    made: list[Value] = []
    order = range(steps)[::-1] if backwards else range(steps)
    for step in order:
        row = b.slice(inputs, 0, step * batch, (step + 1) * batch)
        if n.op == "LSTM":
            h, c = _lstm(b, n, row, h, c, r, functions, d, hidden)
        elif n.op == "GRU":
            h = _gru(b, row, h, r, bias_r if after_reset else None, functions, hidden, after_reset)
        else:
            h = functions[0](row if h is None else b.op("add", row, b.op("matmul", h, r, transpose_b=True)))
        made.append(h)
    assert h is not None
    return made[::-1] if backwards else made, (h, c)


def _functions(b: Builder, n: Node, d: int, both: int) -> list[Function]:
    defaults = ACTIVATIONS[n.op]
    names = n.get("activations") or list(defaults) * both
    chosen = names[d * len(defaults) : (d + 1) * len(defaults)]
    if n.has("activation_alpha") or n.has("activation_beta"):
        raise Unsupported("activations with parameters")
    return [_function(b, name) for name in chosen]


def _function(b: Builder, name: str) -> Function:
    if name.lower() not in FUNCTIONS:
        raise Unsupported(f"activation '{name}'")
    op = FUNCTIONS[name.lower()]
    return lambda value: b.op(op, value)


def _start(b: Builder, n: Node, index: int, d: int, batch: int, hidden: int, layout: bool) -> Value | None:
    """The initial state of a direction; None where it is zeros."""
    given = n.input(index)
    if given is None or (isinstance(given, np.ndarray) and not given.any()):
        return None
    return b.reshape(b.slice(given, 1 if layout else 0, d, d + 1), [batch, hidden])


def _sum(b: Builder, x: Value, y: Value) -> Value:
    if isinstance(x, np.ndarray) and isinstance(y, np.ndarray):
        return b.renamed(x, x + y)
    return b.op("add", x, y)


def _padded(b: Builder, x: Value, more: int, front: bool = False) -> Value:
    pads = [more, 0] if front else [0, more]
    if isinstance(x, np.ndarray):
        return b.renamed(x, np.pad(x, (pads[0], pads[1])))
    return b.op("pad", x, pads=pads)


def _lstm(
    b: Builder,
    n: Node,
    row: Value,
    h: Value | None,
    c: Value | None,
    r: Value,
    functions: list[Function],
    d: int,
    hidden: int,
) -> tuple[Value, Value]:
    """Gates i, o, f, c."""
    gates = row if h is None else b.op("add", row, b.op("matmul", h, r, transpose_b=True))
    i, o, f, g = (b.slice(gates, 1, k * hidden, (k + 1) * hidden) for k in range(4))
    sigmoid, squash, last = functions
    peepholes = n.input(7)
    weights: list[Value | None] = [None, None, None]
    if peepholes is not None:
        whole = b.reshape(b.slice(peepholes, 0, d, d + 1), [3 * hidden])
        weights = [b.slice(whole, 0, k * hidden, (k + 1) * hidden) for k in range(3)]

    def with_cell(gate: Value, weight: Value | None, cell: Value | None) -> Value:
        return gate if weight is None or cell is None else b.op("add", gate, b.op("mul", weight, cell))

    i, f = with_cell(i, weights[0], c), with_cell(f, weights[2], c)
    keep = sigmoid(f)
    new = b.op("mul", sigmoid(i), squash(g))
    if n.get("input_forget", 0):
        new = b.op("mul", b.op("sub", 1.0, keep), squash(g))
    cell = new if c is None else b.op("add", b.op("mul", keep, c), new)
    o = with_cell(o, weights[1], cell)
    return b.op("mul", sigmoid(o), last(cell)), cell


def _gru(
    b: Builder,
    row: Value,
    h: Value | None,
    r: Value,
    bias: Value | None,
    functions: list[Function],
    hidden: int,
    after: bool,
) -> Value:
    """Gates z, r, h; with `after` the reset gate is applied to the product."""
    sigmoid, squash = functions
    z, reset, new = (b.slice(row, 1, k * hidden, (k + 1) * hidden) for k in range(3))
    if h is None:
        if after and bias is not None:
            new = b.op("add", new, b.op("mul", sigmoid(reset), b.reshape(bias, [1, hidden])))
        return b.op("mul", b.op("sub", 1.0, sigmoid(z)), squash(new))
    gates = b.op("matmul", h, b.slice(r, 0, 0, 2 * hidden), transpose_b=True)
    z = sigmoid(b.op("add", z, b.slice(gates, 1, 0, hidden)))
    reset = sigmoid(b.op("add", reset, b.slice(gates, 1, hidden, 2 * hidden)))
    last = b.slice(r, 0, 2 * hidden, 3 * hidden)
    if after:
        inner: Value = b.op("matmul", h, last, transpose_b=True)
        inner = inner if bias is None else b.op("bias_add", inner, bias, axis=1)
        new = b.op("add", new, b.op("mul", reset, inner))
    else:
        new = b.op("add", new, b.op("matmul", b.op("mul", reset, h), last, transpose_b=True))
    new = squash(new)
    # (1 - z) new + z h
    return b.op("add", new, b.op("mul", z, b.op("sub", h, new)))


def _results(
    b: Builder, n: Node, outputs: list[list[Value]], ends: list[tuple[Value, Value | None]], layout: bool
) -> list[Value | None]:
    batch, hidden = b.shape(outputs[0][0])
    steps = len(outputs[0])

    def stacked(values: list[Value], axis: int) -> Value:
        shape = [batch, hidden]
        shape.insert(axis, 1)
        parts = [b.reshape(value, shape) for value in values]
        return parts[0] if len(parts) == 1 else b.op("concat", parts, axis=axis)

    whole: Value | None = None
    if n.used[0]:
        if layout:  # [B, S, D, H]
            sides = [stacked(made, 1) for made in outputs]
            parts = [b.reshape(side, [batch, steps, 1, hidden]) for side in sides]
            whole = parts[0] if len(parts) == 1 else b.op("concat", parts, axis=2)
        else:  # [S, D, B, H]
            rows = [b.reshape(stacked(made, 0), [steps, 1, batch, hidden]) for made in outputs]
            whole = rows[0] if len(rows) == 1 else b.op("concat", rows, axis=1)
    last: list[Value | None] = []
    for index in range(2):
        values = [end[index] for end in ends]
        if len(n.used) > index + 1 and n.used[index + 1] and all(value is not None for value in values):
            last.append(stacked([v for v in values if v is not None], 1 if layout else 0))
        else:
            last.append(None)
    return [whole, *last][: n.outputs]

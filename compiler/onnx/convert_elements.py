"""Operators on elements: functions, arithmetic, comparisons, selections, casts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import f32, i1, i32
from xdsl.ir import SSAValue

from .builder import Builder, Node, converts, refuses, widely
from .narrow_numbers import RANGES, narrowed
from .unsupported import Unsupported

if TYPE_CHECKING:
    from .builder import Value

FUNCTIONS = {
    "Abs": "abs",
    "Ceil": "ceil",
    "Cos": "cos",
    "Erf": "erf",
    "Exp": "exp",
    "Floor": "floor",
    "HardSwish": "hard_swish",
    "IsNaN": "is_nan",
    "Log": "log",
    "Mish": "mish",
    "Neg": "neg",
    "Not": "logical_not",
    "Reciprocal": "reciprocal",
    "Relu": "relu",
    "Round": "round",
    "Sigmoid": "sigmoid",
    "Sign": "sign",
    "Sin": "sin",
    "Softplus": "softplus",
    "Sqrt": "sqrt",
    "Tanh": "tanh",
}
"""Operators of one tensor that are an op of the graph dialect."""
PAIRS = {
    "Add": "add",
    "Sub": "sub",
    "Mul": "mul",
    "Div": "div",
    "And": "logical_and",
    "Or": "logical_or",
    "Xor": "logical_xor",
}
"""The same of two."""
SEVERAL = {"Max": "maximum", "Min": "minimum", "Sum": "add"}
"""Operators of any number of tensors, and the op that joins two."""
COMPARISONS = {"Equal": "eq", "Less": "lt", "LessOrEqual": "le", "Greater": "gt", "GreaterOrEqual": "ge"}


@converts(*FUNCTIONS)
def _function(b: Builder, n: Node) -> Value:
    return b.op(FUNCTIONS[n.op], n[0])


@converts(*PAIRS)
def _pair(b: Builder, n: Node) -> Value:
    _check_broadcast(n)
    return b.op(PAIRS[n.op], n[0], n[1])


def _check_broadcast(n: Node) -> None:
    if n.version < 7 and n.get("broadcast", 0):
        raise Unsupported(f"broadcasting as it was before opset 7 (this is opset {n.version})")


@converts(*SEVERAL)
def _several(b: Builder, n: Node) -> Value:
    return _joined(b, n, SEVERAL[n.op])


@converts("Mean")
@widely
def _mean(b: Builder, n: Node) -> Value:
    return b.op("mul", _joined(b, n, "add"), 1 / len(n.inputs))


def _joined(b: Builder, n: Node, op: str) -> Value:
    first, *others = n.inputs
    if first is None:
        raise Unsupported("there is no input")
    for other in others:
        first = b.op(op, first, other)
    return first


@converts(*COMPARISONS)
def _comparison(b: Builder, n: Node) -> Value:
    return b.op("compare", n[0], n[1], direction=COMPARISONS[n.op])


@converts("IsInf")
def _is_inf(b: Builder, n: Node) -> Value:
    positive, negative = n.get("detect_positive", 1), n.get("detect_negative", 1)
    if positive and negative:
        return b.op("compare", b.op("abs", n[0]), math.inf, direction="eq")
    return b.op("compare", n[0], math.inf if positive else -math.inf, direction="eq")


@converts("Where")
def _where(b: Builder, n: Node) -> Value:
    return b.op("select", n[0], n[1], n[2])


@converts("Pow")
def _pow(b: Builder, n: Node) -> Value:
    """Of whole numbers in f32."""
    _check_broadcast(n)
    exponent = n[1]
    if not b.is_float(n[0]):
        wide = b.op("pow", b.op("cast", b.tensor(n[0]), to=f32), b.tensor(exponent, f32), like=f32)
        return b.op("cast", b.op("round", wide, like=f32), to=i32)
    if isinstance(exponent, SSAValue) and not b.is_float(exponent):
        exponent = b.op("cast", exponent, to=b.float_type)
    elif isinstance(exponent, np.ndarray):
        exponent = exponent.astype(np.float32)
    return b.op("pow", n[0], exponent)


@converts("LeakyRelu")
def _leaky_relu(b: Builder, n: Node) -> Value:
    return b.op("leaky_relu", n[0], alpha=n.get("alpha", 0.01))


@converts("Elu")
def _elu(b: Builder, n: Node) -> Value:
    return b.op("elu", n[0], alpha=n.get("alpha", 1.0))


@converts("Selu")
def _selu(b: Builder, n: Node) -> Value:
    alpha, gamma = n.get("alpha", 1.6732632), n.get("gamma", 1.0507009873554805)
    return b.op("mul", b.op("elu", n[0], alpha=alpha), gamma)


@converts("Celu")
def _celu(b: Builder, n: Node) -> Value:
    """max(0, x) + min(0, alpha (exp(x / alpha) - 1))"""
    alpha = n.get("alpha", 1.0)
    if alpha == 1:
        return b.op("elu", n[0], alpha=1.0)
    return b.op("mul", b.op("elu", b.op("mul", n[0], 1 / alpha), alpha=1.0), alpha)


@converts("ThresholdedRelu")
def _thresholded_relu(b: Builder, n: Node) -> Value:
    above = b.op("compare", n[0], n.get("alpha", 1.0), direction="gt")
    return b.op("select", above, n[0], np.zeros((), np.float32))


@converts("Softsign")
def _softsign(b: Builder, n: Node) -> Value:
    return b.op("div", n[0], b.op("add", b.op("abs", n[0]), 1.0))


@converts("Tan")
def _tan(b: Builder, n: Node) -> Value:
    return b.op("div", b.op("sin", n[0]), b.op("cos", n[0]))


@converts("PRelu")
def _prelu(b: Builder, n: Node) -> Value:
    return b.op("prelu", n[0], n[1])


@converts("HardSigmoid")
def _hard_sigmoid(b: Builder, n: Node) -> Value:
    return b.op("hard_sigmoid", n[0], alpha=n.get("alpha", 0.2), beta=n.get("beta", 0.5))


@converts("Swish")
def _swish(b: Builder, n: Node) -> Value:
    alpha = n.get("alpha", 1.0)
    if alpha == 1:
        return b.op("silu", n[0])
    return b.op("mul", n[0], b.op("sigmoid", b.op("mul", n[0], alpha)))


@converts("Gelu")
def _gelu(b: Builder, n: Node) -> Value:
    return b.op("gelu", n[0], approximate=n.get("approximate", "none"))


@converts("Clip")
def _clip(b: Builder, n: Node) -> Value:
    """Bounds are attributes before opset 11, inputs since."""
    low: Any = n.get("min") if n.version < 11 else n.input(1)
    high: Any = n.get("max") if n.version < 11 else n.input(2)
    if not any(isinstance(bound, SSAValue) for bound in (low, high)):
        bounds = {
            name: None if bound is None else float(np.asarray(bound).reshape(-1)[0])
            for name, bound in (("min", low), ("max", high))
        }
        return b.op("clip", n[0], **bounds)
    x = n[0] if low is None else b.op("maximum", n[0], low)
    return x if high is None else b.op("minimum", x, high)


@converts("Cast", "CastLike")
def _cast(b: Builder, n: Node) -> Value:
    """All floats of the model are of one type, and all whole numbers of another one."""
    import onnx_ir as ir

    x = b.tensor(n[0])
    if n.op == "Cast":
        kind = ir.DataType(n.get("to")).name
    else:
        kind = "BOOL" if b.is_bool(n[1]) else "FLOAT" if b.is_float(n[1]) else "INT64"
    if kind == "BOOL":
        return x if b.is_bool(x) else b.op("cast", x, to=i1)
    if kind in ("FLOAT", "FLOAT16", "BFLOAT16", "DOUBLE"):
        return b.tensor(x, b.float_type)
    if kind in RANGES:
        whole = not b.is_float(x) and not b.is_bool(x)  # floats out of range have no defined result
        found = b.tensor(x, i32)
        return narrowed(b, found, kind) if whole else found
    if kind in ("INT64", "INT32", "UINT32"):
        return b.tensor(x, i32)
    raise Unsupported(f"a cast to {kind.lower()}")


@converts("Mod")
def _mod(b: Builder, n: Node) -> Value:
    """What a quotient of whole numbers leaves over; with `fmod` of the sign of x, else of that of y."""
    x, y = n[0], n[1]
    if b.is_float(x) or b.is_float(y):
        raise Unsupported(
            "the chip's units leave nothing over of a quotient of floats; whole numbers are taken"
        )
    rest = b.op("sub", x, b.op("mul", y, b.op("div", x, y)))
    if n.get("fmod", 0):
        return rest
    zero = np.zeros((), np.int64)
    apart = b.op("logical_xor", *(b.op("compare", one, zero, direction="lt") for one in (rest, y)))
    other = b.op("logical_and", apart, b.op("compare", rest, zero, direction="ne"))
    return b.op("select", other, b.op("add", rest, y), rest)


refuses(
    *("BitwiseNot", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitShift"),
    reason="the chip's units do not compute it",
)


@converts("Dropout")
def _dropout(b: Builder, n: Node) -> list[Value | None]:
    """At inference: x, and a mask of ones."""
    training = n.input(2)
    if training is not None and b.known(training, "training_mode").any():
        raise Unsupported("dropout of training")
    x = b.tensor(n[0])
    return [x, np.ones(b.shape(x), np.bool_) if n.outputs > 1 else None][: n.outputs]


@converts("Identity")
def _identity(b: Builder, n: Node) -> Value:
    return n[0]

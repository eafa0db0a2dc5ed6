"""Pairs of ops, one of which takes the other's result, for every two ops of the graph dialect that need a kernel."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from operator_calls import text
from xdsl.dialects.builtin import Float16Type, Float32Type, IntegerType, TensorType

from ascend_opt.dialects import graph
from ascend_opt.dialects.graph.base import GraphOp
from ascend_opt.dialects.graph.elementwise import BinaryOp

SHAPES = ((2, 17, 6, 10), (1, 32, 4, 33), (3, 5, 8, 16))
KINDS = {
    "DT": Float16Type(),
    "i1": IntegerType(1),
    "i8": IntegerType(8),
    "i32": IntegerType(32),
    "f32": Float32Type(),
}
Operands = list[tuple[Sequence[int], str]]
Values = dict[str, Any]

ATTRIBUTES: dict[str, Values] = {
    "compare": {"direction": "gt"},
    "keep_where": {"direction": "ge", "value": -1.0},
    "quantize": {"scale": 0.05},
    "dequantize": {"scale": 0.05, "to": Float16Type()},
    "pad": {"pads": (0, 1, 0, 1, 1, 0, 2, 1)},
    "transpose": {"perm": (0, 2, 1, 3)},
    "slice": {"starts": (1, 0), "ends": (9, 4), "axes": (-1, -2)},
    "concat": {"axis": -1},
    "reduce_sum": {"axes": (-1,), "keep_dims": True},
    "reduce_mean": {"axes": (-1,)},
    "reduce_max": {"axes": (1,), "keep_dims": True},
    "reduce_min": {"axes": (-1,)},
    "reduce_prod": {"axes": (0,)},
    "max_pool2d": {"kernel": (3, 3), "pads": (1, 1, 1, 1)},
    "avg_pool2d": {"kernel": (2, 2), "strides": (2, 2)},
    "conv2d": {"pads": (1, 1, 1, 1)},
    "cast": {"to": Float16Type()},
    "leaky_relu": {"alpha": 0.2},
    "clip": {"min": -0.5, "max": 0.75},
    "cumsum": {"axis": -1},
}
FIRST = {
    "logical_and": "i1",
    "logical_or": "i1",
    "logical_xor": "i1",
    "logical_not": "i1",
    "select": "i1",
    "dequantize": "i8",
}
"""Element type of an op's first operand, where it is no floating-point one."""


def ops() -> list[type[GraphOp]]:
    """Those that need a kernel of their own."""
    return [op for op in graph.OPS if op.TILING.engine in ("vector", "cube") and op.short_name() != "dropout"]


def operands(op: type[GraphOp], shape: Sequence[int]) -> Operands | None:
    """What an op takes whose first operand has a shape, that one included; None where none of that shape will do."""
    name, rank = op.short_name(), len(shape)
    first: Operands = [(shape, FIRST.get(name, "DT"))]
    images = {"conv2d", "max_pool2d", "avg_pool2d", "instance_norm", "bias_add", "batch_norm"}
    if name in images | {"pad", "transpose"} and rank != 4:
        return None
    if rank < 2 or (name == "slice" and (shape[-1] < 2 or shape[-2] < 1)):
        return None
    if name == "avg_pool2d" and min(shape[2:]) < 2:
        return None
    vectors = {"bias_add": 1, "batch_norm": 4, "instance_norm": 2}
    if name in vectors:
        return first + [((shape[1],), "DT")] * vectors[name]
    if name in ("layer_norm", "rms_norm", "prelu"):
        return first + [(shape[-1:], "DT")] * (2 if name == "layer_norm" else 1)
    if name == "matmul":
        return [*first, ((shape[-1], 24), "DT!")]
    if name == "softmax_matmul":
        return [*first, ((*(1 for _ in shape[2:]), shape[-1], 32), "DT!")]
    if name == "conv2d":
        return [*first, ((12, shape[1], 3, 3), "DT!")]
    if name == "select":
        return [*first, (shape, "DT"), (shape, "DT")]
    if name == "keep_where":
        return [*first, ((*shape[-2:-1], 1), "DT"), (shape[-1:], "DT")] if rank > 1 else None
    if name == "gather":
        return [*first, ((3,), "i32")]
    if name == "concat":
        return [*first, ((*shape[:-1], 16), "DT")]
    if issubclass(op, BinaryOp):
        return [*first, (shape, first[0][1])]
    return first


def attributes(op: type[GraphOp], shape: Sequence[int]) -> Values:
    if op.short_name() == "broadcast":
        return {"shape": (2, *shape)}
    return ATTRIBUTES.get(op.short_name(), {})


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return f'"{value}"' if isinstance(value, str) else "DT" if value == Float16Type() else str(value)


def _call(op: type[GraphOp], names: Sequence[str], shape: Sequence[int], result: str) -> str:
    stated = ['fuse = "g"', *(f"{k} = {_text_of(v)}" for k, v in attributes(op, shape).items())]
    return f"  {result} = {op.short_name()}({', '.join(names)}) {{{', '.join(stated)}}}"


def _type(given: tuple[Sequence[int], str]) -> TensorType[Any]:
    return TensorType(KINDS[given[1].rstrip("!")], given[0])


def result_of(op: type[GraphOp], given: Operands, shape: Sequence[int]) -> tuple[tuple[int, ...], str]:
    """Shape and element type of an op's result."""
    built = op.infer(
        [_type(one) for one in given],
        _properties(op, attributes(op, shape)),
    )
    kind = next(k for k, t in KINDS.items() if t == built[0].element_type)
    return tuple(built[0].get_shape()), kind


def _properties(op: type[GraphOp], values: Values) -> Values:
    from ascend_opt.dialects.graph.base import to_attribute

    specs = op.attribute_specs()
    return {name: to_attribute(specs[name].kind, value) for name, value in values.items()}


def pairs() -> Iterator[tuple[str, str]]:
    """(producer and consumer, graph text) for every two ops of which the second takes what the first gives, each on one
    of the shapes in turn."""
    for number, (producer, consumer) in enumerate(product(ops(), ops())):
        shape = SHAPES[number % len(SHAPES)]
        first = operands(producer, shape)
        if first is None:
            continue
        made, kind = result_of(producer, first, shape)
        second = operands(consumer, made)
        if second is not None and kind == "f32":  # whatever the producer takes
            second = [(size, of.replace("DT", "f32")) for size, of in second]
        if second is None or second[0][1] != kind:
            continue
        inputs = [*first, *second[1:]]
        names = [f"%{'xwbcdefgh'[i]}" for i in range(len(inputs))]
        given = ", ".join(
            f"{name}: {text(size, of.rstrip('!'))}" + " {weight}" * of.endswith("!")
            for name, (size, of) in zip(names, inputs, strict=True)
        )
        calls = [
            _call(producer, names[: len(first)], shape, "%y"),
            _call(consumer, ["%y", *names[len(first) :]], made, "%z"),
        ]
        yield (
            f"{producer.short_name()} {consumer.short_name()}",
            "\n".join([f"graph @f({given}) {{", *calls, "  return %z", "}"]),
        )

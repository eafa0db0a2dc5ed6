"""The work done once before the first run: `@name.prepare`, on tensors.

Graph ops are evaluated by the reference, each result rounded to its storage type; `ascend.pack` lays a
weight out as the Cube reads it; constants are arrays.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue

from ...dialects.ascend import PackOp
from ...dialects.attributes import integers, tensor_type
from ...dialects.graph.base import GraphOp
from ...dialects.storage_types import is_float
from ..machine.memory import NUMPY_TYPES, Array
from ..reference import evaluate_op
from ..reference.structure import round_to
from ..support.hazard import ProgramError


def pack(op: PackOp, source: Array) -> Array:
    """Put the last block of `lead` first, zero-pad to `padded`, split into `split`, permute by `permutation`."""
    if op.lead is not None:
        dim = op.lead.value.data
        end = np.take(source, range(source.shape[dim] - 16, source.shape[dim]), axis=dim)
        source = np.concatenate([end, source], axis=dim)
    padded, split, order = (integers(a) for a in (op.padded, op.split, op.permutation))
    if len(padded) != source.ndim or any(p < n for p, n in zip(padded, source.shape, strict=False)):
        raise ProgramError(f"ascend.pack: cannot pad {source.shape} to {padded}")
    room = source
    if tuple(padded) != source.shape:
        room = np.zeros(padded, source.dtype)
        room[tuple(slice(n) for n in source.shape)] = source
    return np.ascontiguousarray(room.reshape(split).transpose(order))


def stored(value: SSAValue, array: Array, overflow: str) -> Array:
    """`array` in the storage type of `value`."""
    element = tensor_type(value).element_type
    return round_to(np.asarray(array), element, overflow).astype(NUMPY_TYPES[str(element)], copy=False)


def constant(op: arith.ConstantOp) -> Array:
    value = op.value
    if not isinstance(value, DenseIntOrFPElementsAttr):
        raise ProgramError(f"arith.constant {op} is not a tensor")
    tensor = tensor_type(op.result)
    shape = tensor.get_shape()
    flat = np.frombuffer(value.data.data, NUMPY_TYPES[str(tensor.element_type)])
    return np.broadcast_to(flat, shape).copy() if flat.size == 1 else flat.reshape(shape)


def run_prepare(
    function: FuncOp,
    arguments: Sequence[Array],
    overflow: str,
    report: Callable[[str, int], None] | None = None,
) -> list[Array]:
    """Results of a prepare function; `report(op name, result bytes)` is told of every op run. What no op needs any more
    is let go; a result that no op computes shares the bytes of its argument."""
    left = Counter(value for op in function.body.block.ops for value in op.operands)
    values: dict[SSAValue, Array] = {}
    for argument, array in zip(function.body.block.args, arguments, strict=True):
        values[argument] = stored(argument, array, overflow)
    for op in function.body.block.ops:
        operands = [values[v] for v in op.operands]
        left.subtract(op.operands)
        for value in op.operands:
            if not left[value]:
                values.pop(value, None)
        if isinstance(op, ReturnOp):
            return operands
        if isinstance(op, PackOp):
            results: Sequence[Array] = [pack(op, operands[0])]
        elif isinstance(op, arith.ConstantOp):
            results = [constant(op)]
        elif isinstance(op, GraphOp):
            wide = [a.astype(np.float32) if is_float(a.dtype) else a for a in operands]
            results = [stored(v, a, overflow) for v, a in zip(op.results, evaluate_op(op, wide), strict=True)]
        else:
            raise ProgramError(f"@{function.sym_name.data}: {op.name} cannot run in a prepare function")
        values.update(zip(op.results, results, strict=True))
        if report is not None:
            report(op.name, sum(r.nbytes for r in results))
    raise ProgramError(f"@{function.sym_name.data} does not return")


def pick(inputs: Mapping[str, Any], name: str, function: str) -> Array:
    if name not in inputs:
        raise ProgramError(f"@{function}: input {name!r} is missing; given: {', '.join(inputs) or 'none'}")
    return np.asarray(inputs[name])

"""Runs a function of graph ops on arrays."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import AnyFloat, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, SSAValue

from ...dialects.graph import CastOp, QuantizeOp
from ...dialects.graph.arguments import argument_names, weight_values
from ...dialects.graph.base import GraphOp, dims
from ...dialects.storage_types import numpy_dtype
from ..support.hazard import ProgramError
from .registry import reference_of
from .structure import round_to

Array = NDArray[Any]
PRECISIONS = {"f32": np.float32, "f64": np.float64}


def evaluate_op(op: GraphOp, operands: Sequence[Array]) -> list[Array]:
    """The results of one op on arrays, unrounded. Raises ProgramError for an index out of range."""
    types = [cast(TensorType[Attribute], result.type) for result in op.results]
    if op.operands and all(0 in type_.get_shape() for type_ in types):
        return [np.empty(type_.get_shape(), numpy_dtype(type_.element_type)) for type_ in types]
    with np.errstate(all="ignore"):
        try:
            result: Any = reference_of(op.name)(*operands, **op.attribute_values())
        except IndexError as error:
            raise ProgramError(f"{op.name}: {error}", op) from None
    results: Sequence[Any] = result if len(op.results) > 1 else (result,)
    return [np.asarray(r) for r in results]


def evaluate(
    program: ModuleOp | FuncOp,
    inputs: Mapping[str, Array] | Sequence[Array],
    *,
    name: str | None = None,
    precision: str = "f32",
    round_results: bool = False,
    overflow: str = "inf",
    nudge: float = 0.0,
    weights_rounded: bool = False,
    casts_rounded: bool = True,
) -> list[Array]:
    """The outputs of a function of graph ops, as floating arrays of `precision` ("f32" or "f64").

    `inputs` are given by argument name or in order; each is first rounded to its storage type. `name`
    chooses among several functions. With `round_results` every result is rounded to its storage type,
    where `overflow` ("inf" or "saturate") says what lies past the largest number.
    With `weights_rounded` so is what depends on weights and constants alone, as before the first run. Without
    `casts_rounded` a cast from one floating type to another is no rounding either.
    What `graph.quantize` takes is moved by the share `nudge` of it, up and down in turn, which shows what small errors
    before it do behind it.
    Raises ValueError if an input is missing, unknown or of another shape, or an op has no reference.
    """
    function = find_function(program, name)
    if function.body.block.last_op is None:
        raise ValueError(f"@{function.sym_name.data} has no body")
    dtype = PRECISIONS[precision]

    def widen(array: Array, type_: Attribute, *, rounded: bool) -> Array:
        element = cast(TensorType[Attribute], type_).element_type
        if rounded or not isinstance(element, AnyFloat):
            array = round_to(array, element, overflow)
        return array.astype(dtype, copy=False) if isinstance(element, AnyFloat) else array

    block = function.body.block
    values: dict[SSAValue, Array] = {}
    for argument, array in _bind(function, block, inputs):
        values[argument] = widen(array, argument.type, rounded=True)
    known = weight_values(function) if weights_rounded else set[SSAValue]()
    last_use = {operand: op for op in block.ops for operand in op.operands}
    for op in block.ops:
        operands = [values[operand] for operand in op.operands]
        if isinstance(op, ReturnOp):
            return operands
        if not isinstance(op, GraphOp):
            raise ValueError(f"{op.name} at {op.location} is no graph op; the reference runs the graph level")
        if nudge and isinstance(op, QuantizeOp):
            operands = [_nudged(operand, nudge) for operand in operands]
        exact = not casts_rounded and isinstance(op, CastOp) and _floats(op)
        results = operands if exact else evaluate_op(op, operands)
        for result, array in zip(op.results, results, strict=True):
            if result in last_use:
                values[result] = widen(array, result.type, rounded=round_results or result in known)
        for operand in op.operands:
            if last_use[operand] is op:
                values.pop(operand, None)
    raise ValueError(f"@{function.sym_name.data} does not end in func.return")


def _floats(op: CastOp) -> bool:
    """Whether a cast is from a floating type to another."""
    types = (cast(TensorType[Attribute], value.type) for value in (op.operands[0], op.results[0]))
    return all(isinstance(one.element_type, AnyFloat) for one in types)


def _nudged(x: Array, share: float) -> Array:
    sides = np.where(np.arange(x.size) % 2, 1 - share, 1 + share).astype(x.dtype)
    return x * sides.reshape(x.shape)


def find_function(program: ModuleOp | FuncOp, name: str | None = None) -> FuncOp:
    """The function `name`, or the only one. Raises ValueError if there is none or no choice."""
    if isinstance(program, FuncOp):
        return program
    functions = {op.sym_name.data: op for op in program.walk() if isinstance(op, FuncOp)}
    if name is None and len(functions) == 1:
        return next(iter(functions.values()))
    if name not in functions:
        choice = ", ".join(f"@{known}" for known in functions) or "none"
        problem = "which function" if name is None else f"no function @{name}"
        raise ValueError(f"{problem}: the module has {choice}")
    return functions[name]


def _bind(
    function: FuncOp, block: Block, inputs: Mapping[str, Array] | Sequence[Array]
) -> list[tuple[SSAValue, Array]]:
    names = argument_names(function)
    if not isinstance(inputs, Mapping):
        if len(inputs) != len(names):
            raise ValueError(f"@{function.sym_name.data} takes {len(names)} inputs, got {len(inputs)}")
        inputs = dict(zip(names, inputs, strict=True))
    missing, unknown = [n for n in names if n not in inputs], [n for n in inputs if n not in names]
    if missing or unknown:
        reason = f"input '{missing[0]}' is missing" if missing else f"there is no input '{unknown[0]}'"
        raise ValueError(f"@{function.sym_name.data}: {reason} (inputs: {', '.join(names)})")
    bound: list[tuple[SSAValue, Array]] = []
    for name, argument in zip(names, block.args, strict=True):
        array, type_ = np.asarray(inputs[name]), cast(TensorType[Attribute], argument.type)
        expected = type_.get_shape()
        fits = array.ndim == len(expected) and all(
            e < 0 or e == s for e, s in zip(expected, array.shape, strict=True)
        )
        if not fits:
            found = "x".join(map(str, array.shape)) or "scalar"
            raise ValueError(f"input '{name}' must have shape {dims(type_)}, got {found}")
        bound.append((argument, array))
    return bound

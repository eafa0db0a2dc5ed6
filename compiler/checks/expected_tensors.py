"""What the tensors between a program's kernels should hold: values of its graph, each rounded to its storage type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.ascend import GmAllocOp, ViewTensorOp
from ...dialects.graph.arguments import argument_names
from ...dialects.graph.base import GraphOp, bare_names
from ...dialects.records import dataclass
from ...dialects.storage_types import is_float
from ...passes.fusion.report_graph import sources_of
from ...runtime.execution.prepare import stored
from ...runtime.reference import evaluate_op
from ...runtime.support.hazard import location_text
from ..api import Program, compile_until
from ..pipeline.read_module import choose_function
from .kernel_check import StorageLoss

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

Key = tuple[str, tuple[int, ...]]
"""A location or a name, and a shape."""


@dataclass(frozen=True)
class Narrow:
    """An op whose result its type is too narrow for, what it comes from, and what storing the result costs."""

    op: str
    sources: tuple[str, ...]
    loss: StorageLoss

    def __str__(self) -> str:
        where = f" ({', '.join(self.sources)})" if self.sources else ""
        return f"{bare_names([self.op])}{where}: {self.loss}"


@dataclass(frozen=True)
class ExpectedTensors:
    """`tensors`: what each tensor that the main function allocates should hold, where that is known. `narrow`: the
    first op of the graph whose type is too narrow for its result.

    Kernels keep the location of the graph op whose result they write; a result of the function is known
    by its position. Both are those of the graph after its passes, which change what is between.
    """

    tensors: Mapping[SSAValue, Array]
    narrow: Narrow | None = None


def expected_tensors(program: Program, inputs: Mapping[str, Array]) -> ExpectedTensors:
    """What a program's tensors should hold, given `inputs`. Raises ProgramError for a program without its graph."""
    graph = compile_until(program, "graph")
    function = choose_function(graph, program.name)
    values: dict[SSAValue, Array] = {}
    for name, argument in zip(argument_names(function), function.body.block.args, strict=True):
        values[argument] = inputs[name]
    narrow = _evaluate(function, values, program.target.overflow)
    found = _by_location(program.module, program.name, values)
    results = returned_values(choose_function(program.module, program.name))
    for value, result in zip(results, returned_values(function), strict=True):
        if isinstance(root_of(value).owner, GmAllocOp):
            found[root_of(value)] = values[result]
    return ExpectedTensors(found, narrow)


def _evaluate(function: FuncOp, values: dict[SSAValue, Array], overflow: str) -> Narrow | None:
    """Add to `values` the result of each op of a graph; the first one that its type is too narrow for."""
    narrow: Narrow | None = None
    for op in function.body.block.ops:
        if not isinstance(op, GraphOp):
            continue
        wide = [_wide(values[v]) for v in op.operands]
        for value, array in zip(op.results, evaluate_op(op, wide), strict=True):
            values[value] = stored(value, array, overflow)
            loss = StorageLoss.of(array, values[value].dtype)
            if narrow is None and loss.too_large:
                narrow = Narrow(op.name, sources_of([op]), loss)
    return narrow


def _by_location(module: ModuleOp, name: str, values: Mapping[SSAValue, Array]) -> dict[SSAValue, Array]:
    """The value of the graph for each tensor of the lowered function that has an op's location, or else its name."""
    by_location: dict[Key, Array] = {}
    by_name: dict[Key, Array] = {}
    for value, array in values.items():
        if isinstance(value.owner, Operation):
            shape = cast(TensorType[Attribute], value.type).get_shape()
            by_location[location_text(value.owner), shape] = array
            by_name[value.name_hint or "", shape] = array
    found: dict[SSAValue, Array] = {}
    last: dict[Key, SSAValue] = {}
    for op in choose_function(module, name).body.block.ops:
        if not (isinstance(op, GmAllocOp) or (isinstance(op, ViewTensorOp) and op.start is not None)):
            continue
        shape = cast(Any, op.result.type).get_shape()
        key = location_text(op), shape
        known = by_location.get(key)
        if known is not None:
            # Of the kernels that one op was split into, the last one gives the op's value.
            found.pop(last.get(key, op.result), None)
            last[key] = op.result
        elif op.result.name_hint:
            known = by_name.get((op.result.name_hint, shape))
        if known is not None:
            found[op.result] = known
    return found


def _wide(array: Array) -> Array:
    import numpy as np

    return array.astype(np.float32) if is_float(array.dtype) else array


def returned_values(function: FuncOp) -> Sequence[SSAValue]:
    """What a function returns."""
    last = function.body.block.last_op
    assert isinstance(last, ReturnOp)
    return last.operands


def root_of(value: SSAValue) -> SSAValue:
    """The tensor, or the part of one, that a value is another shape of."""
    while isinstance(value.owner, ViewTensorOp) and value.owner.start is None:
        value = value.owner.source
    return value


__all__ = ["ExpectedTensors", "Narrow", "expected_tensors", "returned_values", "root_of"]

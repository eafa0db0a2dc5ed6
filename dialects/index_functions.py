"""What functions of indices compute: those that turn a run-time size into numbers of tiles, blocks and bytes.

func.func @k.tiling(%n: index) -> (index, index, index) {
  %f = arith.constant 64 : index
  %extent = arith.muli %n, %f : index
  …
  func.return %extent, %tiles, %blocks : index, index, index
}
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

ARITHMETIC: Mapping[type[Operation], Callable[[int, int], int]] = {
    arith.AddiOp: lambda a, b: a + b,
    arith.SubiOp: lambda a, b: a - b,
    arith.MuliOp: lambda a, b: a * b,
    arith.DivUIOp: lambda a, b: a // b,
    arith.CeilDivUIOp: lambda a, b: -(-a // b),
    arith.RemUIOp: lambda a, b: a % b,
    arith.MinSIOp: min,
    arith.MinUIOp: min,
    arith.MaxSIOp: max,
    arith.MaxUIOp: max,
}

_COMPARISONS: tuple[Callable[[int, int], bool], ...] = (
    lambda a, b: a == b, lambda a, b: a != b, lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a > b,
    lambda a, b: a >= b, lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a > b, lambda a, b: a >= b,
)  # fmt: skip
"""Of `arith.cmpi`, in the order of its predicates; indices are never negative."""


class IndexFunctionError(ValueError):
    """An op that a function of indices may not have, `op`, or a division by zero there."""

    def __init__(self, op: Operation, message: str):
        super().__init__(message)
        self.op = op


def evaluate(function: FuncOp, arguments: Sequence[int]) -> list[int]:
    """What a function of indices returns. Raises IndexFunctionError."""
    block = function.body.block
    values: dict[SSAValue, int] = dict(zip(block.args, arguments, strict=True))
    return _block(block, values, function)


def compute(op: Operation, values: dict[SSAValue, int], within: Operation) -> bool:
    """Evaluate one op on indices and put its results into `values`; False for an op that is none. `within` is an op of
    the module in which called functions are."""
    match op:
        case arith.ConstantOp():
            values[op.result] = cast(IntegerAttr[Any], op.value).value.data
        case arith.CmpiOp():
            values[op.result] = int(_COMPARISONS[op.predicate.value.data](values[op.lhs], values[op.rhs]))
        case arith.SelectOp():
            values[op.result] = values[op.lhs] if values[op.cond] else values[op.rhs]
        case scf.IfOp():
            region = op.true_region if values[op.cond] else op.false_region
            results = _block(region.block, values, within) if region.blocks else []
            values.update(zip(op.results, results, strict=True))
        case CallOp():
            if any(isinstance(value.type, MemRefType) for value in (*op.operands, *op.results)):
                name = op.callee.string_value()
                raise IndexFunctionError(
                    op, f"func.call: @{name} takes or gives tensors, and only launches do"
                )
            callee = _function(within, op)
            results = evaluate(callee, [values[v] for v in op.operands])
            values.update(zip(op.results, results, strict=True))
        case _ if type(op) in ARITHMETIC:
            a, b = (values[v] for v in op.operands)
            try:
                values[op.results[0]] = ARITHMETIC[type(op)](a, b)
            except ZeroDivisionError:
                raise IndexFunctionError(op, f"{op.name} divides {a} by zero") from None
        case _:
            return False
    return True


def _block(block: Block, values: dict[SSAValue, int], within: Operation) -> list[int]:
    for op in block.ops:
        if isinstance(op, ReturnOp | scf.YieldOp):
            return [values[v] for v in op.operands]
        if not compute(op, values, within):
            raise IndexFunctionError(op, f"{op.name} is no op on indices")
    return []


def _function(within: Operation, call: CallOp) -> FuncOp:
    return function_named(within, call.callee.string_value(), call)


def function_named(within: Operation, name: str, user: Operation) -> FuncOp:
    """The function `name` of the module that an op is in. Raises IndexFunctionError at `user`."""
    module: Operation | None = within
    while module is not None and not isinstance(module, ModuleOp):
        module = module.parent_op()
    found = () if module is None else module.body.block.ops
    for op in found:
        if isinstance(op, FuncOp) and op.sym_name.data == name:
            return op
    raise IndexFunctionError(user, f"there is no function @{name}")

"""The function that calls one of several variants of a graph by its run-time size, at the graph and the ascend level.

    func.func @f(%x: tensor<?x64xf16>) -> tensor<?x64xf16> {
      %zero = arith.constant 0 : index
      %n = tensor.dim %x, %zero : tensor<?x64xf16>
      %last = arith.constant 8 : index
      %here = arith.cmpi ule, %n, %last : index
      %y = scf.if %here -> (tensor<?x64xf16>) {
        %0 = func.call @f.to_8(%x) : (tensor<?x64xf16>) -> tensor<?x64xf16>
        scf.yield %0 : tensor<?x64xf16>
      } else {
        %1 = func.call @f.to_64(%x) : …
        scf.yield %1 : …
      }
      func.return %y
    }

The last variant takes all larger sizes. Where a variant has static shapes its tensors are cast, and it serves one size.
"""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, IndexType, IntegerAttr, MemRefType, TensorType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects.dynamic import is_dynamic, shape_of
from ...dialects.helpers import is_variant
from ...dialects.records import dataclass

Argument = tuple[Attribute, str | None]
"""Type and name of an argument."""


@dataclass(frozen=True)
class Case:
    """A variant: the largest run-time size that it serves, its name and type, and which arguments of the dispatch
    function it takes."""

    last: int
    callee: str
    arguments: Sequence[int]
    kind: FunctionType
    pads: Sequence[float | None] = ()
    """What lies past the elements of each of these where the variant takes more; results are then cut."""


def dispatch_function(
    name: str, arguments: Sequence[Argument], results: Sequence[Attribute], cases: Sequence[Case]
) -> FuncOp:
    """The function `name` that takes `arguments`, one of them dynamic, and calls the first of the `cases`,
    in increasing order, that serves the run-time size."""
    block = Block(arg_types=[kind for kind, _ in arguments])
    for (_, hint), argument in zip(arguments, block.args, strict=True):
        argument.name_hint = hint
    source = next(argument for argument in block.args if is_dynamic(argument.type))
    axis = shape_of(source.type).index(DYNAMIC_INDEX)
    place = arith.ConstantOp(IntegerAttr(axis, IndexType()))
    measured = _measured(source, place.result)
    size: SSAValue = measured.results[0]
    size.name_hint = "n"
    block.add_ops([place, measured])
    found = _choose(block, list(block.args), size, results, cases)
    block.add_op(ReturnOp(*found))
    return FuncOp(name, FunctionType.from_lists([a.type for a in block.args], results), Region(block))


def _choose(
    block: Block,
    arguments: Sequence[SSAValue],
    size: SSAValue,
    results: Sequence[Attribute],
    cases: Sequence[Case],
) -> Sequence[SSAValue]:
    """Add the call of one of the cases to a block; what it gives."""
    case, *others = cases
    if not others:
        return _call(block, arguments, size, results, case)
    last = arith.ConstantOp(IntegerAttr(case.last, IndexType()))
    here = arith.CmpiOp(size, last.result, "ule")
    regions: list[Region] = []
    for some in ([case], others):
        inner = Block()
        inner.add_op(scf.YieldOp(*_choose(inner, arguments, size, results, some)))
        regions.append(Region(inner))
    chosen = scf.IfOp(here.result, results, regions[0], regions[1])
    block.add_ops([last, here, chosen])
    return chosen.results


def _call(
    block: Block, arguments: Sequence[SSAValue], size: SSAValue, results: Sequence[Attribute], case: Case
) -> Sequence[SSAValue]:
    given = [arguments[index] for index in case.arguments]
    pads = case.pads or [None] * len(given)
    taken = [
        _cast(block, value, kind, pad) for value, kind, pad in zip(given, case.kind.inputs, pads, strict=True)
    ]
    call = CallOp(case.callee, taken, case.kind.outputs.data)
    block.add_op(call)
    end = size if any(pad is not None for pad in pads) else None
    return [_cast(block, value, kind, None, end) for value, kind in zip(call.results, results, strict=True)]


def _measured(source: SSAValue, axis: SSAValue) -> Operation:
    from xdsl.dialects import memref, tensor  # of graphs with several variants alone

    return (memref.DimOp if isinstance(source.type, MemRefType) else tensor.DimOp)(source, axis)


def _cast(
    block: Block, value: SSAValue, kind: Attribute, pad: float | None = None, size: SSAValue | None = None
) -> SSAValue:
    if value.type == kind:
        return value
    if pad is not None or size is not None:
        from ...dialects.ascend import FitOp

        made: Operation = FitOp(value, kind, pad, size)
    elif isinstance(kind, MemRefType):
        from xdsl.dialects import memref

        made = memref.CastOp.get(value, cast(MemRefType[Attribute], kind))
    else:
        from xdsl.dialects import tensor

        made = tensor.CastOp(value, cast(TensorType[Attribute], kind))
    block.add_op(made)
    return made.results[0]


def variants_called(function: FuncOp) -> list[tuple[int, str]]:
    """The variants that a dispatch function calls, each with the largest run-time size that it serves (-1: any),
    smallest first; empty for another function."""
    found: list[tuple[int, str]] = []
    block: Block | None = function.body.block
    while block is not None:
        following: Block | None = None
        for op in block.ops:
            if isinstance(op, CallOp) and is_variant(op.callee.string_value()):
                found.append((-1, op.callee.string_value()))
            elif isinstance(op, scf.IfOp) and (inner := _variant_in(op)):
                found.append((_limit(op), inner))
                following = op.false_region.block
        block = following
    return found


def _variant_in(op: scf.IfOp) -> str | None:
    calls = (one for one in op.true_region.block.ops if isinstance(one, CallOp))
    return next(
        (call.callee.string_value() for call in calls if is_variant(call.callee.string_value())), None
    )


def _limit(op: scf.IfOp) -> int:
    condition = op.cond.owner
    assert isinstance(condition, arith.CmpiOp) and isinstance(condition.rhs.owner, arith.ConstantOp)
    value = condition.rhs.owner.value
    assert isinstance(value, IntegerAttr)
    return value.value.data


__all__ = ["Argument", "Case", "dispatch_function", "variants_called"]

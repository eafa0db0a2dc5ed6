"""Some ops of a graph in f32, whatever their tensors are stored in.

    %1 = graph.softmax %0 : f16     ->     %c = graph.cast %0 {to = f32}
                                           %s = graph.softmax %c : f32
                                           %1 = graph.cast %s {to = f16}

What one of them gives another goes in f32, through reshapes too, and what was cast to f32 is no cast any more: a result
of a model that is f32 is as wide as what it comes from. An op that the chip does not compute in f32 stays as it is.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from ...dialects.graph import CastOp, ConstantOp
from ...dialects.graph.arguments import weight_values
from ...dialects.graph.base import AnyTensor, GraphOp
from ...dialects.graph.rules import element_of
from ...dialects.rewriting import replace_with
from ...dialects.target_types import Target
from ...passes.rewrites.tensor_checks import multiplies
from ...runtime.support.hazard import location_text

NARROW = ("f16", "bf16")


def raise_precision(module: ModuleOp, locations: Collection[str], target: Target) -> int:
    """Compute the ops at `locations` in f32; how many could be."""
    count = 0
    for function in module.body.block.ops:
        if not isinstance(function, FuncOp) or not function.body.blocks:
            continue
        known, wide = weight_values(function), dict[SSAValue, SSAValue]()
        for op in list(function.body.block.ops):
            if not isinstance(op, GraphOp) or op.results[0] in known:
                continue
            if isinstance(op, CastOp) and op.x in wide and element_of(op.result) == f32:
                replace_with(op, [], [wide[op.x]])
                continue
            renames = op.tiling.engine == "view" and any(value in wide for value in op.operands)
            if location_text(op) in locations or renames:
                count += _raise(op, wide, target) and not renames
        for narrow in list(wide):
            if not narrow.first_use and isinstance(narrow.owner, Operation):
                Rewriter.erase_op(narrow.owner)
    return count


def _raise(op: GraphOp, wide: dict[SSAValue, SSAValue], target: Target) -> bool:
    """Compute one op in f32, if it is not already and the chip does. `wide`: what narrow results are, in f32."""
    if isinstance(op, ConstantOp | CastOp) or not any(str(element_of(v)) in NARROW for v in op.operands):
        return False
    if op.tiling.engine == "cube" and not multiplies(target, "f32"):
        return False
    ops: list[Operation] = []
    taken: dict[SSAValue, SSAValue] = {}
    for value in dict.fromkeys(op.operands):
        if str(element_of(value)) in NARROW:
            if value not in wide:
                ops.append(CastOp(value, to=f32))
            taken[value] = wide[value] if value in wide else ops[-1].results[0]
    new = op.clone(dict(taken))
    try:
        types = new.infer([cast(AnyTensor, v.type) for v in new.operands], new.properties)
    except VerifyException:
        for one in (new, *reversed(ops)):
            one.erase()
        return False
    for result, kind in zip(new.results, types, strict=True):
        cast(Any, result)._type = kind
    ops.append(new)
    results: list[SSAValue] = []
    for old, result in zip(op.results, new.results, strict=True):
        if old.type == result.type:
            results.append(result)
            continue
        ops.append(CastOp(result, to=element_of(old)))
        results.append(ops[-1].results[0])
        wide[ops[-1].results[0]] = result
    replace_with(op, ops, results)
    return True


__all__ = ["raise_precision"]

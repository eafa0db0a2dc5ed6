"""Costs of groups that passes before have computed for the same module and chip: passes that weigh rewrites price most
kernels that fusion prices afterwards, and with the price of a group its tiles are known.

Costs are kept as long as the module lives, by what a group computes (`group_signature`): a group that was changed has
others. Those at run-time sizes hold where the same sizes are stated.
"""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.dynamic import is_dynamic
from ...dialects.target_types import Target
from ...dialects.walked import walked
from ..regions.signature import group_signature
from ..support.run_size import Fixed, fixed
from .alike import Alike
from .group_cost import GroupCost

_known: WeakKeyDictionary[ModuleOp, list[tuple[Target, Fixed | None, Alike]]] = WeakKeyDictionary()


def known_costs(functions: Sequence[FuncOp], target: Target) -> Alike:
    """The costs that are known of groups of the module of some functions, to add to. Where their sizes are dynamic
    nothing is known, unless something stands in for them now (`fixed_sizes`)."""
    module = functions[0].parent_op() if functions else None
    inside = (op for function in functions for op in walked(function))
    values = (v for op in inside for v in (*op.operands, *op.results))
    if not isinstance(module, ModuleOp) or any(is_dynamic(v.type) for v in values):
        return Alike()
    chips, now = _known.setdefault(module, []), fixed()
    for chip, sizes, costs in chips:
        if (chip is target or chip == target) and sizes == now:
            return costs
    chips.append((target, now, Alike()))
    return chips[-1][2]


def known_cost(costs: Alike, ops: Sequence[Operation], packable: frozenset[SSAValue]) -> GroupCost | None:
    """What is known of a group as one kernel, without its ops; None where nobody has priced it."""
    found = costs.get(group_signature(ops, packable))
    return found[0] if found is not None and isinstance(found[0], GroupCost) else None


__all__ = ["known_cost", "known_costs"]

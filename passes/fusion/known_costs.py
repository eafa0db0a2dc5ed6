"""Costs of groups that passes before have computed for the same module and chip: passes that weigh rewrites price most
kernels that fusion prices afterwards.

Costs are kept as long as the module lives. Those at run-time sizes stay in the pass that states the sizes.
"""

from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects.dynamic import is_dynamic
from ...dialects.target_types import Target
from .cost_model import Alike

_known: WeakKeyDictionary[ModuleOp, list[tuple[Target, Alike]]] = WeakKeyDictionary()


def known_costs(op: Operation, target: Target) -> Alike:
    """The costs that are known of groups of the module around `op`, to add to. Nothing is known where sizes are
    dynamic."""
    module = op
    while (parent := module.parent_op()) is not None:
        module = parent
    values = (v for inner in module.walk() for v in (*inner.operands, *inner.results))
    if not isinstance(module, ModuleOp) or any(is_dynamic(v.type) for v in values):
        return {}
    chips = _known.setdefault(module, [])
    for chip, costs in chips:
        if chip is target or chip == target:
            return costs
    chips.append((target, {}))
    return chips[-1][1]


__all__ = ["known_costs"]

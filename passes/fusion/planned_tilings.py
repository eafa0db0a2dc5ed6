"""Tilings that a plan states of kernels whose ops state some of it otherwise: as much of the plan as goes with that."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.graph.arguments import weight_values
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...runtime.machine.costs import launch_us
from ..kernels.common.form import Group
from ..kernels.common.stated import Stated, stated_of
from ..kernels.elementwise.legality import NoTileError
from ..kernels.forms import form_of, is_possible
from ..plans.plan import FunctionPlan, KernelPlan
from ..regions.compose_group import group_regions
from .plan import FusionPlan


@dataclass(frozen=True)
class PlannedTiling:
    """What a plan states of a kernel's tiling, beside what its ops state. `fields`: as JSON values; none where it
    states nothing. `note`: what of it was not taken, and why; empty where all was. `predicted_us`: of the kernel with
    both, launch included; None where that is not known."""

    fields: Mapping[str, Any]
    note: str = ""
    predicted_us: float | None = None


def planned_tilings(
    function: FuncOp, plan: FusionPlan, planned: FunctionPlan, target: Target
) -> dict[str, PlannedTiling]:
    """The tilings that a plan states of the groups of a function, by name. Groups are those of the plan."""
    packable = frozenset(weight_values(function))
    kernels = {kernel.name: kernel for kernel in planned.kernels}
    return {
        name: _of_kernel(kernels[name], ops, partial(_group, ops, packable, target))
        for name, ops in zip(plan.names, plan.groups, strict=True)
        if kernels[name].tiling is not None
    }


def _group(ops: Sequence[Operation], packable: frozenset[SSAValue], target: Target) -> Group:
    return Group(group_regions(ops), packable, target)


def _of_kernel(kernel: KernelPlan, ops: Sequence[Operation], group_of: Callable[[], Group]) -> PlannedTiling:
    whole = kernel.tiling or {}
    stated, planned = stated_of(ops), Stated.of(whole)
    other = [name for name, value in stated.fields if planned.get(name) != value]
    if not other:
        return PlannedTiling(whole, predicted_us=kernel.predicted_us)
    beside = [name for name in whole if not stated.states(name)]
    group = group_of()
    kept = _that_go_with(stated, planned, beside, group)
    left = [name for name in beside if name not in kept]
    note = f"kernel {kernel.name}: its ops state {_listed(other)}, which goes before the plan"
    if left:
        anew = f"{_listed(left)} {'are' if len(left) > 1 else 'is'}" if kept else "all else is"
        note += f"; {anew} chosen anew"
    both = stated.over(Stated(tuple((name, planned.get(name)) for name in kept)))
    return PlannedTiling({name: whole[name] for name in kept}, note, _predicted_us(group, both))


def _predicted_us(group: Group, stated: Stated) -> float | None:
    """µs of a group with what is stated, launch included; None at a run-time size, and where nothing legal is so."""
    if group.regions.factor:
        return None
    with suppress(NoTileError):
        cycles, tiling = form_of(group.regions).fastest(group, stated=stated)
        return group.target.microseconds(cycles) + launch_us(group.target, tiling.cores)
    return None


def _that_go_with(stated: Stated, planned: Stated, names: Sequence[str], group: Group) -> list[str]:
    """Of these planned fields all, or those that a legal tiling has with what is stated and the ones before."""

    def fit(kept: Sequence[str]) -> bool:
        fields = tuple((name, planned.get(name)) for name in kept)
        return is_possible(group, stated.over(Stated(fields)))

    if fit(names):
        return [*names]
    kept: list[str] = []
    for name in names if fit(()) else ():
        kept += [name] if fit([*kept, name]) else []
    return kept


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


__all__ = ["PlannedTiling", "planned_tilings"]

"""Each `tile.group` becomes a kernel: which form computes it, how large its tiles are, on how many cores.

    %3 = tile.group "f_0"(%x1 = %x, %w1 = %w, %b1 = %b) : … {    ->   %3 = tile.kernel "f_0"(%x, %packed, %b) {…
      %1 = graph.conv2d %x1, %w1                                          %acc = tile.contract …
      %2 = graph.bias_add %1, %b1 … tile.yield %3                         … tile.vec "vadd" … tile.store

A group is taken as it is, whoever made it. A group that a pass has priced gets the tiles of its price; for others they
are looked for.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import FloatAttr, ModuleOp, StringAttr, UnitAttr, f64
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..dialects import tile
from ..dialects.graph.arguments import weight_values
from ..dialects.records import dataclass
from ..dialects.target_types import Target
from ..runtime.machine.costs import launch_us
from .fusion.alike import Alike
from .fusion.group_cost import GroupCost
from .fusion.groups import OpenGroup, groups_of, open_group
from .fusion.kernel_sources import add_sources
from .fusion.known_costs import known_cost, known_costs
from .fusion.layout_rules import layout_obstacle
from .kernels.common.stated import PLANNED_IN, plain, stated_of
from .kernels.forms import KernelFactory
from .kernels.tuner import TUNE, check_tune, tile_choice
from .launches.independent import JOIN_LAUNCHES, PREDICTED, forget_predicted, has_independent_kernels
from .plans.collected import add_tilings
from .regions.signature import group_signature
from .rewrites.prepare_graph import check_decomposed
from .rewrites.tensor_checks import check_tensors
from .support.dynamic_size import check_independent, fixed_sizes, tiled_alike
from .support.errors import LocatedError
from .support.module import check_made_for, chip_of, functions_of, set_target
from .support.options import Pass
from .support.report import add_note, add_report, reports_wanted, take_reports
from .support.run_size import check_sizes


@dataclass(frozen=True)
class TileFromGroups(Pass):
    """Build the kernel of each group. `sizes`: the run-time sizes of dynamic dimensions that tiles are chosen for;
    `tune`: how many tilings of each kernel are timed, 1 for none; `store`: a file of those that were timed before;
    `join_launches`: functions ask for launches that need nothing of each other to become one, where they have some."""

    name = "tile-from-groups"
    keeps: ClassVar = (tile.KernelOp,)
    target: str | None = None
    sizes: tuple[int, ...] = ()
    tune: int = TUNE
    store: str | None = None
    join_launches: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sizes:
            check_sizes(self.sizes)
        check_tune(self.tune)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        check_made_for(op, target)
        built: list[_Built] = []
        plan = _plans(functions_of(op))
        for functions, sizes in tiled_alike(functions_of(op), self.sizes):
            with fixed_sizes(functions, sizes):
                factory = KernelFactory(target, self.tune, self.store)
                built += _build(functions, factory, known_costs(functions, target), self.join_launches)
            for function in functions if self.join_launches else ():
                if has_independent_kernels(function):
                    function.attributes[JOIN_LAUNCHES] = UnitAttr()
                else:
                    forget_predicted(function)
        set_target(op, target.name)
        if reports_wanted():
            _report(built, target, tile_choice(self.tune, plan, self.store))


def _plans(functions: Sequence[FuncOp]) -> str:
    """The plans that state tilings of groups, in words; empty where none does."""
    groups = (group for function in functions for group in groups_of(function))
    stated = (group.attributes.get(PLANNED_IN) for group in groups)
    return " and ".join(dict.fromkeys(one.data for one in stated if isinstance(one, StringAttr)))


_Built = tuple[FuncOp, tile.KernelOp, GroupCost | None, bool]
"""A kernel in its function, what is known of its cost, and whether it leaves cores to others."""


def _build(
    functions: Sequence[FuncOp], factory: KernelFactory, alike: Alike, join_launches: bool
) -> list[_Built]:
    """Build the kernels of functions. `alike`: what is known of the costs of groups; `join_launches`: kernels keep what
    they were predicted to take."""
    built: list[_Built] = []
    for function in functions:
        groups = [open_group(group) for group in groups_of(function)]
        if not groups:
            continue
        packable = frozenset(weight_values(function))
        costs = [known_cost(alike, group.ops, packable) for group in groups]
        for group, cost in zip(groups, costs, strict=True):
            _check(group, factory.target, packable, known=cost is not None)
        add_sources(function, [group.name for group in groups], [group.ops for group in groups])
        named = [(group.name, group.ops) for group in groups]
        keys = [(group_signature(group.ops, packable), group.stated) for group in groups]
        tilings = [
            alike.tilings.get(key, cost and cost.tiling) for key, cost in zip(keys, costs, strict=True)
        ]
        planned = {group.name: group.planned_in for group in groups if group.planned_in}
        given = [(group, [name for name, _ in stated_of(group.ops).fields]) for group in groups]
        kernels = factory.build(function, named, tilings, [group.stated for group in groups], planned)
        _note_what_goes_before(function.sym_name.data, given, factory)
        add_tilings(function.sym_name.data, {name: plain(factory.tilings[name]) for name, _ in named})
        for kernel, group in zip(kernels, groups, strict=True):
            if join_launches and group.predicted_us is not None:
                us = group.predicted_us - launch_us(factory.target, 1)
                kernel.attributes[PREDICTED] = FloatAttr(round(max(us, 0.0), 2), f64)
        for kernel, cost, group in zip(kernels, costs, groups, strict=True):
            few = group.stated and cost is not None and kernel.schedule.cores < cost.tiling.cores
            built.append((function, kernel, _as_predicted(cost, group), bool(few)))
    return built


def _note_what_goes_before(
    function: str, given: Sequence[tuple[OpenGroup, Sequence[str]]], factory: KernelFactory
) -> None:
    """Say where plans leave nothing to time or to take from a store, and which kernels a store counts for only without
    what their ops state. `given`: groups with the fields that their ops state."""
    plans = " and ".join(dict.fromkeys(group.planned_in for group, _ in given if group.planned_in))
    why = f"has no effect: kernels of @{function} are tiled as {plans} says"
    stated = [{*names, *(name for name, _ in group.stated.fields)} for group, names in given]
    whole = (plain(factory.tilings[group.name]).keys() for group, _ in given)
    if plans and factory.tuner is not None and all(w <= s for w, s in zip(whole, stated, strict=True)):
        add_note(f"tune {why}")
    if plans and factory.store is not None and all(stated):
        add_note(f"store {why}")
    elif factory.store is not None and factory.store.is_empty:
        why = f"nothing in it is of {factory.target.name}, as it is, and of this version"
        add_note(f"store has no effect: {factory.store.path}: {why}")
    elif factory.store is not None:
        for group, names in ((group, names) for group, names in given if names):
            add_note(f"kernel {group.name}: its ops state {', '.join(names)}, which goes before the store")


def _as_predicted(cost: GroupCost | None, group: OpenGroup) -> GroupCost | None:
    """The cost of a group, with the time that it says where its tiling is stated."""
    stated = group.stated or stated_of(group.ops)
    if cost is None or group.predicted_us is None or not stated:
        return cost
    return replace(cost, time_us=group.predicted_us)


def _check(group: OpenGroup, target: Target, packable: frozenset[SSAValue], known: bool) -> None:
    """`LocatedError` at an op that the chip does not compute, and where tensors cannot lie as they do. `known`: a pass
    has priced the group as it is."""
    for op in group.ops:
        check_decomposed(op)
        check_tensors(op, target, laid_out=True)
        check_independent(op)
    reason = "" if known else layout_obstacle(group.ops, target, packable)
    if reason:
        raise LocatedError(group.ops[-1], f'tile.group "{group.name}": {reason}')


def _report(built: Sequence[_Built], target: Target, chosen: str) -> None:
    """Say of the kernels what is known, in the reports of the passes that grouped their ops."""
    from .fusion.kernel_record import KernelRecord
    from .fusion.report import FusionReport, Records, UnfusedReport

    keys = [(function.sym_name.data, kernel.kernel_name.data) for function, kernel, *_ in built]
    fused = take_reports(FusionReport, lambda report: not report.kernels)
    unfused = take_reports(UnfusedReport, lambda report: not report.kernels)
    priced = {key for report in fused for key in report.named}
    records: Records = {
        key: KernelRecord.of(kernel, target, cost if key in priced else None, few)
        for key, (_, kernel, cost, few) in zip(keys, built, strict=True)
    }
    said = priced.union(*(report.named for report in unfused))
    for report in (*fused, *unfused):
        add_report(report.with_kernels(records, chosen))
    if rest := {key: record for key, record in records.items() if key not in said}:
        add_report(UnfusedReport.stated(rest, chosen))

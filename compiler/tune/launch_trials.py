"""Trials of launches: those of one kernel are trials of that, those of several time them together.

Kernels beside each other leave cores to each other. So a launch of several begins with what `tile-group` would choose
for them, and goes on with one kernel other at a time: on fewer and more cores, and with other tiles on as many.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FloatAttr, ModuleOp, f64
from xdsl.dialects.func import FuncOp

from ...dialects.graph.arguments import weight_values
from ...dialects.target import load_target
from ...dialects.target_types import Target
from ...passes.fusion.cost_model import CostModel
from ...passes.fusion.group_cost import GroupCost
from ...passes.fusion.groups import groups_of, open_group
from ...passes.kernels.common.form import Group, SizedForm, Tiling
from ...passes.kernels.common.stated import GROUP_TILING, Stated, plain, stated_of, to_attribute
from ...passes.kernels.elementwise.legality import NoTileError
from ...passes.kernels.forms import form_of, tilings_as_stated
from ...passes.launches.share_cores import share_cores
from ...passes.regions.compose_group import group_regions
from ...passes.regions.compose_maps import NotFusableError
from ...runtime.machine.costs import launch_us
from ..pipeline.tune import measure_together
from .held import Held
from .kernel_trials import FAR, SpaceTask, Timed, TimeTask, module_of, tilings_of, time_kernel
from .launches import Fields, Part, fields_of, has_several, parts_of

CORES = 2 / 3, 1.5, 0.5, 2.0
"""Shares of a kernel's cores on which it is tried beside others, too."""


def time_launch(task: TimeTask) -> Timed | None:
    """Time a launch with a tiling; None where it is none, or none of its tilings is so."""
    if not has_several(task.text):
        return time_kernel(task)
    fields = task.tiling or next(iter(tilings_of_launch(SpaceTask(task.text, task.target, 1))), None)
    if fields is None:
        return None
    module = module_of(task.text).clone()
    for group, (tiling, us) in zip(groups_of(_function(module)), parts_of(fields), strict=True):
        group.attributes[GROUP_TILING] = to_attribute(dict(tiling))
        group.predicted_us = None if us is None else FloatAttr(us, f64)
    found = measure_together(module, load_target(task.target))
    held = Held(found.workspace, found.on_chip, found.weights)
    return Timed(fields, round(sum(found.times), 4), found.instructions, held)


def tilings_of_launch(task: SpaceTask) -> list[Fields]:
    """The tilings of a launch to try; none where it is none. Of several kernels first those that `tile-group` would
    choose, and each as if it were alone, or the one to begin with."""
    if not has_several(task.text):
        return tilings_of(task)
    try:
        parts = _Parts(module_of(task.text).clone(), load_target(task.target))
        found = [parts.chosen] if task.base is None else [task.base]
        if parts.alone != parts.chosen:
            found.append(parts.alone)
        if task.count > len(found):
            found += parts.others(parts_of(found[0]), task.count)
    except (NoTileError, NotFusableError):
        return []
    return [one for i, one in enumerate(found) if one not in found[:i]][: task.count]


class _Parts:
    """The kernels of a launch of several."""

    def __init__(self, module: ModuleOp, target: Target):
        function = _function(module)
        self.target, self.packable = target, frozenset(weight_values(function))
        self._groups = [open_group(group).ops for group in groups_of(function)]
        stated = [stated_of(ops) for ops in self._groups]
        model = CostModel(target, self.packable)
        found = [
            model.as_stated(ops) if said else model.cost(ops)
            for ops, said in zip(self._groups, stated, strict=True)
        ]
        alone = [cost for cost in found if isinstance(cost, GroupCost)]
        if len(alone) < len(found):
            raise NotFusableError("some of the groups are no kernels")
        free = [None if said else cost for cost, said in zip(alone, stated, strict=True)]
        shared = share_cores(function.body.block, self._groups, free, self.packable, target)
        self.alone = _fields_of_costs(alone)
        self.chosen = _fields_of_costs([shared.get(i, cost) for i, cost in enumerate(alone)])

    def others(self, base: Sequence[Part], count: int) -> list[Fields]:
        """The launch with one kernel other than in `base`: the best of each in turn, `count` at least where there are
        so many."""
        each = [self._others_of(number, part, count // len(base) + 1) for number, part in enumerate(base)]
        return [
            fields_of([*base[:number], options[rank], *base[number + 1 :]])
            for rank in range(max(map(len, each)))
            for number, options in enumerate(each)
            if rank < len(options)
        ]

    def _others_of(self, number: int, part: Part, count: int) -> list[Part]:
        """Tilings of a kernel: the best on fewer and on more cores, then others on as many."""
        regions = group_regions(self._groups[number])
        beside = 1 if regions.product is not None or not self.target.split else self.target.vectors_beside
        now = -(-part[0]["cores"] // beside)
        cores = [min(max(round(now * share), 1), self.target.cores) for share in CORES]
        found: list[Part] = []
        for cores_now in dict.fromkeys(one for one in cores if one != now):
            found += self._best_on(cores_now, number, 1)
        return [*found, *self._best_on(now, number, count)]

    def _best_on(self, cores: int, number: int, count: int) -> list[Part]:
        """The tilings of a kernel that are predicted best on so many cores at most, with what its ops state; those that
        are predicted to take far longer than the first left out."""
        ops = self._groups[number]
        group = Group(group_regions(ops), self.packable, self.target.on_cores(cores))
        try:
            tilings = tilings_as_stated(group, count, stated_of(ops))
        except NoTileError:  # none on so few
            return []
        found = [(plain(one), _predicted_us(group, one)) for one in tilings]
        return [one for one in found if one[1] <= FAR * found[0][1]]


def _predicted_us(group: Group, tiling: Tiling) -> float:
    """µs of a kernel with its launch, as predicted."""
    form = form_of(group.regions)
    if isinstance(form, SizedForm):
        cycles = form.cycles(group, tiling)
    else:
        cycles, _ = form.fastest(group, stated=Stated.of(plain(tiling)))
    return round(group.target.microseconds(cycles) + launch_us(group.target, tiling.cores), 3)


def _fields_of_costs(costs: Sequence[GroupCost]) -> Fields:
    return fields_of([(plain(cost.tiling), round(cost.time_us, 3)) for cost in costs])


def _function(module: ModuleOp) -> FuncOp:
    return next(op for op in module.body.block.ops if isinstance(op, FuncOp))


__all__ = ["tilings_of_launch", "time_launch"]

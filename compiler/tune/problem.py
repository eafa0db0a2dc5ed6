"""What is tuned: a graph as the passes in front of `tile-group` leave it, and the launches that a plan makes of it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.element_types import bytes_of
from ...dialects.graph.arguments import weight_values
from ...dialects.records import dataclass
from ...dialects.target import load_target
from ...passes.fusion.layout_rules import layout_obstacle
from ...passes.fusion.planned_groups import Known, conflict, planned_groups
from ...passes.kernels.alone import alone_text
from ...passes.kernels.forms import form_of
from ...passes.plans.places import forget_places
from ...passes.plans.plan import FunctionPlan, KernelPlan, Plan, PlanError
from ...passes.regions.compose_group import group_regions
from ...passes.support.dynamic_size import fixed_sizes, tiled_alike
from ...passes.support.module import kernel_ops
from ...passes.support.values import element_type_of, shape_of
from ...passes.tile_group import TileGroup
from ..pipeline.pipelines import build_passes, stages
from ..pipeline.read_module import make_context
from ..pipeline.universe import UNIVERSE
from ..text.mlir_text import parse_mlir_text
from ..workers.pool import Workers
from .launches import Blocked, Kernel, Launch, Launches, kernels_of


@dataclass(frozen=True)
class Uses:
    """Which ops read which: `readers[i]` are the ops that read results of op i; `outside`: ops whose results something
    else reads too, a view or the graph's end."""

    readers: Mapping[int, frozenset[int]]
    outside: frozenset[int]

    @staticmethod
    def of(function: FuncOp) -> Uses:
        ops = kernel_ops(function)
        number = {op: i for i, op in enumerate(ops)}
        users = {i: {use.operation for r in op.results for use in r.uses} for i, op in enumerate(ops)}
        readers = {i: frozenset(number[user] for user in all_ if user in number) for i, all_ in users.items()}
        outside = frozenset(i for i, all_ in users.items() if any(user not in number for user in all_))
        return Uses(readers, outside)


class Prepared:
    """A module at the graph level, brought to where kernels are grouped, for a chip. Only `name` is tuned. `join`:
    whether kernels that need nothing of each other share launches."""

    def __init__(self, module: ModuleOp, name: str, target: str, join: bool = True):
        module = module.clone()
        passes = build_passes(UNIVERSE.all_passes, stages("fuse"), target)
        for one in passes[: next(i for i, p in enumerate(passes) if p.name == TileGroup.name)]:
            one.apply(make_context(), module)
        self._problem = _Problem(module, name, target, join)
        self.name, self.target, self.module, self.join = name, target, module, join
        self.uses = Uses.of(_function(module, name))
        self._known: dict[str, Sequence[Launch] | None] = {}

    def launches(self, plan: Plan) -> Sequence[Launch]:
        """The launches that a plan makes, in the order in which they run. `PlanError` and others where it states what
        cannot be."""
        text, function = self._function_of(plan)
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self._problem.launches(function)
        return found

    def kernels(self, plan: Plan) -> Sequence[Kernel]:
        """Their kernels, in program order."""
        return kernels_of(self.launches(plan))

    def tried(self, plan: Plan) -> Sequence[Launch] | None:
        """The launches of a plan; None where it states what cannot be."""
        text, function = self._function_of(plan)
        if text not in self._known:
            self._known[text] = self._problem.tried(function)
        return self._known[text]

    def look_up(self, plans: Iterable[Plan], pool: Workers) -> None:
        """Let workers find the launches of some plans. Without any, this process finds them when they are asked
        for."""
        if pool.size == 1:
            return
        wanted = dict(map(self._function_of, plans))
        wanted = {text: function for text, function in wanted.items() if text not in self._known}
        module = str(self.module)
        tasks = [
            PlanTask(module, self.name, self.target, self.join, function) for function in wanted.values()
        ]
        self._known.update(zip(wanted, pool.map(launches_of, tasks), strict=True))

    def _function_of(self, plan: Plan) -> tuple[str, FunctionPlan]:
        """What a plan says of the function but for tilings, and a text that tells it from others."""
        function = _untiled(plan.functions[self.name])
        return repr(function), function


@dataclass(frozen=True)
class PlanTask:
    """A plan whose launches are wanted, of the function `name` of a module in front of `tile-group`."""

    module: str
    name: str
    target: str
    join: bool
    plan: FunctionPlan


def launches_of(task: PlanTask) -> Sequence[Launch] | None:
    """The launches that a plan makes; None where it states what cannot be."""
    return _problem_of(task.module, task.name, task.target, task.join).tried(task.plan)


@lru_cache(maxsize=2)
def _problem_of(module: str, name: str, target: str, join: bool) -> _Problem:
    return _Problem(parse_mlir_text(make_context(), module, "<program>"), name, target, join)


class _Problem:
    """A module in front of `tile-group`, whose function `name` is grouped as plans say. What plans have in common is
    found once."""

    def __init__(self, module: ModuleOp, name: str, target: str, join: bool):
        self._module, self._name, self._target = module, name, load_target(target)
        self._compose: Known = set()
        self._kernels: dict[Hashable, Kernel] = {}
        self._launches = Launches(self._target, join)

    def launches(self, plan: FunctionPlan) -> Sequence[Launch]:
        """The launches that a plan makes. `PlanError` and others where that cannot be."""
        function = _function(self._module.clone(), self._name)
        if reason := conflict(plan, kernel_ops(function)):
            raise PlanError(reason)
        ((_, sizes),) = tiled_alike([function], ())
        with fixed_sizes([function], sizes):
            found = planned_groups(function, plan, "the plan", self._compose)
        forget_places(function)
        packable = frozenset(weight_values(function))
        stated = {kernel.name: kernel for kernel in plan.kernels}
        kernels = [
            self._kernel(ops, stated[name], packable)
            for name, ops in zip(found.names, found.groups, strict=True)
        ]
        return self._launches.of(function, found.groups, kernels, packable)

    def tried(self, plan: FunctionPlan) -> Sequence[Launch] | None:
        """The launches of a plan; None where it states what cannot be."""
        try:
            return self.launches(plan)
        except (DiagnosticException, ValueError):
            return None

    def _kernel(self, ops: Sequence[Operation], stated: KernelPlan, packable: frozenset[SSAValue]) -> Kernel:
        types = tuple(value.type for op in ops for value in (*op.operands, *op.results))
        key = stated.ops, tuple(sorted(stated.reads.items())), types
        if (known := self._kernels.get(key)) is None:
            if reason := layout_obstacle(ops, self._target, packable):
                raise PlanError(f"kernel {stated.name!r}: {reason}")
            known = Kernel(stated.name, stated.ops, alone_text(ops, packable), _bytes(ops[-1]), _blocks(ops))
            self._kernels[key] = known
        return replace(known, name=stated.name)


def _function(module: ModuleOp, name: str) -> FuncOp:
    functions = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    return next(one for one in functions if one.sym_name.data == name)


def _blocks(ops: Sequence[Operation]) -> Blocked | None:
    """How what a kernel gives may lie in blocks."""
    regions = group_regions(tuple(ops))
    form = form_of(regions)
    layout = form.layout_of_result(regions)
    if layout is None or form.cannot_write(regions, layout):
        return None
    return layout.blocked, tuple(layout.dims)


def _untiled(plan: FunctionPlan) -> FunctionPlan:
    kernels = (replace(one, tiling=None, timed_us=None, predicted_us=None) for one in plan.kernels)
    return replace(plan, kernels=tuple(kernels))


def _bytes(op: Operation) -> int:
    result = op.results[0]
    assert isinstance(result.type, TensorType)
    size = bytes_of(element_type_of(result))
    for extent in shape_of(result):
        size *= extent
    return size


__all__ = ["Kernel", "Launch", "PlanTask", "Prepared", "Uses", "launches_of"]

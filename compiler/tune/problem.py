"""What is tuned: a graph as the passes in front of `tile-group` leave it, and the kernels that a plan makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialects.element_types import bytes_of
from ...dialects.graph.arguments import weight_values
from ...dialects.records import dataclass
from ...dialects.target import load_target
from ...passes.fusion.groups import groups_of, open_group
from ...passes.fusion.layout_rules import layout_obstacle
from ...passes.fusion.planned_groups import conflict
from ...passes.kernels.alone import alone_text
from ...passes.kernels.forms import form_of
from ...passes.plans.plan import FunctionPlan, Plan, PlanError
from ...passes.plans.store import kernel_key
from ...passes.regions.compose_group import group_regions
from ...passes.support.module import kernel_ops
from ...passes.support.values import element_type_of, shape_of
from ...passes.tile_group import TileGroup
from ..pipeline.pipelines import build_passes, stages
from ..pipeline.read_module import make_context
from ..pipeline.universe import UNIVERSE

Blocked = tuple[int, tuple[int, ...]]
"""How a tensor in blocks lies: the blocked dimension, the order of all."""


@dataclass(frozen=True)
class Kernel:
    """A kernel of a plan: its name and ops there, and its text, which says what it computes."""

    name: str
    ops: tuple[int, ...]
    text: str
    bytes: int
    """Those of its result."""
    layout: Blocked | None = None
    """How its result may lie in blocks; None: it is row-major only."""

    @property
    def key(self) -> str:
        return kernel_key(self.text)


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
    """A module at the graph level, brought to where kernels are grouped, for a chip. Only `name` is tuned."""

    def __init__(self, module: ModuleOp, name: str, target: str):
        self.name, self.target = name, target
        self.module = module.clone()
        passes = build_passes(UNIVERSE.all_passes, stages("fuse"), target)
        for one in passes[: next(i for i, p in enumerate(passes) if p.name == TileGroup.name)]:
            one.apply(make_context(), self.module)
        self.uses = Uses.of(self._function(self.module))
        self._known: dict[str, Sequence[Kernel]] = {}

    def kernels(self, plan: Plan) -> Sequence[Kernel]:
        """The kernels that a plan makes, in program order. `PlanError` and others where it states what cannot be."""
        text = replace(plan, functions={self.name: _untiled(plan.functions[self.name])}).to_text()
        if text not in self._known:
            self._known[text] = self._kernels(text, plan)
        return self._known[text]

    def _kernels(self, text: str, plan: Plan) -> Sequence[Kernel]:
        module = self.module.clone()
        if reason := conflict(plan.functions[self.name], kernel_ops(self._function(module))):
            raise PlanError(reason)
        TileGroup(self.target, plan=text).apply(make_context(), module)
        function = self._function(module)
        packable = frozenset(weight_values(function))
        opened = [open_group(group) for group in groups_of(function)]
        for one in opened:
            if reason := layout_obstacle(one.ops, load_target(self.target), packable):
                raise PlanError(f"kernel {one.name!r}: {reason}")
        ops = {kernel.name: kernel.ops for kernel in plan.functions[self.name].kernels}
        return [
            Kernel(
                one.name,
                ops[one.name],
                alone_text(one.ops, packable),
                _bytes(one.ops[-1]),
                _blocks(one.ops),
            )
            for one in opened
        ]

    def _function(self, module: ModuleOp) -> FuncOp:
        functions = (op for op in module.body.block.ops if isinstance(op, FuncOp))
        return next(one for one in functions if one.sym_name.data == self.name)


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


__all__ = ["Kernel", "Prepared", "Uses"]

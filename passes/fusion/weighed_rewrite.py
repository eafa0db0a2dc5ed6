"""Whether a rewrite of some ops of a graph pays on a chip: both forms are planned, with what fusion makes of them.

for function, weigher in weighed_functions(module, target):
  if weigher.pays(ops, rewrite):        rewrite(copies of the ops)  predicted faster than  copies of the ops
    rewrite(ops)
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import inf

from xdsl.dialects.builtin import FunctionType, ModuleOp, UnrealizedConversionCastOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects.dynamic import is_dynamic
from ...dialects.element_types import name_of
from ...dialects.graph import CastOp, ConstantOp
from ...dialects.graph.arguments import mark_weight, weight_values
from ...dialects.graph.base import GraphOp
from ...dialects.graph.rules import Pointwise
from ...dialects.target_types import Target
from ...runtime.machine.costs import launch_us
from ..regions.signature import group_signature
from ..rewrites.prepare_graph import prepare_graph
from ..support.module import kernel_ops
from ..support.values import element_type_of, rule_of
from .alike import Alike
from .cost_model import CostModel, cost_model
from .duplicate_moves import plan_with_copies
from .group_cost import Obstacle, Slower
from .known_costs import known_costs
from .units import is_light
from .weigh import Limits

CLEARLY = 0.95
"""A rewrite pays where the predicted time is at most so many times that of the ops as they are: predictions do not tell
apart what is closer."""

ALIKE = 1.02
"""Rewrites whose predicted times differ by no more than so many times are alike."""

Rewrite = Callable[[Sequence[Operation]], None]
"""Puts other ops in the place of those that it is given, which stand in a block in program order."""


def _used(ops: Sequence[Operation]) -> list[SSAValue]:
    """The results that other ops use."""
    results = (result for op in ops for result in op.results)
    return [value for value in results if any(use.operation not in ops for use in value.uses)]


def weighed_functions(module: ModuleOp, target: Target) -> "Iterator[tuple[FuncOp, Weigher]]":
    """The functions of a module that have a body of one block, each with what weighs its rewrites."""
    for function in module.walk():
        if isinstance(function, FuncOp) and len(function.body.blocks) == 1:
            yield function, Weigher(function, target)


class Weigher:
    """Weighs rewrites of a function's ops on a chip; those of equal ops once."""

    def __init__(self, function: FuncOp, target: Target):
        self.target, self._function = target, function
        self._known: dict[object, int | None] = {}
        self._alike: Alike = known_costs([function], target)

    @cached_property
    def weights(self) -> frozenset[SSAValue]:
        """The function's weights, and what depends on them and constants alone."""
        return frozenset(weight_values(self._function))

    def rewritten(self) -> None:
        """The function has other weights than before."""
        for name in ("weights", "_model"):
            vars(self).pop(name, None)

    @cached_property
    def _model(self) -> CostModel:
        """Costs of the function's ops as they are."""
        return CostModel(self.target, self.weights, alike=self._alike)

    def is_light(self, op: Operation) -> bool:
        """Whether an op takes little of the Vector beside a product."""
        return is_light(op, self._model)

    def pays(self, ops: Sequence[Operation], rewrite: Rewrite) -> bool:
        """Whether the ops are predicted to be clearly faster once rewritten."""
        return self.fastest(ops, [rewrite]) is not None

    def fastest(
        self, ops: Sequence[Operation], rewrites: Sequence[Rewrite], share: float | None = None
    ) -> int | None:
        """Which rewrite of the ops is predicted to be the fastest, of those alike the first; None where none takes less
        than that `share` of what the ops take as they are (None: is clearly faster), or where a size is unknown."""
        if any(is_dynamic(value.type) for op in ops for value in (*op.operands, *op.results)):
            return None
        share = CLEARLY if share is None else share
        used = set(_used(ops))
        returned = tuple(tuple(result in used for result in op.results) for op in ops)
        key = group_signature(ops, self.weights), returned, share
        if key not in self._known:
            before, _ = self._apart(ops)
            limit = share * self._predicted_us(before)
            times: list[float] = []
            for rewrite in rewrites:
                after, copies = self._apart(ops)
                rewrite(copies)
                times.append(self._predicted_us(after, limit))
            best = next(i for i, time in enumerate(times) if time <= ALIKE * min(times))
            self._known[key] = best if times[best] < limit else None
        return self._known[key]

    def _predicted_us(self, function: FuncOp, limit: float = inf) -> float:
        """µs of a function's kernels; infinite where a look at its product shows that it takes `limit` at least, and of
        products that the Cube has not."""
        prepare_graph(function, self.target)
        products = [op for op in kernel_ops(function) if rule_of(op).engine == "cube"]
        known = self.target.cube.fractal
        if any(name_of(element_type_of(op.operands[0])) not in known for op in products):
            return inf
        if self._takes(function, products, limit):
            return inf
        plan, _ = plan_with_copies(function, self.target, Limits(), alike=self._alike, explain=False)
        return sum(inf if cost is None else cost.time_us for cost in plan.costs)

    def _takes(self, function: FuncOp, products: Sequence[Operation], limit: float) -> bool:
        """Whether a look at its product shows that a function with one takes at least `limit` µs: that, and what adds
        up its sums where that is another kernel."""
        if limit == inf or len(products) != 1 or len(products[0].results) != 1:
            return False
        (product,), model = products, cost_model(function, self.target, alike=self._alike)
        user = product.results[0].get_user_of_unique_use()
        if not isinstance(user, GraphOp) or rule_of(user).engine == "view":
            return False
        if isinstance(rule_of(user), Pointwise):
            return False
        if not isinstance(model.cost((product, user)), Obstacle):
            return False
        left = limit - _least_us(user, model)
        if model.floor_us(product) >= left:
            return True
        alone = model.cost_within((product,), left)
        return not isinstance(alone, Obstacle) and (isinstance(alone, Slower) or alone.time_us >= left)

    def _apart(self, ops: Sequence[Operation]) -> tuple[FuncOp, list[Operation]]:
        """A function of copies of the ops alone, and the copies."""
        inside = {result for op in ops for result in op.results}
        outside = dict.fromkeys(value for op in ops for value in op.operands if value not in inside)
        read = [value for value in outside if not isinstance(value.owner, ConstantOp)]
        used = [
            value for op in ops for value in op.results if any(use.operation not in ops for use in value.uses)
        ]
        block = Block(arg_types=[value.type for value in read])
        mapped: dict[SSAValue, SSAValue] = dict(zip(read, block.args, strict=True))
        for value, argument in list(mapped.items()):
            if isinstance(value.owner, Operation) and value not in self.weights:
                # what another kernel gives is no argument: L2 has it
                given = UnrealizedConversionCastOp.get([argument], [value.type])
                block.add_op(given)
                mapped[value] = given.results[0]
        constants = [value.owner for value in outside if isinstance(value.owner, ConstantOp)]
        copies = [op.clone(mapped, clone_name_hints=False) for op in (*constants, *ops)]
        block.add_ops(copies)
        block.add_op(ReturnOp(*(mapped[value] for value in used)))
        kind = FunctionType.from_lists([value.type for value in read], [value.type for value in used])
        function = FuncOp("apart", kind, Region(block))
        for index, value in enumerate(read):
            if value in self.weights:
                mark_weight(function, index)
        return function, copies[len(constants) :]


def _least_us(op: GraphOp, model: CostModel) -> float:
    """µs that a kernel with an op takes at least, whatever follows it: alone, or with the cast of what it gives, which
    is then smaller. A launch where it is no kernel."""
    behind = op.results[0].get_user_of_unique_use()
    groups = [(op,), *([(op, behind)] if isinstance(behind, CastOp) else [])]
    costs = [cost.time_us for group in groups if (cost := model.known(group)) is not None]
    return min(costs, default=launch_us(model.target, 1))

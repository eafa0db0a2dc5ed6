"""What groups of ops cost as one kernel: predicted time, bytes of GM, operations and what they keep on chip."""

from collections.abc import Callable, Generator, Hashable, Sequence
from contextlib import contextmanager, suppress
from math import inf, prod
from typing import TypeVar, cast

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.element_types import name_of
from ...dialects.graph.arguments import weight_values
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK, layout_of
from ...runtime.machine.costs import launch_us
from ..cost.gm_bytes import bytes_met, tensor_bytes
from ..cost.rule_trace import trace_group
from ..kernels.common.form import Group, SlowerError
from ..kernels.common.stated import FREE, Stated, stated_of
from ..kernels.dynamic_sizes import OF_ALL_SIZES
from ..kernels.elementwise.legality import NoTileError
from ..kernels.forms import form_of
from ..regions.compose_group import group_regions
from ..regions.compose_maps import NotFusableError
from ..regions.recompute import flops_of
from ..regions.regions import Regions
from ..regions.signature import Signatures
from ..rewrites.tensor_checks import multiplies
from ..support.run_size import fixed, priced_at
from ..support.values import element_type_of, rule_of, shape_of
from .alike import Alike
from .group_cost import Found, GroupCost, Obstacle, Slower, with_ops, without_ops
from .interface_layouts import BlockView
from .layout_rules import retype, takes, with_layout

T = TypeVar("T")

ROUNDING = 1e-9
"""Share of a time by which floats may miss it."""


class CostModel:
    """Costs of groups, each computed once. `views`: tensors of the graph's interface that lie in blocks for the groups
    that take them so. `alike`: what other models of the module found, which this one adds to."""

    def __init__(
        self,
        target: Target,
        packable: frozenset[SSAValue],
        views: Sequence[BlockView] = (),
        alike: Alike | None = None,
    ):
        self.target, self.packable = target, packable
        self._stated = {view.value: view.layout for view in views}
        self._known: dict[tuple[Operation, ...], Found] = {}
        self._alike = Alike() if alike is None else alike
        self._signatures = Signatures(packable)
        self._placed: dict[tuple[Operation, ...], tuple[tuple[Found, tuple[int, ...]], Found]] = {}
        """Costs that name ops, with what they were made of."""
        self._per_element: dict[Operation, int] = {}
        self._once: dict[Hashable, object] = {}
        self._regions: dict[
            tuple[Operation, ...], dict[tuple[int, ...], tuple[list[Attribute], Regions]]
        ] = {}
        """By the `id` of the types around: these objects, so that nothing else gets their `id`."""

    def cost(self, ops: tuple[Operation, ...]) -> GroupCost | Obstacle:
        """The group's cost, or the reason why it cannot be one kernel."""
        found = self.cost_within(ops, inf)
        assert not isinstance(found, Slower)
        return found

    def cost_within(self, ops: tuple[Operation, ...], most_us: float) -> Found:
        """The same; it may be left at that where the group takes more than so many µs."""
        found = self._known.get(ops)
        if found is None or _left_open(found, most_us):
            with self._interface_of(ops):
                found = self._known[ops] = self._as_alike(ops, most_us)
        return found

    def look_ahead(self, looks: Sequence[Callable[[], object]]) -> None:
        """Where there are peers, do what will ask for costs later on, each from another end. A look may be left half
        done."""
        self._alike.look_ahead(looks)

    @contextmanager
    def _interface_of(self, ops: tuple[Operation, ...]) -> Generator[None]:
        """Let stated tensors lie in blocks for a group that takes them so."""
        near = (
            {v for op in ops for v in (*op.operands, *op.results)} & self._stated.keys()
            if self._stated
            else ()
        )
        rows = {value: value.type for value in near if layout_of(value.type) is None}
        try:
            for value in rows:
                layout = self._stated[value]
                with suppress(NotFusableError):
                    if takes(value, layout, self.regions(ops), self.target, self.packable):
                        retype(value, with_layout(value, layout))
            yield
        finally:
            for value, kind in rows.items():
                retype(value, kind)

    def _as_alike(self, ops: tuple[Operation, ...], most_us: float) -> Found:
        """The cost of a group, which is that of all with its signature."""
        signature, alike = self._signatures.of(ops), self._alike
        kept = alike.get(signature)
        if kept is None or _left_open(kept[0], most_us):
            told = alike.told(signature)
            if told is None or _left_open(told[0], most_us):
                told = without_ops(self._price(ops, most_us), ops)
                alike.tell(signature, told)
            kept = alike[signature] = told
        if not kept[1]:
            return kept[0]
        known = self._placed.get(ops)
        if known is None or known[0] is not kept:
            known = self._placed[ops] = kept, with_ops(*kept, ops)
        return known[1]

    def _price(self, ops: tuple[Operation, ...], most_us: float) -> Found:
        try:
            return self._compute(ops, most_us)
        except SlowerError as error:
            least = self.target.microseconds(error.cycles / (1 + ROUNDING)) + launch_us(self.target, 1)
            return Slower(max(most_us, least))
        except NotFusableError as error:
            return Obstacle("loops", str(error), error.op)
        except NoTileError as error:
            return Obstacle("occupancy", str(error))

    def _compute(self, ops: tuple[Operation, ...], most_us: float = inf) -> GroupCost:
        """The cost of a group; `SlowerError` where it is clear that it takes more: what was found out of it is kept."""
        whole = self.regions(ops)
        with _at_size(whole) as regions:
            found = self._compute_static(regions, most_us)
        regions.known.clear()  # what is known of a group refers to it: only the collector would free it
        return found

    def regions(self, ops: tuple[Operation, ...]) -> Regions:
        """How a group's ops compose, with the types that its tensors have now. `NotFusableError`."""
        types = [value.type for op in ops for value in (*op.operands, *op.results)]
        known, key = self._regions.setdefault(ops, {}), tuple(map(id, types))
        if key not in known:
            known[key] = types, group_regions(ops)
        return known[key][1]

    def as_stated(self, ops: tuple[Operation, ...]) -> GroupCost:
        """The cost of a group with the tiling that its ops state; along a dynamic dimension at the largest size, where
        the one that reports go by is too small for it. `NoTileError` where none is so."""
        whole, stated = self.regions(ops), stated_of(ops)
        if whole.factor:
            stated = stated.without(OF_ALL_SIZES)
        now = fixed() if whole.factor else None
        with self._interface_of(ops):
            if now is not None and max(now.sizes) > now.typical:
                with suppress(NoTileError), _at_size(whole) as regions:
                    return self._compute_static(regions, inf, stated)
            with _at_size(whole, None if now is None else max(now.sizes)) as regions:
                return self._compute_static(regions, inf, stated)

    def floor_us(self, product: Operation) -> float:
        """µs that no kernel of a product takes less of: a launch, and the larger of what all cores multiply and of what
        is read from HBM. 0 where it is no kernel."""
        return self._figure("floor", (product,), self._floor_us)

    def bytes_per_element(self, op: Operation) -> int:
        """UB bytes of an element of an op that is a kernel of its own; 0 where it is none."""
        if op not in self._per_element:
            self._per_element[op] = int(self._figure("bytes", (op,), self._bytes_per_element))
        return self._per_element[op]

    def vector_steps(self, op: Operation) -> float:
        """Vector instructions for each tile of an op that is a kernel of its own; infinite where it is none."""
        return self._figure("steps", (op,), self._vector_steps)

    def _figure(
        self, name: str, ops: tuple[Operation, ...], compute: Callable[[tuple[Operation, ...]], float]
    ) -> float:
        """A number of a group, which is that of all with its signature."""
        key = name, self._signatures.of(ops)
        if key not in self._alike.figures:
            self._alike.figures[key] = compute(ops)
        return self._alike.figures[key]

    def _floor_us(self, ops: tuple[Operation, ...]) -> float:
        try:
            with _at_size(self.regions(ops)) as regions:
                read = sum(tensor_bytes(value) for value in {load.value for load in regions.loads})
                cycles = max(read / self.target.memory.hbm_chip, self._product_cycles(regions))
        except NotFusableError:
            return 0.0
        return self.target.microseconds(cycles) + launch_us(self.target, 1)

    def _bytes_per_element(self, ops: tuple[Operation, ...]) -> float:
        try:
            with _at_size(self.regions(ops)) as regions:
                group = Group(regions, self.packable, self.target)
                return form_of(regions).bytes_per_element(group)
        except NotFusableError:
            return 0

    def _vector_steps(self, ops: tuple[Operation, ...]) -> float:
        try:
            return len(trace_group(self.regions(ops), self.target).steps)
        except NotFusableError:
            return inf

    def _product_cycles(self, regions: Regions) -> float:
        """Cycles of the Cube for the group's product, where all cores share it evenly."""
        if regions.product is None:
            return 0.0
        fractal = self.target.cube.fractal[self._multiplied(regions.product)]
        sums = prod(shape_of(regions.product.results[0])) * prod(regions.depths)
        return sums / (BLOCK * BLOCK * fractal.k0) * fractal.cycles / self.target.cores

    def _multiplied(self, product: Operation) -> str:
        """The element type of a product's operands; `NotFusableError` where the Cube does not multiply it."""
        lhs = product.operands[rule_of(product).contraction(product).lhs]
        dtype = name_of(element_type_of(lhs))
        if not multiplies(self.target, dtype):
            raise NotFusableError(f"the Cube of {self.target.name} does not multiply {dtype}", product)
        return dtype

    def _compute_static(self, regions: Regions, most_us: float, stated: Stated = FREE) -> GroupCost:
        if regions.product is not None:
            self._multiplied(regions.product)
        trace = trace_group(regions, self.target)
        elements = prod(regions.extents[: regions.rank])
        vector_flops = sum(elements for step in trace.steps if step.whole)
        form, group = form_of(regions), Group(regions, self.packable, self.target)
        most = (most_us - launch_us(self.target, 1)) / self.target.microseconds(1) * (1 + ROUNDING)
        cycles, tiling = form.fastest(group, most, stated)
        work = form.work(group, tiling)
        return GroupCost(
            time_us=self.target.microseconds(cycles) + launch_us(self.target, tiling.cores),
            bytes=bytes_met(regions) + work.again,
            flops=vector_flops + work.cube_flops,
            live=work.live,
            per_element=trace.bytes_per_element(regions) if work.per_element is None else work.per_element,
            steps=len(trace.steps) if work.steps is None else work.steps,
            tiling=tiling,
            drained=work.drained,
            again=work.again,
            operations=sum(map(flops_of, regions.ops)),
            product_flops=work.cube_flops,
            recomputed=work.recomputed,
            goes_round=work.goes_round,
        )

    def anew(self, ops: tuple[Operation, ...], most_us: float = inf) -> GroupCost | Slower | None:
        """The group's cost, after types of its tensors may have changed; it may be left at that where it takes more
        than so many µs. None where it cannot be one kernel."""
        self._known.pop(ops, None)
        found = self.cost_within(ops, most_us)
        return None if isinstance(found, Obstacle) else found

    def least_anew(self, ops: tuple[Operation, ...]) -> float:
        """µs that the group takes no less than, after types of its tensors may have changed: its cost where that is
        known or soon found. 0 where it cannot be one kernel."""
        found = self.anew(ops, 0.0)
        if found is None:
            return 0.0
        return found.than_us if isinstance(found, Slower) else found.time_us

    def once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """What `compute` gives, once for a key that begins with a name. It holds of groups while no tensor between
        kernels lies in blocks."""
        if key not in self._once:
            self._once[key] = compute()
        return cast(T, self._once[key])

    def known(self, ops: tuple[Operation, ...]) -> GroupCost | None:
        """The group's cost; None where it cannot be one kernel."""
        found = self.cost(ops)
        return found if isinstance(found, GroupCost) else None


def _left_open(found: Found, most_us: float) -> bool:
    """Whether it is not known whether a group takes more than so many µs."""
    return isinstance(found, Slower) and found.than_us < most_us


@contextmanager
def _at_size(regions: Regions, size: int | None = None) -> Generator[Regions]:
    """A group, along a dynamic dimension at a `size` (None: that which reports go by), which its tensors have then."""
    now = fixed()
    if now is None or not regions.factor:
        yield regions
        return
    with priced_at(size or now.typical):
        yield regions.at(size or now.typical)


def cost_model(
    function: FuncOp, target: Target, views: Sequence[BlockView] = (), alike: Alike | None = None
) -> CostModel:
    """A cost model for the ops of a function, which knows the costs `alike`."""
    return CostModel(target, frozenset(weight_values(function)), views, alike)

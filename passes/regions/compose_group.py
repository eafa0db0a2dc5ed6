"""Regions of a fusion group: what part of each value one tile of the group's result needs.

Operand maps compose from the group's last op backwards; two windows in a row make one larger window (the halo
adds up). Dimensions that every value walks alike are then merged, so that an elementwise group over
[N, C, H, W] is one flat loop, and a batched product with shared weights is one large product.
"""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Operation, SSAValue

from ...dialects.element_types import lanes_of, name_of
from ...dialects.graph import ConcatOp
from ...dialects.graph.softmax_matmul import WeighedRows
from ...dialects.tile import BLOCK
from ...dialects.tiling import (
    Along,
    Iteration,
    OperandMap,
    Picked,
    Whole,
    bags_of,
    has_picked,
    picked_dims,
    reaches_outside,
)
from ..support.run_size import fixed
from ..support.values import (
    INTEGERS,
    element_type_of,
    index_operands,
    iteration_of,
    joins,
    rule_of,
    scalar_operands,
    shape_of,
)
from .back_to_back import BackToBack, checked_back_to_back, is_back_to_back
from .compose_maps import NotFusableError, compose
from .data_movement import obstacle
from .joined_parts import Part, parts_of, stores_parts
from .lane_dim import check_parts
from .loads import Load, addressed_operands
from .merge_dims import merged_dims
from .online import Stream, along_depth, checked_stream, streams_rows
from .padding import border_obstacle, fill_of
from .product_legality import GATHERED, check_folded, check_gathered, check_rows, check_windows
from .region_hull import hull
from .regions import Regions, check_lanes
from .sibling_products import check_siblings, is_sibling
from .space import Space, reduced_dims, renamed, whole_rows
from .tiling import product_roles


def group_regions(ops: Sequence[Operation]) -> Regions:
    """Regions of `ops`, in program order, whose last one gives the group's result.

    Raises `NotFusableError` when the ops do not compose: a value is needed through two different maps, two products, …
    """
    group = _Composition(ops)
    for op in reversed(ops):
        group.take(op)
    regions = group.regions()
    regions = replace(regions, merged=merged_dims(regions))
    check_lanes(regions)
    if regions.parts:
        check_parts(regions)
    _check_gathered(regions)
    return replace(regions, factor=_factor(regions))


class _Composition:
    """The maps of a group's values while they are composed, from its last op backwards."""

    def __init__(self, ops: Sequence[Operation]):
        self.ops, self.given, self.result = ops, tuple(ops), ops[-1].results[0]
        last = ops[-1]
        self.joined = last if isinstance(last, ConcatOp) and stores_parts(ops) else None
        """The concatenation, where its parts are stored each to its place."""
        self.space = Space(shape_of(self.result if self.joined is None else self.joined.parts[0]))
        self.inside: dict[SSAValue, Operation] = {op.results[0]: op for op in ops}
        self.maps: dict[SSAValue, OperandMap] = {self.result: tuple(Along(d) for d in self.space.order)}
        self.loads: list[Load] = []
        self.reduced: dict[Operation, tuple[int, ...]] = {}
        self.rows: dict[Operation, frozenset[int]] = {}
        self.depth: tuple[int, ...] = ()
        self.before: set[SSAValue] = set()
        """What products are computed from."""
        self.folded: list[int] = []
        """Dimensions, among those of `depth`, that ops in front of the product reduce and the product lacks."""
        self.product: Operation | None = None
        self.inner: Operation | None = None
        """A product whose result another one takes."""
        self.online: Operation | None = None
        self.siblings: list[Operation] = []
        self.shared: list[Operation] = []
        """Ops whose results others need through different regions."""

    def take(self, op: Operation) -> None:
        """An op whose result's map is known: what it reduces, and the maps of its operands."""
        outer = self.maps.get(op.results[0])
        if outer is None:
            raise NotFusableError(f"{op.name} does not feed the group's result")
        rule = rule_of(op)
        iteration = iteration_of(op)
        if op is self.joined:
            self._take_parts(outer)
            return
        if rule.engine == "cube":
            self._take_product(op, iteration, outer)
            if isinstance(rule, WeighedRows):
                self.online = op
        elif self.online is None and streams_rows(op, iteration, outer):
            self.online = op
        elif iteration.whole or iteration.extents[iteration.parallel :]:
            before = op.results[0] in self.before
            fold = self._fold if before else None
            self.reduced[op] = reduced_dims(iteration, outer, self.space, self.folded, fold)
            self.rows[op] = whole_rows(op, iteration, outer, self.reduced[op], self.space)
        if rule.engine == "cube" or op.results[0] in self.before:
            self.before.update(op.operands)
        scalars, indices = scalar_operands(op), index_operands(op)
        for i, (operand, entries) in enumerate(zip(op.operands, iteration.operands, strict=True)):
            if i in scalars:
                continue
            if i in indices:
                if operand in self.inside:
                    raise NotFusableError(
                        f"{self.inside[operand].name} gives indices, which are read from GM"
                    )
                continue
            reduced = self.reduced.get(op, ())
            composed = tuple(compose(e, outer, iteration.parallel, reduced) for e in entries)
            if operand in self.inside:
                self._take_inside(op, iteration, i, composed)
            else:
                self._load(operand, composed, fill_of(iteration, i))

    def _take_product(self, op: Operation, iteration: Iteration, outer: OperandMap) -> None:
        known = (one for one in (self.inner, self.product) if one is not None)
        beside = next((one for one in known if is_sibling(op, one, self.maps)), None)
        if beside is not None:
            self.siblings.append(op)
            self.reduced[op] = self.reduced[beside]
            return
        product = self.product
        if self.inner is not None or (product is not None and not along_depth(outer)):
            raise NotFusableError("two products need two accumulators")
        if product is not None and any(name_of(element_type_of(o)) in INTEGERS for o in op.operands):
            raise NotFusableError(f"sums of i32 are no operand of {product.name}")
        if product is not None and any(
            rule_of(one).contraction(one).part is not None for one in (op, product)
        ):
            raise NotFusableError(f"parts of the sums of {op.name} are added up before anything reads them")
        own = iteration.extents[iteration.parallel :]
        self.reduced[op] = tuple(-1 - len(self.depth) - k for k in range(len(own)))
        self.depth += own
        self.space.extents |= dict(zip(self.reduced[op], own, strict=True))
        if product is None:
            self.product = op
        else:
            self.inner = op

    def _fold(self, extent: int) -> int:
        """A new dimension that an op in front of the product reduces."""
        name = -1 - len(self.depth)
        self.depth += (extent,)
        self.space.extents[name] = extent
        self.folded.append(name)
        return name

    def _take_parts(self, outer: OperandMap) -> None:
        """The parts of the result, each of which is as large as a tile's."""
        assert self.joined is not None
        for value in dict.fromkeys(self.joined.parts):
            if value in self.inside:
                self._need(value, outer)
            else:
                self._load(value, outer, None)

    def _need(self, value: SSAValue, region: OperandMap) -> None:
        """What is needed of a value that the group computes, with what others need of it."""
        known = self.maps.setdefault(value, region)
        if known == region:
            return
        both = hull(known, region)
        if both is None:
            raise NotFusableError(f"the result of {self.inside[value].name} is needed through two regions")
        self.maps[value] = both
        self.shared.append(self.inside[value])

    def _take_inside(self, op: Operation, iteration: Iteration, index: int, composed: OperandMap) -> None:
        """An operand that another op of the group gives."""
        operand = op.operands[index]
        producer = self.inside[operand].name
        self._need(operand, composed)
        if name_of(element_type_of(operand)) in INTEGERS:
            raise NotFusableError(
                f"{producer} gives {element_type_of(operand)}, which is made on the way to GM only"
            )
        if any(isinstance(e, Whole | Picked) for e in composed):
            raise NotFusableError(f"{op.name} needs all of what {producer} gives")
        reason = None if joins(op) else border_obstacle(op, iteration, index, producer)
        if reason is not None:
            raise NotFusableError(reason)

    def _load(self, operand: SSAValue, composed: OperandMap, fill: float | None) -> None:
        load = Load(operand, composed, fill)
        if load.fill is None and reaches_outside(composed, shape_of(operand), self.space.extents):
            load = replace(load, fill=0.0)  # what is computed there is padding of an op that follows
        if any(load.clashes(other) for other in self.loads):
            raise NotFusableError("an operand is padded with two different values")
        if load not in self.loads:
            self.loads.append(load)

    def regions(self) -> Regions:
        """What was composed; `NotFusableError` where it cannot be one kernel."""
        addressed: dict[tuple[SSAValue, OperandMap], Load] = {}
        product, maps = self.product, self.maps
        if product is not None and (self.joined is not None or self.shared):
            by = self.joined or self.shared[0]
            raise NotFusableError(f"the result of {by.name} is needed through two regions")
        if product is not None:
            addressed, moved = addressed_operands(self.ops, maps, self.loads)
            if self.online is product and any(value is product.operands[0] for value, _ in addressed):
                raise NotFusableError(f"rows that {product.name} weighs are read as they lie")
            self.ops = [op for op in self.ops if op not in moved]
            self.inside = {op.results[0]: op for op in self.ops}
        parts: tuple[Part, ...] = ()
        loads: Sequence[Load] = self.loads
        if self.joined is not None:
            parts, loads = parts_of(self.joined, maps, loads)
        reason = obstacle(self.ops, maps, loads, self.inside, product, self.joined)
        if reason is not None:
            raise NotFusableError(reason)
        prologue, stream, back_to_back = self._around_product(bool(addressed))
        if product is not None and self.siblings:
            check_siblings(self.inner or product, self.siblings, stream is not None, self.rows, prologue)
        if product is not None:
            check_windows(product, maps, [load.maps for load in self.loads])
        place = self.space.numbers(len(self.depth))
        return Regions(
            tuple(self.ops),
            self.result,
            (*self.space.extents_in_order, *self.depth),
            len(self.space.order),
            {value: renamed(entries, place) for value, entries in maps.items()},
            tuple(replace(load, maps=renamed(load.maps, place)) for load in loads),
            tuple((d,) for d in range(len(self.space.order))),
            product,
            reduced={op: tuple(place[d] for d in dims) for op, dims in self.reduced.items()},
            rows={op: frozenset(place[d] for d in dims) for op, dims in self.rows.items()},
            siblings=tuple(self.siblings),
            prologue=prologue,
            stream=stream,
            back_to_back=back_to_back,
            addressed={
                (value, renamed(entries, place)): replace(load, maps=renamed(load.maps, place))
                for (value, entries), load in addressed.items()
            },
            parts=tuple(replace(part, maps=renamed(part.maps, place)) for part in parts),
            folded=tuple(place[d] for d in self.folded),
            given=self.given,
        )

    def _around_product(
        self, addressed: bool
    ) -> tuple[frozenset[Operation], Stream | None, BackToBack | None]:
        """The ops in front of a product, and how it takes an operand that another one of the group gives."""
        product, inner, maps, rows = self.product, self.inner, self.maps, self.rows
        if product is None:
            return frozenset(), None, None
        chained = is_back_to_back(product, inner)
        if self.folded and (inner is not None or self.online is not None):
            raise NotFusableError(
                "two products, or rows that come part by part, have no reduction in front of them"
            )
        prologue = _prologue(product, () if inner else self.siblings, maps, self.inside, chained)
        if chained and inner is not None:
            if rows or self.online is not None or addressed:
                raise NotFusableError(
                    "two convolutions have nothing but ops on elements between them and behind"
                )
            return prologue, None, checked_back_to_back(tuple(self.ops), product, inner, prologue, maps)
        if self.online is product and product.results[0] is not self.result:
            raise NotFusableError(
                f"what {product.name} gives of parts of rows is joined before anything reads it"
            )
        if self.online is not None or inner is not None:
            if rows:
                raise NotFusableError(
                    f"{next(iter(rows)).name} needs whole rows of what a product gives in parts"
                )
            stream = Stream(self.online, inner, tuple(self.siblings))
            return prologue, checked_stream(stream, product, prologue, maps), None
        check_rows(product, rows, maps, prologue, maps[self.result])
        check_folded(self.folded, [load.maps for load in self.loads])
        return prologue, None, None


def _check_gathered(regions: Regions) -> None:
    """Gathered rows are tiles of the Vector, one after the other."""
    lanes = len(regions.merged) - 1
    for load in regions.loads:
        entries = regions.kernel_map(load.maps)
        if not has_picked(entries):
            continue
        columns = [e.dim for e in entries if isinstance(e, Along)]
        if bags_of(entries) is not None and (load.fill is not None or entries[-1] != Along(columns[-1])):
            raise NotFusableError("rows of bags are folded as they lie in their table")
        if regions.product is not None:
            check_gathered(regions, load)
            continue
        if max(picked_dims(entries), default=-1) >= lanes or (columns and columns[-1] < lanes):
            raise NotFusableError(GATHERED)


def _factor(regions: Regions) -> int:
    """How many times the run-time size the kernel's first extent is; 0 where all sizes are known."""
    now = fixed()
    factors = [0 if now is None else now.factor(extent) for extent in regions.kernel_extents] or [0]
    factor = factors[0]
    if any(factors) and not factor:
        raise NotFusableError("the dynamic dimension is not the first one of the kernel")
    if factor and regions.back_to_back is not None:
        raise NotFusableError("a convolution that takes its operand from another one has static sizes")
    if factor and regions.stream is not None and 0 not in product_roles(regions).batch:
        raise NotFusableError("rows that a product takes part by part have static sizes")
    if factor and regions.parts:
        raise NotFusableError("parts that a kernel stores each to its place have static sizes")
    return factor


def _prologue(
    product: Operation,
    siblings: Sequence[Operation],
    maps: dict[SSAValue, OperandMap],
    inside: dict[SSAValue, Operation],
    chained: bool,
) -> frozenset[Operation]:
    """The ops that a product's left operand comes from; `NotFusableError` where tiles of it are not its operand's. With
    `chained` a window may see it, in L1."""
    contraction = rule_of(product).contraction(product)
    found: set[Operation] = set()
    waiting = [value for value in product.operands if value in inside]
    for sibling in siblings:
        waiting += [value for value in sibling.operands if value in inside and value not in waiting]
    if not waiting:
        return frozenset()
    name = inside[waiting[0]].name
    lhs = product.operands[contraction.lhs]
    if contraction.part is not None:
        raise NotFusableError(f"{name} feeds a product in parts of K, which the Cube reads from GM")
    if waiting != [lhs] or contraction.transpose_lhs:
        raise NotFusableError(
            f"{name} feeds a product's right or transposed operand, which the Cube reads from GM"
        )
    if lanes_of(element_type_of(lhs)) != BLOCK:
        blocks = f"blocks have {lanes_of(element_type_of(lhs))} elements"
        raise NotFusableError(f"{name} feeds a product in {element_type_of(lhs)}, whose {blocks}")
    padded = contraction.window is not None and any(contraction.window.pads)
    if not chained and (padded or not all(isinstance(e, Along) and e.is_identity for e in maps[lhs])):
        raise NotFusableError(f"{name} feeds a window of a product")
    while waiting:
        op = inside[waiting.pop()]
        found.add(op)
        waiting += [value for value in op.operands if value in inside]
    for op in found:
        outside = [use.operation for use in op.results[0].uses if use.operation not in (product, *siblings)]
        if any(user in inside.values() and user not in found for user in outside):
            raise NotFusableError(f"the result of {op.name} is needed before and after a product")
    return frozenset(found)


__all__ = ["group_regions"]

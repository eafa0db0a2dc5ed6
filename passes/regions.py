"""Regions of a fusion group: what part of each value one tile of the group's result needs.

Operand maps compose from the group's last op backwards; two windows in a row make one larger window (the halo
adds up). Dimensions that every value walks alike are then merged, so that an elementwise group over
[N, C, H, W] is one flat loop, and a batched product with shared weights is one large product.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from xdsl.ir import Operation, SSAValue

from ..dialects.ascend.memory import lanes_of
from ..dialects.tile import BLOCK
from ..dialects.tiling import (
    Along,
    DimMap,
    Iteration,
    OperandMap,
    Picked,
    Unit,
    Whole,
    picked_dims,
    reaches_outside,
)
from .compose_maps import NotFusableError, compose
from .graph_values import (
    INTEGERS,
    element_type_of,
    held_type_of,
    index_operands,
    rule_of,
    scalar_operands,
    shape_of,
)
from .group_loads import Load, addressed_operands
from .group_space import Space, reduced_dims, renamed, whole_rows
from .merge_dims import merged_dims
from .move_rules import joins, obstacle
from .product_rows import check_rows, check_windows
from .run_size import OPEN, fixed
from .stream_rules import Stream, along_depth, checked_stream, streams_rows


@dataclass(frozen=True)
class Regions:
    """The group's space and the map of every value. `extents` are the `rank` dimensions of its tiles (those of the
    result and those that are reduced on the Vector), then the reduced ones of its contraction. `merged[d]` lists the
    dimensions that kernel dimension `d` stands for. `reduced` are each op's reduced dimensions in the space, `rows`
    those that a tile holds in full because elements along them depend on each other."""

    ops: tuple[Operation, ...]
    result: SSAValue
    extents: tuple[int, ...]
    rank: int
    maps: dict[SSAValue, OperandMap]
    loads: tuple[Load, ...]
    merged: tuple[tuple[int, ...], ...]
    product: Operation | None
    reduced: dict[Operation, tuple[int, ...]] = field(default_factory=dict[Operation, tuple[int, ...]])
    rows: dict[Operation, frozenset[int]] = field(default_factory=dict[Operation, frozenset[int]])
    prologue: frozenset[Operation] = frozenset()
    """Ops that compute the product's left operand, tile by tile."""
    stream: Stream | None = None
    """How the left operand is computed where its rows depend on each other or another product gives them."""
    addressed: dict[tuple[SSAValue, OperandMap], Load] = field(
        default_factory=dict[tuple[SSAValue, OperandMap], Load]
    )
    """Operands of products that ops outside of `ops` only move: what is loaded in their place."""
    factor: int = 0
    """How many times the run-time size the first kernel dimension is; 0: it does not depend on it."""

    def at(self, size: int) -> "Regions":
        """The same group at run-time size `size`."""
        now = fixed()
        if now is None or not self.factor:
            return self
        return replace(self, extents=(now.factor(self.extents[0]) * size, *self.extents[1:]))

    def opened(self, extents: tuple[int, ...]) -> tuple[int, ...]:
        """Extents for rules that must hold at every run-time size: the dynamic one is past any tile."""
        return (self.factor * OPEN, *extents[1:]) if self.factor else extents

    def loads_of(self, ops: Iterable[Operation]) -> list[Load]:
        """What some of the group's ops read from outside, in the order of `loads`."""
        read: set[tuple[SSAValue, OperandMap]] = set()
        for op in ops:
            scalars = scalar_operands(op)
            for i, value in enumerate(op.operands):
                if i not in scalars and i not in index_operands(op):
                    needed = value, self.operand_map(op, i)
                    moved = self.addressed.get(needed)
                    read.add(needed if moved is None else (moved.value, moved.maps))
        return [load for load in self.loads if (load.value, load.maps) in read]

    @cached_property
    def step_order(self) -> tuple[int, ...]:
        """Of a product whose left operand is computed here: the dimensions of that operand's tiles (those of the
        kernel, then the reduced ones), in its own order."""
        assert self.product is not None
        contraction = rule_of(self.product).contraction(self.product)
        maps = self.kernel_map(self.operand_map(self.product, contraction.lhs))
        return tuple(e.dim for e in maps if isinstance(e, Along))

    @cached_property
    def whole(self) -> frozenset[int]:
        """Kernel dimensions that every tile holds in full."""
        return frozenset[int]().union(*(self.kernel_rows(op) for op in self.rows))

    def kernel_rows(self, op: Operation) -> frozenset[int]:
        """Kernel dimensions along which the elements of an op's operands depend on each other; of what computes a
        product's left operand those that the product reduces, which are numbered behind the kernel's."""
        rows = self.rows.get(op, frozenset[int]())
        depth = frozenset(len(self.merged) + d - self.rank for d in rows if d >= self.rank)
        return depth | frozenset(k for k, dims in enumerate(self.merged) if not rows.isdisjoint(dims))

    def kernel_dim(self, op: Operation, dim: int) -> int | None:
        """The kernel dimension of an op's iteration dimension; None where it has one element."""
        outer = self.maps[op.results[0]]
        if dim >= len(outer):
            place: int | None = self.reduced[op][dim - len(outer)]
        else:
            place = getattr(outer[dim], "dim", None)
        if place is not None and place >= self.rank:
            return len(self.merged) + place - self.rank
        if place is None or self.extents[place] == 1:
            return None
        if place >= self.rank:
            return len(self.merged) + place - self.rank
        return next(k for k, dims in enumerate(self.merged) if place in dims)

    @cached_property
    def result_shape(self) -> tuple[int, ...]:
        """The result as the kernel sees it: its dimensions in the kernel's, one where they are reduced."""
        along = {e.dim for e in self.kernel_map(self.maps[self.result]) if isinstance(e, Along)}
        return tuple(size if k in along else 1 for k, size in enumerate(self.kernel_extents))

    @property
    def joins(self) -> bool:
        """Whether one of the ops joins tensors."""
        return any(joins(op) for op in self.ops)

    @property
    def stored_dims(self) -> frozenset[int]:
        """The kernel dimensions that the result has more than one element along."""
        return frozenset(d for d, size in enumerate(self.result_shape) if size > 1)

    def kernel_map(self, maps: OperandMap) -> OperandMap:
        """`maps` in kernel dimensions: dimensions that were merged are one."""
        return tuple(entry for entry in self.in_kernel(maps) if entry is not None)

    def in_kernel(self, maps: OperandMap) -> list[DimMap | None]:
        """Each entry in kernel dimensions; None for one that an entry beside it stands for, or of size one."""
        place = {d: k for k, dims in enumerate(self.merged) for d in dims}
        reduced = len(self.merged)
        result: list[DimMap | None] = []
        seen: set[int] = set()
        for entry in maps:
            if isinstance(entry, Picked):
                kept = [place[d] for d in entry.dims if not self._is_absorbed(d, place[d])]
                result.append(Picked(entry.by, tuple(dict.fromkeys(kept))))
            elif not isinstance(entry, Along):
                result.append(entry)
            elif entry.dim >= self.rank:
                result.append(replace(entry, dim=reduced + entry.dim - self.rank))
            elif place[entry.dim] in seen or self._is_absorbed(entry.dim, place[entry.dim]):
                result.append(None)
            else:
                seen.add(place[entry.dim])
                result.append(replace(entry, dim=place[entry.dim]))
        return result

    def _is_absorbed(self, dim: int, kernel_dim: int) -> bool:
        """Whether a dimension of size one was merged with larger ones."""
        return self.extents[dim] == 1 != self.kernel_extents[kernel_dim]

    def operand_map(self, op: Operation, index: int) -> OperandMap:
        """How the group's space needs operand `index` of one of its ops."""
        iteration = rule_of(op).iteration(op)
        outer = self.maps[op.results[0]]
        reduced = self.reduced.get(op, ())
        return tuple(compose(e, outer, iteration.parallel, reduced) for e in iteration.operands[index])

    def kernel_shape(self, load: "Load") -> tuple[int, ...]:
        """The shape under which the kernel sees a tensor that it loads: merged dimensions multiplied."""
        sizes: list[int] = []
        for size, entry in zip(shape_of(load.value), self.in_kernel(load.maps), strict=True):
            if entry is not None:
                sizes.append(size)
            elif size != 1:
                sizes[-1] *= size
        return tuple(sizes)

    @cached_property
    def kernel_extents(self) -> tuple[int, ...]:
        extents: list[int] = []
        for dims in self.merged:
            size = 1
            for d in dims:
                size *= self.extents[d]
            extents.append(size)
        return tuple(extents)


def group_regions(ops: Sequence[Operation]) -> Regions:
    """Regions of `ops`, in program order, whose last one gives the group's result.

    Raises `NotFusableError` when the ops do not compose: a value is needed through two different maps, two products, …
    """
    result = ops[-1].results[0]
    space = Space(shape_of(result))
    inside: dict[SSAValue, Operation] = {op.results[0]: op for op in ops}
    maps: dict[SSAValue, OperandMap] = {result: tuple(Along(d) for d in space.order)}
    loads: list[Load] = []
    reduced: dict[Operation, tuple[int, ...]] = {}
    rows: dict[Operation, frozenset[int]] = {}
    depth: tuple[int, ...] = ()
    product: Operation | None = None
    inner: Operation | None = None
    online: Operation | None = None
    for op in reversed(ops):
        rule = rule_of(op)
        outer = maps.get(op.results[0])
        if outer is None:
            raise NotFusableError(f"{op.name} does not feed the group's result")
        iteration = rule.iteration(op)
        if rule.engine == "cube":
            if inner is not None or (product is not None and not along_depth(outer)):
                raise NotFusableError("two products need two accumulators")
            own = iteration.extents[iteration.parallel :]
            reduced[op] = tuple(-1 - len(depth) - k for k in range(len(own)))
            depth += own
            space.extents |= dict(zip(reduced[op], own, strict=True))
            product, inner = (op, None) if product is None else (product, op)
        elif online is None and streams_rows(op, iteration, outer):
            online = op
        elif iteration.whole or iteration.extents[iteration.parallel :]:
            reduced[op] = reduced_dims(iteration, outer, space)
            rows[op] = whole_rows(op, iteration, outer, reduced[op], space)
        scalars = scalar_operands(op)
        for i, (operand, entries) in enumerate(zip(op.operands, iteration.operands, strict=True)):
            if i in scalars:
                continue
            if i in index_operands(op):
                if operand in inside:
                    raise NotFusableError(f"{inside[operand].name} gives indices, which are read from GM")
                continue
            composed = tuple(compose(e, outer, iteration.parallel, reduced.get(op, ())) for e in entries)
            if operand in inside:
                producer = inside[operand].name
                if maps.setdefault(operand, composed) != composed:
                    raise NotFusableError(f"the result of {producer} is needed through two regions")
                if str(element_type_of(operand)) in INTEGERS:
                    raise NotFusableError(
                        f"{producer} gives {element_type_of(operand)}, which is made on the way to GM only"
                    )
                if any(isinstance(e, Whole | Picked) for e in composed):
                    raise NotFusableError(f"{op.name} needs all of what {producer} gives")
                if not joins(op) and reaches_outside(
                    entries, shape_of(operand), dict(enumerate(iteration.extents))
                ):
                    raise NotFusableError(f"{op.name} pads what {producer} gives")
            else:
                load = Load(operand, composed, _fill(iteration, i))
                if any(load.clashes(other) for other in loads):
                    raise NotFusableError("an operand is padded with two different values")
                if load not in loads:
                    loads.append(load)
    addressed: dict[tuple[SSAValue, OperandMap], Load] = {}
    if product is not None:
        addressed, moved = addressed_operands(ops, maps, loads)
        ops = [op for op in ops if op not in moved]
        inside = {op.results[0]: op for op in ops}
    reason = obstacle(ops, maps, loads, inside, product)
    if reason is not None:
        raise NotFusableError(reason)
    prologue = frozenset[Operation]() if product is None else _prologue(product, maps, inside)
    stream = None
    if product is not None and (online is not None or inner is not None):
        if rows:
            raise NotFusableError(
                f"{next(iter(rows)).name} needs whole rows of what a product gives in parts"
            )
        stream = checked_stream(Stream(online, inner), product, prologue, maps)
    elif product is not None:
        check_rows(product, rows, maps, prologue, maps[result])
    if product is not None:
        check_windows(product, maps, [load.maps for load in loads])
    place = space.numbers(len(depth))
    placed = {value: renamed(entries, place) for value, entries in maps.items()}
    regions = Regions(
        tuple(ops),
        result,
        (*space.extents_in_order, *depth),
        len(space.order),
        placed,
        tuple(replace(load, maps=renamed(load.maps, place)) for load in loads),
        tuple((d,) for d in range(len(space.order))),
        product,
        {op: tuple(place[d] for d in dims) for op, dims in reduced.items()},
        {op: frozenset(place[d] for d in dims) for op, dims in rows.items()},
        prologue,
        stream,
        {
            (value, renamed(entries, place)): replace(load, maps=renamed(load.maps, place))
            for (value, entries), load in addressed.items()
        },
    )
    regions = replace(regions, merged=merged_dims(regions))
    for load in regions.loads:
        picked = picked_dims(regions.kernel_map(load.maps))
        if picked and (product is not None or len(regions.merged) - 1 in picked):
            raise NotFusableError(
                "rows that indices pick are loaded to tiles of the Vector, one after the other"
            )
    now = fixed()
    factor = 0 if now is None else now.factor(regions.kernel_extents[0])
    if factor and stream is not None:
        raise NotFusableError("a product that takes its operand part by part has static sizes")
    return replace(regions, factor=factor)


def _prologue(
    product: Operation, maps: dict[SSAValue, OperandMap], inside: dict[SSAValue, Operation]
) -> frozenset[Operation]:
    """The ops that a product's left operand comes from; `NotFusableError` where tiles of it are not its operand's."""
    contraction = rule_of(product).contraction(product)
    found: set[Operation] = set()
    waiting = [value for value in product.operands if value in inside]
    if not waiting:
        return frozenset()
    name = inside[waiting[0]].name
    lhs = product.operands[contraction.lhs]
    if waiting != [lhs] or contraction.transpose_lhs:
        raise NotFusableError(
            f"{name} feeds a product's right or transposed operand, which the Cube reads from GM"
        )
    if lanes_of(element_type_of(lhs)) != BLOCK:
        raise NotFusableError(
            f"{name} feeds a product in {element_type_of(lhs)}, whose blocks have 8 elements"
        )
    if not all(isinstance(e, Along) and e.is_identity for e in maps[lhs]):
        raise NotFusableError(f"{name} feeds a window of a product")
    while waiting:
        op = inside[waiting.pop()]
        found.add(op)
        waiting += [value for value in op.operands if value in inside]
    for op in found:
        outside = [use.operation for use in op.results[0].uses if use.operation is not product]
        if any(user in inside.values() and user not in found for user in outside):
            raise NotFusableError(f"the result of {op.name} is needed before and after a product")
    return frozenset(found)


def _fill(iteration: Iteration, operand: int) -> float | None:
    return iteration.fills[operand] if operand < len(iteration.fills) else None


__all__ = [
    "Load",
    "NotFusableError",
    "Regions",
    "Unit",
    "compose",
    "element_type_of",
    "group_regions",
    "held_type_of",
    "rule_of",
    "scalar_operands",
    "shape_of",
]

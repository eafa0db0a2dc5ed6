"""Regions of a fusion group: what part of each value one tile of the group's result needs.

Operand maps compose from the group's last op backwards; two windows in a row make one larger window (the halo
adds up). Dimensions that every value walks alike are then merged, so that an elementwise group over
[N, C, H, W] is one flat loop, and a batched product with shared weights is one large product.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.ascend.memory import HELD_AS, lanes_of
from ..dialects.graph.elements import splat_value
from ..dialects.tile import BLOCK
from ..dialects.tiling import (
    Along,
    Contraction,
    DimMap,
    Iteration,
    OperandMap,
    Picked,
    TilingRule,
    Unit,
    Whole,
    picked_dims,
    reaches_outside,
)
from .compose_maps import NotFusableError, compose
from .move_rules import joins, obstacle
from .tile_emitter import DTYPES

INTEGERS = ("i8", "i32")
"""What the Vector only makes on the way to GM."""


def rule_of(op: Operation) -> TilingRule:
    return cast(Any, op).tiling


def shape_of(value: SSAValue) -> tuple[int, ...]:
    return cast(TensorType[Attribute], value.type).get_shape()


def element_type_of(value: SSAValue) -> Attribute:
    return cast(TensorType[Attribute], value.type).element_type


def held_type_of(value: SSAValue) -> Attribute:
    """Element type of a value's tiles in UB: its own, or what the Vector converts it to (`HELD_AS`)."""
    element = element_type_of(value)
    held = HELD_AS.get(str(element))
    return element if held is None else DTYPES[held]


@dataclass(frozen=True)
class Load:
    """A tensor that the group reads, and how: `value` from outside, needed through `maps` by the group's space."""

    value: SSAValue
    maps: OperandMap
    fill: float | None

    def clashes(self, other: "Load") -> bool:
        """Whether the two are one tile, but for what lies outside of the tensor."""
        same = self.value is other.value and self.maps == other.maps
        return same and None not in (self.fill, other.fill) and self.fill != other.fill


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

    def loads_of(self, ops: Iterable[Operation]) -> list[Load]:
        """What some of the group's ops read from outside, in the order of `loads`."""
        read: set[tuple[SSAValue, OperandMap]] = set()
        for op in ops:
            scalars = scalar_operands(op)
            for i, value in enumerate(op.operands):
                if i not in scalars and i not in index_operands(op):
                    read.add((value, self.operand_map(op, i)))
        return [load for load in self.loads if (load.value, load.maps) in read]

    @property
    def step_order(self) -> tuple[int, ...]:
        """Of a product whose left operand is computed here: the dimensions of that operand's tiles (those of the
        kernel, then the reduced ones), in its own order."""
        assert self.product is not None
        contraction = rule_of(self.product).contraction(self.product)
        maps = self.kernel_map(self.operand_map(self.product, contraction.lhs))
        return tuple(e.dim for e in maps if isinstance(e, Along))

    @property
    def whole(self) -> frozenset[int]:
        """Kernel dimensions that every tile holds in full."""
        return frozenset[int]().union(*(self.kernel_rows(op) for op in self.rows))

    def kernel_rows(self, op: Operation) -> frozenset[int]:
        """Kernel dimensions along which the elements of an op's operands depend on each other."""
        rows = self.rows.get(op, frozenset[int]())
        return frozenset(k for k, dims in enumerate(self.merged) if not rows.isdisjoint(dims))

    def kernel_dim(self, op: Operation, dim: int) -> int | None:
        """The kernel dimension of an op's iteration dimension; None where it has one element."""
        outer = self.maps[op.results[0]]
        if dim >= len(outer):
            place: int | None = self.reduced[op][dim - len(outer)]
        else:
            place = getattr(outer[dim], "dim", None)
        if place is None or self.extents[place] == 1:
            return None
        return next(k for k, dims in enumerate(self.merged) if place in dims)

    @property
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
        return tuple(entry for entry in self._in_kernel(maps) if entry is not None)

    def _in_kernel(self, maps: OperandMap) -> list[DimMap | None]:
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
        for size, entry in zip(shape_of(load.value), self._in_kernel(load.maps), strict=True):
            if entry is not None:
                sizes.append(size)
            elif size != 1:
                sizes[-1] *= size
        return tuple(sizes)

    @property
    def kernel_extents(self) -> tuple[int, ...]:
        extents: list[int] = []
        for dims in self.merged:
            size = 1
            for d in dims:
                size *= self.extents[d]
            extents.append(size)
        return tuple(extents)


def is_splat(value: SSAValue) -> float | None:
    """The value of a splat constant, None for anything else."""
    if isinstance(value.owner, Operation) and value.owner.name == "graph.constant":
        return splat_value(cast(Any, value.owner).value)
    return None


def scalar_operands(op: Operation) -> dict[int, float]:
    """Operands that the op's rule takes as Python floats: at most all but one."""
    if not getattr(rule_of(op), "accepts_scalars", False):
        return {}
    found = {i: s for i, v in enumerate(op.operands) if (s := is_splat(v)) is not None and _follows(op, i)}
    if len(found) == len(op.operands):
        found.pop(max(found))
    return found


def index_operands(op: Operation) -> tuple[int, ...]:
    """Operands that hold indices, which the scalar unit reads from GM."""
    return getattr(rule_of(op), "indices", ())


def _follows(op: Operation, index: int) -> bool:
    """Whether the other operands alone give the result its shape."""
    others = [shape_of(v) for i, v in enumerate(op.operands) if i != index]
    return shape_of(op.results[0]) in others


def group_regions(ops: Sequence[Operation]) -> Regions:
    """Regions of `ops`, in program order, whose last one gives the group's result.

    Raises `NotFusableError` when the ops do not compose: a value is needed through two different maps, two products, …
    """
    result = ops[-1].results[0]
    space = _Space(shape_of(result))
    inside: dict[SSAValue, Operation] = {op.results[0]: op for op in ops}
    maps: dict[SSAValue, OperandMap] = {result: tuple(Along(d) for d in space.order)}
    loads: list[Load] = []
    reduced: dict[Operation, tuple[int, ...]] = {}
    rows: dict[Operation, frozenset[int]] = {}
    depth: tuple[int, ...] = ()
    product: Operation | None = None
    for op in reversed(ops):
        rule = rule_of(op)
        outer = maps.get(op.results[0])
        if outer is None:
            raise NotFusableError(f"{op.name} does not feed the group's result")
        iteration = rule.iteration(op)
        if rule.engine == "cube":
            if product is not None:
                raise NotFusableError("two products need two accumulators")
            product, depth = op, iteration.extents[iteration.parallel :]
            reduced[op] = tuple(-1 - k for k in range(len(depth)))
        elif iteration.whole or iteration.extents[iteration.parallel :]:
            reduced[op] = _reduced_dims(iteration, outer, space)
            rows[op] = _rows(op, iteration, outer, reduced[op], space)
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
    reason = obstacle(ops, maps, [load.maps for load in loads], inside, product)
    if reason is not None:
        raise NotFusableError(reason)
    prologue = frozenset[Operation]() if product is None else _prologue(product, maps, inside)
    if product is not None and rows:
        raise NotFusableError(f"{next(iter(rows)).name} needs whole rows of what a product gives in parts")
    place = space.numbers(len(depth))
    renamed = {value: _renamed(entries, place) for value, entries in maps.items()}
    regions = Regions(
        tuple(ops),
        result,
        (*space.extents_in_order, *depth),
        len(space.order),
        renamed,
        tuple(replace(load, maps=_renamed(load.maps, place)) for load in loads),
        tuple((d,) for d in range(len(space.order))),
        product,
        {op: tuple(place[d] for d in dims) for op, dims in reduced.items()},
        {op: frozenset(place[d] for d in dims) for op, dims in rows.items()},
        prologue,
    )
    regions = replace(regions, merged=_merge(regions))
    for load in regions.loads:
        picked = picked_dims(regions.kernel_map(load.maps))
        if picked and (product is not None or len(regions.merged) - 1 in picked):
            raise NotFusableError(
                "rows that indices pick are loaded to tiles of the Vector, one after the other"
            )
    return regions


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


class _Space:
    """Dimensions of a group's space in order, by names that stay when others are put between them; those that a product
    reduces are -1, -2, … and come last."""

    def __init__(self, shape: Sequence[int]):
        self.order = list(range(len(shape)))
        self.extents = dict(enumerate(shape))

    def insert(self, after: int | None, extent: int) -> int:
        """A new dimension behind another one; None: the first."""
        name = len(self.extents)
        self.extents[name] = extent
        self.order.insert(0 if after is None else self.order.index(after) + 1, name)
        return name

    @property
    def extents_in_order(self) -> tuple[int, ...]:
        return tuple(self.extents[d] for d in self.order)

    def numbers(self, depth: int) -> dict[int, int]:
        """The final number of every dimension, `depth` reduced ones of a product included."""
        rank = len(self.order)
        return {d: i for i, d in enumerate(self.order)} | {-1 - k: rank + k for k in range(depth)}


def _renamed(maps: OperandMap, place: dict[int, int]) -> OperandMap:
    def entry(e: DimMap) -> DimMap:
        if isinstance(e, Along):
            return replace(e, dim=place[e.dim])
        if isinstance(e, Picked):
            return Picked(e.by, tuple(place[d] for d in e.dims))
        return Unit(place[e.dim]) if isinstance(e, Unit) and e.dim is not None else e

    return tuple(entry(e) for e in maps)


def _reduced_dims(iteration: Iteration, outer: OperandMap, space: _Space) -> tuple[int, ...]:
    """The space's dimensions that an op on the Vector reduces: those along which its result is repeated, else new ones,
    in the order of its first operand."""
    found: list[int] = []
    first = [e for e in iteration.operands[0] if isinstance(e, Along)]
    for j, extent in enumerate(iteration.extents[iteration.parallel :]):
        kept = iteration.kept[j] if j < len(iteration.kept) else None
        through = None if kept is None else outer[kept]
        if isinstance(through, Unit) and through.dim is not None and space.extents[through.dim] == extent:
            found.append(through.dim)
            continue
        before: int | None = None
        for entry in first[: next(i for i, e in enumerate(first) if e.dim == iteration.parallel + j)]:
            if entry.dim >= iteration.parallel:
                before = found[entry.dim - iteration.parallel]
            else:
                before = getattr(outer[entry.dim], "dim", before)
        found.append(space.insert(before, extent))
    return tuple(found)


def _rows(
    op: Operation, iteration: Iteration, outer: OperandMap, reduced: tuple[int, ...], space: _Space
) -> frozenset[int]:
    """Dimensions of the space that a tile holds in full for an op."""
    dims = set(reduced)
    for d in iteration.whole:
        entry = outer[d]
        if isinstance(entry, Along):
            if not entry.is_identity:
                raise NotFusableError(f"{op.name} gives whole rows, of which a window needs parts")
            dims.add(entry.dim)
    return frozenset(d for d in dims if space.extents[d] != 1)


def _fill(iteration: Iteration, operand: int) -> float | None:
    return iteration.fills[operand] if operand < len(iteration.fills) else None


def _merge(regions: Regions) -> tuple[tuple[int, ...], ...]:
    """Adjacent result dimensions that every value either walks together, plainly, or repeats along together. One of
    size one joins any other."""
    values = [*regions.maps.items(), *((load.value, load.maps) for load in regions.loads)]
    everything = [maps for _, maps in values]
    fixed: set[tuple[int, int]] = set()
    if regions.product is not None:
        contraction = rule_of(regions.product).contraction(regions.product)
        fixed = _unmergeable(regions, contraction)
    single = {d for d in range(regions.rank) if regions.extents[d] == 1}
    moved = {e.dim for maps in everything for e in maps if isinstance(e, Along) and not e.is_identity}
    single -= moved
    # of a larger dimension the one element that is read
    single -= {
        e.dim
        for v, m in values
        for e, n in zip(m, shape_of(v), strict=True)
        if isinstance(e, Along) and n > 1
    }
    larger = [
        [
            (e, n)
            for e, n in zip(maps, shape_of(v), strict=True)
            if not (isinstance(e, Along) and e.dim in single)
        ]
        for v, maps in values
    ]
    merged: list[list[int]] = [[d] for d in range(regions.rank)][:1]
    for d in range(1, regions.rank):
        before = [other for other in merged[-1] if other not in single]
        if not before and d in moved:  # one of size one stays: a window leaves it for the lanes
            merged.append([d])
            continue
        free = d in single or not before
        together = free or all((before[-1] in rows) == (d in rows) for rows in regions.rows.values())
        together = free or (together and all(_alike(maps, before[-1], d, regions.extents) for maps in larger))
        if together and (d - 1, d) not in fixed:
            merged[-1].append(d)
        else:
            merged.append([d])
    return tuple(tuple(dims) for dims in merged)


def _unmergeable(regions: Regions, contraction: Contraction) -> set[tuple[int, int]]:
    """Pairs of the group's dimensions that the product needs apart: batch, rows and columns; image rows and columns."""
    assert regions.product is not None
    outer = regions.maps[regions.product.results[0]]
    place = {i: e.dim for i, e in enumerate(outer) if isinstance(e, Along)}
    role = {place[i]: "batch" for i in contraction.batch if i in place}
    role |= {place[i]: "m" for i in contraction.m if i in place}
    if contraction.n in place:
        role[place[contraction.n]] = "n"
    if contraction.window is not None or contraction.transpose_lhs:
        return {(d, d + 1) for d in range(regions.rank)}
    return {(d, d + 1) for d in range(regions.rank - 1) if role.get(d) != role.get(d + 1)}


def _alike(maps: Sequence[tuple[DimMap, int]], a: int, b: int, extents: Sequence[int]) -> bool:
    """Whether a value whose dimensions have these maps and sizes walks dimensions `a` and `b` as one."""
    at = {e.dim: (i, e, n) for i, (e, n) in enumerate(maps) if isinstance(e, Along)}
    picked = picked_dims(tuple(e for e, _ in maps))
    if a in picked or b in picked:
        return a in picked and b in picked and picked.index(b) == picked.index(a) + 1
    if a not in at and b not in at:
        return True
    if a not in at or b not in at:
        return False
    (i, first, outer), (j, second, inner) = at[a], at[b]
    whole = inner == extents[b] and (extents[a] != 1 or outer == 1)
    return j == i + 1 and first.is_identity and second.is_identity and whole


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

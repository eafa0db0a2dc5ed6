"""The space that a fusion group's values share, as its kernel sees it: what part of each value a tile needs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from math import prod
from typing import Any

from xdsl.ir import Operation, SSAValue

from ...dialects.graph.rules import RowWise
from ...dialects.records import dataclass
from ...dialects.tiling import Along, DimMap, OperandMap, Picked, has_picked
from ..support.run_size import OPEN, fixed
from ..support.values import index_operands, iteration_of, joins, rule_of, scalar_operands, shape_of
from .back_to_back import BackToBack
from .compose_maps import NotFusableError, compose
from .joined_parts import Part
from .loads import Load
from .online import Stream


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
    siblings: tuple[Operation, ...] = ()
    """Products beside `product`, or beside the one that gives the rows of its left operand: of the same left operand,
    with results in the same place of the space."""
    prologue: frozenset[Operation] = frozenset()
    """Ops that compute the product's left operand, tile by tile."""
    stream: Stream | None = None
    """How the left operand is computed where its rows depend on each other or another product gives them."""
    back_to_back: BackToBack | None = None
    """The convolution whose result the product, a convolution too, reads out of L1."""
    addressed: dict[tuple[SSAValue, OperandMap], Load] = field(
        default_factory=dict[tuple[SSAValue, OperandMap], Load]
    )
    """Operands of products that ops outside of `ops` only move: what is loaded in their place."""
    parts: tuple[Part, ...] = ()
    """What the result is joined of, where a tile stores its part of each; the space is then that of one."""
    folded: tuple[int, ...] = ()
    """Dimensions that ops in front of a product reduce and the product lacks: the items of an embedding bag. They are
    the last of `extents`."""
    given: tuple[Operation, ...] = ()
    """`ops`, and those that only move operands of products, in program order."""
    factor: int = 0
    """How many times the run-time size the first kernel dimension is; 0: it does not depend on it."""
    known: dict[Any, Any] = field(default_factory=dict[Any, Any], init=False, repr=False, compare=False)
    """What was derived from the group before, by what it was derived with."""

    def at(self, size: int) -> "Regions":
        """The same group at run-time size `size`."""
        now = fixed()
        if now is None or not self.factor:
            return self
        return replace(self, extents=(now.factor(self.extents[0]) * size, *self.extents[1:]))

    def opened(self, extents: tuple[int, ...]) -> tuple[int, ...]:
        """Extents for rules that must hold at every run-time size: the dynamic one is past any tile."""
        return (self.factor * OPEN, *extents[1:]) if self.factor else extents

    def loads_of(self, ops: Iterable[Operation], meets: Iterable[Operation] = ()) -> list[Load]:
        """What some of the group's ops read from outside, in the order of `loads`; those in `meets` their rows alone,
        which are the first operand."""
        read: set[tuple[SSAValue, OperandMap]] = set()
        for op, operands in (*((op, op.operands) for op in ops), *((op, op.operands[:1]) for op in meets)):
            scalars = scalar_operands(op)
            for i, value in enumerate(operands):
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
    def folded_dims(self) -> tuple[int, ...]:
        """`folded` as dimensions of the tiles that the left operand is computed of."""
        return tuple(len(self.merged) + d - self.rank for d in self.folded)

    @cached_property
    def tile_extents(self) -> tuple[int, ...]:
        """Extents of the kernel's dimensions, then of those that are numbered behind them."""
        return (*self.kernel_extents, *self.extents[self.rank :])

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """Extents of what products reduce."""
        return self.extents[self.rank : len(self.extents) - len(self.folded)]

    @cached_property
    def by_rows(self) -> bool:
        """Whether the left operand is computed row by row, and in blocks of columns only in the end: of rows that
        indices pick, or of several for each of its rows."""
        return bool(self.folded) or any(has_picked(load.maps) for load in self.loads_of(self.prologue))

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
        return next(k for k, dims in enumerate(self.merged) if place in dims)

    @cached_property
    def result_shape(self) -> tuple[int, ...]:
        """The result as the kernel sees it: its dimensions in the kernel's, one where they are reduced."""
        along = {e.dim for e in self.kernel_map(self.maps[self.result]) if isinstance(e, Along)}
        return tuple(size if k in along else 1 for k, size in enumerate(self.kernel_extents))

    @property
    def products(self) -> tuple[Operation, ...]:
        """The products whose results lie side by side in an accumulator, in order."""
        host = self.product if self.stream is None else self.stream.inner
        return () if host is None else (host, *self.siblings)

    @cached_property
    def product_along(self) -> dict[int, Along]:
        """How the product's result lies along the kernel's dimensions."""
        assert self.product is not None
        maps = self.kernel_map(self.maps[self.product.results[0]])
        return {e.dim: e for e in maps if isinstance(e, Along)}

    @property
    def joins(self) -> bool:
        """Whether one of the ops joins tensors on chip."""
        return any(joins(op) for op in self.computing)

    @property
    def computing(self) -> tuple[Operation, ...]:
        """The ops that give tiles: all but a concatenation whose parts are stored each to its place."""
        return self.ops[:-1] if self.parts else self.ops

    @property
    def stored_dims(self) -> frozenset[int]:
        """The kernel dimensions that the result has more than one element along."""
        return frozenset(d for d, size in enumerate(self.result_shape) if size > 1)

    def kernel_map(self, maps: OperandMap) -> OperandMap:
        """`maps` in kernel dimensions: dimensions that were merged are one."""
        return tuple(entry for entry in self.in_kernel(maps) if entry is not None)

    def in_kernel(self, maps: OperandMap) -> Sequence[DimMap | None]:
        """Each entry in kernel dimensions; None for one that an entry beside it stands for, or of size one."""
        found = self.known.get(maps)
        if found is None:
            found = self.known[maps] = tuple(self._in_kernel(maps))
        return found

    def _in_kernel(self, maps: OperandMap) -> Iterator[DimMap | None]:
        place = {d: k for k, dims in enumerate(self.merged) for d in dims}
        reduced = len(self.merged)
        parts = self.parts_of_one.intersection(e.dim for e in maps if isinstance(e, Along))
        seen: set[int] = set()
        for entry in maps:
            if isinstance(entry, Picked):
                kept = [
                    reduced + d - self.rank if d >= self.rank else place[d]
                    for d in entry.dims
                    if d >= self.rank or not self._is_absorbed(d, place[d])
                ]
                yield replace(entry, dims=tuple(dict.fromkeys(kept)))
            elif not isinstance(entry, Along):
                yield entry
            elif entry.dim >= self.rank:
                yield entry.along(reduced + entry.dim - self.rank)
            elif place[entry.dim] in seen or self._is_absorbed(entry.dim, place[entry.dim], parts):
                yield None
            else:
                seen.add(place[entry.dim])
                yield entry.along(place[entry.dim])

    @cached_property
    def parts_of_one(self) -> frozenset[int]:
        """Dimensions of size one along which a value gives one element of several, or a window."""
        values = [*self.maps.items(), *((load.value, load.maps) for load in self.loads)]
        return frozenset(
            e.dim
            for value, maps in values
            for e, size in zip(maps, shape_of(value), strict=True)
            if isinstance(e, Along) and e.dim < self.rank and self.extents[e.dim] == 1
            if size > 1 or not e.is_identity
        )

    def _is_absorbed(self, dim: int, kernel_dim: int, parts: frozenset[int] = frozenset()) -> bool:
        """Whether a dimension of size one was merged with larger ones, or with one of `parts`, which says where the one
        element is."""
        if self.extents[dim] != 1:
            return False
        beside = parts.intersection(self.merged[kernel_dim])
        return self.kernel_extents[kernel_dim] != 1 or (bool(beside) and dim not in beside)

    def operand_map(self, op: Operation, index: int) -> OperandMap:
        """How the group's space needs operand `index` of one of its ops."""
        key = op, index
        found = self.known.get(key)
        if found is None:
            iteration = iteration_of(op)
            outer = self.maps[op.results[0]]
            reduced = self.reduced.get(op, ())
            entries = iteration.operands[index]
            found = tuple(compose(e, outer, iteration.parallel, reduced) for e in entries)
            self.known[key] = found
        return found

    def tile_map(self, op: Operation, index: int) -> OperandMap:
        """Of operand `index` of one of the ops, the region that its tile holds, which may be larger than what the op
        needs (`operand_map`)."""
        value = op.operands[index]
        return self.maps[value] if value in self.maps else self.operand_map(op, index)

    def kernel_shape(self, load: "Load") -> tuple[int, ...]:
        """The shape under which the kernel sees a tensor that it loads: merged dimensions multiplied."""
        return self._kernel_sizes(load.value, load.maps)

    def kernel_sizes(self, value: SSAValue) -> tuple[int, ...]:
        """The shape of a value that the group computes, as the kernel sees it."""
        return self._kernel_sizes(value, self.maps[value])

    def _kernel_sizes(self, value: SSAValue, maps: OperandMap) -> tuple[int, ...]:
        key = "sizes", shape_of(value), maps
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._merged_sizes(key[1], maps)
        return found

    def _merged_sizes(self, shape: tuple[int, ...], maps: OperandMap) -> tuple[int, ...]:
        place = {d: k for k, dims in enumerate(self.merged) for d in dims}
        sizes: list[int] = []
        at: dict[int, int] = {}
        for size, entry, kept in zip(shape, maps, self.in_kernel(maps), strict=True):
            if kept is not None:
                if isinstance(kept, Along):
                    at[kept.dim] = len(sizes)
                sizes.append(size)
            elif size != 1:  # a dimension of size one may lie between it and the one that stands for both
                assert isinstance(entry, Along)
                sizes[at[place[entry.dim]]] *= size
        return tuple(sizes)

    def origin(self, part: Part) -> tuple[int, ...]:
        """Where a part begins in the result, for each kernel dimension."""
        assert self.parts
        joined = next(
            e.dim
            for e, n in zip(self.maps[self.result], shape_of(self.result), strict=True)
            if isinstance(e, Along) and n != self.extents[e.dim]
        )
        found: list[int] = []
        for dims in self.merged:
            inside = [self.extents[d] for d in dims if d > joined]
            found.append(part.start * prod(inside) if joined in dims else 0)
        return tuple(found)

    @cached_property
    def kernel_extents(self) -> tuple[int, ...]:
        extents: list[int] = []
        for dims in self.merged:
            size = 1
            for d in dims:
                size *= self.extents[d]
            extents.append(size)
        return tuple(extents)


def check_lanes(regions: Regions) -> None:
    """`NotFusableError` where elements depend on each other along the lanes of the kernel's tiles, or of a product's,
    that no instruction can join there."""
    for op in regions.rows:
        rule = rule_of(op)
        if isinstance(rule, RowWise) and not rule.in_lanes:
            last = len(regions.merged) - 1
            if regions.product is not None or last in regions.kernel_rows(op):
                raise NotFusableError(f"rows of {op.name} would lie in the lanes of the kernel's tiles")

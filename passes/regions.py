"""Regions of a fusion group: what part of each value one tile of the group's result needs.

Operand maps compose from the group's last op backwards; two windows in a row make one larger window (the halo
adds up). Dimensions that every value walks alike are then merged, so that an elementwise group over
[N, C, H, W] is one flat loop, and a batched product with shared weights is one large product.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.graph.elements import splat_value
from ..dialects.tiling import Along, Contraction, DimMap, Iteration, OperandMap, TilingRule, Unit, Whole


class NotFusableError(Exception):
    """Two ops cannot be computed tile by tile together; the message is the reason that reports print."""


def rule_of(op: Operation) -> TilingRule:
    return cast(Any, op).tiling


def shape_of(value: SSAValue) -> tuple[int, ...]:
    return cast(TensorType[Attribute], value.type).get_shape()


def element_type_of(value: SSAValue) -> Attribute:
    return cast(TensorType[Attribute], value.type).element_type


def compose(entry: DimMap, outer: OperandMap, parallel: int, rank: int) -> DimMap:
    """`entry` of an op whose result follows the group's space by `outer`; reduction dimensions come after `rank`."""
    if not isinstance(entry, Along):
        return entry
    if entry.dim >= parallel:
        return replace(entry, dim=rank + entry.dim - parallel)
    through = outer[entry.dim]
    if not isinstance(through, Along):
        return through
    if through.window == 1 and entry.window == 1:
        window, dilation = 1, 1
    elif through.window == 1:
        window, dilation = entry.window, entry.dilation
    else:
        reach = (through.window - 1) * through.dilation * entry.stride + (entry.window - 1) * entry.dilation
        window, dilation = reach + 1, 1
    if (entry.repeat > 1 and not through.is_identity) or (through.repeat > 1 and not entry.is_identity):
        raise NotFusableError("an operand that repeats meets a window")
    return Along(
        through.dim,
        through.stride * entry.stride,
        window,
        dilation,
        entry.stride * through.pad + entry.pad,
        entry.repeat * through.repeat,
    )


@dataclass(frozen=True)
class Load:
    """A tensor that the group reads, and how: `value` from outside, needed through `maps` by the group's space."""

    value: SSAValue
    maps: OperandMap
    fill: float | None


@dataclass(frozen=True)
class Regions:
    """The group's space and the map of every value. `extents` are the result's dimensions, then the reduced ones of
    its contraction. `merged[d]` lists the result dimensions that kernel dimension `d` stands for."""

    ops: tuple[Operation, ...]
    result: SSAValue
    extents: tuple[int, ...]
    rank: int
    maps: dict[SSAValue, OperandMap]
    loads: tuple[Load, ...]
    merged: tuple[tuple[int, ...], ...]
    product: Operation | None

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
            if not isinstance(entry, Along):
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
        return tuple(compose(e, outer, iteration.parallel, self.rank) for e in iteration.operands[index])

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


def _follows(op: Operation, index: int) -> bool:
    """Whether the other operands alone give the result its shape."""
    others = [shape_of(v) for i, v in enumerate(op.operands) if i != index]
    return shape_of(op.results[0]) in others


def group_regions(ops: Sequence[Operation]) -> Regions:
    """Regions of `ops`, in program order, whose last one gives the group's result.

    Raises `NotFusableError` when the ops do not compose: a value is needed through two different maps, two products, …
    """
    result = ops[-1].results[0]
    rank = len(shape_of(result))
    inside: dict[SSAValue, Operation] = {op.results[0]: op for op in ops}
    maps: dict[SSAValue, OperandMap] = {result: tuple(Along(d) for d in range(rank))}
    loads: list[Load] = []
    reduced: tuple[int, ...] = ()
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
            product, reduced = op, iteration.extents[iteration.parallel :]
        elif iteration.extents[iteration.parallel :]:
            raise NotFusableError(f"{op.name} reduces outside the Cube")
        scalars = scalar_operands(op)
        for i, (operand, entries) in enumerate(zip(op.operands, iteration.operands, strict=True)):
            if i in scalars:
                continue
            composed = tuple(compose(e, outer, iteration.parallel, rank) for e in entries)
            if operand in inside:
                producer = inside[operand].name
                if maps.setdefault(operand, composed) != composed:
                    raise NotFusableError(f"the result of {producer} is needed through two regions")
                if any(isinstance(e, Whole) for e in composed):
                    raise NotFusableError(f"{op.name} needs all of what {producer} gives")
                if _reaches_outside(composed, shape_of(operand), shape_of(result)):
                    raise NotFusableError(f"{op.name} pads what {producer} gives")
            else:
                load = Load(operand, composed, _fill(iteration, i))
                if any(_differ(load, other) for other in loads):
                    raise NotFusableError("an operand is padded with two different values")
                if load not in loads:
                    loads.append(load)
    extents = (*shape_of(result), *reduced)
    regions = Regions(
        tuple(ops), result, extents, rank, maps, tuple(loads), tuple((d,) for d in range(rank)), product
    )
    return replace(regions, merged=_merge(regions))


def _reaches_outside(maps: OperandMap, shape: tuple[int, ...], result: tuple[int, ...]) -> bool:
    """Whether some of what a group's result needs of a tensor lies before its start or past its end."""
    return any(
        e.pad > 0 or (result[e.dim] - 1) * e.stride + e.span(1) > size * e.repeat
        for e, size in zip(maps, shape, strict=True)
        if isinstance(e, Along) and e.dim < len(result)
    )


def _differ(load: Load, other: Load) -> bool:
    """Whether two loads are one tile, but for what lies outside of the tensor."""
    same = load.value is other.value and load.maps == other.maps
    return same and None not in (load.fill, other.fill) and load.fill != other.fill


def _fill(iteration: Iteration, operand: int) -> float | None:
    return iteration.fills[operand] if operand < len(iteration.fills) else None


def _merge(regions: Regions) -> tuple[tuple[int, ...], ...]:
    """Adjacent result dimensions that every value either walks together, plainly, or repeats along together. One of
    size one joins any other."""
    everything = [*regions.maps.values(), *(load.maps for load in regions.loads)]
    fixed: set[tuple[int, int]] = set()
    if regions.product is not None:
        contraction = rule_of(regions.product).contraction(regions.product)
        fixed = _unmergeable(regions, contraction)
    single = {d for d in range(regions.rank) if regions.extents[d] == 1}
    single -= {e.dim for maps in everything for e in maps if isinstance(e, Along) and not e.is_identity}
    larger = [tuple(e for e in maps if not (isinstance(e, Along) and e.dim in single)) for maps in everything]
    merged: list[list[int]] = [[d] for d in range(regions.rank)][:1]
    for d in range(1, regions.rank):
        before = [other for other in merged[-1] if other not in single]
        free = d in single or not before
        together = free or all(_alike(maps, before[-1], d) for maps in larger)
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


def _alike(maps: OperandMap, a: int, b: int) -> bool:
    at = {e.dim: (i, e) for i, e in enumerate(maps) if isinstance(e, Along)}
    if a not in at and b not in at:
        return True
    if a not in at or b not in at:
        return False
    (i, first), (j, second) = at[a], at[b]
    return j == i + 1 and first.is_identity and second.is_identity


__all__ = [
    "Load",
    "NotFusableError",
    "Regions",
    "Unit",
    "element_type_of",
    "group_regions",
    "rule_of",
    "scalar_operands",
    "shape_of",
]

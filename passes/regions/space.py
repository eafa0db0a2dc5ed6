"""Dimensions of a fusion group's space while its regions are composed."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.ir import Operation

from ...dialects.tiling import Along, DimMap, Iteration, OperandMap, Picked, Unit
from .compose_maps import NotFusableError

PARTS = "a reduction needs whole rows, which a product takes in parts"


class Space:
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


def renamed(maps: OperandMap, place: dict[int, int]) -> OperandMap:
    def entry(e: DimMap) -> DimMap:
        if isinstance(e, Along):
            return e.along(place[e.dim])
        if isinstance(e, Picked):
            return replace(e, dims=tuple(place[d] for d in e.dims))
        return Unit(place[e.dim]) if isinstance(e, Unit) and e.dim is not None else e

    return tuple(entry(e) for e in maps)


def reduced_dims(
    iteration: Iteration,
    outer: OperandMap,
    space: Space,
    folded: Sequence[int] = (),
    fold: Callable[[int], int] | None = None,
) -> tuple[int, ...]:
    """The space's dimensions that an op on the Vector reduces: those along which its result is repeated, else new ones,
    in the order of its first operand. Of an op in front of a product `fold` makes them of an extent, and `folded` are
    those that it made before: the product lacks them, so they are no dimensions of its tiles."""
    found: list[int] = []
    first = [e for e in iteration.operands[0] if isinstance(e, Along)]
    for j, extent in enumerate(iteration.extents[iteration.parallel :]):
        kept = iteration.kept[j] if j < len(iteration.kept) else None
        through = None if kept is None else outer[kept]
        if isinstance(through, Along) and through.is_windowed:
            raise NotFusableError("a reduction gives one element, beside which a window needs padding")
        if isinstance(through, Unit) and through.dim is not None and space.extents[through.dim] == extent:
            if through.dim < 0 and through.dim not in folded:
                raise NotFusableError(PARTS)
            found.append(through.dim)
            continue
        if fold is not None:
            found.append(fold(extent))
            continue
        before: int | None = None
        for entry in first[: next(i for i, e in enumerate(first) if e.dim == iteration.parallel + j)]:
            if entry.dim >= iteration.parallel:
                before = found[entry.dim - iteration.parallel]
            else:
                before = getattr(outer[entry.dim], "dim", before)
                if before is not None and before < 0:
                    raise NotFusableError(PARTS)
        found.append(space.insert(before, extent))
    return tuple(found)


def whole_rows(
    op: Operation, iteration: Iteration, outer: OperandMap, reduced: tuple[int, ...], space: Space
) -> frozenset[int]:
    """Dimensions of the space that a tile holds in full for an op."""
    dims = set(reduced)
    for d in iteration.whole:
        entry = outer[d]
        if isinstance(entry, Along):
            if not entry.is_identity:
                raise NotFusableError(f"{op.name} gives whole rows, of which a window needs parts")
            if space.extents[entry.dim] != iteration.extents[d]:
                raise NotFusableError(f"{op.name} gives whole rows, which are parts of longer ones")
            dims.add(entry.dim)
    return frozenset(d for d in dims if space.extents[d] != 1)

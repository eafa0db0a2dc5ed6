"""Products of L0 as parts of one product of L1: boxes of its rows, columns and K."""

from collections.abc import Iterable, Sequence

from ...dialects.ascend.memory import element_bytes, memref_type
from ...dialects.records import dataclass
from ..support.errors import LocatedError
from .forms import Form, Forms
from .l0 import Fractal, Part
from .product_types import Matrix, Number, Product


@dataclass(frozen=True)
class Box:
    """A part of a product: where it begins, in fractals of rows, columns and K, and how many it has of each."""

    part: Part
    start: tuple[int, int, int]
    extent: tuple[int, int, int]


def boxes_of(parts: Sequence[Part]) -> list[Box]:
    """The parts of one product. LocatedError where they are of several places in L1 or L0C."""
    if len({_places(part) for part in parts}) > 1:
        raise LocatedError(parts[0].op, "ascend.mmad: a loop of products of several places: mmadL1 has one")
    a, b = _layout([one.a for one in parts]), _layout([one.b for one in parts])
    return [_box(parts[0], one, a, b) for one in parts]


def _places(part: Part) -> tuple[object, ...]:
    """The slots that a part reads and writes."""
    operands = [grid[0, 0] for grid in (part.a, part.b)]
    return (*part.c.buffer, *(place for one in operands for place in (*one.start.buffer, one.turned)))


def united(forms: Forms, whole: Sequence[Box]) -> Product:
    """One product of its parts, without the flags around it."""
    first = whole[0].part
    a, b = _layout([box.part.a for box in whole]), _layout([box.part.b for box in whole])
    boxes = [_box(first, box.part, a, b) for box in whole]
    m1, n1, k1 = (max(box.start[d] + box.extent[d] for box in boxes) for d in range(3))
    _check_cover(boxes, (m1, n1, k1))
    _check_starts(forms, boxes)
    last, tall = boxes[-1], max(boxes, key=lambda box: box.start[0])
    wide = 32 // element_bytes(first.op.lhs)
    sizes = (
        Number(tall.part.op.m, tall.part.trips, tall.start[0] * 16),
        Number(last.part.op.k, last.part.trips, last.start[2] * wide),
        Number(last.part.op.n, last.part.trips, last.start[1] * 16),
    )
    unit = None if last.part.op.unit is None else Number(last.part.op.unit, last.part.trips)
    once = forms.of(first.op.init, first.trips).known == 1
    return Product(
        first.op,
        _matrix(first.a[0, 0], a, (m1, k1)),
        _matrix(first.b[0, 0], b, (n1, k1)),
        first.c, m1 * 16, n1 * 16, k1 * wide, sizes,
        Number(first.op.init, first.trips), once, unit, first.bias,
    )  # fmt: skip


def _layout(grids: Sequence[dict[tuple[int, int], Fractal]]) -> tuple[int, int, bool]:
    """How far fractals of an operand lie apart in L1, along rows and along K, and whether they are transposed: then its
    rows in L1 are K, `c0` of them a fractal."""
    origin = grids[0][0, 0]
    turned, unit = origin.turned, element_bytes(origin.start.view.base)
    c0 = 32 // unit
    fractal = c0 * c0 if turned else 16 * c0
    stated = {one.step for grid in grids for one in grid.values() if one.step is not None}
    away = {step * 16 // c0 if turned else step for step in stated}
    for grid in () if away else grids:
        for (row, k), one in grid.items():
            across = row if turned else k
            if across and not (k if turned else row):
                begin = grid[0, 0].start.offset
                away.add(((one.start.offset - begin).known or 0) // across)
    if not away:  # one column of fractals in each part: those of the next part are behind it
        steps = {(grid[0, 0].start.offset - origin.start.offset).known or 0 for grid in grids}
        tall = fractal * max((k if turned else row) for grid in grids for row, k in grid)
        away = {min((step for step in steps if step > tall), default=tall + fractal)}
    if len(away) > 1 or min(away) % c0:
        raise LocatedError(
            origin.start.view, "ascend.mmad: its fractals lie otherwise in L1 than mmadL1 reads them"
        )
    step = away.pop()
    return (step, fractal, turned) if turned else (fractal, step, turned)


def _box(first: Part, part: Part, a: tuple[int, int, bool], b: tuple[int, int, bool]) -> Box:
    """Where a part begins in the whole product, by where its operands and sums do."""
    m, k = _place(first.a, part.a, a)
    n, same = _place(first.b, part.b, b)
    view = part.c.view
    step, row, _ = view.element_strides()
    moved = (part.c.offset - first.c.offset).known
    if k != same or moved is None or moved != n * step + m * 16 * row:
        raise LocatedError(
            part.op, "ascend.mmad: its operands are not those of one product with the ones before"
        )
    rows, columns = (1 + max(row for row, _ in grid) for grid in (part.a, part.b))
    length = 1 + max(k for _, k in part.a)
    return Box(part, (m, n, k), (rows, columns, length))


def _place(
    first: dict[tuple[int, int], Fractal], grid: dict[tuple[int, int], Fractal], layout: tuple[int, int, bool]
) -> tuple[int, int]:
    """How many fractals of rows and of K an operand begins behind the first one's."""
    along, deep, turned = layout
    for (row, k), one in grid.items():
        moved = (one.start.offset - grid[0, 0].start.offset).known
        if moved != row * along + k * deep or one.turned != turned:
            raise LocatedError(
                one.start.view, "ascend.mmad: its fractals lie otherwise in L1 than mmadL1 reads them"
            )
    moved = (grid[0, 0].start.offset - first[0, 0].start.offset).known
    if moved is None or moved < 0:
        raise LocatedError(grid[0, 0].start.view, "ascend.mmad: where its operands begin in L1 is computed")
    far = max(along, deep)
    outer, inner = moved // far, moved % far // min(along, deep)
    return (outer, inner) if turned else (inner, outer)


def _check_cover(boxes: Sequence[Box], whole: tuple[int, int, int]) -> None:
    """Whether the parts are the whole product, each of its fractals once, K in order."""
    seen: set[tuple[int, int, int]] = set()
    total = 0
    for box in boxes:
        (m, n, k), (rows, columns, length) = box.start, box.extent
        if k and not any(other.start[:2] == (m, n) and other.start[2] < k for other in boxes):
            raise LocatedError(box.part.op, "ascend.mmad: parts of one product are not in order")
        total += rows * columns * length
        seen.update((m + i, n + j, k + p) for i in range(rows) for j in range(columns) for p in range(length))
    if total != len(seen) or total != whole[0] * whole[1] * whole[2]:
        raise LocatedError(boxes[0].part.op, "ascend.mmad: parts of L0 that are not one product of L1")


def _check_starts(forms: Forms, boxes: Iterable[Box]) -> None:
    """Sums start with the first parts of K, all of them or none. FixPipe reads none before the last ones: what is added
    to sums that are handed over would be lost."""
    parts = list(boxes)
    last = max(box.start[2] for box in parts)
    starts = {forms.of(box.part.op.init, box.part.trips) for box in parts if not box.start[2]}
    later = [box for box in parts if box.start[2]]
    if len(starts) > 1 or any(forms.of(box.part.op.init, box.part.trips).known != 0 for box in later):
        raise LocatedError(parts[0].part.op, "ascend.mmad: sums start within what is one product")
    units = {_unit(forms, box.part) for box in parts if box.start[2] == last}
    early = {_unit(forms, box.part) for box in parts if box.start[2] != last}
    if len(units) > 1 or any(one is None if units != {None} else one is not None for one in early):
        raise LocatedError(parts[0].part.op, "ascend.mmad: unit flags within what is one product")
    if any(one is not None and one.known == 1 for one in early):
        raise LocatedError(parts[0].part.op, "ascend.mmad: FixPipe starts within what is one product")


def _unit(forms: Forms, part: Part) -> Form | None:
    return None if part.op.unit is None else forms.of(part.op.unit, part.trips)


def _matrix(start: Fractal, layout: tuple[int, int, bool], extent: tuple[int, int]) -> Matrix:
    """An operand in L1. A single column of fractals has no more rows than its buffer."""
    along, deep, turned = layout
    view = start.start.view
    c0 = 32 // element_bytes(view.base)
    blocks, rows = (extent[0] * 16 // c0, along // 16) if turned else (extent[1], deep // c0)
    if blocks == 1:
        rows = min(rows, memref_type(view.base).get_shape()[0] // c0)
    return Matrix(start.start, blocks, rows, turned)


__all__ = ["Box", "boxes_of", "united"]

"""What the Vector instructions cost that read a window of an image's tile, as `lowering/vector/vector.py` emits them:
over blocks of 16 channels, rows and columns, whose pitches in the image and in the sum differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....dialects.element_types import ELEMENT_BYTES
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK
from ....dialects.tiling import Along
from ...cost.group_trace import GroupTrace, TraceStep
from ...selection.vector_shapes import Choice, Dim, choose, merged
from .operand_load import OperandLoad
from .operands import image_of
from .problem import Problem, Tile

_Key = tuple[str, str, tuple[int, ...], tuple[tuple[int, ...], ...], tuple[int, ...]]
_MOST_KNOWN = 8192
_known: dict[int, tuple[Target, dict[_Key, Choice]]] = {}
"""Choices by target, which has no hash, so by its id; it is kept so that the id stays its own."""


@dataclass(frozen=True)
class Tap:
    """A position of the window: the first row and column of the result that it reaches, and of the image, how many
    there are of them, and the pitches of image and result, in positions."""

    at: tuple[int, int]
    first: tuple[int, int]
    size: tuple[int, int]
    steps: tuple[int, int]
    width: int
    plane: int

    @classmethod
    def dense(cls, rows: int, width: int) -> Tap:
        """The only position of a window that reads an image as large as the result."""
        return cls((0, 0), (0, 0), (rows, width), (1, 1), width, rows * width)


def is_image(p: Problem, load: OperandLoad) -> bool:
    """Whether the last dimensions of a load are the rows and columns of the result."""
    last = load.maps[-2:]
    return load.full and tuple(e.dim for e in last if isinstance(e, Along)) == p.roles.m[-2:]


def taps_of(p: Problem, load: OperandLoad, tile: Tile) -> Iterator[Tap]:
    """Every position of the window of a tile of an image, which one of its load's instructions reads. Where a tile has
    no padding beside its lines, it leaves out what lies outside."""
    rows, line = load.maps[-2:]
    assert isinstance(rows, Along) and isinstance(line, Along)
    h, w = (tile.tiles[d] for d in p.roles.m[-2:])
    image = image_of(p, load, tile)
    bare = image is not None and not image.lines
    width = load.shape[-1] if bare else line.held(w)
    plane = width * (image.held if bare and image is not None else rows.held(h))
    for y in range(rows.window):
        for x in range(line.window):
            first, before, count = x * line.dilation, 0, w
            if bare:
                first -= line.pad
                inside = [i for i in range(w) if 0 <= first + i * line.stride < width]
                before, count = (inside[0], len(inside)) if inside else (0, 1)
                first += before * line.stride
            yield Tap(
                (0, before), (y * rows.dilation, first), (h, count), (rows.stride, line.stride), width, plane
            )


def tap_choice(
    target: Target, step: TraceStep, trace: GroupTrace, tap: Tap, blocks: int, width: int
) -> Choice:
    """How an instruction that reads a tap of an image is issued for so many blocks of channels. `width`: of the lines
    of the result."""
    item = ELEMENT_BYTES[step.dtype]
    each, (h, w) = BLOCK * item, tap.size
    image = (tap.plane, tap.width * tap.steps[0], tap.steps[1])
    result = (h * width, width, 1)
    strides, starts = list[tuple[int, ...]](), list[int]()
    banks = target.banks
    half = 0 if banks is None else banks.groups * banks.row // 2
    for source in (*step.sources, step.result):
        if source in trace.loads and source.full:
            strides.append(image)
            starts.append(half + (tap.first[0] * tap.width + tap.first[1]) * each)
        elif source in trace.loads:
            strides.append((1, 0, 0))
            starts.append(half)
        else:
            strides.append(result)
            starts.append((tap.at[0] * width + tap.at[1]) * each)
    return chosen(target, step.name, step.dtype, (blocks, h, w), strides, starts)


def chosen(
    target: Target,
    name: str,
    dtype: str,
    sizes: Sequence[int],
    strides: Sequence[Sequence[int]],
    starts: Sequence[int],
) -> Choice:
    """How an instruction is issued over blocks of 16 elements, `sizes` along each dimension and each operand's strides
    in blocks of 16, from addresses on."""
    _, known = _known.setdefault(id(target), (target, {}))
    key = name, dtype, tuple(sizes), tuple(map(tuple, strides)), tuple(starts)
    if key not in known:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        known[key] = _chosen(target, *key)
    return known[key]


def _chosen(
    target: Target,
    name: str,
    dtype: str,
    sizes: tuple[int, ...],
    strides: tuple[tuple[int, ...], ...],
    starts: tuple[int, ...],
) -> Choice:
    """The same where it is not known yet."""
    item = ELEMENT_BYTES[dtype]
    dims = [Dim(size, tuple(s[d] * BLOCK * item for s in strides)) for d, size in enumerate(sizes)]
    if item * BLOCK > 32:
        dims.append(Dim(item * BLOCK // 32, tuple(32 for _ in strides)))
    turn = 1 if target.banks is None else target.banks.groups * target.banks.row
    return choose(target, name, dtype, merged(dims), tuple(start % turn for start in starts))

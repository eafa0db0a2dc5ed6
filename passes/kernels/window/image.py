"""What a Vector kernel with windows reads: images, and what of each a tile holds."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import prod

from ....dialects.element_types import BLOCK_BYTES, bytes_of
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import layout_of
from ....dialects.tiling import Along
from ...cost.group_trace import GroupTrace, ceil_to
from ...cost.rule_trace import trace_group
from ...lowering.transfers.channel_blocks import line_by_line, spilled_rows
from ...regions.lane_dim import lane_dim
from ...regions.loads import Load
from ...regions.regions import Regions
from ...support.values import element_type_of

BLOCK = 16


@dataclass(frozen=True)
class Image:
    """What of a kernel with windows does not depend on its tiles."""

    regions: Regions
    target: Target

    @cached_property
    def lanes(self) -> int:
        return lane_dim(self.regions)

    @cached_property
    def trace(self) -> GroupTrace:
        return trace_group(self.regions, self.target)

    @cached_property
    def extents(self) -> tuple[int, ...]:
        return self.regions.kernel_extents

    @cached_property
    def item(self) -> int:
        return bytes_of(element_type_of(self.regions.result))

    @cached_property
    def blocked(self) -> bool:
        """Whether the result lies in GM as in UB."""
        return layout_of(self.regions.result.type) is not None

    @cached_property
    def stores(self) -> int:
        """Tiles that are stored for each point of the grid."""
        return len(self.regions.parts) or 1

    @cached_property
    def maps(self) -> list[tuple[Load, dict[int, Along]]]:
        """What each load follows of the kernel's dimensions, where it varies with the tile."""
        return [
            (
                load,
                {e.dim: e for e in self.regions.kernel_map(load.maps) if isinstance(e, Along) and e.stride},
            )
            for load in self.regions.loads
        ]


@dataclass(frozen=True)
class Read:
    """One image that a tile reads: elements in UB with the halo, positions that are stored, whether copies put them in
    place, bytes of an element."""

    elements: int
    positions: int
    blocks: int
    copied: bool
    item: int
    line: int
    bursts: int
    direct: bool
    """Whether it lies in GM as in UB."""
    filled: bool
    """Whether DMA may leave out some of the positions, which are set before."""


def reads(image: Image, tiles: Sequence[int]) -> Iterator[Read]:
    lanes = image.lanes
    blocks = -(-tiles[lanes] // BLOCK)
    for load, along in image.maps:
        if lanes not in along:
            continue
        inner = [d for d in range(lanes + 1, len(tiles)) if d in along]
        shape = image.regions.kernel_shape(load)
        places = [
            (e.dim, size)
            for e, size in zip(image.regions.kernel_map(load.maps), shape, strict=True)
            if isinstance(e, Along)
        ]
        extent = dict(places)
        spans = [along[d].span(tiles[d]) for d in inner]
        stored = [min(span, extent[d]) for span, d in zip(spans, inner, strict=True)]
        whole = all(n == extent[d] for n, d in zip(stored[1:], inner[1:], strict=True))
        if stored and not whole:
            stored[-1] = ceil_to(stored[-1], BLOCK)
        padded = any(
            along[d].pad or (image.extents[d] - 1) * along[d].stride + along[d].span(1) > extent[d]
            for d in inner
        )
        beside = padded and whole and len(spans) == 2 and stored[1] < spans[1]
        direct = layout_of(load.value.type) is not None
        lined = beside and not direct and line_by_line(stored[1], spans[1])
        if beside and not lined and image.trace.only_taps:
            lined, rows = True, tiles[inner[0]] == image.extents[inner[0]]
            spilled = 0 if direct else spilled_rows(stored[1])
            spans = [stored[0] if rows else spans[0] + spilled, stored[1]]
        repeat = along[lanes].repeat
        bursts = tiles[lanes] * (1 if whole else prod(stored[:-1])) if inner else 1
        item = bytes_of(element_type_of(load.value))
        filled = not direct and not whole
        if image.target.dma.unaligned and inner and not direct:
            clipped = padded and tiles[inner[0]] < image.extents[inner[0]]
            filled = filled or clipped or prod(stored) % (BLOCK_BYTES // item) > 0
        yield Read(
            blocks * BLOCK * prod(spans),
            prod(stored),
            blocks,
            not lined and (padded or (whole and stored[1:] != spans[1:])),
            item,
            prod(stored) if whole else stored[-1],
            bursts * (2 if repeat > 1 else 1),
            direct,
            filled,
        )


__all__ = ["BLOCK", "Image", "Read", "reads"]

"""What an operand must look like, whatever the values: contiguity, alignment, counts, packed fractals.

Each check raises `HazardError` about the views concerned.
"""

from collections.abc import Sequence

from ...dialects.element_types import BLOCK_BYTES
from ...dialects.target_types import Target
from ..machine.costs import FRACTAL_BYTES
from ..machine.memory import Array, View, block_bits
from ..support.hazard import HazardError, Kind
from ..support.late import np

MAX_BLOCKS_PER_REPEAT = 8


def require(condition: bool, kind: Kind, reason: str, *views: View) -> None:
    """Raise a hazard about `views` unless `condition` holds."""
    if not condition:
        first = views[0] if views else None
        on_chip = first is not None and first.space != "gm" and not first.empty
        raise HazardError(
            kind,
            reason,
            buffers=tuple(v.label for v in views),
            space=first.space if first is not None else "",
            byte_range=(first.address, first.end) if first is not None and on_chip else None,
        )


def check_blocks(view: View) -> None:
    """Innermost dimension contiguous, the others on 32 B steps."""
    require(view.strides[-1] == view.itemsize, "shape", "the innermost stride is not one element", view)
    for n, stride in zip(view.sizes[:-1], view.strides[:-1], strict=True):
        reason = f"a stride of {stride} bytes is not a multiple of {BLOCK_BYTES}"
        require(n == 1 or stride % BLOCK_BYTES == 0, "misaligned", reason, view)


def check_bursts(target: Target, source: View, destination: View, granule: int) -> None:
    """Views of one shape, contiguous bursts of whole granules, 32 B steps, within the DMA's limits."""
    dma = target.dma
    reason = f"source {source.sizes} and destination {destination.sizes} differ"
    require(source.sizes == destination.sizes, "shape", reason, source, destination)
    bursts = source.sizes[0] if len(source.sizes) == 2 else 1
    require(
        bursts <= dma.max_blocks,
        "limit",
        f"{bursts} bursts, at most {dma.max_blocks}",
        source,
        destination,
    )
    for view in (source, destination):
        length = view.sizes[-1] * view.itemsize
        require(view.strides[-1] == view.itemsize, "shape", "a burst is not contiguous", view)
        require(
            length <= dma.max_block_len,
            "limit",
            f"burst of {length} B, at most {dma.max_block_len}",
            view,
        )
        if dma.unaligned and view.space == "gm":
            continue
        if not (dma.unaligned and view.space == "ub"):
            reason = f"burst of {length} B is not a multiple of {granule}"
            require(length % granule == 0, "granularity", reason, view)
        if bursts > 1:
            stride = view.strides[0]
            require(stride >= 0, "limit", f"negative burst stride {stride}", view)
            reason = f"burst stride of {stride} B is not a multiple of {BLOCK_BYTES}"
            require(stride % BLOCK_BYTES == 0, "granularity", reason, view)


def check_fractals(view: View, inner: int) -> None:
    """The last `inner` dimensions are packed; the others step by whole fractals."""
    step = view.itemsize
    for n, stride in zip(view.sizes[::-1][:inner], view.strides[::-1][:inner], strict=True):
        require(stride == step, "shape", "the lanes of a fractal are not packed", view)
        step *= n
    require(step == FRACTAL_BYTES, "shape", f"a fractal is {FRACTAL_BYTES} B, the view's has {step}", view)
    for n, stride in zip(view.sizes[:-inner], view.strides[:-inner], strict=True):
        reason = f"a stride of {stride} B is not a multiple of {FRACTAL_BYTES}"
        require(n == 1 or stride % FRACTAL_BYTES == 0, "misaligned", reason, view)


def check_rows(c: View) -> None:
    """An l0c tile: packed rows of 16 lanes, whole fractals from column to column."""
    packed = c.strides[2] == c.itemsize and c.strides[1] == 16 * c.itemsize and c.sizes[2] == 16
    require(packed, "shape", "rows of 16 lanes of an l0c tile are not packed", c)
    reason = f"a stride of {c.strides[0]} B is not a multiple of a fractal"
    require(c.sizes[0] == 1 or c.strides[0] % (256 * c.itemsize) == 0, "misaligned", reason, c)


def check_repeats(target: Target, repeat: int, view: View) -> None:
    """At most as many repeats as an instruction can hold."""
    limit = target.vector.max_repeat
    require(repeat <= limit, "limit", f"{repeat} repeats, at most {limit}", view)


def check_reduced(target: Target, view: View) -> None:
    """The destination of an instruction that reduces repeats: single elements, any number of elements apart."""
    require(
        view.address % BLOCK_BYTES == 0, "misaligned", f"address {view.address} is not a multiple of 32", view
    )
    check_repeats(target, view.sizes[0], view)
    reason = f"the destination of a reduction is [repeat, 1, 1], not {view.sizes}"
    require(view.sizes[1:] == (1, 1), "shape", reason, view)
    reason = "the destination's elements coincide (stride 0)"
    require(view.sizes[0] == 1 or view.strides[0] >= view.itemsize, "shape", reason, view)


def _trails(source: View, destination: View, mask: bool) -> bool:
    """Whether an instruction that begins to write where it begins to read never writes what it has yet to read: a bit
    mask of its elements, or narrower elements at steps that are no longer."""
    if source.address != destination.address:
        return False
    if mask:
        return len(source.sizes) == 1
    read, written = _starts(source), _starts(destination)
    once = bool((np.diff(read) >= source.itemsize).all())
    return once and destination.itemsize < source.itemsize and bool((written <= read).all())


def _starts(view: View) -> Array:
    """Where the elements of a view begin, in their order, in bytes."""
    starts = np.zeros((), np.int64)
    for n, stride in zip(view.sizes, view.strides, strict=True):
        starts = starts[..., None] + np.arange(n, dtype=np.int64) * stride
    return starts.reshape(-1) + view.address


def check_in_place(
    sources: Sequence[View], destination: View, element: bool = True, trailing: str = ""
) -> None:
    """A Vector instruction reads ahead while it writes: a source either shares no byte with the destination or has
    the same elements in the same bytes, and then only where each result comes from the elements in its own place
    (`element`). Where results are smaller, "mask" or "narrow" (`trailing`), they may begin at the start of a source:
    each is written behind what is read for it."""
    for source in sources:
        if source.address >= destination.end or destination.address >= source.end or source.empty:
            continue
        if (source.owner, source.space) != (destination.owner, destination.space):
            continue
        if not block_bits((source.box(),)) & block_bits((destination.box(),)):
            continue
        same = (source.address, source.sizes, source.strides, source.itemsize)
        there = (destination.address, destination.sizes, destination.strides, destination.itemsize)
        if trailing and _trails(source, destination, trailing == "mask"):
            continue
        reason = "the destination shares bytes with a source, but not element for element"
        require(element and same == there, "in-place", reason, source, destination)


def check_operand(target: Target, view: View, written: bool) -> None:
    """A Vector operand: `[n]` contiguous or `[repeat, blocks, lanes]` within the instruction's fields."""
    reason = f"address {view.address} is not a multiple of {BLOCK_BYTES}"
    require(view.address % BLOCK_BYTES == 0, "misaligned", reason, view)
    if len(view.sizes) == 1:
        require(view.strides[0] == view.itemsize, "shape", "a 1-D operand is contiguous", view)
        return
    repeat, blocks, lanes = view.sizes
    check_repeats(target, repeat, view)
    reason = f"{blocks} blocks a repeat, at most {MAX_BLOCKS_PER_REPEAT}"
    require(blocks <= MAX_BLOCKS_PER_REPEAT, "limit", reason, view)
    reason = f"a block of {lanes * view.itemsize} B, at most {BLOCK_BYTES}"
    require(lanes * view.itemsize <= BLOCK_BYTES, "limit", reason, view)
    check_blocks(view)
    for n, stride in zip(view.sizes[:2], view.strides[:2], strict=True):
        reason = "the destination's blocks coincide (stride 0)"
        require(not (written and n > 1 and stride == 0), "shape", reason, view)

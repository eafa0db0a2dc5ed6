"""Which dimension of a Vector kernel lies in the lanes of its tiles.

Element by element it is the last one: tiles lie as rows do in GM. A window that moves along the last dimension would
read them at addresses that are no multiple of 32 B, so tiles are then blocked at a dimension that no window moves along
(the channels of an image: NC1HWC0), and each tap is a shifted read of whole blocks.
"""

from ...dialects.tiling import Along, OperandMap
from .compose_maps import NotFusableError
from .regions import Regions


def all_maps(regions: Regions) -> list[OperandMap]:
    """The maps of everything that the group reads and computes, in kernel dimensions."""
    found = [*regions.maps.values(), *(load.maps for load in regions.loads)]
    return [regions.kernel_map(maps) for maps in found]


def lane_dim(regions: Regions) -> int:
    """The dimension that tiles are blocked at, -1 where they are row-major. `NotFusableError` where a window moves
    along every dimension."""
    maps = all_maps(regions)
    if not any(e.is_windowed for m in maps for e in m if isinstance(e, Along)):
        return -1
    if regions.whole:
        raise NotFusableError("a reduction needs whole rows, of which a window needs parts")
    moved = {e.dim for m in maps for e in m if isinstance(e, Along) and (e.is_windowed or e.pad)}
    rank = len(regions.merged)
    if rank - 1 not in moved:
        return -1
    plain = [d for d in range(rank) if d not in moved]
    if not plain:
        raise NotFusableError("a window moves along every dimension, none is left for the lanes")
    windows = [
        {e.dim for e in m if isinstance(e, Along)}
        for m in maps
        if any(isinstance(e, Along) and e.is_windowed for e in m)
    ]
    followed = [d for d in plain if all(d in dims for dims in windows)]
    lanes = max(followed or plain)
    if any(isinstance(e, Along) and e.repeat > 1 and e.dim != lanes for m in maps for e in m):
        raise NotFusableError("an operand repeats along another dimension than that of the lanes")
    return lanes


def check_parts(regions: Regions) -> None:
    """`NotFusableError` where a part of the result is no run of each channel that stores write."""
    lanes, name = lane_dim(regions), regions.ops[-1].name
    if lanes < 0 or any(any(regions.origin(part)[lanes + 2 :]) for part in regions.parts):
        raise NotFusableError(f"{name} moves elements, and a window's tiles have a halo")

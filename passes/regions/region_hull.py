"""One region for a value that several ops of a group need through different ones.

%a = relu(%x)
%p = max_pool2d(%a) {kernel = [3, 3], pads = [1, 1, 1, 1]}     rows [i - 1, i + 1] of %a
%y = add(%a, %p)                                                row i of it, a window of the same tile
"""

from dataclasses import replace

from ...dialects.tiling import Along, DimMap, OperandMap


def hull(first: OperandMap, second: OperandMap) -> OperandMap | None:
    """The least region that has two others of one value; None where their tiles do not lie in one."""
    if len(first) != len(second):
        return None
    found: list[DimMap] = []
    for one, other in zip(first, second, strict=True):
        entry = one if one == other else _hull(one, other)
        if entry is None:
            return None
        found.append(entry)
    return tuple(found)


def _hull(one: DimMap, other: DimMap) -> Along | None:
    if not (isinstance(one, Along) and isinstance(other, Along)):
        return None
    alike = one.dim == other.dim and one.stride == other.stride == 1
    if not alike or one.repeat > 1 or other.repeat > 1 or one.thin or other.thin:
        return None
    pad = max(one.pad, other.pad)
    end = max(one.span(1) - one.pad, other.span(1) - other.pad)
    return replace(one, window=pad + end, dilation=1, pad=pad)


def reaches_around(region: OperandMap, part: OperandMap) -> bool:
    """Whether tiles of `region` hold those of `part`."""
    return hull(region, part) == region


__all__ = ["hull", "reaches_around"]

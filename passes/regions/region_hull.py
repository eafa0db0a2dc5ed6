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
    return len(region) == len(part) and starts_in(region, part) is not None


def starts_in(region: OperandMap, part: OperandMap) -> tuple[int, ...] | None:
    """Where tiles of `part` begin in those of `region`, for each dimension of the value; None where they do not lie in
    them."""
    found: list[int] = []
    for whole, own in zip(region, part, strict=True):
        if whole == own:
            found.append(0)
            continue
        if _hull(whole, own) is None or not isinstance(whole, Along) or not isinstance(own, Along):
            return None
        start = whole.pad - own.pad
        if start < 0 or start + own.span(1) > whole.span(1):
            return None
        found.append(start)
    return tuple(found)


__all__ = ["hull", "reaches_around", "starts_in"]

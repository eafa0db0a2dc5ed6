"""The ops inside of others, in program order, as a list: xDSL's `walk` goes through a generator for each op, region and
block around, and takes five times as long. The list has the ops as they are now, whatever is done to them later."""

from xdsl.ir import Operation, Region


def walked(op: Operation) -> list[Operation]:
    """An op and all ops inside of it, as `op.walk()` gives them."""
    found = [op]
    for region in op.regions:
        _take(region, found)
    return found


def ops_inside(region: Region) -> list[Operation]:
    """All ops of a region, as `region.walk()` gives them."""
    found: list[Operation] = []
    _take(region, found)
    return found


def _take(region: Region, found: list[Operation]) -> None:
    for block in region.blocks:
        op = block.first_op
        while op is not None:
            found.append(op)
            for inner in op.regions:
                _take(inner, found)
            op = op.next_op


__all__ = ["ops_inside", "walked"]

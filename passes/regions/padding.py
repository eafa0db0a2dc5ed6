"""Padding of what a group computes: where an op's window reaches past the value of another op of its kernel, the
value's tile holds the op's fill there (`tile.border`).

    %r = relu(%c)                                    tile of %r: rows and columns with their halo
    %y = max_pool2d(%r) {pads = [1, 1, 1, 1], …}     before the pool, what is outside of %r becomes -inf
"""

from collections.abc import Mapping

from xdsl.ir import Operation

from ...dialects.tiling import Along, Iteration, OperandMap, reaches_outside
from ..support.values import iteration_of, moves, rule_of, shape_of


def is_padded(op: Operation, iteration: Iteration, index: int) -> bool:
    """Whether an op's windows reach outside of its operand `index`."""
    entries = iteration.operands[index]
    return reaches_outside(entries, shape_of(op.operands[index]), dict(enumerate(iteration.extents)))


def border_fill(op: Operation, index: int) -> float | None:
    """What an op reads outside of its operand `index`, if it does."""
    iteration = iteration_of(op)
    return fill_of(iteration, index) if is_padded(op, iteration, index) else None


def border_obstacle(op: Operation, iteration: Iteration, index: int, producer: str) -> str | None:
    """Why the padding of a computed operand cannot be put into its tile."""
    if not is_padded(op, iteration, index):
        return None
    if rule_of(op).engine == "cube":  # the image-to-column load pads what is in L1
        return None
    if moves(op) or fill_of(iteration, index) is None:
        return f"{op.name} pads what {producer} gives"
    return None


def fill_of(iteration: Iteration, operand: int) -> float | None:
    """What an operand has outside its bounds; None: it is not read there."""
    return iteration.fills[operand] if operand < len(iteration.fills) else None


def border_share(entries: OperandMap, shape: tuple[int, ...], extents: Mapping[int, int]) -> float:
    """Elements of a value's border over its own."""
    share = 0.0
    for e, size in zip(entries, shape, strict=True):
        if isinstance(e, Along) and e.is_windowed and e.dim in extents:
            share += max(0, e.stride * (extents[e.dim] - 1) + e.span(1) - size) / size
    return share

"""Launches of a compiled function that stand for several kernels of its graph."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp

from ...dialects.ascend import LaunchOp, numbers_before


def as_launches(pairs: Sequence[tuple[int, int]], function: FuncOp) -> list[tuple[int, int]]:
    """Pairs of kernels, by their numbers in the graph's order, as pairs of launches; without those of one launch."""
    launches = [op for op in function.body.block.ops if isinstance(op, LaunchOp)]
    numbers = numbers_before([[part.number for part in op.parts] for op in launches])
    at = {number: i for i, of in enumerate(numbers) for number in of}
    found = ((at[a], at[b]) for a, b in pairs if a in at and b in at)
    return [(min(pair), max(pair)) for pair in found if pair[0] != pair[1]]


__all__ = ["as_launches"]

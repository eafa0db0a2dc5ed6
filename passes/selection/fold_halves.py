"""How a reduction halves what it combines: so that both halves do not meet in banks of UB.

Halves of a buffer lie at a distance of many turns of the groups of banks, where each repeat reads both from the same
groups. Where the first half has a few steps more, the second one starts half a turn behind it:

    8192 f32, steps of 64 B     [0, 256) + [256, 512)     distance 32 turns           2 cycles a repeat
                                [0, 252) + [260, 512)     distance 32 turns and a half    1 cycle a repeat
"""

from math import gcd

from ...dialects.element_types import lanes_of
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK
from ...runtime.machine.banks import conflicts
from ...runtime.machine.costs import ceil_div

TYPICAL_BYTES = 32768
"""Of a tile of rows."""


def fold_cycles(target: Target, near: int, far: int, pitch: int) -> float:
    """Cycles in which `far` steps of `pitch` bytes are combined with those that are `near` steps behind them, where
    steps lie end to end."""
    each = target.vector.bytes_per_repeat
    repeats = ceil_div(far * pitch, each)
    cycles = float(repeats)
    if target.banks is not None:
        row = target.banks.row
        shapes = [(start, repeats, each // row, each, row) for start in (0, near * pitch, 0)]
        cycles *= 1 + conflicts(target.banks, shapes)
    return max(float(target.vector.issue), cycles)


def larger_halves(target: Target, steps: int, pitch: int, until: int = 1) -> list[int]:
    """Of each fold of several steps, `pitch` bytes each, until `until` or fewer are left: those of the first half,
    which are then left. The second half has as many or fewer. What they take in all is the least, waits for the fold
    before included."""
    return _folds(target, steps, pitch, until)[1]


def blocks_at_once(target: Target, kind: str, dtype: str, steps: int, pitch: int, most: int) -> int:
    """How many blocks of each row should be left for the instruction that reduces them, `most` at most; there are
    `steps` of them, `pitch` bytes apart, with a block of each row in these. Blocks that lie in one bank are read one
    after the other; halves of a block lie end to end, and blocks do not."""
    if lanes_of(dtype) != BLOCK:
        return 1
    if target.banks is None or steps < 2:
        return most
    row, each = target.banks.row, target.vector.per_repeat(f"vc{kind}", dtype)

    def cycles(left: int) -> float:
        folded, folds = _folds(target, steps, pitch, left)
        blocks = folds[-1] if folds else steps
        assert target.banks is not None
        shapes = [(0, pitch // row, blocks, row, pitch), (0, pitch // row, 1, row, row)]
        return folded + pitch // row * max(each, 1 + conflicts(target.banks, shapes))

    options = [most >> i for i in range(most.bit_length())]
    return min(options, key=cycles)


def _folds(target: Target, steps: int, pitch: int, until: int) -> tuple[float, list[int]]:
    """Their cycles, and the folds."""
    banks = target.banks
    turn = 0 if banks is None else banks.groups * banks.row
    period = turn // gcd(turn, pitch) if turn else 0
    rows = max(1, TYPICAL_BYTES // max(1, steps * pitch))
    known: dict[int, tuple[float, list[int]]] = {}

    def best(steps: int) -> tuple[float, list[int]]:
        if steps <= until:
            return 0.0, []
        if steps not in known:
            half = -(-steps // 2)
            apart = (n for n in range(half + 1, min(half + period, steps)) if n * pitch % turn == turn // 2)
            tried: list[tuple[float, list[int]]] = []
            for near in (half, *list(apart)[:1]):
                cycles = rows * fold_cycles(target, near, steps - near, pitch) + target.vector.inner_latency
                after, folds = best(near)
                tried.append((cycles + after, [near, *folds]))
            known[steps] = min(tried, key=lambda one: one[0])
        return known[steps]

    return best(steps)

"""Lengths that traces take for parts of a list which numbers in a tensor cut: no data says what they are."""

from collections.abc import Callable

from ...dialects import ascend

LENGTHS = (5, 0, 1, 2, 0, 0, 4)
"""In halves of the step in which a part is walked: longer ones than two steps, empty ones in a row, and those of one
step or less."""


def part_begins(op: ascend.LoadIndexOp, shift: int) -> Callable[[int], int]:
    """Where the part begins whose number an op reads, by that number; the first part has length number `shift`."""
    assert op.step is not None
    step = op.step.value.data
    lengths = [-(-step * half // 2) for half in (*LENGTHS[shift:], *LENGTHS[:shift])]
    begins = [sum(lengths[:i]) for i in range(len(lengths))]

    def begin(number: int) -> int:
        rounds, place = divmod(number, len(lengths))
        return rounds * sum(lengths) + begins[place]

    return begin


__all__ = ["LENGTHS", "part_begins"]

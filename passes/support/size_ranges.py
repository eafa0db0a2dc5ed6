"""Ranges of run-time sizes, and into which parts one is cut so that no size loses more than a share."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from ...dialects.records import dataclass

MAX_LOSS = 0.1
"""Share of its time that a size may lose to a graph that is compiled for this size alone."""


@dataclass(frozen=True)
class Part:
    """Sizes that one variant serves: `samples` are those that are timed, `loss` is the largest share that one of them
    loses, None where nobody timed them."""

    samples: tuple[int, ...]
    loss: float | None = None

    @property
    def last(self) -> int:
        """The largest one."""
        return self.samples[-1]


def read_range(text: str) -> tuple[int, ...]:
    """The first and the last size of `1-64`, and the step of `224-640:32`; ValueError for other texts."""
    span, colon, step = text.partition(":")
    first, _, last = span.partition("-")
    numbers = (first, last, step) if colon else (first, last)
    if not all(map(str.isdecimal, numbers)):
        raise ValueError(f"a range of sizes is like 1-64 or 224-640:32, not {text!r}")
    return check_range([int(number) for number in numbers])


read_range.__name__ = "range of sizes"


def check_range(sizes: Sequence[int]) -> tuple[int, ...]:
    """The first and the last size, and the step if there is one; ValueError unless they are 1 or more and ascend."""
    first, last, step = (*sizes, 1)[:3] if len(sizes) in (2, 3) else (0, 0, 0)
    if not 1 <= first <= last or step < 1 or (last - first) % step:
        raise ValueError(
            f"a range of sizes is two that ascend from 1 or more, and a step from one to the other, not "
            f"{', '.join(map(str, sizes))}"
        )
    return tuple(sizes)


def check_loss(share: float) -> float:
    """ValueError for a share that no size can lose."""
    if isinstance(share, bool) or not 0 <= share < float("inf"):
        raise ValueError(f"max-loss is a share of 0 or more, not {share}")
    return share


def check_ends(ends: Sequence[int], first: int, last: int) -> None:
    """ValueError unless the ends of parts ascend to that of a range."""
    if any(a >= b for a, b in pairwise((first - 1, *ends))) or ends[-1] != last:
        raise ValueError(f"ends of parts ascend to that of {first}-{last}, not {', '.join(map(str, ends))}")


def parted(samples: Sequence[int], ends: Sequence[int]) -> list[Part]:
    """The parts of a range, each up to one of the `ends`."""
    parts: list[Part] = []
    begin = 0
    for end in ends:
        inside = {n for n in samples if begin < n <= end}
        parts.append(Part(tuple(sorted({*inside, end}))))
        begin = end
    return parts


def sample_sizes(first: int, last: int, step: int = 1) -> tuple[int, ...]:
    """The sizes of a range that are timed: its ends, and between them powers of two and one and a half times these, or
    those next to them that are whole steps from the first one."""
    between: set[int] = set()
    power = 1
    while power <= last:
        between |= {power, power + power // 2}
        power *= 2
    inside = {first + (n - first) // step * step for n in between if first < n < last}
    return tuple(sorted({first, last} | inside))


def cut(samples: Sequence[int], loss: Callable[[tuple[int, ...]], float], most: float) -> list[Part]:
    """Few parts of the samples, the smallest sizes first, each as long as it can be. No sample loses more than `most`,
    or than it does alone; a part of a good one is taken to be good."""
    parts: list[Part] = []
    start = 0
    while start < len(samples):
        end, tried, past = start + 1, len(samples), len(samples) + 1
        found = loss((samples[start],))
        while end < tried < past:  # all that is left, then what halves the ends that are open
            grown = loss(tuple(samples[start:tried]))
            if grown <= max(most, found):
                end, found = tried, grown
            else:
                past = tried
            tried = (end + past) // 2
        parts.append(Part(tuple(samples[start:end]), found))
        start = end
    return parts

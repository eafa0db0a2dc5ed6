"""What is to be laid out, and what came of it.

Time is any integer clock (program points, launches); lifetimes are half-open ranges on it. Sizes, offsets and
capacities are bytes.
"""

from collections.abc import Callable
from typing import Literal

from ....dialects.records import dataclass
from ...support.words import counted

Status = Literal["fits", "impossible", "undecided"]


@dataclass(frozen=True)
class Buffer:
    """`slots` pieces of `size` bytes each, all alive in [start, end); where start is end, they take no bytes. Every
    slot starts at a multiple of `align`; slots need not lie side by side. `pinned` gives the slots' offsets where they
    are not the solver's to choose."""

    name: str
    start: int
    end: int
    size: int
    align: int = 1
    slots: int = 1
    pinned: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        for what, value, least in (
            ("size", self.size, 0),
            ("align", self.align, 1),
            ("slots", self.slots, 1),
        ):
            if value < least:
                raise ValueError(f"{self.name}: {what} is {value}, must be at least {least}")
        if self.start > self.end:
            raise ValueError(f"{self.name}: the lifetime [{self.start}, {self.end}) ends before it starts")
        if self.pinned is not None:
            if len(self.pinned) != self.slots:
                raise ValueError(
                    f"{self.name}: {len(self.pinned)} pinned offsets for {counted(self.slots, 'slot')}"
                )
            for at in self.pinned:
                if at < 0 or at % self.align:
                    raise ValueError(
                        f"{self.name}: the pinned offset {at} is not a multiple of {self.align} from 0 on"
                    )

    @property
    def total(self) -> int:
        """Bytes of all slots."""
        return self.size * self.slots


@dataclass(frozen=True)
class Problem:
    """Buffers of one space.

    Two buffers whose lifetimes meet share no byte. What differs from that:

    `in_place` holds pairs (i, j) of buffers such that j is written over i, for example by an instruction that writes
    over an operand that dies there. Although j begins before i ends they may lie at one and the same offset, slot by
    slot (both have the same number of slots); any other overlap of their bytes stays forbidden. Sizes may differ.
    Pairs chain (i under j under k), but each pair whose lifetimes meet has to be listed: (i, j) and (j, k) say
    nothing of i and k.

    `apart` holds pairs that share no byte although their lifetimes do not meet.

    `taken` bytes at the start of the space are others'; pinned buffers may lie there. Without a `capacity` (bytes of
    the whole space, those taken included) the peak is to be as small as possible.
    """

    buffers: tuple[Buffer, ...]
    capacity: int | None = None
    taken: int = 0
    in_place: tuple[tuple[int, int], ...] = ()
    apart: tuple[tuple[int, int], ...] = ()
    space: str = "memory"

    def __post_init__(self) -> None:
        if self.taken < 0 or (self.capacity is not None and self.capacity < 0):
            raise ValueError(
                f"{self.space}: capacity {self.capacity} and taken {self.taken} must not be negative"
            )
        for what, pairs in (("in_place", self.in_place), ("apart", self.apart)):
            for i, j in pairs:
                if i == j or not (0 <= i < len(self.buffers) and 0 <= j < len(self.buffers)):
                    raise ValueError(f"{what}: ({i}, {j}) is not a pair of {len(self.buffers)} buffers")
        both = {frozenset(pair) for pair in self.in_place} & {frozenset(pair) for pair in self.apart}
        for pair in both:
            names = " and ".join(self.buffers[i].name for i in sorted(pair))
            raise ValueError(f"{names} are a pair of in_place and of apart")
        for i, j in self.in_place:
            if self.buffers[i].slots != self.buffers[j].slots:
                raise ValueError(
                    f"in_place: {self.buffers[i].name} has {self.buffers[i].slots} slots, "
                    f"{self.buffers[j].name} {self.buffers[j].slots}"
                )


@dataclass(frozen=True)
class Plan:
    """The best layout found. `offsets[i]` are the addresses of buffer i's slots.

    `status` is `fits` (within the capacity, or there is none), `impossible` (proven: no layout is within the
    capacity) or `undecided` (the limit ended the search). Whichever it is, `offsets` is a valid layout with its
    `peak` (end of the highest slot), above the capacity if need be; it is empty only where pinned buffers rule out
    any layout.

    No layout has a peak below `bound`. `alive_bytes` is the most bytes alive at once (those taken included), at time
    `point`, where the buffers `alive` (indices) live. `steps` counts nodes of the searches, `method` names what found
    the layout, `reason` says in one line why nothing fits or what is not known.
    """

    status: Status
    offsets: tuple[tuple[int, ...], ...]
    peak: int
    bound: int
    alive_bytes: int
    point: int
    alive: tuple[int, ...]
    steps: int = 0
    method: str = ""
    reason: str = ""

    @property
    def optimal(self) -> bool:
        """Whether no layout has a smaller peak."""
        return (bool(self.offsets) or self.status == "fits") and self.peak == self.bound


@dataclass(frozen=True)
class Progress:
    """Where a search is: CPU seconds and steps so far, the smallest peak found, the bound, what runs now."""

    seconds: float
    steps: int
    peak: int
    bound: int
    phase: str


Callback = Callable[[Progress], None]

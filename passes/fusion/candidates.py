"""The record that every fusion candidate leaves: its numbers, a checklist, a quadrant, and why it was taken or not."""

from ...dialects.records import dataclass
from ..support.words import counted

MIN_GAIN = 0.30
"""Share of the GM bytes whose saving pays even without a gain in time."""
MAX_OCCUPANCY = 0.80
"""Share of UB that the temporaries which a fusion adds may take."""
SIMPLE = 4
"""The complexity up to which a fusion is called simple."""
PLAIN_BUFFERS = 3
"""Tiles alive at once in an op on its own: two operands and a result."""


@dataclass(frozen=True)
class Complexity:
    """What makes a fused kernel hard to write by hand, counted.

    `handoffs`: values that go from one compute pipe to another. `layouts`: operands whose layout the kernel changes to
    that of the product. `dimensions`: windows and broadcasts, where loops differ. `buffers`: tiles in UB alive at once.
    """

    handoffs: int = 0
    layouts: int = 0
    dimensions: int = 0
    buffers: int = 0

    @property
    def total(self) -> int:
        """All of them added up; of the buffers those beyond what one op has."""
        return self.handoffs + self.layouts + self.dimensions + max(0, self.buffers - PLAIN_BUFFERS)

    def __str__(self) -> str:
        parts = (
            counted(self.handoffs, "hand-off between pipes", "hand-offs between pipes"),
            counted(self.layouts, "layout change"),
            counted(self.dimensions, "loop dimension that differs", "loop dimensions that differ"),
            counted(self.buffers, "buffer alive at once", "buffers alive at once"),
        )
        return f"{self.total} ({', '.join(parts)})"


@dataclass(frozen=True)
class LayoutRecord:
    """How a tensor between kernels lies in GM: by which op it is given, its type, the layout's name (empty: row-major)
    and why. `saved_us`: what that is predicted to save, or not to; None where it cannot lie in blocks."""

    given_by: str
    type: str
    layout: str
    reason: str = ""
    saved_us: float | None = None

    def __str__(self) -> str:
        why = self.reason or f"predicted to save {self.saved_us or 0.0:.2f} us"
        return f"{self.type} from {self.given_by} is {self.layout or 'row-major'}: {why}"


@dataclass(frozen=True)
class Check:
    """One item of the checklist: `passed` is None where an earlier item had already decided."""

    name: str
    passed: bool | None
    note: str


@dataclass(frozen=True)
class Candidate:
    """One merge that was considered. `before` and `after` in bytes and µs; `reason` says why it was taken or not.

    `occupancy` is the share of UB that the temporaries take which the merge adds, `ub` that of all tiles, both with
    their slots. `flips` are the launch costs in µs with which the decision would be the other one.
    `kernels` of the parts become one. `again`: operations that the tiles of the merged kernel do again (a halo, an
    operand for each tile of columns), over those of its ops once.
    """

    producer: tuple[str, ...]
    consumer: tuple[str, ...]
    location: str
    taken: bool
    reason: str
    bytes_before: int = 0
    bytes_after: int = 0
    time_before: float = 0.0
    time_after: float = 0.0
    intensity: float = 0.0
    again: float = 0.0
    occupancy: float = 0.0
    ub: float = 0.0
    complexity: Complexity = Complexity()
    occurrences: int = 1
    checks: tuple[Check, ...] = ()
    flips: tuple[float, ...] = ()
    kernels: int = 2
    warning: str = ""
    sources: tuple[str, ...] = ()
    """What the ops come from: nodes of a model, or lines of a text."""
    between: int = 0
    """Bytes of GM that no kernel moves for the tensor between the parts, once they are one."""
    together: bool = False
    """Whether the search put them together all the same."""

    @property
    def legal(self) -> bool:
        """Whether there is such a kernel."""
        return self.bytes_before > 0

    @property
    def gain(self) -> float:
        """Share of GM bytes saved."""
        return 1.0 - self.bytes_after / self.bytes_before if self.bytes_before else 0.0

    @property
    def quadrant(self) -> str:
        """Gain against complexity."""
        gain = "high gain" if self.gain >= MIN_GAIN else "low gain"
        return f"{gain}, {'simple' if self.complexity.total <= SIMPLE else 'complex'}"


@dataclass(frozen=True)
class PaddingRecord:
    """A chain of ops whose result few cores could share, because its rows are no whole 32 B blocks: its ops, the shape,
    the one with more lines or columns, cores and predicted µs as it is, and of the two kernels that compute the larger
    one and take the part that is the result."""

    ops: tuple[str, ...]
    shape: tuple[int, ...]
    padded: tuple[int, ...]
    cores: int
    time_before: float
    time_after: float

    @property
    def taken(self) -> bool:
        """Whether the larger one is computed."""
        return self.time_after < self.time_before


@dataclass(frozen=True)
class JoinRecord:
    """A concatenation: its result, how many parts, and why it is a kernel; empty where its parts lie in it."""

    name: str
    shape: tuple[int, ...]
    parts: int
    reason: str = ""

    @property
    def joined(self) -> bool:
        """Whether the kernels of the parts write into it."""
        return not self.reason


@dataclass(frozen=True)
class ViewRecord:
    """A slice that is a part of the tensor `source`, and no kernel."""

    name: str
    shape: tuple[int, ...]
    source: str


CHECKLIST = ("bytes", "loops", "branches", "occupancy", "frequency")


def checklist(**known: tuple[bool, str]) -> tuple[Check, ...]:
    """The checklist in its order; what is not given was not looked at."""
    return tuple(
        Check(name, *known[name]) if name in known else Check(name, None, "not looked at")
        for name in CHECKLIST
    )


def told_apart(share: float, limit: float) -> tuple[str, str]:
    """Two shares in per cent, with as many digits as it takes to see which one is larger."""
    if share == limit:
        return f"{share:.0%}", f"{limit:.0%}"
    shown = ((f"{share:.{digits}%}", f"{limit:.{digits}%}") for digits in range(16))
    return next((pair for pair in shown if pair[0] != pair[1]), (str(share), str(limit)))

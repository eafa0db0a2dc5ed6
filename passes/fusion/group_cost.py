"""What a group of ops costs as one kernel; or why it cannot be one, or that it takes more than was asked for."""

from xdsl.ir import Operation

from ...dialects.records import dataclass
from ..kernels.common.form import Tiling


@dataclass(frozen=True)
class GroupCost:
    """A group as one kernel: predicted µs with its launch, GM bytes with each tensor counted once and, where rows that
    no tile holds are read more than once, `again` more, operations.

    `live` elements of the result are in UB at once; each takes `per_element` bytes there, slots included. `steps`:
    Vector instructions for each tile. `drained`: ops that FixPipe does in their place.
    """

    time_us: float
    bytes: int
    flops: int
    live: int
    per_element: int
    steps: int
    tiling: Tiling
    drained: tuple[Operation, ...] = ()
    again: int = 0
    """GM bytes that are read again, part by part."""
    product_flops: int = 0
    """Those of `flops` that the Cube does."""
    recomputed: float = 0.0
    """Operations that its tiles do again, over those of its ops once."""
    goes_round: bool = False
    """Whether rows of planes that are no whole 32 B blocks go round."""

    @property
    def intensity(self) -> float:
        """Operations for each byte of GM."""
        return self.flops / self.bytes


@dataclass(frozen=True)
class Obstacle:
    """Why ops cannot be one kernel, and the item of the checklist that says so; `op`: the one in the way, where it is
    one of them."""

    check: str
    reason: str
    op: Operation | None = None


@dataclass(frozen=True)
class Slower:
    """That a group takes more than so many µs as one kernel; how many nobody asked for."""

    than_us: float


Found = GroupCost | Obstacle | Slower


__all__ = ["Found", "GroupCost", "Obstacle", "Slower"]

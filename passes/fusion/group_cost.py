"""What a group of ops costs as one kernel; or why it cannot be one, or that it takes more than was asked for."""

from dataclasses import replace

from xdsl.ir import Operation

from ...dialects.records import dataclass
from ..kernels.common.form import Tiling


@dataclass(frozen=True)
class GroupCost:
    """A group as one kernel: predicted µs with its launch, GM bytes with each tensor counted once and, where rows that
    no tile holds are read more than once, `again` more.

    `operations` are those of the ops, however they are carried out; `flops` what units do of them: operations of the
    Cube, and elements of Vector instructions.

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
    operations: int = 0
    product_flops: int = 0
    """Those of `flops` that the Cube does."""
    recomputed: float = 0.0
    """Operations that its tiles do again, over those of its ops once."""
    goes_round: bool = False
    """Whether rows of planes that are no whole 32 B blocks go round."""

    @property
    def intensity(self) -> float:
        """Operations for each byte of GM."""
        return self.operations / self.bytes


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


def without_ops(cost: Found, ops: tuple[Operation, ...]) -> tuple[Found, tuple[int, ...]]:
    """A cost that holds for all groups like `ops`, and the places of the ops that it names."""
    if isinstance(cost, Slower):
        return cost, ()
    if isinstance(cost, GroupCost):
        return replace(cost, drained=()), tuple(ops.index(op) for op in cost.drained)
    return replace(cost, op=None), () if cost.op is None else (ops.index(cost.op),)


def with_ops(cost: Found, places: tuple[int, ...], ops: tuple[Operation, ...]) -> Found:
    """The cost of a group like another, whose ops at `places` are named."""
    if isinstance(cost, GroupCost):
        return replace(cost, drained=tuple(ops[i] for i in places))
    assert isinstance(cost, Obstacle)
    return replace(cost, op=ops[places[0]])


__all__ = ["Found", "GroupCost", "Obstacle", "Slower", "with_ops", "without_ops"]

"""Which tensors of a function's workspace still hold what was written to them.

A tensor takes its bytes at the first launch that it is given to; from then on those that it shares bytes with are lost.
A launch that is given a lost tensor would compute with another one's values, however well everything is ordered, so a
wrong offset in a workspace is found here. So is a launch that is given some bytes as two tensors and writes them: as
the order of its accesses is checked tensor by tensor, nothing would order those.
"""

from collections.abc import Collection, Sequence
from dataclasses import field

from xdsl.ir import Operation

from ...dialects.ascend import LaunchOp
from ...dialects.element_types import BLOCK_BYTES
from ...dialects.records import dataclass
from ..machine.memory import round_up
from ..program.storage import Storage
from ..support.hazard import HazardError, InstructionRef


@dataclass
class WorkspaceLives:
    """The tensors that launches have taken so far, and what became of their bytes."""

    _taken: list[Storage] = field(default_factory=list[Storage])
    _lost: dict[Storage, tuple[Storage, LaunchOp]] = field(
        default_factory=dict[Storage, tuple[Storage, LaunchOp]]
    )

    def launch(self, op: LaunchOp, tensors: Sequence[Storage], writes: Collection[int]) -> None:
        """A launch is about to take tensors, of which it writes those at `writes`; `HazardError` where one of them is
        lost, or shares bytes with one that it writes."""
        for i in writes:
            for other in tensors:
                if other is tensors[i] or (found := _common(tensors[i], other)) is None:
                    continue
                raise HazardError(
                    "gm-write-conflict",
                    f"{tensors[i].label}, which the launch writes, and {other.label} share bytes",
                    instructions=(InstructionRef.of(op),),
                    buffers=(tensors[i].label, other.label),
                    space="gm",
                    byte_range=found,
                )
        for tensor in dict.fromkeys(tensor.root for tensor in tensors):
            if tensor.fresh:
                for other in self._taken:
                    if _shared(tensor, other) is not None:
                        self._lost[other] = tensor, op
                self._taken.append(tensor)
        self.use(op, tensors)

    def use(self, op: Operation, tensors: Sequence[Storage]) -> None:
        """`HazardError` where a tensor that `op` uses is lost."""
        for tensor in dict.fromkeys(tensor.root for tensor in tensors):
            if tensor not in self._lost:
                continue
            other, launch = self._lost[tensor]
            when = "at the same launch" if launch is op else "since another launch"
            raise HazardError(
                "overwritten",
                f"bytes of {tensor.label} in the workspace are those of {other.label} {when}",
                instructions=tuple(InstructionRef.of(one) for one in dict.fromkeys((launch, op))),
                buffers=(tensor.label, other.label),
                space="gm",
                byte_range=_shared(tensor, other),
            )


def _common(first: Storage, second: Storage) -> tuple[int, int] | None:
    """The bytes of one tensor that two parts of it, or it and a part, share."""
    root = first.root
    if second.root is not root:
        return None
    (low, high), (other, end) = first.within_root, second.within_root
    low, high = max(low, other), min(high, end)
    return (low, high) if low < high else None


def _shared(first: Storage, second: Storage) -> tuple[int, int] | None:
    """The bytes of the workspace that two tensors share."""
    if first.place is None or second.place is None:
        return None
    low = max(first.place, second.place)
    high = min(
        first.place + round_up(first.size, BLOCK_BYTES), second.place + round_up(second.size, BLOCK_BYTES)
    )
    return (low, high) if low < high else None

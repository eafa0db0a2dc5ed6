"""What stops a core: a DMA outside its tensor, pipes that wait for each other."""

from collections import deque
from collections.abc import Sequence
from typing import Any

from ...dialects.target_types import PIPES
from ..program.instruction import FlagKey, Instruction
from ..support.hazard import HazardError, InstructionRef
from .races import flag_text

Entry = tuple[float, tuple[Any, ...]]
"""Instructions in a pipe's queue that were issued one after the other, and the cycle when the first of them was."""


def outside(instruction: Instruction, offset: int) -> HazardError:
    """A DMA of which `offset` bytes into the tensor are too far, or not aligned."""
    use = instruction.gm
    assert use is not None
    extent = use.pattern.extent
    if 0 <= offset <= use.max_offset:
        return HazardError(
            "misaligned",
            f"offset {offset} in GM is not a multiple of {use.align}",
            instructions=(instruction.site.reference(),), buffers=(use.label,),
            space="gm", byte_range=(offset, offset + extent),
        )  # fmt: skip
    return HazardError(
        "out-of-bounds",
        f"the DMA covers bytes [{offset}, {offset + extent}) of a tensor whose last usable byte is "
        f"{use.max_offset + extent - 1}",
        instructions=(instruction.site.reference(),), buffers=(use.label,),
        space="gm", byte_range=(offset, offset + extent),
    )  # fmt: skip


def deadlock(
    kernel: str,
    index: int,
    blocked: Sequence[FlagKey | bool],
    queues: Sequence[deque[Entry]],
) -> HazardError:
    """Pipes that wait for each other: every blocked pipe with the flag that it waits for."""
    reasons: list[str] = []
    stuck: list[InstructionRef] = []
    for pipe, key in enumerate(blocked):
        if isinstance(key, tuple) and queues[pipe]:
            reasons.append(f"{PIPES[pipe]} waits for flag {flag_text(key)}")
            stuck.append(queues[pipe][0][1][0].site.reference())
    return HazardError(
        "deadlock",
        "; ".join(reasons) or "nothing can run",
        instructions=tuple(stuck),
        core=index,
        kernel=kernel,
    )

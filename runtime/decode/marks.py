"""Marks of buffers: which of them share bytes."""

from ...dialects.ascend import BufferOp, KernelOp
from ...dialects.ascend.memory import space_of
from ...dialects.walked import ops_inside
from ..machine.memory import ALONE


def buffer_marks(kernel: KernelOp) -> dict[BufferOp, int]:
    """A number for each buffer: one of its own where it shares bytes with another one, as far as a byte counts."""
    buffers = [op for op in ops_inside(kernel.body) if isinstance(op, BufferOp)]
    spans = sorted(
        (space_of(op.result), at, at + op.slot_bytes, i)
        for i, op in enumerate(buffers)
        for at in op.slot_addresses or ()
    )
    sharing: set[int] = set()
    open_spans: list[tuple[str, int, int, int]] = []
    for space, at, end, i in spans:
        open_spans = [span for span in open_spans if span[0] == space and span[2] > at]
        if any(span[3] != i for span in open_spans):
            sharing |= {i, *(span[3] for span in open_spans)}
        open_spans.append((space, at, end, i))
    own = {i: ALONE + 1 + n % 254 for n, i in enumerate(sorted(sharing))}
    return {op: own.get(i, ALONE) for i, op in enumerate(buffers)}

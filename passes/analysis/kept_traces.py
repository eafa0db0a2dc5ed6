"""Traces that a pass made of a kernel are taken over by a later one, if the program is still the same but for where its
buffers lie: then their instructions meet other bytes in the same order."""

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation

from ...dialects import ascend
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.walked import walked
from .block_mask import BLOCK
from .dependences import move_all_accesses
from .trace_steps import Access
from .tracer import Tracer
from .traces import trace_kernel

Addresses = Mapping[Operation, tuple[int, ...]]
"""Where the slots of buffers lie."""

_KEPT = "kept_traces"
"""The attribute of a kernel's object that holds its traces: they go where it goes."""


@dataclass(frozen=True, eq=False)
class _Kept:
    """Traces with buffers at `addresses`, and the program that they are of."""

    target: Target
    trips: int
    addresses: Addresses
    program: Sequence[object]
    traces: list[Tracer]


def trace_to_keep(kernel: ascend.KernelOp, target: Target, trips: int, addresses: Addresses) -> list[Tracer]:
    """`trace_kernel`, for now and for who traces the kernel next. That of a dynamic kernel is also about a function
    that gives its sizes: it is traced again."""
    traces = trace_kernel(kernel, target, trips, addresses)
    if not kernel.numbers:
        setattr(kernel, _KEPT, _Kept(target, trips, addresses, _program(kernel), traces))
    return traces


def planned_traces(kernel: ascend.KernelOp, target: Target, trips: int) -> list[Tracer]:
    """`trace_kernel` with buffers where they are planned; traces that were kept are used up."""
    kept: _Kept | None = vars(kernel).pop(_KEPT, None)
    if kept is None or (kept.target, kept.trips) != (target, trips) or kept.program != _program(kernel):
        return trace_kernel(kernel, target, trips)
    moves = _moves(kept.addresses)
    if moves is None:
        return trace_kernel(kernel, target, trips)
    _move(kept.traces, moves)
    return kept.traces


def _program(kernel: ascend.KernelOp) -> list[object]:
    """All that a kernel consists of, without the addresses of its buffers."""
    found: list[object] = []
    for op in walked(kernel):
        found += op, op.parent, *op.operands
        for name, value in (*op.properties.items(), *op.attributes.items()):
            if name != "addresses" or not isinstance(op, ascend.BufferOp):
                found += name, value
    return found


def _moves(addresses: Addresses) -> dict[Operation, tuple[int, ...]] | None:
    """By how many blocks the slots of buffers have moved; None where it is no whole number."""
    found: dict[Operation, tuple[int, ...]] = {}
    for buffer, before in addresses.items():
        now = buffer.slot_addresses if isinstance(buffer, ascend.BufferOp) else None
        if now is None or len(now) != len(before):
            return None
        bytes_ = tuple(b - a for a, b in zip(before, now, strict=True))
        if any(n % BLOCK for n in bytes_):
            return None
        found[buffer] = tuple(n // BLOCK for n in bytes_)
    return found


def _move(traces: Sequence[Tracer], moves: Mapping[Operation, tuple[int, ...]]) -> None:
    known: dict[int, tuple[Access, Access]] = {}
    """By the `id` of an access, it and what became of it."""

    def moved(access: Access) -> Access:
        if access.buffer is None:
            return access
        found = known.get(id(access))
        if found is None:
            found = known[id(access)] = access, access.moved(moves[access.buffer][access.index])
        return found[1]

    for trace in traces:
        trace.addresses = None
    move_all_accesses(traces, moved)


__all__ = ["planned_traces", "trace_to_keep"]

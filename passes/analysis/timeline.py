"""When the instructions of a trace would run: pipes in order, each instruction after what it depends on.

What an instruction takes comes from `runtime/machine/costs.py`, the bytes from what the trace saw it touch. Left out
are the scalar unit's issue, other cores, and how much of a tensor L2 holds: every read of GM counts as one from HBM at
the core's share. Good to compare layouts of one program, not to predict its time.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

from ...dialects import ascend
from ...dialects.ascend.memory import dtype_of, element_bytes, space_of
from ...dialects.records import dataclass
from ...dialects.target_types import PIPES, Target
from ...runtime.machine.costs import (
    FRACTAL_BYTES,
    Cost,
    ceil_div,
    copy_cost,
    gm_read_cost,
    load2d_cost,
    load3d_cost,
    mmad_cost,
    transpose_cost,
    vec_cost,
    wider,
)
from .block_mask import BLOCK
from .trace_steps import Instance
from .tracer import Tracer


@dataclass(frozen=True, slots=True)
class Span:
    """Cycles in which an instruction occupies its pipe, when its effect is visible to others, and the latest start with
    which the last instruction of all is through no later."""

    start: float
    end: float
    visible: float
    latest: float = 0.0


def timeline(trace: Tracer, cores: int = 1) -> list[Span]:
    """The spans of a trace's instances, whose requirements are known; `cores` cores read GM at once."""
    done: list[list[float]] = [[] for _ in PIPES]
    free = [0.0] * len(PIPES)
    spans: list[Span] = []
    for instance in trace.instances:
        start = free[instance.pipe]
        for pipe, number in instance.requires.items():
            start = max(start, done[pipe][number - 1])
        cost = instance_cost(instance, trace.target, cores)
        span = Span(start, start + cost.busy, start + cost.total)
        free[instance.pipe] = span.end
        seen = done[instance.pipe]
        seen.append(max(span.visible, seen[-1]) if seen else span.visible)
        spans.append(span)
    return _with_latest(trace.instances, spans)


def _with_latest(instances: Sequence[Instance], spans: Sequence[Span]) -> list[Span]:
    """Spans with their latest starts, found from the last instruction to the first."""
    end = max((span.visible for span in spans), default=0.0)
    place = {(instance.pipe, instance.number): i for i, instance in enumerate(instances)}
    visible = [end] * len(spans)  # when each must be visible
    following = [end] * len(PIPES)  # the latest start of the next instruction of each pipe
    found = list(spans)
    for i in range(len(spans) - 1, -1, -1):
        instance, span = instances[i], spans[i]
        latest = min(
            visible[i] - (span.visible - span.start), following[instance.pipe] - (span.end - span.start)
        )
        following[instance.pipe] = latest
        found[i] = replace(span, latest=latest)
        for pipe, number in instance.requires.items():
            source = place[(pipe, number)]
            visible[source] = min(visible[source], latest)
    return found


def instance_cost(instance: Instance, target: Target, cores: int = 1) -> Cost:
    """What one execution of an instruction takes, from the 32 B blocks that it touched."""
    op = instance.op
    read = [a.mask.bit_count() * BLOCK for a in instance.accesses if not a.write]
    written = [a.mask.bit_count() * BLOCK for a in instance.accesses if a.write]
    moved = max([*read, *written], default=0)
    if isinstance(op, ascend.CopyOp | ascend.FixpipeOp):
        source, destination = space_of(op.source), space_of(op.destination)
        if source == "gm":
            return gm_read_cost(target, moved, 0.0, destination, cores)
        return copy_cost(target, source, destination, 1, moved)
    if isinstance(op, ascend.Load2dOp):
        return load2d_cost(target, space_of(op.destination), moved // FRACTAL_BYTES)
    if isinstance(op, ascend.Load3dOp):
        fractals = max(written, default=0) // FRACTAL_BYTES
        return load3d_cost(target, space_of(op.destination), 1, fractals)
    if isinstance(op, ascend.MmadOp):
        return _product_cost(instance, op, target)
    if isinstance(op, ascend.TransposeOp):
        return transpose_cost(target, dtype_of(op.source), moved // FRACTAL_BYTES)
    assert isinstance(op, ascend.VecOp)
    repeats = ceil_div(moved, target.vector.bytes_per_repeat)
    dtype = wider(*(dtype_of(v) for v in op.operands))
    return vec_cost(target, op.instruction.data, dtype, repeats, joined=True)


def _product_cost(instance: Instance, op: ascend.MmadOp, target: Target) -> Cost:
    """The fractals of both operands and of the accumulator tell how many there are along M, N and K."""
    fractal = target.cube.fractal[dtype_of(op.lhs)]
    a, b, c = (
        max((x.mask.bit_count() * BLOCK for x in instance.accesses if x.space == space_of(value)), default=0)
        / size
        for value, size in (
            (op.lhs, FRACTAL_BYTES),
            (op.rhs, FRACTAL_BYTES),
            (op.acc, 256 * element_bytes(op.acc)),
        )
    )
    if not (a and b and c):
        return Cost(target.cube.issue, 0.0, 0.0)
    m1, n1, k1 = round(sqrt(a * c / b)), round(sqrt(b * c / a)), round(sqrt(a * b / c))
    return mmad_cost(target, dtype_of(op.lhs), 16 * m1, 16 * n1, fractal.k0 * k1)

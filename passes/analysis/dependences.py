"""What each instruction of a trace must wait for: dependences by the bytes that two instructions touch."""

from collections.abc import Container
from dataclasses import replace
from math import ceil

from xdsl.ir import Operation

from ...dialects import ascend
from ...dialects.target_types import PIPES, Target
from .index_ranges import range_of
from .trace_steps import Access, Instance
from .tracer import Tracer


def find_requirements(trace: Tracer) -> None:
    """For every instruction and pipe, the last earlier instruction of that pipe that it depends on."""
    history: dict[str, list[list[tuple[Instance, Access]]]] = {}
    touched: dict[str, list[list[int]]] = {}
    """Of the same, the blocks that were written, and all that were touched."""
    ordered = trace.target.sync.ordered_pipe
    adding = {op for op in {i.op for i in trace.instances} if _may_accumulate(op, trace.target)}
    for instance in trace.instances:
        requires, op = instance.requires, instance.op
        for access in instance.accesses:
            pipes = history.setdefault(access.space, [[] for _ in PIPES])
            mask, write = access.mask, access.write
            blocks = touched.setdefault(access.space, [[0, 0] for _ in PIPES])
            adds = op in adding and access.space == "l0c"
            for pipe, past in enumerate(pipes):
                if not mask & blocks[pipe][write] or (pipe == instance.pipe and ordered):
                    continue
                least = requires.get(pipe, 0)
                for other, theirs in reversed(past):
                    if other.number <= least or other is instance:
                        break
                    if not (write or theirs.write) or not mask & theirs.mask:
                        continue
                    if adds and theirs.mask == mask and other.op in adding:
                        continue  # the Cube orders what adds to one tile
                    if access.space == "l0c" and _by_units(op, other.op):
                        continue  # the Cube and FixPipe hand over each 512 B by themselves
                    requires[pipe] = other.number
                    instance.sources[pipe] = other
                    instance.because[pipe] = (theirs, access)
                    break
        for access in instance.accesses:
            history[access.space][instance.pipe].append((instance, access))
            blocks = touched[access.space][instance.pipe]
            blocks[1] |= access.mask
            if access.write:
                blocks[0] |= access.mask


def known_before(trace: Tracer) -> list[tuple[int, ...]]:
    """For every instruction how many instructions of each pipe are over when it starts, by the requirements alone: what
    it requires, what these required, and what its pipe has waited for before."""
    width = len(PIPES)
    known = [(0,) * width for _ in PIPES]
    after: list[list[tuple[int, ...]]] = [[] for _ in PIPES]
    found: list[tuple[int, ...]] = []
    for instance in trace.instances:
        pipe, number = instance.pipe, instance.number
        here = known[pipe]
        for source, least in instance.requires.items():
            if here[source] < least:
                here = tuple(map(max, here, after[source][least - 1]))
        if trace.target.sync.ordered_pipe:
            here = (*here[:pipe], number - 1, *here[pipe + 1 :])
        known[pipe] = here
        found.append(here)
        after[pipe].append((*here[:pipe], number, *here[pipe + 1 :]))
    return found


def make_single(trace: Tracer, buffers: Container[object]) -> None:
    """Put the slots of `buffers` in the place of the first one, and find the requirements again."""

    known: dict[Access, Access] = {}

    def moved(access: Access) -> Access:
        if access.buffer is None or access.buffer not in buffers:
            return access
        if access not in known:
            known[access] = replace(access, mask=access.elsewhere(0), index=0)
        return known[access]

    for instance in trace.instances:
        instance.accesses = tuple(moved(access) for access in instance.accesses)
        instance.requires, instance.sources, instance.because = {}, {}, {}
    for index, step in enumerate(trace.steps):
        if step.kind == "slot" and step.op.operands[0].owner in buffers:
            trace.steps[index] = replace(step, slot=0)
    find_requirements(trace)


def _by_units(one: Operation, other: Operation) -> bool:
    """Whether they are a product and what takes its tile out of L0C, by the unit flag."""
    if isinstance(one, ascend.FixpipeOp):
        one, other = other, one
    if not isinstance(one, ascend.MmadOp) or not isinstance(other, ascend.FixpipeOp):
        return False
    return one.unit is not None and other.unit_flag is not None


def _may_accumulate(op: Operation, target: Target) -> bool:
    """Whether it is a product whose tile is so large that the next one may add to it without a barrier."""
    if not isinstance(op, ascend.MmadOp):
        return False
    (rows, _), (columns, _) = range_of(op.m), range_of(op.n)  # fewer where a last tile is
    return min(rows, columns) > 0 and ceil(rows / 16) * ceil(columns / 16) >= target.cube.accumulate_overlap

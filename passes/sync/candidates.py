"""The flags that a trace's dependences ask for, before any of them is found to be redundant."""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import cast

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import ascend
from ...dialects.records import dataclass
from ..analysis.trace_steps import Access, Instance
from ..analysis.tracer import Tracer
from .flags import Flag


def ancestor(op: Operation, block: Block) -> Operation:
    """The op of `block` that is or holds `op`."""
    while op.parent is not block:
        parent = op.parent_op()
        assert parent is not None
        op = parent
    return op


def common(first: Instance, second: Instance) -> tuple[Block, Operation | None]:
    """The block where the two are ordered, and the loop that carries the dependence (None: within one trip)."""
    around, carried = _loop_of_both(first, second)
    block = _top(first.op) if around is None else around.body.block
    return _inside_branches(first.op, second.op, block), around if carried else None


def _loop_of_both(first: Instance, second: Instance) -> tuple[scf.ForOp | None, bool]:
    """The innermost loop of which the two are in one trip, or the one that has them in different trips (true)."""
    around: scf.ForOp | None = None
    if first.loops == second.loops:
        around = cast(scf.ForOp, first.loops[-1][0]) if first.loops else None
        return around, False
    for (loop, i), (other, j) in zip(first.loops, second.loops, strict=False):
        if loop is not other:
            break
        assert isinstance(loop, scf.ForOp)
        around = loop
        if i != j:
            return around, True
    return around, False


def _distinct(trace: Tracer, seen: set[tuple[int, ...]]) -> Iterator[tuple[int, Instance, Instance]]:
    """The dependences of a trace between two pipes (pipe, source, what depends on it), one of those that are alike but
    for the trips that they are in. None that is in `seen`, where they are noted by the identities of their ops."""
    for instance in trace.instances:
        for pipe, source in instance.sources.items():
            if pipe == instance.pipe:
                continue
            theirs, ours = instance.because[pipe]
            loop, carried = _loop_of_both(source, instance)
            slots = id(theirs.buffer), id(theirs.slot), id(ours.buffer), id(ours.slot)
            key = id(source.op), id(instance.op), id(loop), carried, *slots
            if key not in seen:
                seen.add(key)
                yield pipe, source, instance


def _inside_branches(first: Operation, second: Operation, block: Block) -> Block:
    """The innermost block of conditions around both, from `block` inwards."""
    while True:
        holder = ancestor(first, block)
        if not isinstance(holder, scf.IfOp) or ancestor(second, block) is not holder:
            return block
        inner = holder.true_region.block
        if not _within(first, inner) or not _within(second, inner):
            return block
        block = inner


def _within(op: Operation, block: Block) -> bool:
    current: Operation | None = op
    while current is not None:
        if current.parent is block:
            return True
        current = current.parent_op()
    return False


def _top(op: Operation) -> Block:
    while not isinstance(op.parent_op(), ascend.KernelOp):
        parent = op.parent_op()
        assert parent is not None
        op = parent
    assert op.parent is not None
    return op.parent


def _slot_of(theirs: Access, ours: Access, block: Block, constant: Container[SSAValue]) -> SSAValue | None:
    """The slot value that both sides use, when it is chosen in `block` and varies."""
    if theirs.buffer is not ours.buffer or theirs.slot is None or theirs.slot is not ours.slot:
        return None
    if theirs.slot in constant:
        return None
    buffer, owner = ours.buffer, theirs.slot.owner
    assert isinstance(buffer, ascend.BufferOp) and isinstance(owner, Operation)
    return theirs.slot if buffer.slot_count > 1 and _chosen_for(owner, block) else None


def _chosen_for(owner: Operation, block: Block) -> bool:
    """Whether a slot chosen by `owner` is one for each run of `block`: nothing but conditions lies between."""
    current: Block | None = block
    while current is not None and current is not owner.parent:
        holder = current.parent_op()
        if not isinstance(holder, scf.IfOp):
            return False
        current = holder.parent
    return current is not None


def _two_slots(
    theirs: Access, ours: Access, block: Block, constant: Container[SSAValue]
) -> tuple[SSAValue | None, SSAValue | None]:
    """Slot values of the waiting and of the setting side, both chosen in `block`, where they vary."""
    buffer = ours.buffer
    if theirs.buffer is not buffer or theirs.slot is None or ours.slot is None:
        return None, None
    assert isinstance(buffer, ascend.BufferOp)
    if theirs.slot in constant and ours.slot in constant:
        return None, None
    owners = theirs.slot.owner, ours.slot.owner
    chosen = all(isinstance(o, Operation) and o.parent is block for o in owners)
    return (ours.slot, theirs.slot) if chosen and buffer.slot_count > 1 else (None, None)


def candidates(traces: Sequence[Tracer], constant: Container[SSAValue]) -> list[Flag]:
    """One flag for each static dependence between two pipes, in the innermost block where any trace shows it. The slots
    in `constant` are the same in every trip (`passes/analysis/constant_slots.py`)."""
    carried: dict[tuple[Operation, Operation], list[tuple[Block, Operation, Access, Access]]] = {}
    found: dict[tuple[object, ...], Flag] = {}

    def add(flag: Flag) -> None:
        found.setdefault(flag.key(), flag)

    ends: dict[tuple[Operation, Operation], tuple[int, int]] = {}
    seen = set[tuple[int, ...]]()
    for pipe, source, instance in (edge for trace in traces for edge in _distinct(trace, seen)):
        theirs, ours = instance.because[pipe]
        block, loop = common(source, instance)
        ends[source.op, instance.op] = (pipe, instance.pipe)
        if loop is not None:
            carried.setdefault((source.op, instance.op), []).append((block, loop, theirs, ours))
            continue
        slot = _slot_of(theirs, ours, block, constant)
        count = 1 if slot is None else _slots(ours)
        first, second = ancestor(source.op, block), ancestor(instance.op, block)
        add(Flag(pipe, instance.pipe, first, second, None, slot, count))
    for (source_op, op), edges in carried.items():
        depths = [depth(loop) for _, loop, _, _ in edges]
        inner = edges[depths.index(max(depths))]
        outer = edges[depths.index(min(depths))]
        block, _, theirs, ours = inner
        slot = _slot_of(theirs, ours, block, constant)
        count = 1 if slot is None else _slots(ours)
        p, q = ends[source_op, op]
        add(Flag(p, q, ancestor(source_op, block), ancestor(op, block), outer[1], slot, count))
    return list(found.values())


def _slots(access: Access) -> int:
    assert isinstance(access.buffer, ascend.BufferOp)
    return access.buffer.slot_count


def depth(op: Operation) -> int:
    count, parent = 0, op.parent_op()
    while parent is not None:
        count, parent = count + 1, parent.parent_op()
    return count


@dataclass(frozen=True, eq=False)
class Inner:
    """A flag whose ends lie deeper than the block that orders its instructions, and the place (pair of pipes, anchors)
    of the flag in that block whose part it takes."""

    flag: Flag
    replaced: tuple[int, int, Operation, Operation]


def inner_candidates(trace: Tracer, constant: Container[SSAValue], single: bool = False) -> list[Inner]:
    """Flags that let the destination go on as soon as the source is done, where a flag around the conditions or loops
    that hold them waits for all of the first. `single`: also between runs of an inner loop that share one slot, which
    make no trip at times."""
    found: dict[tuple[object, ...], Inner] = {}
    first_run: dict[Operation, int] = {}
    for index, step in enumerate(trace.steps):
        first_run.setdefault(step.op, index)
    for pipe, source, instance in _distinct(trace, set()):
        block, carried = common(source, instance)
        first, second = ancestor(source.op, block), ancestor(instance.op, block)
        if first is not second:
            flag = _across_branches(source, instance, block, carried, constant, first_run)
        else:
            flag = _across_loops(source, instance, carried, constant, first_run, single)
        if flag is not None:
            found.setdefault(flag.key(), Inner(flag, (pipe, instance.pipe, first, second)))
    return list(found.values())


def _across_branches(
    source: Instance,
    instance: Instance,
    block: Block,
    carried: Operation | None,
    constant: Container[SSAValue],
    first_run: Mapping[Operation, int],
) -> Flag | None:
    """From inside one condition to inside another one of the same loop. One whose wait is reached before its set is
    primed and drained around the outermost loop: the conditions of the last trips of an inner loop may answer those of
    its next run."""
    first, second = ancestor(source.op, block), ancestor(instance.op, block)
    loop = block.parent_op()
    if not isinstance(loop, scf.ForOp) or carried not in (None, loop):
        return None
    if not isinstance(first, scf.IfOp) or not isinstance(second, scf.IfOp):
        return None
    after = ancestor(source.op, first.true_region.block)
    before = ancestor(instance.op, second.true_region.block)
    theirs, ours = instance.because[source.pipe]
    wait, set_ = _two_slots(theirs, ours, block, constant)
    count = 1 if wait is None else _slots(ours)
    primed = instance.loops[0][0] if first_run[before] < first_run[after] else None
    return Flag(source.pipe, instance.pipe, after, before, primed, wait, count, set_)


def _across_loops(
    source: Instance,
    instance: Instance,
    carried: Operation | None,
    constant: Container[SSAValue],
    first_run: Mapping[Operation, int],
    single: bool,
) -> Flag | None:
    """From one run of an inner loop to the next one: the slots of a ping-pong buffer go on in turn through all runs.
    One slot does so too, where the flag may be `single`."""
    block = _around(source.op, instance.op)
    after, before = ancestor(source.op, block), ancestor(instance.op, block)
    theirs, ours = instance.because[source.pipe]
    slot = _slot_of(theirs, ours, block, constant)
    if carried is None or (slot is None and not single) or first_run[after] <= first_run[before]:
        return None
    count = 1 if slot is None else _slots(ours)
    return Flag(source.pipe, instance.pipe, after, before, instance.loops[0][0], slot, count)


def _around(first: Operation, second: Operation) -> Block:
    """The innermost block that holds both."""
    block = first.parent
    assert block is not None
    while not _within(second, block):
        parent = block.parent_op()
        assert parent is not None and parent.parent is not None
        block = parent.parent
    return block

"""Synchronisation: the flags and barriers that order a kernel's pipes, and no others.

    ascend.copy %x, %a                  ->   ascend.copy %x, %a
    ascend.vec "vrelu"(%a) -> %a             ascend.set_flag "MTE2" -> "V", %e
                                             ascend.wait_flag "MTE2" -> "V", %e
                                             ascend.vec "vrelu"(%a) -> %a

Dependences come from addresses, so memory must be planned first. Event ids are a resource of each pair of pipes; where
they run out, flags are made to need fewer; where that does not help, ping-pong buffers give up their slots. Where not
even that does, they keep them, and barriers of every pipe take the place of flags, one after the other.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..dialects import ascend
from ..dialects.ascend.memory import space_of
from ..dialects.attributes import integer_array
from ..dialects.records import dataclass
from ..dialects.target_types import PIPES, Target
from ..dialects.walked import ops_inside
from ..runtime.support.progress import tracked
from .analysis.dependences import make_single
from .analysis.kept_traces import planned_traces
from .analysis.required_slots import least_slots
from .analysis.tracer import Tracer
from .analysis.traces import trace_kernel
from .support.errors import LocatedError
from .support.index_ops import index_constant
from .support.module import chip_of, lowered_kernels
from .support.options import Pass
from .support.peers import peers, share_out
from .support.report import add_report
from .sync.carried_ends import with_far_ends
from .sync.clock import SyncClock
from .sync.flags import ALL, Flag, SyncPlan
from .sync.kept_plans import keep_told, known_plan
from .sync.launch_order import check_order
from .sync.plan import SyncError, events_or_short, plan_sync
from .sync.report import KernelSync, SyncReport
from .sync.schedule import Schedule
from .sync.share_event_ids import IdSaver

MOST_CHANGES = 8
"""So often a plan is changed to do with fewer event ids before a buffer gives up its slots."""
EVERY_PAIR = frozenset((p, q) for p in range(len(PIPES)) for q in range(len(PIPES)) if p != q)


@dataclass(frozen=True)
class AscendInsertSync(Pass):
    """Insert flags and barriers in every kernel that has none."""

    name = "ascend-insert-sync"
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        done: dict[ascend.KernelOp, KernelSync] = {}
        kernels = [kernel for kernel in lowered_kernels(op, target) if _open(kernel)]
        told = _shared(kernels, target)
        for kernel in tracked(kernels, "synchronising", "kernel", lambda one: one.sym_name.data):
            if kernel in told:
                from .sync.told import unpacked  # where there are several processes

                done[kernel] = unpacked(kernel, told[kernel])
                insert(kernel, done[kernel].plan)
            else:
                done[kernel] = synchronise(kernel, target)
        if done:
            check_order(op, target, done)
            add_report(SyncReport(tuple(done.values())))


def _open(kernel: ascend.KernelOp) -> bool:
    """Whether a kernel has no flags and barriers yet; `LocatedError` where its buffers have no addresses."""
    _check_addresses(kernel)
    return not any(ascend.is_synchronisation(o) for o in ops_inside(kernel.body))


def _shared(kernels: Sequence[ascend.KernelOp], target: Target) -> dict[ascend.KernelOp, bytes]:
    """What was decided of kernels, where peers share that; each process begins at another end."""

    def decided(number: int) -> bytes:
        from .sync.told import packed

        before = _slots_of(kernels[number])
        data = packed(kernels[number], known_plan(kernels[number], target, decide))
        _restore(before)
        return data

    with peers() as others:
        found = {} if others is None else share_out(len(kernels), others, decided)
    told = {kernels[number]: data for number, data in found.items()}
    for kernel, data in told.items():
        keep_told(kernel, target, data)
    return told


def _check_addresses(kernel: ascend.KernelOp) -> None:
    for op in ops_inside(kernel.body):
        if isinstance(op, ascend.BufferOp) and op.slot_addresses is None:
            name = op.label.data if op.label is not None else "a buffer"
            reason = f"ascend-insert-sync: {name} has no address: run ascend-plan-memory first"
            raise LocatedError(op, reason)


def synchronise(kernel: ascend.KernelOp, target: Target) -> KernelSync:
    """Plan and insert the kernel's flags."""
    sync = known_plan(kernel, target, decide)
    insert(kernel, sync.plan)
    return sync


def decide(kernel: ascend.KernelOp, target: Target) -> KernelSync:
    """Plan the kernel's flags, and leave its buffers the slots that these are for. A pair of pipes that needs more
    event ids than there are gets fewer slots of its ping-pong buffers; where that does not do, slots stay, and barriers
    of every pipe stand for flags."""
    barred: frozenset[tuple[int, int]] = frozenset()
    pinned = least_slots(kernel)
    unneeded: list[str] = []
    given_up: dict[ascend.BufferOp, int] = {}
    contradiction = False
    order = {op: i for i, op in enumerate(ops_inside(kernel.body))}
    slots = max((b.slot_count for b in ops_inside(kernel.body) if isinstance(b, ascend.BufferOp)), default=1)
    traces = planned_traces(kernel, target, slots + 1)
    schedule: Schedule | None = None
    bars, before = False, _slots_of(kernel)
    while True:
        schedule = schedule or Schedule(traces)
        try:
            plan = plan_sync(traces, barred, schedule)
        except SyncError:
            if barred == EVERY_PAIR:
                raise
            barred, contradiction = EVERY_PAIR, True
            continue
        redundant = [b for b in schedule.redundant_slots(plan.flags, plan.barriers) if b not in pinned]
        if redundant:
            unneeded += _make_single(redundant, traces)
            schedule = None
            continue
        plan, events, short = _numbered(plan, schedule, target, order, bars)
        if events is not None and short:  # barriers may order what flags and slots did
            plan, events = _without_idle_flags(plan, events, schedule, target)
            redundant = [b for b in schedule.redundant_slots(plan.flags, plan.barriers) if b not in pinned]
            if redundant:
                unneeded += _make_single(redundant, traces)
                schedule = None
                continue
        if events is not None:
            plan = with_far_ends(schedule, replace(plan, events=events))
            name, fewer = kernel.sym_name.data, tuple(_left(*one) for one in given_up.items())
            pairs, short = tuple(sorted(barred)), tuple(sorted(short))
            return KernelSync(name, plan, tuple(unneeded), fewer, pairs, contradiction, short)
        worst = _worst_pair(plan, target)
        smallest = _smallest_buffer(plan, worst, pinned)
        if smallest is None and not bars:
            # a barrier for each flag too many costs less than one for all of a pair, and slots need not be given up
            bars, schedule = True, None
            _restore(before)
            traces = trace_kernel(kernel, target, slots + 1)
            unneeded, given_up = [], {}
            continue
        if smallest is None:
            barred |= {worst}
            continue
        given_up.setdefault(smallest, smallest.slot_count)
        schedule = None
        if smallest.slot_count > 2:
            _keep_slots(smallest, smallest.slot_count - 1)
            traces = trace_kernel(kernel, target, slots + 1)
        else:
            _make_single([smallest], traces)


def _numbered(
    plan: SyncPlan, schedule: Schedule, target: Target, order: Mapping[Operation, int], bars: bool
) -> tuple[SyncPlan, tuple[int, ...] | None, frozenset[tuple[int, int]]]:
    """The plan with its event ids, changed to need fewer where they run out; None where that does not do. `bars`:
    barriers may take the place of flags; of which pairs of pipes they then do."""
    by_source, limit = target.sync.key == "source", target.sync.events

    def next_short(one: SyncPlan) -> Flag | None:
        found = events_or_short(schedule, one, limit, by_source)
        return found if isinstance(found, Flag) else None

    found = events_or_short(schedule, plan, limit, by_source)
    none = frozenset[tuple[int, int]]()
    if not isinstance(found, Flag):
        return plan, found, none
    short = none
    saver, changed = IdSaver(schedule, SyncClock(schedule.traces), order, next_short), plan
    for _ in range(len(plan.flags) if bars else MOST_CHANGES):
        back = _has_id(changed, (found.destination, found.source), target)
        fewer = saver.fewer_ids(changed, found, back, bars)
        if fewer is None:
            break
        if len(fewer.barriers) > len(changed.barriers):
            short |= {(found.source, found.destination)}
        changed, found = fewer, events_or_short(schedule, fewer, limit, by_source)
        if not isinstance(found, Flag):
            return changed, found, short
    return plan, None, none


def _without_idle_flags(
    plan: SyncPlan, events: tuple[int, ...], schedule: Schedule, target: Target
) -> tuple[SyncPlan, tuple[int, ...]]:
    """The plan without flags and barriers that others make superfluous, with its event ids."""
    flags, barriers = schedule.fewest(plan.flags, plan.barriers)
    fewer = SyncPlan(tuple(flags), tuple(barriers))
    found = events_or_short(schedule, fewer, target.sync.events, target.sync.key == "source")
    return (plan, events) if isinstance(found, Flag) else (fewer, found)


def _has_id(plan: SyncPlan, pair: tuple[int, int], target: Target) -> bool:
    """Whether a flag more of a pair of pipes would have an id of its own."""
    by_source = target.sync.key == "source"
    ours = (f for f in plan.flags if f.source == pair[0] and (by_source or f.destination == pair[1]))
    return sum(f.count for f in ours) < target.sync.events


def _worst_pair(plan: SyncPlan, target: Target) -> tuple[int, int]:
    """The pair of pipes that asks for most event ids, among those of the source pipe that does where ids are unique to
    the source pipe."""
    totals: dict[tuple[int, int], int] = {}
    for flag in plan.flags:
        pair = flag.source, flag.destination
        totals[pair] = totals.get(pair, 0) + flag.count

    def weight(pair: tuple[int, int]) -> tuple[int, int]:
        together = sum(n for (source, _), n in totals.items() if source == pair[0])
        return together if target.sync.key == "source" else 0, totals[pair]

    return max(totals, key=weight)


def _smallest_buffer(
    plan: SyncPlan, pair: tuple[int, int], pinned: Container[ascend.BufferOp]
) -> ascend.BufferOp | None:
    """The smallest buffer whose slots a pair's flags tell apart, of those that may have fewer; one with more than two
    comes first."""
    buffers: set[ascend.BufferOp] = set()
    for flag in plan.flags:
        if (flag.source, flag.destination) == pair and flag.slot is not None:
            owner = flag.slot.owner
            assert isinstance(owner, ascend.NextSlotOp | ascend.PreviousSlotOp) and isinstance(
                owner.buffer.owner, ascend.BufferOp
            )
            buffer = owner.buffer.owner
            if buffer.slot_count > 2 or buffer not in pinned:
                buffers.add(buffer)
    return min(buffers, key=lambda b: (b.slot_count <= 2, b.slot_bytes, b.slot_addresses), default=None)


def _slots_of(kernel: ascend.KernelOp) -> list[tuple[ascend.BufferOp, dict[str, Attribute]]]:
    """The buffers of a kernel, with their slots and addresses."""
    return [(op, dict(op.properties)) for op in ops_inside(kernel.body) if isinstance(op, ascend.BufferOp)]


def _restore(buffers: Sequence[tuple[ascend.BufferOp, dict[str, Attribute]]]) -> None:
    """Give buffers back what they had."""
    for buffer, properties in buffers:
        buffer.properties = dict(properties)


def _make_single(buffers: Sequence[ascend.BufferOp], traces: Sequence[Tracer]) -> list[str]:
    """Leave one slot to buffers, in the program and in its traces; their labels and spaces."""
    for trace in traces:
        make_single(trace, frozenset(buffers))
    for buffer in buffers:
        _keep_slots(buffer, 1)
    return _names(buffers)


def _keep_slots(buffer: ascend.BufferOp, count: int) -> None:
    """Leave the first `count` slots to a buffer."""
    addresses = buffer.slot_addresses
    buffer.slots = IntegerAttr(count, i64)
    if addresses is not None:
        buffer.addresses = integer_array(addresses[:count])


def _left(buffer: ascend.BufferOp, before: int) -> str:
    """What a buffer has left of so many slots; of two it is one."""
    (name,) = _names([buffer])
    return name if before == 2 else f"{name} {buffer.slot_count} of {before}"


def _names(buffers: Sequence[ascend.BufferOp]) -> list[str]:
    """Labels and spaces of buffers."""
    labels = [b.label.data if b.label is not None else "buffer" for b in buffers]
    return [f"{label} ({space_of(b.result)})" for label, b in zip(labels, buffers, strict=True)]


def insert(kernel: ascend.KernelOp, plan: SyncPlan) -> None:
    """Put a plan's ops into the program."""
    editor = _Editor(kernel)
    for flag, event in zip(plan.flags, plan.events, strict=True):
        source, destination = PIPES[flag.source], PIPES[flag.destination]
        wait = ascend.WaitFlagOp(source, destination, editor.event(flag.slot, event, flag.before))
        if flag.behind:
            editor.after(flag.before, wait)
        else:
            editor.before(flag.before, wait)
    for flag, event in zip(plan.flags, plan.events, strict=True):
        if not flag.ahead:
            editor.after(flag.after, _set(editor, flag, event))
    for barrier in plan.barriers:
        editor.before(barrier.before, ascend.BarrierOp("ALL" if barrier.pipe == ALL else PIPES[barrier.pipe]))
    for flag, event in zip(plan.flags, plan.events, strict=True):
        if flag.ahead:
            editor.before(flag.after, _set(editor, flag, event))
    # last: what primes is next to its loop, and what drains, so that sets beside it tell of these waits, too
    for flag, event in zip(plan.flags, plan.events, strict=True):
        if flag.loop is not None:
            pair = PIPES[flag.source], PIPES[flag.destination]
            for i in range(flag.count):
                editor.before(flag.prime or flag.loop, ascend.SetFlagOp(*pair, editor.constant(event + i)))
                editor.drain(flag, ascend.WaitFlagOp(*pair, editor.constant(event + i)))


def _set(editor: "_Editor", flag: Flag, event: int) -> ascend.SetFlagOp:
    number = editor.event(flag.slot_of_set, event, flag.before)
    return ascend.SetFlagOp(PIPES[flag.source], PIPES[flag.destination], number)


class _Editor:
    """Insertion that keeps the plan's anchors valid: what goes after an op goes after what already went there."""

    def __init__(self, kernel: ascend.KernelOp):
        self.kernel = kernel
        self._constants: dict[int, SSAValue] = {}
        self._events: dict[tuple[SSAValue, int], SSAValue] = {}
        self._last: dict[Operation, Operation] = {}

    def constant(self, value: int) -> SSAValue:
        if value not in self._constants:
            op = index_constant(value)
            op.location = self.kernel.location
            block = self.kernel.body.block
            assert block.first_op is not None
            block.insert_op_before(op, block.first_op)
            self._constants[value] = op.result
        return self._constants[value]

    def event(self, slot: SSAValue | None, first: int, user: Operation) -> SSAValue:
        """The event id: a constant, or `first` + slot."""
        if slot is None:
            return self.constant(first)
        if first == 0:
            return slot
        key = slot, first
        if key not in self._events:
            owner = slot.owner
            assert isinstance(owner, Operation)
            op = arith.AddiOp(slot, self.constant(first))
            op.location = user.location
            _block(owner).insert_op_after(op, owner)
            self._events[key] = op.result
        return self._events[key]

    def before(self, anchor: Operation, op: Operation) -> None:
        op.location = anchor.location
        _block(anchor).insert_op_before(op, anchor)

    def after(self, anchor: Operation, op: Operation) -> None:
        op.location = anchor.location
        _block(anchor).insert_op_after(op, self._last.get(anchor, anchor))
        self._last[anchor] = op

    def drain(self, flag: Flag, op: Operation) -> None:
        assert flag.loop is not None
        if flag.drain is not None:
            self.after(flag.drain, op)
            return
        op.location = flag.loop.location
        _block(flag.loop).insert_op_after(op, flag.loop)


def _block(op: Operation) -> Block:
    assert op.parent is not None
    return op.parent

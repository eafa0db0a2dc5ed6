"""Carried flags are primed as early, and drained as late, as the program allows.

    ascend.copy %r, %b                                ascend.set_flag "MTE1" -> "MTE2", %e
    ascend.set_flag "MTE2" -> "MTE1", %f              ascend.copy %r, %b
    ascend.wait_flag "MTE2" -> "MTE1", %f             ascend.set_flag "MTE2" -> "MTE1", %f
    ascend.set_flag "MTE1" -> "MTE2", %e              ascend.wait_flag "MTE2" -> "MTE1", %f
    scf.for ... { ... }                          ->   scf.for ... { ... }
    ascend.wait_flag "MTE1" -> "MTE2", %e             ascend.copy %x, %a
    ascend.copy %x, %a                                ascend.wait_flag "MTE1" -> "MTE2", %e

The set in front of a loop comes when its pipe is through with all waits before it, and the wait behind the loop holds
up whatever its pipe does next. Where nothing depends on that, the set goes in front of what other pipes do before the
loop, and the wait behind the last instruction of its pipe in the block of the loop.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.ir import Operation

from .flags import Flag, SyncPlan
from .schedule import Schedule

Pipes = Mapping[Operation, int]
"""The pipe of each instruction."""


def with_far_ends(schedule: Schedule, plan: SyncPlan) -> SyncPlan:
    """The plan, whose event ids are known, with earlier primes and later drains: all of them where that keeps the
    traces in order, else those that do one by one."""
    pipes = {i.op: i.pipe for trace in schedule.traces for i in trace.instances}
    far = [_early(_late(flag, pipes), pipes) for flag in plan.flags]
    if all(one is flag for one, flag in zip(far, plan.flags, strict=True)):
        return plan
    if _orders(schedule, far, plan):
        return replace(plan, flags=tuple(far))
    flags = list(plan.flags)
    for move in (_late, _early):
        for i in range(len(flags)):
            tried = [*flags[:i], move(flags[i], pipes), *flags[i + 1 :]]
            if tried[i] is not flags[i] and _orders(schedule, tried, plan):
                flags = tried
    return replace(plan, flags=tuple(flags))


def _late(flag: Flag, pipes: Pipes) -> Flag:
    """A flag that is drained behind the last instruction of its pipe that follows its loop."""
    if flag.loop is None:
        return flag
    last, following = None, flag.loop.next_op
    while following is not None:
        if any(pipes.get(op) == flag.destination for op in following.walk()):
            last = following
        following = following.next_op
    return flag if last is None else replace(flag, drain=last)


def _early(flag: Flag, pipes: Pipes) -> Flag:
    """A flag that is primed in front of the first instruction behind the last one of its pipe before its loop."""
    if flag.loop is None:
        return flag
    first, before = None, flag.loop.prev_op
    while before is not None:
        found = {pipes.get(op) for op in before.walk()} - {None}
        if flag.source in found:
            break
        first = before if found else first
        before = before.prev_op
    return flag if first is None else replace(flag, prime=first)


def _orders(schedule: Schedule, flags: Sequence[Flag], plan: SyncPlan) -> bool:
    return schedule.check(flags, plan.barriers, events=dict(zip(flags, plan.events, strict=True)))


__all__ = ["with_far_ends"]

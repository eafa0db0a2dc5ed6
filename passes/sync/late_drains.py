"""Drains of carried flags, as late as the program allows.

    scf.for ... { ... }                          ->   scf.for ... { ... }
    ascend.wait_flag "MTE1" -> "MTE2", %e             ascend.copy %x, %a
    ascend.copy %x, %a                                ascend.wait_flag "MTE1" -> "MTE2", %e

The wait that takes a carried flag down behind its loop holds up whatever its pipe does next. Where nothing depends on
that, it goes behind the last instruction of the pipe in the block of the loop.
"""

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import Operation

from .flags import Flag, SyncPlan
from .schedule import Schedule


def with_late_drains(schedule: Schedule, plan: SyncPlan) -> SyncPlan:
    """The plan, whose event ids are known, with later drains: all of them where that keeps the traces in order, else
    those that do one by one."""
    pipes = {i.op: i.pipe for trace in schedule.traces for i in trace.instances}
    late = [_late(flag, pipes) for flag in plan.flags]
    if all(one is flag for one, flag in zip(late, plan.flags, strict=True)):
        return plan
    if _orders(schedule, late, plan):
        return replace(plan, flags=tuple(late))
    flags = list(plan.flags)
    for i, one in enumerate(late):
        tried = [*flags[:i], one, *flags[i + 1 :]]
        if one is not flags[i] and _orders(schedule, tried, plan):
            flags = tried
    return replace(plan, flags=tuple(flags))


def _late(flag: Flag, pipes: dict[Operation, int]) -> Flag:
    """A flag that is drained behind the last instruction of its pipe that follows its loop."""
    if flag.loop is None:
        return flag
    last, following = None, flag.loop.next_op
    while following is not None:
        if any(pipes.get(op) == flag.destination for op in following.walk()):
            last = following
        following = following.next_op
    return flag if last is None else replace(flag, drain=last)


def _orders(schedule: Schedule, flags: Sequence[Flag], plan: SyncPlan) -> bool:
    return schedule.check(flags, plan.barriers, events=dict(zip(flags, plan.events, strict=True)))


__all__ = ["with_late_drains"]

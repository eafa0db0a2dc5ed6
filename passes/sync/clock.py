"""How long a trace takes under a plan of flags and barriers: pipes in order, each wait behind the set that it answers.

Instructions take what `passes/analysis/timeline.py` says. Good to compare plans of one program, not to predict its
time.
"""

from collections.abc import Iterable, Sequence

from xdsl.ir import SSAValue

from ...dialects.target_types import PIPES, Target
from ...runtime.machine.costs import Cost
from ..analysis.timeline import instance_cost
from ..analysis.trace_steps import Instance
from ..analysis.tracer import Tracer
from .flags import ALL, Barrier, Flag

_Step = tuple[str, int, SSAValue | None, int, tuple[int, Cost] | None]
"""Its kind, the `id` of its op, which is cheap to look up, a slot's value and number, and its work on a pipe."""


class SyncClock:
    """The clock of a kernel's traces; what their instructions take is found once."""

    def __init__(self, traces: Sequence[Tracer], cores: int = 1):
        self._steps: list[list[_Step]] = [
            [
                (
                    step.kind,
                    id(step.op),
                    step.op.results[0] if step.kind == "slot" else None,
                    step.slot,
                    _work(step.instance, trace.target, cores),
                )
                for step in trace.steps
            ]
            for trace in traces
        ]

    def cycles(self, flags: Iterable[Flag], barriers: Iterable[Barrier]) -> float:
        """Cycles of all traces together, under flags and barriers that order them."""
        plan = _Plan(flags, barriers)
        return sum(_cycles(steps, plan) for steps in self._steps)


class _Plan:
    """Flags and barriers by the `id` of the ops that they stand at."""

    def __init__(self, flags: Iterable[Flag], barriers: Iterable[Barrier]):
        self.before: dict[int, list[Flag | Barrier]] = {}
        self.behind: dict[int, list[Flag]] = {}
        self.ahead: dict[int, list[Flag]] = {}
        self.after: dict[int, list[Flag]] = {}
        for barrier in barriers:
            self.before.setdefault(id(barrier.before), []).append(barrier)
        for flag in flags:
            if flag.behind:
                self.behind.setdefault(id(flag.before), []).append(flag)
            else:
                self.before.setdefault(id(flag.before), []).append(flag)
            (self.ahead if flag.ahead else self.after).setdefault(id(flag.after), []).append(flag)
        self.ops = {*self.before, *self.behind, *self.ahead, *self.after}


def _cycles(steps: Sequence[_Step], plan: _Plan) -> float:
    free, through = [0.0] * len(PIPES), [0.0] * len(PIPES)
    up: dict[tuple[Flag, int], float] = {}
    slots: dict[SSAValue | None, int] = {}

    def wait(flag: Flag) -> None:
        event = 0 if flag.slot is None else slots[flag.slot]
        free[flag.destination] = max(free[flag.destination], up.get((flag, event), 0.0))

    def raise_flag(flag: Flag) -> None:
        event = 0 if flag.slot_of_set is None else slots[flag.slot_of_set]
        up[flag, event] = max(through[flag.source], free[flag.source])

    for kind, op, value, slot, work in steps:
        if kind == "slot":
            slots[value] = slot
            continue
        here = op in plan.ops
        if here and kind != "exit":
            for item in plan.before.get(op, ()):
                if isinstance(item, Flag):
                    wait(item)
                elif item.pipe == ALL:
                    free[:] = [max(*free, *through)] * len(free)
                else:
                    free[item.pipe] = max(free[item.pipe], through[item.pipe])
            for flag in plan.ahead.get(op, ()):
                raise_flag(flag)
        if kind == "enter":
            continue
        if work is not None:
            pipe, cost = work
            start = free[pipe]
            free[pipe] = start + cost.busy
            through[pipe] = max(through[pipe], start + cost.total)
        if not here:
            continue
        for flag in plan.behind.get(op, ()):
            wait(flag)
        for flag in plan.after.get(op, ()):
            raise_flag(flag)
    return max(*through, *free)


def _work(instance: Instance | None, target: Target, cores: int) -> tuple[int, Cost] | None:
    return None if instance is None else (instance.pipe, instance_cost(instance, target, cores))

"""How long a trace takes under a plan of flags and barriers: pipes in order, each wait behind the set that it answers.

Instructions take what `passes/analysis/timeline.py` says. Good to compare plans of one program, not to predict its
time.
"""

from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from xdsl.ir import SSAValue

from ...dialects.target_types import PIPES, Target
from ...runtime.machine.costs import Cost
from ..analysis.timeline import instance_cost
from ..analysis.trace_steps import Instance
from ..analysis.tracer import Tracer
from .flags import ALL, Barrier, Flag

_Step = tuple[str, int, SSAValue | None, int, tuple[int, Cost] | None]
"""Its kind, the `id` of its op, which is cheap to look up, a slot's value and number, and its work on a pipe."""


class _Stretch(NamedTuple):
    """Steps at which no plan does anything: the slots that they choose, their work as pipes, busy and total cycles.
    Then one at which plans do (None: the trace is over)."""

    slots: list[tuple[SSAValue | None, int]]
    works: list[tuple[int, float, float]]
    end: _Step | None


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
        self._seen: set[int] = set()
        """The ops at which plans do something that have been timed."""
        self._stretches: list[list[_Stretch]] = []

    def cycles(self, flags: Iterable[Flag], barriers: Iterable[Barrier]) -> float:
        """Cycles of all traces together, under flags and barriers that order them."""
        plan = _Plan(flags, barriers)
        if not self._stretches or not plan.ops <= self._seen:
            self._seen |= plan.ops
            self._stretches = [_stretches(steps, self._seen) for steps in self._steps]
        return sum(_cycles(stretches, plan) for stretches in self._stretches)


def _stretches(steps: Sequence[_Step], ops: Container[int]) -> list[_Stretch]:
    """The steps of a trace, of which plans do something at `ops` alone."""
    slots, works = list[tuple[SSAValue | None, int]](), list[tuple[int, float, float]]()
    found: list[_Stretch] = []
    for step in steps:
        kind, op, value, slot, work = step
        if kind == "slot":
            slots.append((value, slot))
        elif op in ops:
            found.append(_Stretch(slots, works, step))
            slots, works = [], []
        elif work is not None:
            pipe, cost = work
            works.append((pipe, cost.busy, cost.total))
    return [*found, _Stretch(slots, works, None)]


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


def _cycles(stretches: Sequence[_Stretch], plan: _Plan) -> float:
    free, through = [0.0] * len(PIPES), [0.0] * len(PIPES)
    up: dict[tuple[Flag, int], float] = {}
    slots: dict[SSAValue | None, int] = {}

    def wait(flag: Flag) -> None:
        event = 0 if flag.slot is None else slots[flag.slot]
        free[flag.destination] = max(free[flag.destination], up.get((flag, event), 0.0))

    def raise_flag(flag: Flag) -> None:
        event = 0 if flag.slot_of_set is None else slots[flag.slot_of_set]
        up[flag, event] = max(through[flag.source], free[flag.source])

    for chosen, works, step in stretches:
        slots.update(chosen)
        for pipe, busy, total in works:
            start = free[pipe]
            free[pipe], end = start + busy, start + total
            if end > through[pipe]:
                through[pipe] = end
        if step is None:
            break
        kind, op, _, _, work = step
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

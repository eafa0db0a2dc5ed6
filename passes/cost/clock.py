"""How long a schedule takes: pipes in order, buffers of so many slots, one HBM for all cores, which work in step.

Of a loop the first trips are followed, until all that is waited for comes later by as much in each, and the last ones.
Those between take as long as those before them. Where times still differ after `MOST` trips, the latest one counts: the
result is then too late rather than too early, for nothing that a trip waits for moves it by more than it moves itself.
"""

from math import lcm

from .schedule import Loop, Schedule, Stage

MOST = 6
"""Turns of all slots that are followed before the slowest of its pipes says how long the others take."""


def schedule_cycles(schedule: Schedule) -> float:
    """Cycles from the first stage's start until all of the last ones are seen."""
    clock = _Clock(schedule)
    clock.run(clock.program)
    return clock.times[0]


class _Step:
    """A stage with its places in the list of times: of its pipe, and of each buffer the first of its slots, their
    number and, of one that is read, whether the same loop writes it (else its last slot is read)."""

    __slots__ = ("ahead", "count", "cycles", "hbm", "latency", "pipe", "reads", "writes")

    def __init__(self, stage: Stage, clock: "_Clock", own: frozenset[str]):
        self.cycles, self.latency, self.hbm, self.ahead = stage.cycles, stage.latency, stage.hbm, stage.ahead
        self.count = 0
        self.pipe = clock.place(stage.pipe, 1)
        self.reads = [(name, *clock.buffer(name), name in own) for name in stage.reads]
        self.writes = [(name, *clock.buffer(name)) for name in stage.writes]


class _Trips:
    """A loop, its body of steps and of such."""

    __slots__ = ("ahead", "body", "trips")

    def __init__(self, loop: Loop, clock: "_Clock"):
        stages = [one for one in loop.body if isinstance(one, Stage)]
        own = frozenset(name for stage in stages for name in stage.writes)
        self.trips, self.ahead = loop.trips, max((stage.ahead for stage in stages), default=0)
        self.body = [
            _Step(one, clock, own) if isinstance(one, Stage) else _Trips(one, clock) for one in loop.body
        ]


class _Clock:
    """When everything that is waited for is free or there."""

    def __init__(self, schedule: Schedule):
        self.slots, self.period = schedule.slots, lcm(*schedule.slots.values())
        self.times = [0.0, 0.0]
        """When all is over, when HBM is free; when each pipe is; for each slot of a buffer, when it is full and when
        it is free."""
        self.places: dict[str, int] = {}
        self.filled: dict[str, int] = {}
        """How often each buffer was written."""
        self.posted: list[tuple[float, float, float]] = []
        """Of the writes that HBM has not taken yet, when the last core's begins and how long before it the first one's
        does, and the cycles that HBM takes."""
        self.skew = 0.0
        """How far ahead the first of the cores is, which HBM serves in turn: this one is the last of them."""
        self.program = _Trips(schedule.body, self)

    def place(self, name: str, size: int) -> int:
        """Where the times of a pipe or a buffer begin."""
        if name not in self.places:
            self.places[name] = len(self.times)
            self.times += [0.0] * size
        return self.places[name]

    def buffer(self, name: str) -> tuple[int, int]:
        """Where the times of a buffer begin, and how many slots it has."""
        self.filled[name] = 0
        return self.place(name, 2 * self.slots[name]), self.slots[name]

    def run(self, loop: _Trips) -> None:
        """All trips of a loop."""
        trips, trip = loop.trips, -loop.ahead
        seen: list[tuple[list[float], int]] = []
        while trip < trips:
            for one in loop.body:
                if isinstance(one, _Trips):
                    if trip >= 0:
                        self.run(one)
                elif 0 <= trip + one.ahead < trips:
                    self.step(one)
            trip += 1
            if (trip + loop.ahead) % self.period == 0 and trips - trip > self.period + loop.ahead:
                trips -= self.skip(seen, (trips - trip - loop.ahead - 1) // self.period) * self.period
                seen.append((self.times.copy(), len(self.posted)))

    def skip(self, seen: list[tuple[list[float], int]], most: int) -> int:
        """How many turns of all slots, of `most`, are left out: as often as one follows that was `seen` before, all
        that is under way happens later by what it took since."""
        for turns in range(1, len(seen)):
            before, posted = seen[-turns]
            grown = [b - a for a, b in zip(before, self.times, strict=True) if b > a] or [0.0]
            even = max(grown) - min(grown) <= 1e-6 * max(grown) and posted == len(self.posted)
            if turns <= most and (even or (len(seen) >= MOST and 2 * turns >= len(seen))):
                later = most // turns * max(grown)
                self.times = [b + later if b > a else b for a, b in zip(before, self.times, strict=True)]
                self.posted = [(last + later, skew, cycles) for last, skew, cycles in self.posted]
                return most // turns * turns
        return 0

    def write(self, until: float) -> None:
        """HBM takes what was written until then."""
        left: list[tuple[float, float, float]] = []
        for last, skew, cycles in self.posted:
            share = 1.0 if last <= until else max(0.0, 1 - (last - until) / skew) if skew else 0.0
            if share:
                self.times[1] = max(self.times[1], last - skew) + share * cycles
            if share < 1:
                left.append((last, (1 - share) * skew, (1 - share) * cycles))
        self.posted = left

    def step(self, step: _Step) -> None:
        """One stage."""
        times = self.times
        start, number = times[step.pipe], step.count
        step.count += 1
        slots: list[int] = []
        for name, place, count, own in step.reads:
            full = place + (number if own else self.filled[name] - 1) % count
            start = max(start, times[full])
            slots.append(full + count)
        for _, place, count in step.writes:
            start = max(start, times[place + number % count + count])
        end = start + step.cycles
        if step.hbm and step.writes:
            first, free = start - self.skew, times[1]
            self.write(start)
            times[1] = max(times[1], first) + step.hbm
            if times[1] >= end:
                end, self.skew = times[1], times[1] - max(free, first)
        elif step.hbm:
            self.posted.append((start, self.skew, step.hbm))
        done = end + step.latency
        times[step.pipe], times[0] = end, max(times[0], done)
        for free in slots:
            times[free] = max(times[free], done)
        for name, place, count in step.writes:
            self.filled[name] += 1
            times[place + number % count] = times[place + number % count + count] = done


__all__ = ["schedule_cycles"]

"""The clock of schedules against a small simulation of events, which shares nothing with it: it unrolls all loops, and
goes from one moment to the next."""

import random
from collections import defaultdict
from math import inf

import pytest

from ascend_opt.passes.cost.clock import schedule_cycles
from ascend_opt.passes.cost.schedule import Loop, Schedule, Stage


def unrolled(loop: Loop, path: tuple[int, ...] = ()) -> list[tuple[Stage, tuple[int, ...]]]:
    """All stages in the order of the program, each with the trips that it is of."""
    found: list[tuple[Stage, tuple[int, ...]]] = []
    ahead = max((one.ahead for one in loop.body if isinstance(one, Stage)), default=0)
    for trip in range(-ahead, loop.trips):
        for one in loop.body:
            if isinstance(one, Loop):
                found += unrolled(one, (*path, trip)) if trip >= 0 else []
            elif 0 <= trip + one.ahead < loop.trips:
                found.append((one, (*path, trip + one.ahead)))
    return found


class Events:
    """Every pipe takes its stages in order. At each moment those begin whose pipe, data and slots are there."""

    def __init__(self, schedule: Schedule):
        self.queues: dict[str, list[int]] = defaultdict(list)
        self.stages = [stage for stage, _ in unrolled(schedule.body)]
        self.before: list[set[int]] = []
        fills: dict[str, list[int]] = defaultdict(list)
        at: dict[tuple[str, tuple[int, ...]], int] = {}
        readers: dict[int, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        writers: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for i, (stage, trips) in enumerate(unrolled(schedule.body)):
            self.queues[stage.pipe].append(i)
            waits: set[int] = set()
            for name in stage.reads:
                fill = at.get((name, trips), fills[name][-1])
                waits.add(fill)
                readers[fill][name].add(i)
            for name in stage.writes:
                writers[i].append((name, len(fills[name])))
                fills[name].append(i)
                at[name, trips] = i
            self.before.append(waits)
        for i, written in writers.items():
            for name, number in written:
                if number >= schedule.slots[name]:
                    old = fills[name][number - schedule.slots[name]]
                    self.before[i] |= {old, *readers[old][name]} - {i}

    def run(self, cores: int = 1) -> float:
        """When the last of so many cores is through; HBM serves them in the order in which they ask."""
        seen = [[inf] * len(self.stages) for _ in range(cores)]
        free: dict[tuple[int, str], float] = defaultdict(float)
        heads = {(core, pipe): 0 for core in range(cores) for pipe in self.queues}
        hbm, moments = 0.0, {0.0}
        while moments:
            now = min(moments)
            moments.discard(now)
            for (core, pipe), head in heads.items():
                if head == len(self.queues[pipe]) or free[core, pipe] > now:
                    continue
                i = self.queues[pipe][head]
                if any(seen[core][other] > now for other in self.before[i]):
                    continue
                stage, end = self.stages[i], now + self.stages[i].cycles
                if stage.hbm:
                    hbm = max(hbm, now) + stage.hbm / cores
                    end = max(end, hbm) if stage.writes else end
                seen[core][i], free[core, pipe] = end + stage.latency, end
                moments |= {now, end, seen[core][i]}
                heads[core, pipe] += 1
        assert all(head == len(self.queues[pipe]) for (_, pipe), head in heads.items())
        return max(map(max, seen))


def chain(rng: random.Random, trips: int, shared: bool) -> Schedule:
    """A tile from pipe to pipe, of which some are met twice, and buffers of one to four slots."""
    pipes = rng.sample(["MTE2", "V", "MTE3", "MTE1", "M", "FIX"], rng.randint(2, 5))
    body, slots = list[Stage](), dict[str, int]()
    for i, pipe in enumerate(pipes):
        reads = (f"b{i - 1}",) if i else ()
        if i > 1 and rng.random() < 0.3:
            reads += (f"b{i - 2}",)
        writes = (f"b{i}",) if i < len(pipes) - 1 else ()
        hbm = rng.uniform(10, 200) if shared and i in (0, len(pipes) - 1) else 0.0
        body.append(Stage(pipe, rng.uniform(1, 200), rng.uniform(0, 300), reads, writes, hbm))
        slots[f"b{i}"] = rng.choice([1, 2, 2, 2, 3, 4])
    return Schedule(Loop(trips, tuple(body)), slots)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("trips", [1, 2, 3, 7, 20, 101, 400])
@pytest.mark.parametrize("seed", range(40))
def test_a_loop_takes_what_events_say(seed: int, trips: int):
    found = chain(random.Random(seed), trips, shared=False)
    assert schedule_cycles(found) == pytest.approx(Events(found).run(), rel=1e-9)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("seed", range(40))
def test_loops_in_loops(seed: int):
    """An operand stays for all trips of an inner loop, whose sums are stored when it is over."""
    rng = random.Random(seed)
    inner = chain(rng, rng.choice([1, 4, 5, 30]), shared=False)
    *body, last = inner.body.body
    assert isinstance(last, Stage)
    last = Stage(last.pipe, last.cycles, last.latency, (*last.reads, "kept"), ("sum",))
    program = (
        Stage("MTE2", rng.uniform(1, 900), 50.0, writes=("kept",)),
        Loop(inner.body.trips, (*body, last)),
        Stage("MTE3", rng.uniform(1, 900), 50.0, ("sum",)),
    )
    slots = {**inner.slots, "kept": rng.choice([1, 2]), "sum": 2}
    found = Schedule(Loop(rng.choice([1, 3, 40]), program), slots)
    assert schedule_cycles(found) == pytest.approx(Events(found).run(), rel=0.02)


@pytest.mark.parametrize("ahead", [1, 2])
@pytest.mark.parametrize("trips", [1, 2, 3, 9, 200])
def test_what_is_issued_ahead(ahead: int, trips: int):
    """A pipe that takes part in two stages of a trip does the first one of the next trip before the second one."""
    body = (
        Stage("M", 100.0, 30.0, writes=("rows",), ahead=ahead),
        Stage("V", 150.0, 20.0, ("rows",), ("weights",), ahead=ahead - 1),
        Stage("M", 80.0, 30.0, ("weights",), ("sums",)),
        Stage("V", 60.0, 20.0, ("sums",)),
    )
    found = Schedule(Loop(trips, body), {"rows": ahead + 1, "weights": ahead + 1, "sums": 2})
    assert schedule_cycles(found) == pytest.approx(Events(found).run(), rel=1e-9)
    late = tuple(Stage(one.pipe, one.cycles, one.latency, one.reads, one.writes) for one in body)
    if trips > ahead:
        assert schedule_cycles(found) < schedule_cycles(Schedule(Loop(trips, late), found.slots))


@pytest.mark.parametrize("trips", [1, 2, 3, 7, 20, 60])
@pytest.mark.parametrize("seed", range(20))
def test_hbm_serves_all_cores(seed: int, trips: int):
    """The clock follows the last of the cores; eight take as long within 7 %."""
    found = chain(random.Random(seed), trips, shared=True)
    assert schedule_cycles(found) == pytest.approx(Events(found).run(cores=8), rel=0.07)


def test_a_long_loop_is_not_followed_to_its_end():
    """Its pace is that of the slowest pipe, and it is filled once and drained once."""
    body = (
        Stage("MTE2", 30.0, 600.0, writes=("in",)),
        Stage("V", 50.0, 20.0, ("in",), ("out",)),
        Stage("MTE3", 10.0, 90.0, ("out",)),
    )
    slow = Schedule(Loop(10**9, body), {"in": 2, "out": 2})
    pace = (30 + 600 + 50 + 20) / 2  # two slots, each from its load to the end of what reads it
    assert schedule_cycles(slow) == pytest.approx(10**9 * pace)
    fast = Schedule(Loop(10**9, body), {"in": 16, "out": 4})
    assert schedule_cycles(fast) == pytest.approx(30 + 600 + 10**9 * 50 + 20 + 10 + 90)


@pytest.mark.parametrize("cycles", [(10.0, 100.0), (100.0, 10.0), (99.0, 100.0)])
def test_pipes_that_nothing_ties_go_at_their_own_pace(cycles: tuple[float, float]):
    """Their times grow apart for ever: the slower one says how long trips take that are not followed."""
    body = tuple(Stage(pipe, each) for pipe, each in zip(("MTE2", "V"), cycles, strict=True))
    found = Schedule(Loop(1000, body), {"unused": 2})
    assert schedule_cycles(found) == pytest.approx(Events(found).run(), rel=1e-9) == 1000 * max(cycles)

"""The port that the cores of a group share: the Cube core first, even shares of the rest; against small steps."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop

import pytest
from ascend_programs import Program
from xdsl.ir import SSAValue

from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.runtime.machine.ports import Port, Ports, Requests, ports_of, shared_rates

CHIP = load_target("ascend910b1")
RATE = 100.0
CUBE = 0


@dataclass(frozen=True)
class Transfer:
    """Alone it takes from `start` to `end`, and moves so many bytes. Core 0 is the Cube core."""

    core: int
    start: float
    end: float
    bytes: int


def ends(transfers: Sequence[Transfer], rate: float = RATE) -> list[float]:
    """When each ends, served in order of simulated time as a launch does it; all on pipe 0."""
    requests: Requests = [(t.start, t.core, 0) for t in transfers]
    heapify(requests)
    port = Port(rate)
    cores = {t.core: Ports(t.core, t.core == CUBE, port, None, requests) for t in transfers}
    left = {core: [i for i, t in enumerate(transfers) if t.core == core] for core in cores}
    found = [0.0] * len(transfers)
    while requests:
        _, core, pipe = heappop(requests)
        ports, i = cores[core], left[core][0]
        one = transfers[i]
        if pipe in ports.waiting:
            served = ports.resume(pipe)
        else:
            served = ports.start(pipe, False, one.start, (one.end, 7.0), one.bytes)
        if served is not None:
            found[i], latency = served
            assert latency == 7.0
            left[core].pop(0)
    return found


def stepped(transfers: Sequence[Transfer], rate: float, step: float) -> list[float]:
    """The same by steps of time: bytes of the Cube core first, then even shares of the rest."""
    left = [float(t.bytes) for t in transfers]
    found = [0.0] * len(transfers)
    now = 0.0
    while any(n > 0 for n in left):
        room = rate * step
        going = [i for i, t in enumerate(transfers) if t.start <= now and left[i] > 0]
        own = {i: transfers[i].bytes / (transfers[i].end - transfers[i].start) * step for i in going}
        going.sort(key=lambda i: (transfers[i].core != CUBE, own[i]))
        for n, i in enumerate(going):
            share = room if transfers[i].core == CUBE else room / (len(going) - n)
            moved = min(own[i], share)
            room -= moved
            left[i] -= moved
            if left[i] <= 1e-9:
                found[i] = now + step
        now += step
    return found


def test_alone_each_takes_its_own_time():
    assert ends([Transfer(1, 0.1, 20.3, 1000)]) == [20.3]
    assert ends([Transfer(CUBE, 0.0, 20.0, 1000), Transfer(1, 0.1, 20.3, 1000)]) == [20.0, 20.3]


def test_vector_cores_share_what_the_cube_core_leaves():
    cube = Transfer(CUBE, 0.0, 100.0, 6000)
    one, other = Transfer(1, 0.0, 20.0, 1000), Transfer(2, 0.0, 20.0, 1000)
    assert ends([cube, one]) == pytest.approx([100.0, 25.0])
    assert ends([cube, one, other]) == pytest.approx([100.0, 50.0, 50.0])


def test_a_slow_core_leaves_the_rest_of_its_share():
    cube = Transfer(CUBE, 0.0, 100.0, 6000)
    slow, fast = Transfer(1, 0.0, 100.0, 1000), Transfer(2, 0.0, 20.0, 1000)
    assert ends([cube, slow, fast]) == pytest.approx([100.0, 100.0, 1000 / 30])


def test_a_vector_core_gains_and_loses_when_the_cube_core_does():
    vector = Transfer(1, 0.0, 20.0, 1600)
    assert ends([Transfer(CUBE, 0.0, 10.0, 600), vector]) == pytest.approx([10.0, 25.0])
    assert ends([Transfer(CUBE, 10.0, 90.0, 4800), vector]) == pytest.approx([90.0, 30.0])


def test_a_full_port_holds_vector_cores_until_it_is_free():
    cube = Transfer(CUBE, 0.0, 10.0, 2000)  # twice what the port carries
    assert ends([cube, Transfer(1, 5.0, 15.0, 500)]) == pytest.approx([20.0, 30.0])


@pytest.mark.parametrize("seed", range(10))
def test_random_transfers_end_as_by_small_steps(seed: int):
    rng = random.Random(seed)
    transfers: list[Transfer] = []
    for core in range(3):
        now = 0.0
        for _ in range(3):
            now += rng.randrange(0, 40)
            length, rate = rng.randrange(10, 60), rng.choice((20, 50, 80))
            transfers.append(Transfer(core, now, now + length, rate * length))
            now += length * (1 if core == CUBE else 6)  # the next starts after any delay
    expected = stepped(transfers, RATE, 0.05)
    assert ends(transfers) == pytest.approx(expected, abs=0.5)


def _ports(target: Target, cores: int, cubes: int) -> list[Ports]:
    return ports_of(shared_rates(target, cubes, cores - cubes), range(cores), cubes, [])


def test_ports_where_cores_can_fill_them():
    pair, group = _ports(CHIP, 2, 0), _ports(CHIP, 3, 1)
    assert [(p.first, p.reads, p.writes is None) for p in pair] == 2 * [(False, None, False)]
    assert [p.first for p in group] == [True, False, False]
    assert all(p.reads is group[0].reads is not None for p in group)
    assert _ports(CHIP, 1, 0) == []
    wide = CHIP.with_(memory={"l2_write": 300.0, "group_read": 0.0})
    assert _ports(wide, 3, 1) == []


def _fused(reads: int, target: Target = CHIP) -> Program:
    """A Cube core that reads rows 40 times, beside Vector cores that read them `reads` times; twice, the first time for
    L2 to hold them."""
    p = Program(cores=1, target=target, core="aic", launches=2)
    x = p.input("x", (16, 1024))
    landing = p.buffer("a", "l1", (64, 16, 16), 0)
    with p.loop(40):
        p.copy(x, landing, nd2nz=True)
    (rows,) = p.beside(2)
    _vector(p, rows, reads)
    return p


def _vector(p: Program, rows: SSAValue, reads: int) -> None:
    to = p.buffer("b", "ub", (16, 1024), 0)
    with p.loop(reads):
        p.copy(rows, to)


def test_the_cube_core_is_as_fast_as_alone():
    alone, both = (_fused(n).emulator().time_only("main").kernels[1] for n in (0, 10))
    assert both.pipes["aic MTE2"].active_us == pytest.approx(alone.pipes["aic MTE2"].active_us)
    p = Program(cores=2, target=CHIP, core="aiv", launches=2)
    _vector(p, p.input("x", (16, 1024)), 10)
    without = p.emulator().time_only("main").kernels[1].pipes["MTE2"].active_us
    assert both.pipes["aiv MTE2"].active_us > 1.5 * without


def test_two_vector_cores_write_as_much_as_their_port_takes():
    def cycles(cores: int) -> float:
        p = Program(cores=cores, target=CHIP, core="aiv")
        y = p.output("y", (cores, 16384))
        a = p.buffer("a", "ub", (16384,), 0)
        with p.loop(20):
            p.copy(a, p.view(y, (16384,), (1,), offset=p.times(p.block_idx(), 16384)))
        return p.emulator().time_only("main").kernels[0].time_us * CHIP.clock_mhz

    path, bytes_ = CHIP.path("ub", "gm"), 19 * 32768
    assert cycles(1) == pytest.approx((bytes_ + 32768) / path.rate, rel=0.03)
    assert cycles(2) == pytest.approx(2 * (bytes_ + 32768) / CHIP.memory.l2_write, rel=0.03)
    assert cycles(4) == pytest.approx(cycles(2), rel=1e-6)

"""L2 and HBM by hand: hits, misses, eviction, merging, write-back."""

from itertools import product

import numpy as np
import pytest

from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.machine.memory_system import MemorySystem, Pattern, place, units_of

T = load_target("ascend910").with_(
    memory={"l2_read": 110.0, "hbm_read": 32.0, "hbm_chip": 1024.0, "miss_latency": 150.0, "l2_line": 128}
)
READ = T.path("gm", "ub")
WRITE = T.path("ub", "gm")


def contiguous(size: int) -> Pattern:
    return Pattern(1, size, 0)


def test_miss_then_hit():
    system = MemorySystem(T)
    lines = system.tensor(32_000)
    free, latency = system.read(lines, contiguous(32_000), 0, 0.0, READ)
    assert (free, latency) == (1000.0, 330.0)
    free, latency = system.read(lines, contiguous(32_000), 0, 2000.0, READ)
    assert free == pytest.approx(2000 + 32_000 / 110)
    assert latency == 180
    assert system.traffic.hbm_read == 32_000
    assert system.traffic.dma_read == 64_000


def test_last_line_counts_its_own_bytes():
    system = MemorySystem(T)
    lines = system.tensor(1000)
    system.read(lines, contiguous(992), 0, 0.0, READ)
    assert system.traffic.hbm_read == 1000


def test_misses_in_flight_merge():
    """A second core asking for the same bytes at the same time gets them when the first does."""
    system = MemorySystem(T)
    lines = system.tensor(64_000)
    first = system.read(lines, contiguous(64_000), 0, 0.0, READ)
    second = system.read(lines, contiguous(64_000), 0, 10.0, READ)
    assert system.traffic.hbm_read == 64_000
    assert sum(second) == sum(first)


def test_chip_rate_is_shared():
    system = MemorySystem(T.with_(memory={"hbm_chip": 64.0}))
    ends = [system.read(system.tensor(64_000), contiguous(64_000), 0, 0.0, READ)[0] for _ in range(4)]
    assert ends == [2000, 2000, 3000, 4000]


def test_least_recently_used_goes_first():
    system = MemorySystem(T.with_(memory={"l2_bytes": 3 * 12_800}))
    a, b, c, d, e = (system.tensor(12_800) for _ in range(5))
    now = 0.0
    for tensor in (a, b, c, a, d, e):
        now += 10_000
        system.read(tensor, contiguous(12_800), 0, now, READ)
    before = system.traffic.hbm_read
    system.read(a, contiguous(12_800), 0, now + 10_000, READ)
    assert system.traffic.hbm_read == before
    system.read(b, contiguous(12_800), 0, now + 20_000, READ)
    assert system.traffic.hbm_read == before + 12_800


def test_strided_bursts_touch_their_lines_only():
    system = MemorySystem(T)
    lines = system.tensor(1 << 20)
    system.read(lines, Pattern(16, 256, 1024), 0, 0.0, READ)
    assert system.traffic.hbm_read == 16 * 256
    assert system.traffic.dma_read == 16 * 256
    system.read(lines, Pattern(16, 256, 1024), 512, 9e3, READ)
    assert system.traffic.hbm_read == 2 * 16 * 256


def test_bursts_within_one_line_count_it_once():
    system = MemorySystem(T)
    system.read(system.tensor(1024), Pattern(2, 32, 64), 0, 0.0, READ)
    assert system.traffic.hbm_read == 128


def test_writes_go_to_hbm_once_per_dirty_episode():
    system = MemorySystem(T)
    lines = system.tensor(12_800)
    for _ in range(3):
        system.write(lines, contiguous(12_800), 0, 0.0, WRITE)
    assert system.traffic.hbm_write == 12_800
    assert system.traffic.dma_write == 3 * 12_800
    system.read(lines, contiguous(12_800), 0, 0.0, READ)
    assert system.traffic.hbm_read == 0


def test_evicted_dirty_line_starts_a_new_episode():
    system = MemorySystem(T.with_(memory={"l2_bytes": 12_800}))
    lines, other = system.tensor(12_800), system.tensor(12_800)
    system.write(lines, contiguous(12_800), 0, 0.0, WRITE)
    system.read(other, contiguous(12_800), 0, 0.0, READ)
    system.write(lines, contiguous(12_800), 0, 0.0, WRITE)
    assert system.traffic.hbm_write == 2 * 12_800


def test_writes_use_up_the_chips_rate():
    busy, idle = (MemorySystem(T.with_(memory={"hbm_chip": 32.0})) for _ in range(2))
    busy.write(busy.tensor(32_000), contiguous(32_000), 0, 0.0, WRITE)
    after, alone = (s.read(s.tensor(32_000), contiguous(32_000), 0, 0.0, READ)[0] for s in (busy, idle))
    assert (after, alone) == (2000, 1000)


def test_write_takes_the_port():
    system = MemorySystem(T)
    free, latency = system.write(system.tensor(6400), contiguous(6400), 0, 0.0, WRITE)
    assert (free, latency) == (100, 90)


def test_units_are_those_with_bytes_of_a_burst():
    """Whether they are a range, even gaps between them included, or an array."""
    kinds = set[type]()
    for bursts, burst, stride, phase in product((1, 2, 5), (32, 128, 160, 448), (448, 512, 640), (0, 96)):
        units = units_of(Pattern(bursts, burst, stride), phase, 128)
        touched = {
            byte // 128
            for at in range(bursts)
            for byte in range(phase + at * stride, phase + at * stride + burst)
        }
        assert list(units) == sorted(touched)
        assert np.flatnonzero(np.bincount(np.arange(64)[place(units, 3)], minlength=64)).tolist() == [
            unit + 3 for unit in sorted(touched)
        ]
        kinds.add(type(units))
    assert kinds == {range, np.ndarray}

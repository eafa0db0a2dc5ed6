"""Single GM requests by hand: lines, sectors, runs, bypass, write-back, one line asked for by many cores."""

import pytest

from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.machine.memory_system import MemorySystem, Pattern
from ascend_opt.runtime.machine.request_memory import RequestMemory, memory_of, requests_of

T = load_target("ascend910b1").with_(
    memory={
        **dict.fromkeys(("hbm_channels", "hbm_queue"), 0),
        "hbm_chip": 512.0,
        "hbm_run": 0.5,
        "request_port": 5.0,
        "write_back": 2.0,
        "same_line": 3.0,
    }
)
READ, WRITE = T.path("gm", "ub"), T.path("ub", "gm")
ROWS = Pattern(64, 128, 4096)


def test_requests_are_cut_at_lines():
    whole = requests_of(Pattern(1, 1024, 0), 0, 512, 128)
    assert (whole.total, whole.any_cut, whole.bytes.tolist()) == (2, False, [512, 512])
    shifted = requests_of(Pattern(1, 1024, 0), 100, 512, 128)
    assert (shifted.total, shifted.cut.tolist()) == (3, [True, False, True])
    assert shifted.bytes.tolist() == [412, 512, 100]
    rows = requests_of(Pattern(4, 128, 256), 0, 512, 128)
    assert (rows.total, rows.units.tolist(), rows.count.tolist()) == (4, [0, 1], [2, 2])
    assert requests_of(Pattern(4, 128, 128), 0, 512, 128).total == 1


def test_rows_that_fill_a_line_keep_it():
    assert requests_of(Pattern(2, 200, 312), 112, 512, 128).any_cut
    assert not requests_of(Pattern(3, 512, 1000), 0, 1000, 8).any_cut


def test_miss_costs_a_run_of_hbm_for_each_row():
    system = RequestMemory(T)
    free, _ = system.read(system.tensor(1 << 20), ROWS, 0, 0.0, READ)
    assert free == pytest.approx(max(64 * 1.5, 64 * max(5, 128 / READ.miss_rate)))
    assert system.hbm_free == pytest.approx(64 * 1.5)
    assert system.traffic.hbm_read == 64 * 512


def test_a_hit_costs_its_line():
    system = RequestMemory(T)
    lines = system.tensor(1 << 20)
    system.read(lines, ROWS, 0, 0.0, READ)
    free, latency = system.read(lines, ROWS, 128, 5000.0, READ)
    assert free == pytest.approx(5000 + 64 * 512 / READ.rate)
    assert latency == READ.latency


TURNED = Pattern(64, 128, 4096, turned=True)
TO_L1 = T.path("gm", "l1")


def test_rows_that_become_nz_cost_their_bytes():
    """Hits: `row` and the bytes of each. Misses: the port takes the whole line, and no two lines are one run."""
    system = RequestMemory(T)
    lines = system.tensor(1 << 20)
    free, _ = system.read(lines, TURNED, 0, 0.0, TO_L1)
    assert free == pytest.approx(64 * (5 + 512 / TO_L1.miss_rate))
    free, _ = system.read(lines, TURNED, 128, 5000.0, TO_L1)
    assert free == pytest.approx(5000 + 64 * (TO_L1.row + 128 / TO_L1.rate))
    plain, _ = system.read(lines, ROWS, 256, 9000.0, TO_L1)
    assert plain == pytest.approx(9000 + 64 * 512 / TO_L1.rate)
    long = Pattern(1, 4096, 0, turned=True)
    before = system.hbm_free
    system.read(lines, long, 512 * 1024, 20000.0, TO_L1)
    assert system.hbm_free - max(before, 20000.0) == pytest.approx(4096 / 512 + 8 * 0.5)


def test_rows_without_a_gap_are_one_burst():
    system = RequestMemory(T)
    lines = system.tensor(1 << 20)
    dense = Pattern(64, 128, 128, turned=True)
    system.read(lines, dense, 0, 0.0, TO_L1)
    free, _ = system.read(lines, dense, 0, 5000.0, TO_L1)
    assert free == pytest.approx(5000 + TO_L1.row + 64 * 128 / TO_L1.rate)


def test_cores_that_share_lines_wait_for_hbm_and_not_for_the_first_ones_port():
    system = RequestMemory(T)
    lines = system.tensor(1 << 20)
    first, _ = system.read(lines, TURNED, 0, 0.0, TO_L1)
    served = system.hbm_free
    assert served < first / 2
    free, latency = system.read(lines, TURNED, 0, 1.0, TO_L1, core=1)
    hit = 1.0 + 64 * (TO_L1.row + 128 / TO_L1.rate)
    assert free == pytest.approx(max(served, hit))
    assert free + latency >= served + T.memory.miss_latency + TO_L1.latency


def test_a_core_reads_rows_no_faster_than_l2_gives_them():
    slow = T.with_(memory={"l2_read": 50.0})
    long = Pattern(16, 2048, 4096, turned=True)
    times: list[float] = []
    for chip in (T, slow):
        system = RequestMemory(chip)
        lines = system.tensor(1 << 20)
        system.read(lines, long, 0, 0.0, TO_L1)
        times.append(system.read(lines, long, 0, 9000.0, TO_L1)[0] - 9000.0)
    assert times == pytest.approx([16 * (TO_L1.row + 2048 / TO_L1.rate), 16 * 2048 / 50])


def test_past_l2_rows_that_become_nz_take_their_bytes_alone():
    system = RequestMemory(T)
    free, _ = system.read(system.tensor(1 << 20), TURNED, 0, 0.0, TO_L1, bypass=True)
    assert free == pytest.approx(64 * (5 + 128 / TO_L1.miss_rate))


def test_a_cut_line_is_fetched_again():
    system = RequestMemory(T)
    lines = system.tensor(1 << 20)
    system.read(lines, Pattern(1, 512, 0), 30, 0.0, READ)
    system.read(lines, Pattern(1, 512, 0), 542, 1000.0, READ)
    assert system.traffic.hbm_read == 4 * 512


def test_the_end_of_a_tensor_is_kept():
    system = RequestMemory(T)
    lines = system.tensor(1000)
    for start in (0.0, 1000.0):
        system.read(lines, Pattern(1, 1000, 0), 0, start, READ)
    assert system.traffic.hbm_read == 1000


def test_bypass_leaves_nothing_in_l2():
    system = RequestMemory(T)
    lines = system.tensor(1 << 20)
    for start in (0.0, 10_000.0):
        system.read(lines, ROWS, 0, start, READ, 0, True)
    assert system.traffic.hbm_read == 2 * 64 * 128
    assert system.clock == 0


def test_cores_past_l2_queue_for_one_line():
    system = RequestMemory(T)
    lines = system.tensor(1 << 20)
    alone, _ = system.read(lines, ROWS, 0, 0.0, READ, 0, True)
    system.read(lines, ROWS, 0, alone / 2, READ, 1, True)
    assert system.hbm_free == pytest.approx(alone / 2 + 64 * 3.0)
    again, _ = system.read(lines, ROWS, 0, 90_000.0, READ, 2, True)
    assert again - 90_000 == pytest.approx(alone)


def test_writes_go_to_hbm_when_they_are_evicted():
    small = T.with_(memory={"l2_bytes": 4 * 512})
    system = RequestMemory(small)
    lines, other = system.tensor(1 << 16), system.tensor(1 << 16)
    system.write(lines, Pattern(1, 1024, 0), 0, 0.0, WRITE)
    assert (system.traffic.hbm_write, system.hbm_free) == (0, 0.0)
    system.read(other, Pattern(1, 1024, 0), 0, 100.0, READ)
    system.read(lines, Pattern(1, 512, 0), 0, 200.0, READ)  # touched, so it stays longer
    system.read(other, Pattern(1, 1024, 0), 1024, 300.0, READ)
    assert system.traffic.hbm_write == 512
    system.read(other, Pattern(1, 1024, 0), 4096, 400.0, READ)
    assert system.traffic.hbm_write == 1024


def test_only_files_that_state_a_sector_have_requests():
    assert type(memory_of(load_target("ascend910"))) is MemorySystem
    assert type(memory_of(T)) is RequestMemory


@pytest.mark.parametrize(("lines", "asked"), [(4, 4), (16, 16), (16, 64), (16, 2000)])
def test_channels_lack_requests_where_few_lines_are_asked_for(lines: int, asked: int):
    """Of C channels N lines keep N / (N + C - 1) at work; what the last of them lacks is not its core's to wait for."""
    chip = T.with_(memory={"hbm_channels": 17, "hbm_queue": 1000, "hbm_run": 0.0})
    system = RequestMemory(chip)
    one = chip.memory.l2_line / chip.memory.hbm_chip
    system.hbm_free = before = (asked - lines) * one
    tensor = system.tensor(lines * 512)
    free, _ = system.read(tensor, Pattern(1, lines * 512, 0), 0, 0.0, READ)
    lacked = 0.0 if asked > 1000 else lines * one * 16 * (1 / asked - 1 / 1000)
    assert system.hbm_free == pytest.approx(before + lines * one + lacked)
    assert free == pytest.approx(max(before + lines * one, lines * max(5, 512 / READ.miss_rate), READ.issue))

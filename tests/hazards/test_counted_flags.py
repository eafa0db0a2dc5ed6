"""Flags that are set again before they are waited for: a hazard, or counted and found."""

# pyright: basic

import numpy as np
import pytest
from ascend_programs import Program

from ascend_opt.runtime.support.hazard import HazardError

COUNT = {"flags": "count"}
X = np.arange(1024, dtype=np.float16)


def two_loads(waits=2, use="second", events=(0, 0), core="aicore", target="ascend910"):
    """Two loads that set one flag, and `waits` waits before one of them is used."""
    p = Program(target=target, core=core)
    x, y = p.input("x", (1024,)), p.output("y", (512,))
    a, b = p.buffer("a", "ub", (512,), 0), p.buffer("b", "ub", (512,), 1024)
    for i, (buffer, event) in enumerate(zip((a, b), events, strict=True)):
        p.copy(p.view(x, [512], offset=512 * i), buffer)
        p.set("MTE2", "V", event)
    for event in events[:waits]:
        p.wait("MTE2", "V", event)
    p.vec("vadds", b if use == "second" else a, to=b if use == "second" else a, scalar=1.0)
    p.flag("V", "MTE3")
    p.copy(b if use == "second" else a, y)
    for event in events[waits:]:
        p.wait("MTE2", "V", event)
    return p


def kind_of(program, options):
    with pytest.raises(HazardError) as info:
        program.run_with(options, {"x": X})
    return info.value.kind


def test_strict_flags_are_one_bit():
    assert kind_of(two_loads(), {}) == "flag-set-twice"


@pytest.mark.parametrize("hazards", [True, False])
@pytest.mark.parametrize("use", ["first", "second"])
def test_counted_flags(use, hazards):
    result = two_loads(use=use).run_with({**COUNT, "hazards": hazards}, {"x": X})
    np.testing.assert_array_equal(result.outputs[0], X[512 * (use == "second") :][:512] + 1)
    found = ["flag-set-ahead"] if hazards else []
    assert [one.kind for one in result.findings] == found


def test_a_finding_names_both_sets():
    (found,) = two_loads().run_with(COUNT, {"x": X}).findings
    assert len(found.instructions) == 2
    assert str(found).startswith("flag-set-ahead in @k: flag MTE2 -> V, event 0 may be up already")


def test_flags_of_their_own_are_no_finding():
    counted, strict = (two_loads(events=(0, 1)).run_with(o, {"x": X}) for o in (COUNT, {}))
    assert not counted.findings and not strict.findings
    assert counted.profile.total_us == strict.profile.total_us


def test_a_wait_takes_the_oldest_set():
    """After one wait the first load is there, and the second one may not be."""
    assert two_loads(waits=1, use="first").run_with(COUNT, {"x": X}).findings
    assert kind_of(two_loads(waits=1, use="second"), COUNT) == "race"


def test_a_counted_flag_is_not_left_up():
    p = Program()
    p.input("x", (1024,))
    for _ in range(2):
        p.set("MTE2", "V")
    p.wait("MTE2", "V")
    assert kind_of(p, COUNT) == "flag-left-set"


def test_the_clock_counts():
    """The second wait lasts until the second load is there: with one flag as long as with two."""
    times = [
        two_loads(events=e).run_with({**COUNT, "values": False}, {}).profile.total_us
        for e in ((0, 0), (0, 1))
    ]
    assert times[0] == times[1]


def test_a_loop_that_sets_ahead_is_one_finding():
    p = Program()
    x, y = p.input("x", (4, 256)), p.output("y", (4, 256))
    a = p.buffer("a", "ub", (4, 256), 0)
    with p.loop(4) as i:
        at = p.times(i, 256)
        p.copy(p.view(x, [256], offset=at), p.view(a, [256], offset=at))
        p.set("MTE2", "MTE3")
    with p.loop(4) as i:
        at = p.times(i, 256)
        p.wait("MTE2", "MTE3")
        p.copy(p.view(a, [256], offset=at), p.view(y, [256], offset=at))
    result = p.run_with(COUNT, {"x": X.reshape(4, 256)})
    np.testing.assert_array_equal(result.outputs[0], X.reshape(4, 256))
    assert len(result.findings) == 1


def crossing(event):
    """A Cube core hands what it loads to its Vector cores through GM."""
    p = Program(target="ascend910b", core="aic")
    x = p.input("x", (16, 16))
    y = p.output("y", (2, 16))
    a = p.buffer("a", "l1", (1, 16, 16), 0)
    p.copy(x, a, nd2nz=True)
    p.cross_set("MTE2", event)
    _, y = p.beside(2)
    p.cross_wait(event)
    b = p.buffer("b", "ub", (16,), 0)
    p.vec("vdup", to=b, scalar=1.0)
    p.flag("V", "MTE3")
    p.copy(b, p.view(y, [16], offset=p.times(p.block_idx(), 16)))
    return p


def test_groups_with_flags_set_ahead_are_checked_before_they_run():
    """As those of other programs are: once for all groups that do the same, and not while they run."""
    p = Program(target="ascend910b", core="aic")
    p.input("x", (16, 16))
    p.output("y", (2, 16))
    for _ in range(2):
        p.set("MTE2", "MTE1")
    for _ in range(2):
        p.wait("MTE2", "MTE1")
    _, y = p.beside(2)
    b = p.buffer("b", "ub", (16,), 0)
    p.vec("vdup", to=b, scalar=1.0)
    p.flag("V", "MTE3")
    p.copy(b, p.view(y, [16], offset=p.times(p.block_idx(), 16)))
    emulator = p.emulator()
    result = emulator.run("main", {"x": np.ones((16, 16), np.float16)}, flags="count")
    assert len(result.findings) == 1
    (check,) = [c for kernel in emulator.launcher.kernels.values() for c in kernel.checks.values()]
    assert check is not None


@pytest.mark.parametrize("event", [10, 11, 13, 15, 16])
def test_ids_between_cores(event):
    x = np.ones((16, 16), np.float16)
    for options, events in (({}, 11), (COUNT, 16)):
        if event < events:
            crossing(event).run_with(options, {"x": x})
            continue
        with pytest.raises(HazardError) as info:
            crossing(event).run_with(options, {"x": x})
        assert info.value.kind == "event-id"

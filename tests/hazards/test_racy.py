"""Programs with one hazard each: the emulator must stop and name the kind, the instructions and the bytes."""

from collections.abc import Callable

import numpy as np
import pytest
import racy_bytes
import racy_flags
import racy_pipes
from ascend_programs import Program

from ascend_opt.runtime.support.hazard import HazardError

RACY = [*racy_pipes.racy.programs, *racy_bytes.racy.programs, *racy_flags.racy.programs]


@pytest.mark.parametrize(("kind", "make"), RACY, ids=[f"{k}-{f.__name__}" for k, f in RACY])
def test_reports_the_hazard(kind: str, make: Callable[[], Program]):
    p = make()
    inputs = {
        t.name_hint: np.ones(t.type.get_shape(), np.float16) for t in p.tensors if t.name_hint in p.inputs
    }
    with pytest.raises(HazardError) as caught:
        p.run(**inputs)
    error = caught.value
    assert error.kind == kind, str(error)
    assert error.kernel == "k"
    assert error.core is not None
    assert error.instructions
    assert all("ascend." in i.text for i in error.instructions)
    if kind in ("race", "in-pipe", "uninitialized"):
        assert error.byte_range is not None
        assert error.byte_range[0] < error.byte_range[1]
        assert error.buffers
    if kind in ("race", "in-pipe"):
        assert len(error.instructions) == 2


@pytest.mark.parametrize(("instruction", "to"), [("vcopy", "bf16"), ("vconv", "f32")])
def test_bf16_is_moved_and_converted(instruction: str, to: str):
    assert racy_bytes.on_bf16(instruction, to).run(x=np.ones(64, np.float32)).outputs == []


def test_rows_in_ub_start_on_blocks_where_bursts_may_have_any_length():
    p = Program(target="ascend910b1", core="aiv")
    x, y = p.input("x", (4, 24)), p.output("y", (4, 24))
    a = p.buffer("a", "ub", (4, 32), 0)
    wide, tight = p.view(a, [4, 18], [32, 1]), p.view(a, [4, 18], [20, 1])
    for rows in (wide, tight):
        p.copy(p.view(x, [4, 18], [24, 1]), rows)
        p.flag("MTE2", "MTE3")
        p.copy(rows, p.view(y, [4, 18], [24, 1]))
        p.flag("MTE3", "MTE2")
    with pytest.raises(HazardError, match=r"granularity.*40 B is not a multiple of 32") as caught:
        p.run(x=np.ones((4, 24), np.float16))
    (copy,) = caught.value.instructions
    assert "strided<[20, 1]" in copy.text


def test_bytes_of_a_race_are_those_of_the_row():
    """Two cores write rows that are apart; the last one of the second core is the first one of the other."""
    p = Program(cores=2)
    x, y = p.input("x", (4, 16)), p.output("y", (7, 64))
    a = p.buffer("a", "ub", (4, 16), 0)
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(a, p.view(y, [4, 16], [64, 1], offset=p.times(p.minus(1, p.block_idx()), 3 * 64)))
    with pytest.raises(HazardError) as caught:
        p.run(x=np.ones((4, 16), np.float16))
    row = 3 * 64 * 2
    assert (caught.value.kind, caught.value.byte_range) == ("gm-write-conflict", (row, row + 32))


def test_there_are_thirty():
    assert len(RACY) >= 30


def test_message_names_everything():
    with pytest.raises(HazardError) as caught:
        racy_pipes.vector_reads_its_own_result().run(x=np.zeros(512, np.float16))
    lines = str(caught.value).splitlines()
    assert lines[0] == (
        "in-pipe in @k, core 0: the second instruction writes what the first writes, "
        "both on V with no barrier between them"
    )
    assert lines[1] == "  ub bytes [1024, 2048) of b"
    assert [line.split("(")[0] for line in lines[2:]] == ['  ascend.vec "vadds"', '  ascend.vec "vmuls"']


def test_deadlock_names_every_blocked_pipe():
    with pytest.raises(HazardError) as caught:
        racy_flags.pipes_wait_for_each_other().run(x=np.zeros(512, np.float16))
    text = str(caught.value)
    assert "MTE2 waits for flag V -> MTE2, event 0" in text
    assert "V waits for flag MTE2 -> V, event 0" in text

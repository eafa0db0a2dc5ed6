"""Launches of more blocks than the chip has cores."""

# pyright: basic

import numpy as np
import pytest
from ascend_programs import Program
from xdsl.dialects import arith
from xdsl.dialects.builtin import UnitAttr

from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.machine.costs import launch_us
from ascend_opt.runtime.support.hazard import HazardError, ProgramError

CHIP = load_target("ascend910b")
WIDTH = 64
RNG = np.random.default_rng(3)
MODES = [{}, {"hazards": False}]


def added(blocks, rounds=True, shift=0, steer=False, flag=True):
    """Each block adds its number to a row of its own; with `shift` to one that another block has, too."""
    p = Program(blocks, target=CHIP, core="aiv")
    if rounds:
        p.kernel.rounds = UnitAttr()
    x, y = p.input("x", (blocks, WIDTH), "f32"), p.output("y", (blocks, WIDTH), "f32")
    block = p.block_idx()
    row = p.times(p.rem(block, blocks - shift), WIDTH)
    a = p.buffer("a", "ub", (WIDTH,), 0, dtype="f32")
    p.copy(p.view(x, [WIDTH], offset=row), a)
    if flag:
        p.flag("MTE2", "V")
        p.flag("MTE2", "S", 1)
    number = p.read(a, 0)
    p.flag("S", "V")
    if steer:
        with p.when(p.add(arith.CmpfOp(number, p.number(0.0), "ogt"))):
            p.vec("vmuls", a, number, to=a)
    else:
        p.vec("vmuls", a, number, to=a)
    p.flag("V", "MTE3")
    p.copy(a, p.view(y, [WIDTH], offset=row))
    return p


def rows(blocks):
    return RNG.standard_normal((blocks, WIDTH)).astype(np.float32)


@pytest.mark.parametrize("options", MODES)
@pytest.mark.parametrize("steer", [False, True])
@pytest.mark.parametrize("blocks", [3, 48, 49, 200])
def test_each_block_has_its_row(blocks, steer, options):
    x = rows(blocks)
    found = added(blocks, steer=steer).run_with(options, {"x": x}).outputs[0]
    want = x * x[:, :1]
    np.testing.assert_array_equal(found, np.where(x[:, :1] > 0, want, x) if steer else want)


def test_other_kernels_have_as_many_blocks_as_cores():
    with pytest.raises(ProgramError, match="wants 49 aiv cores, ascend910b has 48"):
        added(49, rounds=False).run(x=rows(49))


def test_blocks_are_in_no_order():
    """Blocks that one core runs one after the other may not write the same bytes: another core may have taken one."""
    with pytest.raises(HazardError) as info:
        added(97, shift=1).run(x=rows(97))
    assert info.value.kind == "gm-write-conflict"


def test_what_a_block_before_left_in_ub_is_not_there():
    """A core's memory is that of no block before."""
    p = Program(96, target=CHIP, core="aiv")
    p.kernel.rounds = UnitAttr()
    y = p.output("y", (96, 8), "f32")
    a = p.buffer("a", "ub", (8,), 0, dtype="f32")
    block = p.block_idx()
    with p.when(p.compare("slt", block, 48)):
        p.vec("vdup", to=a, scalar=1.0)
    p.flag("V", "MTE3")
    p.copy(a, p.view(y, [8], offset=p.times(block, 8)))
    with pytest.raises(HazardError) as info:
        p.run()
    assert info.value.kind == "uninitialized"


@pytest.mark.parametrize("steer", [False, True])
def test_races_are_found(steer):
    with pytest.raises(HazardError) as info:
        added(200, flag=False, steer=steer).run(x=rows(200))
    assert info.value.kind == "race"


def time_of(blocks, **options):
    return added(blocks, **options).run_with({"values": False}, {}).profile.kernels[0]


def test_the_time_of_rounds():
    """A round begins when the one before is through, its blocks one by one, and cores read their arguments anew."""
    one, two, three, four = (time_of(n) for n in (48, 96, 144, 192))
    assert one.launch_us == four.launch_us == pytest.approx(launch_us(CHIP, 48))
    assert two.time_us - one.time_us == pytest.approx(
        one.time_us + CHIP.head_us + 47 * CHIP.block_us, rel=0.1
    )
    assert three.time_us - two.time_us == pytest.approx(one.time_us + CHIP.head_us, rel=0.1)
    assert four.time_us - three.time_us == pytest.approx(three.time_us - two.time_us, rel=0.01)


def test_blocks_are_handed_out_one_by_one():
    """Where blocks do nothing, a launch takes what it takes to hand them out, or what cores take to begin."""
    p = Program(2048, target=CHIP, core="aiv")
    p.kernel.rounds = UnitAttr()
    p.output("y", (8,), "f32")
    p.barrier("V")
    kernel = p.run_with({"values": False}, {}).profile.kernels[0]
    least = max(2000 * CHIP.block_us, 2000 / 48 * CHIP.head_us)
    assert least <= kernel.time_us <= 1.1 * least


def test_as_many_blocks_as_cores_take_the_same_time():
    assert time_of(48, rounds=True).time_us == time_of(48, rounds=False).time_us


def handed(blocks, order=True):
    """A Cube core moves a fractal of each block, which its Vector cores double."""
    p = Program(blocks, target=CHIP, core="aic")
    p.kernel.rounds = UnitAttr()
    x, w = p.input("x", (blocks, 256)), p.input("w", (16, 16))
    t, y = p.output("t", (blocks, 256), "f32"), p.output("y", (blocks, 256), "f32")
    at = p.times(p.block_idx(), 256)
    a, b = p.buffer("a", "l1", (1, 16, 16), 0), p.buffer("b", "l1", (1, 16, 16), 512)
    p.copy(p.view(x, [16, 16], [16, 1], offset=at), a, nd2nz=True)
    p.copy(w, b, nd2nz=True)
    p.flag("MTE2", "MTE1")
    left, right = p.buffer("l", "l0a", (1, 1, 16, 16), 0), p.buffer("r", "l0b", (1, 1, 16, 16), 0)
    c = p.buffer("c", "l0c", (1, 16, 16), 0, dtype="f32")
    p.load2d(a, p.view(left, [1, 16, 16], [256, 16, 1]))
    p.load2d(b, p.view(right, [1, 16, 16], [256, 16, 1]))
    p.flag("MTE1", "M")
    p.mmad(left, right, c, 16, 16, 16)
    p.flag("M", "FIX")
    p.fixpipe(c, p.view(t, [16, 16], [16, 1], offset=at))
    p.cross_set("FIX", 0)
    _, _, t, y = p.beside(2 * blocks)
    assert p.other is not None
    p.other.rounds = UnitAttr()
    if order:
        p.cross_wait(0)
    at = p.times(p.block_idx(), 128)
    u = p.buffer("u", "ub", (128,), 0, dtype="f32")
    p.copy(p.view(t, [128], offset=at), u)
    p.flag("MTE2", "V")
    p.vec("vadd", u, u, to=u)
    p.flag("V", "MTE3")
    p.copy(u, p.view(y, [128], offset=at))
    if not order:
        p.cross_wait(0)
    return p


@pytest.mark.parametrize("options", MODES)
@pytest.mark.parametrize("blocks", [5, 24, 60])
def test_groups_in_rounds(blocks, options):
    x = RNG.integers(-4, 5, (blocks, 256)).astype(np.float16)
    w = np.eye(16, dtype=np.float16)
    t, y = handed(blocks).run_with(options, {"x": x, "w": w}).outputs
    np.testing.assert_array_equal(t, x.astype(np.float32))
    np.testing.assert_array_equal(y, 2 * x.astype(np.float32))


def test_groups_in_rounds_are_ordered_by_flags():
    with pytest.raises(HazardError) as info:
        handed(60, order=False).run(x=np.ones((60, 256), np.float16), w=np.eye(16, dtype=np.float16))
    assert info.value.kind == "gm-cross-core"

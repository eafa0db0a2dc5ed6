"""Programs without hazards: the emulator must run each of them, and say nothing."""

from collections.abc import Callable

import numpy as np
import pytest
from ascend_kernels import ping_pong, product, random_inputs, streaming
from ascend_programs import Program

from ascend_opt.dialects.target import load_target

SAFE: list[Callable[[], Program]] = []


def safe(make: Callable[[], Program]) -> Callable[[], Program]:
    SAFE.append(make)
    return make


@safe
def copy_in_and_out():
    p, x, y = streaming()
    a = p.buffer("a", "ub", (512,), 0)
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(a, y)
    return p


@safe
def relu_in_place():
    p, x, y = streaming()
    a = p.buffer("a", "ub", (512,), 0)
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vrelu", a, to=a)
    p.flag("V", "MTE3")
    p.copy(a, y)
    return p


@safe
def vector_chain_with_barriers():
    p, x, y = streaming()
    a, b = p.buffer("a", "ub", (512,), 0), p.buffer("b", "ub", (512,), 1024)
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vadds", a, to=b, scalar=1.0)
    p.barrier("V")
    p.vec("vmuls", b, to=b, scalar=2.0)
    p.barrier("V")
    p.vec("vadd", a, b, to=b)
    p.flag("V", "MTE3")
    p.copy(b, y)
    return p


@safe
def vector_reads_of_one_tile_need_no_barrier():
    p, x, y = streaming()
    a, b, c = (p.buffer(n, "ub", (256,), i * 512) for i, n in enumerate("abc"))
    p.copy(p.view(x, [256]), a)
    p.flag("MTE2", "V")
    p.vec("vadds", a, to=b, scalar=1.0)
    p.vec("vmuls", a, to=c, scalar=2.0)
    p.flag("V", "MTE3")
    p.copy(b, p.view(y, [256]))
    p.copy(c, p.view(y, [256], offset=256))
    return p


@safe
def flag_round_trip_orders_a_pipe_with_itself():
    p, x, y = streaming()
    a, b = p.buffer("a", "ub", (512,), 0), p.buffer("b", "ub", (512,), 1024)
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vadds", a, to=b, scalar=1.0)
    p.flag("V", "MTE3")
    p.flag("MTE3", "V")
    p.vec("vmuls", b, to=b, scalar=2.0)
    p.flag("V", "MTE3", 1)
    p.copy(b, y)
    return p


safe(lambda: ping_pong())
safe(lambda: ping_pong(slots=1))
safe(lambda: ping_pong(slots=4, tiles=9))
safe(lambda: ping_pong(tiles=1))
safe(lambda: ping_pong(cores=4))
safe(lambda: ping_pong(cores=32, tiles=3))


@safe
def wait_before_its_set_in_program_order():
    p, x, y = streaming()
    a = p.buffer("a", "ub", (512,), 0)
    p.wait("MTE2", "V")
    p.vec("vrelu", a, to=a)
    p.set("V", "MTE3")
    p.wait("V", "MTE3")
    p.copy(a, y)
    p.copy(x, a)
    p.set("MTE2", "V")
    return p


@safe
def interleaved_strides_share_no_block():
    """Two loads fill the even and the odd 32 B blocks of one tile, in any order."""
    p, x, y = streaming()
    a = p.buffer("a", "ub", (512,), 0)
    p.copy(p.view(x, [16, 16], [32, 1]), p.view(a, [16, 16], [32, 1]))
    p.copy(p.view(x, [16, 16], [32, 1], offset=16), p.view(a, [16, 16], [32, 1], offset=16))
    p.flag("MTE2", "MTE3")
    p.copy(a, y)
    return p


@safe
def vector_on_other_blocks_than_the_load():
    p, x, y = streaming()
    a = p.buffer("a", "ub", (512,), 0)
    even = p.view(a, [4, 4, 16], [128, 32, 1])
    odd = p.view(a, [16, 16], [32, 1], offset=16)
    p.copy(p.view(x, [16, 16], [32, 1]), p.view(a, [16, 16], [32, 1]))
    p.flag("MTE2", "V")
    p.vec("vrelu", even, to=even)
    p.copy(p.view(x, [16, 16], [32, 1], offset=16), odd)
    p.flag("V", "MTE3")
    p.flag("MTE2", "MTE3")
    p.copy(a, y)
    return p


@safe
def halves_of_a_buffer():
    p, x, y = streaming()
    a = p.buffer("a", "ub", (512,), 0)
    low, high = p.view(a, [256]), p.view(a, [256], offset=256)
    p.copy(p.view(x, [256]), low)
    p.flag("MTE2", "V")
    p.vec("vrelu", low, to=low)
    p.copy(p.view(x, [256], offset=256), high)
    p.flag("MTE2", "V", 1)
    p.vec("vrelu", high, to=high)
    p.flag("V", "MTE3")
    p.copy(a, y)
    return p


@safe
def barrier_of_all_pipes():
    p, x, y = streaming()
    a = p.buffer("a", "ub", (512,), 0)
    p.copy(x, a)
    p.barrier("ALL")
    p.vec("vrelu", a, to=a)
    p.barrier("ALL")
    p.copy(a, y)
    return p


@safe
def scalar_unit_waits():
    """What the scalar unit waited for holds for every pipe it feeds afterwards."""
    p, x, y = streaming()
    a = p.buffer("a", "ub", (512,), 0)
    p.copy(x, a)
    p.flag("MTE2", "S")
    p.vec("vrelu", a, to=a)
    p.flag("V", "S")
    p.copy(a, y)
    return p


@safe
def scalar_unit_waits_twice_for_one_flag():
    """What it issues after a wait comes after the wait: the flag may be set again."""
    p, x, y = streaming()
    a = p.buffer("a", "ub", (512,), 0)
    with p.loop(2):
        p.copy(x, a)
        p.flag("MTE2", "S")
        p.copy(a, y)
        p.flag("MTE3", "S")
    return p


@safe
def order_passed_on_through_a_third_pipe():
    p, x, y = streaming()
    a, b = p.buffer("a", "ub", (512,), 0), p.buffer("b", "ub", (512,), 1024)
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vdup", to=b, scalar=0.0)
    p.flag("V", "MTE3")
    p.copy(a, y)
    return p


@safe
def scratch_reused_after_a_barrier():
    p, x, y = streaming()
    a, b = p.buffer("a", "ub", (512,), 0), p.buffer("b", "ub", (512,), 1024)
    p.copy(x, a)
    p.flag("MTE2", "V")
    with p.loop(3):
        p.vec("vadds", a, to=b, scalar=1.0)
        p.barrier("V")
        p.vec("vmul", a, b, to=a)
        p.barrier("V")
    p.flag("V", "MTE3")
    p.copy(a, y)
    return p


@safe
def dead_flag_pair_under_a_condition():
    p, x, y = streaming()
    a = p.buffer("a", "ub", (128,), 0)
    with p.loop(4) as i:
        with p.when(p.compare("sgt", i, 0)):
            p.wait("MTE3", "MTE2")
        p.copy(p.view(x, [128], offset=p.times(i, 128)), a)
        p.flag("MTE2", "MTE3")
        p.copy(a, p.view(y, [128], offset=p.times(i, 128)))
        with p.when(p.compare("slt", i, 3)):
            p.set("MTE3", "MTE2")
    return p


@safe
def two_launches():
    p = Program(launches=2)
    x, y = p.input("x", (512,)), p.output("y", (512,))
    a = p.buffer("a", "ub", (512,), 0)
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(a, y)
    return p


@safe
def cores_write_neighbouring_blocks():
    p = Program(cores=4)
    x, y = p.input("x", (64,)), p.output("y", (64,))
    a = p.buffer("a", "ub", (16,), 0)
    at = p.times(p.block_idx(), 16)
    p.copy(p.view(x, [16], offset=at), a)
    p.flag("MTE2", "MTE3")
    p.copy(a, p.view(y, [16], offset=at))
    return p


@safe
def cores_read_one_block():
    p = Program(cores=4)
    x, y = p.input("x", (16,)), p.output("y", (64,))
    a = p.buffer("a", "ub", (16,), 0)
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(a, p.view(y, [16], offset=p.times(p.block_idx(), 16)))
    return p


@safe
def store_and_load_back_in_order():
    p, x, y = streaming()
    a, b = p.buffer("a", "ub", (512,), 0), p.buffer("b", "ub", (512,), 1024)
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(a, y)
    p.flag("MTE3", "MTE2")
    p.copy(y, b)
    p.flag("MTE2", "V")
    p.vec("vadds", b, to=b, scalar=1.0)
    p.flag("V", "MTE3")
    p.copy(b, y)
    return p


@safe
def stores_to_one_place_with_a_barrier():
    p, x, y = streaming()
    a = p.buffer("a", "ub", (512,), 0)
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(a, y)
    p.barrier("MTE3")
    p.copy(a, y)
    return p


safe(lambda: product())
safe(lambda: product(k_steps=5))
safe(lambda: product(k_steps=1))
safe(lambda: product(m=32, n=32, barrier=True))
safe(lambda: product(k_steps=3, target="ascend310p"))


@safe
def ordered_pipe_needs_no_barrier():
    target = load_target("ascend910").with_(sync={"ordered_pipe": True})
    p = Program(target=target)
    x, y = p.input("x", (512,)), p.output("y", (512,))
    a = p.buffer("a", "ub", (512,), 0)
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vrelu", a, to=a)
    p.vec("vadds", a, to=a, scalar=1.0)
    p.flag("V", "MTE3")
    p.copy(a, y)
    return p


@safe
def full_queue_drains():
    """More instructions than a queue holds, behind a flag that comes late but from another pipe."""
    p, x, y = streaming()
    a, b = p.buffer("a", "ub", (512,), 0), p.buffer("b", "ub", (16,), 1024)
    p.copy(x, a)
    p.flag("MTE2", "V")
    with p.loop(100):
        p.vec("vdup", to=b, scalar=1.0)
        p.barrier("V")
    p.flag("V", "MTE3")
    p.copy(a, y)
    return p


@pytest.mark.parametrize("make", SAFE, ids=lambda f: f.__name__)
def test_runs_without_hazard(make: Callable[[], Program]):
    p = make()
    inputs = random_inputs(p)
    result = p.run(**inputs)
    assert not any(np.isnan(o).any() for o in result.outputs)
    again = p.run_with({"hazards": False}, inputs)
    for a, b in zip(result.outputs, again.outputs, strict=True):
        np.testing.assert_array_equal(a, b)
    assert result.profile.total_us == again.profile.total_us


@pytest.mark.parametrize("make", SAFE, ids=lambda f: f.__name__)
def test_time_only_is_the_same_time(make: Callable[[], Program]):
    p = make()
    full = p.run(**random_inputs(p)).profile
    assert p.emulator().time_only("main") == full


def test_there_are_thirty():
    assert len(SAFE) >= 30


def test_products_are_right():
    p = product(k_steps=5)
    x = random_inputs(p)
    y = p.run(**x).outputs[0].reshape(4, 64, 16).transpose(1, 0, 2).reshape(64, 64)
    a = x["a"].reshape(5, 4, 2, 16, 16).transpose(1, 3, 0, 2, 4).reshape(64, 160).astype(np.float32)
    b = x["b"].reshape(5, 2, 4, 16, 16).transpose(0, 1, 4, 2, 3).reshape(160, 64).astype(np.float32)
    np.testing.assert_allclose(y, (a @ b).astype(np.float16), rtol=2e-3, atol=1e-2)

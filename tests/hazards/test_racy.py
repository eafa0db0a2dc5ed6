"""Programs with one hazard each: the emulator must stop and name the kind, the instructions and the bytes."""

from collections.abc import Callable

import numpy as np
import pytest
from ascend_programs import Program

from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.hazard import HazardError

RACY: list[tuple[str, Callable[[], Program]]] = []


def racy(kind: str) -> Callable[[Callable[[], Program]], Callable[[], Program]]:
    def register(make: Callable[[], Program]) -> Callable[[], Program]:
        RACY.append((kind, make))
        return make

    return register


def tiles(cores: int = 1, size: int = 512):
    """A program with x and y of `size` f16, and buffers a and b of as many in ub."""
    p = Program(cores)
    x, y = p.input("x", (size,)), p.output("y", (size,))
    a, b = p.buffer("a", "ub", (size,), 0), p.buffer("b", "ub", (size,), 2 * size)
    return p, x, y, a, b


@racy("race")
def compute_before_the_load_is_over():
    p, x, y, a, _ = tiles()
    p.copy(x, a)
    p.vec("vrelu", a, to=a)
    p.flag("V", "MTE3")
    p.copy(a, y)
    return p


@racy("race")
def store_before_the_result_is_there():
    p, x, y, a, _ = tiles()
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vrelu", a, to=a)
    p.copy(a, y)
    return p


@racy("race")
def load_over_a_tile_still_in_use():
    """WAR: the second load may overwrite what the Vector unit still reads."""
    p, x, y, a, b = tiles()
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vrelu", a, to=b)
    p.barrier("MTE2")
    p.copy(x, a)
    p.flag("V", "MTE3")
    p.copy(b, y)
    return p


@racy("race")
def load_and_vector_write_one_tile():
    """WAW between MTE2 and V."""
    p, x, y, a, _ = tiles()
    p.vec("vdup", to=a, scalar=0.0)
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.flag("V", "MTE3")
    p.copy(a, y)
    return p


@racy("race")
def store_still_reads_what_the_next_tile_overwrites():
    p, x, y, a, _ = tiles()
    with p.loop(2) as i:
        at = p.times(i, 256)
        part = p.view(a, [256])
        p.barrier("MTE2")
        p.copy(p.view(x, [256], offset=at), part)
        p.flag("MTE2", "MTE3")
        p.copy(part, p.view(y, [256], offset=at))
    return p


@racy("race")
def flag_of_another_pair():
    p, x, y, a, _ = tiles()
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.vec("vrelu", a, to=a)
    p.flag("V", "MTE3")
    p.copy(a, y)
    return p


@racy("race")
def flag_set_before_the_load():
    p, x, y, a, _ = tiles()
    p.set("MTE2", "V")
    p.copy(x, a)
    p.wait("MTE2", "V")
    p.vec("vrelu", a, to=a)
    p.flag("V", "MTE3")
    p.copy(a, y)
    return p


@racy("race")
def one_block_of_overlap():
    """Two tiles that share their last and first 32 B block."""
    p, x, y, a, _ = tiles()
    p.copy(p.view(x, [256]), p.view(a, [256]))
    p.flag("MTE2", "V")
    p.vec("vrelu", p.view(a, [256]), to=p.view(a, [256]))
    p.barrier("MTE2")
    p.copy(p.view(x, [256], offset=240), p.view(a, [256], offset=240))
    p.flag("V", "MTE3")
    p.copy(a, y)
    return p


@racy("race")
def strides_that_meet_in_one_block():
    p, x, _y, a, _ = tiles()
    p.copy(p.view(x, [16, 16], [32, 1]), p.view(a, [16, 16], [32, 1]))
    p.flag("MTE2", "V")
    p.barrier("MTE2")
    p.copy(p.view(x, [8, 16], [32, 1], offset=16), p.view(a, [8, 16], [48, 1], offset=16))
    p.vec("vabs", p.view(a, [4, 4, 16], [128, 32, 1]), to=p.view(a, [4, 4, 16], [128, 32, 1]))
    return p


@racy("race")
def buffers_planned_over_each_other():
    p = Program()
    x, y = p.input("x", (512,)), p.output("y", (512,))
    a, b = p.buffer("a", "ub", (512,), 0), p.buffer("b", "ub", (512,), 992)
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.vec("vdup", to=b, scalar=1.0)
    p.copy(a, y)
    return p


@racy("race")
def ping_pong_with_one_slot():
    """Two events, but both halves live at one address."""
    p = Program()
    x, y = p.input("x", (512,)), p.output("y", (512,))
    a = p.buffer("a", "ub", (128,), 0, 0)
    for s in range(2):
        p.set("MTE3", "MTE2", s)
    with p.loop(4) as i:
        s = p.rem(i, 2)
        at = p.times(i, 128)
        p.wait("MTE3", "MTE2", s)
        p.barrier("MTE2")
        p.copy(p.view(x, [128], offset=at), p.view(a, [128], slot=s))
        p.flag("MTE2", "MTE3", s)
        p.copy(p.view(a, [128], slot=s), p.view(y, [128], offset=at))
        p.set("MTE3", "MTE2", s)
    for s in range(2):
        p.wait("MTE3", "MTE2", s)
    return p


@racy("flag-set-twice")
def swapped_event_ids():
    p = Program()
    x, y = p.input("x", (1024,)), p.output("y", (1024,))
    a = p.buffer("a", "ub", (128,), 0, 256)
    for s in range(2):
        p.set("MTE3", "MTE2", s)
    with p.loop(8) as i:
        s = p.rem(i, 2)
        other = p.rem(p.plus(i, 1), 2)
        at = p.times(i, 128)
        p.wait("MTE3", "MTE2", other)
        p.copy(p.view(x, [128], offset=at), p.view(a, [128], slot=s))
        p.flag("MTE2", "MTE3", s)
        p.copy(p.view(a, [128], slot=s), p.view(y, [128], offset=at))
        p.set("MTE3", "MTE2", s)
    for s in range(2):
        p.wait("MTE3", "MTE2", s)
    return p


@racy("in-pipe")
def vector_reads_its_own_result():
    p, x, y, a, b = tiles()
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vadds", a, to=b, scalar=1.0)
    p.vec("vmuls", b, to=b, scalar=2.0)
    p.flag("V", "MTE3")
    p.copy(b, y)
    return p


@racy("in-pipe")
def vector_overwrites_what_it_still_reads():
    p, x, _y, a, b = tiles()
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vadds", a, to=b, scalar=1.0)
    p.vec("vdup", to=a, scalar=0.0)
    return p


@racy("in-pipe")
def two_loads_into_one_tile():
    p, x, y, a, _ = tiles()
    p.copy(x, a)
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(a, y)
    return p


@racy("in-pipe")
def barrier_on_the_wrong_pipe():
    p, x, y, a, b = tiles()
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vadds", a, to=b, scalar=1.0)
    p.barrier("MTE2")
    p.vec("vmuls", b, to=b, scalar=2.0)
    p.flag("V", "MTE3")
    p.copy(b, y)
    return p


@racy("in-pipe")
def barrier_missing_from_the_second_iteration_on():
    p, x, y, a, b = tiles()
    p.copy(x, a)
    p.flag("MTE2", "V")
    with p.loop(3):
        p.vec("vadds", a, to=b, scalar=1.0)
        p.barrier("V")
        p.vec("vmul", b, b, to=a)
    p.flag("V", "MTE3")
    p.copy(a, y)
    return p


def cube(k_steps: int = 2, m: int = 32, n: int = 32, **leave: bool) -> Program:
    """A product of two fractal tiles over k_steps, without what `leave` names."""
    p = Program()
    m1, n1 = m // 16, n // 16
    a, b = p.input("a", (m1 * 256,)), p.input("b", (n1 * 256,))
    y = p.output("y", (n1 * m * 16,))
    la, lb = p.buffer("la", "l1", (m1 * 256,), 0), p.buffer("lb", "l1", (n1 * 256,), 8192)
    l0a, l0b = p.buffer("l0a", "l0a", (m1 * 256,), 0), p.buffer("l0b", "l0b", (n1 * 256,), 0)
    l0c = p.buffer("l0c", "l0c", (n1 * m * 16,), 0, dtype="f32")
    out = p.buffer("out", "ub", (n1 * m * 16,), 0)
    p.copy(a, la)
    p.copy(b, lb)
    if "load" not in leave:
        p.flag("MTE2", "MTE1")
    with p.loop(k_steps) as i:
        p.barrier("MTE1")
        p.load2d(p.view(la, [m1, 16, 16]), p.view(l0a, [m1, 16, 16]))
        p.load2d(p.view(lb, [n1, 16, 16]), p.view(l0b, [n1, 16, 16]))
        p.flag("MTE1", "M", p.rem(i, 4))
        first = 1 if "init" in leave else p.compare("eq", i, 0)
        p.mmad(
            p.view(l0a, [m1, 1, 16, 16]),
            p.view(l0b, [1, n1, 16, 16]),
            p.view(l0c, [n1, m, 16]),
            m,
            n,
            16,
            first,
        )
        if "barrier" not in leave:
            p.barrier("M")
        if "free" not in leave:
            p.flag("M", "MTE1")
    if "result" not in leave:
        p.flag("M", "V")
    p.copy(l0c, out)
    p.flag("V", "MTE3")
    p.copy(out, y)
    return p


racy("race")(lambda: cube(load=True))
racy("race")(lambda: cube(free=True))
racy("race")(lambda: cube(result=True))


@racy("in-pipe")
def small_product_accumulates_without_a_barrier():
    p = Program()
    a, b = p.input("a", (256,)), p.input("b", (256,))
    la, lb = p.buffer("la", "l1", (256,), 0), p.buffer("lb", "l1", (256,), 512)
    l0a, l0b = p.buffer("l0a", "l0a", (256,), 0), p.buffer("l0b", "l0b", (256,), 0)
    l0c = p.buffer("l0c", "l0c", (256,), 0, dtype="f32")
    p.copy(a, la)
    p.copy(b, lb)
    p.flag("MTE2", "MTE1")
    p.load2d(p.view(la, [1, 16, 16]), p.view(l0a, [1, 16, 16]))
    p.load2d(p.view(lb, [1, 16, 16]), p.view(l0b, [1, 16, 16]))
    p.flag("MTE1", "M")
    for first in (1, 0):
        p.mmad(
            p.view(l0a, [1, 1, 16, 16]),
            p.view(l0b, [1, 1, 16, 16]),
            p.view(l0c, [1, 16, 16]),
            16,
            16,
            16,
            first,
        )
    return p


@racy("in-pipe")
def large_product_accumulates_on_a_shifted_tile():
    p = Program()
    a, b = p.input("a", (1024,)), p.input("b", (1024,))
    la, lb = p.buffer("la", "l1", (1024,), 0), p.buffer("lb", "l1", (1024,), 2048)
    l0a, l0b = p.buffer("l0a", "l0a", (1024,), 0), p.buffer("l0b", "l0b", (1024,), 0)
    l0c = p.buffer("l0c", "l0c", (8192,), 0, dtype="f32")
    p.copy(a, la)
    p.copy(b, lb)
    p.flag("MTE2", "MTE1")
    p.load2d(p.view(la, [4, 16, 16]), p.view(l0a, [4, 16, 16]))
    p.load2d(p.view(lb, [4, 16, 16]), p.view(l0b, [4, 16, 16]))
    p.flag("MTE1", "M")
    for offset in (0, 1024):
        c = p.view(l0c, [4, 64, 16], offset=offset)
        p.mmad(p.view(l0a, [4, 1, 16, 16]), p.view(l0b, [1, 4, 16, 16]), c, 64, 64, 16, 1)
    return p


@racy("uninitialized")
def tile_that_nobody_loaded():
    p, _x, y, a, b = tiles()
    p.vec("vrelu", a, to=b)
    p.flag("V", "MTE3")
    p.copy(b, y)
    return p


@racy("uninitialized")
def last_element_not_written():
    p, x, _y, a, b = tiles()
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vrelu", p.view(a, [100]), to=p.view(b, [100]))
    p.barrier("V")
    p.vec("vrelu", p.view(b, [101]), to=p.view(b, [101]))
    return p


@racy("uninitialized")
def store_of_a_block_that_nobody_wrote():
    p, _x, y, a, _b = tiles()
    p.vec("vdup", to=p.view(a, [16]), scalar=1.0)
    p.flag("V", "MTE3")
    p.copy(p.view(a, [32]), p.view(y, [32]))
    return p


@racy("uninitialized")
def garbage_moved_into_a_product():
    """Rows that nothing wrote travel from L1 to L0A unharmed; using them in the product is the mistake."""
    p = Program()
    a, b = p.input("a", (128,)), p.input("b", (256,))
    la, lb = p.buffer("la", "l1", (256,), 0), p.buffer("lb", "l1", (256,), 512)
    l0a, l0b = p.buffer("l0a", "l0a", (256,), 0), p.buffer("l0b", "l0b", (256,), 0)
    l0c = p.buffer("l0c", "l0c", (256,), 0, dtype="f32")
    p.copy(a, p.view(la, [128]))
    p.copy(b, lb)
    p.flag("MTE2", "MTE1")
    p.load2d(p.view(la, [1, 16, 16]), p.view(l0a, [1, 16, 16]))
    p.load2d(p.view(lb, [1, 16, 16]), p.view(l0b, [1, 16, 16]))
    p.flag("MTE1", "M")
    operands = p.view(l0a, [1, 1, 16, 16]), p.view(l0b, [1, 1, 16, 16]), p.view(l0c, [1, 16, 16])
    p.mmad(*operands, 8, 16, 16)
    p.barrier("M")
    p.mmad(*operands, 9, 16, 16)
    return p


@racy("uninitialized")
def accumulates_on_nothing():
    return _without_init()


def _without_init() -> Program:
    p = Program()
    a, b = p.input("a", (256,)), p.input("b", (256,))
    la, lb = p.buffer("la", "l1", (256,), 0), p.buffer("lb", "l1", (256,), 512)
    l0a, l0b = p.buffer("l0a", "l0a", (256,), 0), p.buffer("l0b", "l0b", (256,), 0)
    l0c = p.buffer("l0c", "l0c", (256,), 0, dtype="f32")
    p.copy(a, la)
    p.copy(b, lb)
    p.flag("MTE2", "MTE1")
    p.load2d(p.view(la, [1, 16, 16]), p.view(l0a, [1, 16, 16]))
    p.load2d(p.view(lb, [1, 16, 16]), p.view(l0b, [1, 16, 16]))
    p.flag("MTE1", "M")
    p.mmad(p.view(l0a, [1, 1, 16, 16]), p.view(l0b, [1, 1, 16, 16]), p.view(l0c, [1, 16, 16]), 16, 16, 16, 0)
    return p


@racy("deadlock")
def wait_without_set():
    p, x, _y, a, _ = tiles()
    p.copy(x, a)
    p.wait("MTE2", "V")
    p.vec("vrelu", a, to=a)
    return p


@racy("deadlock")
def wait_for_another_event():
    p, x, _y, a, _ = tiles()
    p.copy(x, a)
    p.set("MTE2", "V", 0)
    p.wait("MTE2", "V", 1)
    p.vec("vrelu", a, to=a)
    return p


@racy("deadlock")
def pipes_wait_for_each_other():
    p, x, _y, a, _ = tiles()
    p.wait("V", "MTE2")
    p.copy(x, a)
    p.set("MTE2", "V")
    p.wait("MTE2", "V")
    p.vec("vrelu", a, to=a)
    p.set("V", "MTE2")
    return p


@racy("deadlock")
def one_prime_too_few():
    p, x, y, a, _ = tiles()
    with p.loop(3) as i:
        p.wait("MTE3", "MTE2", p.rem(i, 2))
        p.copy(x, a)
        p.flag("MTE2", "MTE3")
        p.copy(a, y)
        p.set("MTE3", "MTE2", p.rem(i, 2))
    return p


@racy("deadlock")
def set_behind_a_full_queue():
    """The set is in the program, but the scalar unit never gets to it."""
    p, _x, _y, _a, b = tiles()
    p.wait("MTE2", "V")
    with p.loop(40):
        p.vec("vdup", to=p.view(b, [16]), scalar=0.0)
        p.barrier("V")
    p.set("MTE2", "V")
    return p


@racy("deadlock")
def barrier_of_all_before_the_set():
    p, _x, _y, _a, _ = tiles()
    p.wait("MTE2", "V")
    p.barrier("ALL")
    p.set("MTE2", "V")
    return p


@racy("flag-set-twice")
def set_twice():
    p, x, _y, a, _ = tiles()
    p.copy(x, a)
    p.set("MTE2", "V")
    p.set("MTE2", "V")
    p.wait("MTE2", "V")
    return p


@racy("flag-set-twice")
def set_again_before_the_wait_is_known():
    """The second set may come before the first wait: nothing tells MTE2 how far V is."""
    p, x, _y, a, b = tiles()
    p.copy(x, a)
    p.set("MTE2", "V")
    p.wait("MTE2", "V")
    p.copy(x, b)
    p.set("MTE2", "V")
    p.wait("MTE2", "V")
    p.vec("vadd", a, b, to=a)
    return p


@racy("flag-left-set")
def set_without_wait():
    p, x, y, a, _ = tiles()
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(a, y)
    p.set("MTE3", "MTE2")
    return p


@racy("event-id")
def event_beyond_the_chips():
    p, x, y, a, _ = tiles()
    p.copy(x, a)
    p.flag("MTE2", "MTE3", 4)
    p.copy(a, y)
    return p


@racy("flag-set-twice")
def one_event_for_two_pairs_of_a_source():
    """With ids per source pipe the two pairs share a flag."""
    p = Program(target=load_target("ascend910").with_(sync={"key": "source"}))
    x, _y = p.input("x", (512,)), p.output("y", (512,))
    a = p.buffer("a", "ub", (512,), 0)
    p.copy(x, a)
    p.set("MTE2", "V", 0)
    p.set("MTE2", "MTE3", 0)
    p.wait("MTE2", "V", 0)
    p.wait("MTE2", "MTE3", 0)
    p.vec("vrelu", a, to=a)
    return p


@racy("gm-write-conflict")
def cores_write_one_block():
    p = Program(cores=2)
    x, y = p.input("x", (32,)), p.output("y", (32,))
    a = p.buffer("a", "ub", (32,), 0)
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(a, y)
    return p


@racy("gm-cross-core")
def core_reads_what_another_writes():
    p = Program(cores=2)
    x, y = p.input("x", (32,)), p.output("y", (64,))
    a, b = p.buffer("a", "ub", (32,), 0), p.buffer("b", "ub", (16,), 64)
    i = p.block_idx()
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(a, p.view(y, [32], offset=p.times(i, 32)))
    p.flag("MTE3", "MTE2")
    p.copy(p.view(y, [16], offset=16), b)
    return p


@racy("gm-cross-core")
def core_overwrites_what_another_read():
    p = Program(cores=2)
    x, _y = p.input("x", (32,)), p.output("y", (32,))
    a = p.buffer("a", "ub", (16,), 0)
    i = p.block_idx()
    p.copy(p.view(x, [16]), a)
    p.flag("MTE2", "MTE3")
    with p.when(p.compare("eq", i, 1)):
        p.copy(a, p.view(x, [16]))
    return p


@racy("race")
def load_back_without_waiting_for_the_store():
    p, x, y, a, b = tiles()
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(a, y)
    p.copy(y, b)
    return p


@racy("in-pipe")
def stores_overlap_without_a_barrier():
    p, x, y, a, _ = tiles()
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(p.view(a, [256]), p.view(y, [256]))
    p.copy(p.view(a, [256], offset=240), p.view(y, [256], offset=240))
    return p


@racy("out-of-bounds")
def load_past_the_tensors_end():
    p, x, _y, a, _ = tiles()
    p.copy(p.view(x, [64], offset=480), p.view(a, [64]))
    return p


@racy("out-of-bounds")
def store_past_the_tensors_end():
    p, _x, y, a, _ = tiles()
    p.vec("vdup", to=a, scalar=0.0)
    p.flag("V", "MTE3")
    p.copy(p.view(a, [32]), p.view(y, [32], offset=496))
    return p


@racy("out-of-bounds")
def view_leaves_its_slot():
    p = Program()
    x = p.input("x", (512,))
    a = p.buffer("a", "ub", (256,), 0, 512)
    p.copy(p.view(x, [256]), p.view(a, [256], offset=16, slot=0))
    return p


@racy("out-of-bounds")
def slot_that_does_not_exist():
    p = Program()
    x = p.input("x", (256,))
    a = p.buffer("a", "ub", (256,), 0, 512)
    p.copy(x, p.view(a, [256], slot=2))
    return p


@racy("out-of-bounds")
def buffer_beyond_the_space():
    p = Program()
    x = p.input("x", (256,))
    p.copy(x, p.buffer("a", "ub", (256,), 262144 - 256))
    return p


@racy("misaligned")
def vector_operand_off_its_block():
    p, x, _y, a, b = tiles()
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vrelu", p.view(a, [64], offset=8), to=p.view(b, [64]))
    return p


@racy("misaligned")
def fractal_off_its_address():
    p = Program()
    a = p.input("a", (512,))
    la, l0a = p.buffer("la", "l1", (512,), 0), p.buffer("l0a", "l0a", (512,), 0)
    p.copy(a, la)
    p.flag("MTE2", "MTE1")
    p.load2d(p.view(la, [1, 16, 16]), p.view(l0a, [1, 16, 16], offset=128))
    return p


@racy("misaligned")
def vector_stride_of_half_a_block():
    p, x, _y, a, _b = tiles()
    p.copy(x, a)
    p.flag("MTE2", "V")
    view = p.view(a, [3, 8, 16], [136, 16, 1])
    p.vec("vrelu", view, to=view)
    return p


@racy("granularity")
def burst_of_half_a_block():
    p, x, _y, a, _ = tiles()
    p.copy(p.view(x, [24]), p.view(a, [24]))
    return p


@racy("granularity")
def rows_that_start_off_a_block():
    p, x, _y, a, _ = tiles()
    p.copy(p.view(x, [4, 16], [24, 1]), p.view(a, [4, 16], [16, 1]))
    return p


@racy("limit")
def too_many_repeats():
    p = Program()
    x = p.input("x", (256 * 128,))
    a = p.buffer("a", "ub", (256 * 128,), 0)
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vrelu", p.view(a, [256, 8, 16]), to=p.view(a, [256, 8, 16]))
    return p


@racy("limit")
def nine_blocks_a_repeat():
    p, x, _y, a, _ = tiles()
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vrelu", p.view(a, [2, 9, 16]), to=p.view(a, [2, 9, 16]))
    return p


@racy("no-path")
def l1_to_gm():
    p = Program()
    x, y = p.input("x", (256,)), p.output("y", (256,))
    a = p.buffer("a", "l1", (256,), 0)
    p.copy(x, a)
    p.copy(a, y)
    return p


@racy("no-path")
def nd2nz_on_a_chip_without():
    p = Program()
    x = p.input("x", (16, 32))
    a = p.buffer("a", "l1", (512,), 0)
    p.copy(x, p.view(a, [2, 16, 16]), nd2nz=True)
    return p


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


def test_there_are_thirty():
    assert len(RACY) >= 30


def test_message_names_everything():
    with pytest.raises(HazardError) as caught:
        vector_reads_its_own_result().run(x=np.zeros(512, np.float16))
    lines = str(caught.value).splitlines()
    assert lines[0] == (
        "in-pipe in @k, core 0: the second instruction writes what the first writes, "
        "both on V with no barrier between them"
    )
    assert lines[1] == "  ub bytes [1024, 2048) of b"
    assert [line.split("(")[0] for line in lines[2:]] == ['  ascend.vec "vadds"', '  ascend.vec "vmuls"']


def test_deadlock_names_every_blocked_pipe():
    with pytest.raises(HazardError) as caught:
        pipes_wait_for_each_other().run(x=np.zeros(512, np.float16))
    text = str(caught.value)
    assert "MTE2 waits for flag V -> MTE2, event 0" in text
    assert "V waits for flag MTE2 -> V, event 0" in text

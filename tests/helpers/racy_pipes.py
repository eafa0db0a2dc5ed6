"""Programs in which a flag or a barrier between instructions is missing, or in the wrong place."""

from ascend_programs import Program
from racy import Racy, tiles

racy = Racy()


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

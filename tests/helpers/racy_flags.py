"""Programs whose flags do not pair up, or that the chip lacks."""

from ascend_programs import Program
from racy import Racy, tiles

from ascend_opt.dialects.target import load_target

racy = Racy()


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

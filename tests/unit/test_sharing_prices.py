"""What it costs that two buffers share bytes: cycles that pipes would wait for each other."""

import pytest
from ascend_programs import Program
from whole_buffers import CHIP, SIZE, Whole, ub, usages
from xdsl.ir import Operation

from ascend_opt.dialects.ascend import BufferOp
from ascend_opt.dialects.target_types import PIPES, Target
from ascend_opt.passes.analysis.dependences import find_requirements, known_before
from ascend_opt.passes.analysis.live_ranges import buffer_usages
from ascend_opt.passes.analysis.tracer import Tracer
from ascend_opt.passes.memory.sharing_cost import ORDER, SharingCosts
from ascend_opt.passes.memory.space_plan import Lifetime, MemoryProblem, plan_space


def stream(gap: int) -> tuple[Program, SharingCosts, dict[str, BufferOp]]:
    """Loads into two buffers in turn, each with `gap` Vector instructions after it."""
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    a, b, c = ub(p, "a", "b", "c")
    with p.loop(8):
        for source in (a, b):
            p.copy(x, source)
            for _ in range(gap):
                p.vec("vexp", source, to=c)
        p.copy(c, y)
    found = buffer_usages(p.kernel, CHIP)
    return p, SharingCosts(p.kernel, found, CHIP), {u.label: u.buffer for u in found}


def test_sharing_costs_what_a_pipe_waits():
    """Were both loads to the same bytes, the second one could begin when the Vector is done with the first one."""
    _, few, buffers = stream(gap=20)
    _, many, others = stream(gap=40)
    short, long = few.of(buffers["a"], buffers["b"]), many.of(others["a"], others["b"])
    assert 0 < short == few.of(buffers["b"], buffers["a"])
    # MTE2 waits for the Vector, and the Vector then waits for the load: its time, in each trip, whatever the gap is
    assert long == pytest.approx(short, rel=0.2)


def test_one_pipe_s_own_buffers_cost_a_barrier_at_most():
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    a, b, c, d = ub(p, "a", "b", "c", "d")
    p.copy(x, a)
    p.vec("vrelu", a, to=b)
    p.vec("vrelu", b, to=c)
    p.vec("vrelu", c, to=d)
    p.copy(d, y)
    found = {u.label: u for u in buffer_usages(p.kernel, CHIP)}
    costs = SharingCosts(p.kernel, list(found.values()), CHIP)
    assert costs.of(found["b"].buffer, found["d"].buffer) == 0  # d waits for c, which waits for b
    assert costs.of(found["a"].buffer, found["d"].buffer) == 0


def price(p: Program, first: str, second: str, target: Target = CHIP) -> float:
    found = {u.label: u for u in buffer_usages(p.kernel, target)}
    return SharingCosts(p.kernel, list(found.values()), target).of(found[first].buffer, found[second].buffer)


def turns(trips: int) -> Program:
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    a, b, c = ub(p, "a", "b", "c")
    with p.loop(trips):
        for source in (a, b):
            p.copy(x, source)
            p.vec("vexp", source, to=c)
        p.copy(c, y)
    return p


def test_a_price_counts_every_trip():
    """The trace has a few trips, the program many."""
    assert price(turns(80), "a", "b") == pytest.approx(10 * price(turns(8), "a", "b"), rel=0.05)


@pytest.mark.parametrize("ordered", [False, True])
def test_a_pipe_waits_for_itself_where_it_needs_a_barrier(ordered: bool):
    chip = CHIP.with_(sync={"ordered_pipe": ordered})
    p = Whole(target=chip)
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    a, b, c = ub(p, "a", "b", "c")
    p.copy(x, a)
    p.vec("vrelu", a, to=b)
    p.vec("vexp", a, to=c)  # nothing orders it after the one before
    p.copy(c, y)
    late = chip.vector.latency  # the Vector is what all wait for, and begins anew
    assert price(p, "b", "c", chip) == (0 if ordered else ORDER * chip.scalar.flag + late)


def test_over_its_operand_a_result_waits_for_nothing():
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    a, b = ub(p, "a", "b")
    p.copy(x, a)
    p.vec("vrelu", a, to=b)
    p.copy(b, y)
    assert price(p, "a", "b") == 0


def test_barriers_count_in_every_trip():
    def many(trips: int) -> Program:
        p = Whole()
        x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
        a, b, c = ub(p, "a", "b", "c")
        p.copy(x, a)
        with p.loop(trips):
            p.vec("vrelu", a, to=b)
            p.vec("vexp", a, to=c)
        p.copy(c, y)
        return p

    assert price(many(80), "b", "c") == pytest.approx(10 * price(many(8), "b", "c"), rel=0.05)


def test_no_stall_keeps_apart_what_costs_a_barrier():
    """One pipe opens and closes both: no other pipe would wait, but this one for itself."""
    v = frozenset({"V"})
    lives = tuple(Lifetime(n, 64, i, i + 1, 1, v, v) for i, n in enumerate("abc"))
    asked = MemoryProblem("ub", 128, 32, lives)
    assert plan_space(asked, price=lambda i, j: 0.0).level == "no-stall"
    assert plan_space(asked, price=lambda i, j: 20.0).level == "max"


def test_a_barrier_costs_even_where_its_pipe_has_time():
    """The Vector waits for the second load anyway: a barrier delays nothing, but it is one more."""
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    big, z = p.buffer("big", "ub", (16 * SIZE,), 0), p.input("z", (16 * SIZE,))
    a, b, c, d = ub(p, "a", "b", "c", "d")
    p.copy(x, a)
    p.copy(z, big)
    p.vec("vrelu", a, to=b)
    p.vec("vexp", a, to=c)
    p.vec("vadd", c, p.view(big, [SIZE]), to=d)
    p.copy(d, y)
    assert 0 < price(p, "b", "c") < 200
    assert price(p, "b", "d") == 0  # d waits for c; the Vector waits for b on the way


def sometimes(condition: str, core: int) -> Program:
    """`b` before `c`, between which dependences of the Vector's stand only where a condition on the core holds."""
    p = Whole(cores=4)
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    a, b, c, d, e = ub(p, "a", "b", "c", "d", "e")
    p.copy(x, a)
    p.vec("vrelu", a, to=b)
    p.vec("vrelu", a, to=d)
    with p.when(p.compare(condition, p.block_idx(), core)):
        p.vec("vexp", d, to=e)
    p.vec("vexp", a, to=c)
    p.copy(c, y)
    return p


def test_free_is_what_is_free_on_every_core():
    """The first core is the one with a timeline; on the last one the condition does not hold."""
    assert price(sometimes("sge", 0), "b", "c") == 0
    assert price(sometimes("slt", 3), "b", "c") > 0


def test_what_is_known_follows_from_what_was_required():
    """V knows the first load by the second one's flag, the store by way of MTE2, and itself only behind a barrier."""
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    a, b, c = ub(p, "a", "b", "c")
    p.copy(x, a)  # MTE2 1
    p.copy(a, y)  # MTE3 1
    p.copy(x, b)  # MTE2 2
    p.vec("vrelu", b, to=c)  # V 1
    p.copy(x, a)  # MTE2 3, behind MTE3 1
    p.vec("vrelu", a, to=b)  # V 2, behind MTE2 3 and V 1
    p.vec("vrelu", a, to=a)  # V 3, behind MTE2 3 only
    lie: dict[Operation, tuple[int, ...]] = {u.buffer: (4096 * i,) for i, u in enumerate(usages(p).values())}
    trace = Tracer(p.kernel, CHIP, addresses=lie).walk()
    find_requirements(trace)
    known = [{PIPES[q]: n for q, n in enumerate(one) if n} for one in known_before(trace)]
    assert known == [
        {},
        {"MTE2": 1},
        {},
        {"MTE2": 2},
        {"MTE2": 1, "MTE3": 1},
        {"MTE2": 3, "MTE3": 1, "V": 1},
        {"MTE2": 3, "MTE3": 1, "V": 2},
    ]

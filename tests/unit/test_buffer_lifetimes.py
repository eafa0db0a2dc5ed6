"""What the memory planner knows of kernels' buffers: lifetimes in loops, what may lie over what, prices."""

from collections.abc import Callable

import pytest
from ascend_programs import Program
from xdsl.ir import Operation, SSAValue

from ascend_opt.dialects.ascend import BufferOp, NextSlotOp, ViewOp
from ascend_opt.dialects.ascend.memory import memref_type
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import PIPES, Target
from ascend_opt.passes.analysis.dependences import find_requirements, known_before
from ascend_opt.passes.analysis.live_ranges import Usage, buffer_usages
from ascend_opt.passes.analysis.tracer import Tracer
from ascend_opt.passes.memory.allocation import allocate
from ascend_opt.passes.memory.in_place import in_place_pairs
from ascend_opt.passes.memory.sharing_cost import ORDER, SharingCosts
from ascend_opt.passes.memory.space_plan import Lifetime, MemoryProblem, plan_space
from ascend_opt.passes.memory.space_problem import loop_numbers, space_problem

CHIP = load_target("ascend910")
SIZE = 512


def usages(p: Program) -> dict[str, Usage]:
    return {u.label: u for u in buffer_usages(p.kernel, CHIP)}


def ub(p: Program, *names: str) -> list[SSAValue]:
    return [p.buffer(name, "ub", (SIZE,), 0) for name in names]


class Whole(Program):
    """Instructions on whole buffers and tensors: what is no view gets one."""

    def whole(self, value: SSAValue) -> SSAValue:
        shape = memref_type(value).get_shape()
        return value if isinstance(value.owner, ViewOp) else self.view(value, shape)

    def copy(self, source: SSAValue, destination: SSAValue, **flags: bool) -> None:
        super().copy(self.whole(source), self.whole(destination), **flags)

    def vec(self, name: str, *sources: SSAValue, to: SSAValue, scalar: float | None = None) -> None:
        super().vec(name, *map(self.whole, sources), to=self.whole(to), scalar=scalar)


def test_a_value_from_outside_a_loop_lives_to_the_loop_s_end():
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    outside, early, late = ub(p, "outside", "early", "late")
    p.copy(x, outside)
    with p.loop(4):
        p.vec("vrelu", outside, to=early)
        p.vec("vabs", early, to=late)
        p.copy(late, y)
    found = usages(p)
    assert all(found["outside"].end >= found[name].end for name in ("early", "late"))
    # the use itself is the first instruction of the loop: without the loop it would be over there
    assert found["outside"].end > found["late"].start + 1


def test_a_value_from_outside_nested_loops_lives_to_the_end_of_the_outermost_one():
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    outside, inner, after = ub(p, "outside", "inner", "after")
    p.copy(x, outside)
    with p.loop(4):
        with p.loop(4):
            p.vec("vrelu", outside, to=inner)
        p.vec("vabs", inner, to=after)
        p.copy(after, y)
    found = usages(p)
    assert found["outside"].end >= found["after"].end
    # the inner loop is over when `after` begins, what it read from outside both is not
    assert found["outside"].end > found["after"].start


Body = Callable[[Program, SSAValue, SSAValue], None]


def one(name: str, **scalar: float) -> Body:
    return lambda p, a, b: p.vec(name, a, to=b, **scalar)


def plain(p: Program, a: SSAValue) -> SSAValue:
    return p.view(a, [4, 8, 16], [128, 16, 1])


NEVER: dict[str, Body] = {
    "a broadcast": lambda p, a, b: p.vec("vrelu", p.view(a, [4, 8, 16], [0, 16, 1]), to=plain(p, b)),
    "a transpose by strides": lambda p, a, b: p.vec(
        "vrelu", p.view(a, [4, 8, 16], [16, 64, 1]), to=plain(p, b)
    ),
    "a part": lambda p, a, b: p.vec("vrelu", p.view(a, [256], offset=256), to=p.view(b, [256])),
    "a reduction": lambda p, a, b: p.vec("vcadd", plain(p, a), to=p.view(b, [4, 1, 1], [16, 1, 1])),
    "a transpose": lambda p, a, b: p.transpose(
        p.view(a, [2, 16, 16], [256, 16, 1]), p.view(b, [2, 16, 16], [256, 16, 1])
    ),
    "an operand that lives on": lambda p, a, b: (p.vec("vrelu", a, to=b), p.vec("vadd", a, b, to=b))[0],
    "a result that was begun before": lambda p, a, b: (
        p.vec("vdup", to=b, scalar=1.0),
        p.vec("vrelu", a, to=b),
    )[0],
}


def kernel_of(body: Body) -> Program:
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    a, b = ub(p, "a", "b")
    p.copy(x, a)
    body(p, a, b)
    p.copy(b, y)
    return p


def names(p: Program) -> list[tuple[str, str]]:
    found = buffer_usages(p.kernel, CHIP)
    return [(found[i].label, found[j].label) for i, j in in_place_pairs(p.kernel, found)]


@pytest.mark.parametrize("body", [one("vrelu"), one("vmuls", scalar=2.0), one("vexp")])
def test_an_element_wise_result_may_lie_over_an_operand_that_dies(body: Body):
    assert names(kernel_of(body)) == [("a", "b")]


@pytest.mark.parametrize("what", NEVER)
def test_never_in_place(what: str):
    assert names(kernel_of(NEVER[what])) == []


def test_never_over_a_conversion_s_operand():
    p = Whole()
    x = p.input("x", (SIZE,))
    (a,) = ub(p, "a")
    b = p.buffer("b", "ub", (SIZE,), 0, dtype="f32")
    p.copy(x, a)
    p.vec("vconv", a, to=b)
    assert names(p) == []


def test_never_over_the_mask_of_a_select():
    p = Whole()
    x = p.input("x", (128,))
    a, b = (p.buffer(n, "ub", (128,), 0) for n in "ab")
    mask, c = p.buffer("mask", "ub", (16,), 0, dtype="i8"), p.buffer("c", "ub", (128,), 0)
    p.copy(x, a)
    p.copy(x, b)
    p.vec("vcmpv_lt", a, b, to=mask)
    p.vec("vsel", mask, a, b, to=c)
    assert names(p) == []


def problem(p: Program) -> MemoryProblem:
    found = buffer_usages(p.kernel, CHIP)
    base = space_problem(found, "ub", CHIP, loop_numbers(p.kernel))
    return MemoryProblem(
        "ub", base.capacity, base.align, base.buffers, 0, tuple(in_place_pairs(p.kernel, found))
    )


def chain(*steps: Body) -> Program:
    """Each step from one buffer to the next one."""
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    buffers = ub(p, *(f"b{i}" for i in range(len(steps) + 1)))
    p.copy(x, buffers[0])
    for step, a, b in zip(steps, buffers, buffers[1:], strict=False):
        step(p, a, b)
    p.copy(buffers[-1], y)
    return p


def test_a_chain_of_results_in_place_needs_one_buffer():
    asked = problem(chain(one("vrelu"), one("vabs"), one("vexp")))
    assert asked.in_place == ((0, 1), (1, 2), (2, 3))
    assert allocate(asked.allocation()).peak == 2 * SIZE


def test_a_chain_is_broken_where_one_step_is_not_element_wise():
    asked = problem(chain(one("vrelu"), NEVER["a reduction"], one("vexp")))
    assert asked.in_place == ((0, 1), (2, 3))
    plan = allocate(asked.allocation())
    assert plan.peak == 4 * SIZE
    first, second = plan.offsets[0][0], plan.offsets[2][0]
    assert first != second, "what is over the first buffer is the reduction's operand"


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


def test_never_in_place_at_offsets_that_may_differ():
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    a, b = ub(p, "a", "b")
    p.copy(x, a)
    here, there = p.times(p.block_idx(), 16), p.times(p.block_idx(), 32)
    p.vec("vrelu", p.view(a, [128], offset=here), to=p.view(b, [128], offset=there))
    p.copy(b, y)
    assert names(p) == []


@pytest.mark.parametrize(("slots", "begun", "pairs"), [(2, 1, [("a", "b")]), (1, 1, []), (2, 2, [])])
def test_slots_in_place_go_in_step(slots: int, begun: int, pairs: list[tuple[str, str]]):
    """As many slots on both sides, each begun once: slot i is then written over slot i."""
    p = Whole()
    x = p.input("x", (SIZE,))
    a, b = p.buffer("a", "ub", (SIZE,), 0, 2048), p.buffer("b", "ub", (SIZE,), *range(0, slots * 2048, 2048))
    *_, slot = (p.add(NextSlotOp(a)) for _ in range(begun))
    p.copy(x, p.view(a, [SIZE], slot=slot))
    p.vec("vrelu", p.view(a, [SIZE], slot=slot), to=p.view(b, [SIZE], slot=p.add(NextSlotOp(b))))
    assert names(p) == pairs


@pytest.mark.parametrize("apart", [False, True], ids=["one branch", "two branches"])
def test_what_a_branch_alone_touches_lives_there(apart: bool):
    """Slots are taken in front of the branch; with accesses in two of them the whole of both counts."""
    p = Whole()
    x, y = p.input("x", (SIZE,)), p.output("y", (SIZE,))
    early, late = ub(p, "early", "late")
    with p.loop(4) as i:
        first, second = (p.view(one, [SIZE], slot=p.add(NextSlotOp(one))) for one in (early, late))
        with p.when(p.compare("sgt", i, 0)):
            p.copy(x, first)
            p.copy(first, y)
            p.copy(x, second)
            if not apart:
                p.copy(second, y)
        if apart:
            with p.when(p.compare("sgt", i, 0)):
                p.copy(second, y)
    found = usages(p)
    assert (found["early"].end <= found["late"].start) != apart


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

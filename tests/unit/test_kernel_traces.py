"""Which traces of a kernel its flags must order: those of cores, tiles and conditions that do something else."""

from contextlib import nullcontext

import pytest
from ascend_programs import Program
from xdsl.dialects import varith
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Operation, SSAValue

from ascend_opt.dialects.ascend import BufferOp
from ascend_opt.dialects.attributes import integer_array
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import PIPES
from ascend_opt.passes.analysis.kept_traces import planned_traces, trace_to_keep
from ascend_opt.passes.analysis.tracer import Tracer
from ascend_opt.passes.analysis.traces import trace_kernel
from ascend_opt.passes.support.errors import LocatedError

CHIP = load_target("ascend910")
TRIPS = 3


class Kernel(Program):
    """Four cores, unless said otherwise, each with a few Vector instructions on one buffer."""

    def __init__(self, cores: int = 4, core: str | None = None):
        super().__init__(cores=cores, core=core)
        self.block_index = self.block_idx()
        self.space = self.buffer("a", "ub", (1024,), 0)

    def work(self, size: int | SSAValue = 64, offset: int | SSAValue = 0) -> None:
        part = self.view(self.space, [size], [1], offset)
        self.vec("vrelu", part, to=part)

    def traces(self, chip: str = "ascend910") -> list[Tracer]:
        return trace_kernel(self.kernel, load_target(chip), TRIPS)


def met(traces: list[Tracer]) -> set[int]:
    """The bytes that instructions touch, as masks."""
    return {access.mask for trace in traces for i in trace.instances for access in i.accesses}


@pytest.mark.parametrize("predicate", ["ule", "uge"])
def test_a_condition_holds_as_often_in_a_row_as_on_any_core(predicate: str):
    """On the first core the condition holds once, or but once it does not; on the last one four times."""
    k = Kernel()
    with k.loop(12) as i, k.when(k.compare(predicate, i, k.block_index)):
        k.work()
    traces = k.traces()
    counts = [trace.taken if predicate == "ule" else trace.skipped for trace in traces]
    assert max(n for count in counts for n in count.values()) >= TRIPS
    assert not any(trace.forced for trace in traces)


def test_a_condition_that_holds_nowhere_is_traced_as_if_it_did():
    k = Kernel()
    with k.loop(12) as i:
        with k.when(k.compare("uge", i, 6)):
            k.work()
        with k.when(k.compare("uge", i, 1000)):
            k.work(32)
    traces = k.traces()
    assert all(any(op in trace.taken for trace in traces) for op in traces[-1].taken)
    assert [len(trace.forced) for trace in traces if trace.forced] == [1]
    assert met(traces) == {0b1111, 0b11}


def test_cores_that_meet_other_bytes_have_traces():
    k = Kernel()
    k.work(offset=k.times(k.rem(k.block_index, 2), 64))
    assert met(k.traces()) == {0b1111, 0b1111 << 4}


def test_cores_that_meet_something_where_others_meet_nothing_have_traces():
    k = Kernel()
    k.work(k.times(k.rem(k.block_index, 2), 64))
    assert met(k.traces()) >= {0b1111}


def test_a_core_with_fewer_tiles_has_a_trace():
    k = Kernel()
    with k.loop(6, start=k.block_index, step=4):
        k.work()
    assert [trace.core for trace in k.traces()] == [0, 3]


def test_inner_loops_are_traced_as_long_as_they_get_and_short():
    k = Kernel()
    longest = k.plus(k.rem(k.block_index, 3), 1)  # three trips on the third of the four cores
    with k.loop(4, start=k.block_index, step=4), k.loop(longest):
        k.work()
    traces = k.traces()
    assert max(n for trace in traces for n in trace.longest.values()) == 3
    assert sum(trace.short for trace in traces) == 1


def test_vector_cores_beside_one_cube_core_do_not_do_the_same():
    """The second core of the first group and the first one of the last group."""
    k = Kernel(6, "aiv")
    for core, size in ((0, 16), (1, 32), (4, 64)):
        with k.when(k.compare("eq", k.block_index, core)):
            k.work(size)
    traces = k.traces("ascend910b")
    assert {trace.core for trace in traces} >= {0, 1, 4}
    assert {trace.trips for trace in traces} == {TRIPS}


@pytest.mark.parametrize("in_condition", [False, True])
def test_vector_cores_in_turns_are_traced_for_more_trips(in_condition: bool):
    """Also where a software pipeline has put the loop into a condition."""
    k = Kernel(6, "aiv")
    with (
        k.loop(8) as i,
        k.when(k.compare("ult", i, 7)) if in_condition else nullcontext(),
        k.loop(1, start=k.rem(k.block_index, 2)),
    ):
        k.work()
    chip = load_target("ascend910b")
    assert {trace.trips for trace in k.traces("ascend910b")} == {TRIPS * chip.vectors_beside}


def test_only_the_first_product_of_a_tile_reads_the_bias():
    """So the next tile's row may come into the table while the other products are under way."""
    p = Program(target="ascend910b1", core="aic")
    a = p.view(p.buffer("a", "l0a", (4, 1, 16, 16), 0), (4, 1, 16, 16))
    b = p.view(p.buffer("b", "l0b", (1, 4, 16, 16), 0), (1, 4, 16, 16))
    acc = p.view(p.buffer("acc", "l0c", (4, 64, 16), 0, dtype="f32"), (4, 64, 16))
    row = p.view(p.buffer("row", "bt", (64,), 0, dtype="f32"), (64,))
    with p.loop(3), p.loop(4) as step:
        p.mmad(a, b, acc, 64, 64, 16, init=p.compare("eq", step, 0), bias=row)
    traces = trace_kernel(p.kernel, load_target("ascend910b1"), 4)
    reads = [any(access.space == "bt" for access in i.accesses) for i in traces[0].instances]
    assert reads == [True, False, False, False] * 3


def waits(m: int, n: int, fewer: int = 0, part: int = 10, more: bool = False) -> set[bool]:
    """Whether the products of `m` rows and `n` columns that are added to others must wait for these; every other time
    they have `fewer` rows, and the others `part` blocks of columns; `more`: rows as the core has them."""
    p = Program(target="ascend910b1", core="aic")
    a = p.view(p.buffer("a", "l0a", (10, 1, 16, 16), 0), (10, 1, 16, 16))
    b = p.view(p.buffer("b", "l0b", (1, 10, 16, 16), 0), (1, 10, 16, 16))
    acc = p.buffer("acc", "l0c", (10, 160, 16), 0, dtype="f32")
    tile = p.view(acc, (10, 160, 16))
    with p.loop(2) as trip:
        rows = p.minus(m, p.times(trip, fewer))
        rows = p.plus(rows, p.block_idx()) if more else rows
        p.mmad(a, b, p.view(acc, (part, 160, 16)), rows, n, 16)
        p.mmad(a, b, tile, rows, n, 16, init=0)
    (trace,) = trace_kernel(p.kernel, load_target("ascend910b1"), TRIPS)
    cube = PIPES.index("M")
    return {i.requires.get(cube) == i.number - 1 for i in trace.instances if i.number % 2 == 0}


@pytest.mark.parametrize(("m", "n"), [(160, 16), (80, 32), (145, 1), (65, 17)])
def test_the_cube_adds_to_ten_fractals_without_a_barrier(m: int, n: int):
    """Parts of fractals count as whole ones."""
    assert waits(m, n) == {False} and waits(m - 16, n) == {True}


@pytest.mark.parametrize("fewer", [15, 16])
def test_products_of_rows_that_vary_are_as_large_as_the_least(fewer: int):
    """Those of all rows wait as well: they are the same instruction."""
    assert waits(160, 16, fewer) == {fewer == 16}


def test_products_that_may_have_no_rows_or_any_number_of_them_wait():
    assert waits(160, 160, 161) == {True}
    assert waits(160, 160, more=True) == {True}


def test_a_product_waits_for_one_of_part_of_its_tile():
    """The Cube orders what adds to one tile."""
    assert waits(160, 160, part=9) == {True}


def seen(traces: list[Tracer]) -> list[tuple[object, ...]]:
    """What traces hold: instructions, the blocks that they touch, what they require and why."""
    return [
        (trace.core, i.op, i.accesses, i.requires, i.because) for trace in traces for i in trace.instances
    ]


def with_two_buffers() -> tuple[Kernel, dict[Operation, tuple[int, ...]]]:
    """A kernel with two buffers in one place, and addresses at which they are apart."""
    k = Kernel()
    other = k.buffer("b", "ub", (1024,), 0)
    with k.loop(6, start=k.block_index, step=4):
        k.work()
        k.vec("vrelu", k.view(other, (64,)), to=k.view(k.space, (64,), offset=64))
        k.vec("vrelu", k.view(k.space, (64,)), to=k.view(other, (64,)))
    buffers = [op for op in k.kernel.body.walk() if isinstance(op, BufferOp)]
    return k, {buffer: (4096 * (i + 1),) for i, buffer in enumerate(buffers)}


def test_traces_that_are_taken_over_are_those_of_the_program():
    k, apart = with_two_buffers()
    kept = trace_to_keep(k.kernel, CHIP, TRIPS, apart)
    before = seen(kept)
    taken = planned_traces(k.kernel, CHIP, TRIPS)
    assert taken is kept
    assert seen(taken) == seen(k.traces()) != before
    assert planned_traces(k.kernel, CHIP, TRIPS) is not kept


@pytest.mark.parametrize("changed", ["op", "slots", "trips", "attribute"])
def test_traces_of_another_program_are_not_taken_over(changed: str):
    k, apart = with_two_buffers()
    kept = trace_to_keep(k.kernel, CHIP, TRIPS, apart)
    trips = TRIPS
    first = next(iter(apart))
    if changed == "op":
        k.work()
    elif changed == "slots":
        first.properties["addresses"] = integer_array((0, 4096))
        first.properties["slots"] = IntegerAttr(2, i64)
    elif changed == "attribute":
        k.kernel.properties["cores"] = IntegerAttr(2, i64)
    else:
        trips += 1
    taken = planned_traces(k.kernel, CHIP, trips)
    assert taken is not kept
    assert seen(taken) == seen(trace_kernel(k.kernel, CHIP, trips))


def test_a_number_that_nobody_knows_is_said_of_the_op_that_gives_it():
    k = Kernel()
    with k.loop(12) as i:
        unknown = varith.VarithMulOp(i, i)
        k.add(unknown)
        k.work(offset=unknown.res)
    with pytest.raises(LocatedError, match="does not know what number it gives") as raised:
        k.traces()
    assert raised.value.op is unknown

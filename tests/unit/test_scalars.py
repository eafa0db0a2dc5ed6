"""Numbers that the scalar unit reads from UB and writes there: values by numpy, and the flags that order them."""

# pyright: basic

import numpy as np
import pytest
from ascend_programs import Program
from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import FloatAttr, IndexType, f16, f32
from xdsl.ir import Block, Region

from ascend_opt.dialects.ascend.sync import FlagOp
from ascend_opt.runtime.decode.arithmetic import _made
from ascend_opt.runtime.support.hazard import HazardError

RNG = np.random.default_rng(11)
ROWS, WIDTH = 8, 64
X = RNG.standard_normal((ROWS, WIDTH)).astype(np.float32)
MODES = [{}, {"hazards": False}]


def program():
    return Program(target="ascend910b", core="aiv")


def scaled_rows(dtype="f32"):
    """Each row divided by one more than its maximum, which the scalar unit reads in a loop."""
    p = program()
    x, y = p.input("x", (ROWS, WIDTH), dtype), p.output("y", (ROWS, WIDTH), dtype)
    a, b = (p.buffer(n, "ub", (ROWS, WIDTH), i * 8192, dtype=dtype) for i, n in enumerate("ab"))
    most = p.buffer("most", "ub", (ROWS, 8), 32768, dtype=dtype)
    lanes = 8 if dtype == "f32" else 16
    p.copy(x, a)
    p.flag("MTE2", "V")
    one = p.number(1.0)
    with p.loop(ROWS) as i:
        row, at = p.times(i, WIDTH), p.times(i, 8 if dtype == "f32" else 16)
        p.vec("vcmax", p.view(a, (1, WIDTH // lanes, lanes), (WIDTH, lanes, 1), offset=row),
              to=p.view(most, (1, 1, 1), (1, 1, 1), offset=at))  # fmt: skip
        p.flag("V", "S")
        number = p.read(most, at)
        if dtype != "f32":
            number = p.add(arith.ExtFOp(number, f32))
        inverse = p.add(arith.DivfOp(one, p.add(arith.AddfOp(number, one))))
        p.vec("vmuls", p.view(a, [WIDTH], offset=row), inverse, to=p.view(b, [WIDTH], offset=row))
    p.flag("V", "MTE3")
    p.copy(b, y)
    return p


@pytest.mark.parametrize("options", MODES)
def test_numbers_of_a_reduction(options):
    found = scaled_rows().run_with(options, {"x": X}).outputs[0]
    factors = np.float32(1) / (X.max(axis=1, keepdims=True) + np.float32(1))
    np.testing.assert_array_equal(found, X * factors)


def test_numbers_beside_f16():
    """The scalar unit computes in f32; the instruction rounds to its element type first."""
    p = program()
    x, y = p.input("x", (ROWS, WIDTH)), p.output("y", (ROWS, WIDTH))
    a = p.buffer("a", "ub", (ROWS, WIDTH), 0)
    p.copy(x, a)
    p.flag("MTE2", "S")
    p.flag("MTE2", "V")
    number = p.add(arith.ExtFOp(p.read(a, 3), f32))
    p.barrier("ALL")
    whole = p.view(a, [ROWS * WIDTH])
    p.vec("vmuls", whole, p.add(arith.MulfOp(number, p.number(0.1))), to=whole)
    p.flag("V", "MTE3")
    p.copy(a, y)
    given = X.astype(np.float16)
    factor = (np.float32(given[0, 3]) * np.float32(0.1)).astype(np.float16)
    np.testing.assert_array_equal(p.run(x=given).outputs[0], given * factor)


def test_cores_share_their_instructions():
    """What is read decides no instruction: all cores have one plan, whatever their data."""
    emulator = scaled_rows().emulator()
    emulator.run("main", {"x": X})
    (kernel,) = emulator.launcher.kernels.values()
    assert kernel.program.fixed and len(kernel.streams.plans) == 1


def removable(p):
    return [op for op in p.kernel.walk() if isinstance(op, FlagOp)]


@pytest.mark.parametrize("pair", ["V -> S", "MTE2 -> V", "V -> MTE3"])
def test_flags_that_order_reads(pair):
    p = scaled_rows()
    for op in removable(p):
        if f"{op.source.data} -> {op.destination.data}" == pair:
            op.detach()
    with pytest.raises(HazardError) as info:
        p.run(x=X)
    assert info.value.kind == "race"


def written(order=("V", "S"), back=("S", "V"), out=("S", "MTE3"), at=3):
    """A row to which the scalar unit adds a number at one place, before the Vector doubles the row."""
    p = program()
    x, y, z = p.input("x", (WIDTH,), "f32"), p.output("y", (WIDTH,), "f32"), p.output("z", (WIDTH,), "f32")
    a, b = (p.buffer(n, "ub", (WIDTH,), i * 1024, dtype="f32") for i, n in enumerate("ab"))
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vadds", a, to=b, scalar=0.0)
    if order:
        p.flag(*order)
    p.write(p.add(arith.AddfOp(p.read(b, at), p.number(2.5))), b, at)
    if back:
        p.flag(*back)
    p.vec("vadd", b, b, to=a)
    p.flag("V", "MTE3")
    p.copy(a, y)
    if out:
        p.flag(*out)
    p.copy(b, z)
    return p


@pytest.mark.parametrize("at", [0, 3, 63])
@pytest.mark.parametrize("options", MODES)
def test_an_element_that_is_written(options, at):
    x = X[0]
    want = x.copy()
    want[at] += np.float32(2.5)
    y, z = written(at=at).run_with(options, {"x": x}).outputs
    np.testing.assert_array_equal(z, want)
    np.testing.assert_array_equal(y, want + want)


@pytest.mark.parametrize("without", [{"order": None}, {"back": None}, {"back": None, "out": None}])
def test_flags_that_order_writes(without):
    with pytest.raises(HazardError) as info:
        written(**without).run(x=X[0])
    assert info.value.kind == "race"


@pytest.mark.parametrize("options", MODES)
def test_numbers_that_a_loop_carries(options):
    """Two numbers that change places in each trip, and the sum of all; what the loop gives is stored."""
    p = program()
    x, y = p.input("x", (WIDTH,), "f32"), p.output("y", (8,), "f32")
    a, b = p.buffer("a", "ub", (WIDTH,), 0, dtype="f32"), p.buffer("b", "ub", (8,), 1024, dtype="f32")
    p.copy(x, a)
    p.flag("MTE2", "S")
    p.vec("vdup", to=b, scalar=0.0)
    p.flag("V", "S")
    with p.carrying(5, p.read(a, 1), p.read(a, 2), p.number(0.0)) as (i, held, following):
        total = p.add(arith.AddfOp(held[2], p.read(a, i)))
        following += [held[1], held[0], total]
    for at, value in enumerate(held):
        p.write(value, b, at)
    p.write(p.add(math.SqrtOp(p.add(math.AbsFOp(held[2])))), b, 3)
    p.flag("S", "MTE3")
    p.copy(b, y)
    total = np.float32(0)
    for value in X[0][:5]:
        total += value
    found = p.run_with(options, {"x": X[0]}).outputs[0]
    np.testing.assert_array_equal(found[:4], [X[0][2], X[0][1], total, np.sqrt(abs(total))])


@pytest.mark.parametrize("options", MODES)
def test_a_number_is_taken_when_an_instruction_is_issued(options):
    """Registers change while instructions wait in the queue of the Vector pipe."""
    p = program()
    x, y = p.input("x", (ROWS, 2048), "f16"), p.output("y", (ROWS, 2048), "f16")
    a = p.buffer("a", "ub", (ROWS, 2048), 0)
    p.copy(x, a)
    p.flag("MTE2", "S")
    p.flag("MTE2", "V")
    numbers = p.buffer("n", "ub", (ROWS,), 65536, dtype="f32")
    p.vec("vci", to=numbers, scalar=1.0)
    p.flag("V", "S")
    with p.loop(ROWS) as i:
        row = p.view(a, [2048], offset=p.times(i, 2048))
        p.vec("vmuls", row, p.read(numbers, i), to=row)
    p.flag("V", "MTE3")
    p.copy(a, y)
    given = RNG.standard_normal((ROWS, 2048)).astype(np.float16)
    found = p.run_with(options, {"x": given}).outputs[0]
    np.testing.assert_array_equal(found, given * np.arange(1, 9, dtype=np.float16)[:, None])


@pytest.mark.parametrize("options", MODES)
def test_comparisons_and_selections_from_a_number(options):
    p = program()
    x, y = p.input("x", (WIDTH,), "f32"), p.output("y", (WIDTH,), "f32")
    a, b = p.buffer("a", "ub", (WIDTH,), 0, dtype="f32"), p.buffer("b", "ub", (WIDTH,), 1024, dtype="f32")
    mask = p.buffer("m", "ub", (32,), 2048, dtype="i8")
    p.copy(x, a)
    p.flag("MTE2", "S")
    p.flag("MTE2", "V")
    number = p.read(a, 7)
    p.vec("vcmpvs_gt", a, number, to=p.view(mask, [8]))
    p.barrier("V")
    p.vec("vsels", p.view(mask, [8]), a, number, to=b)
    p.flag("V", "MTE3")
    p.copy(b, y)
    found = p.run_with(options, {"x": X[0]}).outputs[0]
    np.testing.assert_array_equal(found, np.maximum(X[0], X[0][7]))


def steered(lengths=True):
    """Rows that numbers in UB name, as many as another number says; a negative one names none."""
    p = program()
    x, index, y = p.input("x", (ROWS, 8), "f32"), p.input("i", (8,), "i32"), p.output("y", (ROWS, 8), "f32")
    a, b = p.buffer("a", "ub", (8,), 0, dtype="i32"), p.buffer("b", "ub", (ROWS, 8), 1024, dtype="f32")
    p.copy(index, a)
    p.flag("MTE2", "S")
    p.vec("vdup", to=p.view(b, [8 * ROWS]), scalar=0.0)
    p.flag("V", "MTE2")
    count = p.read(a, 7)
    with p.loop(p.add(arith.IndexCastOp(count, IndexType()))) as i:
        row = p.add(arith.IndexCastOp(p.read(a, i), IndexType()))
        with p.when(p.compare("sge", row, 0)):
            p.copy(p.view(x, [8], offset=p.times(row, 8)), p.view(b, [8], offset=p.times(i, 8)))
    p.flag("MTE2", "MTE3")
    p.copy(b, y)
    return p


@pytest.mark.parametrize("options", MODES)
def test_numbers_that_steer(options):
    x, index = X[:, :8].copy(), np.array([3, -1, 0, 7, 7, 2, 0, 5], np.int32)
    want = np.zeros((ROWS, 8), np.float32)
    for i in range(5):
        if index[i] >= 0:
            want[i] = x[index[i]]
    emulator = steered().emulator()
    result = emulator.run("main", {"x": x, "i": index}, **options)
    np.testing.assert_array_equal(result.outputs[0], want)
    index[7] = 0
    none = emulator.run("main", {"x": x, "i": index}, **options)
    np.testing.assert_array_equal(none.outputs[0], 0)
    assert none.profile.total_us < result.profile.total_us


def test_numbers_that_steer_are_ordered_by_flags():
    p = steered()
    for op in removable(p):
        if op.destination.data == "S":
            op.detach()
    with pytest.raises(HazardError) as info:
        p.run(x=X[:, :8].copy(), i=np.ones(8, np.int32))
    assert info.value.kind == "race"


def test_a_row_that_is_not_there():
    with pytest.raises(HazardError) as info:
        steered().run(x=X[:, :8].copy(), i=np.full(8, 100, np.int32))
    assert info.value.kind == "out-of-bounds"


@pytest.mark.parametrize("options", MODES)
def test_numbers_in_gm(options):
    """Through the data cache, which takes its time; they steer, too."""
    p = program()
    x, s, y = p.input("x", (WIDTH,), "f32"), p.input("s", (4,), "f32"), p.output("y", (WIDTH,), "f32")
    a = p.buffer("a", "ub", (WIDTH,), 0, dtype="f32")
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vmuls", a, p.read(s, 2), to=a)
    positive = p.add(arith.CmpfOp(p.read(s, 3), p.number(0.0), "ogt"))
    with p.when(positive):
        p.barrier("V")
        p.vec("vabs", a, to=a)
    p.flag("V", "MTE3")
    p.copy(a, y)
    for last in (1.0, -1.0):
        s = np.array([1, 2, 3, last], np.float32)
        want = np.abs(X[0] * np.float32(3)) if last > 0 else X[0] * np.float32(3)
        np.testing.assert_array_equal(p.run_with(options, {"x": X[0], "s": s}).outputs[0], want)


def test_numbers_of_a_tensor_that_the_kernel_writes():
    p = program()
    y = p.output("y", (8,), "f32")
    a = p.buffer("a", "ub", (8,), 0, dtype="f32")
    p.vec("vdup", p.read(y, 0), to=a)
    p.flag("V", "MTE3")
    p.copy(a, y)
    with pytest.raises(Exception, match="the kernel writes it"):
        p.run()


def test_a_condition_gives_numbers():
    p = program()
    x, y = p.input("x", (WIDTH,), "f32"), p.output("y", (8,), "f32")
    a, b = p.buffer("a", "ub", (WIDTH,), 0, dtype="f32"), p.buffer("b", "ub", (8,), 1024, dtype="f32")
    p.copy(x, a)
    p.flag("MTE2", "S")
    first, second = p.read(a, 0), p.read(a, 1)
    block = p.block_idx()
    then, other = (Region(Block([scf.YieldOp(one)])) for one in (first, second))
    chosen = p.add(scf.IfOp(p.compare("eq", block, 0), [f32], then, other))
    p.vec("vdup", chosen, to=b)
    p.flag("V", "MTE3")
    p.copy(b, y)
    np.testing.assert_array_equal(p.run(x=X[0]).outputs[0], X[0, 0])


def test_the_time_of_numbers():
    """Each instruction of the scalar unit takes what one takes to issue."""

    def cycles(count):
        p = program()
        x = p.input("x", (WIDTH,), "f32")
        a = p.buffer("a", "ub", (WIDTH,), 0, dtype="f32")
        p.copy(x, a)
        p.flag("MTE2", "S")
        number = p.read(a, 0)
        for _ in range(count):
            number = p.add(arith.AddfOp(number, number))
        p.write(number, a, 0)
        return p.run_with({"values": False}, {}).profile.kernels[0].time_us * p.target.clock_mhz

    assert cycles(101) - cycles(1) == pytest.approx(100 * program().target.scalar.issue)


def test_constants_of_other_types():
    p = program()
    y = p.output("y", (16,))
    a = p.buffer("a", "ub", (16,), 0)
    half = p.add(arith.ConstantOp(FloatAttr(0.5, f16)))
    p.vec("vdup", half, to=a)
    p.flag("V", "MTE3")
    p.copy(a, y)
    np.testing.assert_array_equal(p.run().outputs[0], 0.5)


def test_whole_numbers_of_64_bits_wrap_around():
    made = _made("i64")
    assert [made(n) for n in (1 << 63, (1 << 62) * 5, -(1 << 63) - 1, (1 << 64) + 3)] == [
        -(1 << 63), 1 << 62, (1 << 63) - 1, 3,
    ]  # fmt: skip
    assert made(float("nan")) == -(1 << 63)

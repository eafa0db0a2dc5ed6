"""Padding and bytes that nothing wrote: found where they reach a result, whatever the value is, and nowhere else."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ascend_kernels import streaming
from ascend_programs import Program
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import SSAValue

import ascend_opt
from ascend_opt.dialects.ascend import FixpipeOp, MmadOp
from ascend_opt.dialects.ascend.memory import memref_type
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.support.hazard import HazardError

LANES = 32
FULL = 17  # elements of x; its padding begins behind them


def run(p: Program) -> Any:
    rng = np.random.default_rng(0)
    tensors = [t for t in p.tensors if t.name_hint in p.inputs]
    shapes = {str(t.name_hint): memref_type(t).get_shape() for t in tensors}
    inputs = {name: rng.standard_normal(shape).astype(np.float16) for name, shape in shapes.items()}
    return p.run(inputs).outputs[0]


def poisoned(p: Program) -> HazardError:
    with pytest.raises(HazardError) as caught:
        run(p)
    assert caught.value.kind == "poison", caught.value
    return caught.value


def loaded(count: int = LANES, **options: Any) -> tuple[Program, SSAValue, SSAValue, SSAValue]:
    """x [17] with its padding in `a` [32], ones in `b` [32]; y of `count` elements."""
    p = Program(**options)
    x, y = p.input("x", (FULL,)), p.output("y", (count,))
    a, b = p.buffer("a", "ub", (LANES,), 0), p.buffer("b", "ub", (LANES,), 1024)
    p.vec("vdup", to=b, scalar=1.0)
    p.copy(p.view(x, [LANES]), a)
    p.flag("MTE2", "V")
    p.barrier("V")
    return p, a, b, y


def stored(p: Program, buffer: SSAValue, y: SSAValue) -> Program:
    p.flag("V", "MTE3")
    p.copy(buffer, y)
    return p


Compute = Callable[[Program, SSAValue, SSAValue], None]


def by_vec(name: str, *sources: str, scalar: float | None = None) -> Compute:
    def compute(p: Program, a: SSAValue, b: SSAValue) -> None:
        p.vec(name, *({"a": a, "b": b}[s] for s in sources), to=b, scalar=scalar)

    return compute


def through_i8(p: Program, a: SSAValue, b: SSAValue) -> None:
    small = p.buffer("small", "ub", (LANES,), 2048, dtype="i8")
    p.vec("vconv", a, to=small)
    p.barrier("V")
    p.vec("vconv", small, to=b)


def through_f32(p: Program, a: SSAValue, b: SSAValue) -> None:
    wide = p.buffer("wide", "ub", (LANES,), 2048, dtype="f32")
    p.vec("vconv", a, to=wide)
    p.barrier("V")
    p.vec("vconv", wide, to=b)


HIDING: dict[str, Compute] = {
    "relu": by_vec("vrelu", "a"),
    "max": by_vec("vmax", "a", "b"),
    "min with a number": by_vec("vmins", "a", scalar=0.0),
    "times zero": by_vec("vmuls", "a", scalar=0.0),
    "multiply-add": by_vec("vmadd", "b", "b", "a"),
    "i8": through_i8,
    "f32": through_f32,
}


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("overflow", ["inf", "saturate"])
def test_padding_that_is_computed_with(name: str, overflow: str):
    """With saturation a nan becomes zero: the values say nothing."""
    p, a, b, y = loaded()
    p.target = p.target.with_(overflow=overflow)
    HIDING[name](p, a, b)
    error = poisoned(stored(p, b, y))
    assert error.space == "gm" and error.byte_range == (2 * FULL, 2 * LANES) and error.buffers == ("%y",)
    read, store = error.instructions
    assert read.text.endswith('"ub">')
    assert store.text.endswith('"gm">') and "gm bytes [34, 64) of %x" in error.reason


@pytest.mark.parametrize("name", HIDING)
def test_padding_that_stays_on_chip(name: str):
    """On the ascend910b DMA stores any number of bytes."""
    p, a, b, y = loaded(FULL, target="ascend910b", core="aiv")
    HIDING[name](p, a, b)
    run(stored(p, p.view(b, [FULL]), y))


@pytest.mark.parametrize("name", ["vcadd", "vcmax", "vcmin"])
@pytest.mark.parametrize("lanes", [16, 8])
def test_a_reduction_over_padding(name: str, lanes: int):
    """Of 24 elements the last 7 are padding: rows of 8 keep it to the last row."""
    p = Program(target="ascend910b", core="aiv")
    x, y = p.input("x", (FULL,)), p.output("y", (2,))
    a, b = p.buffer("a", "ub", (LANES,), 0), p.buffer("b", "ub", (16,), 1024)
    p.copy(p.view(x, [LANES]), a)
    p.flag("MTE2", "V")
    p.vec(name, p.view(a, [2, 1, lanes], [16, 16, 1]), to=p.view(b, [2, 1, 1], [1, 16, 1]))
    assert poisoned(stored(p, p.view(b, [2]), y)).byte_range == (2, 4)


def selecting(predicate: str, of: str) -> Program:
    """y = select(compare(...), a, b) of 128 lanes, those of a from 100 on padding, b 0 to 127."""
    p = Program(target="ascend310p")
    x, n, y = p.input("x", (100,)), p.input("n", (128,)), p.output("y", (128,))
    a, b = p.buffer("a", "ub", (128,), 0), p.buffer("b", "ub", (128,), 1024)
    mask, c = p.buffer("mask", "ub", (16,), 2048, dtype="i8"), p.buffer("c", "ub", (128,), 4096)
    p.vec("vdup", to=a, scalar=0.0)
    p.flag("V", "MTE2")
    p.copy(p.view(x, [112]), p.view(a, [112]))
    p.copy(n, b)
    p.flag("MTE2", "V")
    p.vec(predicate, a if of == "a" else b, to=mask, scalar=99.5)
    p.barrier("V")
    p.vec("vsel", mask, a, b, to=c)
    return stored(p, c, y)


NUMBERS = {"x": np.zeros(100, np.float16), "n": np.arange(128, dtype=np.float16)}


def test_what_is_selected_away_does_not_count():
    assert (selecting("vcmpvs_lt", "b").run(NUMBERS).outputs[0][100:] == np.arange(100, 128)).all()


def test_what_is_selected_counts():
    with pytest.raises(HazardError) as caught:
        selecting("vcmpvs_gt", "b").run(NUMBERS)
    assert (caught.value.kind, caught.value.byte_range) == ("poison", (200, 224))


def test_a_comparison_with_padding_counts_bit_by_bit():
    """Elements 96 to 99 share a byte of the mask with padding and are right."""
    with pytest.raises(HazardError) as caught:
        selecting("vcmpvs_lt", "a").run(NUMBERS)
    assert (caught.value.kind, caught.value.byte_range) == ("poison", (200, 224))


def fractals(p: Program, x: SSAValue, w: SSAValue, count: int = 256) -> tuple[SSAValue, SSAValue, SSAValue]:
    """A fractal of each operand in L0, of x its first `count` elements, and room for the product."""
    l1a, l1b = p.buffer("l1a", "l1", (1, 16, 16), 0), p.buffer("l1b", "l1", (1, 16, 16), 4096)
    l0a, l0b = p.buffer("l0a", "l0a", (1, 1, 16, 16), 0), p.buffer("l0b", "l0b", (1, 1, 16, 16), 0)
    l0c = p.buffer("l0c", "l0c", (1, 16, 16), 0, dtype="f32")
    p.copy(p.view(x, [count]), p.view(l1a, [count]))
    p.copy(p.view(w, [256]), p.view(l1b, [256]))
    p.flag("MTE2", "MTE1")
    p.load2d(l1a, p.view(l0a, [1, 16, 16]))
    p.load2d(l1b, p.view(l0b, [1, 16, 16]))
    p.flag("MTE1", "M")
    return l0a, l0b, l0c


def product(m: int, n: int, k: int, taken: int, steps: int = 1) -> Program:
    """The first `taken` rows of a product of one fractal, f32."""
    p = Program(target="ascend310p")
    x, w, y = p.input("x", (1, 16, 16)), p.input("w", (1, 16, 16)), p.output("y", (taken, 16), dtype="f32")
    out = p.buffer("out", "ub", (256,), 0, dtype="f32")
    l0a, l0b, l0c = fractals(p, x, w)
    for step in range(steps):
        p.barrier("M")
        p.mmad(l0a, l0b, l0c, m, n, k, int(step == 0))
    p.flag("M", "V")
    p.copy(p.view(l0c, [256]), out)
    p.flag("V", "MTE3")
    p.copy(p.view(out, [taken * 16]), p.view(y, [taken * 16]))
    return p


@pytest.mark.parametrize("steps", [1, 3])
def test_rows_and_columns_past_m_and_n(steps: int):
    run(product(16, 16, 16, taken=16, steps=steps))
    run(product(5, 16, 16, taken=5, steps=steps))
    error = poisoned(product(5, 16, 16, taken=6, steps=steps))
    assert error.byte_range == (5 * 64, 6 * 64)
    assert "l0c bytes [320, 1024) of l0c" in error.reason
    assert poisoned(product(16, 9, 16, taken=2, steps=steps)).byte_range == (36, 64)


def test_a_larger_product_on_top_of_a_smaller_one():
    """What it adds to in the rows of its own is nothing."""
    p = product(5, 16, 16, taken=16, steps=2)
    second = [op for op in p.kernel.walk() if isinstance(op, MmadOp)][1]
    constant = arith.ConstantOp(IntegerAttr(16, IndexType()))
    assert second.parent is not None
    second.parent.insert_op_before(constant, second)
    second.operands[3] = constant.result
    assert poisoned(p).byte_range == (5 * 64, 16 * 64)


@pytest.mark.parametrize(("k", "bad"), [(8, False), (9, True)])
def test_lanes_below_k_that_are_padding(k: int, bad: bool):
    """x has 8 columns; 16 of its 32 B are behind the end of the tensor."""
    p = Program(target="ascend910b", core="aic")
    x, w, y = p.input("x", (8,)), p.input("w", (1, 16, 16)), p.output("y", (1, 16))
    l0a, l0b, l0c = fractals(p, x, w, 16)
    p.mmad(l0a, l0b, l0c, 1, 16, k)
    p.flag("M", "FIX")
    p.fixpipe(p.view(l0c, [1, 16, 16]), y)
    if bad:
        assert "gm bytes [16, 32) of %x" in poisoned(p).reason
    else:
        run(p)


def test_bytes_of_a_block_that_nothing_wrote():
    """A store takes whole blocks of 32 B, of which 8 B are written."""
    p, x, y = streaming(1, 16, 1)
    a, b = p.buffer("a", "ub", (16,), 0), p.buffer("b", "ub", (16,), 64)
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vrelu", p.view(a, [4]), to=p.view(b, [4]))
    error = poisoned(stored(p, b, y))
    assert error.byte_range == (8, 32) and len(error.instructions) == 1 and "ub bytes of b" in error.reason


def test_a_transpose_takes_padding_along():
    p = Program(target="ascend310p")
    x, y = p.input("x", (15, 16)), p.output("y", (16, 16))
    a, b = p.buffer("a", "ub", (1, 16, 16), 0), p.buffer("b", "ub", (1, 16, 16), 1024)
    p.vec("vdup", to=p.view(a, [256]), scalar=0.0)
    p.flag("V", "MTE2")
    p.copy(p.view(x, [16], offset=230), p.view(a, [16], offset=240))
    p.flag("MTE2", "V")
    p.transpose(a, b)
    p.flag("V", "MTE3")
    p.copy(p.view(b, [256]), p.view(y, [256]))
    error = poisoned(p)
    assert error.byte_range == (2 * (10 * 16 + 15), 2 * (10 * 16 + 16)) and error.reason.startswith("12 of")


@pytest.mark.parametrize("bad", [False, True])
def test_what_a_cube_core_leaves_in_a_vector_core(bad: bool):
    """Five rows of a product go to UB of a core beside it as 16, which stores some of them."""
    p = Program(cores=1, target="ascend950", core="aic")
    x, w = p.input("x", (1, 16, 16)), p.input("w", (1, 16, 16))
    y = p.output("y", (6 if bad else 5, 16))
    met = p.group("met", "ub", (1, 16, 16), 0)
    l0a, l0b, l0c = fractals(p, x, w)
    p.mmad(l0a, l0b, l0c, 5, 16, 16)
    p.flag("M", "FIX")
    p.add(FixpipeOp(l0c, met, vector=0))
    p.cross_set("FIX")
    _, _, y, met = p.beside(2)
    p.cross_wait()
    with p.when(p.compare("eq", p.block_idx(), 0)):
        p.copy(p.view(met, [96 if bad else 80]), p.view(y, [96 if bad else 80]))
    if bad:
        assert poisoned(p).byte_range == (160, 192)
    else:
        run(p)


CHIPS = ["ascend910", "ascend310p", "ascend910b", "ascend950"]
GRAPH = """
graph @g(%x: tensor<37x45xf16>, %w: tensor<45x53xf16>) {
  %y = matmul(%x, %w)
  %z = relu(%y)
  return %z
}
"""


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("extent", [3, 4], ids=["m", "n"])
def test_products_that_are_cut_short(chip: str, extent: int):
    """One row or column less than the program stores, in what the compiler emits."""
    program = ascend_opt.compile(GRAPH, target=chip, tune=1)
    inputs = {name: np.ones(s.shape, np.float16) for name, s in program.inputs.items()}
    Emulator(program.module, chip).run(None, inputs)
    for op in list(program.module.walk()):
        if isinstance(op, MmadOp) and op.parent is not None:
            one = arith.ConstantOp(IntegerAttr(1, IndexType()))
            less = arith.SubiOp(op.operands[extent], one.result)
            op.parent.insert_ops_before([one, less], op)
            op.operands[extent] = less.result
    with pytest.raises(HazardError) as caught:
        Emulator(program.module, chip).run(None, inputs)
    assert caught.value.kind == "poison"

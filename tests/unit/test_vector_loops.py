"""Loops of vector functions: which instructions are in one, what they load and store, and what that takes."""

import sys
from pathlib import Path

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.ir import Block, SSAValue

sys.path.append(str(Path(__file__).parents[1] / "helpers"))

from ascend_programs import Program

from ascend_opt.dialects.ascend import VecOp
from ascend_opt.dialects.ascend.vector_loops import accesses_of, fits
from ascend_opt.dialects.target import TargetError, load_target
from ascend_opt.passes.ascend_join_vectors import AscendJoinVectors
from ascend_opt.passes.cost.group_trace import GroupTrace, TraceStep, TraceTile
from ascend_opt.passes.cost.vector import function_start, loops_of, vector_cycles

CHIP = load_target("ascend950")
COUNT = 8192
FORMULA = (("vmul", "xx"), ("vmuls", "y"), ("vadd", "xy"), ("vexp", "y"), ("vdiv", "xy"))


def program(extra: bool = False, reread: bool = False) -> Program:
    """y = x / exp(x + x * x / 2) of one tile; `extra`: in the place of y another buffer, until the last instruction;
    `reread`: what it holds is stored too."""
    p = Program(target=CHIP, core="aiv")
    x, y = p.input("x", (COUNT,), "f32"), p.output("y", (COUNT,), "f32")
    a = p.buffer("a", "ub", (COUNT,), 0, dtype="f32")
    b = p.buffer("b", "ub", (COUNT,), 4 * COUNT, dtype="f32")
    c = p.buffer("c", "ub", (COUNT,), 8 * COUNT, dtype="f32") if extra else b
    p.copy(x, a)
    p.flag("MTE2", "V")
    for i, (name, names) in enumerate(FORMULA):
        if i:
            p.barrier("V")
        last = i == len(FORMULA) - 1
        operands = [{"x": a, "y": c}[one] for one in names]
        p.vec(name, *operands, to=b if last else c, scalar=0.5 if name == "vmuls" else None)
    p.flag("V", "MTE3")
    if reread:
        p.copy(c, p.output("z", (COUNT,), "f32"))
    p.copy(b, y)
    return p


def joined(p: Program) -> list[VecOp]:
    AscendJoinVectors("ascend950").apply(Context(), p.module())
    p.module().verify()
    return [op for op in p.kernel.body.block.ops if isinstance(op, VecOp)]


def counts(ops: list[VecOp]) -> list[int]:
    block = ops[0].parent
    assert isinstance(block, Block)
    found = accesses_of(block)
    return [found[op] for op in ops]


def test_values_stay_in_registers():
    """x is loaded once; y is stored by its last instruction alone."""
    ops = joined(program())
    assert [op.looped is not None for op in ops] == [False, True, True, True, True]
    assert counts(ops) == [1, 0, 0, 0, 1]


def test_a_buffer_of_the_loop_alone_is_never_stored():
    assert counts(joined(program(extra=True))) == [1, 0, 0, 0, 1]
    assert counts(joined(program(extra=True, reread=True))) == [1, 0, 0, 1, 1]


def test_a_loop_takes_what_its_busier_side_takes():
    """Operations of 0.5, 0.5, 0.5, 1 and 2 cycles a repeat of 128, and 7 cycles from one to the next."""
    apart, together = program(), program()
    joined(together)
    vector, repeats = CHIP.vector, COUNT * 4 // 256
    before, after = (
        one.emulator().time_only("main").kernels[0].pipes["V"].active_us for one in (apart, together)
    )
    assert after * CHIP.clock_mhz == pytest.approx(
        vector.startup + 4.5 * repeats + 4 * vector.chain + vector.latency, abs=6
    )
    assert before > 1.6 * after


def test_values_and_hazards_are_those_of_the_program():
    p = program(extra=True)
    joined(p)
    x = np.linspace(-2, 2, COUNT).astype(np.float32)
    np.testing.assert_allclose(p.run(x=x).outputs[0], x / np.exp(x + x * x / 2), rtol=1e-5)


def _pair(second: tuple[int, int], to: tuple[int, int]) -> tuple[VecOp, VecOp]:
    """Two instructions in one buffer, of which the second one reads and writes (start, elements)."""
    p = Program(target=CHIP, core="aiv")
    a = p.buffer("a", "ub", (1024,), 0, dtype="f32")

    def part(start: int, count: int) -> SSAValue:
        return p.view(a, (count,), (1,), offset=start)

    p.vec("vabs", part(0, 256), to=part(256, 256))
    p.vec("vabs", part(*second), to=part(*to))
    first, last = (op for op in p.kernel.body.block.ops if isinstance(op, VecOp))
    return first, last


@pytest.mark.parametrize(
    ("second", "to", "together"),
    [
        ((256, 256), (512, 256), True),
        ((256, 256), (256, 256), True),
        ((248, 256), (512, 256), False),  # what others of its repeats have not written yet
        ((256, 256), (128, 256), False),  # what others of its repeats still read
        ((256, 128), (512, 128), False),  # fewer elements
    ],
)
def test_only_the_same_elements_are_written_and_touched(
    second: tuple[int, int], to: tuple[int, int], together: bool
):
    first, last = _pair(second, to)
    assert fits(last, [first], depth=8) is together
    assert not fits(last, [first], depth=1)


def test_a_chip_with_such_loops_says_what_they_take(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text('extends = "ascend910b1"\nname = "mine"\n[vector]\ndepth = 4\n')
    with pytest.raises(TargetError, match=r"depth needs \[vector.operation\]"):
        load_target(str(path))


def test_the_search_prices_loops_as_they_are_emitted():
    """Eight instructions of ten are one loop, the next two another one, which waits for it."""
    tiles = [TraceTile("f32", True, frozenset(), 1.0) for _ in range(11)]
    steps = [TraceStep("vabs", "f32", True, (tiles[i],), tiles[i + 1]) for i in range(10)]
    trace, vector = GroupTrace(steps, [tiles[0]]), CHIP.vector
    assert [(len(loop), accesses) for loop, accesses in loops_of(trace, 8)] == [
        (8, [1, 0, 0, 0, 0, 0, 0, 1]),
        (2, [1, 1]),
    ]
    repeats = 64
    expected = function_start(CHIP) + 10 * 0.5 * repeats + 8 * vector.chain + vector.inner_latency
    assert vector_cycles(trace, repeats * 64, CHIP) == pytest.approx(expected)

"""Rows for the tables beside the Cube that come to L1 once, in front of all operands, against numpy by definition."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.scf import ForOp

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.memory import memref_type

Arrays = dict[str, np.ndarray[Any, Any]]
CHIPS = ("ascend910b", "ascend950")


def program_of(m: int, k: int, n: int, lines: Sequence[str], chip: str, batch: str = "") -> Program:
    shapes = f"%x: tensor<{batch}{m}x{k}xf16>, %w: tensor<{k}x{n}xf16> {{weight}}"
    rows = ", ".join(
        f"%{name}: tensor<{n}xf16>" for name in "bs" if any(f"%{name}" in line for line in lines)
    )
    text = "\n".join(["%0 = matmul(%x, %w)", *lines, "return %y"])
    return ascend_opt.compile(f"graph @f({shapes}, {rows}) {{\n{text}\n}}", target=chip, tune=1)


def rows_loaded(program: Program) -> tuple[int, int]:
    """Copies from GM to buffers for rows in L1: in front of loops, and inside."""
    found = [0, 0]
    for op in compile_until(program, "ascend").walk():
        if not isinstance(op, ascend.CopyOp) or memref_type(op.source).memory_space.data != "gm":  # type: ignore[union-attr]
            continue
        view = op.destination.owner
        assert isinstance(view, ascend.ViewOp)
        buffer = view.base.owner
        if isinstance(buffer, ascend.BufferOp) and buffer.label is not None and buffer.label.data == "row":
            found[isinstance(op.parent_op(), ForOp) or not isinstance(op.parent_op(), ascend.KernelOp)] += 1
    return found[0], found[1]


def is_right(program: Program, prelu: bool = False) -> bool:
    rng = np.random.default_rng(4)
    given: Arrays = {name: rng.standard_normal(t.shape) / 8 for name, t in sorted(program.inputs.items())}
    given = {name: array.astype(np.float16) for name, array in given.items()}
    (found,) = program.run(given).outputs.values()
    x, w, b, *rest = (given[name].astype(np.float64) for name in sorted(given, key="xwbs".index))
    wanted = x @ w + b
    if prelu:
        wanted = np.where(wanted > 0, wanted, wanted * rest[0])
    return float(np.linalg.norm(found - wanted) / np.linalg.norm(wanted)) <= 2e-3


BIAS = ("%y = add(%0, %b)",)
PRELU = ("%1 = add(%0, %b)", "%y = prelu(%1, %s)")


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(
    ("m", "k", "n", "batch"),
    [(128, 768, 768, ""), (600, 1024, 4096, ""), (70, 640, 1552, ""), (40, 1280, 272, "3x")],
)
def test_a_row_comes_once(m: int, k: int, n: int, batch: str, chip: str) -> None:
    """One tile a core, several, columns of which the last tile has fewer, several matrices."""
    program = program_of(m, k, n, BIAS, chip, batch)
    assert rows_loaded(program) == (1, 0)
    assert is_right(program)


@pytest.mark.parametrize("chip", CHIPS)
def test_both_tables(chip: str) -> None:
    program = program_of(128, 768, 1536, PRELU, chip)
    assert rows_loaded(program) == (2, 0)
    assert is_right(program, prelu=True)


@pytest.mark.parametrize("n", [1000, 33024])
def test_others_come_with_their_tiles(n: int) -> None:
    """Those that are no whole blocks, and long ones."""
    program = program_of(64, 512, n, BIAS, "ascend910b")
    assert rows_loaded(program) == (0, 1)
    assert is_right(program)


def test_operands_do_not_wait_for_it() -> None:
    """Nor it for them: a bias costs next to nothing, though HBM is busy for 2 us with the first operands."""
    text = "graph @f(%x: tensor<512x1024xf16>, %w: tensor<1024x4096xf16> {weight}) {\n%y = matmul(%x, %w)\nreturn %y\n}"
    plain = ascend_opt.compile(text, target="ascend910b", tune=1).time().total_us
    assert program_of(512, 1024, 4096, BIAS, "ascend910b").time().total_us <= 1.02 * plain

"""A product of 8192 x 8192 x 8192 from f16 to f32 and its GELU, apart and in one launch (matmul_gelu_high_performance).

Fused, a Cube core writes a block of 128 x 256 to GM and tells the two Vector cores beside it, which read 64 rows each,
most likely from L2. How the kernel of GELU alone is cut is not described for this chip; here a core has tiles of 8192
elements in a row, in two buffers.
"""

from collections.abc import Iterator

from ascend_programs import Program
from xdsl.ir import SSAValue

from fidelity.point import CHIP, Case, Long, Point, chip, launched, program, whole
from fidelity.products import SIDE, N, Plan, Product

PLAN = Plan(8, 4, unit_flag=True, output="f32", loads=4)
TILE = 8192
KI = 1024


def cases() -> Iterator[Case]:
    yield Long(_product_alone)
    yield _gelu_alone
    yield Long(_both)


def _product_alone() -> Iterator[Point]:
    p = program(24, "aic")
    Product(p, PLAN).build()
    alone = launched(p)[0]
    name = "Matmul 8192 to f32"
    yield whole(name, 4227.61, alone, 0.12)
    for pipe, published in (("M", 3083.2), ("MTE1", 2516.08), ("MTE2", 3685.71), ("FIX", 193.7)):
        yield Point(f"{name}, {pipe}", published, alone.pipes[pipe].active_us, "us", 0.2)


def _gelu_alone() -> Iterator[Point]:
    alone = launched(gelu())[0]
    yield whole("GELU 8192x8192 f32", 369.83, alone, 0.12)
    yield Point("GELU 8192x8192 f32, MTE2", 316.67, alone.pipes["MTE2"].active_us, "us", 0.2)


def _both() -> Iterator[Point]:
    both = launched(_fused())[0]
    name = "Matmul and GELU"
    yield whole(name, 4236.94, both, 0.12)
    for pipe, published in (
        ("aic M", 3083.24),
        ("aic MTE1", 2520.85),
        ("aic MTE2", 3687.84),
        ("aic FIX", 193.93),
        ("aiv V", 174.33),
        ("aiv MTE2", 90.32),
        ("aiv MTE3", 66.37),
    ):
        yield Point(f"{name}, {pipe}", published, both.pipes[pipe].active_us, "us", 0.2)


def rewritten(p: Program, piece: SSAValue, x: SSAValue, y: SSAValue, rows: int) -> None:
    """So many rows of GM are read to `x`, and what `formula` gives of them is written in their place from `y`."""
    p.wait("V", "MTE2")
    p.copy(piece, p.view(x, (rows, N)))
    p.flag("MTE2", "V")
    p.wait("MTE3", "V")
    formula(p, x, y)
    p.set("V", "MTE2")
    p.flag("V", "MTE3")
    p.copy(p.view(y, (rows, N)), piece)
    p.set("MTE3", "V")


def formula(p: Program, x: SSAValue, y: SSAValue) -> None:
    """y = x / (1 + exp(-1.595769 (x + 0.044715 x^3))), each instruction after the one before."""
    for name, sources, scalar in (
        ("vmul", (x, x), None),
        ("vmul", (y, x), None),
        ("vmuls", (y,), 0.044715),
        ("vadd", (x, y), None),
        ("vmuls", (y,), -1.595769),
        ("vexp", (y,), None),
        ("vadds", (y,), 1.0),
        ("vdiv", (x, y), None),
    ):
        p.vec(name, *sources, to=y, scalar=scalar)
        p.barrier("V")


def gelu(on: str = CHIP) -> Program:
    """GELU of 8192 x 8192 f32, tile by tile, in two buffers, on all Vector cores of a chip."""
    cores, slots = chip(on).vector_cores, 2
    p = program(cores, "aiv", on)
    x, y = p.input("x", (SIDE * SIDE,), "f32"), p.output("y", (SIDE * SIDE,), "f32")
    a = p.buffer("a", "ub", (TILE,), 0, 32 * KI, dtype="f32")
    b = p.buffer("b", "ub", (TILE,), 64 * KI, 96 * KI, dtype="f32")
    for slot in range(slots):
        p.set("V", "MTE2", slot)
        p.set("MTE3", "V", slot)
    with p.loop(SIDE * SIDE // TILE, start=p.block_idx(), step=cores) as tile:
        turn = p.rem(p.div(tile, cores), slots)
        at = p.times(tile, TILE)
        source, result = p.view(a, (TILE,), (1,), slot=turn), p.view(b, (TILE,), (1,), slot=turn)
        p.wait("V", "MTE2", turn)
        p.copy(p.view(x, (TILE,), (1,), offset=at), source)
        p.flag("MTE2", "V", turn)
        p.wait("MTE3", "V", turn)
        formula(p, source, result)
        p.set("V", "MTE2", turn)
        p.flag("V", "MTE3", turn)
        p.copy(result, p.view(y, (TILE,), (1,), offset=at))
        p.set("MTE3", "V", turn)
    for slot in range(slots):
        p.wait("V", "MTE2", slot)
        p.wait("MTE3", "V", slot)
    return p


def _fused() -> Program:
    """Vector cores go through the blocks of their Cube core in the order in which it stores them; one buffer each."""
    p = program(24, "aic")
    Product(p, PLAN, after=lambda: p.cross_set("FIX")).build()
    _, _, c = p.beside(48)
    rows = PLAN.m // 2
    x = p.buffer("x", "ub", (rows * N,), 0, dtype="f32")
    y = p.buffer("y", "ub", (rows * N,), 64 * KI, dtype="f32")
    block = p.block_idx()
    group, half = p.div(block, 2), p.rem(block, 2)
    column = p.times(p.div(group, PLAN.groups), PLAN.columns)
    columns = p.minimum(p.minus(SIDE, column), PLAN.columns)
    height = PLAN.rows
    row = p.plus(p.times(p.rem(group, PLAN.groups), height), p.times(half, rows))
    p.set("V", "MTE2")
    p.set("MTE3", "V")
    with p.loop(columns, step=N) as n, p.loop(height, step=PLAN.m) as m:
        at = p.plus(p.times(p.plus(row, m), SIDE), p.plus(column, n))
        piece = p.view(c, (rows, N), (SIDE, 1), offset=at)
        p.cross_wait()
        rewritten(p, piece, x, y, rows)
    p.wait("V", "MTE2")
    p.wait("MTE3", "V")
    return p

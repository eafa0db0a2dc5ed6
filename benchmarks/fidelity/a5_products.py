"""Products of 8192 x 8192 x 8192 in f16 on the Cube cores of a 950PR, alone and with the GELU of their result
(matmul_high_performance, matmul_gelu_high_performance), and GELU alone (gelu_high_performance).

Blocks are 256 x 256 x 64 (m, n, k). 32 cores are dealt as 4 groups of 2048 rows by 8 columns of 1024, in case 2 as 2 of
4096 by 16 of 512. How much of the left operand case 4 keeps in L1 is chosen by the library and not published: here as
many blocks as on the 910B1. Fused, each of the two Vector cores beside a Cube core has 128 rows of a block, here in two
halves: what the example keeps in UB is as large as all of it. GELU's instructions are one vector function, but in its
case 0, where each is one.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from ascend_programs import Program
from xdsl.context import Context
from xdsl.ir import SSAValue

from ascend_opt.passes.ascend_join_vectors import AscendJoinVectors
from ascend_opt.runtime.profile.profile import KernelProfile
from fidelity.a5 import CHIP
from fidelity.fusion import formula, gelu, rewritten
from fidelity.point import Case, Long, Point, launched, program, whole
from fidelity.products import KI, SIDE, N, Plan, Product, rows

CORES = 32
M, HALF = 256, 64
CASES = (
    (2, Plan(1, 1, unit_flag=True, m=M, groups=2, columns=512), (4294.62, 2788.78, 707.59, 3540.65, 141.88)),
    (3, Plan(1, 1, unit_flag=True, m=M, columns=1024), (4332.56, 2774.21, 703.9, 3582.25, 144.53)),
    (4, Plan(2, 4, m=M, columns=1024), (2668.22, 2571.07, 799.38, 2531.91, 33.86)),
    (5, Plan(4, 4, m=M, columns=1024), (2591.37, 2547.05, 834.31, 1926.36, 35.44)),
    (6, Plan(4, 4, rounds=2, m=M, columns=1024), (2589.89, 2547.52, 826.43, 1879.03, 33.26)),
    (8, Plan(4, 4, rounds=2, unit_flag=True, m=M, columns=1024), (2558.16, 2549.66, 835.58, 1900.32, 213.79)),
)
"""Cases of the example on all cores, µs: task, M, MTE1, MTE2, FIX."""
LESS_SCALAR = 2589.09
"""µs of case 7."""
SHORT = (5, 8)
"""Cases that take no more than seconds, with and without unit flags."""
FUSED = Plan(4, 4, unit_flag=True, output="f32", m=M, columns=1024)


def cases() -> Iterator[Case]:
    for row in CASES:
        one = partial(_case, *row)
        yield one if row[0] in SHORT else Long(one)
    yield partial(_gelu_alone, 0, False, (351.53, 147.9, 320.28, 303.65))
    yield partial(_gelu_alone, 1, True, (348.87, 66.28, 320.54, 314.55))
    yield Long(_product_alone)
    yield Long(_through_gm)
    yield _through_ub


def _case(number: int, plan: Plan, published: tuple[float, ...]) -> Iterator[Point]:
    p = program(CORES, "aic", CHIP)
    if plan.left == 1:
        block = p.block_idx()
        row = p.times(p.rem(block, plan.groups), plan.rows)
        column = p.times(p.div(block, plan.groups), plan.columns)
        Product(p, plan, pieces=1).step_by_step(row, column, plan.rows, plan.columns)
    else:
        Product(p, plan).build()
    kernel = launched(p)[0]
    yield from rows(f"950: Matmul {SIDE}, case {number}", published, kernel, on=CHIP)
    if number == 6:
        one = whole(f"950: Matmul {SIDE}, case 7", LESS_SCALAR, kernel, 0.1, on=CHIP)
        yield replace(one, aside="its program is that of case 6 here, with less for the scalar unit")


def _pipes(name: str, kernel: KernelProfile, published: dict[str, float]) -> Iterator[Point]:
    for pipe, one in published.items():
        bar = 0.5 if pipe.endswith(("MTE3", "FIX")) else 0.2
        yield Point(f"{name}, {pipe}", one, kernel.pipes[pipe].active_us, "us", bar)


def _joined(p: Program) -> KernelProfile:
    """The launch of a program whose Vector instructions are joined."""
    AscendJoinVectors(CHIP).apply(Context(), p.module())
    return launched(p)[0]


def _gelu_alone(number: int, joined: bool, published: tuple[float, ...]) -> Iterator[Point]:
    p = gelu(CHIP)
    kernel = _joined(p) if joined else launched(p)[0]
    name = f"950: GELU {SIDE}x{SIDE} f32, case {number}"
    yield whole(name, published[0], kernel, 0.1, on=CHIP)
    yield from _pipes(name, kernel, dict(zip(("V", "MTE2", "MTE3"), published[1:], strict=True)))


def _product_alone() -> Iterator[Point]:
    p = program(CORES, "aic", CHIP)
    Product(p, FUSED).build()
    published = 2601.31, 2593.26, 816.91, 1875.06, 252.16
    yield from rows(f"950: Matmul {SIDE} to f32", published, launched(p)[0], on=CHIP)


def _blocks(p: Program) -> Iterator[SSAValue]:
    """The first element of each half of a Vector core's rows in every block of its Cube core's, in order; the loop over
    the blocks is around what the caller adds."""
    block = p.block_idx()
    group, half = p.div(block, 2), p.rem(block, 2)
    column = p.times(p.div(group, FUSED.groups), FUSED.columns)
    row = p.plus(p.times(p.rem(group, FUSED.groups), FUSED.rows), p.times(half, 2 * HALF))
    with p.loop(FUSED.columns, step=N) as n, p.loop(FUSED.rows, step=M) as m:
        p.cross_wait()
        for i in range(2):
            yield p.plus(p.times(p.plus(p.plus(row, m), i * HALF), SIDE), p.plus(column, n))


def _through_gm() -> Iterator[Point]:
    p = program(CORES, "aic", CHIP)
    Product(p, FUSED, after=lambda: p.cross_set("FIX")).build()
    _, _, c = p.beside(2 * CORES)
    x = p.buffer("x", "ub", (HALF * N,), 0, dtype="f32")
    y = p.buffer("y", "ub", (HALF * N,), 64 * KI, dtype="f32")
    p.set("V", "MTE2")
    p.set("MTE3", "V")
    for at in _blocks(p):
        rewritten(p, p.view(c, (HALF, N), (SIDE, 1), offset=at), x, y, HALF)
    p.wait("V", "MTE2")
    p.wait("MTE3", "V")
    kernel = _joined(p)
    name = "950: Matmul and GELU through GM"
    yield whole(name, 2606.91, kernel, 0.1, on=CHIP)
    cube = {"aic M": 2597.86, "aic MTE1": 818.78, "aic MTE2": 1917.74, "aic FIX": 252.23}
    yield from _pipes(name, kernel, cube | {"aiv V": 59.9, "aiv MTE2": 57.15, "aiv MTE3": 50.52})


def _through_ub() -> Iterator[Point]:
    """FixPipe moves half of a block to the UB of each Vector core; nothing tells it that they have read the last."""
    p = program(CORES, "aic", CHIP)
    landed = p.group("landed", "ub", (N // 16, M // 2, 16), 0, "f32")
    product = Product(p, FUSED, after=lambda: p.cross_set("FIX"))
    product.landed = landed
    product.build()
    x, _, _, c = p.beside(2 * CORES)
    y = p.buffer("y", "ub", (HALF * N,), 128 * KI, dtype="f32")
    p.set("MTE3", "V")
    for i, at in enumerate(_blocks(p)):
        p.wait("MTE3", "V")
        formula(p, p.view(x, (HALF * N,), (1,), offset=i * HALF * N), y)
        p.flag("V", "MTE3")
        p.copy(p.view(y, (HALF, N)), p.view(c, (HALF, N), (SIDE, 1), offset=at))
        p.set("MTE3", "V")
    p.wait("MTE3", "V")
    kernel = _joined(p)
    name = "950: Matmul and GELU on chip"
    yield whole(name, 2573.58, kernel, 0.1, on=CHIP)
    cube = {"aic M": 2565.25, "aic MTE1": 819.93, "aic MTE2": 2096.38, "aic FIX": 212.4}
    yield from _pipes(name, kernel, cube | {"aiv V": 60.44, "aiv MTE3": 68.76})

"""Products of 8192 x 8192 x 8192 in f16 on the Cube cores of a 950PR, alone and with the GELU of their result
(matmul_high_performance, matmul_gelu_high_performance), and GELU alone (gelu_high_performance).

Blocks are 256 x 256 x 64 (m, n, k). 32 cores are dealt as 4 groups of 2048 rows by 8 columns of 1024; in case 2 as 2 of
4096 by 16 of 512. How much of the left operand case 4 keeps in L1 is chosen by the library and not published: here as
many blocks as on the 910B1.
"""

from collections.abc import Iterator

from ascend_programs import Program

from fidelity.a5 import CHIP
from fidelity.point import Point, launched
from fidelity.products import SIDE, Plan, Product, rows

CORES = 32
CASES = {
    2: Plan(1, 1, unit_flag=True, m=256, groups=2, columns=512),
    3: Plan(1, 1, unit_flag=True, m=256, columns=1024),
    4: Plan(2, 4, m=256, columns=1024),
    5: Plan(4, 4, m=256, columns=1024),
    6: Plan(4, 4, rounds=2, m=256, columns=1024),
    8: Plan(4, 4, rounds=2, unit_flag=True, m=256, columns=1024),
}
PUBLISHED = {
    2: (4294.62, 2788.78, 707.59, 3540.65, 141.88),
    3: (4332.56, 2774.21, 703.9, 3582.25, 144.53),
    4: (2668.22, 2571.07, 799.38, 2531.91, 33.86),
    5: (2591.37, 2547.05, 834.31, 1926.36, 35.44),
    6: (2589.89, 2547.52, 826.43, 1879.03, 33.26),
    8: (2558.16, 2549.66, 835.58, 1900.32, 213.79),
}


def points() -> Iterator[Point]:
    for case, plan in CASES.items():
        p = Program(cores=CORES, target=CHIP, core="aic")
        if plan.left == 1:
            block = p.block_idx()
            row = p.times(p.rem(block, plan.groups), plan.rows)
            column = p.times(p.div(block, plan.groups), plan.columns)
            Product(p, plan, pieces=1).step_by_step(row, column, plan.rows, plan.columns)
        else:
            Product(p, plan).build()
        yield from rows(f"950: Matmul {SIDE}, case {case}", PUBLISHED[case], launched(p)[0], chip=CHIP)

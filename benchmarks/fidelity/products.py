"""Products of 8192 x 8192 x 8192 in f16 on Cube cores (matmul_high_performance, matmul_basic_api_high_performance).

Blocks are 128 x 256 x 64 (m, n, k); the right operand lies transposed, as [n, k]. Cores are dealt as 4 rows of 2048 by
6 columns of 1536, so that the last column has 512 and the busiest core 1.125 times the mean load. Those of the 950PR
are in a5_products.py.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from ascend_programs import Index, Program
from xdsl.ir import SSAValue

from ascend_opt.dialects.ascend import FixpipeOp
from ascend_opt.runtime.profile.profile import KernelProfile
from fidelity.point import CHIP, Case, Long, Point, chip, launched, program, whole

SIDE = 8192
N, K = 256, 64
STEPS = SIDE // K
KI = 1024


@dataclass(frozen=True)
class Plan:
    """Blocks of k in one piece of each operand in L1 (two pieces each), rounds over the rows, unit flag, type of the
    result, instructions that load a block of the right operand to L0B, rows of a block, and how cores are dealt: in
    `groups` of rows, each core with `columns` columns."""

    left: int
    right: int
    rounds: int = 1
    unit_flag: bool = False
    output: str = "f16"
    loads: int = 1
    m: int = 128
    groups: int = 4
    columns: int = 1536

    @property
    def rows(self) -> int:
        """Rows of a core in a round."""
        return SIDE // self.groups // self.rounds


CASES = (
    (4, Plan(2, 4), (5039.86, 3116.47, 2332.91, 4051.46, 44.75)),
    (5, Plan(8, 4), (4156.76, 3352.09, 2750.45, 3778.56, 47.85)),
    (8, Plan(8, 4, rounds=2, unit_flag=True), (4012.44, 3076.4, 2533.51, 3435.58, 272.58)),
)
"""Cases of the example on all cores, µs: task, M, MTE1, MTE2, FIX."""


def cases() -> Iterator[Case]:
    yield _alone
    *others, last = CASES
    for row in others:
        yield Long(partial(_case, *row))
    yield partial(_case, *last)


def _case(number: int, plan: Plan, published: tuple[float, ...]) -> Iterator[Point]:
    p = program(24, "aic")
    Product(p, plan).build()
    yield from rows(f"Matmul 8192, case {number}", published, launched(p)[0])


def rows(
    name: str, published: tuple[float, ...], kernel: KernelProfile, scale: float = 1.0, on: str = CHIP
) -> Iterator[Point]:
    """A point for the task and one for each pipe. Profilers count what FixPipe waits for."""
    note = (
        f"a {round(scale)}th of the blocks, scaled" if scale > 1 else f"L2 hit rate {kernel.l2_hit_rate:.3f}"
    )
    yield whole(name, published[0], kernel, 0.12 if on == CHIP else 0.1, note, scale, on)
    for pipe, one in zip(("M", "MTE1", "MTE2", "FIX"), published[1:], strict=True):
        bar = 0.2 if on == CHIP or pipe != "FIX" else 0.6
        yield Point(f"{name}, {pipe}", one, kernel.pipes[pipe].active_us * scale, "us", bar)


def _alone() -> Iterator[Point]:
    """Case 1: one core, one piece of a block in L1 and L0; a 128th of the blocks, of operands that L2 holds."""
    plan, turns, columns = Plan(1, 1, unit_flag=True), 8, 2
    p = Program(cores=1, target=chip(CHIP), core="aic", launches=2)
    product = Product(p, plan, pieces=1)
    product.step_by_step(0, 0, turns * plan.m, columns * N)
    scale = (SIDE // plan.m) * (SIDE // N) / (turns * columns)
    published = 249467.08, 81477.19, 52003.7, 195613.43, 11313.75
    yield from rows("Matmul 8192, case 1", published, launched(p)[1], scale)


class Product:
    """The kernel's buffers, and its steps."""

    def __init__(self, p: Program, plan: Plan, pieces: int = 2, after: Callable[[], None] = lambda: None):
        """`pieces` of each operand in L1 and L0; `after` is called where a block of the result has been stored."""
        self.p, self.plan = p, plan
        m = plan.m
        self.after = after
        self.landed: SSAValue | None = None
        """Where blocks of the result go in the UB of both Vector cores beside, half of the rows each; None: to GM."""
        self.a, self.b = p.input("a", (SIDE, SIDE)), p.input("b", (SIDE, SIDE))
        self.c = p.output("c", (SIDE, SIDE), plan.output)
        sizes = m * K * 2 * plan.left, N * K * 2 * plan.right
        places = [(base, base + size)[:pieces] for base, size in zip((0, 256 * KI), sizes, strict=True)]
        self.a1 = p.buffer("a1", "l1", (plan.left * K // 16, m, 16), *places[0])
        self.b1 = p.buffer("b1", "l1", (plan.right * K // 16, N, 16), *places[1])
        self.a2 = p.buffer("a2", "l0a", (m // 16, K // 16, 16, 16), *(0, 32 * KI)[:pieces])
        self.b2 = p.buffer("b2", "l0b", (K // 16, N // 16, 16, 16), *(0, 32 * KI)[:pieces])
        self.acc = p.buffer("acc", "l0c", (N // 16, m, 16), 0, dtype="f32")

    def build(self) -> None:
        """All tiles of a core, column by column; its rounds over the rows."""
        p, plan = self.p, self.plan
        block = p.block_idx()
        column = p.times(p.div(block, plan.groups), plan.columns)
        columns = p.minimum(p.minus(SIDE, column), plan.columns)
        for event in range(4):
            p.set("MTE1", "MTE2", event)
        for event in range(2):
            p.set("M", "MTE1", event)
        if not plan.unit_flag:
            p.set("FIX", "M")
        with p.loop(plan.rounds) as turn:
            row = p.plus(p.times(p.rem(block, plan.groups), plan.rows), p.times(turn, SIDE // plan.rounds))
            with p.loop(columns, step=N) as n, p.loop(plan.rows, step=plan.m) as m:
                self._tile(p.plus(row, m), p.plus(column, n))
        if not plan.unit_flag:
            p.wait("FIX", "M")
        for event in range(2):
            p.wait("M", "MTE1", event)
        for event in range(4):
            p.wait("MTE1", "MTE2", event)

    def step_by_step(self, row: Index, column: Index, rows: int, columns: int) -> None:
        """So many rows and columns from these on, with one piece of each operand in L1 and L0, so that each step of k
        waits for the one before."""
        p = self.p
        for source, destination in (("MTE1", "MTE2"), ("M", "MTE1")):
            p.set(source, destination)
        with p.loop(columns, step=N) as n, p.loop(rows, step=self.plan.m) as m:
            at = p.plus(row, m), p.plus(column, n)
            with p.loop(STEPS) as k:
                p.wait("MTE1", "MTE2")
                self.fetch_left(at[0], k, 0)
                self.fetch_right(at[1], k, 0)
                p.flag("MTE2", "MTE1")
                p.wait("M", "MTE1")
                self.load(0, 0, 0, 0, 0)
                p.set("MTE1", "MTE2")
                p.flag("MTE1", "M")
                self.multiply(0, p.compare("eq", k, 0), p.compare("eq", k, STEPS - 1))
                p.set("M", "MTE1")
            self.store(*at)
        for source, destination in (("MTE1", "MTE2"), ("M", "MTE1")):
            p.wait(source, destination)

    def _tile(self, row: Index, column: Index) -> None:
        """All of k for one block of the result; pieces of both operands alternate, two times the longer one a turn."""
        p, plan = self.p, self.plan
        self._piece_left(row, 0, 0)
        self._piece_right(column, 0, 0)
        if not plan.unit_flag:
            p.wait("FIX", "M")
        turn = 2 * max(plan.left, plan.right)
        with p.loop(STEPS, step=turn) as k:
            for i in range(turn):
                self._step(row, column, k, i)
        if not plan.unit_flag:
            p.flag("M", "FIX")
        self.store(row, column)
        self.after()
        if not plan.unit_flag:
            p.set("FIX", "M")

    def _step(self, row: Index, column: Index, k: SSAValue, i: int) -> None:
        """Step `i` of a turn that begins at step `k`."""
        p, plan = self.p, self.plan
        slot = i % 2
        left, right = i // plan.left % 2, i // plan.right % 2
        p.wait("M", "MTE1", slot)
        if i % plan.left == 0:
            p.wait("MTE2", "MTE1", left)
        if i % plan.right == 0:
            p.wait("MTE2", "MTE1", 2 + right)
        self.load(slot, left, i % plan.left, right, i % plan.right)
        if (i + 1) % plan.left == 0:
            p.set("MTE1", "MTE2", left)
        if (i + 1) % plan.right == 0:
            p.set("MTE1", "MTE2", 2 + right)
        p.flag("MTE1", "M", slot)
        at = p.plus(k, i)
        self.multiply(slot, p.compare("eq", at, 0), p.compare("eq", at, STEPS - 1))
        p.set("M", "MTE1", slot)
        for size, fetch, base in (
            (plan.right, self._piece_right, column),
            (plan.left, self._piece_left, row),
        ):
            following = i // size + 1
            if i == 0:  # the second piece has room at once
                with p.when(p.compare("eq", k, 0)):
                    fetch(base, size, 1)
            if (i + 1) % size == 0:  # the piece just used makes room for the one after the next
                after = p.plus(k, (following + 1) * size)
                with p.when(p.compare("ult", after, STEPS)):
                    fetch(base, after, (following + 1) % 2)

    def _piece_left(self, row: Index, k: Index, slot: int) -> None:
        self.p.wait("MTE1", "MTE2", slot)
        self.fetch_left(row, k, slot)
        self.p.set("MTE2", "MTE1", slot)

    def _piece_right(self, column: Index, k: Index, slot: int) -> None:
        self.p.wait("MTE1", "MTE2", 2 + slot)
        self.fetch_right(column, k, slot)
        self.p.set("MTE2", "MTE1", 2 + slot)

    def fetch_left(self, row: Index, k: Index, slot: int) -> None:
        self._fetch(self.a, self.a1, (self.plan.m, self.plan.left * K), row, k, slot)

    def fetch_right(self, column: Index, k: Index, slot: int) -> None:
        self._fetch(self.b, self.b1, (N, self.plan.right * K), column, k, slot)

    def _fetch(
        self, tensor: SSAValue, to: SSAValue, shape: tuple[int, int], row: Index, k: Index, slot: int
    ) -> None:
        """Rows of `tensor` from step `k` on, turned to NZ on the way."""
        p = self.p
        at = p.plus(p.times(row, SIDE), p.times(k, K))
        rows, width = shape
        piece = p.view(to, (width // 16, rows, 16), (rows * 16, 16, 1), slot=slot)
        p.copy(p.view(tensor, shape, (SIDE, 1), offset=at), piece, nd2nz=True)

    def load(self, slot: int, left: int, left_step: int, right: int, right_step: int) -> None:
        """Block `left_step` of a piece of the left operand and one of the right operand."""
        p, m = self.p, self.plan.m
        a1 = p.view(self.a1, (K // 16, m, 1, 16), (m * 16, 16, 16, 1), offset=left_step * m * K, slot=left)
        p.load3d(a1, p.view(self.a2, (m // 16, K // 16, 16, 16), slot=slot))
        size = K * N // self.plan.loads
        fractals = (size // 256, 16, 16)
        for at in range(0, K * N, size):
            b1 = p.view(self.b1, fractals, offset=right_step * K * N + at, slot=right)
            p.load2d(b1, p.view(self.b2, fractals, offset=at, slot=slot))

    def multiply(self, slot: int, first: SSAValue, last: SSAValue) -> None:
        p, m = self.p, self.plan.m
        a = p.view(self.a2, (m // 16, K // 16, 16, 16), slot=slot)
        b = p.view(self.b2, (K // 16, N // 16, 16, 16), slot=slot)
        p.mmad(a, b, self.acc, m, N, K, init=first, unit=last if self.plan.unit_flag else None)

    def store(self, row: Index, column: Index) -> None:
        p = self.p
        if self.landed is not None:
            p.add(FixpipeOp(self.acc, self.landed, unit_flag=True, split=1))
            return
        at = p.plus(p.times(row, SIDE), column)
        p.fixpipe(
            self.acc, p.view(self.c, (self.plan.m, N), (SIDE, 1), offset=at), unit_flag=self.plan.unit_flag
        )

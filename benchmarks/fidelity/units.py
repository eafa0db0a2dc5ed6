"""Single instructions: Vector, Cube, loads of L0, FixPipe."""

from collections.abc import Iterator
from functools import partial

from fidelity.point import Case, Point, active, cycles, program, timed

TIMES = 100


def cases() -> Iterator[Case]:
    for row in SUMS:
        yield partial(_sum, *row)
    for row in PRODUCTS:
        yield partial(_product, *row)
    for row in LOADS:
        yield partial(_load, *row)
    yield partial(_block, True, "apart", 429.0)
    yield partial(_block, False, "together", 367.0)
    yield _fixpipe


Strided = tuple[tuple[int, ...], tuple[int, ...]]
"""Sizes and strides of an operand."""
PLAIN: Strided = (64, 8, 8), (64, 8, 1)
SUMS = (
    ("no conflict", 86.0, PLAIN, (0, 0x10100, 0x20000)),
    ("both sources in one bank", 150.0, PLAIN, (0, 0x4000, 0x10000)),
    ("both sources in one bank group", 150.0, PLAIN, (0, 0x10000, 0x14100)),
    ("source and result in step in one bank", 86.0, PLAIN, (0, 0x10100, 0x4000)),
    ("source and result in one bank", 135.0, PLAIN, (0, 0x10100, 0x4020)),
    ("result over its source", 86.0, PLAIN, (0, 0x10100, 0x10100)),
    ("one block a repeat, 32 B apart", 129.0, ((64, 8, 8), (8, 0, 1)), (0, 0x10100, 0x10100)),
    ("one block a repeat, 256 B apart", 86.0, ((64, 8, 8), (64, 0, 1)), (0, 0x10100, 0x10100)),
)
"""Where the operands are, cycles, the first source, addresses in UB."""


def _sum(name: str, published: float, first: Strided, addresses: tuple[int, int, int]) -> Iterator[Point]:
    """f32 Add of 64 repeats, again and again, each waiting for the one before (bank_conflict_ub)."""
    p = program(1, "aiv")
    ub = p.buffer("ub", "ub", (196608 // 4,), 0, dtype="f32")
    a = p.view(ub, *first, offset=addresses[0] // 4)
    b = p.view(ub, *PLAIN, offset=addresses[1] // 4)
    c = p.view(ub, *PLAIN, offset=addresses[2] // 4)
    with p.loop(TIMES):
        p.vec("vadd", a, b, to=c)
        p.barrier("V")
    predicted = cycles(timed(p).kernels[0].time_us) / TIMES
    yield Point(f"Add f32 x 64, {name}", published, predicted, "cyc", 0.07)


PRODUCTS = ((64, 64, 64, 1, 125.0), (128, 256, 64, 1, 575.0), (128, 256, 64, 100, 521.0))
"""m, n, k, how many back to back, cycles of one."""


def _product(m: int, n: int, k: int, together: int, published: float) -> Iterator[Point]:
    """mmad in f16, alone and back to back (matmul_high_performance)."""
    p = program(1, "aic")
    a = p.buffer("a", "l0a", (m // 16, k // 16, 16, 16), 0)
    b = p.buffer("b", "l0b", (k // 16, n // 16, 16, 16), 0)
    c = p.buffer("c", "l0c", (n // 16, m, 16), 0, dtype="f32")
    with p.loop(together):
        p.mmad(a, b, c, m, n, k)
    profile = timed(p)
    alone = together == 1
    predicted = cycles(active(profile, "M") if alone else profile.kernels[0].time_us / together)
    which = "alone" if alone else "back to back"
    yield Point(f"mmad {m}x{n}x{k} {which}", published, predicted, "cyc", 0.07)


LOADS = (("l0a", 16, 92.0), ("l0b", 32, 284.0))
"""Where to, KB, cycles."""


def _load(space: str, kib: int, published: float) -> Iterator[Point]:
    """Latency and rate of LoadData2D (tests/perf)."""
    p = program(1, "aic")
    source = p.buffer("x", "l1", (2 * kib, 16, 16), 0)
    p.load2d(source, p.buffer("y", space, (2 * kib, 16, 16), 0))
    predicted = cycles(active(timed(p), "MTE1"))
    yield Point(f"load2d {kib} KB to {space}", published, predicted, "cyc", 0.07)


def _block(waits: bool, name: str, published: float) -> Iterator[Point]:
    """MTE1 for a block of 128 x 256 x 64."""
    p = program(1, "aic")
    left = p.buffer("a", "l1", (4, 128, 1, 16), 0)
    right = p.buffer("b", "l1", (16, 64, 1, 16), 65536)
    a = p.buffer("l0a", "l0a", (8, 4, 16, 16), 0)
    b = p.buffer("l0b", "l0b", (4, 16, 16, 16), 0)
    with p.loop(TIMES):
        p.load3d(left, a)
        if waits:
            p.barrier("MTE1")
        p.load3d(right, b)
        p.barrier("MTE1")
    predicted = cycles(active(timed(p), "MTE1")) / TIMES
    yield Point(f"MTE1 of a block 128x256x64, {name}", published, predicted, "cyc", 0.07)


def _fixpipe() -> Iterator[Point]:
    """Tiles of 128 x 256 from L0C to GM, f32 to f16."""
    p = program(1, "aic")
    y = p.output("y", (TIMES * 128, 256))
    c = p.buffer("c", "l0c", (16, 128, 16), 0, dtype="f32")
    with p.loop(TIMES) as i:
        p.fixpipe(c, p.view(y, (128, 256), (256, 1), offset=p.times(i, 128 * 256)))
    predicted = cycles(timed(p).kernels[0].pipes["FIX"].busy_us) / TIMES
    yield Point("FixPipe 128x256 f32 to f16", 992.0, predicted, "cyc", 0.07)

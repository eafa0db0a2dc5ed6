"""Whole kernels on Vector cores: Add in six steps (add_high_performance), ND to NZ (bank_conflict_nd2nz)."""

from collections.abc import Iterator
from functools import partial

from ascend_programs import Index, Program
from xdsl.ir import SSAValue

from fidelity.point import Case, Point, active, program, timed, whole

SIDE = 8192


Places = tuple[tuple[int, ...], ...]
"""Addresses in UB of the slots of each operand."""
KI = 1024
PLAIN: Places = (0,), (32 * KI,), (64 * KI,)
TWO: Places = (0, 96 * KI), (32 * KI, 128 * KI), (64 * KI, 160 * KI)
SKEWED: Places = (0, 64 * KI), (32512, 64 * KI + 32512), (128 * KI, 128 * KI + 32512)
ADDS = (
    (1, 1, 4096, PLAIN, False, 6909.6, (761.65, 6208.8, 2613.2)),
    (2, 48, 4096, PLAIN, False, 306.58, (15.885, 215.485, 54.33)),
    (3, 48, 16384, PLAIN, False, 268.5, (12.845, 184.369, 57.354)),
    (4, 48, 16384, TWO, False, 264.02, (12.846, 250.528, 84.988)),
    (5, 48, 16384, TWO, True, 187.68, (12.846, 175.997, 160.291)),
    (6, 48, 16256, SKEWED, True, 184.52, (6.954, 171.611, 121.442)),
)
"""Cases of the example, 8192 x 8192 in f16: number, cores, tile, places, L2 bypassed, µs, µs of V, MTE2 and MTE3."""
QUEUED = "a pipe's time has waits for HBM in it that are not known apart"


def cases() -> Iterator[Case]:
    for row in ADDS:
        yield partial(_sum, *row)
    for pitch, published, vector in ((144, 151.42, 47.79), (145, 144.0, 7.133)):
        yield partial(_nd_to_nz, pitch, published, vector)


def _sum(
    case: int,
    cores: int,
    tile: int,
    places: Places,
    bypass: bool,
    published: float,
    pipes: tuple[float, ...],
) -> Iterator[Point]:
    share = 16 if cores == 1 else 1
    profile, name = timed(_add(cores, tile, places, bypass, share)), f"Add 8192x8192, case {case}"
    yield whole(name, published, profile.kernels[0], 0.12, scale=share)
    for pipe, one in zip(("V", "MTE2", "MTE3"), pipes, strict=True):
        yield Point(f"{name}, {pipe}", one, share * active(profile, pipe), "us", 3.0, aside=QUEUED)


def _add(cores: int, tile: int, places: Places, bypass: bool, share: int) -> Program:
    """Rows are dealt to the cores; with one slot a buffer is free for the next tile as soon as its reader is done."""
    p = program(cores, "aiv")
    x, y, z = p.input("x", (SIDE * SIDE,)), p.input("y", (SIDE * SIDE,)), p.output("z", (SIDE * SIDE,))
    a, b, c = (p.buffer(n, "ub", (tile,), *at) for n, at in zip("abc", places, strict=True))
    slots = len(places[0])
    block = p.block_idx()
    rows, rest = divmod(SIDE // share, cores)
    extra = p.minimum(block, rest)
    first = p.times(p.plus(p.times(block, rows), extra), SIDE)
    more = p.minus(p.minimum(p.plus(block, 1), rest), extra)
    size = p.times(p.plus(more, rows), SIDE)
    for slot in range(slots):
        p.set("V", "MTE2", slot)
        p.set("MTE3", "V", slot)
    with p.loop(size, step=tile) as at:
        turn: Index = p.rem(p.div(at, tile), slots)
        length = p.minimum(p.minus(size, at), tile)
        offset = p.plus(first, at)
        p.wait("V", "MTE2", turn)
        for source, to in ((x, a), (y, b)):
            p.copy(_run(p, source, length, offset), _slot(p, to, length, turn), bypass=bypass)
        p.flag("MTE2", "V", turn)
        p.wait("MTE3", "V", turn)
        p.vec("vadd", _slot(p, a, length, turn), _slot(p, b, length, turn), to=_slot(p, c, length, turn))
        p.set("V", "MTE2", turn)
        p.flag("V", "MTE3", turn)
        p.copy(_slot(p, c, length, turn), _run(p, z, length, offset))
        p.set("MTE3", "V", turn)
    for slot in range(slots):
        p.wait("V", "MTE2", slot)
        p.wait("MTE3", "V", slot)
    return p


def _run(p: Program, tensor: SSAValue, length: Index, offset: Index) -> SSAValue:
    return p.view(tensor, (length,), (1,), offset=offset)


def _slot(p: Program, buffer: SSAValue, length: Index, slot: Index) -> SSAValue:
    return p.view(buffer, (length,), (1,), slot=slot)


def _nd_to_nz(pitch: int, published: float, vector: float) -> Iterator[Point]:
    """8192 x 8192 in f16 by tiles of 144 x 128; columns of the result `pitch` blocks apart in UB."""
    profile = timed(_nz(pitch))
    note = " ".join(f"{pipe} {active(profile, pipe):.1f}" for pipe in ("MTE2", "MTE3"))
    yield whole(f"ND to NZ 8192x8192, pitch {pitch}", published, profile.kernels[0], 0.12, note)
    yield Point(f"ND to NZ 8192x8192, pitch {pitch}, V", vector, active(profile, "V"), "us", 0.12)


def _nz(pitch: int) -> Program:
    """6 x 8 cores; 57 rows of tiles, the last one of 128 rows."""
    height, width = 144, 128
    p = program(48, "aiv")
    x, y = p.input("x", (SIDE, SIDE)), p.output("y", (SIDE // 16, SIDE, 16))
    size, padded = height * width, (height - 1 + 7 * pitch + 2) * 16
    nd = p.buffer("nd", "ub", (size,), 0, 2 * size)
    nz = p.buffer("nz", "ub", (padded,), 4 * size, 4 * size + 2 * (padded - (16 if pitch == height else 0)))
    block = p.block_idx()
    down, across = p.div(block, 8), p.rem(block, 8)
    first = p.plus(p.times(down, 9), p.minimum(down, 3))
    count = p.plus(9, p.minus(p.minimum(p.plus(down, 1), 3), p.minimum(down, 3)))
    for slot in (0, 1):
        p.set("V", "MTE2", slot)
        p.set("MTE3", "V", slot)
    with p.loop(count) as i, p.loop(8) as j:
        slot = p.rem(j, 2)
        row = p.times(p.plus(first, i), height)
        column = p.times(p.plus(p.times(across, 8), j), width)
        rows = p.minimum(p.minus(SIDE, row), height)
        p.wait("V", "MTE2", slot)
        source = p.view(x, (rows, width), (SIDE, 1), offset=p.plus(p.times(row, SIDE), column))
        p.copy(source, p.view(nd, (rows, width), (width, 1), slot=slot))
        p.flag("MTE2", "V", slot)
        p.wait("MTE3", "V", slot)
        p.vec(
            "vcopy",
            p.view(nd, (rows, 8, 16), (width, 16, 1), slot=slot),
            to=p.view(nz, (rows, 8, 16), (16, pitch * 16, 1), slot=slot),
        )
        p.set("V", "MTE2", slot)
        p.flag("V", "MTE3", slot)
        length = p.times(rows, 16)
        to = p.view(y, (8, length), (SIDE * 16, 1), offset=p.plus(p.times(column, SIDE), p.times(row, 16)))
        p.copy(p.view(nz, (8, length), (pitch * 16, 1), slot=slot), to)
        p.set("MTE3", "V", slot)
    for slot in (0, 1):
        p.wait("V", "MTE2", slot)
        p.wait("MTE3", "V", slot)
    return p

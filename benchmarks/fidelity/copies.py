"""Reads of GM by all cores: size of a copy, alignment, reuse in L2, one address from many cores (data_copy)."""

from collections.abc import Iterator
from functools import partial

from ascend_programs import Index, Program

from ascend_opt.runtime.profile.profile import Profile
from fidelity.point import CHIP, Case, Point, active, launched, timed, whole
from fidelity.point import chip as chip_of

SIDE = 12288


def cases() -> Iterator[Case]:
    for row in SIZES:
        yield partial(once, *row)
    for row in REUSES:
        yield partial(reuse, *row)
    for row in SAME_ADDRESS:
        yield partial(same_address, *row)


class Reader(Program):
    """A kernel that reads tiles of one tensor into one buffer and does nothing with them."""

    def __init__(
        self,
        to: str,
        shape: tuple[int, int],
        rows: int,
        columns: int,
        bypass: bool = False,
        chip: str = CHIP,
    ):
        core = "aiv" if to == "ub" else "aic"
        target = chip_of(chip)
        super().__init__(cores=target.cores_of(core), target=target, core=core)
        self.x = self.input("x", shape)
        self.to, self.pitch, self.rows, self.bypass = to, shape[1], rows, bypass
        self.landing = self.buffer("landing", to, (rows * (-(-columns // 16) * 16),), 0)

    def tile(self, row: Index, column: Index, columns: int) -> None:
        """Read `columns` from (`row`, `column`) on."""
        at = self.plus(self.times(row, self.pitch), column)
        source = self.view(self.x, (self.rows, columns), (self.pitch, 1), offset=at)
        blocks = -(-columns // 16)
        if self.to == "ub":
            to = self.view(self.landing, (self.rows, columns), (blocks * 16, 1))
            self.copy(source, to, bypass=self.bypass)
        else:
            to = self.view(self.landing, (blocks, self.rows, 16), (self.rows * 16, 16, 1))
            self.copy(source, to, nd2nz=True, bypass=self.bypass)


def read_once(to: str, width: int, rows: int, columns: int, share: int = 1, chip: str = CHIP) -> Profile:
    """`SIDE` rows of `width` f16, tile by tile; with `share` so much less of them."""
    p = Reader(to, (SIDE, width), rows, columns, chip=chip)
    each = SIDE // p.kernel.core_count
    first = p.times(p.block_idx(), each)
    with p.loop(each // share, step=rows) as i:
        row = p.plus(first, i)
        with p.loop(width // columns * columns, step=columns) as column:
            p.tile(row, column, columns)
        if width % columns:
            p.tile(row, width // columns * columns, width % columns)
    return timed(p)


SIZES = (
    ("ub", 1, 64, SIDE, 564.84, 548.16, 16),
    ("ub", 64, 64, SIDE, 233.54, 220.77, 1),
    ("ub", 64, 1024, SIDE, 215.82, 202.66, 1),
    ("ub", 64, 1024, SIDE - 1, 275.3, 259.05, 1),
    ("l1", 64, 64, SIDE, 300.7, 283.51, 1),
    ("l1", 64, 256, SIDE, 230.24, 214.52, 1),
    ("l1", 64, 256, SIDE - 1, 438.76, 422.52, 1),
)
"""302 MB of f16, once: where to, rows and columns of a tile, width, µs, µs of MTE2, part of the rows that is run."""


def once(
    to: str, rows: int, columns: int, width: int, published: float, mte2: float, share: int, on: str = CHIP
) -> Iterator[Point]:
    """The points of one of `SIZES` on a chip."""
    profile = read_once(to, width, rows, columns, share, on)
    note = f"a {share}th of the rows, scaled" if share > 1 else ""
    name = f"{_of(on)}GM to {to.upper()} {rows}x{columns}" + (", pitch 24574 B" if width % 512 else "")
    yield whole(name, published, profile.kernels[0], 0.07, note, share, on)
    yield Point(f"{name}, MTE2", mte2, share * active(profile, "MTE2"), "us", 0.07, note)


REUSES = (("ub", 1, 828.06), ("ub", 4, 365.74), ("l1", 1, 899.34), ("l1", 4, 414.96))
"""302 MB four times: all of it each time, or each of 4 quarters of 75 MB four times."""


def reuse(to: str, parts: int, published: float, on: str = CHIP) -> Iterator[Point]:
    """The point of one of `REUSES` on a chip."""
    p = Reader(to, (SIDE, SIDE), 64, 1024, chip=on)
    each = SIDE // p.kernel.core_count
    first = p.times(p.block_idx(), each)
    with (
        p.loop(SIDE, step=SIDE // parts) as part,
        p.loop(4),
        p.loop(each, step=64) as row,
        p.loop(SIDE // parts, step=1024) as column,
    ):
        p.tile(p.plus(first, row), p.plus(part, column), 1024)
    profile = timed(p)
    what = "4 x 302 MB" if parts == 1 else "4 x 4 x 75 MB"
    note = f"L2 hit rate {profile.l2_hit_rate:.3f}"
    yield whole(f"{_of(on)}GM to {to.upper()} {what}", published, profile.kernels[0], 0.12, note, on=on)


SAME_ADDRESS = (
    ("ub", 128, False, 539.42),
    ("ub", 128, True, 328.88),
    ("l1", 256, False, 278.56),
    ("l1", 256, True, 221.34),
)
"""6144 x 512 read whole by every core, past L2: all in one order, or each from another place on (`rotated`)."""


def same_address(to: str, rows: int, rotated: bool, published: float, on: str = CHIP) -> Iterator[Point]:
    """The point of one of `SAME_ADDRESS` on a chip, each of whose cores has so many `rows` of the tensor."""
    height = rows * chip_of(on).cores_of("aiv" if to == "ub" else "aic")
    p = Reader(to, (height, 512), rows, 64, bypass=True, chip=on)
    cores = p.kernel.core_count
    block = p.block_idx()
    with p.loop(cores) as turn:
        at = p.rem(p.plus(turn, block), cores) if rotated else turn
        row = p.times(at, rows)
        with p.loop(512, step=64) as column:
            p.tile(row, column, 64)
    name = f"{_of(on)}GM to {to.upper()} {height}x512 by all, {'rotated' if rotated else 'in step'}"
    yield whole(name, published, launched(p)[0], 0.12, on=on)


def _of(chip: str) -> str:
    return "" if chip == CHIP else f"{chip.removeprefix('ascend')}: "

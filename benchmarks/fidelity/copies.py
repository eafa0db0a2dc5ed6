"""Reads of GM by all cores: size of a copy, alignment, reuse in L2, one address from many cores (data_copy)."""

from collections.abc import Iterator

from ascend_programs import Index, Program

from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.profile.profile import Profile
from fidelity.point import CHIP, Point, active, task, timed

SIDE = 12288
CORES = {"ub": 48, "l1": 24}


def points() -> Iterator[Point]:
    yield from _sizes()
    yield from _reuse()
    yield from _same_address()


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
        super().__init__(cores=load_target(chip).cores_of(core), target=chip, core=core)
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


def _sizes() -> Iterator[Point]:
    """302 MB of f16, once."""
    for to, rows, columns, width, published, mte2, share in (
        ("ub", 1, 64, SIDE, 564.84, 548.16, 8),
        ("ub", 64, 64, SIDE, 233.54, 220.77, 1),
        ("ub", 64, 1024, SIDE, 215.82, 202.66, 1),
        ("ub", 64, 1024, SIDE - 1, 275.3, 259.05, 1),
        ("l1", 64, 64, SIDE, 300.7, 283.51, 1),
        ("l1", 64, 256, SIDE, 230.24, 214.52, 1),
        ("l1", 64, 256, SIDE - 1, 438.76, 422.52, 1),
    ):
        profile = read_once(to, width, rows, columns, share)
        note = "an eighth of the rows, scaled" if share > 1 else ""
        name = f"GM to {to.upper()} {rows}x{columns}" + (", pitch 24574 B" if width % 512 else "")
        yield Point(name, published, task(profile, share), "us", 0.07, note)
        yield Point(f"{name}, MTE2", mte2, share * active(profile, "MTE2"), "us", 0.07, note)


def _reuse() -> Iterator[Point]:
    """302 MB four times: all of it each time, or quarters of 75 MB four times each."""
    for to, published in (("ub", (828.06, 365.74)), ("l1", (899.34, 414.96))):
        for parts, one in zip((1, 4), published, strict=True):
            p = Reader(to, (SIDE, SIDE), 64, 1024)
            each = SIDE // CORES[to]
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
            yield Point(
                f"GM to {to.upper()} {what}",
                one,
                task(profile),
                "us",
                0.12,
                f"L2 hit rate {profile.l2_hit_rate:.3f}",
            )


def _same_address() -> Iterator[Point]:
    """6144 x 512 read whole by every core, past L2: all in one order, or each from another place on."""
    for to, rows, published in (("ub", 128, (539.42, 328.88)), ("l1", 256, (278.56, 221.34))):
        for rotated, one in zip((False, True), published, strict=True):
            p = Reader(to, (6144, 512), rows, 64, bypass=True)
            cores = CORES[to]
            block = p.block_idx()
            with p.loop(cores) as turn:
                at = p.rem(p.plus(turn, block), cores) if rotated else turn
                row = p.times(at, rows)
                with p.loop(512, step=64) as column:
                    p.tile(row, column, 64)
            name = f"GM to {to.upper()} 6144x512 by all, {'rotated' if rotated else 'in step'}"
            yield Point(name, one, task(timed(p)), "us", 0.12)

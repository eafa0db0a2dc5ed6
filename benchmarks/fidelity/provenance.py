"""Where every number of the clock is from: published, derived from one figure, fitted to points, or assumed.

The target files say it in words. Here it stands for the page and for leaving points out: which points of this benchmark
a number was taken from, and what it would be without them (`prior`, from the source that `without` names).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from target_numbers import key_text, numbers

from ascend_opt.dialects.target import load_target


@dataclass(frozen=True)
class Source:
    """The source of some numbers of a target file, as patterns of their paths. `points`: those of the benchmark that
    they were taken from, or that say the same in other words. Numbers that were taken from points have one `prior`, and
    change together."""

    numbers: tuple[str, ...]
    kind: str
    origin: str
    points: tuple[str, ...] = ()
    prior: float | None = None
    without: str = ""

    def gives(self, name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in self.numbers)

    def names(self, chip: str) -> list[str]:
        """The numbers of a chip that have this source."""
        known = (key_text(key) for key, _ in numbers(load_target(chip)))
        return [name for name in known if source_of(chip, name) is self]

    def took(self, point: str) -> bool:
        """Whether the numbers were taken from a point."""
        return any(fnmatchcase(point, pattern) for pattern in self.points)


def published(names: str, origin: str, *points: str) -> Source:
    return Source(tuple(names.split(", ")), "published", origin, points)


def derived(names: str, origin: str, *points: str, prior: float | None = None, without: str = "") -> Source:
    """From one figure: of a point and, with the point's other figures, of no other; or of none that is a point."""
    return Source(tuple(names.split(", ")), "derived", origin, points, prior, without)


def fitted(names: str, origin: str, *points: str, prior: float, without: str) -> Source:
    return Source(tuple(names.split(", ")), "fitted", origin, points, prior, without)


def started(path: str, points: str, prior: float, without: str) -> Source:
    """The latency of a path, by the least transfers of Huawei's tables (KPP)."""
    names = f"paths.{path}.latency"
    return fitted(names, "KPP, 1 and 4 KB alone", f"{points}, * KB alone", prior=prior, without=without)


def assumed(names: str, origin: str) -> Source:
    return Source(tuple(names.split(", ")), "assumed", origin)


ODD_PITCH = "UB 64x1024", "L1 64x256"
SHORT_ROWS = "GM to L1 64x64", "GM to L1 64x64, MTE2", "GM to L1 6144x512 by all, rotated"
HITS = "GM to L1 4 x 4 x 75 MB", "Matmul 8192, case 8, MTE2", "Matmul 8192, case 1, MTE2"
WRITES = "Add 8192x8192, case 1", "910B3 GM to UB to GM, 64 KB"
FIRST_LAUNCHES = "GM to UB 64x64", "GM to UB 64x1024", "Add 8192x8192, case 5"

OF_910B1 = (
    published("clock_mhz, memory.l2_write", "platform file"),
    fitted(
        "paths.gm->l1.rate",
        "hits in rows of 2 KB, 512 B and 128 B",
        *HITS,
        prior=110,
        without="platform file",
    ),
    fitted("paths.gm->l1.row", "the same", *HITS, prior=0, without="none"),
    fitted(
        "memory.request_port", "rows of 128 B, line fetched and past L2", *SHORT_ROWS, prior=0, without="none"
    ),
    fitted("paths.gm->l1.miss_rate", "the same", *SHORT_ROWS, prior=64, without="PTO"),
    derived(
        "paths.gm->l1.issue, paths.gm->ub.issue, paths.ub->gm.issue",
        "copies of 128 B",
        *("GM to UB 1x64", "GM to UB 1x64, MTE2"),
        prior=39.4,
        without="the 950's",
    ),
    derived("paths.gm->ub.rate", "hits", "GM to UB 4 x 4 x 75 MB", prior=59, without="PTO"),
    derived("paths.gm->ub.miss_rate", "one core's reads", "Add 8192x8192, case 1", prior=64, without="PTO"),
    fitted("paths.ub->gm.rate", "one core's writes", *WRITES, prior=64, without="platform file"),
    fitted("paths.ub->gm.miss_latency", "the same", *WRITES, prior=150, without="PTO"),
    started("gm->l1", "910B1 GM to L1", 95, "the 950's"),
    started("gm->ub", "910B3 GM to UB", 170, "the 950's"),
    started("ub->gm", "910B1 UB to GM", 240, "the 950's"),
    published("paths.l1->l0?.rate, paths.l1->l0?.latency", "PERF", "load2d * KB to l0?"),
    published("paths.l1->l0?.*, paths.l1->bt.*, paths.l1->fb.*, paths.l0c->l1.*", "PERF, KPP"),
    derived("paths.l0c->gm.rate", "its tile", "FixPipe 128x256 f32 to f16", prior=72, without="the 950's"),
    derived(
        "paths.l0c->gm.wide_rate",
        "tiles of f32",
        "910B3 L0C to GM, rows of f32*",
        prior=66,
        without="as of f16",
    ),
    assumed("paths.l0c->gm.issue", "as ub->gm"),
    started("l0c->gm", "910B1 L0C to GM", 20, "as to L1"),
    published("paths.ub->ub.*", "DOC"),
    published("cube.fractal.*", "DOC"),
    derived("cube.issue", "products back to back", "mmad 128x256x64 back to back", prior=3, without="KPP"),
    fitted(
        "cube.latency",
        "products alone",
        *("mmad 64x64x64 alone", "mmad 128x256x64 alone"),
        prior=21,
        without="Huawei's roofline script",
    ),
    fitted(
        "cube.contention",
        "MTE1 beside products and without",
        *(
            "Matmul 8192, case 8, MTE1",
            "Matmul 8192, case 1, MTE1",
            "MTE1 of a block 128x256x64, apart",
            "MTE1 of a block 128x256x64, together",
        ),
        prior=0,
        without="none",
    ),
    published("vector.issue", "KPP"),
    derived("vector.latency", "64 repeats", "Add f32 x 64, no conflict", prior=20, without="PTO"),
    fitted(
        "vector.latencies.vmax, vector.latencies.vmin",
        "2 repeats, each waiting",
        *("910B3 10,000 x vmax of 256 f16*", "910B3 10,000 x vmin of 256 f16*"),
        prior=22,
        without="as vadd",
    ),
    derived(
        "vector.latencies.*",
        "2 repeats, each waiting",
        "910B3 10,000 x vexp, vln, vsqrt, vrsqrt of 256 f16*",
        prior=22,
        without="as vadd",
    ),
    published("vector.cycles.*", "DOC, KPP"),
    derived(
        "banks.clash",
        "64 repeats",
        "Add f32 x 64, source and result in one bank",
        prior=1,
        without="DOC: a cycle",
    ),
    derived(
        "banks.restart",
        "64 repeats",
        "Add f32 x 64, one block a repeat, 32 B apart",
        prior=1,
        without="DOC: a cycle",
    ),
    published("scalar.issue, scalar.flag, scalar.queue_depth", "DOC, PTO, BP"),
    derived(
        "scalar.setup", "a tile", "910B3 960 tiles of a product, scalar unit", prior=1, without="DOC: a cycle"
    ),
    fitted(
        "scalar.loop",
        "trips of one call and of four",
        "910B3 10,000 x *, scalar unit",
        prior=1,
        without="DOC: a cycle",
    ),
    fitted(
        "memory.group_read",
        "scanned on the row of the Vector cores' reads",
        "Matmul and GELU, aiv MTE2",
        prior=158,
        without="7 TB/s of L2 by 24 groups (guide)",
    ),
    derived(
        "memory.hbm_chip", "reads past L2", "Add 8192x8192, case 5", prior=865, without="1.6 TB/s (guide)"
    ),
    fitted(
        "memory.hbm_run",
        "lines alone and by fours",
        *("GM to UB 64x64", "GM to UB 64x64, MTE2", "GM to UB 64x1024", "GM to UB 64x1024, MTE2"),
        prior=0,
        without="none",
    ),
    assumed("memory.hbm_channels", "four stacks, as on the 910 (HC31), of HBM2E (JESD235)"),
    published("memory.hbm_queue", "the program that hbm_chip is from: 48 cores, copies of 64 lines"),
    published(
        "memory.sector",
        "L2's counters; what explains rows at an odd pitch",
        *(f"GM to {to}, pitch 24574 B*" for to in ODD_PITCH),
    ),
    derived("memory.miss_latency", "one core's reads", "Add 8192x8192, case 1", prior=150, without="PTO"),
    derived("memory.write_back", "reads beside it", "Add 8192x8192, case 4", prior=1, without="as a read"),
    fitted(
        "memory.same_line",
        "reads past L2",
        *("GM to UB 6144x512 by all, in step", "GM to L1 6144x512 by all, in step"),
        prior=0,
        without="none",
    ),
    fitted(
        "launch_us",
        "task less the core's own time",
        "910B3 product over *, less its Vector core",
        prior=1.205,
        without="the 950's",
    ),
    derived("head_us", "the least kernel", "910B2 matmul 64x64x64*", prior=0.675, without="the 950's launch"),
    assumed("block_us", "as on the 950"),
    fitted("cold_us", "task less MTE2", *FIRST_LAUNCHES, prior=0.7, without="the 950's"),
    derived(
        "cross.latency", "its tail", "910B3 product over 128, handed over", prior=100, without="through L2"
    ),
)

SHORT_LAUNCHES = tuple(f"950: empty kernel, {blocks}" for blocks in ("1 block", "64 blocks", "1024 blocks"))
L1_MISSES = "950: GM to L1 64x64", "950: GM to L1 64x64, MTE2", "950: GM to L1 8192x512 by all, rotated"
OF_950 = (
    published("clock_mhz, memory.l2_write, memory.l2_read, memory.hbm_read", "platform file, BP data_copy"),
    fitted(
        "paths.gm->l1.rate",
        "16 and 32 KB in a row",
        "950: GM to L1, * KB in a row",
        prior=125,
        without="the 910B1's",
    ),
    fitted(
        "paths.gm->l1.row",
        "hits in rows of 128 B and 512 B",
        *("950: Matmul 8192, case 2, MTE2", "950: Matmul 8192, case 5, MTE2"),
        prior=1.8,
        without="the 910B1's",
    ),
    fitted("paths.gm->l1.miss_rate", "rows of 128 B", *L1_MISSES, prior=61, without="the rate to UB"),
    fitted("memory.request_port", "the same", *L1_MISSES, prior=0, without="none"),
    derived(
        "paths.gm->l1.same_line",
        "reads past L2",
        "950: GM to L1 8192x512 by all, in step",
        prior=0.4,
        without="the 910B1's",
    ),
    derived(
        "paths.gm->l1.issue, paths.gm->ub.issue, paths.ub->gm.issue",
        "copies of 128 B",
        *("950: GM to UB 1x64", "950: GM to UB 1x64, MTE2"),
        prior=20.6,
        without="the 910B1's",
    ),
    fitted(
        "paths.gm->ub.rate",
        "hits in rows of 128 B and 2 KB",
        *("950: GM to UB 64x64", "950: GM to UB 64x64, MTE2", "950: GM to UB 4 x 4 x 75 MB"),
        prior=61,
        without="KPP",
    ),
    fitted(
        "paths.gm->ub.miss_rate",
        "16 and 32 KB in a row",
        "950: GM to UB, * KB in a row",
        prior=64,
        without="PTO",
    ),
    fitted(
        "paths.ub->gm.rate",
        "16 and 32 KB in a row",
        "950: UB to GM, * KB in a row",
        prior=128,
        without="platform file",
    ),
    started("gm->l1", "950: GM to L1", 180, "the 910B1's"),
    started("gm->ub", "950: GM to UB", 180, "the 910B1's"),
    started("ub->gm", "950: UB to GM", 90, "the 910B1's"),
    published("paths.l1->l0?.rate, paths.l1->l0?.latency", "PERF", "950: load2d * KB to l0?"),
    published("paths.l0c->l1.*, paths.l0c->ub.*", "PERF", "950: FixPipe *"),
    published("paths.l1->l0?.*, paths.l1->bt.*, paths.l1->fb.*", "PERF"),
    derived(
        "paths.l0c->gm.rate", "its tiles", "950: Matmul 8192, case 5, FIX", prior=66, without="the 910B1's"
    ),
    assumed("paths.l0c->gm.*", "as on the 910B1"),
    published("paths.ub->l1.*, paths.l1->ub.*, paths.ub->ub.*", "platform file, KPP, DOC"),
    published("cube.fractal.*", "DOC"),
    derived("cube.issue", "4096 products a core", "950: Matmul 8192, case 8, M", prior=0.26, without="KPP"),
    assumed("cube.latency", "as on the 910B1"),
    fitted(
        "cube.contention",
        "MTE1 beside products and without",
        *("950: Matmul 8192, case 8, MTE1", "950: Matmul 8192, case 2, MTE1"),
        prior=0.19,
        without="the 910B1's",
    ),
    derived(
        "vector.operation.vexp.f32, vector.operation.vdiv.f32, vector.cycles.vexp.f32, vector.cycles.vdiv.f32",
        "6.4 cycles a repeat of GELU in one function",
        "950: GELU 8192x8192 f32, case 1, V",
        prior=2,
        without="PTO",
    ),
    derived("vector.depth", "BP gelu_eltwise, loops of 13, 8 and 5 operations"),
    published("vector.*", "PTO, DOC"),
    assumed(
        "scalar.*",
        "DOC, PTO; what loops and structured instructions cost is not published: no more than issue",
    ),
    fitted(
        "memory.hbm_chip",
        "long rows",
        *("950: GM to UB 64x1024", "950: GM to UB 64x1024, MTE2", "950: GM to UB 4 x 302 MB"),
        prior=970,
        without="1.6 TB/s (guide)",
    ),
    fitted(
        "memory.write_back",
        "reads and writes of 268 MB",
        *("950: GELU 8192x8192 f32, case 0", "950: GELU 8192x8192 f32, case 1"),
        prior=1.66,
        without="the 910B1's",
    ),
    published(
        "memory.sector, memory.l2_line",
        "what explains rows at an odd pitch",
        *(f"950: GM to {to}, pitch 24574 B*" for to in ODD_PITCH),
    ),
    assumed("memory.miss_latency", "PTO's L2 model of the 910B"),
    assumed("cross.latency", "through L2; the tail of a product that the 910B1's is from is not published"),
    fitted("launch_us", "empty kernels", *SHORT_LAUNCHES, prior=1.4, without="the 910B1's"),
    fitted("block_us", "empty kernels", *SHORT_LAUNCHES, prior=0, without="none"),
    fitted(
        "cold_us",
        "task less MTE2",
        *("950: GM to UB 64x64", "950: GM to UB 64x1024"),
        prior=0,
        without="none",
    ),
)

COUPLED = (
    published("clock_mhz, paths.*.rate, memory.l2_read, memory.l2_write, memory.hbm_chip", "platform file"),
    assumed(
        "memory.hbm_read, memory.miss_latency, memory.write_back, paths.*",
        "as on the 910B1; nothing is published",
    ),
    published("cube.fractal.*, scalar.issue, scalar.flag", "platform file, DOC, PTO"),
    assumed("cube.*, vector.*", "KPP, PTO and DOC of the 910B, without what its later runs say"),
    assumed(
        "scalar.*",
        "DOC, PTO; what loops and structured instructions cost is not published: no more than issue",
    ),
    assumed("launch_us", "nothing is published"),
)
SOURCES: dict[str, Sequence[Source]] = {
    "ascend910b1": OF_910B1,
    "ascend950": OF_950,
    "ascend910": COUPLED,
    "ascend310p": COUPLED,
}
"""By chip whose file states the numbers; the first that gives a number counts."""

FAMILIES = {
    "ascend910b1": ("ascend910b1", "ascend910b", "ascend910b2", "ascend910b3"),
    "ascend950": ("ascend950",),
}
"""By the chip whose file states the numbers: those that were measured, or differ from it in counts and clocks alone."""


def source_of(chip: str, name: str) -> Source:
    """The source of a number; `LookupError` where none is stated."""
    for source in SOURCES[chip]:
        if source.gives(name):
            return source
    raise LookupError(f"{chip}: the source of {name} is not stated")


def gave(point: str) -> bool:
    """Whether a number was taken from a point."""
    return any(source.took(point) for rows in SOURCES.values() for source in rows)


def given_by(point: str) -> list[str]:
    """The numbers that were taken from a point, or that it says in other words."""
    rows = (source for sources in SOURCES.values() for source in sources if source.took(point))
    return [name for source in rows for name in source.numbers]


def table() -> Iterator[str]:
    """Every number with its source as a table of Markdown, those of one source in a row."""
    yield "| chip | numbers | | from | points of this page | without them |"
    yield "|---|---|---|---|---|---|"
    for chip, rows in SOURCES.items():
        values = {key_text(key): value for key, value in numbers(load_target(chip))}
        for source in rows:
            names = source.names(chip)
            if not names:
                continue
            shown = ", ".join(f"`{name}` {values[name]:g}" for name in names)
            if len(names) > 4:
                shown = ", ".join(f"`{pattern}`" for pattern in source.numbers)
            given = "; ".join(source.points).replace("*", "\\*")
            kind = source.kind + (f" to {len(source.points)}" if source.kind == "fitted" else "")
            prior = "" if source.prior is None else f"{source.prior:g} ({source.without})"
            yield f"| `{chip}` | {shown} | {kind} | {source.origin} | {given} | {prior} |"

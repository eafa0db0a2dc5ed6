"""Transfers between GM and one core, of Huawei's own performance tables (Ascend/mskpp, measured on boards).

Each figure is cycles of one transfer of a sequence, of which the tables give the rate; how the sequence was written is
not described. Up to 4 KB it is what comes before the first byte, as of a transfer alone. Longer ones are as in a row
without waits.
"""

from collections.abc import Iterator
from functools import partial

from ascend_programs import Index

from fidelity.point import Case, Point, cycles, launched, program

KIB = (1, 4, 16, 32, 64, 128)
TABLES = (
    ("ascend910b1", "gm->l1", (173, 234, 295, 373, 623, 945)),
    ("ascend910b3", "gm->ub", (216, 238, 300, 485, 747)),
    ("ascend910b1", "ub->gm", (151, 181, 316, 507, 993)),
    ("ascend910b1", "l0c->gm", (83, 80, 135, 273, 559)),
    ("ascend950", "gm->l1", (139, 142, 155, 270)),
    ("ascend950", "gm->ub", (217, 218, 269, 538)),
    ("ascend950", "ub->gm", (278, 298, 346, 691)),
)
"""Chip, path, cycles by size."""
ALONE = 2
"""The first sizes are as of a transfer alone."""
TIMES = 16
"""Transfers in a row that are run."""
RATES_FROM = ("ascend950",)
"""Chips whose rates are from these tables; those of the others are from programs."""
PAST_L2 = (("ascend950", "gm->ub"),)
"""Paths whose rate these tables give of what L2 does not hold; they do not say which."""
BAR = 1.0
"""They are printed, whatever their error."""
NOT_DESCRIBED = "its program is not described"
CHIPS = {"ascend910b1": "910B1", "ascend910b3": "910B3", "ascend950": "950:"}


def cases() -> Iterator[Case]:
    for table in TABLES:
        yield partial(_transfers, *table)


def _transfers(name: str, path: str, published: tuple[float, ...]) -> Iterator[Point]:
    source, to = path.upper().split("->")
    for i, (kib, figure) in enumerate(zip(KIB, published, strict=False)):
        alone = i < ALONE
        how = "alone" if alone else "in a row"
        aside = "" if alone or name in RATES_FROM else NOT_DESCRIBED
        found = _cycles(name, path, kib, 1 if alone else TIMES)
        yield Point(f"{CHIPS[name]} {source} to {to}, {kib} KB {how}", figure, found, "cyc", BAR, aside=aside)


def _cycles(name: str, path: str, kib: int, times: int) -> float:
    """Of one of so many transfers, whose data L2 holds unless it is said not to."""
    cold = times > 1 and (name, path) in PAST_L2
    p = program(1, "aiv" if "ub" in path else "aic", name, launches=1 if cold else 2)
    source, to = path.split("->")
    count = kib * (256 if source == "l0c" else 512)
    """Of f16 in GM; L0C holds f32."""
    out = p.input("x", (times, count)) if source == "gm" else p.output("y", (times, count))
    if source == "l0c":
        inside = p.buffer("l0c", "l0c", (1, count // 16, 16), 0, dtype="f32")
    else:
        inside = p.buffer("inside", to if source == "gm" else source, (count,), 0)

    def move(i: Index) -> None:
        at = i if isinstance(i, int) else p.times(i, count)
        if source == "l0c":
            p.fixpipe(inside, p.view(out, (count // 16, 16), offset=at))
        elif source == "gm":
            p.copy(p.view(out, (count,), offset=at), inside)
        else:
            p.copy(inside, p.view(out, (count,), offset=at))

    if times == 1:
        move(0)
    else:
        with p.loop(times) as i:
            move(i)
    return cycles(launched(p)[-1].time_us, name) / times

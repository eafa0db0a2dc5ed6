"""Where every number of the clock is from: published, derived from one figure, fitted to points, or assumed.

The target files say it in words. Here it stands for the page and for leaving points out: which points of this benchmark
a number was taken from, and what it would be without them (`prior`, from the source that `without` names).
"""

from collections.abc import Iterator, Sequence

from target_numbers import key_text, numbers

from ascend_opt.dialects.target import load_target
from fidelity.source import Source, assumed, published
from fidelity.sources_910b1 import OF_910B1
from fidelity.sources_950 import OF_950

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


def names_of(source: Source, chip: str) -> list[str]:
    """The numbers of a chip that have a source."""
    known = (key_text(key) for key, _ in numbers(load_target(chip)))
    return [name for name in known if source_of(chip, name) is source]


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
            names = names_of(source, chip)
            if not names:
                continue
            shown = ", ".join(f"`{name}` {values[name]:g}" for name in names)
            if len(names) > 4:
                shown = ", ".join(f"`{pattern}`" for pattern in source.numbers)
            given = "; ".join(source.points).replace("*", "\\*")
            kind = source.kind + (f" to {len(source.points)}" if source.kind == "fitted" else "")
            prior = "" if source.prior is None else f"{source.prior:g} ({source.without})"
            yield f"| `{chip}` | {shown} | {kind} | {source.origin} | {given} | {prior} |"

"""A source of numbers of the clock, and of which points of this benchmark they were taken."""

from dataclasses import dataclass
from fnmatch import fnmatchcase


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

"""Hardware targets: one TOML file per SoC under `targets/`, each number with its source.

A `Target` is the only place where passes, cost functions and runtime find a size, a rate or a
limit. `load_target` takes a name (built in, or registered by another package through the entry
point group `ascend_opt.targets`) or the path of a TOML file.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

PIPES = ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")


class TargetError(ValueError):
    """A target that does not exist or whose file is malformed; the message is for users."""


@dataclass(frozen=True)
class Space:
    """An on-chip memory of one core (or GM): capacity in bytes and alignment of a start address."""

    bytes: int
    align: int


@dataclass(frozen=True)
class Path_:
    """A data path. `rate` in bytes/cycle/core (0: GM reads, whose rate depends on L2); `issue` is the least
    number of cycles an instruction occupies the pipe, `latency` the cycles until its result is visible."""

    pipe: str
    granule: int
    issue: float
    latency: float
    rate: float = 0.0


@dataclass(frozen=True)
class Dma:
    nd2nz: bool
    unaligned: bool
    image2col_blocks: bool
    max_blocks: int
    max_block_len: int


@dataclass(frozen=True)
class Fractal:
    """Cube unit for one element type: K of a fractal, cycles per fractal product, accumulator type."""

    k0: int
    cycles: float
    acc: str


@dataclass(frozen=True)
class Cube:
    fractal: Mapping[str, Fractal]
    issue: float
    latency: float
    accumulate_overlap: int
    max_extent: int


@dataclass(frozen=True)
class Vector:
    """Vector unit: bytes a repeat, most repeats an instruction, and cycles per repeat by instruction and type."""

    bytes_per_repeat: int
    max_repeat: int
    issue: float
    latency: float
    cycles: Mapping[str, Mapping[str, float]]

    def per_repeat(self, name: str, dtype: str) -> float:
        row = self.cycles.get(name) or self.cycles["default"]
        return row.get(dtype, row.get("any", 1.0))


@dataclass(frozen=True)
class Scalar:
    issue: float
    queue_depth: int
    flag: float


@dataclass(frozen=True)
class Sync:
    events: int
    key: str
    ordered_pipe: bool


@dataclass(frozen=True)
class Memory:
    """L2 and HBM: capacity and line in bytes, rates in bytes/cycle (per core, and `hbm_chip` for the chip)."""

    l2_bytes: int
    l2_line: int
    l2_read: float
    l2_write: float
    hbm_read: float
    hbm_chip: float
    miss_latency: float


@dataclass(frozen=True)
class Target:
    name: str
    description: str
    kind: str
    cores: int
    clock_mhz: float
    storage: tuple[str, ...]
    overflow: str
    spaces: Mapping[str, Space]
    paths: Mapping[tuple[str, str], Path_]
    dma: Dma
    cube: Cube
    vector: Vector
    scalar: Scalar
    sync: Sync
    memory: Memory
    launch_us: float
    launch_assumed: bool = False
    """Whether the launch cost is an assumption: decisions that hang on it then say so."""
    origin: str = field(default="", compare=False)
    """What `load_target` takes to give this target again: the path of its file, or how it is remembered."""

    def path(self, source: str, destination: str) -> Path_:
        """The path between two spaces; `TargetError` names both when the chip has none."""
        found = self.paths.get((source, destination))
        if found is None:
            raise TargetError(f"{self.name} has no data path from {source} to {destination}")
        return found

    def microseconds(self, cycles: float) -> float:
        return cycles / self.clock_mhz

    def with_(self, **changes: Any) -> "Target":
        """A copy with some fields changed; `memory=dict(l2_bytes=1)` changes a field of a section."""
        flat = {
            key: replace(getattr(self, key), **cast(dict[str, Any], value))
            if isinstance(value, dict)
            else value
            for key, value in changes.items()
        }
        return replace(self, **flat)


def parse_target(text: str, origin: str) -> Target:
    """Build a target from TOML text; `TargetError` names `origin` and the offending key."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TargetError(f"{origin}: {error}") from None
    try:
        cycles = {
            name: {"any": float(row)}
            if isinstance(row, int | float)
            else {k: float(v) for k, v in row.items()}
            for name, row in data["vector"].pop("cycles").items()
        }
        paths: dict[tuple[str, str], Path_] = {}
        for name, row in data["paths"].items():
            source, _, destination = name.partition("->")
            if row["pipe"] not in PIPES:
                raise TargetError(f"{origin}: path {name}: unknown pipe {row['pipe']!r}")
            paths[source, destination] = Path_(**row)
        cube = dict(data["cube"])
        cube["fractal"] = {name: Fractal(**row) for name, row in cube["fractal"].items()}
        return Target(
            name=data["name"],
            description=data["description"],
            kind=data["kind"],
            cores=data["cores"],
            clock_mhz=data["clock_mhz"],
            storage=tuple(data["storage"]),
            overflow=data["overflow"],
            spaces={name: Space(**row) for name, row in data["spaces"].items()},
            paths=paths,
            dma=Dma(**data["dma"]),
            cube=Cube(**cube),
            vector=Vector(cycles=cycles, **data["vector"]),
            scalar=Scalar(**data["scalar"]),
            sync=Sync(**data["sync"]),
            memory=Memory(**data["memory"]),
            launch_us=data["launch"]["us"],
            launch_assumed=data["launch"].get("assumed", False),
            origin=origin,
        )
    except KeyError as error:
        raise TargetError(f"{origin}: missing key {error.args[0]!r}") from None
    except TypeError as error:
        raise TargetError(f"{origin}: {error}") from None


@cache
def _sources() -> dict[str, str]:
    """Name -> path of every known target file."""
    folder = files("ascend_opt.dialects") / "targets"
    found = {
        entry.name.removesuffix(".toml"): str(entry)
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    }
    for point in entry_points(group="ascend_opt.targets"):
        found[point.name] = str(point.load())
    return found


def target_names() -> tuple[str, ...]:
    return tuple(sorted(_sources()))


_REMEMBERED: dict[str, Target] = {}


def remember_target(target: Target) -> None:
    """Let `load_target` find a target that is in no file, by its origin."""
    _REMEMBERED[target.origin] = target


@cache
def load_target(name: str) -> Target:
    """The target called `name`, or the one described by the TOML file `name`."""
    if name in _REMEMBERED:
        return _REMEMBERED[name]
    path = _sources().get(name)
    if path is None:
        if not name.endswith(".toml"):
            near = get_close_matches(name, target_names(), 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(target_names())}"
            raise TargetError(f"unknown target {name!r}{hint}")
        path = name
    try:
        text = Path(path).read_text()
    except OSError as error:
        raise TargetError(f"cannot read target file {path!r}: {error.strerror}") from None
    return parse_target(text, path)

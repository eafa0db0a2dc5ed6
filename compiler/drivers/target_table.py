"""`ascend-run --table`: graphs on every chip, compiled and run for their time alone; a row for each pair.

target       graph           kernels       time   launches   x bound   limited by
ascend310p   tanh_muladd           1    82.3 µs     2.0 µs      1.15   V 96%
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, field, replace
from pathlib import Path

from ...dialects.records import dataclass
from ...dialects.target import load_target
from ...dialects.target_files import target_names
from ...dialects.target_types import Target
from ...passes.kernels.tuner import TUNE
from ...runtime.profile.findings import Bottleneck
from ...runtime.support.progress import tracked
from ..api import CompileError, compile
from ..pipeline.read_module import Warn
from ..reports.advice_report import held_text
from ..reports.text_table import predicted_text, table, time_text
from ..text.diagnostics import Diagnostic


@dataclass(frozen=True)
class Entry:
    """A graph on a chip. Times in µs: `time_us` of the program with all launches. `limit` is what held up the kernel
    that takes longest (see `runtime.advice.Bottleneck`), `pipe` the pipe that set its pace, `share` how long the
    resource was in use, `distance` its time over its bound. `error`: why there are no figures. `interval_us`: see
    `Profile`."""

    target: str
    graph: str
    kernels: int = 0
    time_us: float = 0.0
    launch_us: float = 0.0
    limit: str = ""
    pipe: str = ""
    share: float = 0.0
    distance: float = 0.0
    warm: bool = False
    error: str = ""
    interval_us: tuple[float, float] | None = None

    def cells(self) -> list[str]:
        """As a row of the table."""
        if self.error:
            return [self.target, self.graph, "", "", "", "", self.error]
        return [
            self.target,
            self.graph,
            str(self.kernels),
            predicted_text(self.time_us, self.interval_us),
            time_text(self.launch_us),
            f"{self.distance:.2f}",
            self.held,
        ]

    @property
    def held(self) -> str:
        """What held it up, with the share beside what was in use for it: `HBM 90%`, `waiting (V 45%)`."""
        return held_text(Bottleneck(self.limit, self.pipe, self.share))


LEGEND = (
    "time: of the program, launches included, {start}. The columns after it are about its longest kernel.",
    "x bound: its time over its bound, the least that the chip needs for what the kernel does.",
    "limited by: what held it up, and the part of its time that this was in use (launch: of launch and kernel).",
)
HEAD = ("target", "graph", "kernels", "time", "launches", "x bound", "limited by")


@dataclass(frozen=True)
class TableOptions:
    """`targets`: names or files, all known chips when empty. The rest as in `RunOptions`."""

    files: Sequence[str]
    targets: Sequence[str] = ()
    graph: str | None = None
    fuse: bool = True
    tune: int = TUNE
    min_gain: float | None = None
    max_occupancy: float | None = None
    join_launches: bool = True
    dynamic_sizes: Sequence[int] = ()
    dynamic_range: Sequence[int] = ()
    max_loss: float | None = None
    size: int | None = None
    precision: str | None = None
    precision_of: Mapping[str, str] = field(default_factory=dict[str, str])
    dims: Mapping[str, int] = field(default_factory=dict[str, int])
    warm: bool = False


def entries(options: TableOptions, warn: Warn | None = None) -> list[Entry]:
    """The rows, chip by chip. Chips that differ in their names alone are compiled for once.

    Raises CompileError for a file that no chip can compile; where some can, the others say why not.
    """
    found: list[Entry] = []
    targets = options.targets or target_names()
    done: dict[str, list[tuple[Target, Entry]]] = {file: [] for file in options.files}
    errors: dict[str, CompileError] = {}
    told = set[str]()
    rows = [(file, name) for file in done for name in targets]
    for file, name in tracked(rows, "table", "row", lambda row: f"{Path(row[0]).stem} on {row[1]}"):
        try:
            chip = load_target(name)
            same = replace(chip, name="", description="", origin="")
            known = next((entry for other, entry in done[file] if other == same), None)
            if known is None:
                known = _entry(file, name, options, _silent if file in told or warn is None else warn)
                done[file].append((same, known))
            found.append(replace(known, target=chip.name))
        except CompileError as error:
            errors.setdefault(file, error)
            found.append(Entry(name, Path(file).stem, error=error.diagnostic.message))
        told.add(file)
        if name == targets[-1] and file in errors and not done[file]:
            raise errors[file]
    order = {name: i for i, name in enumerate(dict.fromkeys(entry.target for entry in found))}
    return sorted(found, key=lambda entry: order[entry.target])


def _silent(_: Diagnostic) -> None:
    """Say nothing: the first chip's warnings are those of all."""


def _entry(file: str, target: str, options: TableOptions, warn: Warn | None) -> Entry:
    program = compile(
        Path(file),
        target,
        options.fuse,
        options.graph,
        tune=options.tune,
        min_gain=options.min_gain,
        max_occupancy=options.max_occupancy,
        join_launches=options.join_launches,
        dynamic_sizes=options.dynamic_sizes,
        dynamic_range=options.dynamic_range,
        max_loss=options.max_loss,
        precision=options.precision,
        precision_of=options.precision_of,
        dims=options.dims,
        warn=warn,
    )
    profile = program.time(None if program.typical_size is None else options.size, options.warm)
    if not profile.kernels:
        return Entry(target, program.name)
    longest = max(profile.kernels, key=lambda kernel: kernel.time_us)
    held = longest.bottleneck
    return Entry(
        target,
        program.name,
        len(profile.kernels),
        profile.total_us,
        sum(kernel.launch_us for kernel in profile.kernels),
        held.resource,
        held.pipe,
        held.share,
        longest.time_us / longest.bound_us if longest.bound_us else 0.0,
        options.warm,
        interval_us=profile.interval_us,
    )


def table_text(found: Sequence[Entry]) -> str:
    """The rows as aligned text, and what their columns mean."""
    rows = [list(HEAD), *(entry.cells() for entry in found)]
    start = "after other runs" if any(entry.warm for entry in found) else "L2 cold at the start"
    body = [row[:-1] for row in rows]
    lines = [f"{line}   {row[-1]}".rstrip() for line, row in zip(table(body, 2), rows, strict=True)]
    return "\n".join([*lines, "", *(f"  {line.format(start=start)}" for line in LEGEND)]) + "\n"


def table_json(found: Sequence[Entry]) -> str:
    """The rows as a JSON list."""
    return json.dumps([asdict(entry) for entry in found], indent=2) + "\n"


def run_table(options: TableOptions, json_file: str | None, warn: Warn) -> None:
    """Print the table; with `json_file` write it as JSON (`-`: print that in its place)."""
    import sys

    from ..text.output_files import put_text

    found = entries(options, warn)
    if json_file:
        put_text(json_file, table_json(found))
    if json_file != "-":
        sys.stdout.write(table_text(found))

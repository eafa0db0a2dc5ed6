"""What `ascend-run` does with HIVM: one launch with its report, or the hazards of a folder of kernels."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from ...dialects.records import dataclass
from ...runtime.support.hazard import HazardError, ProgramError
from ..api import CompileError
from ..hivm.arguments import named
from ..hivm.facts import Facts, LaunchFacts, facts_of, seeded
from ..hivm.module import TARGET, HivmModule, load
from ..reports.hazard_text import explain_error
from ..reports.progress_bars import ProgressBars
from ..reports.run_report import RunReport, Variant
from ..text.output_files import put_text
from ..text.source_text import decode
from .run_driver import RunOptions
from .run_inputs import read_inputs, write_outputs
from .run_options import NAMES


@dataclass(frozen=True)
class HivmOptions:
    """What is said of a launch on the command line: blocks along x, y and z; scalars as `name=number`; shapes of
    tensors that no file holds as `name=4096x64`; names of the arguments in order; `only`: a folder whose hazards are
    looked for."""

    grid: Sequence[int] = ()
    scalars: Sequence[str] = ()
    tensors: Sequence[str] = ()
    names: Sequence[str] | None = None
    only: bool = False


LAUNCHED = (
    *("file", "target", "graph", "inputs", "outputs", "seed", "flags"),
    *("trace", "trace_cores", "json", "sort", "rows"),
)
"""Options of a run that a launch has, too."""
JUDGED = ("file", "target", "seed", "flags", "json")
"""Those that the referee has."""


def _check_options(given: Any, plain: Any, known: Sequence[str], where: str) -> None:
    """ProgramError for an option that is not `known` here, and is not as in `plain`."""
    for one in fields(plain):
        value, default = getattr(given, one.name), getattr(plain, one.name)
        if one.name not in known and value != default and (value or default):
            name = NAMES.get(one.name, one.name.replace("_", "-"))
            raise ProgramError(f"--{name} has no place in {where}")


def _source(file: str) -> str | Path:
    """The path of a file, or what stdin holds."""
    return decode(sys.stdin.buffer.read(), "<stdin>") + "\n" if file == "-" else Path(file)


def run_hivm(options: RunOptions, launch: HivmOptions) -> bool:
    """Launch the kernel of a file once and report. Raises CompileError, ProgramError, HazardError, OSError."""
    options.check_files([options.file])
    _check_options(options, RunOptions(""), LAUNCHED, "a launch of HIVM")
    bars = ProgressBars()
    with bars.watching():
        bars.phase("compiling")
        facts = facts_of(Path(options.file)) or Facts(None, None, ())
        module = load(_source(options.file), options.graph or facts.entry)
        names = named(module.kernel, launch.names or facts.names)
        one = _launch(options, launch, module, facts)
        given = read_inputs(options.inputs) if options.inputs else {}
        arrays = {**seeded(module, names, one.shapes, options.seed), **_converted(module, names, given)}
        bars.phase("running")
        result = module.launch(
            one.grid, {**arrays, **one.scalars}, names=names, target=options.target or TARGET,
            flags=options.flags, traced_cores=options.trace_cores if options.trace else 0,
        )  # fmt: skip
        bars.phase("")
    if options.outputs:
        write_outputs(options.outputs, dict(result.outputs))
    if options.trace:
        put_text(options.trace, result.trace_text())
    variant = Variant(f"grid {'x'.join(map(str, one.grid))}", result.profile)
    chip, notes = result.program.target, list(map(str, result.findings))
    report = RunReport(module.entry, chip, [variant], notes, None, options.sort, options.rows)
    if options.json:
        put_text(options.json, report.to_json_text())
    if not options.prints_json:
        print(report.to_text(), end="")
    return True


def _launch(options: RunOptions, launch: HivmOptions, module: HivmModule, facts: Facts) -> LaunchFacts:
    """The launch of the command line, else the first one that is known of the file."""
    first = facts.launches[0] if facts.launches and not launch.grid else None
    grid = tuple(launch.grid) or (first.grid if first is not None else ())
    if not grid:
        raise ProgramError(f"@{module.entry} is a kernel of HIVM: it needs --grid X[,Y,Z]")
    scalars = {
        **(first.scalars if first is not None else {}),
        **dict(_pair("--scalar", text) for text in launch.scalars),
    }
    shapes = dict(first.shapes) if first is not None else {}
    for text in launch.tensors:
        name, value = _pair("--tensor", text)
        sizes = value.split("x")
        if not all(n.isdecimal() for n in sizes):
            raise ProgramError(f"--tensor is name=NxM, not {text!r}")
        shapes[name] = tuple(map(int, sizes))
    return LaunchFacts(grid, shapes, scalars)


def _pair(option: str, text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise ProgramError(f"{option} is name={'NxM' if option == '--tensor' else 'number'}, not {text!r}")
    return name, value


def _converted(module: HivmModule, names: Sequence[str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays of a file; of bf16, which such files lack, those of f32 that hold the same numbers."""
    from ...dialects.storage_types import BF16, numpy_dtype

    types = {name: p.dtype for p, name in zip(module.parameters, names, strict=True)}
    found = dict(given)
    for name, array in given.items():
        if types.get(name) == "bf16" and array.dtype.name == "float32":
            found[name] = array.astype(numpy_dtype("bf16"))
            assert found[name].dtype.name == BF16
    return found


def referee(folder: str, options: RunOptions, launch: HivmOptions) -> bool:
    """Launch every HIVM file of a folder as the facts beside it say, and report hazards as JSON; False where there are
    any, or where a file could not be run."""
    where = "--hazards-only: the folder's launches.json says how each file is launched"
    _check_options(options, RunOptions(""), JUDGED, where)
    _check_options(launch, HivmOptions(), ("only",), where)
    place = Path(folder)
    files = sorted(place.rglob("*.mlir")) if place.is_dir() else [place]
    if not files or not all(file.is_file() for file in files):
        raise ProgramError(f"'{folder}' holds no .mlir files")
    bars = ProgressBars()
    found: list[dict[str, Any]] = []
    with bars.watching():
        for file in files:
            bars.phase(f"checking {file.name}")
            found += _judged(file, options)
        bars.phase("")
    counts = {status: sum(one["status"] == status for one in found) for status in ("ok", "hazard", "error")}
    text = json.dumps({"summary": counts, "launches": found}, indent=1) + "\n"
    put_text(options.json or "-", text)
    return counts["hazard"] == counts["error"] == 0


def _judged(file: Path, options: RunOptions) -> list[dict[str, Any]]:
    """What each launch of a file did."""
    try:
        facts = facts_of(file)
        if facts is None or not facts.launches:
            raise ProgramError(
                f"no facts of its launches: {file.with_suffix('.json').name} or launches.json beside it"
            )
        module = load(file, facts.entry)
        names = named(module.kernel, facts.names)
    except (CompileError, ProgramError, OSError) as error:
        return [{"file": str(file), "status": "error", "message": explain_error(error)}]
    return [_judge(file, number, module, names, one, options) for number, one in enumerate(facts.launches)]  # fmt: skip


def _judge(
    file: Path, number: int, module: HivmModule, names: Sequence[str], one: LaunchFacts, options: RunOptions
) -> dict[str, Any]:
    about: dict[str, Any] = {"file": str(file), "launch": number, "grid": list(one.grid), "status": "ok"}
    try:
        arrays = seeded(module, names, one.shapes, options.seed)
        result = module.launch(
            one.grid,
            {**arrays, **one.scalars},
            names=names,
            target=options.target or TARGET,
            flags=options.flags,
        )
    except HazardError as error:
        instructions = [
            {"text": i.text, "location": i.location, "kernel": i.kernel} for i in error.instructions
        ]
        span = None if error.byte_range is None else list(error.byte_range)
        return {
            **about, "status": "hazard", "kind": error.kind, "message": error.reason, "kernel": error.kernel,
            "core": error.core, "space": error.space, "bytes": span, "instructions": instructions,
        }  # fmt: skip
    except Exception as error:  # one kernel that cannot be run keeps no other from being judged
        return {**about, "status": "error", "message": explain_error(error)}
    findings = [
        {"kind": f.kind, "message": f.reason, "locations": [i.location for i in f.instructions]}
        for f in result.findings
    ]
    return {**about, "us": round(result.time_us, 3), "findings": findings}

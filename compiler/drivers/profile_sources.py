"""What `ascend-run --compare` compares, as profiles: each kind of source has a function in `KINDS`.

base.json               a profile that `--json` wrote
model.plan.json         the model, compiled by the plan and timed
model.mlir, .onnx       compiled and timed
model.program           timed
HEAD~1, v1.2, ../tree   a revision of this compiler, or a folder with its sources: the model is compiled and timed by
                        that one, in a process of its own
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from ...dialects.records import dataclass
from ...passes.plans.plan import SUFFIX, read_plan
from ...runtime.execution.trace import Event, trace_events
from ...runtime.profile.profile import Profile
from ...runtime.profile.read_profile import ProfileError, profile_from, read_profile
from ...runtime.support.hazard import ProgramError
from ..api import Program, compile, load
from ..pipeline.read_module import Warn
from ..text.diagnostics import Diagnostic
from ..text.output_files import target_file
from .run_inputs import inputs_of
from .run_options import RunOptions

PACKAGE = Path("src") / "ascend_opt"
"""Where the sources of this compiler have their package."""


@dataclass(frozen=True)
class Measured:
    """A source that was timed: what it is called, its profile, and the events of its trace (none where no trace is
    wanted)."""

    title: str
    profile: Profile
    events: Sequence[Event] = ()


@dataclass(frozen=True)
class Wanted:
    """How sources are timed: the options of the run, the model that revisions compile, and who is told of warnings.
    `inputs`: those that are given, on which all run. Without any `of_data` says to run on seeded ones where addresses
    depend on data, as a profile that was written; else in time alone."""

    options: RunOptions
    model: str | None
    warn: Warn
    of_data: bool = False
    inputs: Mapping[str, Any] | None = None


def measured(source: str, wanted: Wanted) -> Measured:
    """The profile of a source. Raises ProfileError for one that is none, CompileError, ProgramError, OSError."""
    for accepts, measure in KINDS:
        if accepts(source):
            return measure(source, wanted)
    return _of_revision(source, wanted)


def is_profile(source: str) -> bool:
    """Whether a source is a profile that was written."""
    return source.endswith(".json") and not _is_plan(source)


def _is_plan(source: str) -> bool:
    return source.endswith(SUFFIX)


def is_model(source: str) -> bool:
    """Whether a source is a graph or a model, which revisions can compile."""
    return Path(source).is_file() and not source.endswith(".json") and not _is_program(source)


def takes_model(source: str) -> bool:
    """Whether a source says how a model is compiled, and not which."""
    return _is_plan(source) or not (is_profile(source) or Path(source).is_file())


def _is_program(source: str) -> bool:
    path = Path(source)
    return path.is_file() and path.open("rb").read(2) == b"PK"


def _is_tree(source: str) -> bool:
    return (Path(source) / PACKAGE).is_dir()


def _read(source: str, wanted: Wanted) -> Measured:
    profile = read_profile(source)
    return Measured(source, profile, list(trace_events(profile, (), None)) if wanted.options.trace else ())


def _load(source: str, wanted: Wanted) -> Measured:
    return _timed(source, load(source), wanted)


def _compile(source: str, wanted: Wanted) -> Measured:
    program = compile(Path(source), **compile_options(wanted.options), warn=wanted.warn)
    return _timed(source, program, wanted)


def _by_plan(source: str, wanted: Wanted) -> Measured:
    if wanted.model is None:
        raise ProfileError(f"'{source}' is a plan: name the model that it is for, too")
    if wanted.options.plan is not None:
        wanted.warn(Diagnostic(f"--plan has no effect on '{source}', which is a plan", "note"))
    options = replace(wanted.options, plan=source, target=wanted.options.target or read_plan(source).chip)
    program = compile(Path(wanted.model), **compile_options(options), warn=wanted.warn)
    return _timed(source, program, wanted)


def _timed(title: str, program: Program, wanted: Wanted) -> Measured:
    options = wanted.options
    if wanted.inputs is not None or (wanted.of_data and program.reads_indices):
        inputs = inputs_of(program, wanted.inputs or {}, options)
        result = program.run(inputs, hazards=False, **run_options(options))
    else:
        result = program.run(values=False, **run_options(options))
    events = trace_events(result.profile, result.trace, program.target) if options.trace else ()
    return Measured(title, result.profile, list(events))


def compile_options(options: RunOptions) -> dict[str, Any]:
    """The arguments of `compile` that options state: revisions may know no others."""
    given: dict[str, Any] = {
        "target": options.target,
        "graph": options.graph,
        "tune": options.tune,
        "min_gain": options.min_gain,
        "max_occupancy": options.max_occupancy,
        "join_launches": None if options.join_launches else False,
        "marks": list(options.marks) or None,
        "plan": options.plan,
        "store": options.store,
        "dynamic_sizes": list(options.dynamic_sizes) or None,
        "dynamic_range": list(options.dynamic_range) or None,
        "max_loss": options.max_loss,
        "precision": options.precision,
        "precision_of": dict(options.precision_of) or None,
        "dims": dict(options.dims) or None,
        "fuse": None if options.fuse else False,
    }
    return {name: value for name, value in given.items() if value is not None}


def run_options(options: RunOptions) -> dict[str, Any]:
    """The same of `Program.run`."""
    given: dict[str, Any] = {
        "size": options.size,
        "warm": options.warm or None,
        "traced_cores": options.trace_cores if options.trace else None,
        "flags": None if options.flags == "strict" else options.flags,
        "usage": bool(options.trace) or None,
    }
    return {name: value for name, value in given.items() if value is not None}


def _of_tree(source: str, wanted: Wanted) -> Measured:
    return _by_tree(source, Path(source).resolve(), wanted)


def _of_revision(source: str, wanted: Wanted) -> Measured:
    with _checked_out(source) as tree:
        return _by_tree(source, tree, wanted)


@contextmanager
def _checked_out(revision: str) -> Generator[Path]:
    """A folder with the sources of a revision."""
    root = _repository()
    commit = (
        None if root is None else _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    )
    if root is None or commit is None:
        where = (
            f"no revision of the sources in {root}" if root else "there is no checkout of this compiler here"
        )
        raise ProfileError(f"'{revision}' is no file, and {where}")
    archive = _git(root, "archive", "--format=tar", commit.decode().strip())
    assert archive is not None
    with tempfile.TemporaryDirectory(prefix="ascend-opt-") as folder:
        with tarfile.open(fileobj=BytesIO(archive)) as packed:
            packed.extractall(folder, filter="tar")
        yield Path(folder)


def _repository() -> Path | None:
    """The checkout that the current folder is in, if it is one of this compiler, else the one that runs."""
    for folder in (Path.cwd(), Path(__file__).resolve().parent):
        top = _git(folder, "rev-parse", "--show-toplevel")
        if top is not None and _is_tree(top.decode().strip()):
            return Path(top.decode().strip())
    return None


def _git(folder: Path, *arguments: str) -> bytes | None:
    """What git prints; None where it fails, or is not there."""
    try:
        return subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None


SCRIPT = """
import inspect, json, sys
tree, model, out, how, ran, given = json.loads(sys.argv[1])
sys.path.insert(0, tree + "/src")
import ascend_opt
from pathlib import Path
assert str(Path(ascend_opt.__path__[0]).resolve()).startswith(str(Path(tree).resolve())), ascend_opt.__path__
try:
    program = ascend_opt.compile(Path(model), **how)
    if "usage" not in inspect.signature(program.run).parameters:
        ran.pop("usage", None)
    if given is None:
        result = program.run(values=False, **ran)
    else:
        import numpy as np
        with np.load(given) as arrays:
            inputs = {name: arrays[name] for name in arrays.files}
        missing = [name for name in program.inputs if name not in {**program.weights, **inputs}]
        if missing:
            sys.exit(f"--inputs must have all inputs of a revision, and lacks '{missing[0]}'")
        result = program.run(inputs, hazards=False, **ran)
    found = {"profile": json.loads(result.profile.to_json())}
    if "traced_cores" in ran:
        found["trace"] = json.loads(result.trace_text())["traceEvents"]
    Path(out).write_text(json.dumps(found))
except (ascend_opt.CompileError, TypeError, ValueError, OSError) as error:
    sys.exit(str(error))
"""
"""What the other compiler runs: it is given its sources, the model, the file to write, options, and a file of inputs,
if there is one."""


def _by_tree(title: str, tree: Path, wanted: Wanted) -> Measured:
    """What the compiler in a folder makes of the model."""
    if wanted.model is None:
        raise ProfileError(f"'{title}' is a revision of this compiler: name the model that it compiles, too")
    options = wanted.options
    if wanted.of_data and wanted.inputs is None:
        wanted.warn(Diagnostic(f"{title} is timed without inputs, on which addresses depend", "note"))
    with tempfile.TemporaryDirectory(prefix="ascend-opt-") as folder:
        out = Path(folder) / "profile.json"
        what = [str(tree), str(Path(wanted.model).resolve()), str(out)]
        given = None if options.inputs is None else str(Path(options.inputs).resolve())
        asked = json.dumps([*what, _with_paths(compile_options(options)), run_options(options), given])
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, asked], capture_output=True, text=True, cwd=folder
        )
        if done.returncode or not out.is_file():
            lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
            shown = lines[-1] if lines[0].startswith("Traceback") else "\n".join(lines)
            raise ProgramError(f"'{title}', on {wanted.model}: {shown.removeprefix('error: ')}")
        found: Mapping[str, Any] = json.loads(out.read_text())
    return Measured(title, profile_from(found["profile"], title), found.get("trace", ()))


def _with_paths(how: dict[str, Any]) -> dict[str, Any]:
    """Options of `compile` for a process in another folder."""
    files = [name for name in ("plan", "store") if name in how]
    files += ["target"] if target_file(how.get("target")) is not None else []
    return {**how, **{name: str(Path(how[name]).resolve()) for name in files}}


KINDS: Sequence[tuple[Callable[[str], bool], Callable[[str, Wanted], Measured]]] = (
    (is_profile, _read),
    (_is_plan, _by_plan),
    (_is_program, _load),
    (is_model, _compile),
    (_is_tree, _of_tree),
)
"""Which sources there are, by how they look, and what measures each. The first one that accepts a source counts; what
none accepts is a revision."""


__all__ = ["Measured", "Wanted", "is_model", "is_profile", "measured"]

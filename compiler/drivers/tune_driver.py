"""What `ascend-tune` does: search for a better plan of a model, say what it gains and why, write it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from xdsl.utils.exceptions import DiagnosticException

from ...dialects.records import dataclass
from ...passes.plans.plan import SUFFIX, Plan
from ...passes.support.words import counted
from ..api import CompileError, compile, from_onnx
from ..onnx.imported import ImportedModel
from ..onnx.names import is_model_file
from ..programs.program import Program
from ..reports.progress_bars import ProgressBars
from ..reports.text_table import table, time_text
from ..text.diagnostics import Diagnostic
from ..text.output_files import check_output_files, put_text, target_file
from ..tune.held import KINDS
from ..tune.session import Budget, State
from ..tune.timed_plan import TimedPlan, front_of
from ..tune.tuned import Goal, Tuned, tune
from ..workers.lanes import WorkersLost
from ..workers.pool import workers
from .model_options import model_options_given
from .order_driver import order_of

DEFAULT_CHIP = "ascend910b"
MOST_PEERS = 4
"""Processes that compile the program: more have little left to share, and each copies this one."""

Found = tuple[Mapping[str, int], Tuned]
"""Sizes of the dimension that is swept, if one is, and what tuning found for them."""


class _Notes:
    """Notes on a model, which is compiled many times, shown once."""

    def __init__(self):
        self._shown = set[str]()

    def show(self, diagnostic: Diagnostic) -> None:
        text = str(diagnostic)
        if text not in self._shown:
            self._shown.add(text)
            print(text, file=sys.stderr)


@dataclass(frozen=True)
class TuneOptions:
    """The options of `ascend-tune`; their meaning is in its help. `executor`: who times launches in place of processes,
    `jobs` at once."""

    file: str
    target: str | None = None
    graph: str | None = None
    goal: str = "latency"
    slower: float = 0.10
    memory: tuple[str, ...] = ()
    batches: tuple[str, Sequence[int]] | None = None
    trials: int | None = None
    minutes: float | None = None
    patience: int = 12
    seed: int = 0
    jobs: int = 1
    dask: str | None = None
    executor: Executor | None = None
    store: str | None = None
    order: str | None = None
    output: str | None = None
    json: str | None = None
    precisions: Sequence[str] = ()
    precision: str | None = None
    precision_of: Mapping[str, str] = field(default_factory=dict[str, str])
    dims: Mapping[str, int] = field(default_factory=dict[str, int])
    notes: _Notes = field(default_factory=_Notes)
    models: dict[object, ImportedModel] = field(default_factory=dict[object, ImportedModel])
    """The model of the file by the precision and the sizes that it was read with."""

    @property
    def plan_file(self) -> str:
        """Where the plan goes."""
        return f"{Path(self.file).stem}{SUFFIX}" if self.output is None else self.output

    def compiled(self, plan: Plan | None, dims: Mapping[str, int] | None = None) -> Program:
        """The program with a plan, and sizes of dimensions beside those that are given."""
        sizes = {**self.dims, **(dims or {})}
        is_model = is_model_file(self.file)
        return compile(
            self._model(sizes) if is_model else self.file,
            self.target,
            graph=self.graph,
            plan=plan,
            dims=None if is_model else sizes,
            jobs=1 if self.dask or self.executor else min(self.jobs, MOST_PEERS),
            reports=False,
            warn=self.notes.show,
        )

    def _model(self, sizes: Mapping[str, int]) -> ImportedModel:
        """The model of the file, which is read once."""
        key = self.precision, *sorted(sizes.items())
        if key not in self.models:
            how: dict[str, Any] = {"precision": self.precision, "precision_of": self.precision_of}
            self.models[key] = from_onnx(self.file, **how, dims=sizes, warn=self.notes.show)
        return self.models[key]


@dataclass(frozen=True)
class Outcome:
    """What a search `found`, first what suits the goal best. `options`: with the precision that was chosen among those
    with these times, if several were allowed."""

    options: TuneOptions
    precisions: Mapping[str, float]
    found: Sequence[Found]

    def write(self) -> None:
        """Print it, and write the plan. Raises OSError, and WorkersLost where these ended the search."""
        _write(self.options, self.found, self.precisions)
        if lost := next((one.lost for _, one in self.found if one.lost), ""):
            raise WorkersLost(f"{lost}; the plan is the best until then")


def tune_model(options: TuneOptions) -> Outcome:
    """Tune a model. Raises CompileError, WorkersLost, OSError, ValueError; KeyboardInterrupt before there is a plan."""
    if options.output == options.json == "-":
        raise ValueError("-o and --json: only one of them can be the standard output")
    outputs = {"-o": options.plan_file, "--json": options.json, "--store": options.store}
    check_output_files([options.file, options.order or None, target_file(options.target)], outputs)
    if not is_model_file(options.file):
        options = _without_model_options(options)
    bars = ProgressBars()
    with bars.watching(), workers(options.jobs, options.dask, options.executor) as pool:
        options, precisions = _in_best_precision(options)
        budget = Budget(
            options.trials, None if options.minutes is None else options.minutes * 60, options.patience
        )
        watch = _Watch(bars)
        goal = Goal(
            "latency" if options.goal == "throughput" else options.goal, options.slower, options.memory
        )
        common: dict[str, Any] = {
            "goal": goal,
            "seed": options.seed,
            "store": options.store,
            "watch": watch.tell,
        }
        if options.order is not None:
            common["order"] = order_of(options.order, options.target or DEFAULT_CHIP, options.seed)
        found: list[Found]
        if options.batches is not None:
            found = _swept(options, pool, budget, common)
        else:
            found = [(dict[str, int](), tune(options.compiled, pool, budget, **common))]
        watch.end()
    return Outcome(options, precisions, found)


def _without_model_options(options: TuneOptions) -> TuneOptions:
    """The options for a file that is no ONNX model, with a note on each that says something about one."""
    given = model_options_given(options.precision, options.precision_of)
    for name in (*given, *["--precisions"] * bool(options.precisions)):
        options.notes.show(Diagnostic(f"{name} has no effect: the input is no ONNX model", "note"))
    return replace(options, precisions=(), precision=None, precision_of={})


def _in_best_precision(options: TuneOptions) -> tuple[TuneOptions, Mapping[str, float]]:
    """The options with the one of the allowed precisions whose default program takes least, the first of equals; µs
    with each. Others differ by more than tuning gains. What is not compiled is left out, with a note, but for the last
    one where nothing else is left."""
    times: dict[str, float] = {}
    for precision in options.precisions:
        try:
            times[precision] = replace(options, precision=precision).compiled(None).time().total_us
        except CompileError as error:
            refused = isinstance(error.__cause__, DiagnosticException)
            if not refused or (not times and precision == options.precisions[-1]):
                raise
            note = f"--precisions: {precision} is left out: {error.diagnostic.message}"
            options.notes.show(replace(error.diagnostic, message=note, severity="note"))
    if not times:
        return options, times
    return replace(options, precision=min(times, key=times.__getitem__)), times


def _swept(options: TuneOptions, pool: Any, budget: Budget, common: Mapping[str, Any]) -> list[Found]:
    """Each batch size tuned with its share of the budget: the most items a second first, of a front the least time."""
    assert options.batches is not None
    name, sizes = options.batches
    share = replace(
        budget,
        trials=None if budget.trials is None else max(1, budget.trials // len(sizes)),
        seconds=None if budget.seconds is None else budget.seconds / len(sizes),
    )
    found: list[Found] = []
    for size in sizes:
        dims = {name: size}
        try:
            tuned = tune(lambda plan, dims=dims: options.compiled(plan, dims), pool, share, **common)
        except KeyboardInterrupt:
            if not found:
                raise
            found[-1] = found[-1][0], replace(found[-1][1], interrupted=True)
            break
        found.append((dims, tuned))
        if tuned.interrupted or tuned.lost:
            break
    if options.goal == "pareto":
        return sorted(found, key=lambda one: one[1].best_us)
    return sorted(found, key=lambda one: one[1].best_us / one[0][name])


class _Watch:
    """Lines on stderr, where there is no terminal one now and then."""

    def __init__(self, bars: ProgressBars):
        self.bars, self.told = bars, 0.0
        self.terminal = sys.stderr.isatty()

    def tell(self, state: State) -> None:
        best, default = time_text(state.best_us), time_text(state.default_us)
        text = (
            f"{state.trials} trials, {state.seconds:.0f} s: best {best} of launches alone (default {default})"
        )
        if self.terminal:
            print(f"\r{text}, {state.doing}\033[K", end="", file=sys.stderr, flush=True)
        elif state.seconds >= self.told + 10:
            self.told = state.seconds
            print(f"{text}, {state.doing}", file=sys.stderr)

    def end(self) -> None:
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr)


def _write(options: TuneOptions, found: Sequence[Found], precisions: Mapping[str, float]) -> None:
    dims, best = found[0]
    front = _front(options, found)
    about: dict[str, Any] = {
        **best.plan.about,
        "goal": options.goal,
        **({"dims": dict(dims)} if dims else {}),
    }
    if precisions:
        about["precision"] = options.precision
    plan = replace(best.plan, about=about)
    put_text(options.plan_file, plan.to_text())
    if options.json is not None:
        data = [_to_json(dims, one, front) for dims, one in found]
        put_text(options.json, json.dumps(data, indent=1) + "\n")
    out = sys.stderr if options.json == "-" or options.output == "-" else sys.stdout
    each = [f"  {name}: {time_text(us)} by default" for name, us in precisions.items()]
    if each:
        each.append(f"  tuned: --precision {options.precision}")
    last = ["interrupted: the best plan so far"] if any(one.interrupted for _, one in found) else []
    for line in (*_lines(options, dims, found), *each, *_files(options, front), *last):
        print(line, file=out)


def _front(options: TuneOptions, found: Sequence[Found]) -> list[TimedPlan]:
    """The plans that no other beats, over all sizes of a sweep."""
    plans = [
        replace(one, size=next(iter(dims.values()), None)) for dims, tuned in found for one in tuned.front
    ]
    return front_of(plans, Goal(options.goal, memory=options.memory).kinds)


def _files(options: TuneOptions, front: Sequence[TimedPlan]) -> list[str]:
    """Write the plans of the front; the lines that say so."""
    lines = [f"plan: {options.plan_file}"]
    stem = Path(options.file).stem if options.output == "-" else options.plan_file.removesuffix(SUFFIX)
    for i, one in enumerate(front):
        path = f"{stem}.front{i}{SUFFIX}"
        about: dict[str, Any] = {"us": round(one.us, 3), **one.held.to_json()}
        said = time_text(one.us)
        if options.batches is not None:
            name, _ = options.batches
            about["dims"] = {name: one.size}
            said = f"{name} = {one.size}, {said}, {1e6 / one.us_each:,.0f} a second"
        put_text(path, replace(one.plan, about=about).to_text())
        bytes_held = ", ".join(f"{kind} {one.held.kind(kind)} B" for kind in KINDS)
        lines.append(f"  front: {said}, {bytes_held}: {path}")
    return lines


def _lines(options: TuneOptions, dims: Mapping[str, int], found: Sequence[Found]) -> list[str]:
    best = found[0][1]
    trials, seconds = sum(one.trials for _, one in found), sum(one.seconds for _, one in found)
    times = f"{time_text(best.default_us)} -> {time_text(best.best_us)} on the clock, {best.in_words}"
    lines = [f"{options.file}: {times}; {counted(trials, 'launch', 'launches')} timed in {seconds:.0f} s"]
    if options.goal != "latency":
        each = zip(KINDS, best.default_held.kinds(KINDS), best.best_held.kinds(KINDS), strict=True)
        lines.append("  " + ", ".join(f"{kind} {before} B -> {after} B" for kind, before, after in each))
    for sizes, one in found if dims else ():
        ((name, size),) = sizes.items()
        lines.append(f"  {name} = {size}: {size / one.best_us * 1e6:,.0f} a second, {time_text(one.best_us)}")
    rows = [("kernel", "before", "after", "what changed")]
    for change in best.changes:
        rows.append((change.name, time_text(change.before_us), time_text(change.after_us), change.reason))
    return lines + (table(rows, 1, remarks=True) if best.changes else ["  no other plan is faster"])


def _to_json(dims: Mapping[str, int], one: Tuned, front: Sequence[TimedPlan]) -> dict[str, Any]:
    size = next(iter(dims.values()), None)
    default, tuned = one.default_held.to_json(), one.best_held.to_json()
    return {
        "dims": dict(dims),
        "default_us": one.default_us,
        "us": one.best_us,
        "gain": one.gain,
        **{name: {"default": before, "tuned": tuned[name]} for name, before in default.items()},
        "trials": one.trials,
        "seconds": one.seconds,
        "changes": [
            {"kernel": c.name, "before_us": c.before_us, "us": c.after_us, "reason": c.reason}
            for c in one.changes
        ],
        "front": [{"us": point.us, **point.held.to_json()} for point in front if point.size == size],
    }


__all__ = ["Outcome", "TuneOptions", "tune_model"]

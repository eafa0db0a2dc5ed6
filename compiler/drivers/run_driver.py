"""What `ascend-run` does: compile fused and unfused, run both, compare with the reference, report."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from ...dialects.graph import QuantizeOp
from ...dialects.records import dataclass
from ...passes.support.dynamic_size import at_run_size, is_dynamic_function
from ...runtime.support.hazard import ProgramError
from ..api import Program, Result, compile
from ..checks.kernel_check import KernelChecks, blamed
from ..checks.parts_apart import parts_apart
from ..checks.repair import Repair, repair_lines
from ..checks.run_check import NUDGE, Check, check_outputs, coarsest_types
from ..checks.ties import settled
from ..onnx.names import is_model_file
from ..pipeline.pipelines import Fusing
from ..pipeline.read_module import choose_function
from ..pipeline.save_plan import save_plan
from ..programs.program_inputs import size_of
from ..reports.fusion_losses import FusionLoss, fusion_losses
from ..reports.progress_bars import ProgressBars
from ..reports.run_report import RunReport, Variant
from ..text.diagnostics import Diagnostic
from ..text.output_files import put_text
from ..text.source_text import decode
from ..workers.shared import passes_shared
from .model_options import model_options_given
from .run_inputs import inputs_of, read_inputs, write_outputs
from .run_options import RunOptions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


@dataclass(frozen=True)
class References:
    """What the graph defines of `inputs`, and the same with what is quantised moved, if something is."""

    inputs: Mapping[str, Array]
    outputs: Mapping[str, Array]
    nudged: Mapping[str, Array] | None


TITLES: dict[Fusing, str] = {True: "fused", "library": "library-like", False: "unfused"}
"""The columns of the report."""
BASELINES: tuple[Fusing, ...] = ("library", False)
"""What the fused program is held against."""
REPAIRED = "repaired"
"""The column of the program that `--repair` made."""


def run(options: RunOptions) -> bool:
    """Do what the options say; False if `--check` found a wrong output, or one that it could not check.

    Prints the report on stdout. Raises CompileError, HazardError, ProgramError, OutputError, OSError.
    """
    options.check_files([options.file])
    bars = ProgressBars()
    with bars.watching(), passes_shared(options.jobs):
        return _run(options, bars)


@dataclass
class _Runs:
    """The runs of one command: what each gave, the programs that ran, and the `result` to save, which is that of the
    first program or of the repaired one. `repair`: what was repaired, in words; `notes`: what else there is to say."""

    variants: list[Variant]
    programs: list[Program]
    result: Result
    notes: list[str]
    repair: list[str] = field(default_factory=list[str])
    losses: list[FusionLoss] = field(default_factory=list[FusionLoss])

    @property
    def repaired(self) -> bool:
        """Whether the last program is the first one, repaired."""
        return self.variants[-1].title == REPAIRED

    @property
    def judged(self) -> Sequence[Variant]:
        """What `--check` is about: the repaired program alone, if there is one."""
        return self.variants[-1:] if self.repaired else self.variants

    @property
    def wrong(self) -> Program | None:
        """The first program with a wrong output, of those that are judged."""
        ran = list(zip(self.variants, self.programs, strict=True))
        return next((program for variant, program in ran[-len(self.judged) :] if _wrong(variant)), None)


def _run(options: RunOptions, bars: ProgressBars) -> bool:
    bars.phase("compiling")
    program = _compile(options, bars)
    has_graph = program.graph_module is not None
    if not has_graph:
        for name in (name for name in ("bisect", "repair") if getattr(options, name)):
            raise ProgramError(f"--{name} needs the graph: of a lowered program nothing tells what is right")
        bars.clear()
        why = "has no effect: the module came lowered"
        _warn(*(Diagnostic(f"{name} {why}", "note") for name in options.of_choices))
    elif not options.fuse:
        why = "has no effect: nothing is fused with --no-fuse"
        _warn(*(Diagnostic(f"{name} {why}", "note") for name in options.of_fusion))
    save_plan(options.save_plan, program.plan)
    inputs = inputs_of(program, read_inputs(options.inputs) if options.inputs else {}, options)
    title = TITLES[program.fused] if has_graph else "as given"
    bars.phase(f"running, {title}")
    watch = KernelChecks(program, inputs) if options.check and has_graph else None
    traced = options.trace_cores if options.trace else 0
    warm, flags = options.warm, options.flags
    noted = bool(options.trace or options.json)
    result = program.run(
        inputs,
        size=options.size,
        traced_cores=traced,
        watch=watch,
        warm=warm,
        flags=flags,
        usage=noted,
    )
    variant = Variant(title, result.profile, kernels=watch.found if watch else ())
    size = size_of(inputs, program.inputs)
    notes = [*map(str, result.findings), *([] if size is None else [f"the dynamic dimension is {size}"])]
    runs = _Runs([variant], [program], result, notes)
    if has_graph:
        _compare(options, runs, inputs, watch, traced, bars)
    else:
        runs.notes.append("the program came lowered, without its graph: no reference to compare with")
    _write(options, runs, options.tilings if has_graph else None, bars)
    out = sys.stderr if options.prints_json else sys.stdout
    for line in ("", "repair:", *runs.repair) if runs.repair else ():
        print(line, file=out)
    if options.bisect:
        _bisect(runs.wrong, inputs, bars, out)
    return not options.check or _passed(runs.judged, has_graph)


def _compare(
    options: RunOptions,
    runs: _Runs,
    inputs: dict[str, Array],
    watch: KernelChecks | None,
    traced: int,
    bars: ProgressBars,
) -> None:
    """Hold the first run against the reference and against baselines, and repair it if that was asked for."""
    program, result, size = runs.programs[0], runs.result, size_of(inputs, runs.programs[0].inputs)
    bars.phase("evaluating the reference")
    reference = _references(program, inputs)
    runs.variants[0] = _checked(runs.variants[0], program, result, reference)
    if program.fused:
        baselines = [_baseline(options, program, fuse, bars, size) for fuse in BASELINES]
        with_data = options.check or any(one.reads_indices for one in (program, *baselines))
        given = reference if with_data else None
        runs.variants += [_run_baseline(one, inputs, given, options, bars) for one in baselines]
        runs.programs += baselines
        if not with_data:
            titles = " and ".join(variant.title for variant in runs.variants[1:])
            runs.notes.append(
                f"{titles} ran for their time only, which data does not change; --check compares values too"
            )
    runs.losses = _losses(options, runs, size, bars)
    if options.repair and watch is not None:
        repair = Repair(program, result, watch, partial(_checks_of, program, reference), traced)
        if repair.clean:
            what = f"every kernel and every output, {runs.variants[0].title}"
            runs.repair = [f"nothing to repair: {what}, is within its bound"]
        else:
            repair.run(bars.phase)
            runs.repair, runs.result = repair_lines(repair, runs.variants[0].checks), repair.result
            checked = repair.checks(repair.program, runs.result)
            runs.variants.append(Variant(REPAIRED, runs.result.profile, checked, repair.watch.found))
            runs.programs.append(repair.program)
    if options.check and is_model_file(options.file):
        from ..checks import against_onnxruntime

        bars.phase("running, onnxruntime")
        runs.notes += against_onnxruntime.notes(options.file, program, inputs, runs.result.outputs)


def _losses(options: RunOptions, runs: _Runs, size: int | None, bars: ProgressBars) -> list[FusionLoss]:
    """What of the first program is slower fused than in a baseline, and what it takes without that."""
    baselines = [(variant.title, variant.profile) for variant in runs.variants[1:]]
    found = fusion_losses(runs.variants[0].profile, baselines)
    program = runs.programs[0]
    if not found or program.reads_indices:
        return _no_plan_apart(options, runs, found)
    bars.phase("compiling, the slower ones apart")
    apart = parts_apart(program, {one.numbers[0]: one.parts for one in found})
    if apart is None:
        return _no_plan_apart(options, runs, found)
    save_plan(options.save_plan_apart, apart.plan)
    total = apart.time(size, runs.variants[0].profile.warm).total_us
    return [replace(one, without_us=total) for one in found]


def _no_plan_apart(options: RunOptions, runs: _Runs, found: list[FusionLoss]) -> list[FusionLoss]:
    """What was found, with a note where a plan with parts apart was asked for."""
    if options.save_plan_apart is not None:
        why = "they cannot be timed apart" if found else "no kernel is slower than its parts"
        runs.notes.append(f"--save-plan-apart writes nothing: {why}")
    return found


def _write(options: RunOptions, runs: _Runs, tilings: int | None, bars: ProgressBars) -> None:
    """Write the files that were asked for, and print the report."""
    program = runs.programs[0]
    if options.outputs:
        write_outputs(options.outputs, runs.result.outputs)
    if options.trace:
        put_text(options.trace, runs.result.trace_text())
    report = RunReport(
        program.name, program.target, runs.variants, runs.notes, tilings, options.sort, options.rows,
        runs.losses, _how_tiled(options, program),
    )  # fmt: skip
    bars.phase("")
    if options.json:
        put_text(options.json, report.to_json_text())
    if not options.prints_json:
        sys.stdout.write(report.to_text())


def _how_tiled(options: RunOptions, program: Program) -> str:
    """How tiles are chosen where a file says some, in words."""
    from ...passes.fusion.stated_plan import PlanReport

    refused = any(isinstance(one, PlanReport) and one.refused for one in program.reports)
    if options.plan is not None and options.fuse and not refused:
        return "as planned"
    return "" if options.store is None else f"stored, else {'predicted' if options.tilings == 1 else 'timed'}"


def tabulate(files: Sequence[str], options: RunOptions) -> bool:
    """Print how the files do on every chip, or on that of the options; raises CompileError, OutputError, OSError."""
    options.check_files(files)
    from .target_table import TableOptions, run_table

    targets = () if options.target is None else (options.target,)
    chosen = TableOptions(
        files, targets, options.graph, options.fuse, options.tilings, options.min_gain, options.max_occupancy,
        options.join_launches, options.dynamic_sizes, options.dynamic_range, options.max_loss, options.size,
        options.precision, options.precision_of, options.dims, options.warm,
    )  # fmt: skip
    bars = ProgressBars()
    with bars.watching():
        run_table(chosen, options.json, bars.print)
    return True


def _passed(variants: Sequence[Variant], has_graph: bool) -> bool:
    """What `--check` finds: an error for each output that is wrong or could not be checked, and for the first kernel of
    each variant that is wrong, or that a wrong output is due to."""
    failures: list[str] = []
    for variant in variants:
        failed = [(name, check) for name, check in variant.checks.items() if not check.passed]
        failures += [f"{variant.title} {name} {check.failure}" for name, check in failed]
        first = blamed(variant.kernels)
        if first is not None and first.check.wrong:
            failures.append(f"{variant.title} {first.title}, given its own inputs, {first.check.failure}")
        elif first is not None and failed:
            failures.append(f"{variant.title} {first.title}: {first.loss}")
    if not has_graph:
        failures = ["there is no reference: the program came lowered, without its graph"]
    _warn(*(Diagnostic(f"--check: {failure}") for failure in failures))
    return not failures


def _compile(options: RunOptions, bars: ProgressBars) -> Program:
    source: str | Path = Path(options.file)
    if not is_model_file(options.file):
        named = model_options_given(options.precision, options.precision_of)
        _warn(*(Diagnostic(f"{one} has no effect: the input is no ONNX model", "note") for one in named))
    if options.file == "-":
        source = decode(sys.stdin.buffer.read(), "<stdin>") + "\n"
    return compile(
        source,
        options.target,
        options.fuse,
        options.graph,
        tune=options.tilings,
        min_gain=options.min_gain,
        max_occupancy=options.max_occupancy,
        join_launches=options.join_launches,
        marks=options.marks,
        plan=options.plan,
        store=options.store,
        dynamic_sizes=options.dynamic_sizes,
        dynamic_range=options.dynamic_range,
        max_loss=options.max_loss,
        precision=options.precision,
        precision_of=options.precision_of,
        dims=options.dims,
        warn=bars.print,
    )


def _warn(*diagnostics: Diagnostic) -> None:
    for diagnostic in diagnostics:
        print(diagnostic, file=sys.stderr)


def _references(program: Program, inputs: dict[str, Array]) -> References:
    assert program.graph_module is not None
    quantises = any(isinstance(op, QuantizeOp) for op in program.graph_module.walk())
    nudged = program.nudged_reference(inputs, NUDGE) if quantises else None
    return References(inputs, program.reference(inputs), nudged)


def _checked(variant: Variant, program: Program, result: Result, reference: References) -> Variant:
    return replace(variant, checks=_checks_of(program, reference, program, result))


def _checks_of(
    stated: Program, reference: References, program: Program, result: Result
) -> Mapping[str, Check]:
    """The checks of a result of `program` by the types that the graph of `stated` has."""
    assert stated.graph_module is not None
    function, overflow = choose_function(stated.graph_module, stated.name), program.target.overflow
    actual, expected = list(result.outputs.values()), list(reference.outputs.values())
    right = settled(function, reference.inputs, actual, expected, overflow)
    wanted = dict(zip(reference.outputs, right, strict=True))
    return check_outputs(result.outputs, wanted, overflow, reference.nudged, coarsest_types(function))


def _wrong(variant: Variant) -> bool:
    return any(check.wrong for check in variant.checks.values())


def _run_baseline(
    program: Program,
    inputs: dict[str, Array],
    reference: References | None,
    options: RunOptions,
    bars: ProgressBars,
) -> Variant:
    """Run for the time alone where there is no `reference`; with `--check` kernel by kernel, too."""
    title = TITLES[program.fused]
    bars.phase(f"running, {title}")
    if reference is None:
        return Variant(title, program.time(size_of(inputs, program.inputs), options.warm))
    watch = KernelChecks(program, inputs) if options.check else None
    result = program.run(inputs, watch=watch, warm=options.warm)
    variant = Variant(title, result.profile, kernels=watch.found if watch else ())
    return _checked(variant, program, result, reference)


def _baseline(
    options: RunOptions, program: Program, fuse: Fusing, bars: ProgressBars, size: int | None
) -> Program:
    """The same graph, fused less. Where each size has a variant, at the `size` that runs."""
    graph, sizes = program.graph_module, options.dynamic_sizes or program.run_sizes
    assert graph is not None
    if size is not None and not is_dynamic_function(program.entered(size)):
        graph, sizes = at_run_size(graph, size), ()
    bars.phase(f"compiling, {TITLES[fuse]}")
    baseline = compile(graph, program.target_name, fuse, tune=options.tilings, dynamic_sizes=sizes)
    return replace(baseline, results=program.results)


def _bisect(wrong: Program | None, inputs: dict[str, Array], bars: ProgressBars, out: TextIO) -> None:
    if wrong is None:
        print("bisect: every output is within its bound", file=out)
        return
    from ..checks.bisect import bisect

    bars.phase("looking for the first wrong instruction")
    finding = bisect(wrong, inputs)
    bars.phase("")
    print(finding, file=out)

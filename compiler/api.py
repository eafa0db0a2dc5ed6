"""The Python API: compile a graph to a program for a chip, run it on the emulator, save and load it.

    program = ascend_opt.compile("conv.mlir", target="ascend910b")
    result = program.run(x=x, w=w, b=b)
    result.outputs["output0"], result.profile.total_us
    program.save("conv.program")

Errors in the input are a `CompileError`, whose text is a message with a location.
"""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.arg_spec import ArgSpec

from ..dialects.given_target import TargetLike, check_target, name_of_target
from ..dialects.helpers import is_variant
from ..dialects.records import dataclass
from ..dialects.target import Target
from ..dialects.target_files import target_names
from ..dialects.target_text import standalone_text, text_of
from ..passes.fusion.kernel_sources import KernelSource, collect_sources
from ..passes.kernels.tuner import TUNE, check_tune
from ..passes.plans.collected import collect_plans
from ..passes.plans.plan import FunctionPlan, Plan, digest_of
from ..passes.rewrites.size_dispatch import variants_called
from ..passes.support.dynamic_size import check_has_dynamic_size
from ..passes.support.module import check_made_for, chip_of, set_target, target_of
from ..passes.support.report import Report, notes_told_to
from ..passes.support.run_size import check_sizes
from ..runtime.support.collector import seldom_collecting
from ..runtime.support.hazard import ProgramError
from .onnx.imported import ImportedModel
from .onnx.names import is_model, is_model_file
from .onnx.options import ImportOptions
from .pipeline.pipelines import Fusing, Variants, pipelines_of, stages, variants_of, with_choices
from .pipeline.read_module import Read, Warn, choose_function, keep_only, level_of, make_context, read_module
from .pipeline.run_passes import AfterPass, Run, run_passes
from .programs.given_kinds import COMPILE, FROM_ONNX, PATH, check_kinds, plain
from .programs.program import Program, Result
from .text.command_marks import OPTION, put_marks
from .text.diagnostics import Diagnostic
from .workers.shared import passes_shared

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray
    from onnx import ModelProto

    Array = NDArray[Any]


class CompileError(ValueError):
    """What is wrong with the input, located; `str` is the message as the command line tools print it.

    The exception that it comes from is its `__cause__`.
    """

    def __init__(self, diagnostic: Diagnostic):
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


def compile(
    source: str | Path | ModuleOp | ImportedModel | ModelProto,
    target: TargetLike | None = None,
    fuse: Fusing = True,
    graph: str | None = None,
    *,
    tune: int = TUNE,
    min_gain: float | None = None,
    max_occupancy: float | None = None,
    layouts: bool = True,
    join_launches: bool = True,
    marks: Sequence[str] = (),
    plan: Plan | str | Path | None = None,
    store: str | Path | None = None,
    dynamic_sizes: Sequence[int] = (),
    dynamic_range: Sequence[int] = (),
    max_loss: float | None = None,
    precision: str | None = None,
    precision_of: Mapping[str, str] | None = None,
    dims: Mapping[str, int] | None = None,
    jobs: int | None = None,
    reports: bool = True,
    after_pass: AfterPass | None = None,
    warn: Warn | None = None,
) -> Program:
    """Compile a graph for a chip.

    `source` is graph text or MLIR text, the path of a file with either or with an ONNX model, a module at any level
    (which is not changed), or a model of the `onnx` package. `target` is the name of a chip, the path of a `.toml`
    file, or a `Target`, as `load_target("ascend910").with_(cores=8)`; without it the one that the module states, else
    the default one. A changed copy of a chip that keeps its name is called `<name>+<digits>`. With `fuse` off the
    graph is compiled as written, one kernel per op; with `fuse="library"` the graph passes run and each operator that
    a library has is one kernel. `graph` names the graph when there are several. `tune` is the number of tilings that
    each kernel tries on the emulator's clock; 1 trusts the prediction. `min_gain` and `max_occupancy` are the limits
    of `tile-fuse`: shares of GM bytes that pay without a gain in time, and of UB that added temporaries may take. With
    `layouts` off all tensors between kernels are row-major, with `join_launches` off each kernel has a launch. `marks`
    are put on ops (`"%y {tile = [1, 128]}"`), before those of the graph. `plan` is a plan or its file, as
    `Program.plan`: groups, layouts and tilings are as it says; `store` has tilings that were timed. `dynamic_sizes`
    are run-time sizes that tiles are chosen for (1, 8 and 32). `dynamic_range` is the first and last size: a few
    variants, none slower than a program for one size by more than the share `max_loss` (0.1) of its time. `jobs`
    processes share the work. Without `reports` the program has none, and passes leave out what only these need. `warn`
    receives warnings (else Python). Of a model, `precision` is what its floats are stored in (`f16`, `bf16` or `f32`),
    `precision_of` the same for nodes by name. `dims` are sizes of symbolic dimensions by name or as `INPUT:AXIS`, also
    of the `?` of a graph.

    Raises CompileError, a message with a location; TypeError and ValueError for arguments that make no sense.
    """
    check_kinds(locals(), COMPILE)
    _check_given(source, target)
    _check_model_options(source, {"precision": precision, "precision_of": precision_of}, dims, warn)
    fusion = _fusion_options(plain(min_gain), plain(max_occupancy), layouts, join_launches, plan, store)
    sizes, variants = plain(dynamic_sizes), variants_of(plain(dynamic_range), plain(max_loss))
    choices, run = Choices(fusion, sizes and check_sizes(sizes), plain(tune), variants), Run(reports)
    with _explained(run), seldom_collecting(), passes_shared(plain(jobs)), _notes_of_passes(warn) as tell:
        options = ImportOptions(precision, precision_of or {}, plain(dims or {}))
        read = read_module(source, warn=warn or _warn_of_model, on_text=run.texts.append, options=options)
        for note in put_marks(read.module, marks, run.texts):
            tell(Diagnostic(note, "note", OPTION))
        chip = None if target is None else name_of_target(target)
        return _compile(read, chip, fuse, graph, choices, after_pass, run)


def _check_given(source: object, target: TargetLike | None) -> None:
    """TypeError for a source or a chip of a kind that there is none of."""
    if not (isinstance(source, str | Path | ModuleOp | ImportedModel) or is_model(source)):
        raise TypeError(f"source is text, a path, a module or a model, not {type(source).__name__}")
    if source == "":
        raise ValueError("source is text or a path, and is empty")
    if target is not None:
        check_target(target)


@contextmanager
def _notes_of_passes(warn: Warn | None) -> Generator[Warn]:
    """`warn`, or Python warnings at the caller of who opens the context, which also get each note of passes once when
    all have run."""
    notes: dict[str, None] = {}
    with notes_told_to(lambda note: notes.update({note: None})):
        yield warn or partial(_warn_of_model, depth=3)
    for note in notes:
        (warn or partial(_warn_of_model, depth=5))(Diagnostic(note, "note"))


@contextmanager
def _explained(run: Run) -> Generator[None]:
    """Errors inside, as `CompileError`."""
    try:
        yield
    except CompileError:
        raise
    except Exception as error:
        raise CompileError(run.explained(error)) from error


@dataclass(frozen=True)
class Choices:
    """What was said of fusion, of run-time sizes that tiles are chosen for, of tilings, and of variants."""

    fusion: Mapping[str, float | str]
    sizes: Sequence[int]
    tune: int
    variants: Variants

    def __post_init__(self) -> None:
        check_tune(self.tune)

    def of(self, specs: Iterable[ArgSpec]) -> Sequence[ArgSpec]:
        """The passes, with these choices."""
        return with_choices(specs, self.fusion, self.sizes, self.tune, self.variants)


def _fusion_options(
    min_gain: float | None,
    max_occupancy: float | None,
    layouts: bool,
    join_launches: bool,
    plan: Plan | str | Path | None,
    store: str | Path | None,
) -> dict[str, float | str]:
    """What was said of the options of `tile-fuse`."""
    given: dict[str, float | str | None] = {
        "min-gain": min_gain,
        "max-occupancy": max_occupancy,
        "layouts": None if layouts else False,
        "join-launches": None if join_launches else False,
        "store": None if store is None else str(store),
        "plan": plan.to_text() if isinstance(plan, Plan) else None if plan is None else str(plan),
    }
    return {name: value for name, value in given.items() if value is not None}


def _check_model_options(
    source: object, options: Mapping[str, object], dims: Mapping[str, int] | None, warn: Warn | None
) -> None:
    """That a model is there that the `options` which say something can have an effect on; without `warn` a Python
    warning at the caller of `compile` says that there is none."""
    given = [name for name, value in options.items() if value]
    if isinstance(source, ImportedModel) and (given := [*given, *["dims"] * bool(dims)]):
        raise ValueError(
            f"{given[0]} has no effect on a model that is already imported: give it to "
            f"from_onnx(..., {given[0]}=...)"
        )
    if given and warn is None and not _is_model(source):
        warnings.warn(f"{', '.join(given)}: of no effect, the source is no ONNX model", stacklevel=3)


def _warn_of_model(diagnostic: Diagnostic, depth: int = 4) -> None:
    """A note on a model or a plan as a Python warning at the caller, `depth` calls up; those on texts are for who
    asks."""
    if diagnostic.severity == "note":
        about = f"{diagnostic.file}: " if diagnostic.file else ""
        warnings.warn(f"{about}{diagnostic.message}", stacklevel=depth)


def _is_model(source: object) -> bool:
    """Whether a source is an ONNX model, or the path of one."""
    return is_model(source) or (isinstance(source, str | Path) and is_model_file(source))


def from_onnx(
    source: str | Path | ModelProto,
    *,
    precision: str | None = None,
    precision_of: Mapping[str, str] | None = None,
    dims: Mapping[str, int] | None = None,
    constants: Mapping[str, ArrayLike] | None = None,
    warn: Warn | None = None,
) -> ImportedModel:
    """The graph of an ONNX model, with its weights, which `compile` takes; the options are those of `compile`.

    `constants` are values of inputs that keep them, such as shapes: arrays of the inputs' shapes, whose numbers their
    types hold. Weights that are clipped are told `warn`, or as Python warnings. Raises CompileError, which lists all
    that cannot be imported.
    """
    check_kinds(locals(), FROM_ONNX)
    import numpy as np

    from .onnx import import_model

    known = {name: np.asarray(value) for name, value in (constants or {}).items()}
    try:
        imported = import_model(
            source, ImportOptions(precision, precision_of or {}, plain(dims or {}), known)
        )
        for note in imported.few_notes:
            diagnostic = Diagnostic(note, "note", imported.file)
            _warn_of_model(diagnostic, 3) if warn is None else warn(diagnostic)
        return imported
    except (OSError, ValueError) as error:
        from .pipeline.explain import explain

        raise CompileError(explain(error)) from error


def compile_until(program: Program, level: Literal["graph", "tile", "ascend"]) -> ModuleOp:
    """The program's graph compiled again, as far as a level: after the graph's own passes, as tile kernels,
    or lowered. Raises ProgramError when the program came without its graph, ValueError for another level."""
    from .pipeline.pipelines import build_passes, stages_until
    from .pipeline.universe import UNIVERSE

    if program.graph_module is None:
        raise ProgramError(f"@{program.name} came as a lowered program: there is no graph to compile")
    module = program.graph_module.clone()
    pipelines = pipelines_of(program.fused)
    context = make_context()
    choices = (program.fusion, program.sizes, program.tune, program.variants)
    specs = with_choices(stages_until(pipelines, level), *choices)
    for one in build_passes(UNIVERSE.all_passes, specs, program.target_name or None):
        one.apply(context, module)
    return module


def load(path: str | Path) -> Program:
    """A program that `Program.save` wrote. Raises CompileError if the file is none."""
    check_kinds(locals(), {"path": PATH})
    from .programs.load_program import load as load_file

    try:
        return load_file(path)
    except (OSError, ValueError) as error:
        from .pipeline.explain import explain

        raise CompileError(explain(error)) from error


def _compile(
    read: Read,
    target: str | None,
    fuse: Fusing,
    graph: str | None,
    choices: Choices,
    after_pass: AfterPass | None,
    run: Run,
) -> Program:
    module, level = read.module, level_of(read.module)
    try:
        name = choose_function(module, graph).sym_name.data
    except ValueError as error:
        if graph is not None or not read.sources:
            raise
        raise read.sources[0].error(0, 0, str(error)) from None
    chosen = target_of(module, target)
    chip = chip_of(module, target)
    check_made_for(module, chip)
    graph_module: ModuleOp | None = None
    timings: list[tuple[str, float]] = []
    reports: Sequence[Report] = ()
    kernels: Mapping[str, Sequence[KernelSource]] = {}
    plans: Mapping[str, FunctionPlan] = {}
    if level != "ascend":
        keep_only(module, choose_function(module, name))
        set_target(module, chip.name)
        if level == "graph":
            graph_module = module.clone()
            if choices.sizes or choices.variants:
                check_has_dynamic_size(module)
        pipelines = pipelines_of(fuse if level == "graph" else False)
        specs = [stage for pipeline in pipelines for stage in stages(pipeline)]
        specs = choices.of(specs)
        with collect_sources() as kernels, collect_plans() as plans:
            reports = run_passes(module, specs, chosen, timings, after_pass, run)
        run.applied.clear()
    imported = read.imported
    program = Program(
        module,
        chip,
        name,
        graph_module,
        fuse,
        reports,
        tuple(timings),
        read.sources,
        target_name=chosen,
        target_text=_text_of(chosen, chip),
        tune=choices.tune,
        fusion=choices.fusion,
        sizes=choices.sizes,
        plan=Plan(chip.name, digest_of(chip), plans) if plans else None,
        variants=_with_ends(choices.variants, choose_function(module, name)),
        results=() if imported is None else imported.results,
        kernel_sources=kernels.get(name, ()),
        variant_sources={of: found for of, found in kernels.items() if is_variant(of)},
        fusable=_fusable(kernels.get(name, ())) if graph_module is not None and fuse is True else None,
    )
    return program if imported is None else program.bind(**imported.weights)


def _with_ends(variants: Variants, main: FuncOp) -> Variants:
    """What was said of variants, with the parts that were found: a graph that is compiled again gets the same."""
    if not variants:
        return variants
    found = (last for last, _ in variants_called(main) if last >= 0)
    return {**variants, "ends": (*found, cast(Sequence[int], variants["range"])[1])}


def _text_of(name: str, chip: Target) -> str | None:
    """The file of a target that is none of the known ones: what a saved program takes along."""
    if name in target_names():
        return None
    return standalone_text(name) if Path(name).is_file() else text_of(chip)


def _fusable(sources: Sequence[KernelSource]) -> Sequence[tuple[int, int]]:
    """Pairs of launches that could be one kernel."""
    return [(first, second) for second, source in enumerate(sources) for first in sorted(source.fusable)]


__all__ = [
    "CompileError",
    "Program",
    "ProgramError",
    "Result",
    "compile",
    "compile_until",
    "from_onnx",
    "load",
]

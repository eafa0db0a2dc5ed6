"""The Python API: compile a graph to a program for a chip, run it on the emulator, save and load it.

    program = ascend_opt.compile("conv.mlir", target="ascend910b")
    result = program.run(x=x, w=w, b=b)
    result.outputs["output0"], result.profile.total_us
    program.save("conv.program")

Errors in the input are a `CompileError`, whose text is a message with a location.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.ascend import LaunchOp, LoadIndexOp
from ..dialects.target import Target
from ..dialects.target_text import standalone_text
from ..passes.dynamic_size import at_run_size
from ..passes.graph_module import check_made_for, chip_of, set_target, target_of
from ..passes.kernels import tuning
from ..passes.report import Report, collect_reports
from ..passes.run_size import check_sizes
from ..runtime.emulator import Emulator, LaunchTrace
from ..runtime.hazard import ProgramError
from ..runtime.host import check_size
from ..runtime.profile import Profile
from .collector import seldom_collecting
from .diagnostics import Diagnostic, Source
from .onnx.imported import ImportedModel
from .onnx.names import is_model
from .onnx.options import ImportOptions
from .pipelines import Fusing, pipelines_of
from .program_inputs import Tensor, check_inputs, graph_inputs, lowered_inputs, same_arrays, size_of
from .read_module import (
    Read,
    Warn,
    choose_function,
    keep_only,
    level_of,
    make_context,
    read_module,
)
from .tune import EmulatorTuner
from .verify import kept_by, verify_after

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray
    from onnx import ModelProto

    Array = NDArray[Any]

AfterPass = Callable[[str, float, ModuleOp], None]
"""`after_pass(name, seconds, module)`: called after each pass, for timings and dumps of the IR."""


class CompileError(ValueError):
    """What is wrong with the input, located; `str` is the message as the command line tools print it.

    The exception that it comes from is its `__cause__`.
    """

    def __init__(self, diagnostic: Diagnostic):
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


TUNE = 6
"""How many tilings of each kernel are tried on the emulator's clock, unless told otherwise."""


@dataclass(frozen=True, repr=False)
class Result:
    """What a run gave. `outputs` by name (`output0`, ... in the order of the graph's results) in their
    storage types; none when only time ran. `trace` holds the traced cores' instructions."""

    outputs: dict[str, Array]
    profile: Profile
    trace: Sequence[LaunchTrace] = ()
    target: Target | None = None

    def __repr__(self) -> str:
        outputs = [f", {n} {'x'.join(map(str, a.shape))} {a.dtype}" for n, a in self.outputs.items()]
        return f"<Result of {self.profile.summary}{''.join(outputs)}>"

    def save_trace(self, path: str | Path) -> None:
        """Write the Chrome trace, which Perfetto opens; without `traced_cores` in the run it has the kernels alone."""
        from .output_files import write_text

        write_text(path, self.trace_text())

    def trace_text(self) -> str:
        """The Chrome trace as JSON."""
        from ..runtime.trace import trace_text

        assert self.target is not None
        return trace_text(self.profile, self.trace, self.target)


@dataclass(repr=False)
class Program:
    """A graph compiled for a chip.

    `module` is at the ascend level, `graph_module` is the graph as given (None for a module that came
    already lowered). `reports` are those of the passes, `timings` the passes' seconds in order.
    """

    module: ModuleOp
    target: Target
    name: str
    graph_module: ModuleOp | None = None
    fused: Fusing = True
    reports: Sequence[Report] = ()
    timings: Sequence[tuple[str, float]] = ()
    sources: Sequence[Source] = ()
    target_name: str = ""
    target_text: str | None = None
    """The target's file with what it extends, when it is none of the known ones: a saved program takes it along."""
    tune: int = TUNE
    fusion: Mapping[str, float] = field(default_factory=dict[str, float])
    """Options of `tile-fuse` that were given: `min-gain`, `max-occupancy`."""
    weights: dict[str, Array] = field(default_factory=dict[str, "Array"])
    sizes: Sequence[int] = ()
    """Sizes of the dynamic dimension that were given to choose tiles for."""
    results: Sequence[tuple[str, str]] = ()
    """Names of the results and their numpy types, where a model states them; else `output0`, ... in storage types."""

    def __post_init__(self) -> None:
        self._emulator = Emulator(self.module, self.target)
        self.lowered_inputs = lowered_inputs(self.module, self.name)
        """Those inputs that the lowered module still reads."""
        self._prepared: tuple[dict[str, Array], Sequence[Array]] | None = None
        self.inputs: dict[str, Tensor] = dict(self.lowered_inputs)
        """Shape and element type of each input, by name."""
        if self.graph_module is not None:
            self.inputs = graph_inputs(choose_function(self.graph_module, self.name))

    def __repr__(self) -> str:
        main = choose_function(self.module, self.name)
        count = sum(isinstance(op, LaunchOp) for op in main.body.block.ops)
        kernels = f"{count} kernel{'' if count == 1 else 's'}"
        return f"<Program @{self.name} for {self.target.name}: {kernels}, inputs {', '.join(self.inputs)}>"

    @property
    def typical_size(self) -> int | None:
        """The middle one of the sizes that a dynamic dimension was tiled for; None where all shapes are static."""
        return check_size(self._emulator.main(self.name), None)

    def bind(self, **weights: ArrayLike) -> Program:
        """Keep values for some inputs, which `run` then needs no more and `save` writes; returns itself."""
        self.weights |= check_inputs(weights, self.inputs, self.name, self.target.overflow, partial=True)
        return self

    def run(
        self,
        inputs: Mapping[str, ArrayLike] | None = None,
        /,
        *,
        values: bool = True,
        hazards: bool = True,
        traced_cores: int = 0,
        size: int | None = None,
        **named: ArrayLike,
    ) -> Result:
        """Run the program on the emulator.

        Inputs are given by name, as keywords or in a mapping; each is rounded to its storage type. Those
        that were bound may be left out. With `values` off only time is simulated and no input is needed;
        `hazards` off skips the checks for races and unwritten bytes. `traced_cores`: how many cores of
        each launch to trace, each with the Vector cores beside it. Weights are prepared at the first run
        and again when their values change. `size`: what the dynamic dimension is, which the inputs say too; with
        `values` off, without it, the middle one of the sizes that the program was tiled for.

        Raises ProgramError when an input is missing, unknown or of another shape, and HazardError.
        """
        positional = cast(object, inputs)
        if positional is not None and not isinstance(positional, Mapping):
            raise ProgramError(
                f"inputs go by name, as run({next(iter(self.inputs), 'x')}=...) or in a mapping; "
                f"@{self.name} takes {', '.join(self.inputs) or 'none'}"
            )
        if not values:
            profile_only = self._emulator.run(
                self.name, values=False, hazards=False, traced_cores=traced_cores, size=size
            )
            return Result({}, profile_only.profile, profile_only.trace, self.target)
        given = {**self.weights, **(inputs or {}), **named}
        arrays = check_inputs(given, self.inputs, self.name, self.target.overflow)
        found = size_of(arrays, self.inputs)
        if size is not None and found is not None and found != size:
            raise ProgramError(f"the dynamic dimension is {found} in the inputs, not {size}")
        arrays = {name: arrays[name] for name in self.lowered_inputs}
        result = self._emulator.run(
            self.name, arrays, hazards=hazards, prepared=self._prepare(arrays), traced_cores=traced_cores,
            size=found or size,
        )  # fmt: skip
        outputs = self._named(result.outputs)
        return Result(outputs, result.profile, result.trace, self.target)

    def time(self, size: int | None = None) -> Profile:
        """The profile alone: no inputs, no data touched. `size`: what the dynamic dimension is; without it the middle
        one of those that the program was tiled for."""
        return self.run(values=False, size=size).profile

    def reference(
        self, inputs: Mapping[str, ArrayLike] | None = None, /, **named: ArrayLike
    ) -> dict[str, Array]:
        """The outputs that the graph defines, in f32; ProgramError when the program came without it."""
        return self.nudged_reference({**(inputs or {}), **named}, 0.0)

    def nudged_reference(self, inputs: Mapping[str, ArrayLike], nudge: float) -> dict[str, Array]:
        """The reference with what is quantised moved by the share `nudge` of it first, up and down in turn."""
        from ..runtime.reference import evaluate

        if self.graph_module is None:
            raise ProgramError(
                f"@{self.name} came as a lowered program: there is no graph to compare it with"
            )
        given = {**self.weights, **inputs}
        arrays = check_inputs(given, self.inputs, self.name, self.target.overflow)
        overflow = self.target.overflow
        graph = self.graph_module
        size = size_of(arrays, self.inputs)
        if size is not None:
            graph = at_run_size(graph, size)
        outputs = evaluate(graph, arrays, name=self.name, overflow=overflow, nudge=nudge)
        return self._named(outputs)

    def _named(self, outputs: Sequence[Array]) -> dict[str, Array]:
        """The results by name, of the types that were stated."""
        if not self.results:
            return {f"output{i}": array for i, array in enumerate(outputs)}
        stated = zip(self.results, outputs, strict=True)
        return {name: array.astype(kind, copy=False) for (name, kind), array in stated}

    @property
    def reads_indices(self) -> bool:
        """Whether addresses depend on data: such a program's time and bytes are those of its inputs."""
        return any(isinstance(op, LoadIndexOp) for op in self.module.walk())

    def report(self) -> str:
        """What the passes decided and why, as text."""
        return "".join(report.to_text().rstrip("\n") + "\n" for report in self.reports)

    def save(self, path: str | Path) -> None:
        """Write the program, with its graph and its bound weights, to one file."""
        from .program_file import save

        save(self, path)

    def _prepare(self, arrays: Mapping[str, Array]) -> Sequence[Array]:
        """The results of prepare for these weights: run once, then reused as long as they do not change."""
        needed = {name: arrays[name] for name, tensor in self.lowered_inputs.items() if tensor.prepared}
        if self._prepared is None or not same_arrays(self._prepared[0], needed):
            copies = {name: array.copy() for name, array in needed.items()}
            self._prepared = copies, self._emulator.prepare(self.name, needed)
        return self._prepared[1]


def compile(
    source: str | Path | ModuleOp | ImportedModel | ModelProto,
    target: str | None = None,
    fuse: Fusing = True,
    graph: str | None = None,
    *,
    tune: int = TUNE,
    min_gain: float | None = None,
    max_occupancy: float | None = None,
    layouts: bool = True,
    dynamic_sizes: Sequence[int] = (),
    precision: str | None = None,
    precision_of: Mapping[str, str] | None = None,
    dims: Mapping[str, int] | None = None,
    after_pass: AfterPass | None = None,
    warn: Warn | None = None,
) -> Program:
    """Compile a graph for a chip.

    `source` is graph text or MLIR text, the path of a file with either or with an ONNX model, a module at any level
    (which is not changed), or a model of the `onnx` package. `target` is the name of a chip or the path of a `.toml`
    file; without it the one that the module states, else the default one. With `fuse` off the graph is compiled as
    written, one kernel per op; with `fuse="library"` the graph passes run and each operator that a library has is one
    kernel. `graph` names the graph when there are several. `tune` is the number of tilings that each kernel tries on
    the emulator's clock; 1 trusts the prediction. `min_gain` and `max_occupancy` are the limits of `tile-fuse`: the
    share of GM bytes that pays without a gain in time, and the share of UB that added temporaries may take. With
    `layouts` off all tensors between kernels are row-major. `dynamic_sizes` are the sizes of a dynamic dimension that
    tiles are chosen for (1, 8 and 32); the program runs at any. `warn` receives the front end's warnings.

    Of a model, `precision` is what its floats are stored in (`f16`, `bf16` or `f32`), `precision_of` the same for nodes
    by name, and `dims` gives sizes to its symbolic dimensions.

    Raises CompileError, whose text is a message with a location; TypeError and ValueError for arguments that make no
    sense.
    """
    if not (isinstance(source, str | Path | ModuleOp | ImportedModel) or is_model(source)):
        raise TypeError(f"source is text, a path, a module or a model, not {type(source).__name__}")
    if tune < 1:
        raise ValueError(f"tune is 1 or more, not {tune}")
    sizes = check_sizes(dynamic_sizes) if dynamic_sizes else ()
    limits = {"min-gain": min_gain, "max-occupancy": max_occupancy, "layouts": None if layouts else False}
    fusion = {name: value for name, value in limits.items() if value is not None}
    texts: list[Source] = []
    applied: list[ModulePass] = []
    try:
        with seldom_collecting():
            options = ImportOptions(precision, precision_of or {}, dims or {})
            read = read_module(source, warn=warn, on_text=texts.append, options=options)
            return _compile(read, target, fuse, graph, tune, fusion, sizes, after_pass, applied)
    except CompileError:
        raise
    except Exception as error:
        from .driver import explain

        raise CompileError(explain(error, texts, applied[-1] if applied else None)) from error


def from_onnx(
    source: str | Path | ModelProto,
    *,
    precision: str | None = None,
    precision_of: Mapping[str, str] | None = None,
    dims: Mapping[str, int] | None = None,
    constants: Mapping[str, ArrayLike] | None = None,
) -> ImportedModel:
    """The graph of an ONNX model, with its weights, which `compile` takes; the options are those of `compile`.

    `constants` are values of inputs that keep them, such as shapes. Raises CompileError, which lists all that cannot be
    imported.
    """
    import numpy as np

    from .onnx import import_model

    known = {name: np.asarray(value) for name, value in (constants or {}).items()}
    try:
        return import_model(source, ImportOptions(precision, precision_of or {}, dims or {}, known))
    except (OSError, ValueError) as error:
        from .driver import explain

        raise CompileError(explain(error)) from error


def compile_until(program: Program, level: Literal["graph", "tile", "ascend"]) -> ModuleOp:
    """The program's graph compiled again, as far as a level: after the graph's own passes, as tile kernels,
    or lowered. Raises ProgramError when the program came without its graph."""
    from .pipelines import build_passes, stages_until, with_options, with_sizes
    from .universe import UNIVERSE

    if program.graph_module is None:
        raise ProgramError(f"@{program.name} came as a lowered program: there is no graph to compile")
    module = program.graph_module.clone()
    pipelines = pipelines_of(program.fused)
    context = make_context()
    specs = with_options(stages_until(pipelines, level), "tile-fuse", program.fusion)
    specs = with_sizes(specs, program.sizes)
    with tuning(EmulatorTuner(program.tune) if program.tune > 1 else None):
        for one in build_passes(UNIVERSE.all_passes, specs, program.target_name or None):
            one.apply(context, module)
    return module


def load(path: str | Path) -> Program:
    """A program that `Program.save` wrote. Raises CompileError if the file is none."""
    from .program_file import load as load_file

    try:
        return load_file(path)
    except (OSError, ValueError) as error:
        from .driver import explain

        raise CompileError(explain(error)) from error


def _compile(
    read: Read,
    target: str | None,
    fuse: Fusing,
    graph: str | None,
    tune: int,
    fusion: Mapping[str, float],
    sizes: Sequence[int],
    after_pass: AfterPass | None,
    applied: list[ModulePass],
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
    if level != "ascend":
        keep_only(module, choose_function(module, name))
        set_target(module, chip.name)
        if level == "graph":
            graph_module = module.clone()
        pipelines = pipelines_of(fuse if level == "graph" else False)
        with tuning(EmulatorTuner(tune) if tune > 1 else None):
            reports = _run_passes(module, pipelines, chosen, fusion, sizes, timings, after_pass, applied)
        applied.clear()
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
        target_text=standalone_text(chosen) if chosen.endswith(".toml") else None,
        tune=tune,
        fusion=fusion,
        sizes=sizes,
        results=() if imported is None else imported.results,
    )
    return program if imported is None else program.bind(**imported.weights)


def _run_passes(
    module: ModuleOp,
    pipelines: Iterable[str],
    target: str,
    fusion: Mapping[str, float],
    sizes: Sequence[int],
    timings: list[tuple[str, float]],
    after_pass: AfterPass | None,
    applied: list[ModulePass],
) -> Sequence[Report]:
    from .pipelines import build_passes, stages, with_options, with_sizes
    from .universe import UNIVERSE

    context = make_context()
    specs = with_options((stage for pipeline in pipelines for stage in stages(pipeline)), "tile-fuse", fusion)
    specs = with_sizes(specs, sizes)
    with collect_reports() as reports:
        for one in build_passes(UNIVERSE.all_passes, specs, target):
            applied.append(one)
            kept = kept_by(one, module)
            start = time.perf_counter()
            one.apply(context, module)
            timings.append((one.name, time.perf_counter() - start))
            verify_after(one, module, kept)
            if after_pass is not None:
                after_pass(*timings[-1], module)
    return tuple(reports)


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

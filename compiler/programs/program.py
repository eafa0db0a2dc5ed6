"""A compiled program, and what a run of it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialects.ascend import LaunchOp, LoadIndexOp
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...passes.fusion.graph_work import GraphWork
from ...passes.fusion.kernel_sources import KernelSource
from ...passes.kernels.tuner import TUNE
from ...passes.plans.plan import Plan, digest_of
from ...passes.support.dynamic_size import at_run_size
from ...passes.support.report import Report
from ...runtime.execution.emulator import Emulator, Flags
from ...runtime.execution.host import check_size, tiled_for
from ...runtime.execution.run_state import LaunchTrace, LaunchWatch
from ...runtime.profile.profile import Profile
from ...runtime.program.weights import weight_bytes
from ...runtime.support.hazard import Finding, ProgramError
from ..pipeline.pipelines import Fusing, Variants
from ..pipeline.read_module import choose_function
from ..text.diagnostics import Source
from .given_kinds import PATH, RUN, check_kinds, plain
from .graph_bounds import (
    Kernel,
    graph_works,
    kernels_from_json,
    kernels_to_json,
    with_graph_bounds,
    works_to_json,
)
from .index_inputs import check_indices
from .joined_launches import as_launches
from .kernel_tiles import tiles_of, with_tiles
from .program_file import write_program
from .program_inputs import Tensor, check_inputs, digest, graph_inputs, listed, lowered_inputs, size_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[Any]


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """What a run gave. `outputs` by name (`output0`, ... in the order of the graph's results) in their
    storage types; none when only time ran. `trace` holds the traced cores' instructions, `findings` what is no hazard
    and yet in doubt."""

    outputs: dict[str, Array]
    profile: Profile
    trace: Sequence[LaunchTrace] = ()
    target: Target | None = None
    findings: Sequence[Finding] = ()

    def __repr__(self) -> str:
        outputs = [f", {n} {'x'.join(map(str, a.shape))} {a.dtype}" for n, a in self.outputs.items()]
        return f"<Result of {self.profile.summary}{''.join(outputs)}>"

    def save_trace(self, path: str | Path) -> None:
        """Write the Chrome trace, which Perfetto opens; without `traced_cores` in the run it has the kernels alone.
        ProgramError where there is no folder for it."""
        from ..text.output_files import write_text

        _check_folder(path)
        write_text(path, self.trace_text())

    def trace_text(self) -> str:
        """The Chrome trace as JSON."""
        from ...runtime.execution.trace import trace_text

        assert self.target is not None
        return trace_text(self.profile, self.trace, self.target)


def _check_folder(path: str | Path) -> None:
    """ProgramError where a file cannot be written: before the work of it."""
    from ..text.output_files import check_folder

    try:
        check_folder(path)
    except OSError as error:
        raise ProgramError(f"cannot write '{path}': {error.strerror}") from None


@dataclass(repr=False, eq=False)
class Program:
    """A graph compiled for a chip.

    `module` is at the ascend level, `graph_module` is the graph as given (None for a module that came
    already lowered). `reports` are those of the passes, `timings` the passes' seconds in order. A program is equal to
    itself alone.
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
    fusion: Mapping[str, float | str] = field(default_factory=dict[str, "float | str"])
    """Options of `tile-fuse` that were given: `min-gain`, `max-occupancy`, `layouts`, `join-launches`, `plan`."""
    weights: dict[str, Array] = field(default_factory=dict[str, "Array"])
    sizes: Sequence[int] = ()
    """Sizes of the dynamic dimension that were given to choose tiles for."""
    results: Sequence[tuple[str, str]] = ()
    """Names of the results and their numpy types, where a model states them; else `output0`, ... in storage types."""
    kernel_sources: Sequence[KernelSource] = ()
    """What each kernel computes, in the order of their launches before some were joined; a loaded program has none."""
    variants: Variants = field(default_factory=dict[str, "float | Sequence[int]"])
    """Options of `graph-size-variants` that were given."""
    variant_sources: Mapping[str, Sequence[KernelSource]] = field(
        default_factory=dict[str, Sequence[KernelSource]]
    )
    """`kernel_sources` of each variant, by its name."""
    fusable: Sequence[tuple[int, int]] | None = None
    """Pairs of kernels, by their places in `kernel_sources`, that fusion found to be faster as one and did not make one
    because of its limits; None where it did not look."""

    plan: Plan | None = None
    """What was decided of its kernels; None of one that was loaded, or lowered before."""

    works: dict[int | None, Sequence[GraphWork]] = field(
        default_factory=dict[int | None, Sequence[GraphWork]]
    )
    """What the ops of each kernel ask of the chip, by the size of the dynamic dimension, as far as it was asked for."""
    saved_kernels: Mapping[str, Sequence[Any]] = field(default_factory=dict[str, Sequence[Any]])
    """Of a loaded program whose sizes are open, what its file says of kernels (`kernels_to_json`)."""

    def __post_init__(self) -> None:
        main = choose_function(self.module, self.name)
        fusable = None if self.fusable is None else as_launches(self.fusable, main)
        self._emulator = Emulator(self.module, self.target, fusable)
        self.lowered_inputs = lowered_inputs(self.module, self.name)
        """Those inputs that the lowered module still reads."""
        self._tiles = tiles_of(self.reports)
        self._prepared: tuple[str, Sequence[Array]] | None = None
        self.inputs: dict[str, Tensor] = dict(self.lowered_inputs)
        """Shape and element type of each input, by name."""
        if self.graph_module is not None:
            self.inputs = graph_inputs(choose_function(self.graph_module, self.name))

    def __repr__(self) -> str:
        main = self.entered(None)
        count = sum(isinstance(op, LaunchOp) for op in main.body.block.ops)
        kernels = f"{count} kernel{'' if count == 1 else 's'}"
        return f"<Program @{self.name} for {self.target.name}: {kernels}, inputs {listed(self.inputs)}>"

    @property
    def typical_size(self) -> int | None:
        """The middle one of the sizes that a dynamic dimension was tiled for; None where all shapes are static."""
        return check_size(self._emulator.main(self.name), None)

    @property
    def run_sizes(self) -> Sequence[int]:
        """The sizes that a dynamic dimension was tiled for; none where all shapes are static."""
        return tiled_for(self._emulator.main(self.name))

    def entered(self, size: int | None) -> FuncOp:
        """The function whose launches run where the dynamic dimension is `size` (None: the typical one): the program's
        own, or the variant that it calls."""
        main = self._emulator.main(self.name)
        return self._emulator.entered(main, check_size(main, size)).function

    def given_at(self, inputs: Mapping[str, Any], size: int | None) -> Mapping[str, Any]:
        """Inputs as that function takes them: one for larger sizes has what lies past their elements."""
        main = self._emulator.main(self.name)
        return self._emulator.entered(main, check_size(main, size)).given(inputs)

    def sources_at(self, size: int | None) -> Sequence[KernelSource]:
        """What each of these launches computes; nothing for a loaded program."""
        return self.variant_sources.get(self.entered(size).sym_name.data, self.kernel_sources)

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
        watch: LaunchWatch | None = None,
        warm: bool = False,
        flags: Flags = "strict",
        usage: bool = False,
        **named: ArrayLike,
    ) -> Result:
        """Run the program on the emulator.

        Inputs are given by name, as keywords or in a mapping; each is rounded to its storage type. Those
        that were bound may be left out. With `values` off only time is simulated and no input is needed;
        `hazards` off skips the checks for races and unwritten bytes. `traced_cores`: how many cores of
        each launch to trace, each with the Vector cores beside it. Weights are prepared at the first run
        and again when their values change. `size`: what the dynamic dimension is, which the inputs say too; with
        `values` off, without either, the middle one of the sizes that the program was tiled for. `watch` sees the
        tensors in GM before and after each launch of a run with values. `warm`: time and bytes are those of a run after
        others, which have left in L2 what it keeps of them; otherwise L2 holds nothing at the start. `flags`: whether
        one that is set again before it is waited for is a hazard ("strict"), or counts up and is a finding ("count").
        `usage`: the profile says what of the chip was in use when (`Profile.utilisation`), and the trace shows it.

        Raises ProgramError when an input is missing, unknown, of another shape, or holds a number that its type has
        not or an index that is out of range, and HazardError.
        """
        check_kinds(locals(), RUN)
        given = self._by_name(inputs, named)
        if not values:
            _, size = self._checked(given, plain(size), partial=True)
            alone = self._emulator.run(
                self.name, values=False, hazards=False, traced_cores=traced_cores, size=size, warm=warm, flags=flags,
                usage=usage,
            )  # fmt: skip
            return Result({}, self._bounded(alone.profile, size), alone.trace, self.target)
        arrays, size = self._checked({**self.weights, **given}, plain(size))
        self._check_indices(arrays)
        arrays = {name: arrays[name] for name in self.lowered_inputs}
        result = self._emulator.run(
            self.name, arrays, hazards=hazards, prepared=self._prepare(arrays), traced_cores=traced_cores,
            size=size, watch=watch, warm=warm, flags=flags, usage=usage,
        )  # fmt: skip
        outputs, profile = self._named(result.outputs), self._bounded(result.profile, size)
        profile = replace(profile, of_data=self.reads_indices)
        return Result(outputs, profile, result.trace, self.target, result.findings)

    def _by_name(self, inputs: object, named: Mapping[str, ArrayLike]) -> dict[str, ArrayLike]:
        """The inputs of a call; ProgramError where those without a name are no mapping."""
        if inputs is None:
            return dict(named)
        if not isinstance(inputs, Mapping):
            raise ProgramError(
                f"inputs go by name, as run({next(iter(self.inputs), 'x')}=...) or in a mapping; "
                f"@{self.name} takes {listed(self.inputs) or 'none'}"
            )
        return {**cast(Mapping[str, Any], inputs), **named}

    def _checked(
        self, given: Mapping[str, Any], size: int | None, partial: bool = False
    ) -> tuple[dict[str, Array], int | None]:
        """Inputs as arrays, and the size of the dynamic dimension, which they may say or be told."""
        arrays = check_inputs(given, self.inputs, self.name, self.target.overflow, partial=partial)
        found = size_of(arrays, self.inputs)
        if size is not None and found is not None and found != size:
            raise ProgramError(f"the dynamic dimension is {found} in the inputs, not {size}")
        return arrays, found or size

    def _bounded(self, profile: Profile, size: int | None) -> Profile:
        """The profile with the bounds of the graph, with tiles, and with what the program knows of the run."""
        bounded = with_graph_bounds(profile, self._works(size), self.target)
        return replace(
            with_tiles(bounded, self._tiles),
            weight_bytes=self._weight_bytes(size),
            target_digest=self._target_digest,
            size=check_size(self._emulator.main(self.name), size),
        )

    @cached_property
    def _target_digest(self) -> str:
        return digest_of(self.target)

    def _weight_bytes(self, size: int | None) -> int | None:
        """Bytes of weights that it keeps; None of a program whose graph, which says what is a weight, is not there."""
        if self.graph_module is None:
            return None
        names = {name for name, tensor in self.inputs.items() if tensor.weight}
        return weight_bytes(self.entered(size), names)

    def _works(self, size: int | None) -> Sequence[GraphWork]:
        size = check_size(self._emulator.main(self.name), size)
        if size not in self.works:
            name = self.entered(size).sym_name.data
            saved = self.saved_kernels.get(name)
            kernels = self._kernels().get(name, ()) if saved is None else kernels_from_json(saved)
            self.works[size] = graph_works(kernels, self.target, size)
        return self.works[size]

    def _kernels(self) -> Mapping[str, Sequence[Kernel]]:
        """Of each function that launches kernels what these compute; nothing of a loaded program."""
        sources = {self.name: self.kernel_sources, **self.variant_sources}
        return {name: [(one.function, one.arguments) for one in of] for name, of in sources.items() if of}

    def _kernels_to_json(self) -> Mapping[str, Any]:
        """What is saved of kernels: nothing where all shapes are static, whose works are saved."""
        return {} if self.typical_size is None else kernels_to_json(self._kernels())

    def time(self, size: int | None = None, warm: bool = False) -> Profile:
        """The profile alone: no inputs, no data touched. `size`: what the dynamic dimension is; without it the middle
        one of those that the program was tiled for. `warm`: of a run after others, as in a loop of launches."""
        return self.run(values=False, size=size, warm=warm).profile

    def reference(
        self, inputs: Mapping[str, ArrayLike] | None = None, /, **named: ArrayLike
    ) -> dict[str, Array]:
        """The outputs that the graph defines, in f32; ProgramError when the program came without it."""
        return self.nudged_reference(self._by_name(inputs, named), 0.0)

    def nudged_reference(self, inputs: Mapping[str, ArrayLike], nudge: float) -> dict[str, Array]:
        """The reference with what is quantised moved by the share `nudge` of it first, up and down in turn."""
        from ...runtime.reference import evaluate

        if self.graph_module is None:
            raise ProgramError(
                f"@{self.name} came as a lowered program: there is no graph to compare it with"
            )
        arrays, size = self._checked({**self.weights, **inputs}, None)
        self._check_indices(arrays)
        overflow = self.target.overflow
        graph = self.graph_module
        if size is not None:
            graph = at_run_size(graph, size)
        outputs = evaluate(graph, arrays, name=self.name, overflow=overflow, nudge=nudge)
        return self._named(outputs)

    def _check_indices(self, arrays: Mapping[str, Array]) -> None:
        if self.graph_module is not None:
            check_indices(choose_function(self.graph_module, self.name), arrays)

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
        """Write the program, with its graph and its bound weights, to one file. ProgramError where there is no folder
        for it."""
        check_kinds(locals(), {"path": PATH})
        _check_folder(path)
        about = {
            "name": self.name,
            "target": self.target.name,
            "fused": self.fused,
            "tune": self.tune,
            "fusion": dict(self.fusion),
            "sizes": list(self.sizes),
            "variants": {
                key: value if isinstance(value, float | int) else list(value)
                for key, value in self.variants.items()
            },
            "weights": list(self.weights),
            "results": [list(one) for one in self.results],
            "works": works_to_json(self._works(None)),
            "kernels": self.saved_kernels or self._kernels_to_json(),
            "fusable": None if self.fusable is None else [list(pair) for pair in self.fusable],
        }
        weights = list(self.weights.values())
        write_program(path, about, self.module, self.graph_module, self.reports, self.target_text, weights)

    def _prepare(self, arrays: Mapping[str, Array]) -> Sequence[Array]:
        """The results of prepare for these weights: run once, then reused as long as they do not change."""
        needed = {name: arrays[name] for name, tensor in self.lowered_inputs.items() if tensor.prepared}
        known = digest(needed)
        if self._prepared is None or self._prepared[0] != known:
            self._prepared = None  # its arrays make room
            self._prepared = known, self._emulator.prepare(self.name, needed)
        return self._prepared[1]


__all__ = ["Program", "Result"]

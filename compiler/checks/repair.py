"""What a kernel that `--check` names becomes, so that it is right: its ops apart, or in f32.

    repair = Repair(program, result, watch, checks)     # after program.run(inputs, watch=watch)
    repair.run(progress)                                # repair.program, repair.result, repair.steps

The kernel is tried alone first, on the inputs that it had: unfused, then fused in f32, then both. The first that is
within its bound is put in the graph, which is compiled anew, and its kernels are checked as before. Kernels whose types
are too narrow for their results take f32, all at once, and so do the kernels that read them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ModuleOp, UnitAttr

from ...dialects.graph.arguments import argument_names
from ...dialects.graph.base import GraphOp
from ...dialects.graph.fusion_marks import FUSE, NOFUSE
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...passes.support.dynamic_size import has_dynamic_size
from ...runtime.support.hazard import location_text
from ..api import CompileError, Program, Result, compile
from ..pipeline.raise_precision import raise_precision
from .kernel_check import KernelCheck, KernelChecks, blamed, check_kernel, source_result
from .run_check import Check

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

MOST_STEPS = 32
"""Kernels that are repaired, at most."""


@dataclass(frozen=True)
class Remedy:
    """What is done to the ops of a kernel."""

    apart: bool
    raised: bool

    def __str__(self) -> str:
        words = ["each op a kernel of its own"] * self.apart + ["in f32"] * self.raised
        return ", ".join(words)


@dataclass(frozen=True)
class Changes:
    """Where the ops of a graph are stated that are kernels of their own, and that are computed in f32."""

    apart: frozenset[str] = frozenset()
    raised: frozenset[str] = frozenset()

    def plus(self, remedy: Remedy, locations: frozenset[str]) -> Changes:
        """The same with a remedy of the ops at `locations`."""
        apart = self.apart | locations if remedy.apart else self.apart
        return Changes(apart, self.raised | locations if remedy.raised else self.raised)

    def apply(self, module: ModuleOp, target: Target) -> int:
        """Change a graph; how many ops are other than before."""
        changed = raise_precision(module, self.raised, target)
        for op in module.walk():
            if isinstance(op, GraphOp) and location_text(op) in self.apart and NOFUSE not in op.attributes:
                op.attributes.pop(FUSE, None)
                op.attributes[NOFUSE] = UnitAttr()
                changed += 1
        return changed


REMEDIES = (Remedy(True, False), Remedy(False, True), Remedy(True, True))
"""In the order in which they are tried."""


@dataclass(frozen=True)
class Step:
    """One kernel that was named, and what became of it: `tried` are the errors that each remedy left of it alone, None
    where it cannot be compiled or changes nothing; `remedy` is the one that was taken, of `nodes` of a model."""

    named: KernelCheck
    tried: Mapping[Remedy, float | None]
    remedy: Remedy | None = None
    others: int = 0
    """Kernels that are repaired with it: those whose types are too narrow, too."""
    nodes: tuple[str, ...] = ()
    time_before: float = 0.0
    time_after: float = 0.0

    @property
    def raised(self) -> tuple[str, ...]:
        """The nodes that it computes in f32."""
        return self.nodes if self.remedy is not None and self.remedy.raised else ()

    def lines(self) -> list[str]:
        """The step in words."""
        what = self.named.check.measured if self.named.check.wrong else str(self.named.loss)
        more = f"; {self.others} kernels behind it are like that, too" if self.others else ""
        lines = [f"{self.named.title}: {what}{more}"]
        for remedy, error in self.tried.items():
            lines.append(f"  {remedy}: {'not possible' if error is None else f'error {error:.2e}'}")
        if self.remedy is None:
            return [*lines, "  nothing helps"]
        cost = f"{self.time_before:,.1f} -> {self.time_after:,.1f} µs"
        return [*lines, f"  taken: {self.remedy}; time of the program {cost}"]


@dataclass
class Repair:
    """Repairs `program`, of which `watch` has seen a run that gave `result`. `checks` compares a result's outputs with
    the reference; `traced_cores` are traced of each launch in `result`."""

    program: Program
    result: Result
    watch: KernelChecks
    checks: Callable[[Program, Result], Mapping[str, Check]]
    traced_cores: int = 0
    steps: list[Step] = field(default_factory=list[Step])
    changes: Changes = Changes()

    def __post_init__(self) -> None:
        assert self.program.graph_module is not None
        self._graph = self.program.graph_module

    @property
    def clean(self) -> bool:
        """Whether every kernel and every output is within its bound."""
        wrong = any(one.check.wrong for one in self.watch.found)
        return not wrong and all(one.passed for one in self.checks(self.program, self.result).values())

    def run(self, progress: Callable[[str], None]) -> bool:
        """Repair one kernel after the other; whether all is clean then."""
        while not self.clean and len(self.steps) < MOST_STEPS:
            named = blamed(self.watch.found)
            if named is None:
                return False
            progress(f"repairing, {named.kernel}")
            if not self._repair(named):
                return False
        return self.clean

    def _repair(self, named: KernelCheck) -> bool:
        """Find a remedy for a kernel and compile the graph with it; whether there is one."""
        locations, nodes = self._around(named)
        tried: dict[Remedy, float | None] = {}
        chosen: Remedy | None = None
        for remedy in REMEDIES if named.check.wrong else REMEDIES[1:2]:
            if self.changes.plus(remedy, locations) == self.changes:
                continue
            check = self._alone(named, remedy) if named.check.wrong else None
            if named.check.wrong:
                tried[remedy] = None if check is None else check.error
                if check is None or not check.passed:
                    continue
            chosen = remedy
            break
        others = () if named.check.wrong else tuple(o for o in self.watch.found if o.loss.too_large)[1:]
        step = Step(named, tried, others=len(others), nodes=nodes)
        if chosen is not None:
            before = self.result.profile.total_us
            if self._compile(self.changes.plus(chosen, locations)):
                after = self.result.profile.total_us
                step = replace(step, remedy=chosen, time_before=before, time_after=after)
        self.steps.append(step)
        return step.remedy is not None

    def _around(self, named: KernelCheck) -> tuple[frozenset[str], tuple[str, ...]]:
        """Where the ops of a kernel are stated, and their nodes; where its type is too narrow, those of all such
        kernels and of the kernels that read their results."""
        sources = self.watch.sources
        taken = [sources[named.number]]
        if not named.check.wrong:
            narrow = {one.number for one in self.watch.found if one.loss.too_large}
            readers = (i for i, source in enumerate(sources) if narrow.intersection(source.arguments))
            taken = [sources[i] for i in sorted({*narrow, *readers})]
        locations = frozenset[str]().union(*(source.locations for source in taken)) - {""}
        return locations, tuple(dict.fromkeys(node for source in taken for node in source.nodes))

    def _alone(self, named: KernelCheck, remedy: Remedy) -> Check | None:
        """The check of a kernel's ops by themselves, on the inputs that the kernel had; None where they cannot be
        compiled, or are as before."""
        source, arrays = self.watch.sources[named.number], self.watch.kept[named.number]
        module = ModuleOp([source.function.clone()])
        program, changes = self.program, Changes().plus(remedy, source.locations)
        if not changes.apply(module, program.target) or (remedy.apart and len(source.ops) < 2):
            return None
        sizes = program.sizes if has_dynamic_size(module) else ()
        try:
            alone = compile(module, program.target_name, True, tune=1, dynamic_sizes=sizes)
        except CompileError:
            return None
        given = dict(zip(argument_names(source.function), arrays, strict=True))
        (actual,) = alone.run(given).outputs.values()
        overflow = program.target.overflow
        expected = source_result(source, arrays, overflow)
        return check_kernel(source, actual, expected, overflow=overflow)[0]

    def _compile(self, changes: Changes) -> bool:
        """The program of the graph with some changes, run and watched; whether there is one."""
        old, module = self.program, self._graph.clone()
        changes.apply(module, old.target)
        limits = {name.replace("-", "_"): value for name, value in old.fusion.items()}
        fusion: Any = {name: bool(value) if name == "layouts" else value for name, value in limits.items()}
        try:
            new = compile(
                module, old.target_name, old.fused, tune=old.tune, dynamic_sizes=old.sizes,
                dynamic_range=cast(Sequence[int], old.variants.get("range", ())),
                max_loss=cast(float | None, old.variants.get("max-loss")), **fusion,
            )  # fmt: skip
        except CompileError:
            return False
        new = replace(new, results=old.results, weights=old.weights)
        watch = KernelChecks(new, self.watch.inputs)
        warm = self.result.profile.warm
        self.result = new.run(self.watch.inputs, traced_cores=self.traced_cores, watch=watch, warm=warm)
        self.program, self.watch, self.changes = new, watch, changes
        return True


def repair_lines(repair: Repair, before: Mapping[str, Check]) -> list[str]:
    """What was done, and what the outputs' errors were and are."""
    lines = [line for i, step in enumerate(repair.steps) for line in _numbered(i + 1, step.lines())]
    now = repair.checks(repair.program, repair.result)
    for name, check in now.items():
        lines.append(f"{name}: error {before[name].error:.2e} -> {check.error:.2e} (bound {check.bound:.0e})")
    nodes = dict.fromkeys(node for step in repair.steps for node in step.raised)
    if nodes:
        options = " ".join(f"--precision-of {node}=f32" for node in nodes)
        lines.append(f"in f32 from the model on, weights too: {options}")
    if repair.clean:
        return [*lines, "every kernel and every output is within its bound"]
    if blamed(repair.watch.found) is None:
        return [*lines, "no kernel is off by itself: errors of many add up"]
    return [*lines, "the program is not repaired"]


def _numbered(number: int, lines: Sequence[str]) -> list[str]:
    return [f"{number}. {lines[0]}", *(f"   {line}" for line in lines[1:])]


__all__ = ["Remedy", "Repair", "Step", "repair_lines"]

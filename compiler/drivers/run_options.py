"""The options of a run, as the command line of `ascend-run` gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from ...dialects.records import dataclass
from ...passes.kernels.tuner import TUNE
from ...runtime.execution.emulator import Flags
from ..reports.run_report import Sort
from ..text.output_files import check_output_files, target_file

NAMES = {
    "fuse": "no-fuse",
    "join_launches": "no-join-launches",
    "marks": "mark",
    "dims": "dim",
    "tensors": "tensor",
    "scalars": "scalar",
}
"""Fields that the command line calls otherwise."""
FUSION = "--min-gain", "--max-occupancy", "--no-join-launches", "--plan"
"""Options of fusion alone."""


@dataclass(frozen=True)
class RunOptions:
    """The command line of `ascend-run`."""

    file: str
    target: str | None = None
    graph: str | None = None
    inputs: str | None = None
    outputs: str | None = None
    seed: int = 0
    fuse: bool = True
    tune: int | None = None
    jobs: int = 1
    min_gain: float | None = None
    max_occupancy: float | None = None
    join_launches: bool = True
    marks: Sequence[str] = ()
    plan: str | None = None
    save_plan: str | None = None
    save_plan_apart: str | None = None
    store: str | None = None
    dynamic_sizes: Sequence[int] = ()
    dynamic_range: Sequence[int] = ()
    max_loss: float | None = None
    size: int | None = None
    check: bool = False
    trace: str | None = None
    trace_cores: int = 1
    json: str | None = None
    sort: Sort | None = None
    rows: int | None = None
    bisect: bool = False
    repair: bool = False
    precision: str | None = None
    precision_of: Mapping[str, str] = field(default_factory=dict[str, str])
    dims: Mapping[str, int] = field(default_factory=dict[str, int])
    warm: bool = False
    flags: Flags = "strict"

    @property
    def prints_json(self) -> bool:
        """Whether stdout has the profile or the trace as JSON, and nothing else."""
        return "-" in (self.json, self.trace)

    def check_files(self, files: Sequence[str]) -> None:
        """`OutputError` where what is written would take the place of one of the `files` or of another input."""
        outputs = {"--outputs": self.outputs, "--trace": self.trace, "--json": self.json}
        outputs |= {"--save-plan": self.save_plan, "--save-plan-apart": self.save_plan_apart}
        read = [*files, self.inputs, self.plan or None, self.store or None, target_file(self.target)]
        check_output_files(read, outputs)

    @property
    def of_fusion(self) -> list[str]:
        """The options given that say how ops are fused."""
        given = self.of_choices
        return [name for name in FUSION if name in given] + ["--mark"] * bool(self.marks)

    @property
    def of_choices(self) -> list[str]:
        """The options given that say how a graph is compiled."""
        unset = {
            "tune": None,
            "min_gain": None,
            "max_occupancy": None,
            "join_launches": True,
            "plan": None,
            "store": None,
            "dynamic_sizes": (),
            "dynamic_range": (),
        }
        changed = [name for name, nothing in unset.items() if getattr(self, name) != nothing]
        given = [f"--{NAMES.get(name, name.replace('_', '-'))}" for name in changed]
        return given if self.fuse else ["--no-fuse", *given]

    @property
    def tilings(self) -> int:
        """How many tilings of each kernel are tried."""
        return TUNE if self.tune is None else self.tune


__all__ = ["RunOptions"]

"""What one run of a function holds: its tensors in GM, what it has measured so far, and how its inputs come in."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.ascend import LaunchOp, ViewTensorOp
from ...dialects.ascend.arguments import named_arguments
from ...dialects.ascend.memory import dtype_of, element_bytes, memref_type
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ..hazards.workspace_lives import WorkspaceLives
from ..machine.memory import NUMPY_TYPES, Array
from ..machine.memory_system import MemorySystem
from ..machine.request_memory import memory_of
from ..poison.shadow import Origins
from ..profile.profile import KernelProfile
from ..profile.utilisation import LaunchUsage
from ..program.storage import Storage
from ..program.workspace import tensor_bytes
from ..support.hazard import Finding, ProgramError
from ..support.labels import label_of
from .core_state import Core, TraceEvent
from .host import Host
from .prepare import pick
from .repeats import Repeats


@dataclass(frozen=True)
class TracedCore:
    """A core of the chip: its name, the same in all launches, and the program that it runs."""

    name: str
    program: str


@dataclass(frozen=True)
class LaunchTrace:
    """Instructions of one launch on the traced cores, by their numbers in it; cycles are the program's."""

    kernel: str
    start: float
    cores: Mapping[int, TracedCore]
    events: Sequence[TraceEvent]


class LaunchWatch(Protocol):
    """Sees what lies in GM before and after each launch: `read` gives a copy of a tensor of the function that is alive
    there, in its storage type."""

    def before(self, launch: LaunchOp, read: Callable[[SSAValue], Array], /) -> None: ...

    def after(self, launch: LaunchOp, read: Callable[[SSAValue], Array], /) -> None: ...


@dataclass(slots=True)
class RunState:
    """One run of a function: with `values` data is computed, with `hazards` checked; `now` is in cycles."""

    target: Target
    values: bool
    hazards: bool
    traced_cores: int = 0
    block_order: Sequence[int] | None = None
    counted: bool = False
    """Whether flags count that are set before they are waited for."""
    recorded: bool = False
    """Whether it is noted what is in use when."""
    system: MemorySystem = field(init=False)
    now: float = 0.0
    tensors: dict[SSAValue, Storage] = field(default_factory=dict[SSAValue, Storage])
    group_buffers: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """Where buffers of the cores of a group start."""
    host: Host = field(default_factory=lambda: Host(None))
    """What the function computes of the run-time size."""
    count: int = 0
    workspace: Storage | None = None
    lives: WorkspaceLives = field(default_factory=WorkspaceLives)
    origins: Origins = field(default_factory=Origins)
    kernels: list[KernelProfile] = field(default_factory=list[KernelProfile])
    trace: list[LaunchTrace] = field(default_factory=list[LaunchTrace])
    usages: list[tuple[float, LaunchUsage]] = field(default_factory=list[tuple[float, LaunchUsage]])
    """When each launch began, in cycles, and what was in use from then on."""
    repeats: Repeats = field(default_factory=Repeats)
    findings: dict[Finding, None] = field(default_factory=dict[Finding, None])

    def __post_init__(self) -> None:
        self.system = memory_of(self.target)

    def find(self, cores: Iterable[Core]) -> None:
        """Take what the checks of a launch's cores have found."""
        for core in cores:
            if core.checked is not None:
                self.findings.update(dict.fromkeys(core.checked.found))
            elif core.races is not None:
                self.findings.update(dict.fromkeys(core.races.found.values()))

    def bind(
        self, main: FuncOp, known: Sequence[str], inputs: Mapping[str, Any], prepared: Sequence[Array]
    ) -> None:
        """Give the function's arguments their tensors: the user's inputs, of which there are those `known`, and the
        results of its prepare. `ProgramError` where one is missing, unknown or of another size."""
        extra = [n for n in inputs if n not in known]
        if extra:
            raise ProgramError(
                f"@{main.sym_name.data} has no input {extra[0]!r}; it takes {', '.join(sorted(known))}"
            )
        for argument, (label, index) in zip(main.body.block.args, named_arguments(main), strict=True):
            storage = self.tensor(argument, rows=self.host.size)
            storage.label = label
            if not self.values:
                continue
            if index is None:
                array = pick(inputs, label, main.sym_name.data)
                shape = memref_type(argument).get_shape()
                if array.size * element_bytes(argument) != storage.size:
                    raise ProgramError(
                        f"input {label!r} has shape {list(array.shape)}, expected {list(shape)}"
                    )
            elif index < len(prepared):
                array = prepared[index]
            else:
                raise ProgramError(
                    f"@{main.sym_name.data}: prepare gives {len(prepared)} results, none is number {index}"
                )
            array = np.asarray(array).astype(NUMPY_TYPES[dtype_of(argument)], copy=False)
            if array.nbytes != storage.size:
                raise ProgramError(f"{label!r} has {array.nbytes} bytes, its memref {storage.size}")
            storage.fill(array)

    def tensor(self, value: SSAValue, offset: int | None = None, rows: int | None = None) -> Storage:
        """Bytes for a tensor, whose dynamic first dimension is `rows`: its own, or those `offset` bytes into the
        function's workspace."""
        label, size, line = label_of(value), tensor_bytes(value, rows), self.target.memory.l2_line
        if offset is None or self.workspace is None:
            storage = Storage.new(label, size, self.system, self.count, self.values)
        else:
            storage = Storage.within(self.workspace, offset, label, size, self.count, line)
        self.count, self.tensors[value] = self.count + 1, storage
        return storage

    def view(self, op: ViewTensorOp) -> None:
        """Other bytes than those of the source are a part of it, which other tensors may share."""
        source = self.tensors[op.source]
        if op.start is None:
            self.tensors[op.result] = source
            return
        label, size, line = label_of(op.result), tensor_bytes(op.result), self.target.memory.l2_line
        self.tensors[op.result] = source.part(op.start, size, label, self.count, line)
        self.count += 1

    def array(self, value: SSAValue) -> Array:
        """A copy of a tensor's elements; a dynamic dimension is what its bytes give."""
        shape = tuple(max(n, -1) for n in memref_type(value).get_shape())
        return self.tensors[value].array(shape, dtype_of(value))

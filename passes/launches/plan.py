"""Which launches of a function run as one: those that need nothing of each other."""

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import FloatAttr, MemRefType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ...dialects import ascend
from ...dialects.ascend.memory import space_of
from ...dialects.dynamic import is_dynamic
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...runtime.program.workspace import tensor_bytes
from ..analysis.operands import write_of
from .independent import PREDICTED
from .places import Places

Kernels = Mapping[str, ascend.KernelOp]


@dataclass(frozen=True)
class Part:
    """A kernel of a joined launch: its name, and the block index at which its cores begin."""

    kernel: str
    start: int


@dataclass(frozen=True)
class Joined:
    """Launches that become one, in program order, and their numbers among those of the function. `parts`: by kind of
    core, what the kernels of each of them are, None where it has none; `cores`: how many there are of each kind."""

    launches: tuple[ascend.LaunchOp, ...]
    numbers: tuple[int, ...]
    parts: Mapping[str, tuple[Part | None, ...]]
    cores: Mapping[str, int]


@dataclass(frozen=True)
class _Access:
    """Bytes of a tensor that a launch reads or writes: from `begin` to `end`, None where that is not known."""

    root: SSAValue
    begin: int
    end: int | None
    writes: bool

    def meets(self, other: "_Access") -> bool:
        """Whether the order of the two matters."""
        if self.root is not other.root or not (self.writes or other.writes):
            return False
        return (other.end is None or self.begin < other.end) and (self.end is None or other.begin < self.end)


def plan_launches(function: FuncOp, kernels: Kernels, target: Target) -> tuple[Joined, ...]:
    """The launches of a function that become one each. A launch moves to the first place behind all that it depends on
    where another one is that may be joined."""
    places = Places[ascend.LaunchOp]()
    before: dict[SSAValue, list[tuple[_Access, int]]] = {}
    """By tensor, what launches did with it, and at which place."""
    ops = [op for op in function.body.block.ops if isinstance(op, ascend.LaunchOp) or _is_other(op)]
    behind = 0
    """The first place behind the last op that may do anything with tensors."""
    for op in ops:
        if not isinstance(op, ascend.LaunchOp):
            behind = len(places)
            continue
        accesses = _accesses(op, kernels)
        met = (at for one in accesses for other, at in before.get(one.root, ()) if one.meets(other))
        first = max(behind, 1 + max(met, default=-1))
        at = places.add(op, first, _may_join(op, kernels, target))
        for one in accesses:
            before.setdefault(one.root, []).append((one, at))
    launches = [op for op in ops if isinstance(op, ascend.LaunchOp)]
    number = {op: i for i, op in enumerate(launches)}
    return tuple(_spread(place, [number[op] for op in place], kernels, target) for place in places.several)


def _is_other(op: Operation) -> bool:
    """Whether an op does something with tensors that is not known here: a call."""
    if isinstance(
        op, ReturnOp | ascend.ViewTensorOp | ascend.GmAllocOp | ascend.GroupBufferOp | ascend.LaunchOp
    ):
        return False
    return any(isinstance(value.type, MemRefType) for value in (*op.operands, *op.results))


def _may_join(op: ascend.LaunchOp, kernels: Kernels, target: Target) -> bool:
    """Whether a launch may be joined with others: one of a run-time size, of kernels that meet in a memory of their
    group, with more blocks than cores, or that cannot run at all is not."""
    if op.numbers or op.blocks is not None or op.parts:
        return False
    if any(space_of(value) != "gm" for value in op.arguments):
        return False
    run = [kernels[name] for name in op.kernels if name in kernels]
    fit = all(kernel.core_count <= target.cores_of(kernel.core_kind) for kernel in run)
    return len(run) == len(op.kernels) and fit and all(kernel.rounds is None for kernel in run)


def _accesses(op: ascend.LaunchOp, kernels: Kernels) -> list[_Access]:
    """What a launch does with tensors; views are of the tensor behind them."""
    known = [kernels[name] for name in op.kernels if name in kernels]
    writes = {i for kernel in known for i in _written(kernel)}
    if len(known) < len(op.kernels):
        writes = set(range(len(op.arguments)))
    return [_access(value, i in writes) for i, value in enumerate(op.arguments)]


def _access(value: SSAValue, writes: bool) -> _Access:
    root, begin = ascend.place_in_tensor(value)
    return _Access(root, begin, None if is_dynamic(value.type) else begin + tensor_bytes(value), writes)


def _written(kernel: ascend.KernelOp) -> set[int]:
    """The arguments that a kernel writes, those that something but an instruction takes included."""
    found: set[int] = set()
    for index, argument in enumerate(kernel.tensors):
        waiting: list[SSAValue] = [argument]
        while waiting:
            value = waiting.pop()
            for use in value.uses:
                if isinstance(use.operation, ascend.ViewOp):
                    waiting.append(use.operation.result)
                elif not _only_reads(use.operation, value):
                    found.add(index)
    return found


def _only_reads(op: Operation, value: SSAValue) -> bool:
    """Whether an op does no more than read a tensor."""
    if isinstance(op, ascend.LoadIndexOp | ascend.LoadScalarOp):
        return True
    return ascend.is_instruction(op) and write_of(op) is not value


def _spread(
    launches: Sequence[ascend.LaunchOp], numbers: Sequence[int], kernels: Kernels, target: Target
) -> Joined:
    """Launches with cores for each: as many as its kernels have, from where so many are free first. Those that are
    predicted to take longest come first."""
    beside = target.vectors_beside
    own = [{kernels[name].core_kind: kernels[name] for name in op.kernels} for op in launches]
    kinds = sorted({kind for one in own for kind in one})
    busy = {kind: [0.0] * target.cores_of(kind) for kind in kinds}
    """µs until each core is free."""
    parts: dict[str, list[Part | None]] = {kind: [None] * len(own) for kind in kinds}
    times = [_predicted_us(op) for op in launches]
    for number in sorted(range(len(own)), key=lambda number: -times[number]):
        one = own[number]
        first = next(kind for kind in kinds if kind in one)
        steps = {kind: beside if kind == "aiv" and len(one) > 1 else 1 for kind in one}

        def free(
            at: int, one: Mapping[str, ascend.KernelOp] = one, steps: Mapping[str, int] = steps
        ) -> float:
            windows = (busy[k][at * steps[k] : at * steps[k] + one[k].core_count] for k in one)
            return max(until for window in windows for until in window)

        start = min(range(len(busy[first]) - one[first].core_count + 1), key=lambda at: (free(at), at))
        until = free(start) + times[number]
        for kind, kernel in one.items():
            begin, count = start * steps[kind], kernel.core_count
            parts[kind][number] = Part(kernel.sym_name.data, begin)
            busy[kind][begin : begin + count] = [until] * count
    cores = {kind: max(i for i, until in enumerate(busy[kind]) if until) + 1 for kind in kinds}
    if len(kinds) > 1:  # groups of a Cube core and the Vector cores beside it
        groups = max(cores["aic"], -(-cores["aiv"] // beside))
        cores = {"aic": groups, "aiv": beside * groups}
    of_kind = {kind: tuple(found) for kind, found in parts.items()}
    return Joined(tuple(launches), tuple(numbers), of_kind, cores)


def _predicted_us(op: ascend.LaunchOp) -> float:
    """µs that a launch is predicted to take; 1 where nothing is known."""
    known = op.attributes.get(PREDICTED)
    return max(known.value.data, 1e-3) if isinstance(known, FloatAttr) else 1.0


def overlap(starts: Sequence[int], counts: Sequence[int]) -> list[bool]:
    """Whether the cores of each kernel include some of a kernel before it, since the last one of which that is true."""
    found: list[bool] = []
    since: list[range] = []
    for start, count in zip(starts, counts, strict=True):
        mine = range(start, start + count)
        meets = any(max(mine.start, other.start) < min(mine.stop, other.stop) for other in since)
        since = [mine] if meets else [*since, mine]
        found.append(meets)
    return found


__all__ = ["Joined", "Part", "overlap", "plan_launches"]

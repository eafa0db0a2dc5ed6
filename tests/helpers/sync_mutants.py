"""Single mutants of a lowered module's synchronisation: one flag, barrier, wait, event id or slot gone wrong.

Mutants are found on the IR and on one run of it, without help from the pass that inserted the flags: a flag is
the set of its `set_flag` and `wait_flag` ops that meet in the run (with the primes and drains of a loop's flag).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation, SSAValue

from ascend_opt.dialects.ascend import (
    INSTRUCTIONS,
    BarrierOp,
    BufferOp,
    KernelOp,
    NextSlotOp,
    SetFlagOp,
    ViewOp,
    WaitFlagOp,
)
from ascend_opt.dialects.ascend.sync import FlagOp
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.analysis.operands import pipe_of
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.hazards.races import CoreRaces
from ascend_opt.runtime.program.instruction import Instruction
from ascend_opt.runtime.support.hazard import HazardError

Apply = Callable[[Sequence[Operation]], None]


@dataclass(frozen=True)
class Mutant:
    """`apply` changes a clone, given its ops in walk order; `name` says what and where."""

    kind: str
    name: str
    apply: Apply


def run(module: ModuleOp, target: Target, inputs: Mapping[str, Any]) -> str | None:
    """The kind of hazard that a run with values reports, None when it ends without one."""
    try:
        Emulator(module, target).run(None, inputs)
    except HazardError as error:
        return error.kind
    return None


def survivors(
    module: ModuleOp, mutants: Sequence[Mutant], target: Target, inputs: Mapping[str, Any]
) -> list[Mutant]:
    """The mutants that run without a hazard."""
    left: list[Mutant] = []
    for mutant in mutants:
        clone = module.clone()
        mutant.apply(list(clone.walk()))
        if run(clone, target, inputs) is None:
            left.append(mutant)
    return left


def mutants_of(module: ModuleOp, target: Target, inputs: Mapping[str, Any]) -> list[Mutant]:
    """Every single mutant of a module that runs without a hazard."""
    ops = list(module.walk())
    number = {op: i for i, op in enumerate(ops)}
    flags, seen, times = _flags(module, target, inputs)
    found = [_removed(flag, number) for flag in flags]
    found += [
        Mutant("barrier removed", f"{op} at {i}", lambda clone, i=i: clone[i].detach())
        for i, op in enumerate(ops)
        if isinstance(op, BarrierOp)
    ]
    for op in ops:
        if isinstance(op, WaitFlagOp) and op in seen and not _drains(op, flags):
            found += _later(op, number, target)
        if isinstance(op, SetFlagOp) and op in seen:
            found += _other_event(op, flags, seen, times, number, target)
        if isinstance(op, BufferOp) and op.slot_count == 2 and _generations(op, times) > 1:
            found.append(_halved(op, number))
    return found


def _text(op: FlagOp, number: Mapping[Operation, int]) -> str:
    what = "set" if isinstance(op, SetFlagOp) else "wait"
    return f"{what} {op.source.data} -> {op.destination.data} at {number[op]}"


def _flags(
    module: ModuleOp, target: Target, inputs: Mapping[str, Any]
) -> tuple[list[list[FlagOp]], dict[FlagOp, set[int]], dict[Operation, int]]:
    """Ops of each flag, the events of each op, and how often an op runs on the core that runs it most often.

    Ops that wait for one another, directly or not, are one flag.
    """
    leader: dict[FlagOp, FlagOp] = {}
    seen: dict[FlagOp, set[int]] = {}
    runs: Counter[tuple[Operation, int]] = Counter()

    def find(op: FlagOp) -> FlagOp:
        while leader.setdefault(op, op) is not op:
            op = leader[op]
        return op

    def meet(setter: FlagOp, waiter: FlagOp, event: int) -> None:
        leader[find(setter)] = find(waiter)
        for op in (setter, waiter):
            seen.setdefault(op, set()).add(event)

    with _watched(meet, lambda op, core: runs.update([(op, core)])):
        hazard = run(module, target, inputs)
    assert hazard is None, f"the module itself has a hazard: {hazard}"
    groups: dict[FlagOp, list[FlagOp]] = {}
    times: dict[Operation, int] = {}
    for (op, _), count in runs.items():
        times[op] = max(count, times.get(op, 0))
    for op in module.walk():
        if isinstance(op, FlagOp) and op in seen:
            groups.setdefault(find(op), []).append(op)
    return list(groups.values()), seen, times


@contextmanager
def _watched(
    meet: Callable[[FlagOp, FlagOp, int], None], executed: Callable[[Operation, int], None]
) -> Iterator[None]:
    """Calls `meet(set, wait, event)` for every wait served and `executed(op, core)` for every op that runs."""
    wait, execute = CoreRaces.wait_flag, CoreRaces.execute

    def wait_flag(self: CoreRaces, instruction: Instruction) -> None:
        assert instruction.flag is not None
        setter = self.raised[instruction.flag][1].site.op
        assert isinstance(setter, FlagOp) and isinstance(instruction.site.op, FlagOp)
        meet(setter, instruction.site.op, instruction.flag[2])
        for op in (setter, instruction.site.op):
            executed(op, id(self))
        wait(self, instruction)

    def execute_instruction(self: CoreRaces, instruction: Instruction) -> None:
        executed(instruction.site.op, id(self))
        execute(self, instruction)

    CoreRaces.wait_flag, CoreRaces.execute = wait_flag, execute_instruction
    try:
        yield
    finally:
        CoreRaces.wait_flag, CoreRaces.execute = wait, execute


def _removed(flag: Sequence[FlagOp], number: Mapping[Operation, int]) -> Mutant:
    places = [number[op] for op in flag]

    def apply(ops: Sequence[Operation]) -> None:
        for place in places:
            ops[place].detach()

    return Mutant("flag removed", ", ".join(_text(op, number) for op in flag), apply)


def _drains(op: WaitFlagOp, flags: Sequence[Sequence[FlagOp]]) -> bool:
    """Whether it lowers, after a loop, what the loop's last trips raised: that may happen at any later time."""
    flag = next(flag for flag in flags if op in flag)
    return any(isinstance(other, WaitFlagOp) and _depth(other) > _depth(op) for other in flag)


def _depth(op: Operation) -> int:
    depth, parent = 0, op.parent_op()
    while parent is not None:
        depth, parent = depth + 1, parent.parent_op()
    return depth


def _later(op: WaitFlagOp, number: Mapping[Operation, int], target: Target) -> list[Mutant]:
    """The wait behind the next op of its block that its pipe works for."""
    following = op.next_op
    while following is not None and not _runs_on(following, op.destination.data, target):
        following = following.next_op
    if following is None:
        return []
    place, anchor = number[op], number[following]

    def apply(ops: Sequence[Operation]) -> None:
        wait, after = ops[place], ops[anchor]
        block = after.parent
        assert block is not None
        wait.detach()
        block.insert_op_after(wait, after)

    return [Mutant("wait later", f"{_text(op, number)} behind {following.name} at {anchor}", apply)]


def _runs_on(op: Operation, pipe: str, target: Target) -> bool:
    return any(isinstance(inner, INSTRUCTIONS) and pipe_of(inner, target) == pipe for inner in op.walk())


def _other_event(
    op: SetFlagOp,
    flags: Sequence[Sequence[FlagOp]],
    seen: Mapping[FlagOp, set[int]],
    times: Mapping[Operation, int],
    number: Mapping[Operation, int],
    target: Target,
) -> list[Mutant]:
    """The set raises another event: the other slot's, another flag's of its pair of pipes, or nobody's."""
    pair = op.source.data, op.destination.data
    mine = seen[op]
    taken = {
        e for flag in flags for o in flag if (o.source.data, o.destination.data) == pair for e in seen[o]
    }
    free = set(range(target.sync.events)) - taken
    place = number[op]
    if len(mine) > 1:
        # after an even number of trips each event was raised as often as waited for: the pipe is late, not wrong
        if times[op] < 3 or times[op] % 2 == 0:
            return []
        return [
            Mutant("event changed", f"{_text(op, number)} to the other slot's", _mirrored(place, sum(mine)))
        ]
    chosen = [*sorted(taken - mine)[:1], *sorted(free)[:1]]
    return [Mutant("event changed", f"{_text(op, number)} to event {e}", _constant(place, e)) for e in chosen]


def _constant(place: int, event: int) -> Apply:
    def apply(ops: Sequence[Operation]) -> None:
        ops[place].operands[0] = _index_before(ops[place], event)

    return apply


def _mirrored(place: int, total: int) -> Apply:
    """`total - event`: of two events the other one."""

    def apply(ops: Sequence[Operation]) -> None:
        op = ops[place]
        mirrored = arith.SubiOp(_index_before(op, total), op.operands[0])
        assert op.parent is not None
        op.parent.insert_op_before(mirrored, op)
        op.operands[0] = mirrored.result

    return apply


def _index_before(op: Operation, value: int) -> SSAValue:
    constant = arith.ConstantOp(IntegerAttr(value, IndexType()))
    assert op.parent is not None
    op.parent.insert_op_before(constant, op)
    return constant.result


def _generations(op: BufferOp, times: Mapping[Operation, int]) -> int:
    """How often one core takes a slot of the buffer: as often as the instruction runs that works on it most often where
    slots are taken, inner loops left out."""
    users = [use.operation for use in op.result.uses]
    taken = {one.parent for one in users if isinstance(one, NextSlotOp)}
    work = [use.operation for view in users if isinstance(view, ViewOp) for use in view.result.uses]
    beside = [one for one in work if one.parent in taken]
    return max((times.get(one, 0) for one in beside or work), default=0)


def _halved(op: BufferOp, number: Mapping[Operation, int]) -> Mutant:
    place = number[op]

    def apply(ops: Sequence[Operation]) -> None:
        buffer = ops[place]
        assert isinstance(buffer, BufferOp) and buffer.slot_addresses is not None
        buffer.addresses = DenseArrayBase.from_list(i64, [buffer.slot_addresses[0]] * 2)

    label = op.label.data if op.label is not None else "buffer"
    return Mutant("ping-pong halved", f"{label} at {place}", apply)


def kernels(module: ModuleOp) -> list[KernelOp]:
    return [op for op in module.body.block.ops if isinstance(op, KernelOp)]

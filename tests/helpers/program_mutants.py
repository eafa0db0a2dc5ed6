"""Random single mutations of a lowered module: synchronisation, addresses, offsets, strides, repeats, extents, order.

Each gives a hazard (or no program at all), other values, or an argument why it does no harm: a rule that is checked on
the module and on what ran of it, not a list of cases.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from ascend_opt.dialects.ascend import (
    CROSS_CORE,
    INSTRUCTIONS,
    SYNCHRONISATION,
    BarrierOp,
    BufferOp,
    CrossSetFlagOp,
    CrossWaitFlagOp,
    KernelOp,
    MmadOp,
    SetFlagOp,
    ViewOp,
    WaitFlagOp,
)
from ascend_opt.dialects.ascend.sync import FlagOp
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.analysis.operands import pipe_of
from ascend_opt.passes.support.errors import LocatedError
from ascend_opt.passes.sync.launch_order import check_order
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.support.hazard import HazardError, ProgramError

SYNC = (*SYNCHRONISATION, *CROSS_CORE)
FLAGS = (SetFlagOp, WaitFlagOp, CrossSetFlagOp, CrossWaitFlagOp)


@dataclass(frozen=True)
class Ran:
    """A module that is right: its results, and the ops that its cores execute."""

    module: ModuleOp
    target: Target
    inputs: Mapping[str, Any]
    outputs: tuple[Any, ...]
    executed: frozenset[int]
    """Instructions, by their place in the walk."""
    other: tuple[Mapping[str, Any], tuple[Any, ...]]
    """Other inputs, and the results of those."""
    many: Mapping[str, Any] | None = None
    """Of a dynamic program: inputs of a size at which each core has several tiles."""


@dataclass(frozen=True)
class Outcome:
    kind: str
    what: str
    result: str
    """`hazard`, `values`, `harmless: …` or `unexplained`."""


def ran(
    module: ModuleOp,
    target: Target,
    inputs: Mapping[str, Any],
    others: Mapping[str, Any],
    many: Mapping[str, Any] | None = None,
) -> Ran:
    result = Emulator(module, target).run(None, inputs, traced_cores=1 << 20)
    number = {op: i for i, op in enumerate(module.walk())}
    executed = {number[event.instruction.site.op] for launch in result.trace for event in launch.events}
    other = others, tuple(Emulator(module, target).run(None, others).outputs)
    if many is not None:
        Emulator(module, target).run(None, many)  # without a hazard
    return Ran(module, target, inputs, tuple(result.outputs), frozenset(executed), other, many)


def mutate(good: Ran, rng: Random) -> Outcome:
    """One random mutation and what comes of it."""
    while True:
        clone = good.module.clone()
        kind = rng.choice(list(KINDS))
        found = KINDS[kind](list(clone.walk()), rng, good)
        if found is None:
            continue
        what, rule = found
        try:
            clone.verify()
            outputs = Emulator(clone, good.target).run(None, good.inputs).outputs
        except (HazardError, ProgramError, VerifyException):
            return Outcome(kind, what, "hazard")
        if not _same(outputs, good.outputs):
            return Outcome(kind, what, "values")
        argument = "" if rule is None else rule(clone, good)
        if not argument and kind not in BY_RULE:
            argument = _no_result_depends(clone, good)
            if not argument:
                return Outcome(kind, what, "values")
        if not argument and _fails_at_many(clone, good):
            return Outcome(kind, what, "hazard")
        return Outcome(kind, what, f"harmless: {argument}" if argument else "unexplained")


def _fails_at_many(clone: ModuleOp, good: Ran) -> bool:
    """Whether a dynamic program is stopped where each core has several tiles: only then do slots come back."""
    if good.many is None:
        return False
    try:
        Emulator(clone, good.target).run(None, good.many)
    except (HazardError, ProgramError):
        return True
    return False


def _no_result_depends(clone: ModuleOp, good: Ran) -> str:
    others, expected = good.other
    if not _same(Emulator(clone, good.target).run(None, others).outputs, expected):
        return ""
    return "lanes or an order that no result depends on: other inputs give their results, too"


def _still_in_order(clone: ModuleOp, good: Ran) -> str:
    """Each pipe executes the same instructions in the same order; then results are the same if there is no race."""
    try:
        check_order(clone, good.target)
    except LocatedError:
        return ""
    return "pipes do the same in the same order, and nothing that must be ordered is not"


def _same(found: Sequence[Any], expected: Sequence[Any]) -> bool:
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(found, expected, strict=True))


Rule = Callable[[ModuleOp, Ran], str]
"""Why a mutant, which runs without a hazard, does no harm; empty where the rule does not say so."""
Found = tuple[str, Rule | None] | None
"""What was done, and the rule by which it may do no harm."""


def _stated(argument: str) -> Rule | None:
    """A rule that was checked when the mutant was made."""
    return (lambda clone, good: argument) if argument else None


def _pick(ops: list[Operation], rng: Random, *kinds: type[Any]) -> tuple[int, Any] | None:
    places = [i for i, op in enumerate(ops) if isinstance(op, kinds) and _in_kernel(op)]
    if not places:
        return None
    place = rng.choice(places)
    return place, ops[place]


def _in_kernel(op: Operation) -> bool:
    at = op.parent_op()
    while at is not None and not isinstance(at, KernelOp):
        at = at.parent_op()
    return at is not None


def _pipes(op: Operation, target: Target) -> set[str]:
    """The pipes whose queues an op, or what is in it, goes to."""
    found: set[str] = set()
    for inner in op.walk():
        if isinstance(inner, SetFlagOp):
            found.add(inner.source.data)
        elif isinstance(inner, WaitFlagOp):
            found.add(inner.destination.data)
        elif isinstance(inner, BarrierOp):
            found |= {inner.pipe.data} if inner.pipe.data != "ALL" else {"ALL"}
        elif isinstance(inner, INSTRUCTIONS):
            found.add(pipe_of(inner, target))
        elif isinstance(inner, CrossSetFlagOp):
            found.add(inner.pipe.data)
        elif isinstance(inner, CrossWaitFlagOp):
            found.add("ALL")
    return found


def _deleted(ops: list[Operation], rng: Random, good: Ran) -> Found:
    found = _pick(ops, rng, *SYNC)
    if found is None:
        return None
    place, op = found
    op.detach()
    return f"{op} at {place}", None


def _moved(ops: list[Operation], rng: Random, good: Ran) -> Found:
    """Past one to three ops of its block."""
    found = _pick(ops, rng, *SYNC)
    return None if found is None else _shift(found, rng, good, rng.randint(1, 3))


def _swapped(ops: list[Operation], rng: Random, good: Ran) -> Found:
    """An instruction past the op behind or before it."""
    found = _pick(ops, rng, *INSTRUCTIONS)
    return None if found is None else _shift(found, rng, good, 1)


def _shift(found: tuple[int, Any], rng: Random, good: Ran, count: int) -> Found:
    place, op = found
    up, block = rng.random() < 0.5, op.parent
    passed: list[Operation] = []
    anchor = op
    while len(passed) < count:
        anchor = anchor.prev_op if up else anchor.next_op
        if anchor is None or anchor.next_op is None:
            break
        if any(isinstance(inner, (*INSTRUCTIONS, *SYNC)) for inner in anchor.walk()):
            passed.append(anchor)
        elif any(result in op.operands for result in anchor.results):
            break
    if not passed:
        return None
    op.detach()
    (block.insert_op_before if up else block.insert_op_after)(op, passed[-1])
    mine, theirs = _pipes(op, good.target), set[str]().union(*(_pipes(p, good.target) for p in passed))
    said = f"{op} at {place} {'up' if up else 'down'} past {len(passed)}"
    if isinstance(op, (WaitFlagOp, CrossWaitFlagOp) if up else (SetFlagOp, CrossSetFlagOp)):
        return said, _stated("the flag is set later or waited for earlier, which orders more")
    if isinstance(op, SYNC) or (
        "ALL" not in mine | theirs and not mine & _of_instructions(passed, good.target)
    ):
        return said, _still_in_order
    if all(isinstance(p, INSTRUCTIONS) for p in passed) and not good.target.sync.ordered_pipe:
        return said, _stated("no barrier lies between them: if they shared bytes, that would be a hazard")
    return said, None


def _of_instructions(passed: Sequence[Operation], target: Target) -> set[str]:
    """The pipes that execute an instruction of what was passed."""
    return {pipe_of(op, target) for p in passed for op in p.walk() if isinstance(op, INSTRUCTIONS)}


def _event(ops: list[Operation], rng: Random, good: Ran) -> Found:
    found = _pick(ops, rng, *FLAGS)
    if found is None:
        return None
    place, op = found
    owner = op.event.owner
    if not isinstance(owner, arith.ConstantOp) or not isinstance(owner.value, IntegerAttr):
        return None  # one of a slot: sync_mutants.py has the other slot's
    limit, now = good.target.sync.events if isinstance(op, FlagOp) else 8, owner.value.value.data
    event = rng.choice([e for e in range(limit) if e != now])
    constant = arith.ConstantOp(IntegerAttr(event, IndexType()))
    assert op.parent is not None
    op.parent.insert_op_before(constant, op)
    op.operands[0] = constant.result
    return f"{op} at {place} to event {event}", None


def _address(ops: list[Operation], rng: Random, good: Ran) -> Found:
    found = _pick(ops, rng, BufferOp)
    if found is None or found[1].slot_addresses is None:
        return None
    place, op = found
    addresses = list(op.slot_addresses)
    slot, step = rng.randrange(len(addresses)), rng.choice([-512, -32, 32, 512, 1024])
    addresses[slot] += step
    op.addresses = DenseArrayBase.from_list(i64, addresses)
    return f"{op} at {place} slot {slot} by {step}", _another_plan


def _another_plan(clone: ModuleOp, good: Ran) -> str:
    """A run without a hazard read no byte that another buffer had taken."""
    argument = "another memory plan: every living buffer has its bytes, and what shares bytes is in order"
    return argument if _still_in_order(clone, good) else ""


def _view(change: Callable[[ViewOp, Random], tuple[ViewOp, str] | None]) -> Callable[..., Found]:
    def apply(ops: list[Operation], rng: Random, good: Ran) -> Found:
        found = _pick(ops, rng, ViewOp)
        if found is None:
            return None
        place, op = found
        changed = change(op, rng)
        if changed is None:
            return None
        new, argument = changed
        users = [i for i, other in enumerate(ops) if op.result in other.operands]
        op.parent.insert_op_before(new, op)
        for use in list(op.result.uses):
            use.operation.operands[use.index] = new.result
        if not argument and not any(user in good.executed for user in users):
            argument = "no core executes what uses it"
        return f"{op} at {place}", _stated(argument)

    return apply


def _rebuilt(op: ViewOp, **changes: Any) -> ViewOp:
    fields: dict[str, Any] = {
        "sizes": op.mixed_sizes(),
        "strides": op.element_strides(),
        "offset": op.offset,
        "start": op.start.value.data,
        "slot": op.slot,
    }
    return ViewOp(op.base, **{**fields, **changes})


def _offset(op: ViewOp, rng: Random) -> tuple[ViewOp, str]:
    return _rebuilt(op, start=op.start.value.data + rng.choice([-16, -1, 1, 16])), ""


def _stride(op: ViewOp, rng: Random) -> tuple[ViewOp, str]:
    strides, sizes = list(op.element_strides()), op.mixed_sizes()
    d = rng.randrange(len(strides))
    strides[d] = max(0, strides[d] + rng.choice([-16, -1, 1, 16]))
    return _rebuilt(op, strides=strides), "the stride of one element is not read" if sizes[d] == 1 else ""


def _repeat(op: ViewOp, rng: Random) -> tuple[ViewOp, str] | None:
    sizes = op.mixed_sizes()
    known = [(d, n) for d, n in enumerate(sizes) if isinstance(n, int)]
    if not known:
        return None
    d, count = rng.choice(known)
    sizes[d] = count + rng.choice([-1, 1])
    return _rebuilt(op, sizes=sizes), ""


def _extent(ops: list[Operation], rng: Random, good: Ran) -> Found:
    found = _pick(ops, rng, MmadOp)
    if found is None:
        return None
    place, op = found
    which, by = rng.choice([3, 4, 5]), rng.choice([-1, 1])
    step = arith.ConstantOp(IntegerAttr(by, IndexType()))
    changed = arith.AddiOp(op.operands[which], step.result)
    op.parent.insert_ops_before([step, changed], op)
    op.operands[which] = changed.result
    return f"{op} at {place} {'mnk'[which - 3]} by {by}", None


BY_RULE = ("sync deleted", "event changed", "sync moved")
"""Kinds that a rule alone excuses. The compiler emits no flag and no barrier that nothing needs: the first two show."""

KINDS: dict[str, Callable[[list[Operation], Random, Ran], Found]] = {
    "sync deleted": _deleted,
    "sync moved": _moved,
    "instruction moved": _swapped,
    "event changed": _event,
    "address changed": _address,
    "offset changed": _view(_offset),
    "stride changed": _view(_stride),
    "repeat changed": _view(_repeat),
    "extent changed": _extent,
}

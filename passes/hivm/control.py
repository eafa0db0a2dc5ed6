"""Loops and conditions, with the numbers and memrefs that they hand on."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects.records import dataclass
from ..support.errors import LocatedError
from .buffers import begins_its_buffer
from .context import Context, Trips
from .numbers import Number
from .refs import Ref

Body = Callable[[Context, Block], None]
"""Converts the ops of a block, but its `scf.yield`."""


@dataclass(frozen=True)
class Handed:
    """A value that a loop's trips or a condition's branches hand on: a number, or a memref as its template with
    the numbers that may change, slot and offset."""

    template: Number | Ref
    slot: bool = False
    offset: bool = False

    @staticmethod
    def of(value: Number | Ref, moves: bool) -> "Handed":
        """`moves`: whether a memref may begin elsewhere in its buffer later on."""
        if not isinstance(value, Ref):
            return Handed(value)
        return Handed(value, value.slot is not None, moves)

    def numbers(self, op: Operation, value: Number | Ref) -> list[Number]:
        """What of a value changes."""
        if not isinstance(self.template, Ref):
            return [value]  # pyright: ignore[reportReturnType]
        assert isinstance(value, Ref)
        template = self.template
        fixed = {"slot": 0, "offset": 0 if self.offset else template.offset}
        if replace(value, **{**fixed, "offset": 0 if self.offset else value.offset}) != replace(
            template, **fixed
        ):
            raise LocatedError(op, f"{op.name}: hands on memrefs of different buffers, shapes or strides")
        found: list[Number] = []
        if self.slot:
            found.append(value.slot or 0)
        if self.offset:
            found.append(value.offset)
        return found

    def rebuilt(self, numbers: Sequence[SSAValue]) -> Number | Ref:
        """The value, of the numbers that changed."""
        if not isinstance(self.template, Ref):
            return numbers[0]
        left = list(numbers)
        slot = left.pop(0) if self.slot else self.template.slot
        offset = left.pop(0) if self.offset else self.template.offset
        return replace(self.template, slot=slot, offset=offset)

    @property
    def count(self) -> int:
        return self.slot + self.offset if isinstance(self.template, Ref) else 1


def _spread(handed: Sequence[Handed], numbers: Sequence[SSAValue]) -> list[Number | Ref]:
    found: list[Number | Ref] = []
    at = 0
    for one in handed:
        found.append(one.rebuilt(numbers[at : at + one.count]))
        at += one.count
    return found


MOST_TRIPS = 1 << 22
"""Of a loop: more come from an argument that is wrong, and take hours."""


def _check_trips(op: scf.ForOp, lower: Number, upper: Number, step: Number) -> None:
    """`LocatedError` for a loop that does not end, or not in any time that someone waits. A step that is known at run
    time only is looked at there."""
    launch = "with the arguments of this launch"
    if not isinstance(step, int):
        return
    if step <= 0:
        raise LocatedError(op, f"scf.for: a step of {step} {launch}: the loop never ends")
    if isinstance(upper, int):
        trips = (upper - (lower if isinstance(lower, int) else 0)) // step
        if trips > MOST_TRIPS:
            raise LocatedError(op, f"scf.for: {trips:,} trips {launch}: at most {MOST_TRIPS:,} are emulated")


def loop(context: Context, op: Operation, body: Body) -> None:
    """`scf.for`; one that makes no trip with these arguments is none."""
    assert isinstance(op, scf.ForOp)
    emit = context.emit
    lower, upper, step = (context.index(v) for v in (op.lb, op.ub, op.step))
    _check_trips(op, lower, upper, step)
    start = [context.values[v] for v in op.iter_args]
    if isinstance(lower, int) and isinstance(upper, int) and lower >= upper:
        context.values.update(zip(op.results, start, strict=True))
        return
    given = op.body.block.last_op
    assert given is not None
    handed = [
        Handed.of(value, not (begins_its_buffer(first) and begins_its_buffer(inner)))
        for value, first, inner in zip(start, op.iter_args, op.body.block.args[1:], strict=True)
    ]
    carried = [number for one, value in zip(handed, start, strict=True) for number in one.numbers(op, value)]
    count = emit.ceil_div(emit.sub(upper, lower), emit.integer("maxsi", step, 1))
    with emit.loop((lower, upper, step), carried) as (index, made):
        context.values[op.body.block.args[0]] = index
        inside = made.body.block.args[1:]
        context.values.update(zip(op.body.block.args[1:], _spread(handed, inside), strict=True))
        context.loops.append(Trips(index, lower, step, count))
        body(context, op.body.block)
        context.loops.pop()
        if carried:
            last = [context.values[v] for v in given.operands]
            emit.location = op.location
            emit.give([n for one, v in zip(handed, last, strict=True) for n in one.numbers(op, v)])
    context.values.update(zip(op.results, _spread(handed, made.results), strict=True))


def condition(context: Context, op: Operation, body: Body) -> None:
    """`scf.if`; of one that is known there is the branch that is taken."""
    assert isinstance(op, scf.IfOp)
    emit = context.emit
    flag = context.flag(op.cond)
    blocks = [region.block if region.blocks else None for region in op.regions]
    if isinstance(flag, bool):
        block = blocks[0 if flag else 1]
        if block is not None:
            body(context, block)
            _take(context, op, block)
        return
    made: list[Block] = []
    given: list[list[Number | Ref]] = []
    for block in blocks:
        new = Block()
        with emit.block(new):
            if block is not None:
                body(context, block)
        made.append(new)
        given.append(
            []
            if block is None or block.last_op is None
            else [context.values[v] for v in block.last_op.operands]
        )
    handed = [
        Handed.of(value, begins_its_buffer(result))
        for value, result in zip(given[0], op.results, strict=False)
    ]
    handed = [replace(one, offset=isinstance(one.template, Ref)) for one in handed] if op.results else []
    for new, values in zip(made, given, strict=True):
        with emit.block(new):
            emit.give([n for one, v in zip(handed, values, strict=False) for n in one.numbers(op, v)])
    kinds = [value.type for value in made[0].last_op.operands] if made[0].last_op is not None else []
    branch = emit.insert(
        scf.IfOp(flag, kinds, Region(made[0]), Region(made[1]) if blocks[1] is not None else Region())
    )
    context.values.update(zip(op.results, _spread(handed, branch.results), strict=True))


def _take(context: Context, op: Operation, block: Block) -> None:
    """The results of a condition that takes one branch."""
    if op.results and block.last_op is not None:
        given = [context.values[v] for v in block.last_op.operands]
        context.values.update(zip(op.results, given, strict=True))

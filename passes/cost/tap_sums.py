"""What is added to the taps of a window is added to the sum of taps that is ready first.

The Vector unit adds the taps of a window in two sums (`dialects/graph/windows.py`). Where one of them has a tap more,
the other one is ready before, and takes what the next op adds meanwhile: a barrier less.

    %b = vmadd …                      %b = vmadd …
    %a = vmadd …                      %a = vmadd …
    %x = vadd %a, %b            ->    %x = vadd %b, %bias
    %y = vadd %x, %bias               %y = vadd %a, %x

The search does so to the instructions that it prices, and the builder of kernels to those that it emits.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from xdsl.ir import Block, SSAValue

from ...dialects import tile
from ...dialects.records import dataclass
from ...dialects.walked import ops_inside

if TYPE_CHECKING:
    from .group_trace import TraceStep, TraceTile


@dataclass(frozen=True)
class Instruction:
    """One Vector instruction: its name, what it reads and gives, and the type of each of these."""

    name: str
    sources: tuple[Hashable, ...]
    result: Hashable
    types: tuple[Hashable, ...]
    """Of the sources, then of the result."""


@dataclass(frozen=True)
class Exchange:
    """The instruction `first` adds `early` and `other`, the instruction `second` the sum `late` and its result."""

    first: int
    second: int
    late: Hashable
    early: Hashable
    other: Hashable


def exchanges(instructions: Sequence[Instruction]) -> list[Exchange]:
    """Sums of a block, in program order, that are better formed in another order."""
    made = {one.result: i for i, one in enumerate(instructions)}
    readers: dict[Hashable, list[int]] = {}
    for i, one in enumerate(instructions):
        for source in one.sources:
            readers.setdefault(source, []).append(i)
    found: list[Exchange] = []
    for i, one in enumerate(instructions):
        if one.name != "vadd" or len(set(one.types)) > 1 or len(readers.get(one.result, ())) != 1:
            continue
        (j,) = readers[one.result]
        following = instructions[j]
        summed = [instructions[made[s]].name for s in set(one.sources) if s in made]
        if following.name != "vadd" or summed != ["vmadd", "vmadd"]:
            continue
        late, early = sorted(one.sources, key=made.__getitem__, reverse=True)
        others = [s for s in following.sources if s != one.result]
        if len(others) != 1 or following.types[-1] != one.types[-1] or made.get(others[0], -1) >= made[early]:
            continue
        exchange = Exchange(i, j, late, early, others[0])
        if barriers(exchanged(instructions, exchange)) < barriers(instructions):
            found.append(exchange)
    return found


def exchanged(instructions: Sequence[Instruction], one: Exchange) -> list[Instruction]:
    """The instructions after an exchange."""
    result = list(instructions)
    for i, sources in (
        (one.first, (one.early, one.other)),
        (one.second, (one.late, instructions[one.first].result)),
    ):
        result[i] = Instruction("vadd", sources, instructions[i].result, instructions[i].types)
    return result


def barriers(instructions: Sequence[Instruction]) -> int:
    """How often an instruction waits because it reads a result that is under way."""
    under_way, found = set[Hashable](), 0
    for one in instructions:
        if not under_way.isdisjoint(one.sources):
            under_way.clear()
            found += 1
        under_way.add(one.result)
    return found


def reorder_steps(steps: list[TraceStep]) -> None:
    """Exchange the sums of a trace."""
    if not any(step.name == "vmadd" for step in steps):
        return
    instructions: list[Instruction] = []
    for step in steps:
        types = ((one.type_name, one.full, one.lacks) for one in (*step.sources, step.result))
        instructions.append(Instruction(step.name, step.sources, step.result, tuple(types)))
    for one in exchanges(instructions):
        first, second = steps[one.first], steps[one.second]
        known: dict[Hashable, TraceTile] = {source: source for source in (*first.sources, *second.sources)}
        steps[one.first] = replace(first, sources=(known[one.early], known[one.other]))
        steps[one.second] = replace(second, sources=(known[one.late], first.result))


def reorder_sums(kernel: tile.KernelOp) -> None:
    """Exchange the sums of a kernel's blocks."""
    blocks = [kernel.body.block]
    blocks += [block for op in ops_inside(kernel.body) for region in op.regions for block in region.blocks]
    for block in blocks:
        ops = [op for op in block.ops if isinstance(op, tile.VecOp)]
        if not any(op.instruction.data == "vmadd" for op in ops):
            continue
        for one in exchanges([_instruction(op) for op in ops]):
            first, second = ops[one.first], ops[one.second]
            values: dict[Hashable, SSAValue] = {_seen(v): v for v in (*first.sources, *second.sources)}
            late, early, other = (values[key] for key in (one.late, one.early, one.other))
            if len(list(first.result.uses)) == 1 and _is_before(other, first, block):
                first.operands = [early, other]
                second.operands = [late, first.result]


def _instruction(op: tile.VecOp) -> Instruction:
    return Instruction(
        op.instruction.data,
        tuple(map(_seen, op.sources)),
        op.result,
        (*(s.type for s in op.sources), op.result.type),
    )


def _seen(value: SSAValue) -> SSAValue:
    """The tile that a window shows."""
    owner = value.owner
    return _seen(owner.source) if isinstance(owner, tile.WindowOp) else value


def _is_before(value: SSAValue, op: tile.VecOp, block: Block) -> bool:
    """Whether a value is there when `op`, in `block`, is run."""
    owner = value.owner
    if isinstance(owner, Block) or owner.parent is not block:
        return True
    return block.get_operation_index(owner) < block.get_operation_index(op)

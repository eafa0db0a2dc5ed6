"""Which numbers of a kernel are in registers of the scalar unit as it runs, and which decide what it runs.

What is read from UB is known when the core has come there. Numbers that only instructions take, and arithmetic on them,
stay in registers: cells of a memory of their own, so that all cores run the same instructions, whatever the data. A
number that addresses, sizes, loops or conditions need steers the program; it is read as the core goes.

    %s = ascend.load_scalar %v                 cell 0
    %t = arith.addf %s, %c                     cell 1 = cell 0 + 1e-6
    ascend.vec "vmuls"(%x, %t) -> %y           takes a copy of cell 1, made when it is issued
"""

from collections.abc import Iterator, Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from ...dialects.ascend import KernelOp, LoadScalarOp, StoreScalarOp, VecOp
from ...dialects.ascend.memory import space_of
from ...dialects.records import dataclass
from ...dialects.walked import ops_inside
from .arithmetic import is_arithmetic

CELL = 8
"""Bytes of a register."""
COPIES = 64
"""Copies that an instruction takes in turn: more than its pipe's queue holds."""


@dataclass(frozen=True)
class ScalarPlan:
    """The cell of each number that is in a register, in those of it that steer a copy of what was read; how many cells
    there are."""

    cells: dict[SSAValue, int]
    steering: frozenset[SSAValue]
    count: int

    def held(self, value: SSAValue) -> bool:
        """Whether a number is in a register alone."""
        return value in self.cells and value not in self.steering


def scalar_plan(kernel: KernelOp) -> ScalarPlan:
    """The plan of a kernel; empty where it reads nothing of UB."""
    ops = list(ops_inside(kernel.body))
    read = [op.result for op in ops if isinstance(op, LoadScalarOp) and space_of(op.view) == "ub"]
    if not read:
        return ScalarPlan({}, frozenset(), 0)
    edges = list(_edges(ops))
    derived = _closure(set(read), edges)
    needed = _closure(set(_needed(ops)), [(b, a) for a, b in edges])
    cells: dict[SSAValue, int] = {}
    roots = {result: given for op in ops if isinstance(op, scf.ForOp) for result, given in _same(op)}
    for value in [*(v for op in ops for v in (*op.results, *_arguments(op)))]:
        if value in derived and (value not in needed or value in read) and value not in roots:
            cells[value] = len(cells)
    count = len(cells)
    cells |= {result: cells[given] for result, given in roots.items() if given in cells}
    return ScalarPlan(cells, frozenset(value for value in read if value in needed), count)


def _arguments(op: Operation) -> Sequence[SSAValue]:
    return op.body.block.args[1:] if isinstance(op, scf.ForOp) else ()


def _same(op: scf.ForOp) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Results of a loop with the arguments that hold them."""
    return zip(op.results, op.body.block.args[1:], strict=True)


def _closure(found: set[SSAValue], edges: Sequence[tuple[SSAValue, SSAValue]]) -> set[SSAValue]:
    """What is reached along edges."""
    following: dict[SSAValue, list[SSAValue]] = {}
    for one, other in edges:
        following.setdefault(one, []).append(other)
    work = list(found)
    while work:
        for value in following.get(work.pop(), ()):
            if value not in found:
                found.add(value)
                work.append(value)
    return found


def _edges(ops: Sequence[Operation]) -> Iterator[tuple[SSAValue, SSAValue]]:
    """From numbers to those that are computed of them, or that they become."""
    for op in ops:
        if is_arithmetic(op):
            yield from ((operand, op.results[0]) for operand in op.operands)
        elif isinstance(op, scf.ForOp):
            ends = op.body.block.last_op
            assert ends is not None
            for result, argument, first, last in zip(
                op.results, op.body.block.args[1:], op.iter_args, ends.operands, strict=True
            ):
                yield from ((first, argument), (last, argument), (argument, result))
        elif isinstance(op, scf.IfOp):
            for region in (op.true_region, op.false_region):
                ends = region.block.last_op if region.blocks else None
                yield from zip(ends.operands if ends is not None else (), op.results, strict=False)


def _needed(ops: Sequence[Operation]) -> Iterator[SSAValue]:
    """Numbers that the program itself must know."""
    for op in ops:
        if is_arithmetic(op) or isinstance(op, StoreScalarOp | scf.YieldOp):
            continue
        operands: Sequence[SSAValue] = op.operands
        if isinstance(op, VecOp):
            continue
        if isinstance(op, scf.ForOp):
            operands = (op.lb, op.ub, op.step)
        yield from (value for value in operands if not isinstance(value.type, MemRefType))

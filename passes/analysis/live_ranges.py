"""How a kernel uses its buffers: which pipes, from where to where in program order, in which loops."""

from collections.abc import Mapping

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue

from ...dialects import ascend
from ...dialects.ascend.memory import space_of
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.walked import ops_inside
from .operands import pipe_of, reads_of, write_of


@dataclass(frozen=True)
class Usage:
    """One buffer: its space, the half-open range of program points of one generation, the pipes that touch it, the
    loops around its generation (outermost first; of several generations, the one in most loops), the pipes that write
    it, and those that touch it last: who reads it, and who writes it after all reads."""

    buffer: ascend.BufferOp
    space: str
    start: int
    end: int
    pipes: tuple[str, ...]
    loops: tuple[scf.ForOp, ...]
    opens: frozenset[str] = frozenset()
    closes: frozenset[str] = frozenset()

    @property
    def label(self) -> str:
        return self.buffer.label.data if self.buffer.label is not None else "buffer"


def buffer_usages(kernel: ascend.KernelOp, target: Target) -> list[Usage]:
    """Usage of every buffer, in program order of their definitions. A generation begins where its slot is taken, or
    with the first access where it has none or a branch has them all. It lives to the last access, or to the end of the
    loops around these that the beginning is outside of."""
    number = {op: i for i, op in enumerate(ops_inside(kernel.body))}
    last_inside = _last_inside(kernel, number)
    starts: dict[Operation, list[int]] = {}
    ends: dict[Operation, int] = {}
    pipes: dict[Operation, list[str]] = {}
    loops: dict[Operation, tuple[scf.ForOp, ...]] = {}
    scopes: dict[SSAValue, Operation] = {}
    touches: dict[Operation, list[tuple[str, bool]]] = {}
    of_slot: dict[tuple[Operation, Operation], list[Operation]] = {}
    """Accesses of a buffer in each slot that is taken."""
    for op in number:
        if isinstance(op, ascend.NextSlotOp):
            buffer = _owner(op.buffer)
            loops[buffer] = max(loops.get(buffer, ()), _loops(op), key=len)
            scopes[op.result] = op
        elif isinstance(op, ascend.PreviousSlotOp):
            starts.setdefault(_owner(op.buffer), []).append(0)
        elif ascend.is_instruction(op):
            for value, writes in (*((v, False) for v in reads_of(op)), (write_of(op), True)):
                view = value.owner
                if not isinstance(view, ascend.ViewOp) or not isinstance(view.base.owner, ascend.BufferOp):
                    continue
                buffer = view.base.owner
                known = pipes.setdefault(buffer, [])
                pipe = pipe_of(op, target)
                if pipe not in known:
                    known.append(pipe)
                touches.setdefault(buffer, []).append((pipe, writes))
                slot = None if view.slot is None else scopes.get(view.slot)
                if slot is not None:
                    of_slot.setdefault((buffer, slot), []).append(op)
                    continue
                anchor = _in_block_of(op, buffer)
                if view.slot is None:
                    starts.setdefault(buffer, []).append(number[anchor])
                ends[buffer] = max(ends.get(buffer, 0), last_inside[anchor] + 1)
    for (buffer, slot), accesses in of_slot.items():
        anchors = _anchors(accesses, slot)
        first = slot if anchors[0].parent is slot.parent else min(anchors, key=number.__getitem__)
        starts.setdefault(buffer, []).append(number[first])
        ends[buffer] = max(ends.get(buffer, 0), *(last_inside[anchor] + 1 for anchor in anchors))
    usages: list[Usage] = []
    for op in number:
        if isinstance(op, ascend.BufferOp):
            start = min(starts.get(op, [number[op]]))
            end = ends.get(op, start + 1)
            opens, closes = _ends(touches.get(op, []))
            space, around = space_of(op.result), loops.get(op, ())
            usages.append(Usage(op, space, start, end, tuple(pipes.get(op, ())), around, opens, closes))
    return usages


def _last_inside(kernel: ascend.KernelOp, number: Mapping[Operation, int]) -> dict[Operation, int]:
    """The number of the last op inside each op, or of itself."""
    found: dict[Operation, int] = {}
    for op, i in number.items():
        parent: Operation | None = op
        while parent is not None and parent is not kernel:
            found[parent] = i
            parent = parent.parent_op()
    return found


def _ends(touches: list[tuple[str, bool]]) -> tuple[frozenset[str], frozenset[str]]:
    """The pipes that write, and those that touch last, of a buffer's accesses in program order (pipe, whether it
    writes)."""
    reads = [i for i, (_, writes) in enumerate(touches) if not writes]
    after = touches[reads[-1] + 1 :] if reads else touches
    opens = frozenset(pipe for pipe, writes in touches if writes)
    return opens, frozenset(touches[i][0] for i in reads) | frozenset(pipe for pipe, _ in after)


def _owner(value: SSAValue) -> ascend.BufferOp:
    assert isinstance(value.owner, ascend.BufferOp)
    return value.owner


def _loops(op: Operation) -> tuple[scf.ForOp, ...]:
    found: list[scf.ForOp] = []
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, scf.ForOp):
            found.insert(0, parent)
        parent = parent.parent_op()
    return tuple(found)


def _anchors(accesses: list[Operation], slot: Operation) -> list[Operation]:
    """The ops around some accesses in the block where their slot is taken, or in the branch from there on that has them
    all: it runs once for each slot, too."""
    anchors = [_in_block_of(op, slot) for op in accesses]
    while isinstance(branch := anchors[0], scf.IfOp) and all(anchor is branch for anchor in anchors):
        regions = [next(r for r in branch.regions if r.is_ancestor(op)) for op in accesses]
        if any(region is not regions[0] for region in regions):
            break
        first = next(iter(regions[0].block.ops))
        anchors = [_in_block_of(op, first) for op in accesses]
    return anchors


def _in_block_of(op: Operation, scope: Operation) -> Operation:
    while op.parent is not scope.parent:
        parent = op.parent_op()
        if parent is None:
            return op
        op = parent
    return op

"""How a kernel uses its buffers: which pipes, from where to where in program order, in which loops."""

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
    """Usage of every buffer, in program order of their definitions. What has no slots of its own begins with the first
    access and lives to the last one, or to the end of the loops around these that its definition is outside of."""
    number = {op: i for i, op in enumerate(ops_inside(kernel.body))}
    last_inside: dict[Operation, int] = {}
    for op, i in number.items():
        parent: Operation | None = op
        while parent is not None and parent is not kernel:
            last_inside[parent] = i
            parent = parent.parent_op()
    starts: dict[Operation, list[int]] = {}
    ends: dict[Operation, int] = {}
    pipes: dict[Operation, list[str]] = {}
    loops: dict[Operation, tuple[scf.ForOp, ...]] = {}
    scopes: dict[SSAValue, Operation] = {}
    touches: dict[Operation, list[tuple[str, bool]]] = {}
    for op in number:
        if isinstance(op, ascend.NextSlotOp):
            buffer = _owner(op.buffer)
            starts.setdefault(buffer, []).append(number[op])
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
                anchor = _in_block_of(op, buffer if view.slot is None else scopes.get(view.slot, buffer))
                if view.slot is None:
                    starts.setdefault(buffer, []).append(number[anchor])
                ends[buffer] = max(ends.get(buffer, 0), last_inside[anchor] + 1)
    usages: list[Usage] = []
    for op in number:
        if isinstance(op, ascend.BufferOp):
            start = min(starts.get(op, [number[op]]))
            end = ends.get(op, start + 1)
            opens, closes = _ends(touches.get(op, []))
            usages.append(
                Usage(
                    op,
                    space_of(op.result),
                    start,
                    end,
                    tuple(pipes.get(op, ())),
                    loops.get(op, ()),
                    opens,
                    closes,
                )
            )
    return usages


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


def _in_block_of(op: Operation, scope: Operation) -> Operation:
    while op.parent is not scope.parent:
        parent = op.parent_op()
        if parent is None:
            return op
        op = parent
    return op

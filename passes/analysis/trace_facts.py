"""What of a kernel's program is the same for all of its traces."""

from collections.abc import Mapping, Sequence

from xdsl.dialects import scf
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects import ascend
from ...dialects.target_types import PIPES, Target
from ...dialects.walked import ops_inside, walked
from .loop_edges import Calculation, edges_of
from .operand_access import Masks, OperandAccess
from .operands import pipe_of, reads_of, root_of, write_of


class Facts:
    """What of a kernel is the same for all of its traces: the arguments that it writes, by their `id` the values that
    it loads as indices, and what its operands touch."""

    def __init__(self, kernel: ascend.KernelOp):
        self.written = set[SSAValue]()
        self.loaded: list[int] = []
        self.parts = False
        """Whether loops walk parts that numbers in a tensor cut."""
        self.whole: frozenset[SSAValue] = frozenset()
        """Views that count as all of their buffer: wherever they are in it, what wrote it wrote them."""
        self._masks: Masks = {}
        self._operands: dict[tuple[Operation, bool], OperandAccess] = {}
        self._edges: dict[tuple[object, ...], list[int]] = {}
        self._loops: dict[Operation, tuple[bool, bool]] = {}
        self._instructions: dict[Operation, tuple[int, Sequence[SSAValue], SSAValue]] = {}
        for op in ops_inside(kernel.body):
            if ascend.is_instruction(op):
                root = root_of(write_of(op))
                if isinstance(root, BlockArgument):
                    self.written.add(root)
            elif isinstance(op, ascend.LoadIndexOp):
                self.loaded.append(id(op.result))
                self.parts = self.parts or op.part_count > 0

    def operand(
        self, view: ascend.ViewOp, write: bool, addresses: Mapping[Operation, tuple[int, ...]] | None
    ) -> OperandAccess:
        """What an operand touches; `addresses` are the same for all traces of the kernel."""
        key = view, write
        if key not in self._operands:
            whole = view.result in self.whole
            self._operands[key] = OperandAccess(view, write, addresses, self._masks, whole)
        return self._operands[key]

    def instruction(self, op: Operation, target: Target) -> tuple[int, Sequence[SSAValue], SSAValue]:
        """The pipe of an instruction, what it reads and what it writes; the target is the same for all traces."""
        if op not in self._instructions:
            self._instructions[op] = PIPES.index(pipe_of(op, target)), reads_of(op), write_of(op)
        return self._instructions[op]

    def loop(self, op: scf.ForOp) -> tuple[bool, bool]:
        """Whether a condition tells a loop's trips apart, and whether it walks parts of buffers: no trip starts a
        generation or differs from the others."""
        if op not in self._loops:
            special = any(isinstance(inner, scf.IfOp) for inner in op.body.block.ops)
            marks = (ascend.NextSlotOp, ascend.PreviousSlotOp, scf.IfOp)
            self._loops[op] = special, not any(isinstance(inner, marks) for inner in walked(op))
        return self._loops[op]

    def edges(
        self,
        loop: Operation,
        calculations: Sequence[Calculation],
        points: range,
        index: int,
        given: Mapping[int, int],
    ) -> list[int]:
        """`edges_of` a loop, found once for all runs that meet it alike."""
        key = loop, points, *given.items()
        if key not in self._edges:
            self._edges[key] = edges_of(calculations, points, index, given)
        return self._edges[key]

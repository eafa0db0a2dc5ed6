"""What of a kernel's program is the same for all of its traces."""

from collections.abc import Mapping, Sequence

from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects import ascend
from .loop_edges import Calculation, edges_of
from .operand_access import Masks, OperandAccess
from .operands import root_of, write_of


class Facts:
    """What of a kernel is the same for all of its traces: the arguments that it writes, by their `id` the values that
    it loads as indices, and what its operands touch."""

    def __init__(self, kernel: ascend.KernelOp):
        self.written = set[SSAValue]()
        self.loaded: list[int] = []
        self.parts = False
        """Whether loops walk parts that numbers in a tensor cut."""
        self._masks: Masks = {}
        self._operands: dict[tuple[Operation, bool], OperandAccess] = {}
        self._edges: dict[tuple[object, ...], list[int]] = {}
        for op in kernel.body.walk():
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
            self._operands[key] = OperandAccess(view, write, addresses, self._masks)
        return self._operands[key]

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

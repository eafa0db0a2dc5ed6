"""The workspace of a function with a dynamic dimension: offsets as a function of the run-time size.

    func.func @f.workspace(%n: index) -> (index, index, index) {      offset of each tensor, then the peak
      …
      %b = arith.addi %a, %room : index       %b lies behind %a, whose lifetime meets its own
      …

The order in which tensors lie comes from the plan for one size. A tensor starts where the last of those ends that lie
before it and are alive with it, so no two of them meet at any size.
"""

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import FunctionType, IndexType, IntegerAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import ascend
from ...dialects.ascend.memory import memref_type
from ...dialects.dynamic import is_dynamic
from ...dialects.element_types import BLOCK_BYTES
from ...runtime.execution.host import Host
from ...runtime.program.workspace import rows_of, tensor_bytes
from .workspace_plan import WorkspacePlan

Idx = int | SSAValue


def workspace_name(function: str) -> str:
    """Name of the function that gives the offsets."""
    return f"{function}.workspace"


def insert_workspace_function(function: FuncOp, plan: WorkspacePlan) -> None:
    """Put the function of offsets before `function`, which calls it and gives its tensors their places."""
    assert function.parent is not None
    offsets = workspace_function(function, plan)
    function.parent.insert_op_before(offsets, function)
    block = function.body.block
    measured = next(op for op in block.ops if op.name == "memref.dim")
    call = CallOp(offsets.sym_name.data, [measured.results[0]], offsets.function_type.outputs.data)
    call.location = function.location
    block.insert_op_after(call, measured)
    for tensor, at in zip(plan.tensors, call.results, strict=False):
        kind = memref_type(tensor.result)
        placed = ascend.GmAllocOp(
            kind.get_shape(), kind.element_type, tensor.workspace is not None, tensor.size, at
        )
        placed.location = tensor.location
        placed.result.name_hint = tensor.result.name_hint
        block.insert_op_before(placed, tensor)
        tensor.result.replace_all_uses_with(placed.result)
        block.erase_op(tensor)


class _Body:
    """Builds the function's body."""

    def __init__(self) -> None:
        self.block = Block(arg_types=[IndexType()])
        self.builder = Builder(InsertPoint.at_end(self.block))
        self.size = self.block.args[0]
        self.size.name_hint = "n"
        self._constants: dict[int, SSAValue] = {}

    def constant(self, value: int) -> SSAValue:
        if value not in self._constants:
            self._constants[value] = self.insert(arith.ConstantOp(IntegerAttr(value, IndexType())))
        return self._constants[value]

    def value(self, index: Idx) -> SSAValue:
        return self.constant(index) if isinstance(index, int) else index

    def insert(self, op: Operation) -> SSAValue:
        return self.builder.insert(op).results[0]

    def add(self, a: Idx, b: Idx) -> Idx:
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        return b if a == 0 else self.insert(arith.AddiOp(self.value(a), self.value(b)))

    def max(self, a: Idx, b: Idx) -> Idx:
        if isinstance(a, int) and isinstance(b, int):
            return max(a, b)
        if a == 0 or b == 0 or a is b:
            return b if a == 0 else a
        return self.insert(arith.MaxUIOp(self.value(a), self.value(b)))

    def room(self, each: int, fixed: int, line: int) -> Idx:
        """Bytes in whole lines of a tensor of `each` bytes times the run-time size and `fixed` more."""
        if not each:
            return -(-fixed // line) * line
        total = self.insert(arith.MuliOp(self.size, self.constant(each)))
        total = self.insert(arith.AddiOp(total, self.constant(fixed)))
        lines = self.insert(arith.CeilDivUIOp(total, self.constant(line)))
        return self.insert(arith.MuliOp(lines, self.constant(line)))

    def finish(self, results: Sequence[Idx]) -> None:
        self.builder.insert(ReturnOp(*[self.value(result) for result in results]))


def workspace_function(function: FuncOp, plan: WorkspacePlan) -> FuncOp:
    """The function that gives every tensor's offset, in the plan's order, and the peak."""
    body, line = _Body(), plan.problem.align
    rates = _bytes_a_size(function, plan)
    order = sorted(range(len(plan.tensors)), key=lambda i: plan.plan.offsets[i])
    lifetimes = plan.problem.buffers
    starts: dict[int, Idx] = {}
    ends: dict[int, Idx] = {}
    peak: Idx = 0
    for i in order:
        starts[i] = 0
        for j, end in ends.items():
            if lifetimes[i].meets(lifetimes[j]):
                starts[i] = body.max(starts[i], end)
        ends[i] = body.add(starts[i], body.room(*rates[i], line))
        peak = body.max(peak, ends[i])
    body.finish([*(starts[i] for i in range(len(plan.tensors))), peak])
    kind = FunctionType.from_lists([IndexType()], [IndexType()] * (len(plan.tensors) + 1))
    found = FuncOp(workspace_name(plan.function), kind, Region(body.block))
    found.location = function.location
    for op in body.block.ops:
        op.location = function.location
    return found


def _bytes_a_size(function: FuncOp, plan: WorkspacePlan) -> list[tuple[int, int]]:
    """For each tensor its bytes for one of the run-time size, and those that it takes whatever that is: its own, if it
    is static, and a guard block."""
    one = Host(1)
    one.start(function)
    found: list[tuple[int, int]] = []
    for tensor in plan.tensors:
        size = tensor_bytes(tensor.result, rows_of(tensor, one.values))
        guard = 2 * BLOCK_BYTES - 1  # up to a whole block, and one behind it
        found.append((size, guard) if is_dynamic(tensor.result.type) else (0, size + guard))
    return found

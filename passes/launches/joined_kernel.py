"""One kernel of several: each is a branch for the cores that run it."""

from collections.abc import Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import ascend
from ...dialects.locations import fused_location
from ..support.index_ops import index_constant
from .plan import overlap


def joined_kernel(
    parts: Sequence[tuple[ascend.KernelOp, int, Sequence[int]]],
    arguments: Sequence[Attribute],
    cores: int,
    ops: Sequence[str],
) -> ascend.KernelOp:
    """A kernel without a name that takes `arguments`. Each of its `parts` is a kernel, the block index at which the
    cores begin that do what it does, with block indices from 0, and for each of its arguments the number among the new
    ones. `ops`: names of the graph ops that the launch computes."""
    kernels = [kernel for kernel, _, _ in parts]
    kind = None if kernels[0].core is None else kernels[0].core.data
    made = ascend.KernelOp("joined", cores, arguments, ops, kind)
    made.location = fused_location([kernel.location for kernel in kernels])
    writer = _Writer(made)
    meets = overlap([start for _, start, _ in parts], [kernel.core_count for kernel in kernels])
    for (kernel, start, places), behind in zip(parts, meets, strict=True):
        if behind:  # what the cores did before has ended
            writer.barrier()
        given = zip(kernel.tensors, places, strict=True)
        mapped: dict[SSAValue, SSAValue] = {argument: made.body.block.args[i] for argument, i in given}
        writer.copy(kernel, mapped, start)
    writer.end()
    return made


class _Writer:
    """Writes the new kernel: buffers, constants and the block index first, then the branches."""

    def __init__(self, kernel: ascend.KernelOp):
        self.kernel, self.head, self.rest = kernel, list[Operation](), list[Operation]()
        self.index = ascend.BlockIdxOp()
        self.index.location = kernel.location
        self.head.append(self.index)

    def barrier(self) -> None:
        """Have all pipes end what they do."""
        op = ascend.BarrierOp("ALL")
        op.location = self.kernel.location
        self.rest.append(op)

    def constant(self, value: int) -> SSAValue:
        op = index_constant(value)
        op.location = self.kernel.location
        self.head.append(op)
        return op.results[0]

    def branch(self, kernel: ascend.KernelOp, start: int) -> Block | None:
        """The block of what only the cores of a kernel do, from `start` on; None where all cores do."""
        end = start + kernel.core_count
        tests = [("sge", start)] if start else []
        tests += [("slt", end)] if end < self.kernel.core_count else []
        inner: Block | None = None
        for predicate, limit in tests:
            test = arith.CmpiOp(self.index.result, self.constant(limit), predicate)
            block = Block()
            made = [test, scf.IfOp(test.result, [], Region(block))]
            for op in made:
                op.location = kernel.location
            if inner is None:
                self.rest += made
            else:
                inner.add_ops(made)
                inner.add_op(scf.YieldOp())
            inner = block
        return inner

    def copy(self, kernel: ascend.KernelOp, mapped: dict[SSAValue, SSAValue], start: int) -> None:
        """Copy a kernel, whose arguments are `mapped`, for the cores from `start` on. What has no location of its own
        has that of the kernel."""
        block, ops = self.branch(kernel, start), list[Operation]()
        for op in kernel.body.block.ops:
            if isinstance(op, ascend.EndOp):
                continue
            if isinstance(op, ascend.BlockIdxOp):
                mapped[op.result] = self._index(start, ops)
                continue
            copy = op.clone(mapped)
            copy.location = kernel.location if isinstance(op.location, UnknownLoc) else op.location
            at_head = isinstance(op, ascend.BufferOp | arith.ConstantOp)
            (self.head if at_head else ops).append(copy)
        if block is None:
            self.rest += ops
        else:
            block.add_ops([*ops, scf.YieldOp()])

    def _index(self, start: int, ops: list[Operation]) -> SSAValue:
        """The block index counted from `start`."""
        if start == 0:
            return self.index.result
        op = arith.SubiOp(self.index.result, self.constant(start))
        op.location = self.kernel.location
        ops.append(op)
        return op.result

    def end(self) -> None:
        self.kernel.body.block.add_ops([*self.head, *self.rest, ascend.EndOp()])


def joined_name(names: Sequence[str]) -> str:
    """The name of what does what several kernels do: the first one's, and the ends of the others that differ."""
    plain = [name.removesuffix("_aic").removesuffix("_aiv") for name in names]
    start = plain[0].rpartition("_")[0] + "_"
    return f"{plain[0]}_with_{'_'.join(name.removeprefix(start) for name in plain[1:])}"


__all__ = ["joined_kernel", "joined_name"]

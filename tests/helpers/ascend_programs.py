"""Builds one-kernel `ascend` modules in a few lines, for tests of the emulator and benchmarks.

p = Program(cores=1)
x, y = p.input("x", (128,)), p.output("y", (128,))
a = p.buffer("a", "ub", (128,), 0)
p.copy(x, a)
p.flag("MTE2", "V")
p.vec("vrelu", a, to=a)
p.flag("V", "MTE3")
p.copy(a, y)
p.run(x=array).outputs
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StringAttr,
    bf16,
    f16,
    f32,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ascend_opt.dialects.ascend import (
    BarrierOp,
    BlockIdxOp,
    BufferOp,
    CopyOp,
    CrossSetFlagOp,
    CrossWaitFlagOp,
    EndOp,
    FixpipeOp,
    GmAllocOp,
    GroupBufferOp,
    KernelOp,
    LaunchOp,
    Load2dOp,
    Load3dOp,
    LoadScalarOp,
    MmadOp,
    SetFlagOp,
    StoreScalarOp,
    TransposeOp,
    VecOp,
    ViewOp,
    WaitFlagOp,
)
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.runtime.execution.emulator import Emulator, RunResult

TYPES = {"f16": f16, "bf16": bf16, "f32": f32, "i8": i8, "i32": i32, "i16": i16, "i64": i64}
Index = int | SSAValue


def memory(shape: Sequence[int], dtype: str, space: str = "gm") -> MemRefType[Any]:
    return MemRefType(TYPES[dtype], list(shape), NoneAttr(), StringAttr(space))


class Program:
    """One kernel, launched once (or `launches` times) on its inputs and outputs."""

    def __init__(
        self,
        cores: int = 1,
        target: str | Target = "ascend910",
        launches: int = 1,
        core: str | None = None,
    ):
        self.target = load_target(target) if isinstance(target, str) else target
        self.launches = launches
        self.kernel = KernelOp("k", cores, [], core=core)
        self.other: KernelOp | None = None
        self.block: Block = self.kernel.body.block
        self.inputs: list[str] = []
        self.outputs: list[str] = []
        self.groups: dict[str, int] = {}
        self.tensors: list[SSAValue] = []

    def add(self, op: Operation) -> Any:
        self.block.add_op(op)
        return op.results[0] if op.results else op

    def _tensor(self, name: str, shape: Sequence[int], dtype: str, space: str = "gm") -> SSAValue:
        block = self.kernel.body.block
        value = block.insert_arg(memory(shape, dtype, space), len(block.args))
        value.name_hint = name
        self.tensors.append(value)
        return value

    def input(self, name: str, shape: Sequence[int], dtype: str = "f16") -> SSAValue:
        self.inputs.append(name)
        return self._tensor(name, shape, dtype)

    def output(self, name: str, shape: Sequence[int], dtype: str = "f16") -> SSAValue:
        self.outputs.append(name)
        return self._tensor(name, shape, dtype)

    def group(
        self, name: str, space: str, shape: Sequence[int], address: int, dtype: str = "f16"
    ) -> SSAValue:
        """A buffer in which the cores of a group meet."""
        value = self._tensor(name, shape, dtype, space)
        self.groups[name] = address
        return value

    def beside(self, cores: int, core: str = "aiv") -> Sequence[SSAValue]:
        """Go on with the kernel of the Vector cores that run at the same time; its tensors are those so far."""
        self.other = KernelOp("beside", cores, [t.type for t in self.tensors], core=core)
        self.block = self.other.body.block
        return self.block.args

    def buffer(
        self, label: str, space: str, shape: Sequence[int], *addresses: int, dtype: str = "f16"
    ) -> SSAValue:
        """A buffer with one slot per address."""
        op = BufferOp(shape, TYPES[dtype], space, len(addresses), label)
        op.addresses = DenseArrayBase.from_list(i64, list(addresses))
        return self.add(op)

    def constant(self, value: Index, boolean: bool = False) -> SSAValue:
        if isinstance(value, SSAValue):
            return value
        attribute = IntegerAttr(value, i1 if boolean else IndexType())
        return self.add(arith.ConstantOp(attribute))

    def view(
        self,
        base: SSAValue,
        sizes: Sequence[Index],
        strides: Sequence[int] | None = None,
        offset: Index = 0,
        slot: Index | None = None,
    ) -> SSAValue:
        """A view; row-major strides when none are given (its sizes must then be numbers)."""
        if strides is None:
            steps = [1]
            for n in reversed([n for n in sizes if isinstance(n, int)][1:]):
                steps.insert(0, steps[0] * n)
            strides = steps
        start = offset if isinstance(offset, int) else 0
        moving = None if isinstance(offset, int) else offset
        chosen = None if slot is None else self.constant(slot)
        return self.add(ViewOp(base, sizes, strides, moving, start, chosen))

    def copy(self, source: SSAValue, destination: SSAValue, **flags: Any) -> None:
        self.add(CopyOp(source, destination, **flags))

    def fixpipe(
        self,
        source: SSAValue,
        destination: SSAValue,
        slope: float | None = None,
        slopes: SSAValue | None = None,
        scale: float | None = None,
        unit_flag: bool = False,
        offset: int = 0,
        scales: SSAValue | None = None,
    ) -> None:
        self.add(
            FixpipeOp(source, destination, slope, slopes, scale, unit_flag, offset=offset, scales=scales)
        )

    def load2d(self, source: SSAValue, destination: SSAValue, transpose: bool = False) -> None:
        self.add(Load2dOp(source, destination, transpose))

    def load3d(
        self,
        source: SSAValue,
        destination: SSAValue,
        *,
        pads: Sequence[Index] = (0, 0, 0, 0),
        at: tuple[Index, Index] = (0, 0),
        kernel: Sequence[int] = (1, 1),
        strides: Sequence[int] = (1, 1),
        dilations: Sequence[int] = (1, 1),
        transpose: bool = False,
    ) -> None:
        m, k = (self.constant(v) for v in at)
        values = [self.constant(v) for v in pads]
        self.add(Load3dOp(source, destination, values, m, k, kernel, strides, dilations, transpose))

    def mmad(
        self,
        a: SSAValue,
        b: SSAValue,
        c: SSAValue,
        m: Index,
        n: Index,
        k: Index,
        init: Index = 1,
        bias: SSAValue | None = None,
        unit: Index | None = None,
    ) -> None:
        extents = [self.constant(v) for v in (m, n, k)]
        last = None if unit is None else self.constant(unit, boolean=True)
        self.add(MmadOp(a, b, c, *extents, self.constant(init, boolean=True), bias, last))

    def vec(self, name: str, *sources: SSAValue, to: SSAValue, scalar: float | None = None) -> None:
        self.add(VecOp(name, list(sources), to, scalar))

    def read(self, base: SSAValue, at: Index = 0) -> SSAValue:
        """The scalar unit reads element `at` of a buffer or a tensor."""
        return self.add(LoadScalarOp(self.view(base, [1], offset=at)))

    def write(self, value: SSAValue, base: SSAValue, at: Index = 0) -> None:
        """The scalar unit writes element `at` of a buffer."""
        self.add(StoreScalarOp(value, self.view(base, [1], offset=at)))

    def number(self, value: float) -> SSAValue:
        return self.add(arith.ConstantOp(FloatAttr(value, f32)))

    def transpose(self, source: SSAValue, destination: SSAValue) -> None:
        self.add(TransposeOp(source, destination))

    def set(self, source: str, destination: str, event: Index = 0) -> None:
        self.add(SetFlagOp(source, destination, self.constant(event)))

    def wait(self, source: str, destination: str, event: Index = 0) -> None:
        self.add(WaitFlagOp(source, destination, self.constant(event)))

    def flag(self, source: str, destination: str, event: Index = 0) -> None:
        """Set and wait at once."""
        self.set(source, destination, event)
        self.wait(source, destination, event)

    def cross_set(self, pipe: str, event: Index = 0) -> None:
        self.add(CrossSetFlagOp(pipe, self.constant(event)))

    def cross_wait(self, event: Index = 0) -> None:
        self.add(CrossWaitFlagOp(self.constant(event)))

    def barrier(self, pipe: str) -> None:
        self.add(BarrierOp(pipe))

    def block_idx(self) -> SSAValue:
        return self.add(BlockIdxOp())

    def plus(self, a: Index, b: Index) -> SSAValue:
        return self.add(arith.AddiOp(self.constant(a), self.constant(b)))

    def times(self, a: Index, b: Index) -> SSAValue:
        return self.add(arith.MuliOp(self.constant(a), self.constant(b)))

    def rem(self, a: Index, b: Index) -> SSAValue:
        return self.add(arith.RemUIOp(self.constant(a), self.constant(b)))

    def div(self, a: Index, b: Index) -> SSAValue:
        return self.add(arith.DivUIOp(self.constant(a), self.constant(b)))

    def minimum(self, a: Index, b: Index) -> SSAValue:
        return self.add(arith.MinUIOp(self.constant(a), self.constant(b)))

    def minus(self, a: Index, b: Index) -> SSAValue:
        return self.add(arith.SubiOp(self.constant(a), self.constant(b)))

    def compare(self, predicate: str, a: Index, b: Index) -> SSAValue:
        return self.add(arith.CmpiOp(self.constant(a), self.constant(b), predicate))

    @contextmanager
    def carrying(
        self, end: Index, *first: SSAValue
    ) -> Iterator[tuple[SSAValue, list[SSAValue], list[SSAValue]]]:
        """A loop that carries numbers: its counter, what they are, and a list to put in what they become; after it the
        second list holds what they are at the end."""
        bounds = [self.constant(v) for v in (0, end, 1)]
        outer, inner = self.block, Block(arg_types=[IndexType(), *(v.type for v in first)])
        self.block = inner
        held, following = list(inner.args[1:]), list[SSAValue]()
        yield inner.args[0], held, following
        inner.add_op(scf.YieldOp(*following))
        self.block = outer
        op = scf.ForOp(*bounds, list(first), Region(inner))
        self.add(op)
        held[:] = op.results

    @contextmanager
    def loop(self, end: Index, start: Index = 0, step: Index = 1) -> Iterator[SSAValue]:
        bounds = [self.constant(v) for v in (start, end, step)]
        outer, inner = self.block, Block(arg_types=[IndexType()])
        self.block = inner
        yield inner.args[0]
        inner.add_op(scf.YieldOp())
        self.block = outer
        self.add(scf.ForOp(*bounds, [], Region(inner)))

    @contextmanager
    def when(self, condition: SSAValue) -> Iterator[None]:
        outer, inner = self.block, Block()
        self.block = inner
        yield
        inner.add_op(scf.YieldOp())
        self.block = outer
        self.add(scf.IfOp(condition, [], Region(inner), Region(Block([scf.YieldOp()]))))

    def module(self) -> ModuleOp:
        """The finished module; the kernel can no longer be extended."""
        block = self.kernel.body.block
        if not isinstance(block.last_op, EndOp):
            kernels = [self.kernel] if self.other is None else [self.kernel, self.other]
            for kernel in kernels:
                kernel.body.block.add_op(EndOp())
            types = [t.type for t in self.tensors if t.name_hint in self.inputs]
            body = Block(arg_types=types)
            arguments = dict(zip(self.inputs, body.args, strict=True))
            results: list[SSAValue] = []
            operands: list[SSAValue] = []
            for tensor in self.tensors:
                if tensor.name_hint in arguments:
                    operands.append(arguments[tensor.name_hint])
                    continue
                assert isinstance(tensor.type, MemRefType)
                address = self.groups.get(tensor.name_hint or "")
                if address is not None:
                    met = GroupBufferOp(tensor.type)
                    met.address = IntegerAttr(address, i64)
                    body.add_op(met)
                    operands.append(met.result)
                    continue
                made = GmAllocOp(tensor.type.get_shape(), tensor.type.element_type)
                body.add_op(made)
                operands.append(made.result)
                results.append(made.result)
            for _ in range(self.launches):
                body.add_op(LaunchOp("k", operands, None if self.other is None else "beside"))
            body.add_op(ReturnOp(*results))
            main = FuncOp("main", (types, [r.type for r in results]), Region(body))
            names = [DictionaryAttr({"ascend.name": StringAttr(n)}) for n in self.inputs]
            main.arg_attrs = ArrayAttr(names)
            self._module = ModuleOp([*kernels, main])
            self._module.verify()
        return self._module

    def emulator(self) -> Emulator:
        return Emulator(self.module(), self.target)

    def run(self, named: Mapping[str, Any] | None = None, /, **inputs: Any) -> RunResult:
        """Run on inputs by name; options of the emulator go to `run_with`."""
        return self.run_with({}, {**(named or {}), **inputs})

    def run_with(self, options: Mapping[str, Any], inputs: Mapping[str, Any]) -> RunResult:
        return self.emulator().run("main", inputs, **options)

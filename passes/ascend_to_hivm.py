"""Compiled kernels as HIVM, what AscendNPU-IR has after memory planning and synchronisation, with our addresses and
flags.

    ascend.kernel @relu_0 cores 48 … { … ascend.vec "vrelu"(%a) -> %b … }
        ->   func.func @relu_0(…, %x: memref<?xf16, gm>, %y: …, %gx, %gy, %gz: i32) { … "hivm.hir.vrelu"(%a, %b) … }

Each kernel is a function, a mixed one two; `blocks` says how many of them a launch starts. What HIVM cannot say is a
`LocatedError` at the op, with the reason. The functions that launch kernels are left out: they are the host's.
"""

from collections.abc import Callable, Mapping
from typing import cast

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    UnitAttr,
    i8,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region

from ..dialects import ascend
from ..dialects.ascend.memory import memref_type, space_of
from ..dialects.hivm.attributes import AddressSpace, ArgType, FuncCoreType, FunctionKind, ModuleCoreType
from ..dialects.hivm.sync import SetFftsBaseAddrOp, SetFlagOp, SetMaskNormOp
from ..dialects.records import dataclass
from ..dialects.target_types import Target
from .hivm.signature import PARTS
from .hivm_out.order import arithmetic, barrier, block_idx, condition, cross_flag, flag, loop
from .hivm_out.products import hand_halves, products
from .hivm_out.transfers import copy, fixpipe
from .hivm_out.vectors import transpose, vec
from .hivm_out.writer import Writer
from .support.errors import LocatedError
from .support.module import chip_of
from .support.options import Pass

ROLES = ("ffts_base_address", "sync_block_lock", "workspace")
"""The first arguments of a function of HIVM: where cross-core flags, locks and the workspace lie."""
BLOCKS = "blocks"
"""The attribute that says how many blocks a launch of a function starts."""


@dataclass(frozen=True)
class AscendToHivm(Pass):
    """Replace a module of kernels by their functions in HIVM. `target`: the chip, where the module names none."""

    name = "ascend-to-hivm"
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        functions = functions_of(op, target)
        for one in list(op.body.block.ops):
            one.detach()
            one.erase(safe_erase=False)
        op.body.block.add_ops(functions)
        op.attributes.clear()
        kinds = {str(f.attributes["hivm.func_core_type"]) for f in functions}
        both = (
            ModuleCoreType("MIX")
            if len(kinds) > 1
            else ModuleCoreType("AIC" if "AIC" in kinds.pop() else "AIV")
        )
        op.attributes["hivm.module_core_type"] = both


def functions_of(module: ModuleOp, target: Target) -> list[FuncOp]:
    """The functions of all kernels that a module launches; LocatedError that lists all that have no form in HIVM."""
    kernels = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, ascend.KernelOp)}
    if not kernels:
        raise LocatedError(module, "ascend-to-hivm: the module has no kernels: --lower makes them")
    if not target.split:
        raise LocatedError(
            module, f"ascend-to-hivm: HIVM has Cube and Vector cores; {target.name} has cores of both"
        )
    made: list[FuncOp] = []
    refused: dict[str, LocatedError] = {}
    for name, written in written_names(module).items():
        try:
            made.append(function_of(kernels[name], written, target))
        except LocatedError as error:
            refused[name] = error
    if refused:
        raise _all_of(refused)
    return made


def _all_of(refused: Mapping[str, LocatedError]) -> LocatedError:
    """The error of the first kernel that is refused, with the others and what is in their way."""
    first, *others = refused.values()
    rest = [f"@{name} ({str(error).partition(':')[0]})" for name, error in list(refused.items())[1:]]
    count = f"{len(others)} more kernel{'s are' if len(others) > 1 else ' is'} refused: "
    return LocatedError(first.op, f"{first}; {count}{', '.join(rest)}") if others else first


def written_names(module: ModuleOp) -> dict[str, str]:
    """What the kernels that a module launches are called in HIVM, by their names in it."""
    names: dict[str, str] = {}
    for op in module.walk():
        if isinstance(op, ascend.LaunchOp):
            first, *beside = op.kernels
            names[first] = first
            if beside:
                stem = hivm_name(first)
                names |= {first: stem + PARTS[0], beside[0]: stem + PARTS[1]}
    return names


def hivm_name(kernel: str) -> str:
    """The name of a mixed kernel, by that of its program for Cube cores."""
    return kernel.removesuffix("_aic").removesuffix("_cube")


def function_of(kernel: ascend.KernelOp, name: str, target: Target) -> FuncOp:
    """The function that a kernel is in HIVM."""
    gm = AddressSpace("gm")
    tensors, numbers = kernel.tensors, kernel.numbers
    for tensor in tensors:
        if space_of(tensor) != "gm":
            raise LocatedError(
                kernel, f"@{kernel.sym_name.data}: HIVM's cores meet in GM, not in {space_of(tensor).upper()}"
            )
    pointers: list[Attribute] = [
        MemRefType(memref_type(t).element_type, [DYNAMIC_INDEX], NoneAttr(), gm) for t in tensors
    ]
    own: list[Attribute] = [i64, *(MemRefType(i8, [DYNAMIC_INDEX], NoneAttr(), gm) for _ in ROLES[1:])]
    types = [*own, *pointers, *(i64 for _ in numbers), i32, i32, i32]
    block = Block(arg_types=types)
    mixed = name.endswith(PARTS)
    beside = mixed and kernel.core_kind == "aiv"
    write = Writer(kernel, block, target, target.vectors_beside if beside else 0)
    write.values.update(zip(tensors, block.args[len(own) :], strict=False))
    for number, argument in zip(numbers, block.args[len(own) + len(tensors) :], strict=False):
        argument.name_hint = number.name_hint
        write.values[number] = write.integer(argument, IndexType())
    if mixed:
        write.emit(SetFftsBaseAddrOp, [[block.args[0]]])
    write.emit(SetMaskNormOp)
    hand_halves(write, start=True)
    _body(write, kernel.body.block)
    hand_halves(write, start=False)
    write.insert(ReturnOp())
    roles = [DictionaryAttr({"hacc.arg_type": ArgType(role)}) for role in ROLES]
    rest = [DictionaryAttr({}) for _ in types[len(own) :]]
    function = FuncOp(
        name, FunctionType.from_lists(types, []), Region(block), arg_attrs=ArrayAttr([*roles, *rest])
    )
    cores = kernel.core_count // (target.vectors_beside if beside else 1)
    function.attributes |= {
        "hacc.entry": UnitAttr(),
        "hacc.function_kind": FunctionKind("DEVICE"),
        "hivm.func_core_type": FuncCoreType(kernel.core_kind.upper()),
        BLOCKS: IntegerAttr(cores, i64),
    }
    function.location = kernel.location
    return function


def _nothing(write: Writer, op: Operation) -> None:
    """Views are written where they are used, the end with the function."""


WRITES: Mapping[type[Operation], object] = {
    ascend.BufferOp: Writer.buffer,
    ascend.ViewOp: _nothing,
    ascend.EndOp: _nothing,
    scf.YieldOp: _nothing,
    ascend.NextSlotOp: Writer.next_slot,
    ascend.PreviousSlotOp: Writer.previous_slot,
    ascend.LoadIndexOp: Writer.load_index,
    ascend.BlockIdxOp: block_idx,
    ascend.CopyOp: copy,
    ascend.FixpipeOp: fixpipe,
    ascend.VecOp: vec,
    ascend.TransposeOp: transpose,
    ascend.SetFlagOp: flag,
    ascend.WaitFlagOp: flag,
    ascend.BarrierOp: barrier,
    ascend.CrossSetFlagOp: cross_flag,
    ascend.CrossWaitFlagOp: cross_flag,
}


def _body(write: Writer, block: Block) -> None:
    plan = write.products
    for op in block.ops:
        write.location = op.location
        if op in plan.at:
            products(write, plan.at[op])
        if op not in plan.parts:
            _op(write, op)
        for event in plan.behind.get(op, ()):
            write.flag(SetFlagOp, ("MTE1", "MTE2"), event)


def _op(write: Writer, op: Operation) -> None:
    found = WRITES.get(type(op))
    if isinstance(op, scf.ForOp):
        loop(write, op, _body)
    elif isinstance(op, scf.IfOp):
        condition(write, op, _body)
    elif found is not None:
        cast("Callable[[Writer, Operation], None]", found)(write, op)
    elif op.name.startswith("arith."):
        arithmetic(write, op)
    else:
        raise LocatedError(op, f"{op.name}: it has no form in HIVM")


__all__ = ["BLOCKS", "AscendToHivm", "functions_of", "written_names"]

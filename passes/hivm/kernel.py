"""A HIVM function as an `ascend.kernel`, for one launch."""

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StringAttr,
    UnitAttr,
    UnregisteredOp,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from ...dialects import ascend
from ...dialects.hivm.base import HivmOp
from ...dialects.hivm.beside import AllocWorkspaceOp
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ..support.errors import LocatedError
from .buffers import Places
from .context import Context
from .control import condition, loop
from .cumulative import CUMULATIVE
from .emitter import Emitter
from .memory import MEMORY, workspace_type
from .numbers import Number
from .order import ORDER
from .products import PRODUCTS
from .reductions import REDUCTIONS
from .refs import Ref, memref_of
from .scalars import SCALARS
from .selections import SELECTIONS
from .signature import Entry, core_kind
from .transfers import TRANSFERS
from .vectors import VECTORS

Convert = Callable[[Context, Operation], None]
CONVERTS: Mapping[str, Convert] = {
    **SCALARS, **MEMORY, **ORDER, **TRANSFERS, **PRODUCTS, **VECTORS, **SELECTIONS,
    **REDUCTIONS, **CUMULATIVE,
}  # pyright: ignore[reportAssignmentType]  # fmt: skip
CONTROL = {"scf.for": loop, "scf.if": condition}
ENDS = ("scf.yield", "func.return")
PLANNED_LATER = ("memref.alloc", "memref.alloca", "memref.dealloc", "bufferization.", "tensor.")
"""Ops that are there as long as buffers have no addresses."""
PRINT = (
    "print it behind memory planning and synchronisation "
    "(bishengir-compile --mlir-print-ir-after=hivm-graph-sync-solver)"
)


@dataclass(frozen=True)
class Launch:
    """What is known at a launch: blocks along x, y, z; the value of each scalar and the elements of each tensor, by
    place among the arguments. A scalar that is not there stays an argument, DYNAMIC_INDEX elements are any number."""

    grid: tuple[int, int, int]
    values: Mapping[int, Number]

    @property
    def blocks(self) -> int:
        x, y, z = self.grid
        return x * y * z

    def size(self, place: int) -> int:
        """The elements of the tensor that is the argument at a place."""
        found = self.values[place]
        assert isinstance(found, int)
        return found


Workspace = dict[tuple[int, Attribute], MemRefType[Attribute]]


def check_known(functions: Sequence[FuncOp]) -> None:
    """`LocatedError` that lists all ops that are not taken, with their lines."""
    from ...dialects.locations import file_location

    unknown: dict[str, list[Operation]] = {}
    for function in functions:
        for op in function.body.walk():
            if op.name.startswith(PLANNED_LATER) or any(str(r.type).startswith("tensor") for r in op.results):
                raise LocatedError(op, f"{op.name}: {_without_address(functions)}")
            name = op.op_name.data if isinstance(op, UnregisteredOp) else op.name
            if name not in CONVERTS and name not in CONTROL and name not in ENDS:
                unknown.setdefault(name, []).append(op)
    if unknown:
        parts: list[str] = []
        for name, ops in unknown.items():
            places = [place for op in ops if (place := file_location(op.location)) is not None]
            lines = dict.fromkeys(str(place.line.data) for place in places)
            parts.append(f"{name} (line {', '.join(lines)})" if lines else name)
        first = next(iter(unknown.values()))[0]
        raise LocatedError(first, f"ops of HIVM that are not taken: {'; '.join(parts)}")


def _without_address(functions: Sequence[FuncOp]) -> str:
    """Why a buffer has no address: memory is not planned yet, or was, and the plan has left it out."""
    if any(op.name == "hivm.hir.pointer_cast" for function in functions for op in function.body.walk()):
        return "memory planning gave other buffers addresses, and this one none"
    return f"HIVM from before memory planning: buffers have no addresses; {PRINT}"


def workspaces(functions: Sequence[FuncOp], blocks: int) -> Workspace:
    """The tensors of the workspace that functions name, each with the parts of all blocks."""
    found: Workspace = {}
    for function in functions:
        for op in function.body.walk():
            if isinstance(op, AllocWorkspaceOp):
                kind = memref_of(op.results[0])
                key = _start(op), MemRefType(kind.element_type, kind.get_shape())
                found[key] = workspace_type(kind, blocks)
    return found


def _start(op: AllocWorkspaceOp) -> int:
    offsets = op.group("offset")
    found = constant_of(offsets[0]) if offsets else 0
    if found is None:
        raise LocatedError(op, f"{op.name}: where it begins is not a constant")
    return found


def constant_of(value: SSAValue) -> int | None:
    """The number that a value is, whatever the launch."""
    owner = value.owner
    if isinstance(owner, ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None


def buffer_addresses(function: FuncOp) -> dict[Operation, tuple[int, ...]]:
    """The addresses of a function's buffers, which are constants."""
    found: dict[Operation, tuple[int, ...]] = {}
    for op in function.body.walk():
        if not isinstance(op, HivmOp) or op.name != "hivm.hir.pointer_cast":
            continue
        addresses = [constant_of(value) for value in op.group("addrs")]
        if None in addresses:
            raise LocatedError(op, f"{op.name}: its addresses are not constants")
        found[op] = tuple(address for address in addresses if address is not None)
    return found


def convert(
    entry: Entry, function: FuncOp, launch: Launch, target: Target, shared: Workspace
) -> ascend.KernelOp:
    """The kernel that a function is for a launch. Its arguments are the tensors of the entry, then the workspace's."""
    kind = core_kind(function)
    pointers = [p for p in entry.parameters if p.pointer]
    args = function.body.block.args
    types: list[Attribute] = [
        MemRefType(
            memref_of(args[p.place]).element_type, [launch.size(p.place)], NoneAttr(), StringAttr("gm")
        )  # pyright: ignore
        for p in pointers
    ]
    vectors = target.vectors_beside if entry.mixed else 1
    cores = launch.blocks * (vectors if kind == "aiv" else 1)
    kept = [IndexType() for p in entry.parameters if not p.pointer and p.place not in launch.values]
    kernel = ascend.KernelOp(function.sym_name.data, cores, [*types, *shared.values(), *kept], core=kind)
    kernel.location = function.location
    if cores > target.cores_of(kind):
        kernel.rounds = UnitAttr()
    for parameter, argument in zip(pointers, kernel.body.block.args, strict=False):
        argument.name_hint = parameter.name
    emit = Emitter(kernel, target)
    core = emit.insert(ascend.BlockIdxOp()).result
    beside = entry.mixed and kind == "aiv"
    context = Context(
        emit, target, launch.blocks,
        block=emit.div(core, vectors) if beside else core,
        vector=emit.rem(core, vectors) if beside else 0,
        vectors=vectors,
        places=Places(function, buffer_addresses(function)),
        workspaces=dict(zip(shared, kernel.tensors[len(types) :], strict=True)),
    )  # fmt: skip
    _take_arguments(context, entry, function, launch, kernel)
    _body(context, function.body.block)
    emit.location = function.location
    emit.insert(ascend.EndOp())
    return kernel


def _take_arguments(
    context: Context, entry: Entry, function: FuncOp, launch: Launch, kernel: ascend.KernelOp
) -> None:
    """Give the function's arguments what they are at this launch."""
    args = function.body.block.args
    for place, size in zip(entry.grid, launch.grid, strict=True):
        context.values[args[place]] = size
    tensors, kept = iter(kernel.tensors), iter(kernel.numbers)
    for parameter in entry.parameters:
        value = launch.values.get(parameter.place)
        if value is None:
            context.values[args[parameter.place]] = next(kept)
        elif parameter.pointer:
            assert isinstance(value, int)
            context.values[args[parameter.place]] = Ref(next(tensors), "gm", parameter.dtype, (value,), (1,))
        else:
            context.values[args[parameter.place]] = value
    for argument in args:  # base addresses and locks: nothing that a program computes with
        if argument not in context.values and not isinstance(argument.type, MemRefType):
            context.values[argument] = 0


def _body(context: Context, block: Block) -> None:
    """Convert the ops of a block, but its end."""
    around = context.emit.location
    for op in block.ops:
        if op.name in ENDS:
            continue
        context.emit.location = op.location
        control = CONTROL.get(op.name)
        if control is not None:
            control(context, op, _body)
        else:
            CONVERTS[op.name](context, op)
    context.emit.location = around


def written(kernel: ascend.KernelOp) -> set[int]:
    """The arguments that a kernel writes."""
    found: set[int] = set()
    for op in kernel.walk():
        if isinstance(op, ascend.CopyOp | ascend.FixpipeOp):
            base: SSAValue = op.destination
            if isinstance(base.owner, ascend.ViewOp):
                base = base.owner.base
            if base in kernel.body.block.args:
                assert isinstance(base, BlockArgument)
                found.add(base.index)
    return found


__all__ = ["CONVERTS", "Launch", "Workspace", "check_known", "convert", "workspaces", "written"]

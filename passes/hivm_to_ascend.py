"""Kernels of HIVM, what AscendNPU-IR has after memory planning and synchronisation, as instructions for one launch.

    func.func @add(…, %n: i32, %gx, %gy, %gz: i32) { … "hivm.hir.vadd"(%x, %y, %z) … }
        ->   ascend.kernel @add cores 64 … { … ascend.vec "vadd"(%a, %b) -> %c … }
             func.func @add.launch(%x: memref<65536xf32, "gm">, …) { … ascend.launch @add(%x, %y, %out) … }

The grid, scalars and sizes of tensors are options, as they are known at a launch: numbers fold, and conditions that
depend on nothing else are gone. What AscendNPU-IR leaves to its back end is chosen as in its public template library.
"""

from collections.abc import Mapping, Sequence
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region

from ..dialects import ascend
from ..dialects.ascend.memory import memref_type
from ..dialects.records import dataclass
from ..dialects.target_types import Target
from .hivm.kernel import Launch, Workspace, check_known, convert, workspaces, written
from .hivm.numbers import Number
from .hivm.signature import Entry, Parameter, entries_of
from .support.errors import LocatedError
from .support.module import chip_of, set_target
from .support.options import Pass

LAUNCH = ".launch"
"""What follows a kernel's name in that of the function that launches it."""
MOST_BLOCKS = 65535
"""Of one launch, on any chip: `rtKernelLaunch` of the runtime refuses more (vllm-ascend, pull request 10138)."""


@dataclass(frozen=True)
class HivmToAscend(Pass):
    """Specialise one kernel of a HIVM module for a launch. `grid`: blocks along x, y, z; `arguments`: `name=number`,
    for a scalar its value, for a tensor its elements; `entry`: the kernel, where there are several."""

    name = "hivm-to-ascend"
    grid: tuple[int, ...] = ()
    arguments: tuple[str, ...] = ()
    entry: str | None = None
    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        found = chosen_entry(op, self.entry)
        try:
            given = dict(_pair(text) for text in self.arguments)
            launch = Launch(full_grid(self.grid), _values(found, given))
        except ValueError as error:
            raise LocatedError(found.functions[0], str(error)) from None
        specialise(op, found, launch, target)
        set_target(op, target.name)


def chosen_entry(module: ModuleOp, name: str | None) -> Entry:
    """The kernel of that name, or the only one of a module; `LocatedError` where there is none."""
    found = entries_of(module)
    if name is None and len(found) == 1:
        return next(iter(found.values()))
    if not found:
        raise LocatedError(module, "the module has no kernel of HIVM: a function with hivm.func_core_type")
    there = ", ".join(f"@{known}" for known in found)
    if name is None or name.removeprefix("@") not in found:
        wanted = "say which kernel to run" if name is None else f"no kernel @{name.removeprefix('@')}"
        raise LocatedError(module, f"{wanted}; the module has {there}")
    return found[name.removeprefix("@")]


def full_grid(grid: Sequence[int]) -> tuple[int, int, int]:
    """Blocks along x, y and z; ValueError for a grid that is none, or has more blocks than a launch takes."""
    text = ",".join(map(str, grid)) or "nothing"
    if not 1 <= len(grid) <= 3 or any(n < 1 for n in grid):
        raise ValueError(f"a grid is one to three numbers of 1 or more, not {text}")
    if prod(grid) > MOST_BLOCKS:
        raise ValueError(f"a launch has at most {MOST_BLOCKS:,} blocks, not {prod(grid):,} ({text})")
    x, y, z = (*grid, 1, 1)[:3]
    return x, y, z


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"arguments are name=number, not {text!r}")
    return name.strip(), value.strip()


def _values(entry: Entry, given: Mapping[str, str]) -> dict[int, Number]:
    """The number of each argument by its place; ValueError for one that is missing or unknown."""
    names = [p.name for p in entry.parameters]
    wrong = [name for name in given if name not in names]
    missing = [name for name in names if name not in given]
    if wrong or missing:
        what = f"no argument {wrong[0]}" if wrong else f"no number for {missing[0]}"
        raise ValueError(f"@{entry.name}: {what}; it takes {', '.join(map(str, entry.parameters))}")
    return {p.place: _number(p, given[p.name]) for p in entry.parameters}


def _number(parameter: Parameter, text: str) -> Number:
    try:
        if parameter.pointer or parameter.dtype.startswith("i"):
            return bool(int(text)) if parameter.dtype == "i1" and not parameter.pointer else int(text)
        return float(text)
    except ValueError:
        raise ValueError(f"{parameter} is not {text!r}") from None


def specialise(module: ModuleOp, entry: Entry, launch: Launch, target: Target) -> None:
    """Replace what a module holds by the programs of a kernel and a function that launches it."""
    check_known(entry.functions)
    shared = workspaces(entry.functions, launch.blocks)
    kernels = [convert(entry, function, launch, target, shared) for function in entry.functions]
    main = _main(entry, kernels, shared)
    for op in list(module.body.block.ops):
        op.detach()
        op.erase(safe_erase=False)
    for op in (*kernels, main):
        module.body.block.add_op(op)
    for name in [name for name in module.attributes if name != "ascend.target"]:
        del module.attributes[name]


def _main(entry: Entry, kernels: Sequence[ascend.KernelOp], shared: Workspace) -> FuncOp:
    """The function that launches the kernel: it takes all tensors, and returns those that are written."""
    pointers = [p for p in entry.parameters if p.pointer]
    types: list[Attribute] = [argument.type for argument in kernels[0].body.block.args[: len(pointers)]]
    changed = sorted({i for kernel in kernels for i in written(kernel) if i < len(pointers)})
    block = Block(arg_types=types)
    for parameter, argument in zip(pointers, block.args, strict=True):
        argument.name_hint = parameter.name
    ops: list[Operation] = []
    for kind in shared.values():
        ops.append(ascend.GmAllocOp(memref_type(kind).get_shape(), kind.element_type, workspace=True))
    arguments = [*block.args, *(op.results[0] for op in ops)]
    names = [kernel.sym_name.data for kernel in kernels]
    ops.append(ascend.LaunchOp(names[0], arguments, beside=names[1] if len(names) > 1 else None))
    ops.append(ReturnOp(*(block.args[i] for i in changed)))
    location = entry.functions[0].location
    for op in ops:
        op.location = location
        block.add_op(op)
    kind = FunctionType.from_lists(types, [types[i] for i in changed])
    attributes = [DictionaryAttr({"ascend.name": StringAttr(p.name)}) for p in pointers]
    main = FuncOp(f"{entry.name}{LAUNCH}", kind, Region(block), arg_attrs=ArrayAttr(attributes))
    main.location = location
    return main


__all__ = ["HivmToAscend", "chosen_entry", "full_grid", "specialise"]

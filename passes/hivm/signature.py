"""What a HIVM function takes: which of its arguments are the user's, by name, and which functions are one kernel."""

from collections.abc import Sequence

from xdsl.dialects.builtin import DictionaryAttr, IntegerType, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument

from ...dialects.hivm.attributes import word_of
from ...dialects.records import dataclass
from ..support.errors import LocatedError
from .refs import dtype_name, memref_of

GRID = 3
"""The last arguments: blocks along x, y and z."""
PARTS = ("_mix_aic", "_mix_aiv")
"""What follows the name of a kernel in those of its programs for Cube and Vector cores."""


@dataclass(frozen=True)
class Parameter:
    """An argument of the user's: a tensor in GM or a number. `place`: among all arguments of the function."""

    name: str
    place: int
    dtype: str
    pointer: bool

    def __str__(self) -> str:
        return f"{self.name}: {'pointer to ' if self.pointer else ''}{self.dtype}"


@dataclass(frozen=True)
class Entry:
    """A kernel: its functions, that for Cube cores first, and what they take."""

    name: str
    functions: tuple[FuncOp, ...]
    parameters: tuple[Parameter, ...]
    grid: tuple[int, ...]
    workspace: int | None
    """The places of the grid's sizes, and of the workspace, among the arguments."""

    @property
    def mixed(self) -> bool:
        return len(self.functions) > 1


def core_kind(function: FuncOp) -> str:
    """Which kind of core runs a function: `aic` or `aiv`."""
    kind = word_of(function.attributes.get("hivm.func_core_type"), "")
    if kind not in ("AIC", "AIV"):
        raise LocatedError(
            function, f"@{function.sym_name.data}: hivm.func_core_type is AIC or AIV, not {kind or 'stated'}"
        )
    return kind.lower()


def entries_of(module: ModuleOp) -> dict[str, Entry]:
    """The kernels of a module, by name."""
    found: dict[str, list[FuncOp]] = {}
    for op in module.body.block.ops:
        if not isinstance(op, FuncOp) or not op.body.blocks:
            continue
        kind = word_of(op.attributes.get("hacc.function_kind"), "DEVICE")
        if kind == "HOST" or "hivm.func_core_type" not in op.attributes:
            continue
        name = op.sym_name.data
        for part in PARTS:
            name = name.removesuffix(part)
        found.setdefault(name, []).append(op)
    return {name: _entry(name, functions) for name, functions in found.items()}


def _entry(name: str, functions: Sequence[FuncOp]) -> Entry:
    ordered = tuple(sorted(functions, key=core_kind))
    if [core_kind(f) for f in ordered] not in (["aic"], ["aiv"], ["aic", "aiv"]):
        raise LocatedError(
            functions[-1], f"@{name}: a kernel has one function for Cube cores and one for Vector cores"
        )
    first = ordered[0]
    if any(f.function_type != first.function_type for f in ordered):
        raise LocatedError(ordered[1], f"@{name}: its two functions take different arguments")
    roles = [_role(first, argument) for argument in first.body.block.args]
    user = [i for i, role in enumerate(roles) if role in ("", "input", "output", "input_and_output")]
    grid = tuple(user[-GRID:])
    args = first.body.block.args
    if len(grid) < GRID or any(args[i].type != IntegerType(32) for i in grid):
        raise LocatedError(first, f"@{name}: the last three arguments are the grid, as i32")
    parameters = tuple(_parameter(args[i]) for i in user[:-GRID])
    workspace = next((i for i, role in enumerate(roles) if role == "workspace"), None)
    return Entry(name, ordered, parameters, grid, workspace)


def _role(function: FuncOp, argument: BlockArgument) -> str:
    """What an argument is for, as `hacc.arg_type` states it; empty for one of the user's."""
    stated = function.arg_attrs.data if function.arg_attrs is not None else ()
    attributes: dict[str, Attribute] = (
        dict(stated[argument.index].data) if argument.index < len(stated) else {}
    )
    assert all(isinstance(one, DictionaryAttr) for one in stated)
    return word_of(attributes.get("hacc.arg_type"))


def _parameter(argument: BlockArgument) -> Parameter:
    name = argument.name_hint or f"arg{argument.index}"
    if isinstance(argument.type, MemRefType):
        return Parameter(name, argument.index, dtype_name(memref_of(argument)), True)
    return Parameter(name, argument.index, str(argument.type), False)

"""What a program does beside its launches where a dimension is dynamic: its run-time size, and what follows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.attributes import integers
from ...dialects.dynamic import is_dynamic, shape_of
from ...dialects.index_functions import IndexFunctionError, compute
from ...dialects.records import dataclass
from ..support.hazard import ProgramError
from ..support.labels import label_of

if TYPE_CHECKING:
    from xdsl.dialects import memref

SIZES = "ascend.sizes"
"""Attribute of a function: the run-time sizes that its kernels were tiled for."""


def tiled_for(main: FuncOp) -> tuple[int, ...]:
    """The run-time sizes that a function's kernels were tiled for, in increasing order; empty where it is static."""
    stated = main.attributes.get(SIZES)
    if isinstance(stated, DenseArrayBase):
        return integers(cast(DenseArrayBase[Any], stated))
    return (1,) if any(is_dynamic(a.type) for a in main.body.block.args) else ()


def check_size(main: FuncOp, size: int | None) -> int | None:
    """The run-time size to run at: the one that is given, else the middle one of those tiled for; None for a static
    program. ProgramError for one that makes no sense."""
    sizes = tiled_for(main)
    name = main.sym_name.data
    if not sizes:
        if size is not None:
            raise ProgramError(f"@{name} has no dynamic dimension: it takes no size")
        return None
    if size is not None and size < 1:
        raise ProgramError(f"@{name}: the dynamic size is 1 or more, not {size}")
    return sorted(sizes)[len(sizes) // 2] if size is None else size


def size_of_inputs(
    main: FuncOp, arguments: Sequence[tuple[str, int | None]], inputs: Mapping[str, Any]
) -> int | None:
    """The run-time size that inputs have; None where none is dynamic. ProgramError where they differ."""
    found: tuple[str, int] | None = None
    for argument, (label, index) in zip(main.body.block.args, arguments, strict=True):
        if index is not None or not is_dynamic(argument.type) or label not in inputs:
            continue
        shape: Sequence[int] = inputs[label].shape
        if len(shape) != len(shape_of(argument.type)):
            continue
        size = int(shape[shape_of(argument.type).index(DYNAMIC_INDEX)])
        if found is not None and found[1] != size:
            raise ProgramError(
                f"@{main.sym_name.data}: the dynamic dimension is {found[1]} in '{found[0]}' and {size} in '{label}'; "
                "it is one size in all inputs"
            )
        found = found or (label, size)
    return None if found is None else found[1]


@dataclass
class Host:
    """Indices that a function computes between its launches; `size` is the run-time size."""

    size: int | None
    ops: set[Operation] = field(default_factory=set[Operation])
    """What has been computed."""
    values: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])

    def start(self, main: FuncOp) -> None:
        """Compute all indices of a function: they do not depend on its launches."""
        self.ops = {op for op in main.body.block.ops if self.run(op, main)}

    def run(self, op: Operation, main: FuncOp) -> bool:
        """Whether the op is one on indices, which then has been computed."""
        if op.name == "memref.dim":  # its dialect is imported for dynamic functions alone
            op = cast("memref.DimOp", op)
            index, shape = self.values[op.index], shape_of(op.source.type)
            if not 0 <= index < len(shape):
                raise ProgramError(f"memref.dim: {op.source.type} has no dimension {index}", op)
            self.values[op.result] = shape[index] if shape[index] >= 0 else self._known(op)
            return True
        try:
            return compute(op, self.values, main)
        except IndexFunctionError as error:
            raise ProgramError(str(error), error.op) from None

    def _known(self, op: "memref.DimOp") -> int:
        if self.size is None:
            raise ProgramError(f"memref.dim: the size of {label_of(op.source)} is not known", op)
        return self.size

    def numbers(self, values: Sequence[SSAValue]) -> tuple[int, ...]:
        """The numbers that a launch takes."""
        return tuple(self.values[v] for v in values)

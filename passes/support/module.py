"""What passes from graph to tile share: the module's target, the ops that need a kernel, element types. The tools need
some of it before they know the level of a module, so the dialects of the lower ones are imported on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialects.graph.arguments import weight_values
from ...dialects.graph.base import GraphOp
from ...dialects.helpers import is_helper
from ...dialects.target_fields import TargetError
from ...dialects.target_files import DEFAULT_TARGET
from ...dialects.walked import walked
from .errors import LocatedError
from .values import rule_of

if TYPE_CHECKING:
    from ...dialects.ascend import KernelOp
    from ...dialects.target_types import Target

TARGET_ATTRIBUTE = "ascend.target"


def target_of(module: ModuleOp, given: str | None) -> str:
    """Name of the target to compile for: the option, else what an earlier pass noted in the module."""
    noted = module.attributes.get(TARGET_ATTRIBUTE)
    if given is not None:
        return given
    return noted.data if isinstance(noted, StringAttr) else DEFAULT_TARGET


def set_target(module: ModuleOp, name: str) -> None:
    module.attributes[TARGET_ATTRIBUTE] = StringAttr(name)


def chip_of(module: ModuleOp, given: str | None) -> Target:
    """The target to compile for; `LocatedError` at a module that names none that there is."""
    from ...dialects.target import load_target

    noted = module.attributes.get(TARGET_ATTRIBUTE)
    if given is None and noted is not None:
        if not isinstance(noted, StringAttr):
            raise LocatedError(module, f"{TARGET_ATTRIBUTE} must be the name of a chip, got {noted}")
        try:
            return load_target(noted.data)
        except TargetError as error:
            raise LocatedError(module, str(error)) from error
    return load_target(target_of(module, given))


def check_made_for(module: ModuleOp, target: Target) -> None:
    """`LocatedError` at the first kernel of a module that was tiled, or lowered, for another chip."""
    noted = module.attributes.get(TARGET_ATTRIBUTE)
    if not isinstance(noted, StringAttr) or noted.data == target.name:
        return
    for op in walked(module):
        if op.name in _MADE:
            raise LocatedError(
                op,
                f"the module was {_MADE[op.name]} for {noted.data}, not for {target.name}; "
                "start from its graph",
            )


_MADE = {"tile.kernel": "tiled", "ascend.kernel": "lowered"}


def check_unit_flags(around: Operation, target: Target) -> None:
    """`LocatedError` at the first op in `around` that hands over by the unit flag of a chip that has none."""
    if target.cube.unit_flag:
        return
    from ...dialects.ascend import FixpipeOp, MmadOp
    from ...dialects.tile import ContractOp

    for op in walked(around):
        product = isinstance(op, MmadOp) and op.unit is not None
        drain = isinstance(op, FixpipeOp) and op.unit_flag is not None
        if product or drain or (isinstance(op, ContractOp) and op.schedule.unit_flag):
            raise LocatedError(op, f"{op.name}: {target.name} has no unit flag")


def lowered_kernels(module: ModuleOp, target: Target) -> list[KernelOp]:
    """The kernels at the ascend level, all operands of instructions views; `LocatedError` at what has not come there,
    or was made for another chip."""
    from ...dialects.ascend import KernelOp
    from .whole_views import view_whole_operands

    check_lowered(module, target)
    kernels = [op for op in module.body.block.ops if isinstance(op, KernelOp)]
    for kernel in kernels:
        view_whole_operands(kernel)
    return kernels


def check_lowered(module: ModuleOp, target: Target) -> None:
    """`LocatedError` at what has not come to the ascend level, or was made for another chip."""
    check_made_for(module, target)
    for function in functions_of(module):
        for op in function.body.block.ops:
            waits = isinstance(op, GraphOp) or op.name in ("tile.kernel", "tile.group")
            if waits and not is_helper(function.sym_name.data):
                level = "graph" if isinstance(op, GraphOp) else "tile"
                raise LocatedError(op, f"{op.name} is still at the {level} level; --lower it first")


def functions_of(module: ModuleOp) -> list[FuncOp]:
    """The module's functions that have a body; `LocatedError` when one has several blocks."""
    found = [op for op in module.body.block.ops if isinstance(op, FuncOp) and op.body.blocks]
    for function in found:
        if len(function.body.blocks) > 1:
            name, count = function.sym_name.data, len(function.body.blocks)
            raise LocatedError(
                function, f"@{name} has {count} blocks; a graph is one block, without branches"
            )
    return found


def kernel_ops(function: FuncOp) -> list[Operation]:
    """The graph ops that run on the chip: neither views, nor constants, nor functions of weights alone."""
    known = weight_values(function)
    return [
        op
        for op in function.body.block.ops
        if isinstance(op, GraphOp) and rule_of(op).engine != "view" and op.results[0] not in known
    ]

"""The kernels of one launch by themselves: a module whose only function has a group for each, and its text."""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects.graph import ConstantOp
from ...dialects.graph.arguments import mark_weight
from ...dialects.target_types import Target
from ..fusion.groups import make_groups
from ..kernels.common.pack_weights import packs_rhs
from ..kernels.forms import form_of
from ..kernels.product.form import ProductForm
from ..kernels.product.problem import problem_of, takes_vector
from ..regions.compose_group import group_regions

Group = tuple[Operation, ...]


def together_text(groups: Sequence[Group], packable: frozenset[SSAValue]) -> str:
    """The text of a module that computes groups which need nothing of each other, without the names of values. What
    several of them read is one argument."""
    given = {result for group in groups for op in group for result in op.results}
    read = list(dict.fromkeys(v for group in groups for op in group for v in op.operands if v not in given))
    constants = [value.owner for value in read if isinstance(value.owner, ConstantOp)]
    outside = [value for value in read if not isinstance(value.owner, ConstantOp)]
    block = Block(arg_types=[value.type for value in outside])
    mapping: dict[SSAValue, SSAValue] = dict(zip(outside, block.args, strict=True))
    for constant in dict.fromkeys(constants):
        block.add_op(constant.clone(mapping))
    made: list[Group] = []
    for group in groups:
        made.append(tuple(op.clone(mapping) for op in group))
        block.add_ops(made[-1])
    results = [group[-1].results[0] for group in made]
    for op in block.walk():
        for value in op.results:
            value.name_hint = None
    block.add_op(ReturnOp(*results))
    kind = FunctionType.from_lists([value.type for value in outside], [value.type for value in results])
    function = FuncOp("together", kind, Region(block))
    for index, value in enumerate(outside):
        if value in packable:
            mark_weight(function, index)
    make_groups(made, [f"part{i}" for i in range(len(made))])
    return str(ModuleOp([cast(Operation, function)]))


def meets_in_group(ops: Group, packable: frozenset[SSAValue], target: Target) -> bool:
    """Whether Cube and Vector cores of a kernel meet in a memory of their group: it is launched by itself."""
    if not target.lands:
        return False
    regions = group_regions(ops)
    if regions.product is None:
        return False
    if regions.prologue or not isinstance(form_of(regions), ProductForm):
        return True
    return takes_vector(problem_of(regions, packs_rhs(regions, packable), target, drain=True))


__all__ = ["meets_in_group", "together_text"]

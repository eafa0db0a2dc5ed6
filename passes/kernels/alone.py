"""A kernel by itself: a module whose only function computes its group, and the text that tells it from others."""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects.graph import ConstantOp
from ...dialects.graph.arguments import mark_weight
from ..regions.compose_group import group_regions
from ..regions.regions import Regions


def alone_module(regions: Regions, packable: frozenset[SSAValue]) -> ModuleOp:
    """A module with one function that computes the group."""
    inside = set(regions.given)
    outside: list[SSAValue] = []
    constants: list[Operation] = []
    for op in regions.given:
        for value in op.operands:
            owner = value.owner
            if isinstance(owner, ConstantOp):
                constants += [] if owner in constants else [owner]
            elif owner not in inside and value not in outside:
                outside.append(value)
    block = Block(arg_types=[v.type for v in outside])
    mapping: dict[SSAValue, SSAValue] = dict(zip(outside, block.args, strict=True))
    for op in [*constants, *regions.given]:
        block.add_op(op.clone(mapping))
    result = mapping[regions.result]
    block.add_op(ReturnOp(result))
    kind = FunctionType.from_lists([v.type for v in outside], [result.type])
    function = FuncOp("alone", kind, Region(block))
    for index, value in enumerate(outside):
        if value in packable:
            mark_weight(function, index)
    return ModuleOp([cast(Operation, function)])


def alone_text(ops: Sequence[Operation], packable: frozenset[SSAValue]) -> str:
    """The text of the module of a group, without the names of its values. `NotFusableError` where it is no kernel."""
    module = alone_module(group_regions(ops), packable)
    for op in module.walk():
        arguments = (value for region in op.regions for block in region.blocks for value in block.args)
        for value in (*op.results, *arguments):
            value.name_hint = None
    return str(module)


__all__ = ["alone_module", "alone_text"]

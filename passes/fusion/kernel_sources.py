"""What each kernel computes, as a function of graph ops: kept beside the module for whoever checks kernels one by one.

    with collect_sources() as sources:      %0 = graph.conv2d %x, %w        func.func @k(%x, %w {graph.weight}, %b) {
        pipeline.apply(ctx, module)         %1 = graph.bias_add %0, %b        %0 = graph.conv2d %x, %w
    sources["f"][0].function                %2 = graph.relu %1         ->     …
                                                                              return %2
                                                                            }

The ops are those of the group just before it becomes a kernel; a composite op that is in the group whole is one op
again. Views and what depends on weights alone belong to every kernel that reads them. Tensors are row-major, however
kernels lay them out.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, cast

from xdsl.dialects.builtin import FunctionType, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from ...dialects import tile
from ...dialects.graph import ConcatOp, SliceOp
from ...dialects.graph.arguments import argument_names, mark_weight, weight_values
from ...dialects.locations import places_of
from ...dialects.records import dataclass
from ...dialects.tile import LayoutAttr, layout_of
from ...runtime.support.hazard import location_text
from ..regions.loads import op_names
from ..rewrites.expansions import Expansion, collect_expansions, collected_expansions
from ..support.dynamic_size import open_again
from ..support.run_size import fixed
from .interface_layouts import blocks_apart, blocks_made


@dataclass(frozen=True)
class KernelSource:
    """One kernel as graph ops. `function` takes `arguments`, in order: inputs of the graph by name, results of kernels
    by number. `ops` and `nodes` are names of the group's ops, and of the nodes of a model that they come from, and
    `locations` are where the graph states them."""

    function: FuncOp
    arguments: tuple[str | int, ...]
    layout: LayoutAttr | None
    """How the kernel's result lies in GM."""
    ops: tuple[str, ...]
    nodes: tuple[str, ...]
    locations: frozenset[str]
    fusable: frozenset[int] = frozenset()
    """Kernels whose results it takes and with which it could be one, which is predicted to be faster."""


@dataclass
class _Collected:
    """Sources by function, in program order, and pairs of groups, by name, that could be one kernel."""

    sources: dict[str, list[KernelSource]]
    fusable: dict[str, list[tuple[str, str]]]


_collected: ContextVar[_Collected | None] = ContextVar("ascend_opt_sources", default=None)


@contextmanager
def collect_sources() -> Generator[dict[str, list[KernelSource]]]:
    """Collect the sources of the kernels that are built while the context is open: by function, in program order."""
    collected = _Collected({}, {})
    token = _collected.set(collected)
    try:
        with collect_expansions():
            yield collected.sources
    finally:
        _collected.reset(token)


def add_fusable(
    function: str,
    groups: Sequence[Sequence[Operation]],
    names: Sequence[str],
    possible: Sequence[tuple[Operation, Operation]],
) -> None:
    """Say which groups of a function could be one kernel: `possible` has ops of two of them. For the sources of their
    kernels, if anybody collects these."""
    collected = _collected.get()
    if collected is not None:
        home = {op: name for group, name in zip(groups, names, strict=True) for op in group}
        pairs = [(home[a], home[b]) for a, b in possible if a in home and b in home]
        collected.fusable.setdefault(function, []).extend(pairs)


def add_sources(function: FuncOp, names: Sequence[str], groups: Sequence[Sequence[Operation]]) -> None:
    """Hand the sources of a function's groups, which are about to become kernels, to `collect_sources`, if anybody
    collects."""
    collected = _collected.get()
    if collected is not None and groups:
        sources, of = list(_sources(function, groups)), function.sym_name.data
        number = {name: i for i, name in enumerate(names)}
        for first, second in collected.fusable.get(of, ()):
            if first in number and second in number:
                taker = sources[number[second]]
                sources[number[second]] = replace(taker, fusable=taker.fusable | {number[first]})
        collected.sources.setdefault(of, []).extend(sources)


def node_name(op: Operation) -> str:
    """The name of the node of a model that an op comes from; empty where it comes from none."""
    return next((place.name for place in places_of(op.location) if place.name), "")


def _sources(function: FuncOp, groups: Sequence[Sequence[Operation]]) -> Iterator[KernelSource]:
    order = {op: i for i, op in enumerate(function.body.block.ops)}
    names = dict(zip(function.body.block.args, argument_names(function), strict=True))
    number: dict[SSAValue, int] = {group[-1].results[0]: i for i, group in enumerate(groups)}
    weights = weight_values(function)
    for group, whole in zip(groups, _composites(groups), strict=True):
        result: SSAValue = group[-1].results[0]
        read, needed = _slice(result, number, whole)
        block = Block(arg_types=[_row_major(value.type) for value in read])
        mapping: dict[SSAValue, SSAValue] = dict(zip(read, block.args, strict=True))
        for op in sorted(needed, key=order.__getitem__):
            value = next((result for result in op.results if result in whole), None)
            if value is None:
                _copy(op, block, mapping)
            else:
                mapping[value] = _composite(whole[value], value, block, mapping)
        block.add_op(ReturnOp(mapping[result]))
        kind = FunctionType.from_lists([a.type for a in block.args], [mapping[result].type])
        made = FuncOp(f"kernel_{number[result]}", kind, Region(block))
        for index, value in enumerate(read):
            if value in weights:
                mark_weight(made, index)
        state = fixed()
        if state is not None:
            open_again(made, state)
        arguments = tuple(names[v] if isinstance(v, BlockArgument) else number[v] for v in read)
        nodes = tuple(dict.fromkeys(name for op in group if (name := node_name(op))))
        locations = frozenset(map(location_text, group))
        yield KernelSource(made, arguments, layout_of(result.type), op_names(group), nodes, locations)


def _composites(groups: Sequence[Sequence[Operation]]) -> list[dict[SSAValue, Expansion]]:
    """For each group the results of composite ops of which all that computes is in it."""
    home = {op: i for i, group in enumerate(groups) for op in group}
    found: list[dict[SSAValue, Expansion]] = [{} for _ in groups]
    for expansion in collected_expansions():
        for result in expansion.results:
            homes = {home[op] for op in expansion.made_by(result) or () if op in home}
            if len(homes) == 1:
                found[homes.pop()][result] = expansion
    return found


def _composite(
    expansion: Expansion, value: SSAValue, block: Block, mapping: Mapping[SSAValue, SSAValue]
) -> SSAValue:
    """Add the op that was expanded; its result that `value` is."""
    op = expansion.build([mapping[operand] for operand in expansion.operands])
    block.add_op(op)
    return op.results[expansion.results.index(value)]


def _slice(
    result: SSAValue, number: Mapping[SSAValue, int], whole: Mapping[SSAValue, Expansion]
) -> tuple[list[SSAValue], set[Operation]]:
    """The ops that a kernel's result is computed by, and the arguments and results of other kernels they read; of
    composite ops that are there `whole` the last one that took their place."""
    read: dict[SSAValue, None] = {}
    needed: set[Operation] = set()
    waiting = [result]
    while waiting:
        value = waiting.pop()
        owner = value.owner
        if not isinstance(owner, Operation) or (value in number and value is not result):
            read[value] = None
        elif owner not in needed:
            needed.add(owner)
            waiting += reversed(whole[value].operands if value in whole else owner.operands)
    return list(read), needed


def _copy(op: Operation, block: Block, mapping: dict[SSAValue, SSAValue]) -> None:
    """Add a copy of an op on row-major tensors; of a bitcast, and of parts that lie joined, the ops in whose place they
    are."""
    if isinstance(op, tile.BitcastOp):
        layout = layout_of(op.result.type)
        source, taken = mapping[op.source], layout is not None
        layout = layout or layout_of(op.source.type)
        assert layout is not None, "a bitcast is from or to blocks"
        shape = cast(TensorType[Attribute], (op.result if taken else op.source).type).get_shape()
        ops = (blocks_apart if taken else blocks_made)(source, layout, shape)
        mapping[op.result] = ops[-1].results[0]
    elif isinstance(op, tile.SliceOp):
        axis, start = op.axis.value.data, op.start.value.data
        end = start + op.result.type.get_shape()[axis]
        ops = [SliceOp(mapping[op.source], starts=[start], ends=[end], axes=[axis])]
        mapping[op.result] = ops[0].results[0]
    elif isinstance(op, tile.ConcatOp):
        ops = [ConcatOp([mapping[part] for part in op.parts], axis=op.axis.value.data)]
        mapping[op.result] = ops[0].results[0]
    else:
        ops = [op.clone(mapping)]
        for result in ops[0].results:
            cast(Any, result)._type = _row_major(result.type)
    for new in ops:
        new.location = op.location
        block.add_op(new)


def _row_major(kind: Attribute) -> Attribute:
    if layout_of(kind) is None:
        return kind
    tensor = cast(TensorType[Attribute], kind)
    return TensorType(tensor.element_type, tensor.get_shape())


__all__ = ["KernelSource", "add_sources", "collect_sources", "node_name"]

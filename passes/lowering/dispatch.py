"""The function that calls a variant by the run-time size, at the ascend level, and what it prepares for all of them.

    @f(%x: tensor)            ->   @f.prepare(%w) -> (%0, %1)          what @f.to_8.prepare and @f.to_64.prepare gave
      … call @f.to_8(%x, %w)       @f(%x: memref, %0, %1: memref)
      … call @f.to_64(%x, %w)        … call @f.to_8(%x, %0), … call @f.to_64(%x, %0, %1)

What several variants prepare alike is there once.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, FunctionType, IntegerAttr, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects.attributes import integer_array, integers
from ...dialects.dynamic import SIZES
from ...dialects.graph.arguments import argument_names, pads_of
from ...dialects.helpers import last_of
from ...runtime.execution import host
from ...runtime.execution.prepare import named_arguments
from ..rewrites.size_dispatch import Case, dispatch_function, variants_called
from .base.emitter import gm_tensor

PREPARED = "ascend.prepared"


def lower_dispatch(function: FuncOp) -> bool:
    """Put a dispatch function at the ascend level in the place of one at the graph level, whose variants are lowered;
    whether the function is one."""
    called, block = variants_called(function), function.parent
    if not called or block is None:
        return False
    functions = {op.sym_name.data: op for op in block.ops if isinstance(op, FuncOp)}
    variants = [functions[name] for _, name in called]
    merged = _Prepare(function)
    for variant in variants:
        name = f"{variant.sym_name.data}.prepare"
        merged.add(variant, functions.get(name))
    names: dict[str, tuple[SSAValue, DictionaryAttr]] = {}
    for variant in variants:
        stated = cast(Sequence[DictionaryAttr], variant.arg_attrs.data if variant.arg_attrs else ())
        for argument, (label, index), attributes in zip(
            variant.body.block.args, named_arguments(variant), stated, strict=True
        ):
            key = label if index is None else f" {index}"
            names.setdefault(key, (argument, attributes))
    order = sorted(names, key=lambda key: key.startswith(" "))
    position = {key: i for i, key in enumerate(order)}
    stated_pads = dict(zip(argument_names(function), pads_of(function), strict=True))
    pads = [stated_pads.get(key) for key in order]
    cases = [
        Case(
            last,
            name,
            taken := _taken(variant, position),
            variant.function_type,
            [pads[i] for i in taken],
        )
        for (last, name), variant in zip(called, variants, strict=True)
    ]
    own = dict(zip(argument_names(function), function.body.block.args, strict=True))
    arguments = [
        (gm_tensor(own[key].type) if key in own else names[key][0].type, names[key][0].name_hint)
        for key in order
    ]
    results = [gm_tensor(kind) for kind in function.function_type.outputs]
    made = dispatch_function(function.sym_name.data, arguments, results, cases)
    made.arg_attrs = ArrayAttr([names[key][1] for key in order])
    made.location = function.location
    sizes = {n for one in variants for n in _sizes(one)} or {last_of(one.sym_name.data) for one in variants}
    made.attributes[host.SIZES] = integer_array(sorted(sizes))
    for op in (*merged.functions(), made):
        block.insert_op_before(op, function)
    block.erase_op(function)
    return True


def _taken(variant: FuncOp, position: Mapping[str, int]) -> list[int]:
    """Which arguments of the dispatch function a variant takes."""
    return [position[label if index is None else f" {index}"] for label, index in named_arguments(variant)]


def _sizes(variant: FuncOp) -> Sequence[int]:
    stated = variant.attributes.get(host.SIZES) or variant.attributes.get(SIZES)
    return integers(cast(DenseArrayBase[Any], stated)) if isinstance(stated, DenseArrayBase) else ()


class _Prepare:
    """What runs once before the first run of any variant: the ops of all of them, equal ones once."""

    def __init__(self, function: FuncOp):
        self.name = f"{function.sym_name.data}.prepare"
        self.location = function.location
        self.block = Block()
        self._arguments: dict[str, tuple[SSAValue, DictionaryAttr]] = {}
        self._known: dict[Hashable, Operation] = {}
        self._results: dict[SSAValue, int] = {}

    def add(self, variant: FuncOp, prepare: FuncOp | None) -> None:
        """Take over the ops of a variant's prepare function, which goes, and renumber what the variant takes of it."""
        if prepare is None:
            return
        values: dict[SSAValue, SSAValue] = {}
        stated = cast(Sequence[DictionaryAttr], prepare.arg_attrs.data if prepare.arg_attrs else ())
        for argument, (label, _), attributes in zip(
            prepare.body.block.args, named_arguments(prepare), stated, strict=True
        ):
            if label not in self._arguments:
                new = self.block.insert_arg(argument.type, len(self._arguments))
                new.name_hint = argument.name_hint
                self._arguments[label] = new, attributes
            values[argument] = self._arguments[label][0]
        numbers: list[int] = []
        for op in prepare.body.block.ops:
            if isinstance(op, ReturnOp):
                given = [values[value] for value in op.operands]
                numbers = [self._results.setdefault(value, len(self._results)) for value in given]
                continue
            operands = [values[value] for value in op.operands]
            key = (op.name, tuple(operands), tuple(op.result_types), tuple(sorted(op.properties.items())))
            if key not in self._known:
                self._known[key] = op.clone(dict(values))
                self.block.add_op(self._known[key])
            values.update(zip(op.results, self._known[key].results, strict=True))
        variant.arg_attrs = ArrayAttr([_renumbered(one, numbers) for one in variant.arg_attrs or ()])
        assert prepare.parent is not None
        prepare.parent.erase_op(prepare)

    def functions(self) -> Sequence[FuncOp]:
        """The function, if there is anything to prepare."""
        if not self._results:
            return ()
        self.block.add_op(ReturnOp(*self._results))
        kind = FunctionType.from_lists([a.type for a in self.block.args], [v.type for v in self._results])
        made = FuncOp(self.name, kind, Region(self.block))
        made.arg_attrs = ArrayAttr([attributes for _, attributes in self._arguments.values()])
        made.location = self.location
        return (made,)


def _renumbered(attributes: Attribute, numbers: Sequence[int]) -> DictionaryAttr:
    """An argument's attributes, with the number among the results of the merged function."""
    assert isinstance(attributes, DictionaryAttr)
    number = attributes.data.get(PREPARED)
    if not isinstance(number, IntegerAttr):
        return attributes
    return DictionaryAttr({**attributes.data, PREPARED: IntegerAttr(numbers[number.value.data], i64)})


__all__ = ["lower_dispatch"]

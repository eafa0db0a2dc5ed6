"""What a graph's arguments are: their names, which are weights, and what follows from weights alone.

    func.func @linear(%x: tensor<8x16xf16>, %w: tensor<16x4xf16> {graph.weight}) -> tensor<8x4xf16>

A weight keeps its value from run to run, so work that depends only on weights and constants may be done
once, before the first run.
"""

from collections import Counter

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FloatAttr, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.traits import is_side_effect_free

from .structure import ConstantOp

WEIGHT = "graph.weight"
"""Argument attribute (unit) of a weight."""

PAD = "graph.pad"
"""Argument attribute (f32) of a dynamic tensor: what lies past its elements where a variant takes more."""

ARGUMENT_NAME = "graph.name"
"""Argument attribute with the name as its author wrote it, where a name hint cannot hold it."""


def _attributes(function: FuncOp) -> list[dict[str, Attribute]]:
    stated = function.arg_attrs.data if function.arg_attrs is not None else ()
    attributes = [dict(dictionary.data) for dictionary in stated]
    return attributes + [{} for _ in range(len(function.body.block.args) - len(attributes))]


def argument_names(function: FuncOp) -> list[str]:
    """The arguments' names as their author wrote them; `arg0`, ... where there are none; no two alike."""
    names: list[str] = []
    arguments = zip(function.body.block.args, _attributes(function), strict=True)
    for index, (argument, attributes) in enumerate(arguments):
        written = attributes.get(ARGUMENT_NAME)
        names.append(written.data if isinstance(written, StringAttr) else argument.name_hint or f"arg{index}")
    times = Counter(names)
    return [name if times[name] == 1 else f"{name}_{i}" for i, name in enumerate(names)]


def weight_arguments(function: FuncOp) -> list[SSAValue]:
    """The arguments marked as weights, in order."""
    arguments = zip(function.body.block.args, _attributes(function), strict=True)
    return [argument for argument, attributes in arguments if WEIGHT in attributes]


def pads_of(function: FuncOp) -> list[float | None]:
    """What lies past the elements of each argument where a variant takes more; None where nothing is said."""
    found = (attributes.get(PAD) for attributes in _attributes(function))
    return [stated.value.data if isinstance(stated, FloatAttr) else None for stated in found]


def mark_weight(function: FuncOp, index: int) -> None:
    """Mark argument `index` as a weight."""
    attributes = _attributes(function)
    attributes[index][WEIGHT] = UnitAttr()
    function.arg_attrs = ArrayAttr([DictionaryAttr(dictionary) for dictionary in attributes])


def weight_values(function: FuncOp) -> set[SSAValue]:
    """The values that depend only on weights and constants, weights and constants included."""
    known = set(weight_arguments(function))
    for op in function.body.block.ops:
        read = op.operands
        if isinstance(op, ConstantOp) or (read and known.issuperset(read) and is_side_effect_free(op)):
            known.update(op.results)
    return known

"""What passes ask of a graph's ops and values: tiling rules, shapes, element types, numbers that are constants."""

from typing import Any, cast
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import graph
from ...dialects.dynamic import STAND_IN
from ...dialects.element_types import HELD_AS, name_of
from ...dialects.graph.elements import splat_value
from ...dialects.graph.rules import Pointwise
from ...dialects.tiling import Iteration, TilingRule, has_picked
from .run_size import priced_shape

INTEGERS = ("i8",)
"""What the Vector only makes on the way to GM."""


def rule_of(op: Operation) -> TilingRule:
    return cast(Any, op).tiling


_iterations: WeakKeyDictionary[Operation, tuple[object, Iteration]] = WeakKeyDictionary()
"""Of ops: what their iteration space was derived from, and that."""


def iteration_of(op: Operation) -> Iteration:
    """The iteration space of a graph op (`TilingRule.iteration`), derived anew only where its rule, types or attributes
    are others than before. Where an operand is looked up it names the indices, and is not kept: nothing that is kept
    may lead back to an op, which would then never be released."""
    types = (*(value.type for value in op.operands), None, *(value.type for value in op.results))
    basis = STAND_IN.get(), rule_of(op), types, tuple(op.properties.values())
    known = _iterations.get(op)
    if known is not None and known[0] == basis:
        return known[1]
    iteration = rule_of(op).iteration(op)
    if not any(has_picked(maps) for maps in iteration.operands):
        _iterations[op] = basis, iteration
    return iteration


def moves(op: Operation) -> bool:
    """Whether an op puts elements elsewhere, and computes nothing."""
    return cast(Any, op).TILING.moves


def joins(op: Operation) -> bool:
    """Whether an op puts tensors one after the other."""
    return cast(Any, op).TILING.joins


_MOST_SHAPES = 1 << 14
_shapes: dict[int, tuple[Attribute, tuple[int, ...]]] = {}
"""The shapes of types by their `id`: them, so that nothing else gets their `id`, and their sizes."""


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """The shape of a tensor; with a dynamic dimension that at the size which is priced at the moment."""
    kind = value.type
    found = _shapes.get(id(kind))
    if found is None:
        if len(_shapes) >= _MOST_SHAPES:
            _shapes.clear()
        found = _shapes[id(kind)] = kind, cast(TensorType[Attribute], kind).get_shape()
    return priced_shape(found[1])


def element_type_of(value: SSAValue) -> Attribute:
    return cast(TensorType[Attribute], value.type).element_type


def held_type_of(value: SSAValue) -> Attribute:
    """Element type of a value's tiles in UB: its own, or what the Vector converts it to (`HELD_AS`)."""
    element = element_type_of(value)
    held = HELD_AS.get(name_of(element))
    return element if held is None else DTYPES[held]


def is_splat(value: SSAValue) -> float | None:
    """The value of a splat constant, None for anything else."""
    if isinstance(value.owner, Operation) and value.owner.name == "graph.constant":
        return splat_value(cast(Any, value.owner).value)
    return None


def scalar_operands(op: Operation) -> dict[int, float]:
    """Operands that the op's rule takes as Python floats: at most all but one."""
    rule = rule_of(op)
    if not isinstance(rule, Pointwise) or not rule.accepts_scalars:
        return {}
    found = {i: s for i, v in enumerate(op.operands) if (s := is_splat(v)) is not None and _follows(op, i)}
    if len(found) == len(op.operands):
        found.pop(max(found))
    return found


def index_operands(op: Operation) -> tuple[int, ...]:
    """Operands that hold indices, which the scalar unit reads from GM."""
    return rule_of(op).indices


def _follows(op: Operation, index: int) -> bool:
    """Whether the other operands alone give the result its shape."""
    others = [shape_of(v) for i, v in enumerate(op.operands) if i != index]
    return shape_of(op.results[0]) in others


DTYPES: dict[str, Attribute] = {
    "f16": Float16Type(), "bf16": BFloat16Type(), "f32": Float32Type(), "i1": IntegerType(1),
    "i32": IntegerType(32),
}  # fmt: skip


def constant_number(value: SSAValue) -> float | None:
    """The number that fills a constant tensor, or None."""
    return splat_value(value.owner.value) if isinstance(value.owner, graph.ConstantOp) else None

"""Attention, as the ops that it is made of, and what a causal mask needs of them."""

from math import inf, sqrt
from typing import Any, ClassVar

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, IntegerType, TensorType, f32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, opt_prop_def, prop_def, result_def

from ..graph import logic_computes
from ..storage_types import largest, numpy_dtype
from ..tiling import DIRECTIONS, TilingRule
from .base import BOOL, FLOAT, STR, GraphOp, Types, Values, dims, to_attribute
from .contraction import MatmulOp
from .elements import ExternalTensorAttr, as_array, from_array, from_number
from .elementwise import AddOp, MulOp, broadcast
from .logic import SelectOp
from .normalization import SoftmaxOp
from .rules import Composite, pointwise, shape_of
from .structure import ConstantOp, ReshapeOp

EXACT_F16 = 2048
"""Whole numbers up to this one are f16 numbers."""


@irdl_op_definition
class KeepWhereOp(GraphOp):
    """x where a direction b holds, else `value`; a and b broadcast to x, such as the numbers of rows and columns.

    %y = graph.keep_where %x, %a, %b {direction = "ge", value = 0.0} : (tensor<4x8xf16>, tensor<4x1xf16>,
      tensor<8xf16>) -> tensor<4x8xf16>
    """

    name = "graph.keep_where"
    TILING: ClassVar = pointwise(logic_computes.keep_where)
    MORE_TILINGS: ClassVar = (pointwise(logic_computes.keep_where_positions),)
    SAME_ELEMENT_TYPE: ClassVar = False
    SELECTS: ClassVar = True
    CHOICES: ClassVar = {"direction": DIRECTIONS}
    x = operand_def(TensorType)
    a = operand_def(TensorType)
    b = operand_def(TensorType)
    result = result_def(TensorType)
    direction = prop_def(STR)
    value = prop_def(FLOAT)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        x, a, b = types
        if a.element_type != b.element_type:
            cls.fail(f"a and b must have one element type, got {a.element_type} and {b.element_type}")
        both = broadcast(a.get_shape(), b.get_shape())
        if both is None or broadcast(x.get_shape(), both) != x.get_shape():
            cls.fail(f"a {dims(a)} and b {dims(b)} do not broadcast to x {dims(x)}")
        return (x,)

    @property
    def tiling(self) -> TilingRule:
        return self.MORE_TILINGS[0] if _finite(self.a) and _finite(self.b) else self.TILING


def _finite(value: SSAValue) -> bool:
    """Whether a value is a constant, kept here, of finite numbers."""
    import numpy as np

    constant = value.owner
    if not isinstance(constant, ConstantOp) or isinstance(constant.value, ExternalTensorAttr):
        return False
    return bool(np.isfinite(as_array(constant.value).astype(np.float32)).all())


def _constant(array: Any, element: Attribute) -> ConstantOp:
    return ConstantOp(value=from_array(array, element))


def least(element: Attribute) -> float:
    """The least finite number of an element type, to which softmax gives no weight."""
    return -float(largest(numpy_dtype(element)))


def _grouped(mask: SSAValue, groups: int, repeat: int, queries: int) -> list[Operation]:
    """A mask over heads as one over groups of heads and the heads of a group, which are rows if there is one query;
    none where it follows no heads."""
    shape = shape_of(mask)
    if len(shape) < 3:
        return []
    *outer, heads, rows, columns = shape
    split = (1, 1) if heads == 1 else (groups, repeat)
    return [ReshapeOp(mask, shape=(*outer, *split, *([rows] if queries > 1 else []), columns))]


def _expand(op: Any) -> list[Operation]:
    """softmax(scale q k^T + mask) v. Heads that share keys are a dimension of their own, along which k and v repeat; of
    one query row they are rows of one product."""
    values = op.attribute_values()
    q, k, v = op.q, op.k, op.v
    element = q.type.element_type
    (*outer, rows, depth), columns = shape_of(q), shape_of(k)[-2]
    ops: list[Operation] = []

    def add(new: Any) -> SSAValue:
        ops.append(new)
        return new.results[0]

    mask: SSAValue | None = op.mask
    shared = shape_of(k)[:-2] != tuple(outer)
    if shared:
        groups = shape_of(k)[-3]
        repeat = outer[-1] // groups
        if rows == 1:
            q = add(ReshapeOp(q, shape=(*outer[:-1], groups, repeat, depth)))
        else:
            q = add(ReshapeOp(q, shape=(*outer[:-1], groups, repeat, rows, depth)))
            k, v = (add(ReshapeOp(x, shape=(*shape_of(x)[:-2], 1, *shape_of(x)[-2:]))) for x in (k, v))
        if mask is not None and (split := _grouped(mask, groups, repeat, rows)):
            ops += split
            mask = split[-1].results[0]
    scores = add(MatmulOp(q, k, transpose_b=True))
    scale = 1 / sqrt(depth) if values["scale"] is None else values["scale"]
    if scale != 1:
        scores = add(MulOp(scores, add(ConstantOp(value=from_number(scale, element)))))
    # a causal row has a column, one of a mask may have none
    none = -inf if mask is not None else least(element) if values["causal"] else 0.0
    if mask is not None and isinstance(mask.type.element_type, IntegerType):  # pyright: ignore
        scores = add(SelectOp(mask, scores, add(ConstantOp(value=from_number(none, element)))))
    elif mask is not None:
        scores = add(AddOp(scores, mask))
    if values["causal"]:
        exact = isinstance(element, Float16Type) and max(rows, columns) <= EXACT_F16
        kind = element if exact else f32
        import numpy as np

        at = add(_constant(np.arange(rows).reshape(-1, 1), kind)), add(_constant(np.arange(columns), kind))
        scores = add(KeepWhereOp(scores, *at, direction="ge", value=none))
    result = add(MatmulOp(add(SoftmaxOp(scores, masked=mask is not None)), v))
    if shared:
        add(ReshapeOp(result, shape=shape_of(op.result)))
    return ops


@irdl_op_definition
class AttentionOp(GraphOp):
    """softmax(scale q k^T + mask) v of q [.., S, D], k [.., T, D] and v [.., T, E]; `scale` is 1 / sqrt(D) where none
    is given. q may have several heads (its third dimension from the end) for each one of k and v. A mask that
    broadcasts to [.., S, T] is added, or, of i1, says which scores count. With `causal` row i counts columns up to i.
    A row of the result is zeros where no score counts: all are masked, or have -inf added. Scores are numbers of the
    element type before they are scaled: f16 has none past 65504.

    %y = graph.attention %q, %k, %v {causal = true} : (tensor<2x8x16x4xf16>, tensor<2x2x16x4xf16>,
      tensor<2x2x16x4xf16>) -> tensor<2x8x16x4xf16>
    """

    name = "graph.attention"
    TILING: ClassVar = Composite(_expand)
    TAKES_I1: ClassVar = True
    SAME_ELEMENT_TYPE: ClassVar = False
    q = operand_def(TensorType)
    k = operand_def(TensorType)
    v = operand_def(TensorType)
    mask = opt_operand_def(TensorType)
    result = result_def(TensorType)
    scale = opt_prop_def(FLOAT)
    causal = prop_def(BOOL, default_value=to_attribute("bool", False))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        q, k, v = types[:3]
        shapes = f"q {dims(q)}, k {dims(k)} and v {dims(v)}"
        if not isinstance(q.element_type, Float16Type | BFloat16Type | Float32Type):
            cls.fail(f"q must be of floating-point numbers, got {q.element_type}")
        if len({t.element_type for t in (q, k, v)}) > 1:
            cls.fail(
                f"q, k and v must have one element type, got {', '.join(str(t.element_type) for t in types[:3])}"
            )
        ranks = {len(t.get_shape()) for t in (q, k, v)}
        if len(ranks) > 1 or min(ranks) < 2 or min(min(t.get_shape()) for t in (q, k, v)) < 0:
            cls.fail(f"q, k and v need one rank of 2 or more and static sizes, got {shapes}")
        (*batch, rows, depth), (*others, columns, inner) = q.get_shape(), k.get_shape()
        if inner != depth or tuple(v.get_shape()[:-1]) != (*others, columns):
            cls.fail(f"{shapes} differ: k is [.., T, D] and v [.., T, E] for q [.., S, D]")
        same = batch == others or (
            bool(batch) and batch[:-1] == others[:-1] and others[-1] > 0 and batch[-1] % others[-1] == 0
        )
        if not same:
            cls.fail(f"{shapes}: heads of q are no multiple of those of k and v, or other dimensions differ")
        if len(types) > 3:
            mask = types[3]
            if mask.element_type not in (q.element_type, IntegerType(1)):
                cls.fail(f"the mask is of {q.element_type} or i1, got {mask.element_type}")
            scores = (*batch, rows, columns)
            if broadcast(mask.get_shape(), scores) != scores:
                wanted = "x".join(map(str, scores))
                cls.fail(f"the mask {dims(mask)} does not broadcast to scores of shape {wanted}")
        return (TensorType(q.element_type, (*batch, rows, v.get_shape()[-1])),)


__all__ = ["AttentionOp", "KeepWhereOp"]

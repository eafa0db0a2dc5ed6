"""Functions of one tensor, element by element."""

from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from . import computes, math_computes
from .elementwise import UnaryOp
from .rules import instruction, pointwise


@irdl_op_definition
class NegOp(UnaryOp):
    """-x.

    %y = graph.neg %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.neg"
    TILING: ClassVar = pointwise(computes.neg)


@irdl_op_definition
class AbsOp(UnaryOp):
    """|x|.

    %y = graph.abs %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.abs"
    TILING: ClassVar = instruction("abs")


@irdl_op_definition
class ExpOp(UnaryOp):
    """e to the x.

    %y = graph.exp %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.exp"
    TILING: ClassVar = instruction("exp")


@irdl_op_definition
class LogOp(UnaryOp):
    """The natural logarithm of x.

    %y = graph.log %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.log"
    TILING: ClassVar = instruction("ln")


@irdl_op_definition
class SqrtOp(UnaryOp):
    """The square root of x.

    %y = graph.sqrt %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.sqrt"
    TILING: ClassVar = instruction("sqrt")


@irdl_op_definition
class RsqrtOp(UnaryOp):
    """1 / sqrt(x).

    %y = graph.rsqrt %x : (tensor<8xf32>) -> tensor<8xf32>
    """

    name = "graph.rsqrt"
    TILING: ClassVar = instruction("rsqrt")


@irdl_op_definition
class ReciprocalOp(UnaryOp):
    """1 / x.

    %y = graph.reciprocal %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.reciprocal"
    TILING: ClassVar = instruction("reciprocal")


@irdl_op_definition
class SquareOp(UnaryOp):
    """x x.

    %y = graph.square %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.square"
    TILING: ClassVar = pointwise(math_computes.square)


@irdl_op_definition
class SignOp(UnaryOp):
    """-1 where x < 0, 1 where x > 0, else x.

    %y = graph.sign %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.sign"
    TILING: ClassVar = pointwise(math_computes.sign)


@irdl_op_definition
class FloorOp(UnaryOp):
    """The largest whole number that is not above x.

    %y = graph.floor %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.floor"
    TILING: ClassVar = pointwise(math_computes.floor)


@irdl_op_definition
class CeilOp(UnaryOp):
    """The smallest whole number that is not below x.

    %y = graph.ceil %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.ceil"
    TILING: ClassVar = pointwise(math_computes.ceil)


@irdl_op_definition
class RoundOp(UnaryOp):
    """The whole number nearest to x, the even one of two.

    %y = graph.round %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.round"
    TILING: ClassVar = pointwise(math_computes.nearest)


@irdl_op_definition
class SinOp(UnaryOp):
    """The sine of x, in radians.

    %y = graph.sin %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.sin"
    TILING: ClassVar = pointwise(computes.in_f32(math_computes.sin))


@irdl_op_definition
class CosOp(UnaryOp):
    """The cosine of x, in radians.

    %y = graph.cos %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.cos"
    TILING: ClassVar = pointwise(computes.in_f32(math_computes.cos))


@irdl_op_definition
class TanhOp(UnaryOp):
    """The hyperbolic tangent of x.

    %y = graph.tanh %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.tanh"
    TILING: ClassVar = pointwise(computes.in_f32(computes.tanh))


@irdl_op_definition
class ErfOp(UnaryOp):
    """The error function of x.

    %y = graph.erf %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.erf"
    TILING: ClassVar = pointwise(computes.erf_by_storage)

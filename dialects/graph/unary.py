"""Functions of one tensor, element by element."""

from ..graph import computes, math_computes
from .computes import in_f32
from .elementwise import unary
from .rules import instruction, pointwise

NegOp = unary("neg", "-x.", pointwise(computes.neg), integers=True)
AbsOp = unary("abs", "|x|.", instruction("abs"), integers=True)
ExpOp = unary("exp", "e to the x.", instruction("exp"))
LogOp = unary("log", "The natural logarithm of x.", instruction("ln"))
SqrtOp = unary("sqrt", "The square root of x.", instruction("sqrt"))
RsqrtOp = unary("rsqrt", "1 / sqrt(x).", instruction("rsqrt"))
ReciprocalOp = unary("reciprocal", "1 / x.", instruction("reciprocal"))
SquareOp = unary("square", "x x.", pointwise(math_computes.square), integers=True)
SignOp = unary("sign", "-1 where x < 0, 1 where x > 0, else x.", pointwise(math_computes.sign), integers=True)
FloorOp = unary("floor", "The largest whole number that is not above x.", pointwise(math_computes.floor))
CeilOp = unary("ceil", "The smallest whole number that is not below x.", pointwise(math_computes.ceil))
RoundOp = unary(
    "round", "The whole number nearest to x, the even one of two.", pointwise(math_computes.nearest)
)
SinOp = unary("sin", "The sine of x, in radians.", pointwise(in_f32(math_computes.sin)))
CosOp = unary("cos", "The cosine of x, in radians.", pointwise(in_f32(math_computes.cos)))
TanhOp = unary("tanh", "The hyperbolic tangent of x.", pointwise(in_f32(computes.tanh)))
ErfOp = unary("erf", "The error function of x.", pointwise(computes.erf_by_storage))

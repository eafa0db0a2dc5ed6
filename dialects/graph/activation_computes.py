"""How one tile of an activation function is computed, in f32."""

from xdsl.ir import SSAValue

from ..tiling import VectorBuilder
from .computes import polynomial

MISH_BOUND = 20.0
"""From here on tanh(log(1 + exp(x))) is 1 in f32; the square of exp(x) does not overflow."""


def hard_sigmoid(b: VectorBuilder, x: SSAValue, alpha: float, beta: float) -> SSAValue:
    return b.min(b.max(b.add(b.mul(x, alpha), beta), 0.0), 1.0)


def hard_swish(b: VectorBuilder, x: SSAValue) -> SSAValue:
    return b.mul(hard_sigmoid(b, x, 1.0 / 6.0, 0.5), x)


def elu(b: VectorBuilder, x: SSAValue, alpha: float) -> SSAValue:
    """max(x, 0) + alpha (exp(z) - 1) with z = min(x, 0); exp(z) - 1 is kept between the third and the second partial
    sum of its series, which pins its digits near zero."""
    z = b.min(x, 0.0)
    lower = b.mul(polynomial(b, z, (1.0, 1.0 / 2.0, 1.0 / 6.0)), z)
    upper = b.mul(b.add(b.mul(z, 0.5), 1.0), z)
    curve = b.min(b.max(b.add(b.exp(z), -1.0), lower), upper)
    return b.add(b.mul(curve, alpha), b.max(x, 0.0))


def softplus(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """max(x, 0) + log(1 + u) with u = exp(-|x|), which cannot overflow; log(1 + u) is kept between the second and the
    third partial sum of its series, which pins its digits where u is small."""
    u = b.exp(b.mul(b.abs(x), -1.0))
    log = b.ln(b.add(u, 1.0))
    lower = b.mul(b.add(b.mul(u, -0.5), 1.0), u)
    upper = b.mul(polynomial(b, u, (1.0, -1.0 / 2.0, 1.0 / 3.0)), u)
    return b.add(b.min(b.max(log, lower), upper), b.max(x, 0.0))


def mish(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """x n / (n + 2) with n = e (e + 2), e = exp(x): (1 + e)^2 is n + 1."""
    e = b.exp(b.min(x, MISH_BOUND))
    n = b.mul(b.add(e, 2.0), e)
    return b.mul(b.div(n, b.add(n, 2.0)), x)

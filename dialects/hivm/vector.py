"""Vector ops of HIVM: on memrefs in UB with any strides, or a scalar beside one; `temp_buffer` is theirs meanwhile."""

from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, IntegerAttr
from xdsl.irdl import opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..attributes import integers
from .attributes import Cast, CompareMode, ReduceOp, RoundMode, UnsignedMode
from .base import HivmOp, define, groups_of


class ElementwiseOp(HivmOp):
    """Computes each element of `dst` from those in its place: `broadcast` and `transpose` name dimensions of the
    sources that are repeated or exchanged on the way."""

    GROUPS: ClassVar = ("src*", "dst*", "temp?")
    MEMREFS: ClassVar = frozenset({"dst", "temp"})
    broadcast = opt_prop_def(DenseArrayBase)
    transpose = opt_prop_def(DenseArrayBase)
    is_signed = opt_prop_def(BoolAttr)


def _elementwise(name: str, sources: int, doc: str, **stated: object) -> type[HivmOp]:
    return define(name, ElementwiseOp, doc, TAKES={"src": sources, "dst": 1}, **stated)


UNARY = tuple(
    _elementwise(name, 1, f"{name} of each element.")
    for name in ("vexp", "vln", "vabs", "vrelu", "vsqrt", "vrsqrt", "vrec", "vnot")
)
BINARY = tuple(
    _elementwise(name, 2, f"{name} of each two elements; either may be a scalar.")
    for name in ("vadd", "vsub", "vmul", "vmax", "vmin", "vand", "vor", "vxor", "vshl")
)
VDivOp = _elementwise("vdiv", 2, "Quotients.", isSigned=opt_prop_def(BoolAttr), isHP=opt_prop_def(BoolAttr))
VShrOp = _elementwise("vshr", 2, "Shifts to the right.", round=opt_prop_def(BoolAttr))
VCmpOp = _elementwise("vcmp", 2, "A bit for each comparison.", compare_mode=opt_prop_def(CompareMode))
VSelOp = _elementwise("vsel", 3, "Where a bit is set the second operand, else the third one.")
VCastOp = _elementwise(
    "vcast", 1, "Conversions.",
    round_mode=opt_prop_def(RoundMode), cast=opt_prop_def(Cast), unsigned_mode=opt_prop_def(UnsignedMode),
)  # fmt: skip


class ReduceOpBase(HivmOp):
    """Reduces the dimensions `reduce_dims`, which are 1 in the result."""

    arith = prop_def(ReduceOp)
    reduce_dims = prop_def(DenseArrayBase)
    unsigned_src = opt_prop_def(BoolAttr)
    tie_break_left = opt_prop_def(BoolAttr)

    def verify_(self) -> None:
        super().verify_()
        dims = integers(self.reduce_dims)
        if not dims or sorted(set(dims)) != list(dims):
            raise VerifyException(f"{self.name}: reduce_dims are ascending dimensions, not {list(dims)}")


VReduceOp = define(
    "vreduce", ReduceOpBase, "Reductions of rows or columns.",
    **groups_of("src", "dst*", "temp?", "indices?", memrefs="src dst temp indices"),
)  # fmt: skip
VBrcOp = define(
    "vbrc", HivmOp, "Repeats a scalar, or dimensions of 1.",
    **groups_of("src", "dst", "temp?", memrefs="dst temp"), broadcast_dims=opt_prop_def(DenseArrayBase),
)  # fmt: skip
VTransposeOp = define(
    "vtranspose", HivmOp, "Permutes dimensions.",
    **groups_of("src", "dst", "temp?", memrefs="src dst temp"),
    permutation=opt_prop_def(DenseArrayBase), disable_align=opt_prop_def(BoolAttr),
)  # fmt: skip
VArangeOp = define(
    "varange",
    HivmOp,
    "offset + sum of index * stride.",
    **groups_of("dst", "offset?", "strides*", memrefs="dst"),
)
VGatherOp = define(
    "vgather", HivmOp, "Elements of the last dimension by index.",
    **groups_of("src", "indices", "dst", "temp?", memrefs="src indices dst temp"),
    gather_axis=opt_prop_def(IntegerAttr),
)  # fmt: skip
VInterleaveOp = define(
    "vinterleave", HivmOp, "Elements of the sources in turn.",
    **groups_of("src*", "dst", "temp?", memrefs="dst temp"), interleave_channel_nums=opt_prop_def(IntegerAttr),
)  # fmt: skip
VConcatOp = define(
    "vconcat",
    HivmOp,
    "Sources behind each other.",
    **groups_of("src*", "dst", memrefs="dst"),
    dim=prop_def(IntegerAttr),
)


class CumulativeOp(HivmOp):
    """Each element with all before it along `cum_dims`."""

    GROUPS: ClassVar = ("src", "dst", "temp?")
    MEMREFS: ClassVar = frozenset({"src", "dst", "temp"})
    cum_dims = prop_def(DenseArrayBase)
    reverse = opt_prop_def(BoolAttr)
    propagate_nan = opt_prop_def(BoolAttr)


CUMULATIVE = tuple(
    define(name, CumulativeOp, f"{name} along a dimension.")
    for name in ("vcumsum", "vcumprod", "vcummax", "vcummin")
)

VECTOR_OPS = (
    *UNARY,
    *BINARY,
    VDivOp,
    VShrOp,
    VCmpOp,
    VSelOp,
    VCastOp,
    VReduceOp,
    VBrcOp,
    VTransposeOp,
    VArangeOp,
    VGatherOp,
    VInterleaveOp,
    VConcatOp,
    *CUMULATIVE,
)

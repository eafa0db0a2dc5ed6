"""The instructions of the Cube: loads of L0, the product, FixPipe."""

from collections.abc import Sequence
from math import frexp, ldexp
from typing import ClassVar

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    UnitAttr,
    f32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from ..attributes import integer_array
from ..late_format import LateFormat
from ..operand_segments import quick_operands
from .element_types import check_drained, check_factor, check_move, check_sums
from .memory import dtype_of, rank_of, space_of

SCALE_DIGITS = 11
"""Binary digits that FixPipe reads of a scale: 10 bits of mantissa behind the first one."""
F32_DIGITS = 24


def fixpipe_scale(scale: float) -> float:
    """The nearest number with as many digits as FixPipe reads of a scale."""
    mantissa, exponent = frexp(scale)
    return ldexp(round(ldexp(mantissa, SCALE_DIGITS)), exponent - SCALE_DIGITS)


def has_fixpipe_bits(scale: float) -> bool:
    """Whether FixPipe reads all of a scale."""
    return fixpipe_scale(scale) == scale


@quick_operands
@irdl_op_definition
class FixpipeOp(LateFormat):
    """Move an accumulator out of L0C: f32 may become f16, bf16 or i8, i32 may become f16 or i8, then `relu`, then the
    layout.

    The source is NZ `[N1, M, 16]`. A destination `[m, n]` is row-major (in GM: rows of any pitch), with m <= M and
    n <= 16 N1; a destination `[N1, M, 16]` stays NZ (GM or L1). A destination in ub is NZ, in a buffer of the group:
    that of Vector core number `vector`, or, with `split`, those of both, the first half along a dimension of the
    source (0: N1, 1: M) to the first one, the second half to the second one. With `unit_flag` it reads what an
    `ascend.mmad` with `unit` hands over, each 512 B as soon as it is there.
    With `leaky`, a factor, `relu` multiplies negative values by it instead of making them zero, with `slopes`, `[n]`
    f32 in fb, by that of their column. Values that become i8, or f16 of i32, are multiplied by `scale`, or by that of
    their column of `scales`, `[n]` f32 in fb, of which the hardware reads 10 bits of mantissa and no more. Those of i8
    are rounded to nearest even and held to [-128, 127]; with `offset` (9 bits) that is added before they are held, and
    there is no relu, which comes after it.

        ascend.fixpipe %acc, %y {relu} : memref<8x128x16xf32, strided<[2048, 16, 1]>, "l0c">,
                                         memref<128x128xf16, strided<[512, 1], offset: ?>, "gm">
    """

    name = "ascend.fixpipe"
    source = operand_def(MemRefType)
    destination = operand_def(MemRefType)
    slopes = opt_operand_def(MemRefType)
    scales = opt_operand_def(MemRefType)
    scale = opt_prop_def(FloatAttr)
    relu = opt_prop_def(UnitAttr)
    leaky = opt_prop_def(FloatAttr)
    offset = opt_prop_def(IntegerAttr)
    unit_flag = opt_prop_def(UnitAttr)
    vector = opt_prop_def(IntegerAttr)
    split = opt_prop_def(IntegerAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    FORMAT: ClassVar[str] = (
        "$source `,` $destination attr-dict `:` type($source) `,` type($destination) "
        "(`slopes` $slopes^ `:` type($slopes))? (`scales` $scales^ `:` type($scales))?"
    )

    def __init__(
        self,
        source: SSAValue,
        destination: SSAValue,
        slope: float | None = None,
        slopes: SSAValue | None = None,
        scale: float | None = None,
        unit_flag: bool = False,
        vector: int | None = None,
        split: int | None = None,
        offset: int = 0,
        scales: SSAValue | None = None,
    ):
        """`slope`: what negative values are multiplied by, 0 for `relu`; None leaves them as they are, unless `slopes`
        has that of each column."""
        properties: dict[str, Attribute] = {}
        if scale is not None:
            properties["scale"] = FloatAttr(scale, f32)
        if offset:
            properties["offset"] = IntegerAttr(offset, i64)
        if slope is not None or slopes is not None:
            properties["relu"] = UnitAttr()
        if slope:
            properties["leaky"] = FloatAttr(slope, f32)
        if unit_flag:
            properties["unit_flag"] = UnitAttr()
        if vector is not None:
            properties["vector"] = IntegerAttr(vector, i64)
        if split is not None:
            properties["split"] = IntegerAttr(split, i64)
        super().__init__(operands=[source, destination, slopes, scales], properties=properties)

    @property
    def row(self) -> SSAValue | None:
        """The slopes or the scales of its columns."""
        return self.slopes or self.scales

    @property
    def steps(self) -> tuple[float, int] | None:
        """What values that become i8, or f16 of i32, are multiplied by beside the scale of their column, and what is
        added."""
        if self.scale is None and self.scales is None:
            return None
        scale = 1.0 if self.scale is None else float(self.scale.value.data)
        return scale, 0 if self.offset is None else self.offset.value.data

    @property
    def slope(self) -> float | None:
        """What negative values are multiplied by; None where nothing happens to them or each column has its own."""
        if self.relu is None or self.slopes is not None:
            return None
        return 0.0 if self.leaky is None else float(self.leaky.value.data)

    def verify_(self) -> None:
        for name, value in (("leaky", self.leaky), ("slopes", self.slopes)):
            if value is not None and self.relu is None:
                raise VerifyException(f"ascend.fixpipe: {name} is a kind of relu, which is not there")
        slopes, scales = self.slopes, self.scales
        for name, row in (("slopes", slopes), ("scales", scales)):
            if row is not None and (space_of(row), dtype_of(row), rank_of(row)) != ("fb", "f32", 1):
                raise VerifyException(f"ascend.fixpipe: {name} are [n] f32 in fb, got {row.type}")
        if slopes is not None and self.leaky is not None:
            raise VerifyException("ascend.fixpipe: negative values have one factor or one a column, not both")
        check_drained("ascend.fixpipe", "fixpipe", self.source, self.destination)
        pair = dtype_of(self.source), dtype_of(self.destination)
        if (self.scale is not None) + (scales is not None) != (pair[1] == "i8" or pair == ("i32", "f16")):
            raise VerifyException("ascend.fixpipe: a scale is what i8 results have, and f16 of i32")
        if self.steps is not None and (self.leaky is not None or slopes is not None):
            raise VerifyException(f"ascend.fixpipe: {pair[1]} results with a scale have no slopes")
        if self.relu is not None and pair == ("i32", "i32"):
            raise VerifyException("ascend.fixpipe: there is no relu of i32")
        if self.offset is not None:
            if pair[1] != "i8" or self.relu is not None:
                raise VerifyException("ascend.fixpipe: an offset is what i8 results without relu have")
            if not -256 <= self.offset.value.data <= 255:
                raise VerifyException(f"ascend.fixpipe: an offset has 9 bits, not {self.offset.value.data}")
        if self.scale is not None and not has_fixpipe_bits(float(self.scale.value.data)):
            raise VerifyException(
                f"ascend.fixpipe: a scale has 10 bits of mantissa, {self.scale.value.data} has more"
            )
        to = space_of(self.destination)
        if space_of(self.source) != "l0c" or to not in ("gm", "l1", "ub"):
            raise VerifyException("ascend.fixpipe: moves l0c to gm, l1 or ub")
        if (self.vector is not None) + (self.split is not None) != (to == "ub"):
            raise VerifyException("ascend.fixpipe: to ub, and only there, it states either vector or split")
        if self.split is not None and self.split.value.data not in (0, 1):
            raise VerifyException(f"ascend.fixpipe: split is 0 or 1, not {self.split.value.data}")
        if to == "ub" and rank_of(self.destination) != 3:
            raise VerifyException("ascend.fixpipe: a destination in ub is [N1, M, 16]")
        if rank_of(self.source) != 3 or rank_of(self.destination) not in (2, 3):
            raise VerifyException("ascend.fixpipe: source is [N1, M, 16], destination [m, n] or [N1, M, 16]")


@quick_operands
@irdl_op_definition
class Load2dOp(LateFormat):
    """Move fractals from L1 to L0A or L0B: `[repeat, 16, c0]` on both sides, c0 elements being 32 B. With `transpose`
    each is transposed: those of 2-byte types, which are square.

    ascend.load2d %l1, %l0b {transpose} : memref<8x16x16xf16, strided<[256, 16, 1]>, "l1">,
                                          memref<8x16x16xf16, strided<[256, 16, 1]>, "l0b">
    """

    name = "ascend.load2d"
    source = operand_def(MemRefType)
    destination = operand_def(MemRefType)
    transpose = opt_prop_def(UnitAttr)
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$source `,` $destination attr-dict `:` type($source) `,` type($destination)"

    def __init__(self, source: SSAValue, destination: SSAValue, transpose: bool = False):
        super().__init__(
            operands=[source, destination], properties={"transpose": UnitAttr() if transpose else None}
        )

    def verify_(self) -> None:
        if rank_of(self.source) != 3 or rank_of(self.destination) != 3:
            raise VerifyException("ascend.load2d: source and destination are [repeat, 16, c0]")
        check_move("ascend.load2d", self.source, self.destination)
        check_factor("ascend.load2d", self.destination)


@quick_operands
@irdl_op_definition
class Load3dOp(LateFormat):
    """Image-to-column load: fractals of the virtual matrix [Ho*Wo, C1*kh*kw*c0] of an L1 feature map.

    Source `[C1, H, W, c0]` (NC1HWC0); destination `[M1, K1, 16, c0]` in L0A (Zz). `pads` (top, left, bottom,
    right) are operands because a tile at the border has them and one inside has not. The window starts at
    row `m_start` and at fractal column `k_start` (column fractal index = (c1 * kh + i) * kw + j). Pixels in the
    padding and rows at or after Ho*Wo read as zero. Without `image2col_blocks` in the target, M1 or K1 is one.

    With `transpose` the window is transposed in square blocks of 16 x 16: rows of the virtual matrix are K, its
    columns rows of L0A, `[M1, K1, 16, c0]`, or columns of L0B, `[K1, N1, 16, c0]` (Zn). K1 * c0 is a multiple of 16.

        ascend.load3d %fm, %a pads %t, %l, %b, %r at %m, %k
            {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>}
            : memref<4x?x58x16xf16, strided<[53824, 928, 16, 1]>, "l1">,
              memref<?x1x16x16xf16, strided<[1024, 256, 16, 1]>, "l0a">
    """

    name = "ascend.load3d"
    source = operand_def(MemRefType)
    destination = operand_def(MemRefType)
    pads = var_operand_def(IndexType)
    m_start = operand_def(IndexType)
    k_start = operand_def(IndexType)
    kernel = prop_def(DenseArrayBase)
    strides = prop_def(DenseArrayBase)
    dilations = prop_def(DenseArrayBase)
    transpose = opt_prop_def(UnitAttr)
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = (
        "$source `,` $destination `pads` $pads `at` $m_start `,` $k_start attr-dict "
        "`:` type($source) `,` type($destination)"
    )

    def __init__(
        self,
        source: SSAValue,
        destination: SSAValue,
        pads: Sequence[SSAValue],
        m_start: SSAValue,
        k_start: SSAValue,
        kernel: Sequence[int],
        strides: Sequence[int],
        dilations: Sequence[int],
        transpose: bool = False,
    ):
        super().__init__(
            operands=[source, destination, pads, m_start, k_start],
            properties={
                "kernel": integer_array(kernel),
                "strides": integer_array(strides),
                "dilations": integer_array(dilations),
                "transpose": UnitAttr() if transpose else None,
            },
        )

    def verify_(self) -> None:
        if rank_of(self.source) != 4 or rank_of(self.destination) != 4:
            raise VerifyException("ascend.load3d: source is [C1, H, W, c0], destination [M1, K1, 16, c0]")
        check_move("ascend.load3d", self.source, self.destination)
        check_factor("ascend.load3d", self.destination)
        if len(self.pads) != 4:
            raise VerifyException(f"ascend.load3d: {len(self.pads)} pads, need top, left, bottom, right")


@quick_operands
@irdl_op_definition
class MmadOp(LateFormat):
    """`c (+)= a * b` on fractals.

    a is `[M1, K1, 16, c0]` (Zz) in L0A, b `[K1, N1, 16, c0]` (Zn: n, k inside) in L0B, c `[N1, M1 * 16, 16]`
    (NZ, f32) in L0C; c0 elements are 32 B. Lanes at or after `m`, `n`, `k` are ignored. `init` true starts from 0, or
    each row from `bias`, `[n]` f32 in the bias table.

    With `unit`, the Cube and FixPipe hand over each 512 B of L0C themselves: a product with `init` waits until FixPipe
    has read what was there, one with `unit` true is the last of its columns, which FixPipe may begin to read.

    ascend.mmad %a, %b, %c size %m, %n, %k init %first unit %last
        : memref<8x4x16x16xf16, …, "l0a">, memref<…, "l0b">, memref<…, "l0c"> bias %b : memref<128xf32, …, "bt">
    """

    name = "ascend.mmad"
    lhs = operand_def(MemRefType)
    rhs = operand_def(MemRefType)
    acc = operand_def(MemRefType)
    m = operand_def(IndexType)
    n = operand_def(IndexType)
    k = operand_def(IndexType)
    init = operand_def(IntegerType(1))
    unit = opt_operand_def(IntegerType(1))
    bias = opt_operand_def(MemRefType)
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    FORMAT: ClassVar[str] = (
        "$lhs `,` $rhs `,` $acc `size` $m `,` $n `,` $k `init` $init (`unit` $unit^)? attr-dict "
        "`:` type($lhs) `,` type($rhs) `,` type($acc) (`bias` $bias^ `:` type($bias))?"
    )

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        acc: SSAValue,
        m: SSAValue,
        n: SSAValue,
        k: SSAValue,
        init: SSAValue,
        bias: SSAValue | None = None,
        unit: SSAValue | None = None,
    ):
        super().__init__(operands=[lhs, rhs, acc, m, n, k, init, unit, bias])

    def verify_(self) -> None:
        for value, space, rank in ((self.lhs, "l0a", 4), (self.rhs, "l0b", 4), (self.acc, "l0c", 3)):
            if space_of(value) != space or rank_of(value) != rank:
                raise VerifyException(
                    f"ascend.mmad: expected a {rank}-D operand in {space}, got {value.type}"
                )
        check_factor("ascend.mmad", self.lhs)
        check_factor("ascend.mmad", self.rhs)
        check_sums("ascend.mmad", self.acc, self.lhs)
        if dtype_of(self.lhs) != dtype_of(self.rhs):
            raise VerifyException(
                f"ascend.mmad: operands have one element type, not {dtype_of(self.lhs)} and {dtype_of(self.rhs)}"
            )
        bias, sums = self.bias, dtype_of(self.acc)
        if bias is not None and (space_of(bias), dtype_of(bias), rank_of(bias)) != ("bt", sums, 1):
            raise VerifyException(f"ascend.mmad: a bias is [n] {sums} in bt, got {bias.type}")

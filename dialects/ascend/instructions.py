"""The instructions: data moves, the Cube's product, the Vector's operations."""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    UnitAttr,
    f32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
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
from .isa import VECTOR_INSTRUCTIONS
from .memory import TABLES, dtype_of, memref_type, space_of


def _rank(value: SSAValue) -> int:
    return len(memref_type(value).get_shape())


@irdl_op_definition
class CopyOp(IRDLOperation):
    """Move bursts between two spaces; the pair of spaces chooses the path and so the pipe.

    Source and destination are views of one shape: `[length]`, or `[bursts, length]` with contiguous bursts.
    From l0c to ub (pipe V) a burst is whole 16x16 fractals and f32 may become f16 or bf16, with `relu` on the
    way; from l1 to bt or fb f16 and bf16 become f32. With `nd2nz` (gm to l1) the source is `[rows, columns]`
    row-major, the destination NZ `[ceil(columns/c0), rows, c0]`, and the tail of the last column block is zeroed. A
    read of GM with `bypass` leaves nothing in L2, for data that is read once.

        ascend.copy %x, %y : memref<64x256xf16, strided<[512, 1], offset: ?>, "gm">,
                             memref<64x256xf16, strided<[256, 1]>, "ub">
    """

    name = "ascend.copy"
    source = operand_def(MemRefType)
    destination = operand_def(MemRefType)
    nd2nz = opt_prop_def(UnitAttr)
    relu = opt_prop_def(UnitAttr)
    bypass = opt_prop_def(UnitAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source `,` $destination attr-dict `:` type($source) `,` type($destination)"

    def __init__(
        self,
        source: SSAValue,
        destination: SSAValue,
        nd2nz: bool = False,
        relu: bool = False,
        bypass: bool = False,
    ):
        super().__init__(
            operands=[source, destination],
            properties={
                "nd2nz": UnitAttr() if nd2nz else None,
                "relu": UnitAttr() if relu else None,
                "bypass": UnitAttr() if bypass else None,
            },
        )

    def verify_(self) -> None:
        spaces = space_of(self.source), space_of(self.destination)
        to_table = spaces[0] == "l1" and spaces[1] in TABLES and dtype_of(self.destination) == "f32"
        if dtype_of(self.source) != dtype_of(self.destination) and spaces[0] != "l0c" and not to_table:
            raise VerifyException(
                f"ascend.copy: cannot convert {dtype_of(self.source)} to {dtype_of(self.destination)} "
                f"from {spaces[0]} to {spaces[1]}"
            )
        if self.nd2nz is not None:
            if _rank(self.source) != 2 or _rank(self.destination) != 3:
                raise VerifyException("ascend.copy: nd2nz takes a 2-D source and a 3-D destination")
        elif _rank(self.source) != _rank(self.destination) or _rank(self.source) not in (1, 2):
            raise VerifyException(
                "ascend.copy: source and destination are both [length] or both [bursts, length]"
            )
        if self.bypass is not None and spaces[0] != "gm":
            raise VerifyException("ascend.copy: bypass is for reads of gm")
        if self.relu is not None and spaces[0] != "l0c":
            raise VerifyException("ascend.copy: relu is only available on the way out of l0c")


@irdl_op_definition
class FixpipeOp(IRDLOperation):
    """Move an accumulator out of L0C: f32 may become f16, bf16 or i8, then `relu`, then the layout.

    The source is NZ `[N1, M, 16]`. A destination `[m, n]` is row-major (in GM: rows of any pitch), with m <= M and
    n <= 16 N1; a destination `[N1, M, 16]` stays NZ (GM or L1). A destination in ub is NZ, in a buffer of the group:
    that of Vector core number `vector`, or, with `split`, those of both, the first half along a dimension of the
    source (0: N1, 1: M) to the first one, the second half to the second one. With `unit_flag` it reads what an
    `ascend.mmad` with `unit` hands over, each 512 B as soon as it is there.
    With `leaky`, a factor, `relu` multiplies negative values by it instead of making them zero, with `slopes`, `[n]`
    f32 in fb, by that of their column. Values that become i8 are multiplied by `scale`, rounded to nearest even and
    held to [-128, 127].

        ascend.fixpipe %acc, %y {relu} : memref<8x128x16xf32, strided<[2048, 16, 1]>, "l0c">,
                                         memref<128x128xf16, strided<[512, 1], offset: ?>, "gm">
    """

    name = "ascend.fixpipe"
    source = operand_def(MemRefType)
    destination = operand_def(MemRefType)
    slopes = opt_operand_def(MemRefType)
    relu = opt_prop_def(UnitAttr)
    leaky = opt_prop_def(FloatAttr)
    scale = opt_prop_def(FloatAttr)
    unit_flag = opt_prop_def(UnitAttr)
    vector = opt_prop_def(IntegerAttr)
    split = opt_prop_def(IntegerAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$source `,` $destination attr-dict `:` type($source) `,` type($destination) "
        "(`slopes` $slopes^ `:` type($slopes))?"
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
    ):
        """`slope`: what negative values are multiplied by, 0 for `relu`; None leaves them as they are, unless `slopes`
        has that of each column."""
        properties: dict[str, Attribute] = {}
        if scale is not None:
            properties["scale"] = FloatAttr(scale, f32)
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
        super().__init__(operands=[source, destination, slopes], properties=properties)

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
        slopes = self.slopes
        if slopes is not None and (space_of(slopes), dtype_of(slopes), _rank(slopes)) != ("fb", "f32", 1):
            raise VerifyException(f"ascend.fixpipe: slopes are [n] f32 in fb, got {slopes.type}")
        if slopes is not None and self.leaky is not None:
            raise VerifyException("ascend.fixpipe: negative values have one factor or one a column, not both")
        if (self.scale is not None) != (dtype_of(self.destination) == "i8"):
            raise VerifyException("ascend.fixpipe: a scale is what i8 results have")
        if self.scale is not None and (self.leaky is not None or slopes is not None):
            raise VerifyException("ascend.fixpipe: i8 results have no slopes")
        to = space_of(self.destination)
        if space_of(self.source) != "l0c" or to not in ("gm", "l1", "ub"):
            raise VerifyException("ascend.fixpipe: moves l0c to gm, l1 or ub")
        if (self.vector is not None) + (self.split is not None) != (to == "ub"):
            raise VerifyException("ascend.fixpipe: to ub, and only there, it states either vector or split")
        if self.split is not None and self.split.value.data not in (0, 1):
            raise VerifyException(f"ascend.fixpipe: split is 0 or 1, not {self.split.value.data}")
        if to == "ub" and _rank(self.destination) != 3:
            raise VerifyException("ascend.fixpipe: a destination in ub is [N1, M, 16]")
        if _rank(self.source) != 3 or _rank(self.destination) not in (2, 3):
            raise VerifyException("ascend.fixpipe: source is [N1, M, 16], destination [m, n] or [N1, M, 16]")


@irdl_op_definition
class Load2dOp(IRDLOperation):
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
    assembly_format = "$source `,` $destination attr-dict `:` type($source) `,` type($destination)"

    def __init__(self, source: SSAValue, destination: SSAValue, transpose: bool = False):
        super().__init__(
            operands=[source, destination], properties={"transpose": UnitAttr() if transpose else None}
        )

    def verify_(self) -> None:
        if _rank(self.source) != 3 or _rank(self.destination) != 3:
            raise VerifyException("ascend.load2d: source and destination are [repeat, 16, c0]")


@irdl_op_definition
class Load3dOp(IRDLOperation):
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
    assembly_format = (
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
        if _rank(self.source) != 4 or _rank(self.destination) != 4:
            raise VerifyException("ascend.load3d: source is [C1, H, W, c0], destination [M1, K1, 16, c0]")
        if len(self.pads) != 4:
            raise VerifyException(f"ascend.load3d: {len(self.pads)} pads, need top, left, bottom, right")


@irdl_op_definition
class MmadOp(IRDLOperation):
    """`c (+)= a * b` on fractals.

    a is `[M1, K1, 16, c0]` (Zz) in L0A, b `[K1, N1, 16, c0]` (Zn: n, k inside) in L0B, c `[N1, M1 * 16, 16]`
    (NZ, f32) in L0C; c0 elements are 32 B. Lanes at or after `m`, `n`, `k` are ignored. `init` true starts from 0, or
    each row from `bias`, `[n]` f32 in the bias table.

    With `unit`, the Cube and FixPipe hand over each 512 B of L0C themselves: a product with `init` waits for what
    FixPipe has read, one with `unit` true is the last of its tile, which FixPipe may begin to read.

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
    assembly_format = (
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
            if space_of(value) != space or _rank(value) != rank:
                raise VerifyException(
                    f"ascend.mmad: expected a {rank}-D operand in {space}, got {value.type}"
                )
        bias = self.bias
        if bias is not None and (space_of(bias), dtype_of(bias), _rank(bias)) != ("bt", "f32", 1):
            raise VerifyException(f"ascend.mmad: a bias is [n] f32 in bt, got {bias.type}")


@irdl_op_definition
class VecOp(IRDLOperation):
    """One Vector instruction, on views `[n]` (contiguous; counter mode) or `[repeat, blocks, lanes]`.

    There are at most 8 blocks a repeat, a block is at most 32 B and contiguous, and repeats and blocks have any
    32 B multiple as stride (0 repeats a source).

        ascend.vec "vadds"(%x) -> %y scalar 1.0 : (memref<…, "ub">) -> memref<…, "ub">
    """

    name = "ascend.vec"
    instruction = prop_def(StringAttr)
    sources = var_operand_def(MemRefType)
    destination = operand_def(MemRefType)
    scalar = opt_prop_def(FloatAttr)
    assembly_format = (
        "$instruction `(` $sources `)` `->` $destination (`scalar` $scalar^)? attr-dict "
        "`:` `(` type($sources) `)` `->` type($destination)"
    )

    def __init__(
        self,
        instruction: str,
        sources: Sequence[SSAValue],
        destination: SSAValue,
        scalar: float | None = None,
    ):
        super().__init__(
            operands=[sources, destination],
            properties={
                "instruction": StringAttr(instruction),
                "scalar": None if scalar is None else FloatAttr(scalar, f32),
            },
        )

    def verify_(self) -> None:
        known = VECTOR_INSTRUCTIONS.get(self.instruction.data)
        if known is None:
            raise VerifyException(f"ascend.vec: unknown instruction {self.instruction.data!r}")
        if len(self.sources) != known.sources:
            raise VerifyException(
                f"ascend.vec: {known.name} takes {known.sources} sources, got {len(self.sources)}"
            )
        if (self.scalar is not None) != known.scalar:
            raise VerifyException(
                f"ascend.vec: {known.name} {'needs a' if known.scalar else 'has no'} scalar"
            )
        operands = [*self.sources, self.destination]
        if any(space_of(v) != "ub" for v in operands):
            raise VerifyException("ascend.vec: every operand is in ub")
        if len({_rank(v) for v in operands}) != 1 or _rank(self.destination) not in (1, 3):
            raise VerifyException("ascend.vec: operands are all [n] or all [repeat, blocks, lanes]")
        if not known.converts and len({dtype_of(v) for v in operands}) != 1:
            raise VerifyException(
                f"ascend.vec: {known.name} needs one element type, got {[str(v.type) for v in operands]}"
            )


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """Transpose blocks on the Vector pipe: source `[repeat, 16, w]`, destination `[repeat, w, 16]`, or
    `[repeat, 16 / w, w, w]`, its columns in blocks that lie apart.

    A row of `w` elements is one 32 B block (w = 16 for 2-byte types, 8 for 4-byte types). Each of the 16 source
    rows and of the destination's 32 B blocks has an address of its own, a 32 B multiple; a source row stride of 0
    repeats one block.

        ascend.transpose %x, %y : memref<4x16x16xf16, …, "ub">, memref<4x16x16xf16, …, "ub">
    """

    name = "ascend.transpose"
    source = operand_def(MemRefType)
    destination = operand_def(MemRefType)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source `,` $destination attr-dict `:` type($source) `,` type($destination)"

    def __init__(self, source: SSAValue, destination: SSAValue):
        super().__init__(operands=[source, destination])

    def verify_(self) -> None:
        if space_of(self.source) != "ub" or space_of(self.destination) != "ub":
            raise VerifyException("ascend.transpose: both operands are in ub")
        if _rank(self.source) != 3 or _rank(self.destination) not in (3, 4):
            raise VerifyException(
                "ascend.transpose: source is [repeat, 16, w], destination [repeat, w, 16] or [repeat, 16/w, w, w]"
            )
        if dtype_of(self.source) != dtype_of(self.destination):
            raise VerifyException("ascend.transpose: source and destination have one element type")

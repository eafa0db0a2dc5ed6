"""Kernels, their launches, and the work done once before the first run."""

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.traits import IsolatedFromAbove, IsTerminator, Pure, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from ..attributes import integer_array, integers, tensor_type
from ..element_types import BLOCK_BYTES
from ..late_format import LateFormat
from ..operand_segments import quick_operands
from .memory import element_bytes, memref_type, space_of

CORE_KINDS = ("aicore", "aic", "aiv")
GROUP_SPACES = ("ub", "l1")
"""Memories that cores of a group share."""


@irdl_op_definition
class EndOp(LateFormat):
    """End of a kernel.  `ascend.end`"""

    name = "ascend.end"
    traits = traits_def(IsTerminator())
    FORMAT: ClassVar[str] = "attr-dict"


@irdl_op_definition
class KernelOp(LateFormat):
    """A program that `cores` cores run, each with its own block index. Block arguments are tensors in GM, buffers of
    the group (`ascend.group_buffer`), and last the numbers that the function `tiling` gives for a run-time size: the
    extent of the kernel's dynamic dimension and how many tiles that is. `sizes` are those that it was tiled for.

    `core` says which kind of core: `aicore` (the default) has both units; on chips where Cube and Vector are cores of
    their own it is `aic` or `aiv`. With `rounds` there may be more of them, blocks, than the chip has cores, which take
    them one after the other.

        "ascend.kernel"() <{sym_name = "k", cores = 32 : i64}> ({^bb0(%x: memref<64xf16, "gm">): … ascend.end})
    """

    name = "ascend.kernel"
    sym_name = prop_def(SymbolNameConstraint())
    cores = prop_def(IntegerAttr)
    core = opt_prop_def(StringAttr)
    ops = opt_prop_def(ArrayAttr[StringAttr])  # the graph ops that it computes, for reports
    tiling = opt_prop_def(SymbolRefAttr)
    sizes = opt_prop_def(DenseArrayBase)
    rounds = opt_prop_def(UnitAttr)
    body = region_def("single_block")
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$sym_name `cores` $cores attr-dict-with-keyword $body"

    def __init__(
        self,
        name: str,
        cores: int,
        arguments: Sequence[Attribute],
        ops: Sequence[str] = (),
        core: str | None = None,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "cores": IntegerAttr(cores, i64),
                "core": None if core is None else StringAttr(core),
                "ops": ArrayAttr([StringAttr(o) for o in ops]),
            },
            regions=[Region(Block(arg_types=arguments))],
        )

    @property
    def core_count(self) -> int:
        return self.cores.value.data

    @property
    def numbers(self) -> tuple[BlockArgument, ...]:
        """The arguments that a tiling function gives."""
        return tuple(a for a in self.body.block.args if isinstance(a.type, IndexType))

    @property
    def tensors(self) -> tuple[BlockArgument, ...]:
        """The arguments that are tensors in GM or buffers of the group."""
        return tuple(a for a in self.body.block.args if not isinstance(a.type, IndexType))

    @property
    def core_kind(self) -> str:
        return "aicore" if self.core is None else self.core.data

    def verify_(self) -> None:
        if self.core_kind not in CORE_KINDS:
            raise VerifyException(
                f"ascend.kernel: core is one of {', '.join(CORE_KINDS)}, not {self.core_kind!r}"
            )
        if tuple(self.body.block.args) != (*self.tensors, *self.numbers):
            raise VerifyException("ascend.kernel: numbers are the last arguments, after all tensors")
        if (self.tiling is None) != (not self.numbers) or (self.sizes is None) != (not self.numbers):
            raise VerifyException(
                "ascend.kernel: arguments of type index go with tiling, which gives them, and sizes"
            )


@irdl_op_definition
class BlockIdxOp(LateFormat):
    """Index of the core that runs the program, from 0.  `%i = ascend.block_idx`"""

    name = "ascend.block_idx"
    result = result_def(IndexType)
    traits = traits_def(Pure())
    FORMAT: ClassVar[str] = "attr-dict"

    def __init__(self) -> None:
        super().__init__(result_types=[IndexType()])


@quick_operands
@irdl_op_definition
class GmAllocOp(LateFormat):
    """A tensor in GM that the program owns: a result, or a value between two kernels. With `workspace` it is one in
    which the cores of a launch hand tiles to each other. `offset`: where it starts in the function's workspace, bytes,
    once that is planned; tensors may share bytes there. `size` is the dynamic first dimension; where a function has
    one, the offsets are operands, `at`.

    %y = ascend.gm_alloc : memref<64xf16, "gm">
    %z = ascend.gm_alloc size %n at %o : memref<?x64xf16, "gm">
    """

    name = "ascend.gm_alloc"
    size = opt_operand_def(IndexType)
    at = opt_operand_def(IndexType)
    workspace = opt_prop_def(UnitAttr)
    offset = opt_prop_def(IntegerAttr)
    result = result_def(MemRefType)
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    FORMAT: ClassVar[str] = "(`size` $size^)? (`at` $at^)? attr-dict `:` type($result)"

    def __init__(
        self,
        shape: Sequence[int],
        element_type: Attribute,
        workspace: bool = False,
        size: SSAValue | None = None,
        at: SSAValue | None = None,
    ):
        super().__init__(
            operands=[size, at],
            result_types=[MemRefType(element_type, shape, NoneAttr(), StringAttr("gm"))],
            properties={"workspace": UnitAttr() if workspace else None},
        )

    def verify_(self) -> None:
        dynamic = [d for d, n in enumerate(memref_type(self.result).get_shape()) if n == DYNAMIC_INDEX]
        if dynamic not in ([], [0]) or (self.size is not None) != bool(dynamic):
            raise VerifyException(
                f"ascend.gm_alloc: size is that of a dynamic first dimension, the only one that may be; the tensor is "
                f"{self.result.type}"
            )
        if self.at is not None and self.offset is not None:
            raise VerifyException("ascend.gm_alloc: the offset is a number or an operand, not both")


@irdl_op_definition
class GroupBufferOp(LateFormat):
    """Bytes of an on-chip memory in which the cores of a group meet: `"ub"` is that of each Vector core, which the Cube
    core's FixPipe writes, `"l1"` that of the Cube core, which the Vector cores beside it write.

    Each group of a launch has its own; both programs take it as an argument. It starts at `address` (bytes, once memory
    is planned) of each such memory, and neither program puts anything else there.

        %t = ascend.group_buffer {address = 0 : i64, label = "accumulator"} : memref<8192xf16, "ub">
    """

    name = "ascend.group_buffer"
    address = opt_prop_def(IntegerAttr)
    label = opt_prop_def(StringAttr)
    result = result_def(MemRefType)
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "attr-dict `:` type($result)"

    def __init__(self, kind: Attribute, label: str | None = None):
        super().__init__(
            result_types=[kind], properties={"label": StringAttr(label) if label is not None else None}
        )

    @property
    def bytes(self) -> int:
        return prod(memref_type(self.result).get_shape()) * element_bytes(self.result)

    def verify_(self) -> None:
        if space_of(self.result) not in GROUP_SPACES:
            raise VerifyException(
                f"ascend.group_buffer: cores meet in {' or '.join(GROUP_SPACES)}, not {space_of(self.result)!r}"
            )
        if DYNAMIC_INDEX in memref_type(self.result).get_shape():
            raise VerifyException("ascend.group_buffer: the shape must be static")


@irdl_op_definition
class ViewTensorOp(LateFormat):
    """The same bytes of GM under another shape (a reshape costs nothing), or some of them: those of the result, from
    byte `offset` on, which is a multiple of 32.

    %y = ascend.view_tensor %x : memref<4x16xf16, "gm"> -> memref<64xf16, "gm">
    %b = ascend.view_tensor %x {offset = 64 : i64} : memref<4x16xf16, "gm"> -> memref<2x16xf16, "gm">
    """

    name = "ascend.view_tensor"
    source = operand_def(MemRefType)
    offset = opt_prop_def(IntegerAttr)
    result = result_def(MemRefType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue, result_type: Attribute, offset: int | None = None):
        super().__init__(
            operands=[source],
            properties={"offset": None if offset is None else IntegerAttr(offset, i64)},
            result_types=[result_type],
        )

    @property
    def start(self) -> int | None:
        """The first byte of a part; None where the result is all of the tensor."""
        return None if self.offset is None else self.offset.value.data

    def verify_(self) -> None:
        shapes = [memref_type(value).get_shape() for value in (self.source, self.result)]
        if self.start is None:
            return
        if any(DYNAMIC_INDEX in shape for shape in shapes):
            raise VerifyException("ascend.view_tensor: a part of a tensor is static, and so is the tensor")
        size, part = (
            prod(shape) * element_bytes(value)
            for shape, value in zip(shapes, (self.source, self.result), strict=True)
        )
        if self.start % BLOCK_BYTES or not 0 <= self.start <= size - part:
            raise VerifyException(
                f"ascend.view_tensor: {part} B from byte {self.start} on are no part of {size} B in blocks of "
                f"{BLOCK_BYTES} B"
            )


@irdl_op_definition
class PackOp(LateFormat):
    """Weights in the layout that the Cube reads: zero-pad to `padded`, split to `split`, permute by `permutation`. With
    `lead` the last 16 elements along that dimension are first put before all others.

    [K, N] to Zn fractals: padded [64, 32], split [4, 16, 2, 16], permutation [0, 2, 3, 1].

        %p = ascend.pack %w {padded = array<i64: 64, 32>, split = array<i64: 4, 16, 2, 16>,
               permutation = array<i64: 0, 2, 3, 1>} : tensor<60x30xf16> -> tensor<4x2x16x16xf16>
    """

    name = "ascend.pack"
    source = operand_def(TensorType)
    padded = prop_def(DenseArrayBase)
    split = prop_def(DenseArrayBase)
    permutation = prop_def(DenseArrayBase)
    lead = opt_prop_def(IntegerAttr)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(
        self,
        source: SSAValue,
        padded: Sequence[int],
        split: Sequence[int],
        permutation: Sequence[int],
        lead: int | None = None,
    ):
        super().__init__(
            operands=[source],
            properties={
                "padded": integer_array(padded),
                "split": integer_array(split),
                "permutation": integer_array(permutation),
                "lead": None if lead is None else IntegerAttr(lead, i64),
            },
            result_types=[TensorType(tensor_type(source).element_type, [split[p] for p in permutation])],
        )

    def verify_(self) -> None:
        split, order = integers(self.split), integers(self.permutation)
        if sorted(order) != list(range(len(split))):
            raise VerifyException(
                f"ascend.pack: {list(order)} is not a permutation of {len(split)} dimensions"
            )
        shape = [split[p] for p in order]
        if list(tensor_type(self.result).get_shape()) != shape:
            raise VerifyException(f"ascend.pack: result {self.result.type} is not {shape}")
        source = tensor_type(self.source).get_shape()
        if self.lead is not None:
            dim = self.lead.value.data
            if not 0 <= dim < len(source) or source[dim] < 16:
                raise VerifyException(
                    f"ascend.pack: lead is a dimension of {list(source)} with 16 elements or more, not {dim}"
                )


def place_in_tensor(value: SSAValue) -> tuple[SSAValue, int]:
    """The tensor behind the views that a value is one of, and the byte of it at which the value begins."""
    begin = 0
    while isinstance(value.owner, ViewTensorOp):
        begin += value.owner.start or 0
        value = value.owner.source
    return value, begin

"""What the scalar unit reads: numbers that addresses depend on."""

from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from ..late_format import LateFormat
from .memory import dtype_of, space_of


@irdl_op_definition
class LoadIndexOp(LateFormat):
    """Element `at` of a tensor of i32 in GM, which the scalar unit reads through its data cache and waits for: an index
    into `size` elements. A negative one counts from their end. The kernel does not write the tensor.

    With `parts` the tensor's numbers ascend: they cut `size - 1` elements into so many parts, which the program walks
    `step` at a time. None is negative. Where nothing holds the numbers, as when only time is emulated, parts are as
    long as each other.

    %row = ascend.load_index %indices at %i {size = 1000 : i64} : memref<64xi32, "gm">
    %end = ascend.load_index %offsets at %b {size = 65 : i64, parts = 8 : i64, step = 4 : i64} : memref<9xi32, "gm">
    """

    name = "ascend.load_index"
    tensor = operand_def(MemRefType)
    at = operand_def(IndexType)
    size = prop_def(IntegerAttr)
    parts = opt_prop_def(IntegerAttr)
    step = opt_prop_def(IntegerAttr)
    result = result_def(IndexType)
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$tensor `at` $at attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, at: SSAValue, size: int, parts: int | None = None, step: int = 1):
        super().__init__(
            operands=[tensor, at],
            properties={
                "size": IntegerAttr(size, i64),
                "parts": None if parts is None else IntegerAttr(parts, i64),
                "step": None if parts is None else IntegerAttr(step, i64),
            },
            result_types=[IndexType()],
        )

    @property
    def part_count(self) -> int:
        """How many parts ascending numbers cut; 0: they do not ascend."""
        return 0 if self.parts is None else self.parts.value.data

    def verify_(self) -> None:
        if space_of(self.tensor) != "gm" or dtype_of(self.tensor) != "i32":
            raise VerifyException(
                f"ascend.load_index: indices are a tensor of i32 in gm, not {self.tensor.type}"
            )
        if self.size.value.data < 1:
            raise VerifyException(
                f"ascend.load_index: {self.size.value.data} elements, at least one is needed"
            )
        numbers = [one.value.data for one in (self.parts, self.step) if one is not None]
        if len(numbers) == 1 or min(numbers, default=1) < 1:
            raise VerifyException(
                f"ascend.load_index: parts and a step of 1 or more go together, got {numbers}"
            )

"""What the scalar unit reads and writes: numbers that addresses depend on, and elements of UB."""

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
from .memory import dtype_of, memref_type, space_of


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


def _check_element(name: str, view: SSAValue, number: SSAValue, spaces: tuple[str, ...]) -> None:
    """`VerifyException` where a view is not of one element of `number`'s type."""
    kind = memref_type(view)
    if tuple(kind.get_shape()) != (1,) or kind.element_type != number.type:
        raise VerifyException(f"{name}: a view of one {number.type} is needed, got {kind}")
    if space_of(view) not in spaces:
        raise VerifyException(f"{name}: the scalar unit reaches {' and '.join(spaces)}, not {space_of(view)}")


@irdl_op_definition
class LoadScalarOp(LateFormat):
    """One element, read by the scalar unit on its pipe, S: of UB from any address, or of a tensor in GM, through the
    data cache, that the kernel does not write.

    It is a number of the program from there on: arithmetic, `scf.if` and `scf.for` take it, and so do Vector
    instructions (as it is when they are issued), views, loop bounds and conditions.

        %s = ascend.load_scalar %v : memref<1xf32, strided<[1], offset: ?>, "ub"> -> f32
    """

    name = "ascend.load_scalar"
    view = operand_def(MemRefType)
    result = result_def()
    FORMAT: ClassVar[str] = "$view attr-dict `:` type($view) `->` type($result)"

    def __init__(self, view: SSAValue):
        super().__init__(operands=[view], result_types=[memref_type(view).element_type])

    def verify_(self) -> None:
        _check_element(self.name, self.view, self.result, ("ub", "gm"))


@irdl_op_definition
class StoreScalarOp(LateFormat):
    """One element of UB, at any address, written by the scalar unit on its pipe, S.

    ascend.store_scalar %s, %v : f32, memref<1xf32, strided<[1], offset: ?>, "ub">
    """

    name = "ascend.store_scalar"
    value = operand_def()
    view = operand_def(MemRefType)
    FORMAT: ClassVar[str] = "$value `,` $view attr-dict `:` type($value) `,` type($view)"

    def __init__(self, value: SSAValue, view: SSAValue):
        super().__init__(operands=[value, view])

    def verify_(self) -> None:
        _check_element(self.name, self.view, self.value, ("ub",))

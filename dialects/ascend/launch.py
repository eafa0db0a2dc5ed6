"""Launches of kernels, and those that took the place of several."""

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from ..late_format import LateFormat
from ..operand_segments import quick_operands
from ..records import dataclass
from .memory import space_of
from .program import GmAllocOp, GroupBufferOp


@quick_operands
@irdl_op_definition
class LaunchOp(LateFormat):
    """Run a kernel on tensors in GM; launches of one function run one after the other.

    With `with` a second kernel runs at the same time on the same tensors: that of the Vector cores beside that of the
    Cube cores, which meet through GM, buffers of the group and cross-core flags.

        ascend.launch @k(%x, %y) : memref<64xf16, "gm">, memref<64xf16, "gm">
        ascend.launch @k_aic with @k_aiv(%x, %t) : memref<64xf16, "gm">, memref<64xf16, "ub">

    Where a dimension is dynamic, `numbers` are those that the kernel's tiling function gave, and `blocks` how many of
    its cores run (with two kernels: Cube cores); without, all do.

        ascend.launch @k(%x, %y) numbers(%extent, %tiles) blocks %b : memref<?x64xf16, "gm">, memref<?x64xf16, "gm">

    `joined`: of a launch that took the place of several, what these were (`LaunchPart`).
    """

    name = "ascend.launch"
    kernel = prop_def(SymbolRefAttr)
    beside = opt_prop_def(SymbolRefAttr)
    joined = opt_prop_def(ArrayAttr[DictionaryAttr])
    arguments = var_operand_def(MemRefType)
    numbers = var_operand_def(IndexType)
    blocks = opt_operand_def(IndexType)
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    FORMAT: ClassVar[str] = (
        "$kernel (`with` $beside^)? `(` $arguments `)` (`numbers` `(` $numbers^ `)`)? (`blocks` $blocks^)? "
        "attr-dict `:` type($arguments)"
    )

    def __init__(
        self,
        kernel: str,
        arguments: Sequence[SSAValue],
        beside: str | None = None,
        numbers: Sequence[SSAValue] = (),
        blocks: SSAValue | None = None,
        parts: "Sequence[LaunchPart]" = (),
    ):
        super().__init__(
            operands=[arguments, numbers, blocks],
            properties={
                "kernel": SymbolRefAttr(kernel),
                "beside": None if beside is None else SymbolRefAttr(beside),
                "joined": ArrayAttr([part.to_attribute() for part in parts]) if parts else None,
            },
        )

    def verify_(self) -> None:
        if self.joined is not None:
            self._verify_parts()
        if self.beside is None and any(space_of(a) != "gm" for a in self.arguments):
            raise VerifyException(
                "ascend.launch: one kernel alone takes no buffer of a group, which needs `with`"
            )

    def _verify_parts(self) -> None:
        try:
            parts = self.parts
        except (TypeError, KeyError):
            fields = "a kernel (string), a number and a result (i64), nothing else"
            raise VerifyException(f"ascend.launch: each of joined has {fields}") from None
        if len(parts) < 2:
            raise VerifyException("ascend.launch: joined has what several launches were")
        if any(not 0 <= part.result < len(self.arguments) for part in parts):
            raise VerifyException("ascend.launch: the result of each of joined is the number of an argument")
        others: list[LaunchOp] = []
        if (block := self.parent_block()) is not None:
            others = [op for op in block.ops if isinstance(op, LaunchOp) and op is not self]
        count = len(parts) + sum(max(1, len(op.joined or ())) for op in others)
        known = [part.number for part in parts] + [number for op in others for number in op.stated_numbers()]
        if len(set(known)) < len(known) or any(not 0 <= number < count for number in known):
            reason = f"numbers of joined differ, and are those of the function's launches, 0 to {count - 1}"
            raise VerifyException(f"ascend.launch: {reason}")

    def stated_numbers(self) -> list[int]:
        """The numbers of its parts; nothing where these are not well formed, which its verifier says."""
        try:
            return [part.number for part in self.parts]
        except (TypeError, KeyError):
            return []

    @property
    def kernels(self) -> tuple[str, ...]:
        """Names of the kernels that run."""
        both = (self.kernel, self.beside) if self.beside is not None else (self.kernel,)
        return tuple(k.string_value() for k in both)

    @property
    def computes(self) -> str:
        """The name of what it runs: of kernels that run together without what tells these apart."""
        name = self.kernel.string_value()
        return name.removesuffix("_aic") if self.beside is not None else name

    @property
    def result(self) -> int:
        """Which argument it gives: the last one, but for what cores of a group hand to each other in."""
        owners = [value.owner for value in self.arguments]
        between = [
            isinstance(owner, GroupBufferOp) or (isinstance(owner, GmAllocOp) and owner.workspace is not None)
            for owner in owners
        ]
        return max(i for i, one in enumerate(between) if not one)

    @property
    def parts(self) -> "tuple[LaunchPart, ...]":
        """The launches that it took the place of, if it did."""
        return () if self.joined is None else tuple(map(LaunchPart.of_attribute, self.joined))


@dataclass(frozen=True)
class LaunchPart:
    """A launch that another one took the place of: the kernel that it ran, its number among those of the function, and
    which argument of the other one is what it gives."""

    kernel: str
    number: int
    result: int

    def to_attribute(self) -> DictionaryAttr:
        numbers = {"number": self.number, "result": self.result}
        return DictionaryAttr(
            {"kernel": StringAttr(self.kernel), **{k: IntegerAttr(n, i64) for k, n in numbers.items()}}
        )

    @staticmethod
    def of_attribute(stated: DictionaryAttr) -> "LaunchPart":
        """KeyError where something is missing, TypeError where it is of another kind, or more is there."""
        kernel, number, result = (stated.data[name] for name in ("kernel", "number", "result"))
        if not isinstance(kernel, StringAttr) or len(stated.data) > 3:
            raise TypeError
        return LaunchPart(kernel.data, _i64(number), _i64(result))


def _i64(stated: Attribute) -> int:
    if not isinstance(stated, IntegerAttr):
        raise TypeError
    number = cast("IntegerAttr[IntegerType | IndexType]", stated)
    if number.type != i64:
        raise TypeError
    return number.value.data


def numbers_before(parts: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """For each launch of a function the numbers of those that it stands for, before some were joined. `parts`: those of
    the launches that took the place of others, nothing for the rest, which are in the order that they had."""
    count = sum(max(1, len(one)) for one in parts)
    taken = {number for one in parts for number in one}
    rest = iter([number for number in range(count) if number not in taken])
    return [tuple(one) or (next(rest),) for one in parts]

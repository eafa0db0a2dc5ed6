"""Buffers and views: where the bytes of an instruction's operand are."""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import prod
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntAttr,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..attributes import integer_array, integers
from ..element_types import ELEMENT_BYTES
from ..late_format import LateFormat
from ..op_checks import of_structure
from ..operand_segments import SEGMENTS, quick_operands, segments
from ..shared_attributes import i64_attribute, memory_type

TABLES = ("bt", "fb")
"""Rows of f32 beside the Cube: what it starts sums from, and what FixPipe multiplies columns by."""
ON_CHIP = ("l1", "l0a", "l0b", "l0c", *TABLES, "ub")
SPACES = ("gm", *ON_CHIP)


_VALUES = OpResult, BlockArgument
"""The kinds of values: to ask for the type of one is less than to ask whether it is one."""


def memref_type(value: SSAValue | Attribute) -> MemRefType[Attribute]:
    """The memref type of a value or type; `VerifyException` when it is not one."""
    if type(value) in _VALUES or isinstance(value, SSAValue):
        candidate = cast(SSAValue, value).type
    else:
        candidate = value
    if not isinstance(candidate, MemRefType):
        raise VerifyException(f"expected a memref, got {candidate}")
    return cast("MemRefType[Attribute]", candidate)


def rank_of(value: SSAValue | Attribute) -> int:
    """How many dimensions a memref has."""
    return len(memref_type(value).get_shape())


def space_of(value: SSAValue | Attribute) -> str:
    """Name of the memory space of a memref: `gm` when it states none."""
    space = memref_type(value).memory_space
    return space.data if isinstance(space, StringAttr) else "gm"


def dtype_of(value: SSAValue | Attribute) -> str:
    """Element type of a memref, as written: `f16`, `f32`, …"""
    return _name(memref_type(value).element_type)


@cache
def _name(element_type: Attribute) -> str:
    return str(element_type)


def element_bytes(value: SSAValue | Attribute) -> int:
    return ELEMENT_BYTES[dtype_of(value)]


@irdl_op_definition
class BufferOp(LateFormat):
    """An on-chip buffer of `slots` equal parts; `addresses` (bytes, one a slot) once memory is planned.

    %a = ascend.buffer {slots = 2 : i64, addresses = array<i64: 0, 8192>} : memref<4096xf16, "ub">
    """

    name = "ascend.buffer"
    slots = prop_def(IntegerAttr, default_value=IntegerAttr(1, i64))
    label = opt_prop_def(StringAttr)
    addresses = opt_prop_def(DenseArrayBase)
    result = result_def(MemRefType)
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "attr-dict `:` type($result)"

    def __init__(
        self,
        shape: Sequence[int],
        element_type: Attribute,
        space: str,
        slots: int = 1,
        label: str | None = None,
    ):
        super().__init__(
            properties={"slots": i64_attribute(slots), "label": StringAttr(label) if label else None},
            result_types=[memory_type(shape, element_type, space)],
        )

    @property
    def slot_count(self) -> int:
        return self.slots.value.data

    @property
    def slot_bytes(self) -> int:
        """Bytes of one slot."""
        total = element_bytes(self.result)
        for size in memref_type(self.result).get_shape():
            total *= size
        return total

    @property
    def slot_addresses(self) -> tuple[int, ...] | None:
        """Start address of each slot in bytes, or None before memory planning."""
        return None if self.addresses is None else integers(self.addresses)

    @of_structure
    def verify_(self) -> None:
        if space_of(self.result) not in ON_CHIP:
            raise VerifyException(f"ascend.buffer: {space_of(self.result)!r} is not an on-chip space")
        if DYNAMIC_INDEX in memref_type(self.result).get_shape():
            raise VerifyException("ascend.buffer: the shape must be static")
        if dtype_of(self.result) not in ELEMENT_BYTES:
            known = ", ".join(ELEMENT_BYTES)
            raise VerifyException(f"ascend.buffer: elements are {known}, not {dtype_of(self.result)}")
        if self.slot_count < 1:
            raise VerifyException(f"ascend.buffer: {self.slot_count} slots, at least one is needed")
        addresses = self.slot_addresses
        if addresses is not None and len(addresses) != self.slot_count:
            raise VerifyException(f"ascend.buffer: {len(addresses)} addresses for {self.slot_count} slots")


@quick_operands
@irdl_op_definition
class BitcastOp(LateFormat):
    """The bytes of an on-chip buffer, of each of its slots, as elements of another type; views are taken of it.

    %b = ascend.bitcast %a : memref<64xi8, "ub"> -> memref<32xi16, "ub">
    """

    name = "ascend.bitcast"
    source = operand_def(MemRefType)
    result = result_def(MemRefType)
    traits = traits_def(Pure())
    FORMAT: ClassVar[str] = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue, result_type: Attribute):
        super().__init__(operands=[source], result_types=[result_type])

    @of_structure
    def verify_(self) -> None:
        kinds = memref_type(self.source), memref_type(self.result)
        if DYNAMIC_INDEX in (*kinds[0].get_shape(), *kinds[1].get_shape()):
            raise VerifyException("ascend.bitcast: both shapes are static")
        sizes = [prod(kind.get_shape()) * element_bytes(kind) for kind in kinds]
        if sizes[0] != sizes[1] or space_of(kinds[0]) != space_of(kinds[1]):
            raise VerifyException(f"ascend.bitcast: {kinds[1]} is not the bytes of {kinds[0]}")


@lru_cache(maxsize=4096)
def _view_attributes(
    element: Attribute,
    space: Attribute,
    sizes: tuple[int, ...],
    strides: tuple[int, ...],
    offset: int | None,
    start: int,
) -> tuple[IntegerAttr, DenseArrayBase, DenseArrayBase, MemRefType]:
    """Start, sizes, strides and type of a view: programs have many that are alike. `offset` None: it is an operand."""
    shape, known, written, stated = _view_numbers(sizes, strides)
    layout = StridedLayoutAttr(known, NoneAttr() if offset is None else offset)
    result = MemRefType.new((shape, element, layout, space))
    return IntegerAttr(start, i64), written, stated, result


@lru_cache(maxsize=4096)
def _view_numbers(
    sizes: tuple[int, ...], strides: tuple[int, ...]
) -> tuple[ArrayAttr[IntAttr], ArrayAttr[IntAttr | NoneAttr], DenseArrayBase, DenseArrayBase]:
    """Sizes and strides of a view as its type has them and as it states them: those of most differ in their start."""
    # A strided layout has no stride of 0, which is how a source repeats: it is written as unknown.
    known = [IntAttr(stride) if stride else NoneAttr() for stride in strides]
    written = integer_array(-1 if s == DYNAMIC_INDEX else s for s in sizes)
    return ArrayAttr(map(IntAttr, sizes)), ArrayAttr(known), written, integer_array(strides)


@quick_operands
@irdl_op_definition
class ViewOp(LateFormat):
    """Elements of a buffer slot or of a GM tensor: `start + offset + sum(index * stride)`, in elements.

    `static_sizes` holds `-1` where a size is an operand of `sizes`. Nothing is clipped: the runtime
    reports a view that leaves its buffer when an instruction uses it.

        %v = ascend.view %a slot %s offset %o sizes %n {static_sizes = array<i64: -1, 16>,
               strides = array<i64: 16, 1>, start = 0 : i64} : memref<4096xf16, "ub">
               -> memref<?x16xf16, strided<[16, 1], offset: ?>, "ub">
    """

    name = "ascend.view"
    base = operand_def(MemRefType)
    slot = opt_operand_def(IndexType)
    offset = opt_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    start = prop_def(IntegerAttr, default_value=IntegerAttr(0, i64))
    static_sizes = prop_def(DenseArrayBase)
    strides = prop_def(DenseArrayBase)
    result = result_def(MemRefType)
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(Pure())
    FORMAT: ClassVar[str] = (
        "$base (`slot` $slot^)? (`offset` $offset^)? (`sizes` $sizes^)? attr-dict "
        "`:` type($base) `->` type($result)"
    )

    def __init__(
        self,
        base: SSAValue,
        sizes: Sequence[int | SSAValue],
        strides: Sequence[int],
        offset: SSAValue | None = None,
        start: int = 0,
        slot: SSAValue | None = None,
    ):
        static = tuple(s if isinstance(s, int) else DYNAMIC_INDEX for s in sizes)
        kind = memref_type(base)
        start_, sizes_, strides_, result = _view_attributes(
            kind.element_type,
            kind.memory_space,
            static,
            tuple(strides),
            None if offset is not None else start,
            start,
        )
        moving = [v for v in (slot, offset) if v is not None]
        computed = [s for s in sizes if not isinstance(s, int)]
        there = segments(1, int(slot is not None), int(offset is not None), len(computed))
        Operation.__init__(  # nothing is left to find out: programs have many views
            self,
            operands=[base, *moving, *computed],
            properties={"start": start_, "static_sizes": sizes_, "strides": strides_, SEGMENTS: there},
            result_types=[result],
        )

    def mixed_sizes(self) -> list[int | SSAValue]:
        """Each size as a number or as the SSA value that gives it."""
        dynamic = iter(self.sizes)
        return [s if s >= 0 else next(dynamic) for s in integers(self.static_sizes)]

    def element_strides(self) -> tuple[int, ...]:
        return integers(self.strides)

    @of_structure
    def verify_(self) -> None:
        static = integers(self.static_sizes)
        if len(static) != len(self.element_strides()):
            raise VerifyException(
                f"ascend.view: {len(static)} sizes but {len(self.element_strides())} strides"
            )
        if sum(s < 0 for s in static) != len(self.sizes):
            raise VerifyException(
                f"ascend.view: {sum(s < 0 for s in static)} dynamic sizes but {len(self.sizes)} size operands"
            )
        result, base = memref_type(self.result), memref_type(self.base)
        if [DYNAMIC_INDEX if s < 0 else s for s in static] != list(result.get_shape()):
            raise VerifyException(f"ascend.view: sizes {list(static)} do not match result type {result}")
        if space_of(result) != space_of(base) or result.element_type != base.element_type:
            raise VerifyException(f"ascend.view: {result} is not a view of {base}")
        layout = result.layout
        strides = layout.strides.data if isinstance(layout, StridedLayoutAttr) else ()
        written = [s.data if isinstance(s, IntAttr) else None for s in strides]
        if len(written) != len(static) or any(
            a not in (None, b) for a, b in zip(written, self.element_strides(), strict=True)
        ):
            raise VerifyException(
                f"ascend.view: strides {self.element_strides()} do not match result type {result}"
            )

"""The instructions: data moves, the Vector's operations; those of the Cube are in `cube`."""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    AnyFloat,
    MemRefType,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from ..attributes import NUMBER, WHOLE, fits_elements, number_attribute
from ..element_types import ELEMENT_BYTES
from ..isa import ATOMICS, VECTOR_INSTRUCTIONS, VectorInstruction
from ..late_format import LateFormat
from ..operand_segments import quick_operands
from .element_types import check_drained
from .memory import TABLES, dtype_of, rank_of, space_of
from .vector_functions import goes_on


@quick_operands
@irdl_op_definition
class CopyOp(LateFormat):
    """Move bursts between two spaces; the pair of spaces chooses the path and so the pipe.

    Source and destination are views of one shape: `[length]`, or `[bursts, length]` with contiguous bursts. From l0c
    to ub (pipe V) a burst is whole 16x16 fractals and f32 may become f16 or bf16, with `relu` on the way; from l1 to
    bt or fb f16 and bf16 become f32. With `nd2nz` (gm to l1) the source is `[rows, columns]` row-major, the
    destination NZ `[ceil(columns/c0), rows, c0]`, and the tail of the last column block is zeroed. A read of GM with
    `bypass` leaves nothing in L2, for data that is read once. `pad` is what fills a burst from GM up to a whole block
    of UB, zero without it. With `left` bursts are longer in UB by a block at most: it fills what is in front of them,
    too. With `atomic`, which is `add`, `max` or `min`, a copy from UB joins its elements to those
    that are in GM, whatever other cores join to them meanwhile.

        ascend.copy %x, %y : memref<64x256xf16, strided<[512, 1], offset: ?>, "gm">,
                             memref<64x256xf16, strided<[256, 1]>, "ub">
    """

    name = "ascend.copy"
    source = operand_def(MemRefType)
    destination = operand_def(MemRefType)
    nd2nz = opt_prop_def(UnitAttr)
    relu = opt_prop_def(UnitAttr)
    bypass = opt_prop_def(UnitAttr)
    pad = opt_prop_def(NUMBER)
    left = opt_prop_def(UnitAttr)
    atomic = opt_prop_def(StringAttr)
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$source `,` $destination attr-dict `:` type($source) `,` type($destination)"

    def __init__(
        self,
        source: SSAValue,
        destination: SSAValue,
        nd2nz: bool = False,
        relu: bool = False,
        bypass: bool = False,
        pad: float | None = None,
        atomic: str | None = None,
        left: bool = False,
    ):
        super().__init__(
            operands=[source, destination],
            properties={
                "nd2nz": UnitAttr() if nd2nz else None,
                "relu": UnitAttr() if relu else None,
                "bypass": UnitAttr() if bypass else None,
                "pad": None if pad is None else number_attribute(pad, dtype_of(source)),
                "left": UnitAttr() if left else None,
                "atomic": None if atomic is None else StringAttr(atomic),
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
        if spaces[0] == "l0c":
            check_drained("ascend.copy", "copy", self.source, self.destination)
        if self.nd2nz is not None:
            if rank_of(self.source) != 2 or rank_of(self.destination) != 3:
                raise VerifyException("ascend.copy: nd2nz takes a 2-D source and a 3-D destination")
        elif rank_of(self.source) != rank_of(self.destination) or rank_of(self.source) not in (1, 2):
            raise VerifyException(
                "ascend.copy: source and destination are both [length] or both [bursts, length]"
            )
        if self.bypass is not None and spaces[0] != "gm":
            raise VerifyException("ascend.copy: bypass is for reads of gm")
        if self.relu is not None and spaces[0] != "l0c":
            raise VerifyException("ascend.copy: relu is only available on the way out of l0c")
        if self.left is not None and (spaces != ("gm", "ub") or self.nd2nz is not None):
            raise VerifyException("ascend.copy: left is for bursts from gm to ub")
        if self.atomic is not None:
            if spaces != ("ub", "gm"):
                raise VerifyException("ascend.copy: atomic is for copies from ub to gm")
            if self.atomic.data not in ATOMICS:
                raise VerifyException(f"ascend.copy: atomic is {', '.join(ATOMICS)}, not {self.atomic.data}")
        if self.pad is not None:
            if spaces != ("gm", "ub"):
                raise VerifyException("ascend.copy: pad is for bursts from gm to ub")
            if not fits_elements(self.pad, dtype_of(self.source)):
                raise VerifyException(f"ascend.copy: what pads {dtype_of(self.source)} is not {self.pad}")


@quick_operands
@irdl_op_definition
class FillOp(LateFormat):
    """Fill blocks of L1 with one number, on the pipe that loads them (Ascend C's InitConstValue).

    The view is `[length]` or `[bursts, length]`, bursts are whole 32 B blocks.

        ascend.fill %a {value = 0.0 : f32} : memref<4096xf16, strided<[1]>, "l1">
    """

    name = "ascend.fill"
    destination = operand_def(MemRefType)
    value = prop_def(NUMBER)
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$destination attr-dict `:` type($destination)"

    def __init__(self, destination: SSAValue, value: float):
        super().__init__(
            operands=[destination], properties={"value": number_attribute(value, dtype_of(destination))}
        )

    def verify_(self) -> None:
        if space_of(self.destination) != "l1" or rank_of(self.destination) not in (1, 2):
            raise VerifyException("ascend.fill: fills [length] or [bursts, length] in l1")
        if not fits_elements(self.value, dtype_of(self.destination)):
            raise VerifyException(f"ascend.fill: {self.value} is no {dtype_of(self.destination)}")


@quick_operands
@irdl_op_definition
class VecOp(LateFormat):
    """One Vector instruction, on views `[n]` (contiguous; counter mode) or `[repeat, blocks, lanes]`.

    There are at most 8 blocks a repeat, a block is at most 32 B and contiguous, and repeats and blocks have any
    32 B multiple as stride (0 repeats a source). `vcadd`, `vcmax` and `vcmin` reduce each repeat of their source to one
    element, of a destination `[repeat, 1, 1]` whose repeats may lie any number of elements apart. `vcadd` adds the
    second half of a repeat's lanes to the first half, an odd last lane to the first one, and goes on so; each partial
    sum is rounded to the element type. `vcmax_at` and `vcmin_at` give where in a repeat the first largest or smallest
    element is, as i32; of `[n]`, in counter mode, one number for all, `[1]`.

    A scalar beside i64 is an i64, beside other integers an i32, else an f32. Sums, differences and products of i32 keep
    the low 32 bits. A scalar that is known at run time only is the last source; the instruction takes what it is when
    it is issued.

        ascend.vec "vmuls"(%x, %s) -> %y : (memref<…, "ub">, f32) -> memref<…, "ub">

    `vbrcb` takes 8 elements a repeat, `[repeat, 8, 1]`, each of which fills a block, `[repeat, 8, lanes]`. `vgather`
    takes element i from byte `b[i]` of its first source, `b` being i32.

    A bit mask (what comparisons give, the first source of `vsel`) is bytes, `[ceil(n / 8)]` i8 beside `[n]` elements,
    bit i of byte j for element 8 j + i; such an instruction works in counter mode.

        ascend.vec "vadds"(%x) -> %y scalar 1.0 : (memref<…, "ub">) -> memref<…, "ub">

    On chips that compute in registers an instruction is a loop in a vector function. With `{joined}` it goes on in the
    function of the instruction before it: nothing that the Vector pipe waits for or tells is between them
    (`vector_functions.py`). With `{joined, looped}` it goes on in the loop of the one before it too: values stay in
    registers between them (`vector_loops.py`).
    """

    name = "ascend.vec"
    instruction = prop_def(StringAttr)
    sources = var_operand_def()
    destination = operand_def(MemRefType)
    scalar = opt_prop_def(NUMBER)
    joined = opt_prop_def(UnitAttr)
    looped = opt_prop_def(UnitAttr)
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = (
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
        beside = sources[-1] if sources else destination
        super().__init__(
            operands=[sources, destination],
            properties={
                "instruction": StringAttr(instruction),
                "scalar": None if scalar is None else number_attribute(scalar, dtype_of(beside)),
            },
        )

    @property
    def number(self) -> SSAValue | None:
        """The scalar that is known at run time, if that is what it takes."""
        sources = self.sources
        if not sources or isinstance(sources[-1].type, MemRefType):
            return None
        return sources[-1]

    @property
    def vectors(self) -> Sequence[SSAValue]:
        """The sources in UB."""
        sources = self.sources
        return sources if not sources or isinstance(sources[-1].type, MemRefType) else sources[:-1]

    def _verify_scalar(self, known: VectorInstruction, vectors: Sequence[SSAValue]) -> None:
        number, beside = self.number, vectors[-1] if vectors else self.destination
        if (self.scalar is not None) + (number is not None) != known.scalar:
            raise VerifyException(
                f"ascend.vec: {known.name} {'needs a' if known.scalar else 'has no'} scalar"
            )
        if self.scalar is not None and not fits_elements(self.scalar, dtype_of(beside)):
            raise VerifyException(f"ascend.vec: the scalar beside {dtype_of(beside)} is not {self.scalar}")
        if number is not None and isinstance(number.type, AnyFloat) == (dtype_of(beside) in WHOLE):
            raise VerifyException(f"ascend.vec: the scalar beside {dtype_of(beside)} is no {number.type}")

    def verify_(self) -> None:
        known = VECTOR_INSTRUCTIONS.get(self.instruction.data)
        if known is None:
            raise VerifyException(f"ascend.vec: unknown instruction {self.instruction.data!r}")
        vectors = self.vectors
        if len(vectors) != known.sources:
            raise VerifyException(
                f"ascend.vec: {known.name} takes {known.sources} sources, got {len(vectors)}"
            )
        self._verify_scalar(known, vectors)
        operands = [*vectors, self.destination]
        if any(space_of(v) != "ub" for v in operands):
            raise VerifyException("ascend.vec: every operand is in ub")
        if self.joined is not None and not goes_on(self):
            raise VerifyException(
                "ascend.vec: no instruction before it has a vector function that could go on"
            )
        if self.looped is not None and self.joined is None:
            raise VerifyException("ascend.vec: a loop goes on inside a vector function: looped needs joined")
        if len({rank_of(v) for v in operands}) != 1 or rank_of(self.destination) not in (1, 3):
            raise VerifyException("ascend.vec: operands are all [n] or all [repeat, blocks, lanes]")
        if known.mask:
            mask = operands.pop(-1 if known.mask == "result" else 0)
            if dtype_of(mask) != "i8" or rank_of(mask) != 1:
                raise VerifyException(f"ascend.vec: the mask of {known.name} is [n / 8] i8, got {mask.type}")
        if known.reduces and not known.gives and (rank_of(self.destination) != 3):
            raise VerifyException(f"ascend.vec: {known.name} takes [repeat, blocks, lanes]")
        if known.moves == "gather" and dtype_of(operands.pop(1)) != "i32":
            raise VerifyException("ascend.vec: vgather takes elements from bytes that are i32")
        if known.bits and dtype_of(self.destination) not in (*WHOLE, "i8"):
            raise VerifyException(f"ascend.vec: {known.name} works on the bits of integers")
        if known.gives and dtype_of(operands.pop()) != known.gives:
            raise VerifyException(
                f"ascend.vec: {known.name} gives {known.gives}, not {self.destination.type}"
            )
        if not known.converts and len({dtype_of(v) for v in operands}) != 1:
            raise VerifyException(
                f"ascend.vec: {known.name} needs one element type, got {[str(v.type) for v in operands]}"
            )


@quick_operands
@irdl_op_definition
class TransposeOp(LateFormat):
    """Transpose blocks on the Vector pipe: source `[repeat, 16, w]`, destination `[repeat, w, 16]`, or
    `[repeat, 16 / w, w, w]`, its columns in blocks that lie apart. Both may be `[repeat, 16 / w, w, w]`.

    A row of `w` elements is one 32 B block (w = 16 for 2-byte types, 8 for 4-byte types). Each of the 16 source
    rows and of the destination's 32 B blocks has an address of its own, a 32 B multiple; a source row stride of 0
    repeats one block.

        ascend.transpose %x, %y : memref<4x16x16xf16, …, "ub">, memref<4x16x16xf16, …, "ub">
    """

    name = "ascend.transpose"
    source = operand_def(MemRefType)
    destination = operand_def(MemRefType)
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$source `,` $destination attr-dict `:` type($source) `,` type($destination)"

    def __init__(self, source: SSAValue, destination: SSAValue):
        super().__init__(operands=[source, destination])

    def verify_(self) -> None:
        if space_of(self.source) != "ub" or space_of(self.destination) != "ub":
            raise VerifyException("ascend.transpose: both operands are in ub")
        if (rank_of(self.source), rank_of(self.destination)) not in ((3, 3), (3, 4), (4, 4)):
            raise VerifyException(
                "ascend.transpose: source is [repeat, 16, w], destination [repeat, w, 16] or [repeat, 16/w, w, w]"
            )
        if dtype_of(self.source) != dtype_of(self.destination):
            raise VerifyException("ascend.transpose: source and destination have one element type")
        if ELEMENT_BYTES.get(dtype_of(self.source)) not in (2, 4):
            raise VerifyException(f"ascend.transpose: elements are 2 or 4 B, not {dtype_of(self.source)}")

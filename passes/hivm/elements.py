"""What Vector ops of HIVM share: operands in the shape of their result, what the temporary buffer holds of them."""

from dataclasses import replace
from typing import cast

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Operation, SSAValue

from ...dialects import ascend
from ...dialects.attributes import integers
from ...dialects.hivm.base import HivmOp
from ..support.errors import LocatedError
from .context import Context
from .instructions import Scalar, barrier, vector
from .numbers import Number
from .refs import Ref, row_major

Operand = Ref | Scalar


def dims_of(op: Operation, name: str) -> tuple[int, ...]:
    found = op.properties.get(name)
    return () if found is None else integers(cast("DenseArrayBase", found))


def operand_of(context: Context, value: SSAValue) -> Operand:
    found = context.values.get(value)
    return found if isinstance(found, Ref) else Scalar(context.number(value))


def beside(scalar: Scalar, dtype: str) -> Scalar:
    """A scalar as it stands beside elements: of integers an integer."""
    value: Number = scalar.value
    if not isinstance(value, SSAValue):
        value = int(value) if dtype in ("i8", "i16", "i32", "i64") else float(value)
    return Scalar(value)


class Elements:
    """An op on elements, with its temporary buffer."""

    def __init__(self, context: Context, op: HivmOp):
        self.context, self.op = context, op
        self.to = context.ref(op.one("dst"))
        temp = op.optional("temp")
        self._temp = None if temp is None else context.ref(temp)
        self._used = 0
        if dims_of(op, "transpose"):
            raise LocatedError(op, f"{op.name}: transposing on the way is not taken")

    def temp(self, elements: int, dtype: str) -> Ref:
        """So many elements of the temporary buffer, behind those that are in use."""
        room = self._temp
        if room is None or room.dtype != dtype or (self._used + elements) > room.sizes[0]:  # pyright: ignore
            raise LocatedError(
                self.op, f"{self.op.name}: its temp_buffer has no room for {elements} elements of {dtype}"
            )
        found = replace(room, sizes=(elements,), offset=self.context.emit.add(room.offset, self._used))
        self._used += elements
        return found

    def sources(self) -> list[Operand]:
        """The operands in the shape of the result."""
        return [self.shaped(operand_of(self.context, value)) for value in self.op.group("src")]

    def shaped(self, operand: Operand) -> Operand:
        """With dimensions of 1 repeated as the result has them; what is repeated within a row is a block of its own."""
        if isinstance(operand, Scalar):
            return operand
        repeated = self._repeated(operand)
        if len(operand.sizes) - 1 in repeated:
            operand = self._blocks(operand)
        return self._spread(operand, repeated)

    def plain_sources(self) -> list[Operand]:
        """The operands in the shape of the result, for what takes single elements: those that are repeated stay."""
        found = [operand_of(self.context, value) for value in self.op.group("src")]
        return [one if isinstance(one, Scalar) else self._spread(one, self._repeated(one)) for one in found]

    def _repeated(self, ref: Ref) -> list[int]:
        """Dimensions of 1 that the result has more of."""
        return [d for d, n in enumerate(ref.sizes) if n == 1 and self.to.sizes[d] != 1]

    def _spread(self, operand: Ref, repeated: list[int]) -> Ref:
        if not repeated:
            return operand
        strides = tuple(0 if d in repeated else s for d, s in enumerate(operand.strides))
        return replace(operand, sizes=self.to.sizes, strides=strides)

    def _blocks(self, ref: Ref) -> Ref:
        """Each element of a column as a block of equal ones, which the temporary buffer holds."""
        rows = 1
        for size in ref.sizes:
            if not isinstance(size, int):
                raise LocatedError(
                    self.op, f"{self.op.name}: a column of a size that is known at run time is not taken"
                )
            rows *= size
        emit, lanes = self.context.emit, ref.lanes
        whole = -(-rows // 8)
        room = self.temp(rows * lanes, ref.dtype)
        column = emit.view(ref.base, (whole, 8, 1), (8, 1, 1), ref.offset, ref.slot)
        blocks = emit.view(room.base, (whole, 8, lanes), (8 * lanes, lanes, 1), room.offset, room.slot)
        packed = row_major(ref.sizes)  # pyright: ignore[reportArgumentType]
        if any(a != b for a, b, n in zip(ref.strides, packed, ref.sizes, strict=True) if n != 1):
            raise LocatedError(self.op, f"{self.op.name}: a column whose elements lie apart is not taken")
        emit.insert(ascend.VecOp("vbrcb", [column], blocks))
        barrier(self.context)
        return replace(room, sizes=ref.sizes, strides=tuple(lanes * n for n in packed))

    def scalar_block(self, scalar: Scalar, dtype: str) -> Ref:
        """A scalar as a block of equal elements, in the shape of the result."""
        lanes = 32 // {"f32": 4, "i32": 4, "f16": 2, "bf16": 2}[dtype]
        room = self.temp(lanes, dtype)
        vector(self.context, "vdup", [], room, beside(scalar, dtype))
        barrier(self.context)
        return replace(room, sizes=self.to.sizes, strides=(0,) * len(self.to.sizes))

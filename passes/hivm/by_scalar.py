"""What the scalar unit does in the place of the Vector, element by element, as the template library has it do."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace

from xdsl.ir import SSAValue

from ...dialects import ascend
from .context import Context
from .instructions import in_bytes
from .numbers import Flag, Number
from .refs import Ref, memref_of
from .scalars import from_memory, to_memory
from .transfers import LIBRARY, view_of


@contextmanager
def turn_of_scalar(context: Context) -> Generator[None, None, None]:
    """The Vector hands over to the scalar unit, which hands back."""
    emit = context.emit
    emit.set_flag("V", "S", LIBRARY)
    emit.wait_flag("V", "S", LIBRARY)
    yield
    emit.set_flag("S", "V", LIBRARY)
    emit.wait_flag("S", "V", LIBRARY)


def _element(context: Context, ref: Ref) -> SSAValue:
    """The first element of a ref."""
    return view_of(context.emit, replace(ref, sizes=(1,), strides=(1,)))


def read(context: Context, ref: Ref) -> Number:
    """The first element of a ref, as a number."""
    found = context.emit.insert(ascend.LoadScalarOp(_element(context, ref))).result
    return from_memory(context, found)


def write(context: Context, number: Number, ref: Ref) -> None:
    """The first element of a ref becomes a number."""
    view = _element(context, ref)
    value = to_memory(context, number, memref_of(view).element_type)
    context.emit.insert(ascend.StoreScalarOp(value, view))


def read_bit(context: Context, mask: Ref) -> Flag:
    """The first bit of a mask, or whether its first byte is not zero."""
    emit = context.emit
    if mask.dtype != "i1":
        return emit.compare(1, read(context, mask), 0)
    byte = read(context, in_bytes(context, replace(mask, sizes=(1,), strides=(1,))))
    moved = emit.integer("shrsi", byte, emit.rem(mask.offset, 8))  # pyright: ignore[reportArgumentType]
    return emit.compare(1, emit.integer("andi", moved, 1), 0)


__all__ = ["read", "read_bit", "turn_of_scalar", "write"]

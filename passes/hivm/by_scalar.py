"""What the scalar unit does in the place of the Vector, element by element, as the template library has it do."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace

from xdsl.ir import Operation, SSAValue

from ...dialects import ascend
from ...dialects.attributes import WHOLE
from ..support.errors import LocatedError
from .context import Context
from .instructions import in_bytes
from .numbers import Flag, Number
from .refs import Ref, memref_of, moved
from .scalars import from_memory, to_memory
from .transfers import LIBRARY, each, view_of

INTEGERS = {"vadd": "addi", "vmul": "muli", "vmax": "maxsi", "vmin": "minsi"}
FLOATS = {"vadd": "addf", "vmul": "mulf", "vmax": "maximumf", "vmin": "minimumf"}
"""What the scalar unit does in the place of instructions."""


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


def fold_by_scalar(context: Context, op: Operation, fold: str, refs: tuple[Ref, Ref]) -> None:
    """Each row of a matrix to one element, in order."""
    source = refs[0]
    whole = source.dtype in WHOLE
    name = (INTEGERS if whole else FLOATS)[fold]
    if not whole and source.dtype != "f32" and fold not in ("vmax", "vmin"):
        raise LocatedError(op, f"{op.name}: rows of {source.dtype} that no instruction takes are not reduced")
    emit = context.emit
    columns = source.sizes[1]
    with turn_of_scalar(context), each(emit, refs, 1) as (row, element):
        with emit.loop((1, columns, 1), [read(context, row)]) as (index, made):
            one = read(context, moved(emit, row, index, row.strides[0]))
            so_far = made.body.block.args[1]
            emit.give([emit.integer(name, so_far, one) if whole else emit.real(name, so_far, one)])  # pyright: ignore
        write(context, made.results[0], element)


__all__ = ["fold_by_scalar", "read", "read_bit", "turn_of_scalar", "write"]

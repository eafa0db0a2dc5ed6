"""How a tensor lies in GM between kernels where that is not row-major: in blocks, as tiles lie on chip."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntAttr, TensorType
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..record_attributes import located
from .types import BLOCK, parse_blocks, print_blocks


@irdl_attr_definition
class LayoutAttr(ParametrizedAttribute):
    """`#tile.layout<blocked 1 order [0, 1, 2, 3]>`: dimension 1 in blocks of 16 that lie innermost, dimensions and
    blocks in the given order, as `!tile.tile` says it of tiles. It is the encoding of a tensor type:

        tensor<8x64x56x56xf16, #tile.layout<blocked 1 order [0, 1, 2, 3]>>    NC1HWC0: 8x4x56x56x16 in GM
        tensor<128x512xf16, #tile.layout<blocked 1 order [1, 0]>>             NZ: 32x128x16 in GM
    """

    name = "tile.layout"
    order: ArrayAttr[IntAttr]
    block: IntAttr

    @staticmethod
    def get(block: int, order: Sequence[int]) -> "LayoutAttr":
        return LayoutAttr(ArrayAttr([IntAttr(d) for d in order]), IntAttr(block))

    @property
    def blocked(self) -> int:
        """The dimension whose blocks lie innermost."""
        return self.block.data

    @property
    def dims(self) -> tuple[int, ...]:
        """The dimensions, the outermost first."""
        return tuple(d.data for d in self.order)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            print_blocks(printer, self.blocked, self.dims)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        start = parser.pos
        with parser.in_angle_brackets():
            block, order = parse_blocks(parser)
        with located(parser, start):
            return LayoutAttr.get(block, order).parameters

    def verify(self) -> None:
        if sorted(self.dims) != list(range(len(self.dims))):
            raise VerifyException(
                f"layout: order {list(self.dims)} is not a permutation of {len(self.dims)} dimensions"
            )
        if not 0 <= self.blocked < len(self.dims):
            raise VerifyException(
                f"layout: blocked dimension {self.blocked} of a tensor of rank {len(self.dims)}"
            )


def layout_of(kind: Attribute) -> LayoutAttr | None:
    """The layout of a tensor type; None for row-major, and for what is no tensor."""
    encoding = kind.encoding if isinstance(kind, TensorType) else None
    return encoding if isinstance(encoding, LayoutAttr) else None


def physical_shape(kind: TensorType[Attribute]) -> tuple[int, ...]:
    """The shape of a tensor in GM: with a layout the dimensions in its order, then a block.

    Raises VerifyException where the layout does not fit the shape.
    """
    layout, shape = layout_of(kind), kind.get_shape()
    if layout is None:
        return shape
    if len(layout.dims) != len(shape):
        raise VerifyException(f"a layout of {len(layout.dims)} dimensions does not fit {kind}")
    if shape[layout.blocked] % BLOCK:
        raise VerifyException(
            f"dimension {layout.blocked} of {kind} has {shape[layout.blocked]} elements, which are no blocks of {BLOCK}"
        )
    return (*(shape[d] // BLOCK if d == layout.blocked else shape[d] for d in layout.dims), BLOCK)


def physical_strides(kind: TensorType[Attribute]) -> tuple[int, ...]:
    """For each dimension of a tensor the elements of GM from one index to the next; of the one in blocks, from one
    block to the next."""
    layout, shape = layout_of(kind), kind.get_shape()
    strides, step = [0] * len(shape), 1
    order = tuple(range(len(shape))) if layout is None else layout.dims
    if layout is not None:
        step = BLOCK
    for d in reversed(order):
        strides[d] = step
        step *= shape[d] // BLOCK if layout is not None and d == layout.blocked else shape[d]
    return tuple(strides)

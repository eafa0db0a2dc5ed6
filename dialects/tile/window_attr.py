"""The window of a convolution, by which a product reads its left operand."""

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects.builtin import ArrayAttr, IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..record_attributes import parse_record, record_text
from ..tiling import Image2Col

WINDOWS = 1024
"""So many windows are kept."""


@irdl_attr_definition
class WindowAttr(ParametrizedAttribute):
    """A window that slides over rows and columns of an image: its size, steps, distances of its taps, and the padding
    at the top, the left, the bottom and the right.

        #tile.window<kernel = [3, 3], strides = [1, 1], dilations = [1, 1], pads = [1, 1, 1, 1]>
    """

    name = "tile.window"
    kernel: ArrayAttr[IntAttr]
    strides: ArrayAttr[IntAttr]
    dilations: ArrayAttr[IntAttr]
    pads: ArrayAttr[IntAttr]

    @staticmethod
    @lru_cache(WINDOWS)
    def get(image: Image2Col) -> "WindowAttr":
        columns = (image.kernel, image.strides, image.dilations, image.pads)
        return WindowAttr(*(ArrayAttr([IntAttr(n) for n in numbers]) for numbers in columns))

    @property
    def image(self) -> Image2Col:
        """The window in Python values."""
        return _image(self)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(record_text(self.image))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return WindowAttr.get(parse_record(parser, Image2Col)).parameters

    def verify(self) -> None:
        self.image.verify()


@lru_cache(WINDOWS)
def _image(window: WindowAttr) -> Image2Col:
    (kh, kw), (sh, sw), (dh, dw), (top, left, bottom, right) = (
        [n.data for n in numbers]
        for numbers in (window.kernel, window.strides, window.dilations, window.pads)
    )
    return Image2Col((kh, kw), (sh, sw), (dh, dw), (top, left, bottom, right))

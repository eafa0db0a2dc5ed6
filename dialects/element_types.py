"""Element types: their bytes, what tiles hold them as, and what the Cube sums them in."""

from functools import cache

from xdsl.ir import Attribute

ELEMENT_BYTES = {"f16": 2, "bf16": 2, "f32": 4, "i1": 1, "i8": 1, "i32": 4, "i16": 2, "i64": 8}
"""Of a tensor in GM: an i1 is a byte, 0 or 1. Graphs have no i16 and no i64: only programs of other compilers do."""


HELD_AS = {"i1": "f16", "i8": "f16"}
"""What tiles in UB are of tensors in GM whose type the Vector only converts, on the way in and on the way out."""


BLOCK_BYTES = 32
"""Bytes of a data block: what a Vector instruction walks, a channel block (C0), a row of a fractal."""


@cache
def name_of(dtype: Attribute) -> str:
    """An element type as it is printed, which takes longer than to look it up."""
    return str(dtype)


def bytes_of(dtype: Attribute) -> int:
    """Bytes of an element in GM."""
    return ELEMENT_BYTES[name_of(dtype)]


def lanes_of(dtype: Attribute | str) -> int:
    """Elements of a data block: lanes of the Vector, C0 of a layout, K of a fractal of the Cube's operands. 16 for
    2-byte types, 8 for f32."""
    return BLOCK_BYTES // ELEMENT_BYTES[dtype if isinstance(dtype, str) else name_of(dtype)]


SUMS = {"f16": "f32", "bf16": "f32", "f32": "f32", "i8": "i32"}
"""Operands of the Cube's products, and what these are summed in."""

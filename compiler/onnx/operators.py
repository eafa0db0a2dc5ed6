"""The converters of all operators, by domain and name."""

from . import (
    convert_attention,
    convert_elements,
    convert_images,
    convert_indexing,
    convert_moves,
    convert_norms,
    convert_products,
    convert_quantized,
    convert_recurrent,
    convert_reductions,
)
from .builder import CONVERTERS, REFUSED

MODULES = (
    convert_attention,
    convert_elements,
    convert_images,
    convert_indexing,
    convert_moves,
    convert_norms,
    convert_products,
    convert_quantized,
    convert_recurrent,
    convert_reductions,
)

__all__ = ["CONVERTERS", "MODULES", "REFUSED"]

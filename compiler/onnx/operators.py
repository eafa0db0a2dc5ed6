"""The converters of all operators, by domain and name: importing their modules registers them."""

from importlib import import_module

from .builder import CONVERTERS, REFUSED

KINDS = (
    *("attention", "elements", "images", "indexing", "moves"),
    *("norms", "products", "quantized", "recurrent", "reductions"),
)
"""Modules of converters, without `convert_`."""

for _kind in KINDS:
    import_module(f".convert_{_kind}", __package__)

__all__ = ["CONVERTERS", "KINDS", "REFUSED"]

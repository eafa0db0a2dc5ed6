"""The converters of all operators, by domain and name: importing their modules registers them."""

from importlib import import_module

from ..text.diagnostics import did_you_mean
from .builder import CONVERTERS, REFUSED

KINDS = (
    *("attention", "elements", "images", "indexing", "moves"),
    *("norms", "products", "quantized", "recurrent", "reductions", "sequences"),
)
"""Modules of converters, without `convert_`."""

for _kind in KINDS:
    import_module(f".convert_{_kind}", __package__)


def why_refused(domain: str, operator: str) -> str:
    """Why an operator that has no converter cannot be imported: it is not supported, or there is none of that name."""
    from onnx import defs

    if not domain and operator in REFUSED:
        return REFUSED[operator]
    if defs.has(operator, domain):
        return "this operator is not supported"
    known = [name for where, name in CONVERTERS if where == domain]
    return f"there is no such operator{domain and f' of domain {domain}'}{did_you_mean(operator, known)}"


__all__ = ["CONVERTERS", "KINDS", "REFUSED", "why_refused"]

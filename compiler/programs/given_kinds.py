"""Of what kind the arguments of the Python API are: `TypeError` in the words of who gave them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from numbers import Integral, Real
from pathlib import Path
from typing import Any, cast

from ...dialects.records import dataclass
from ...passes.plans.plan import Plan
from ..onnx.names import is_model


@dataclass(frozen=True)
class Kind:
    """What an argument may be, in words, and whether a value is that."""

    words: str
    fits: Callable[[Any], bool]

    def or_none(self) -> Kind:
        """The same, or None."""
        return Kind(self.words, lambda value: value is None or self.fits(value))


def check_kinds(given: Mapping[str, Any], kinds: Mapping[str, Kind]) -> None:
    """`TypeError` at the first argument that is not of its kind."""
    for name, kind in kinds.items():
        if not kind.fits(given[name]):
            shown = repr(given[name])
            what = shown if len(shown) <= 40 else f"a value of type {type(given[name]).__name__}"
            raise TypeError(f"{name} is {kind.words}, not {what}")


def plain(value: Any) -> Any:
    """A number, also one of numpy's, as Python's own; so are those in a sequence or a mapping."""
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in cast(Mapping[str, Any], value).items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(map(plain, cast(Iterable[Any], value)))
    if _is_whole(value):
        return int(value)
    return float(value) if _is_number(value) else value


def _is_whole(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, Integral)


def _is_number(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _all(of: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether a value is a sequence, or an array, of such elements."""

    def fits(value: Any) -> bool:
        if not hasattr(value, "__len__") or isinstance(value, str | bytes | Mapping | Set):
            return False
        return all(of(one) for one in cast(Iterable[Any], value))

    return fits


def _mapping(of: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether a value maps names to such values."""

    def fits(value: Any) -> bool:
        if not isinstance(value, Mapping):
            return False
        return all(_is_text(name) and of(one) for name, one in cast(Mapping[Any, Any], value).items())

    return fits


SWITCH = Kind("True or False", lambda value: isinstance(value, bool))
COUNT = Kind("a whole number", _is_whole)
NUMBER = Kind("a number", _is_number)
TEXT = Kind("a text", _is_text)
PATH = Kind("the path of a file", lambda value: isinstance(value, str | Path))
FUNCTION = Kind("a function", callable)
TEXTS = Kind("a sequence of texts", _all(_is_text))
COUNTS = Kind("a sequence of whole numbers", _all(_is_whole))
TEXT_BY_NAME = Kind("a mapping of names to texts", _mapping(_is_text))
BY_NAME = Kind("a mapping of names to values", _mapping(lambda value: True))

COMPILE = {
    "graph": TEXT.or_none(),
    "tune": COUNT,
    "min_gain": NUMBER.or_none(),
    "max_occupancy": NUMBER.or_none(),
    "layouts": SWITCH,
    "join_launches": SWITCH,
    "marks": TEXTS,
    "plan": Kind(
        "a plan or the path of one", lambda value: isinstance(value, Plan) or PATH.fits(value)
    ).or_none(),
    "store": PATH.or_none(),
    "dynamic_sizes": COUNTS,
    "dynamic_range": COUNTS,
    "max_loss": NUMBER.or_none(),
    "precision": TEXT.or_none(),
    "precision_of": TEXT_BY_NAME.or_none(),
    "dims": BY_NAME.or_none(),
    "jobs": COUNT.or_none(),
    "reports": SWITCH,
    "after_pass": FUNCTION.or_none(),
    "warn": FUNCTION.or_none(),
}
"""What `compile` takes beside a source, a chip and `fuse`, which say themselves what they may be."""

FROM_ONNX = {
    "source": Kind("the path of a model or a model", lambda value: PATH.fits(value) or is_model(value)),
    **{name: COMPILE[name] for name in ("precision", "precision_of", "dims", "warn")},
    "constants": BY_NAME.or_none(),
}
"""What `from_onnx` takes."""

RUN = {
    "values": SWITCH,
    "hazards": SWITCH,
    "traced_cores": Kind("a whole number of 0 or more", lambda value: _is_whole(value) and value >= 0),
    "size": COUNT.or_none(),
    "watch": Kind(
        "an object with before and after", lambda value: hasattr(value, "before") and hasattr(value, "after")
    ).or_none(),
    "warm": SWITCH,
    "usage": SWITCH,
}
"""How `Program.run` runs."""

__all__ = ["COMPILE", "FROM_ONNX", "PATH", "RUN", "TEXT", "Kind", "check_kinds", "plain"]

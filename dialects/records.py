"""Dataclasses that cost little to define: their methods are made when they are needed.

The standard decorator compiles source text for each method of each class, 0.5 ms a class: a fifth of what it takes to
compile one convolution. Here `__init__` is compiled when the first instance is made, and the other methods are plain
functions that all classes share. All else is as in `dataclasses`, whose `field`, `fields` and `replace` work on these
classes, too. Options are `frozen`, `eq`, `repr` and `slots`; with others, and below dataclasses that are frozen by the
standard decorator, that one does the work.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

_OPTIONS = {"frozen", "eq", "repr", "slots"}


def _record(
    cls: Any, *, frozen: bool = False, eq: bool = True, repr: bool = True, slots: bool = False
) -> Any:
    """The class, as a dataclass."""
    explicit_hash = cls.__dict__.get("__hash__") is not None
    cls.__doc__ = cls.__doc__ or cls.__name__
    made: Any = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots)
    _add(made, "__init__", _first_init(made, frozen))
    if repr:
        _add(made, "__repr__", _shown)
    if eq:
        key = _compared([f.name for f in fields(made) if f.compare])
        _add(made, "__eq__", _equal(key))
        if not explicit_hash:
            made.__hash__ = _hashed(key) if frozen else None
    if frozen:
        made.__setattr__, made.__delattr__ = _no_assignment, _no_deletion
        if slots:
            made.__getstate__, made.__setstate__ = _state, _with_state
    return made


def _add(cls: type, name: str, method: Callable[..., Any]) -> None:
    """Give the class a method unless it defines one itself."""
    if name not in cls.__dict__:
        setattr(cls, name, method)


def _first_init(cls: Any, frozen: bool) -> Callable[..., None]:
    """What makes the class's `__init__` when it is called for the first time."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        cls.__init__ = init = _compiled_init(cls, frozen)
        init(self, *args, **kwargs)

    return __init__


def _compiled_init(cls: Any, frozen: bool) -> Callable[..., None]:
    scope: dict[str, Any] = {"_set": object.__setattr__, "_MISSING": MISSING}
    parameters, body = ["self"], list[str]()
    for one in fields(cls):
        value, default = one.name, one.default
        if one.default_factory is not MISSING:
            scope[f"_make_{one.name}"] = one.default_factory
            value = f"_make_{one.name}()"
            if one.init:
                value = f"{value} if {one.name} is _MISSING else {one.name}"
                default = MISSING
                parameters.append(f"{one.name}=_MISSING")
        elif not one.init:
            continue
        elif default is MISSING:
            parameters.append(one.name)
        else:
            scope[f"_default_{one.name}"] = default
            parameters.append(f"{one.name}=_default_{one.name}")
        body.append(f"_set(self, {one.name!r}, {value})" if frozen else f"self.{one.name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    lines = "\n ".join(body or ["pass"])
    exec(f"def __init__({', '.join(parameters)}):\n {lines}", scope)
    init = scope["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _compared(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """The values of these fields."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _: ()
    (name,) = names
    return lambda record: (getattr(record, name),)


def _equal(key: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, Any], bool]:
    def __eq__(self: Any, other: Any) -> bool:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hashed(key: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:
        return hash(key(self))

    return __hash__


@recursive_repr()
def _shown(self: Any) -> str:
    known: tuple[Field[Any], ...] = fields(self)
    values = (f"{f.name}={getattr(self, f.name)!r}" for f in known if f.repr)
    return f"{self.__class__.__qualname__}({', '.join(values)})"


def _no_assignment(self: Any, name: str, value: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_deletion(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in fields(self)]


def _with_state(self: Any, state: list[Any]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """`dataclasses.dataclass`, for less."""

        def made(one: type) -> type:
            bases = (getattr(base, "__dataclass_params__", None) for base in one.__mro__[1:])
            if not options.keys() <= _OPTIONS or any(base is not None and base.frozen for base in bases):
                return dataclasses.dataclass(one, **options)
            return _record(one, **options)

        return made if cls is None else made(cls)

"""Dataclasses that cost little to define: their methods are made when they are needed.

The standard decorator compiles source text for each method of each class, 0.5 ms a class: a fifth of what it takes to
compile one convolution. Here `__init__` is made for the first instance, of code that is compiled once for all classes
whose fields are alike, and the other methods are plain functions that all classes share. All else is as in
`dataclasses`, whose `field`, `fields` and `replace` work on these classes, too. Options are `frozen`, `eq`, `repr` and
`slots`; with others the standard decorator does the work.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

_OPTIONS = {"frozen", "eq", "repr", "slots"}


def _record(
    cls: Any,
    *,
    frozen: bool = False,
    eq: bool = True,
    repr: bool = True,
    slots: bool = False,
    below: bool = False,
) -> Any:
    """The class, as a dataclass. `below`: below one that the standard decorator froze, which lets no other one be."""
    explicit_hash = cls.__dict__.get("__hash__") is not None
    cls.__doc__ = cls.__doc__ or cls.__name__
    made: Any = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots, frozen=below)
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
    names, kinds, defaults = dict[str, str](), list[tuple[bool, bool]](), list[Any]()
    for one in fields(cls):
        made = one.default_factory is not MISSING
        if not made and not one.init:
            continue
        place = f"f{len(names)}"
        names[place] = one.name
        kinds.append((made, one.init))
        if made:
            scope[f"_make_{place}"] = one.default_factory
        if one.init and (made or one.default is not MISSING):
            defaults.append(MISSING if made else one.default)
        elif one.init and defaults:
            raise TypeError(f"non-default argument {one.name!r} follows default argument")
    code = _init_code(tuple(kinds), frozen, hasattr(cls, "__post_init__"))
    renamed: dict[str, Any] = {
        part: tuple(names.get(name, name) if isinstance(name, str) else name for name in getattr(code, part))
        for part in ("co_varnames", "co_consts", "co_names")
    }
    init = FunctionType(code.replace(**renamed), scope, "__init__", tuple(defaults))
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


@cache
def _init_code(kinds: tuple[tuple[bool, bool], ...], frozen: bool, more: bool) -> CodeType:
    """The code of an `__init__` of fields `f0`, `f1`, …: whether each has a factory, and is a parameter; `more`:
    whether `__post_init__` follows. Compiled once for all classes that are alike."""
    parameters, body = ["self"], list[str]()
    for index, (made, given) in enumerate(kinds):
        name = f"f{index}"
        value = f"_make_{name}() if {name} is _MISSING else {name}" if made and given else name
        value = f"_make_{name}()" if made and not given else value
        parameters += [name] if given else []
        body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if more:
        body.append("self.__post_init__()")
    lines = "\n ".join(body or ["pass"])
    scope: dict[str, Any] = {}
    exec(f"def __init__({', '.join(parameters)}):\n {lines}", scope)
    return scope["__init__"].__code__


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
            below = any(base is not None and base.frozen for base in bases)
            if not options.keys() <= _OPTIONS or (below and not options.get("frozen")):
                return dataclasses.dataclass(one, **options)
            return _record(one, below=below, **options)

        return made if cls is None else made(cls)

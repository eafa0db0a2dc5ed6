"""Classes of `dialects.records` against those of the standard decorator: the same text, decorated by either."""

import copy
import dataclasses
import pickle
import re
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, field, fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

from ascend_opt.dialects import records

DECORATORS: tuple[Any, ...] = (dataclasses.dataclass, records.dataclass)


def _classes(decorate: Any) -> dict[str, Any]:
    """One class of each kind."""

    @decorate(frozen=True)
    class Base:
        """A class."""

        a: int
        b: tuple[int, ...] = ()
        c: list[int] = field(default_factory=list[int], compare=False)
        d: ClassVar[int] = 3

        @cached_property
        def double(self) -> int:
            return 2 * self.a

    @decorate(frozen=True)
    class Below(Base):
        e: str = field(default="", repr=False)
        b: tuple[int, ...] = (1,)

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError("negative")

    @decorate
    class Open:
        a: int
        b: int = field(init=False, default=7)
        c: dict[str, int] = field(init=False, default_factory=dict[str, int])

    @decorate(frozen=True, slots=True)
    class Slots:
        a: int
        b: str = "x"

    @decorate(slots=True, eq=False)
    class Plain:
        a: int

    @decorate(frozen=True)
    class Own:
        a: int

        def __hash__(self) -> int:
            return 5

        def __repr__(self) -> str:
            return "own"

    @decorate
    class Empty:
        pass

    return {one.__name__: one for one in (Base, Below, Open, Slots, Plain, Own, Empty)}


KINDS = [_classes(decorate) for decorate in DECORATORS]
ARGUMENTS: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "Base": [((1,), {}), ((1, (2,)), {}), ((1,), {"c": [4]}), ((), {"a": 1})],
    "Below": [((1,), {}), ((1, (2,)), {"e": "x"}), ((-1,), {})],
    "Open": [((1,), {}), ((2,), {}), ((1, 2), {})],
    "Slots": [((1,), {}), ((1,), {"b": "y"}), ((), {})],
    "Plain": [((1,), {})],
    "Own": [((1,), {}), ((2,), {})],
    "Empty": [((), {}), ((1,), {})],
}


def _outcome(what: Any) -> Any:
    try:
        return what()
    except (TypeError, ValueError, FrozenInstanceError) as error:
        return type(error), str(error)


def _text(value: Any) -> Any:
    """What is printed of a value; local classes are named alike."""
    return repr(value).replace(f"{_classes.__qualname__}.<locals>.", "")


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_as_the_standard_decorator(name: str) -> None:
    standard, ours = (list(_told(kind[name], name)) for kind in KINDS)
    assert ours == standard


def _told(cls: Any, name: str) -> Iterator[Any]:
    """What can be seen of a class and of its instances."""
    yield [(f.name, f.init, f.repr, f.compare) for f in fields(cls)], cls.__match_args__
    made: list[Any] = []
    for positional, named in ARGUMENTS[name]:
        one = _outcome(partial(cls, *positional, **named))
        made += [one] if isinstance(one, cls) else []
        yield _text(one) if name != "Plain" else not hasattr(one, "__dict__")
    for one in made:
        if name != "Plain":  # its instances are compared as objects
            yield [one == other for other in made], _outcome(partial(hash, one)), replace(one) == one
        yield _outcome(partial(setattr, one, "a", 9))


def test_what_is_cached_and_what_is_not_compared() -> None:
    base = KINDS[1]["Base"]
    one = base(3, c=[1])
    assert one.double == 6
    assert one.double == 6
    assert one == base(3)
    assert replace(one, a=4).double == 8
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'a'"):
        del one.a
    assert "double" in vars(one)


@records.dataclass(frozen=True, slots=True)
class Kept:
    """A class that can be found by its name."""

    a: int
    b: str = "x"


def test_copies() -> None:
    one = Kept(1, "y")
    assert pickle.loads(pickle.dumps(one)) == one
    assert copy.deepcopy(one) == one
    assert not hasattr(one, "__dict__")


def test_below_a_frozen_standard_class() -> None:
    """As passes are, whose base is xDSL's."""

    @dataclasses.dataclass(frozen=True)
    class Pass:
        name: ClassVar[str] = ""

    @records.dataclass(frozen=True)
    class Ours(Pass):
        tune: int = 1

    assert Ours() == Ours(1) != Ours(2)
    with pytest.raises(FrozenInstanceError):
        Ours().tune = 2  # pyright: ignore[reportAttributeAccessIssue]


def test_init_is_compiled_once_needed() -> None:
    @records.dataclass
    class Late:
        a: int = 1

    first = Late.__init__
    assert Late().a == 1
    assert Late.__init__ is not first
    second = Late.__init__
    assert Late(2).a == 2
    assert Late.__init__ is second


def test_every_module_takes_the_cheap_one() -> None:
    package = Path(records.__file__).parents[1]
    modules = [
        m
        for folder in ("dialects", "runtime", "passes", "compiler", "tools")
        for m in (package / folder).rglob("*.py")
    ]
    assert len(modules) > 500
    standard = [
        m.name for m in modules if re.search(r"^from dataclasses import .*\bdataclass\b", m.read_text(), re.M)
    ]
    assert standard == []

"""What takes long to import, imported when something of it is first used: a check of a program computes no values."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

_RUNTIME = __name__.rpartition(".support.")[0]


class Late:
    """A module by its full name. What was used once is looked up no more."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(import_module(self._name), attribute)
        setattr(self, attribute, found)
        return found


class LateFunctions:
    """Functions of a module of the runtime, which is imported when one of them runs."""

    def __init__(self, name: str):
        self._module = Late(f"{_RUNTIME}.{name}")

    def __getattr__(self, attribute: str) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            return getattr(self._module, attribute)(*arguments)

        setattr(self, attribute, run)
        return run


class LateSpreads:
    """Functions of a module of the runtime that give functions of two values, which do the work: neither runs
    earlier."""

    def __init__(self, name: str):
        self._module = Late(f"{_RUNTIME}.{name}")

    def __getattr__(self, attribute: str) -> Callable[..., Any]:
        def make(*arguments: Any) -> Callable[[Any, Any], Any]:
            def run(first: Any, second: Any) -> Any:
                return getattr(self._module, attribute)(*arguments)(first, second)

            return run

        setattr(self, attribute, make)
        return make


np = Late("numpy")

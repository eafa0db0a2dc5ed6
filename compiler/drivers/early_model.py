"""A process that is there to read an ONNX model, for the tool that prints it. From the first look at the arguments on
it imports what reads models, while the tool imports the passes. Those do without weights, and without the packages that
read models."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING

from ..workers.beside import Beside

if TYPE_CHECKING:
    from ..onnx import ImportOptions

Asked = tuple[str, "ImportOptions"]
"""A file, and how it is imported."""
Packed = tuple[bytes, list[str]]
"""A module, and the notes on it."""
ModelReader = Beside[Asked, Packed]


@contextmanager
def early_reader(arguments: Sequence[str]) -> Generator[ModelReader | None]:
    """The process, which ends with the context; None where the arguments name no model, or one process."""
    reader = Beside(_get_ready) if hasattr(os, "fork") and _wanted(arguments) else None
    try:
        yield reader
    finally:
        if reader is not None:
            reader.end()


def _wanted(arguments: Sequence[str]) -> bool:
    """Whether several processes may be asked for, and a model. More than that is known when the tool has read the
    arguments."""
    told = " ".join(arguments).replace("--jobs=", "--jobs ").split(" ")
    several = any(one == "--jobs" and more != "1" for one, more in pairwise(told))
    return several and any(one.endswith("onnx") for one in told)


def _get_ready() -> Callable[[Asked], Packed]:
    """Import what reads models."""
    from ...passes.support.packed_ops import packed
    from ..onnx.importer import import_model
    from ..onnx.model_file import import_packages

    def read(asked: Asked) -> Packed:
        imported = import_model(*asked)
        return packed([imported.module]), imported.few_notes

    import_packages()
    return read


__all__ = ["ModelReader", "early_reader"]

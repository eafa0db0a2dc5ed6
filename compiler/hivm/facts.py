"""What is known of launches of a HIVM file: a JSON file beside it says names, grids, scalars and shapes.

`kernel.json` beside `kernel.mlir`, or its entry `"kernel"` in `launches.json` of the folder:

    {"entry": "vector_add", "parameters": {"x": "pointer float32", …, "n": "i32"},
     "launches": [{"grid": [96], "shapes": {"x": [98304], …}, "scalars": {"n": 98304}}]}
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...dialects.records import dataclass
from ...dialects.storage_types import numpy_dtype
from ...runtime.support.hazard import ProgramError
from .module import HivmModule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

TOGETHER = "launches.json"


@dataclass(frozen=True)
class LaunchFacts:
    """One launch: blocks, the shapes of tensors and the values of scalars, by name."""

    grid: tuple[int, ...]
    shapes: Mapping[str, tuple[int, ...]]
    scalars: Mapping[str, Any]


@dataclass(frozen=True)
class Facts:
    """Launches of a kernel; `entry` and `names` None: as the text has them."""

    entry: str | None
    names: tuple[str, ...] | None
    launches: tuple[LaunchFacts, ...]


def facts_of(path: Path) -> Facts | None:
    """What is known of a HIVM file; None where no file says. ProgramError for one that makes no sense."""
    if not path.name:
        return None
    own, together = path.with_suffix(".json"), path.parent / TOGETHER
    found: Any = None
    source = own
    if own.is_file():
        found = _read(own)
    elif together.is_file():
        source, found = together, _read(together).get(path.stem)
    if found is None:
        return None
    try:
        parameters = found.get("parameters")
        launches = tuple(
            LaunchFacts(
                tuple(int(n) for n in one["grid"]),
                {name: tuple(int(n) for n in shape) for name, shape in one.get("shapes", {}).items()},
                dict(one.get("scalars", {})),
            )
            for one in found["launches"]
        )
        return Facts(found.get("entry"), None if parameters is None else tuple(parameters), launches)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ProgramError(f"{source}: no facts of launches: {type(error).__name__} {error}") from None


def _read(path: Path) -> Any:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ProgramError(f"{path}: no JSON: {error}") from None
    if not isinstance(found, dict):
        raise ProgramError(f"{path}: no facts of launches: an object is wanted")
    return found  # pyright: ignore[reportUnknownVariableType]


def seeded(
    module: HivmModule, names: Sequence[str], shapes: Mapping[str, Sequence[int]], seed: int = 0
) -> dict[str, Array]:
    """Random arrays for tensors, by name: normal numbers, and whole ones from 0 to 7."""
    import numpy as np

    found: dict[str, Array] = {}
    for index, (parameter, name) in enumerate(zip(module.parameters, names, strict=True)):
        if not parameter.pointer or name not in shapes:
            continue
        generator = np.random.default_rng([seed, index])
        dtype = numpy_dtype("i8" if parameter.dtype == "i1" else parameter.dtype)
        shape = tuple(shapes[name])
        whole = dtype.kind in "iu"
        found[name] = (
            generator.integers(0, 8, shape).astype(dtype)
            if whole
            else generator.standard_normal(shape).astype(dtype)
        )
    return found

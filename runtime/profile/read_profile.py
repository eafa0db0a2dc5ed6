"""Profiles read back from JSON: what `ascend-run --json` and `Profile.to_json` write."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar, cast

from ..program.kernel_program import BufferSlots
from ..program.workspace import WorkspaceProfile
from .findings import Advice, Bottleneck
from .profile import VERSION, GmProfile, KernelProfile, MemoryProfile, PipeProfile, Profile, TensorProfile
from .utilisation import Utilisation

COLUMNS = ("fused", "library", "unfused")
"""Of a report of `ascend-run`, the profiles; the first one that is there counts."""
Json = Mapping[str, Any]
T = TypeVar("T")


class ProfileError(ValueError):
    """A file that is no profile, or none that this version reads."""


def read_profile(path: str | Path) -> Profile:
    """The profile in a file; of a report of `ascend-run` the first column. Raises OSError, ProfileError."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ProfileError(f"'{path}' is no profile: {error}") from None
    return profile_from(data, str(path))


def profile_from(data: Any, name: str) -> Profile:
    """The profile in what was read of JSON; `name` is what errors call it. Raises ProfileError."""
    found = _first(cast(Json, data)) if isinstance(data, Mapping) else None
    if found is None:
        raise ProfileError(f"'{name}' is no profile: ascend-run --json writes one")
    version = found.get("version", 1)
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        raise ProfileError(
            f"'{name}' is a profile of version {version}; this ascend-run reads versions 1 to {VERSION}: "
            "write it again, or read it with the ascend-run that wrote it"
        )
    try:
        kernels = tuple(_kernel(one) for one in found["kernels"])
        used = found.get("utilisation")
        room, within = found.get("workspace"), found.get("interval_us")
        return _made(
            Profile,
            found,
            kernels=kernels,
            workspace=None if room is None else _made(WorkspaceProfile, room),
            interval_us=None if within is None else tuple(within),
            utilisation=None if used is None else _utilisation(used),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ProfileError(f"'{name}' is a damaged profile: {_reason(error)}") from None


def _first(data: Json) -> Json | None:
    """The profile itself, or the first one of a report."""
    for found in (data, *(data.get(column) for column in COLUMNS)):
        if isinstance(found, Mapping) and "kernels" in found and "total_us" in found:
            return cast(Json, found)
    return None


def _reason(error: Exception) -> str:
    return f"it lacks {error}" if isinstance(error, KeyError) else str(error)


def _kernel(data: Json) -> KernelProfile:
    within, held = data.get("interval_us"), data.get("bottleneck")
    made: dict[str, Any] = {
        "ops": tuple(data["ops"]),
        "pipes": {name: _pipe(pipe) for name, pipe in data["pipes"].items()},
        "memory": {name: _made(MemoryProfile, memory) for name, memory in data["memory"].items()},
        "tensors": tuple(_made(TensorProfile, tensor) for tensor in data["tensors"]),
        "advice": tuple(_made(Advice, one) for one in data.get("advice", ())),
        "buffers": tuple(_made(BufferSlots, one) for one in data.get("buffers", ())),
        "interval_us": None if within is None else tuple(within),
    }
    made |= {
        name: tuple(data.get(name, ())) for name in ("sources", "neighbours", "fusable", "tiles", "parts")
    }
    if held is not None:
        made["bottleneck"] = _made(Bottleneck, held)
    return _made(KernelProfile, data, **made)


def _utilisation(data: Json) -> Utilisation:
    curves = {name: tuple(curve) for name, curve in data["curves"].items()}
    return _made(Utilisation, data, curves=curves)


def _pipe(data: Json) -> PipeProfile:
    gm = data.get("gm")
    return _made(PipeProfile, data, gm=None if gm is None else _made(GmProfile, gm))


def _made(kind: type[T], data: Json, **made: Any) -> T:
    """A record of what is there for its fields, where that was not `made` already; what newer versions add beside is
    left. KeyError for a field that is missing and has no default."""
    taken: dict[str, Any] = {}
    for one in fields(kind):  # pyright: ignore[reportArgumentType]
        if one.name in made:
            taken[one.name] = made[one.name]
        elif one.name in data:
            taken[one.name] = data[one.name]
        elif one.default is MISSING and one.default_factory is MISSING:
            raise KeyError(one.name)
    return kind(**taken)


__all__ = ["ProfileError", "profile_from", "read_profile"]

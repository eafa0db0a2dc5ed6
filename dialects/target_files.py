"""Where the files of targets are: built in, registered by other packages, or named by their path."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path

from .near_names import nearest
from .target_fields import TargetError

DEFAULT_TARGET = "ascend910b"
"""The chip where none is named."""


@cache
def known_targets() -> dict[str, str]:
    """Name -> path of every known target file."""
    folder = files("ascend_opt.dialects") / "targets"
    found = {
        entry.name.removesuffix(".toml"): str(entry)
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    }
    for point in entry_points(group="ascend_opt.targets"):
        found[point.name] = _registered(point, found)
    return found


_UNUSABLE: dict[str, str] = {}
"""Why targets that packages register cannot be used, by name."""


def _registered(point: EntryPoint, known: Mapping[str, str]) -> str:
    """The path that a package registers; where none can be used it is noted why, for those who ask for that target."""
    if point.name in known:
        _UNUSABLE[point.name] = f"target {point.name!r} is there twice, once as {point.value}"
        return known[point.name]
    try:
        path = point.load()
        if isinstance(path, str | Path):
            return str(path)
        reason = f"it is {path!r}, and no path of a file"
    except Exception as error:
        reason = str(error)
    _UNUSABLE[point.name] = f"target {point.name!r} ({point.value}) does not load: {reason}"
    return point.value


def target_names() -> tuple[str, ...]:
    return tuple(sorted(known_targets()))


def path_of_target(name: str) -> str:
    """Where the target called `name`, or the file `name`, is."""
    path = known_targets().get(name)
    if name in _UNUSABLE:
        raise TargetError(_UNUSABLE[name])
    if path is None:
        if not name.endswith(".toml"):
            near = nearest(name, target_names())
            hint = f"; did you mean {near!r}?" if near else f"; known: {', '.join(target_names())}"
            raise TargetError(f"unknown target {name!r}{hint}")
        path = name
    return path


def text_of_target(name: str) -> str:
    """The text of the target file called `name`, or of the file `name`."""
    path = path_of_target(name)
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise TargetError(f"cannot read target file {path!r}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TargetError(f"cannot read target file {path!r}: it is no UTF-8 text") from None

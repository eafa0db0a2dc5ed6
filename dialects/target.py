"""Hardware targets: one TOML file per SoC under `targets/`, each number with its source.

A `Target` is the only place where passes, cost functions and runtime find a size, a rate or a
limit. `load_target` takes a name (built in, or registered by another package through the entry
point group `ascend_opt.targets`) or the path of a TOML file.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path

from .target_fields import TargetError
from .target_files import DEFAULT_TARGET, known_targets, path_of_target, target_names, text_of_target
from .target_parser import parse_target
from .target_types import Target


def no_instruction(target: Target, name: str, dtype: str) -> str:
    """What is said of a Vector instruction in an element type that the chip does not have."""
    which = f"has no {name} of" if dtype == "i32" and target.vector.integers else "does not compute in"
    return f"the Vector of {target.name} {which} {dtype}"


_REMEMBERED: dict[str, Target] = {}


def remember_target(target: Target) -> None:
    """Let `load_target` find a target that is in no file, by its origin."""
    _REMEMBERED[target.origin] = target


@cache
def load_target(name: str) -> Target:
    """The target called `name`, whatever its file calls it, or the one described by the TOML file `name`: called as the
    file where it states the name of another target. `TargetError` where there is none or the file is wrong."""
    if name in _REMEMBERED:
        return _REMEMBERED[name]
    path = path_of_target(name)
    target = parse_target(text_of_target(name), path)
    if name in known_targets():  # passes find it again by the name that is in modules
        return target if target.name == name else replace(target, name=name)
    known = known_targets().get(target.name)
    if known is not None and Path(known).resolve() != Path(path).resolve():
        # a changed copy: messages and marks on modules must not take it for the one that it is a copy of
        stem = Path(path).stem
        target = replace(target, name=path if stem in known_targets() else stem)
    return target


__all__ = [
    "DEFAULT_TARGET",
    "Target",
    "TargetError",
    "load_target",
    "no_instruction",
    "remember_target",
    "target_names",
    "text_of_target",
]

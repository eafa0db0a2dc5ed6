"""Targets that are given as objects: what `load_target` then takes to find them.

    compile(graph, target=load_target("ascend910").with_(cores=8))

Passes, marks on modules and saved programs know a target by a name. One that is in no file gets a name of its own,
which follows from what it says.
"""

from dataclasses import replace
from pathlib import Path

from .target import load_target, remember_target
from .target_files import target_names
from .target_parser import parse_target
from .target_text import text_of
from .target_types import Target
from .text_digest import text_digest

TargetLike = str | Path | Target
"""The name of a chip, the path of a `.toml` file, or a `Target`."""


def check_target(given: object) -> None:
    """`TypeError` at what is no `TargetLike`."""
    if not isinstance(given, TargetLike):
        kind = type(given).__name__
        raise TypeError(f"target is the name of a chip, the path of a .toml file or a Target, not {kind}")


def name_of_target(given: TargetLike) -> str:
    """What `load_target` takes to give a target. A changed copy of a known chip that has its name is called
    `<name>+<digits>`. `TargetError` names a field of an object that no file may state."""
    if not isinstance(given, Target):
        return str(given)
    known = given.name in target_names()
    if known and load_target(given.name) == given:
        return given.name
    text = text_of(given)
    digits = text_digest(text, 16)
    if known:  # messages and marks on modules must not take it for the one that it is a copy of
        given = replace(given, name=f"{given.name}+{digits[:6]}")
    target = parse_target(text_of(given), f"<Target {given.name} {digits}>")
    remember_target(target)
    return target.origin

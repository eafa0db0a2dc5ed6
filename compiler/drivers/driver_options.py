"""How `ascend-opt` reads options that xDSL's driver does not have, or has otherwise."""

from __future__ import annotations

import argparse
import re
from typing import Any, ClassVar

from ..pipeline.explain import UsageError


class AddStage(argparse.Action):
    """`--fuse`, `--lower` and `-p` add to one list, so that their order on the command line counts."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        steps = list(namespace.steps or [])
        steps.append((self.const, values))
        namespace.steps = steps


class OutputOrChip(argparse.Action):
    """`--target` names a chip; an output target of xDSL's `--target` is still understood."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        name = str(values)
        if name.partition("{")[0] in self.outputs:
            namespace.target = name
        else:
            namespace.chip = name

    outputs: ClassVar[frozenset[str]] = frozenset()


class Help(argparse.HelpFormatter):
    """Shows that the file of a report comes after `=`, or not at all."""

    def format_help(self) -> str:
        return re.sub(r"(--report(?:-json)?) FILE( {2})?", r"\1[=FILE]", super().format_help())


def positive(text: str) -> int:
    """A number that is 1 or more, for argparse; ValueError for others."""
    if (value := int(text)) < 1:
        raise ValueError
    return value


positive.__name__ = "count"


def fuse_first(steps: list[tuple[str | None, str]]) -> list[tuple[str | None, str]]:
    """The steps with `--fuse` or `--library` before the `--lower` beside it, in whatever order they were given. Passes
    between the two could be meant for either level: `UsageError`."""
    names = [stage for stage, _ in steps]
    if "fuse" in names and "library" in names:
        raise UsageError("--fuse and --library exclude each other")
    last = next((i for i, name in enumerate(names) if name in ("fuse", "library")), None)
    if last is None or "lower" not in names or last < names.index("lower"):
        return steps
    first = names.index("lower")
    if None in names[first:last]:
        raise UsageError(f"--{names[last]} comes before --lower, and -p before, between or after them")
    return [*steps[:first], steps[last], *steps[first:last], *steps[last + 1 :]]


__all__ = ["AddStage", "Help", "OutputOrChip", "fuse_first", "positive"]

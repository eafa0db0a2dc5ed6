"""How `ascend-opt` reads options that xDSL's driver does not have, or has otherwise."""

from __future__ import annotations

import argparse
import re
from typing import Any, ClassVar


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


__all__ = ["AddStage", "Help", "OutputOrChip", "positive"]

"""Excerpts of IR for these pages: some lines of a module, shortened, and an ellipsis for what is left out."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

import ascend_opt

DOCS = Path(__file__).parent
WIDTH = 118
"""Columns of a line; what is beyond is left out."""

SHORTER = (
    (r" : i64\b", ""),
    (r"array<i64: ([^>]*)>", r"[\1]"),
    (r", (?:nd|blocked \d+ order \[[\d, ]*\])(?=>)", ""),
    (r", strided<\[[^\]]*\](?:, offset: [\d?]+)?>", ""),
    (r"\bat (?:%\w+, )*%\w+ size (?:%\w+, )*%\w+", "at …"),
    (r"\{map = #tile\.map<.*?\)>(?:, )?", "{"),
    (r"fill = 0\.0+e\+00 : f32", "fill = 0"),
    (r" attributes \{schedule = ", " {"),
    (r" \{\}", ""),
    (r" \{ascend\.\w+ = [^}]*\}", ""),
    (r"(graph\.\w+ .*) : \(.*\) -> ", r"\1 -> "),
    (r"(tile\.group .*?\)) : \(.*\) -> ", r"\1 -> "),
    (r"(tile\.vec|tile\.reduce|ascend\.vec)(.*?) : \(.*\) -> ", r"\1\2 : "),
    (r"(ascend\.view .*) \{.*\} : .* -> ", r"\1 : "),
    (r"(tile\.store .*) : .*, (tensor<.*>)$", r"\1 : \2"),
    (r"(tile\.yield .*?) : .*", r"\1"),
    (r"(tile\.(?:extract|window|border|move|halo) .*) : .* -> ", r"\1 : "),
    (r"(tile\.stream from .*?) ?: .*? ?attributes", r"\1 attributes"),
    (r"\.0+e\+00\b", ".0"),
    (r"\b(\d)\.0+e-01( : f\d\d)?", r"0.\1"),
)
"""What is written shorter than the printer does: schedules without their keywords, types of tiles without their layout,
of memory without its strides, operands without their types where the op's result has one."""


def shortened(line: str) -> str:
    """A line of IR with what `SHORTER` says, no longer than `WIDTH`."""
    for pattern, text in SHORTER:
        line = re.sub(pattern, text, line)
    return line if len(line) <= WIDTH else line[: WIDTH - 2].rstrip() + " …"


def excerpt(text: str, wanted: Sequence[str], shorter: bool = True) -> Iterator[str]:
    """The lines of `text` that the patterns of `wanted` match, in this order, each the first one behind the line
    before, `shorter` as IR is. `ValueError` where a pattern matches none."""
    lines, at = text.splitlines(), 0
    margin: int | None = None
    for pattern in wanted:
        found = next((i for i in range(at, len(lines)) if re.search(pattern, lines[i])), None)
        if found is None:
            raise ValueError(f"no line matches {pattern!r}")
        line = lines[found]
        indent = len(line) - len(line.lstrip())
        margin = indent if margin is None else min(margin, indent)
        if found > at and at:
            yield " " * max(0, indent - margin) + "…"
        line = line[min(margin, indent) :]
        yield shortened(line) if shorter else line
        at = found + 1


def files_of(page: str) -> dict[str, str]:
    """The graphs that a page states in blocks with names."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return dict(re.findall(r"<!-- file: (\S+) -->\n```mlir\n(.*?)```", text, re.DOTALL))


@dataclass(frozen=True)
class Steps:
    """What became of a graph: its IR after each pass, where that ran first, by its name, and the reports of the
    passes."""

    texts: dict[str, str]
    reports: dict[str, str]

    def changed(self) -> list[str]:
        """The passes that changed something."""
        before = ["", *self.texts.values()]
        return [name for name, old in zip(self.texts, before, strict=False) if self.texts[name] != old]


@cache
def steps(graph: str, target: str) -> Steps:
    """Compile a graph for a chip with the tile sizes that are predicted fastest, and keep its IR after each pass."""
    texts: dict[str, str] = {}

    def keep(name: str, seconds: float, module: ModuleOp) -> None:
        texts.setdefault(name, str(module))

    program = ascend_opt.compile(graph, target=target, tune=1, after_pass=keep)
    return Steps(texts, {report.name: report.to_text() for report in program.reports})


__all__ = ["Steps", "excerpt", "files_of", "shortened", "steps"]

"""What `ascend-plan` does: read a table, lay it out, write the offsets and a map."""

import sys
import time
from dataclasses import dataclass
from pathlib import Path

from ..passes.allocation import Plan, Problem, Progress, allocate, validate
from ..passes.allocation.table import TableError, read_table, write_table
from ..passes.words import counted
from .html_svg import Box, boxes_svg, svg_file

SHOWN = 12
"""Buffers alive at the peak that a refusal lists."""
SOLVED, REFUSED, UNDECIDED = 0, 1, 2
"""Exit codes: laid out; wrong input or no layout; the limit ended the search."""


@dataclass(frozen=True)
class PlanOptions:
    """The options of `ascend-plan`. Without a capacity the peak is made as small as possible."""

    file: str
    capacity: int | None = None
    output: str | None = None
    plot: str | None = None
    time_limit: float = 60.0
    steps: int | None = None


def run(options: PlanOptions) -> int:
    """Lay out a table; the exit code."""
    if _same_file(options.output, options.plot):
        return _error(f"-o and --plot are one file: {options.plot}")
    try:
        text = sys.stdin.read() if options.file == "-" else Path(options.file).read_text(encoding="utf-8")
    except OSError as error:
        return _error(f"{options.file}: {error.strerror or error}")
    except UnicodeDecodeError:
        return _error(f"{options.file}: not a text file in UTF-8")
    try:
        table = read_table(text, "<stdin>" if options.file == "-" else options.file, options.capacity)
    except TableError as error:
        return _error(str(error))
    problem = table.problem
    seconds = None if options.steps is not None else options.time_limit
    begun = time.process_time()
    shown = _Line() if sys.stderr.isatty() else None
    plan = allocate(problem, seconds=seconds, steps=options.steps, progress=shown)
    if shown is not None:
        shown.clear()
    validate(problem, plan)
    print(summary(problem, plan, time.process_time() - begun), file=sys.stderr)
    try:
        if options.plot is not None and len(plan.offsets) == len(problem.buffers):
            _write(options.plot, plot(problem, plan, options.file))
        if plan.status == "fits":
            _write(options.output or "-", write_table(table, plan))
    except BrokenPipeError:
        raise
    except OSError as error:
        return _error(f"{error.filename}: {error.strerror or error}")
    if plan.status == "fits":
        return SOLVED
    return REFUSED if plan.status == "impossible" else UNDECIDED


def summary(problem: Problem, plan: Plan, seconds: float) -> str:
    """What came of it, in a line; of what does not fit, also who is alive at the worst point."""
    effort = f"{counted(plan.steps, 'step')}, {seconds:.2f} s of CPU"
    if plan.status == "fits":
        known = "the least of all" if plan.optimal else f"it fits; the least is not below {plan.bound} B"
        if not plan.optimal and problem.capacity is None:
            known = f"not proven least: the limit ended the search; none is below {plan.bound} B"
        buffers = counted(len(problem.buffers), "buffer")
        return f"peak {plan.peak} B ({known}), {buffers}, {plan.method}, {effort}"
    if plan.status == "undecided":
        return f"undecided: {plan.reason}, none is below {plan.bound} B; {effort}"
    alive = sorted((problem.buffers[i] for i in plan.alive), key=lambda b: (-b.total, b.name))
    lines = [f"does not fit: {plan.reason}", *(f"  {b.name}: {b.total} B" for b in alive[:SHOWN])]
    if len(alive) > SHOWN:
        rest = alive[SHOWN:]
        lines.append(f"  and {counted(len(rest), 'smaller one')}: {sum(b.total for b in rest)} B")
    return "\n".join(lines)


def plot(problem: Problem, plan: Plan, title: str) -> str:
    """The layout as an SVG file: addresses from bottom to top, time from left to right."""
    boxes = [
        Box(b.name, b.start, b.end, b.size, offsets)
        for b, offsets in zip(problem.buffers, plan.offsets, strict=True)
    ]
    return svg_file(boxes_svg(boxes, plan.peak, title, "time", 1200, 800))


class _Line:
    """Progress in one line of a terminal, ten times a second at most."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._last < 0.1:
            return
        self._last = now
        text = f"{progress.phase}: peak {progress.peak} B, bound {progress.bound} B, "
        text += f"{progress.steps} steps, {progress.seconds:.1f} s"
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _write(path: str, text: str) -> None:
    if path == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        Path(path).write_text(text, encoding="utf-8")


def _same_file(output: str | None, plot: str | None) -> bool:
    """Whether the offsets and the map would go to one file, or both to stdout."""
    if plot is None:
        return False
    first, second = (output or "-"), plot
    return first == second or ("-" not in (first, second) and Path(first).resolve() == Path(second).resolve())


def _error(text: str) -> int:
    print(f"error: {text}", file=sys.stderr)
    return REFUSED

"""What `ascend-plan` does: read a table, lay it out, write the offsets and a map."""

import sys
import time
from pathlib import Path

from ...dialects.records import dataclass
from ...passes.memory.allocation import Plan, Problem, Progress, allocate, validate
from ...passes.memory.allocation.table import TableError, read_table, write_table
from ...passes.support.words import counted
from ..reports.html_svg import Box, boxes_svg, svg_file
from ..text.output_files import OutputError, check_output_files, put_text

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
    try:
        return _run(options)
    except BrokenPipeError:
        raise
    except (OSError, TableError, OutputError) as error:
        return _refused(error)


def _run(options: PlanOptions) -> int:
    if options.plot == "-" and options.output in (None, "-"):
        raise OutputError(f"-o and --plot are one file: {options.plot}")
    check_output_files([options.file], {"-o": options.output, "--plot": options.plot})
    name = "<stdin>" if options.file == "-" else options.file
    table = read_table(_text(options.file), name, options.capacity)
    problem = table.problem
    seconds = None if options.steps is not None else options.time_limit
    begun = time.process_time()
    shown = _Line() if sys.stderr.isatty() else None
    plan = allocate(problem, seconds=seconds, steps=options.steps, progress=shown)
    if shown is not None:
        shown.clear()
    validate(problem, plan)
    print(summary(problem, plan, time.process_time() - begun), file=sys.stderr)
    if options.plot is not None and len(plan.offsets) == len(problem.buffers):
        put_text(options.plot, plot(problem, plan, options.file))
    if plan.status == "fits":
        put_text(options.output or "-", write_table(table, plan))
    sys.stdout.flush()
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
        text += f"{counted(progress.steps, 'step')}, {progress.seconds:.1f} s"
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _text(file: str) -> str:
    """The text of a file, `-` for stdin. Raises OSError, and TableError where it is no text."""
    if file == "-":
        return sys.stdin.read()
    data = Path(file).read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").split("\n")
        message = f"found byte 0x{data[error.start]:02X}, which is not UTF-8 text"
        line = data.decode("utf-8", "replace").split("\n")[len(before) - 1].rstrip("\r")
        raise TableError(message, file, len(before), len(before[-1]) + 1, line) from None


def _refused(error: OSError | TableError | OutputError) -> int:
    """Say what is wrong as all tools do; the exit code. What words it is loaded only where there is need of it."""
    from ..pipeline.explain import explain
    from ..text.diagnostics import Diagnostic

    if isinstance(error, TableError):
        place = (error.file, error.line, error.column, error.width, error.text)
        print(Diagnostic(error.message, "error", *place), file=sys.stderr)
    else:
        print(explain(error), file=sys.stderr)
    return REFUSED

"""The reports of the passes as one self-contained HTML page: graphs, kernels, fusion candidates, memory maps.

Nothing is loaded from elsewhere and there is no script; whatever comes from the program is escaped.
"""

from collections.abc import Iterable, Sequence
from html import escape
from string import Template

from ...passes.fusion.candidates import Candidate
from ...passes.fusion.kernel_record import Intervals, KernelRecord, joined, said_of
from ...passes.fusion.padding_report import padding_lines
from ...passes.fusion.plan import FusionPlan
from ...passes.fusion.predicted_intervals import plan_intervals
from ...passes.fusion.report import (
    FusionReport,
    UnfusedReport,
    candidate_notes,
    flip_notes,
    join_lines,
    layout_lines,
    searched_lines,
)
from ...passes.fusion.report_graph import FusionGraph
from ...passes.memory.report import MemoryReport
from ...passes.memory.space_plan import MemoryProblem, SpacePlan
from ...passes.memory.workspace_report import WorkspaceReport
from ...passes.support.report import Report
from ...passes.support.words import counted
from .html_svg import graph_svg, memory_svg

PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>$title</title>
<style>
body { font: 14px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1.5em; color: #222; }
h1 { font-size: 1.5em; } h2 { margin-top: 2em; border-bottom: 1px solid #ccc; }
table { border-collapse: collapse; margin: .8em 0; } .wide { overflow-x: auto; }
th, td { border: 1px solid #ccc; padding: .25em .6em; text-align: left; vertical-align: top; }
th { background: #f3f3f3; } td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.taken { background: #e7f6e7; } .refused { background: #faecea; } .warning { color: #a40; font-weight: 600; }
ul { margin: 0; padding-left: 1.1em; list-style: none; } pre { background: #f6f6f6; padding: .8em; overflow-x: auto; }
svg text { font: 12px system-ui, sans-serif; } .edge { fill: none; stroke: #888; } .node { stroke: #666; }
.frame { fill: #fafafa; stroke: #bbb; } .buffer { stroke: #555; stroke-width: .6; fill-opacity: .85; }
figure { display: inline-block; margin: .5em 2em 1em 0; vertical-align: top; max-width: 100%; overflow-x: auto; }
</style>
</head>
<body>
<h1>$title</h1>
$body
</body>
</html>
""")
FIGURE = Template("<figure><figcaption>$caption</figcaption>$drawing</figure>")
KERNEL_HEAD = (*("kernel", "ops", "tiles", "cores", "GM bytes", "re-reads", "op/B", "predicted us", "why"),)
CANDIDATE_HEAD = (
    *("candidate", "verdict", "reason", "quadrant", "kernels", "GM bytes", "time us", "checklist", "notes"),
)
BUFFER_HEAD = ("buffer", "bytes", "addresses", "alive")


def html_report(reports: Sequence[Report], title: str) -> str:
    """The page for the reports of one run."""
    parts: list[str] = []
    for report in reports:
        if isinstance(report, FusionReport):
            parts += _fusion(report)
        elif isinstance(report, UnfusedReport):
            parts += [
                f"<h2>Kernels, {'one for each op' if report.title == 'unfused' else report.title}</h2>",
                _lines([report.headline]),
                _kernels(report.kernels),
            ]
        elif isinstance(report, MemoryReport):
            parts.append("<h2>On-chip memory: addresses over program points</h2>")
            for plan in report.plans:
                parts.append(f"<h3>@{escape(plan.kernel)}</h3>")
                for problem, space, _ in plan.final().spaces:
                    parts += _map(problem, space, f"{problem.space} of @{plan.kernel}", "program points")
        elif isinstance(report, WorkspaceReport):
            parts.append("<h2>GM between kernels: addresses over launches</h2>")
            for one in report.plans:
                parts += _map(one.problem, one.plan, f"workspace of @{one.function}", "launches")
        else:
            parts += [f"<h2>{escape(report.name)}</h2>", f"<pre>{escape(report.to_text())}</pre>"]
    body = "\n".join(parts) or "<p>No pass reported anything.</p>"
    return PAGE.substitute(title=escape(title), body=body)


def _fusion(report: FusionReport) -> list[str]:
    parts: list[str] = []
    for (plan, kernels, known), graph in zip(report.built, report.graphs, strict=True):
        chip = "" if known is None else known.chip
        parts.append(f"<h2>Fusion of @{escape(plan.function)}</h2>")
        parts.append(_lines([report.headline(plan, kernels, known)]))
        parts += _graphs(graph, plan.names)
        parts += ["<h3>Kernels</h3>", _kernels(kernels, plan_intervals(plan, known))]
        if plan.padded:
            parts += ["<h3>Results with more columns</h3>", _lines(padding_lines(plan.padded))]
        if plan.joins:
            parts += ["<h3>Concatenations</h3>", _lines(join_lines(plan))]
        if plan.layouts:
            parts += ["<h3>Tensors between kernels</h3>", _lines(layout_lines(plan))]
        parts += ["<h3>Candidates</h3>", _candidates(plan, report.launch_note, chip)]
        if plan.searched:
            parts.append("<h3>Groups that the search made of those</h3>")
            parts.append(_lines(searched_lines(plan, chip)))
    return parts


def _graphs(graph: FusionGraph, names: Sequence[str]) -> list[str]:
    before = graph_svg(graph.ops, graph.groups, graph.edges, "ops, coloured by kernel")
    after = graph_svg(names, range(len(names)), graph.kernel_edges, "kernels")
    return [
        FIGURE.substitute(
            caption=f"before: {counted(len(graph.ops), 'op')}, coloured by kernel", drawing=before
        ),
        FIGURE.substitute(caption=f"after: {counted(len(names), 'kernel')}", drawing=after),
    ]


def _kernels(kernels: Sequence[KernelRecord], intervals: Intervals | None = None) -> str:
    rows: list[str] = []
    for kernel in kernels:
        cost, traffic = kernel.cost, kernel.traffic
        tiles = "x".join(str(size) for size in kernel.tiles)
        row = [
            kernel.name,
            joined(kernel.ops),
            tiles,
            str(kernel.cores),
            str(traffic.once),
            str(traffic.reread),
        ]
        time = "" if cost is None else f"{cost.time_us:.1f}"
        time += said_of(kernel.name, intervals or {})
        row += ["" if cost is None else f"{cost.intensity:.1f}", time]
        why = _lines([kernel.bytes_line, kernel.cores_line, *kernel.traffic_lines()])
        rows.append(_row(row, numbers=range(3, 8), last=why))
    return _table(KERNEL_HEAD, rows)


def _candidates(plan: FusionPlan, launch_note: str, chip: str) -> str:
    return _table(CANDIDATE_HEAD, (_candidate(one, launch_note, chip) for one in plan.candidates))


def _candidate(one: Candidate, launch_note: str, chip: str) -> str:
    verdict = "taken" if one.taken else "refused"
    counted = one.bytes_before > 0
    cells = [
        f"{joined(one.producer)} into {joined(one.consumer)}",
        verdict,
        one.reason,
        one.quadrant if counted else "",
        f"{one.kernels} -> 1" if counted else "",
        f"{one.bytes_before} -> {one.bytes_after} ({one.gain:.0%} saved)" if counted else "",
        f"{one.time_before:.1f} -> {one.time_after:.1f}" if counted else "",
    ]
    marks = {True: "☑", False: "☐", None: "·"}
    checks = "".join(f"<li>{marks[c.passed]} {escape(c.name)}: {escape(c.note)}</li>" for c in one.checks)
    warning = f'<div class="warning">{escape(one.warning)}</div>' if one.warning else ""
    shown = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    notes = _lines([*candidate_notes(one, chip), *flip_notes(one, launch_note)])
    return f'<tr class="{verdict}">{shown}<td>{warning}<ul>{checks}</ul></td><td>{notes}</td></tr>'


def _map(problem: MemoryProblem, plan: SpacePlan, title: str, time: str) -> list[str]:
    share = plan.peak / problem.capacity
    caption = (
        f"{title}: peak {plan.peak} of {problem.capacity} B ({share:.1%}), at least {plan.bound} B, "
        f"reuse {plan.level}"
    )
    rows = (
        _row([b.name, str(b.size), ", ".join(map(str, slots)), f"{b.start} to {b.end}"], numbers=(1, 2))
        for b, slots in zip(problem.buffers, plan.offsets, strict=True)
    )
    drawing = memory_svg(problem, plan, title, time) + _table(BUFFER_HEAD, rows)
    return [FIGURE.substitute(caption=escape(caption), drawing=drawing)]


def _lines(lines: Sequence[str]) -> str:
    """Lines of the text report."""
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>" if lines else ""


def _row(cells: Sequence[str], numbers: Iterable[int] = (), last: str | None = None) -> str:
    """A row of cells; `last` is one more, which is HTML."""
    right = set(numbers)
    shown = (
        f'<td class="number">{escape(cell)}</td>' if i in right else f"<td>{escape(cell)}</td>"
        for i, cell in enumerate(cells)
    )
    more = "" if last is None else f"<td>{last}</td>"
    return f"<tr>{''.join(shown)}{more}</tr>"


def _table(head: Sequence[str], rows: Iterable[str]) -> str:
    names = "".join(f"<th>{escape(name)}</th>" for name in head)
    return f'<div class="wide"><table><tr>{names}</tr>{"".join(rows)}</table></div>'

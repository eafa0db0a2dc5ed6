"""The HTML report: every kernel, candidate and buffer is on it, nothing is loaded from elsewhere, all text escaped."""

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.compiler.reports.html_report import html_report
from ascend_opt.compiler.reports.html_svg import graph_svg, layers
from ascend_opt.passes.fusion.kernel_record import joined
from ascend_opt.passes.fusion.report import FusionReport, UnfusedReport
from ascend_opt.passes.memory.report import MemoryReport
from ascend_opt.passes.memory.workspace_report import WorkspaceReport
from ascend_opt.runtime.machine.error_bars import regimes
from ascend_opt.tools.ascend_opt import main

GRAPH = """
graph @f(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}, %b: tensor<64xf16> {weight}) {
  %p = matmul(%x, %w)
  %s = bias_add(%p, %b)
  %y = relu(%s) {nofuse}
  %z = tanh(%y)
  return %z, %s
}"""
VOID = {"meta"}


class Page(HTMLParser):
    """The page's rows of cells, its text and its tags; an assertion fails where tags do not match."""

    def __init__(self, text: str):
        super().__init__()
        self.rows: list[list[str]] = []
        self.opened: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.titles: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert not self.opened

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "tr":
            self.rows.append([])
        elif tag == "td":
            self.rows[-1].append("")
        if tag not in VOID:
            self.opened.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if "td" in self.opened:
            self.rows[-1][-1] += data
        if "title" in self.opened:
            self.titles.append(data)


@pytest.fixture(scope="module")
def program() -> Program:
    return ascend_opt.compile(GRAPH, "ascend910", tune=1)


def test_every_kernel_candidate_and_buffer_is_on_the_page(program: Program):
    page = Page(html_report(program.reports, "f.mlir"))
    (fusion,) = (r for r in program.reports if isinstance(r, FusionReport))
    (memory,) = (r for r in program.reports if isinstance(r, MemoryReport))
    (workspace,) = (r for r in program.reports if isinstance(r, WorkspaceReport))
    assert len(fusion.kernels[0]) > 1
    for kernel in fusion.kernels[0]:
        (row,) = (row for row in page.rows if row and row[0] == kernel.name)
        assert kernel.cost is not None
        assert row[1:5:3] == [joined(kernel.ops), str(kernel.traffic.once)]
        assert row[7] == f"{kernel.cost.time_us:.1f} (not validated)"
    assert fusion.plans[0].candidates
    for one in fusion.plans[0].candidates:
        name = f"{joined(one.producer)} into {joined(one.consumer)}"
        (row,) = (row for row in page.rows if row and row[0] == name)
        assert row[1:3] == ["taken" if one.taken else "refused", one.reason]
        assert row[3] == (one.quadrant if one.bytes_before else "")
        assert all(check.note in row[7] for check in one.checks)
    maps = [(p, s) for plan in memory.plans for p, s, _ in plan.final().spaces]
    maps += [(one.problem, one.plan) for one in workspace.plans]
    for problem, plan in maps:
        for buffer, slots in zip(problem.buffers, plan.offsets, strict=True):
            wanted = [
                buffer.name,
                str(buffer.size),
                ", ".join(map(str, slots)),
                f"{buffer.start} to {buffer.end}",
            ]
            assert wanted in page.rows
            for number, at in enumerate(slots):
                note = f"{buffer.name}, slot {number}: {buffer.size} B at {at}, "
                assert any(title.startswith(note) for title in page.titles)


SEARCHED = """
graph @net(%x: tensor<1x20x30x26xf16>, %w1: tensor<23x20x3x3xf16> {weight}, %w2: tensor<40x20x1x1xf16> {weight}) {
  %a = conv2d(%x, %w1) {pads = [1, 1, 1, 1]}
  %ar = relu(%a)
  %c = conv2d(%x, %w2)
  %cs = silu(%c)
  %cat = concat(%ar, %cs) {axis = 1}
  %sl = slice(%cat) {starts = [5], ends = [61], axes = [1]}
  return %sl
}"""
JOINED = """
graph @rows(%x: tensor<32x64xf16>, %v: tensor<64x32xf16>, %w: tensor<64x32xf16>) {
  %a = matmul(%x, %v)
  %b = matmul(%x, %w)
  %y = concat(%a, %b) {axis = 0}
  return %y
}"""
DYNAMIC = """
graph @f(%x: tensor<?x64xf16>) {
  %y = gelu(%x)
  return %y
}"""


def test_the_page_has_every_line_that_the_text_has_of_a_decision(program: Program):
    searched = ascend_opt.compile(SEARCHED, "ascend310p", tune=1)
    joined = ascend_opt.compile(JOINED, "ascend910b", tune=1)
    dynamic = ascend_opt.compile(DYNAMIC, "ascend910b", tune=1)
    unfused = ascend_opt.compile(DYNAMIC, "ascend910b", tune=1, fuse=False)
    reports = [
        report
        for one in (program, searched, joined, dynamic, unfused)
        for report in one.reports
        if isinstance(report, FusionReport | UnfusedReport)
    ]
    fusion = reports[0]
    assert isinstance(fusion, FusionReport)
    near = replace(fusion.plans[0].candidates[0], flips=(0.5, 3.0), again=0.25)
    reports.append(replace(fusion, plans=(replace(fusion.plans[0], candidates=(near,)),)))
    starts = (
        "fusion of",
        "unfused",
        "tiles",
        "reads",
        "writes",
        "layout:",
        "joined",
        "not joined",
        "searched",
        "would be",
    )
    lines: list[str] = []
    for report in reports:
        words = Page(html_report([report], "f")).words
        told = [line.strip() for line in report.to_text().splitlines()]
        told = [
            line for line in told if line.startswith(starts) or ": complexity " in line or "again" in line
        ]
        assert not [line for line in told if line not in words]
        lines += told
    for part in (
        "halo ",
        "layout: ",
        "joined: ",
        "searched (",
        "would be ",
        "computed again",
        "at size 8 (",
        "unfused at size 8 (",
    ):
        assert any(part in line or line.startswith(part) for line in lines), part


def test_both_graphs_are_drawn_in_the_colours_of_their_kernels(program: Program):
    (fusion,) = (r for r in program.reports if isinstance(r, FusionReport))
    (graph,) = fusion.graphs
    assert graph.ops == ("matmul", "bias_add", "relu", "tanh")
    assert graph.groups == (0, 0, 1, 2)
    assert graph.edges == ((0, 1), (1, 2), (2, 3))
    assert graph.kernel_edges == ((0, 1), (1, 2))
    page = Page(html_report(program.reports, "f.mlir"))
    fills = [
        attributes["fill"] for tag, attributes in page.tags if tag == "rect" and "node" in str(attributes)
    ]
    assert len(fills) == 4 + 3
    assert fills[0] == fills[1] == fills[4]
    assert len(set(fills)) == 3


def test_nothing_is_loaded_and_everything_is_escaped(program: Program):
    (fusion,) = (r for r in program.reports if isinstance(r, FusionReport))
    evil = "<script>alert('x')</script>&"
    plan = fusion.plans[0]
    candidate = replace(plan.candidates[0], reason=evil, warning=evil)
    kernel = replace(fusion.kernels[0][0], name=evil)
    kernels = ((kernel, *fusion.kernels[0][1:]),)
    odd = replace(fusion, plans=(replace(plan, function=evil, candidates=(candidate,)),), kernels=kernels)
    text = html_report([odd], evil)
    page = Page(text)
    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "object"}
    assert not {name for _, attributes in page.tags for name in attributes} & {"src", "href", "onclick"}
    assert "http" not in text and "@import" not in text and "url(" not in text
    assert "".join(page.words).count(evil) >= 6


def test_a_node_is_below_all_that_feed_it():
    edges = [(0, 1), (1, 3), (0, 3), (2, 3)]
    assert layers(4, edges) == [0, 1, 0, 2]
    page = Page(graph_svg("abcd", [0, 0, 1, 1], edges, "g"))
    boxes = [attributes for tag, attributes in page.tags if tag == "rect"]
    beside = sorted((float(b["x"] or 0), float(b["width"] or 0)) for b in boxes if b["y"] == boxes[0]["y"])
    assert len(beside) == 2
    assert beside[0][0] + beside[0][1] < beside[1][0]


@pytest.mark.parametrize("arguments", [["--report", "page.html"], ["--report=page.html"], ["--report=html"]])
def test_the_driver_writes_the_page(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.mlir").write_text(GRAPH)
    assert main(["f.mlir", "--fuse", *arguments, "-o", "out.mlir"]) == 0
    text = (tmp_path / ("report.html" if arguments == ["--report=html"] else "page.html")).read_text()
    page = Page(text)
    assert "Fusion of @f" in page.words


def test_a_run_without_reports_is_a_page_too():
    assert "No pass reported anything." in Page(html_report([], "f")).words


def test_times_on_the_page_have_intervals() -> None:
    program = ascend_opt.compile(GRAPH, "ascend910b", tune=1)
    page = Page(html_report(program.reports, "f.mlir"))
    (fusion,) = (r for r in program.reports if isinstance(r, FusionReport))
    low, high = regimes()["short"]
    for kernel in fusion.kernels[0]:
        (row,) = (row for row in page.rows if row and row[0] == kernel.name)
        assert kernel.cost is not None and kernel.cost.time_us < 25
        us = kernel.cost.time_us
        assert row[7] == f"{us:.1f} ({us * low:.1f}–{us * high:.1f})"

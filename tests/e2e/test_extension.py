"""Another package adds graph ops and a chip by entry points alone: they parse, lower, fuse and run."""

# pyright: basic

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytestmark = pytest.mark.xdist_group("extension")
"""One worker runs them all: it keeps what they share."""

PACKAGE = Path(__file__).parents[1] / "extension_package"
CHIPS = ("ascend910", "ascend310p", "half910")

GRAPHS = {
    # One op alone; the window is odd-sized and ends in a tail.
    "hard_swish_like": """graph @f(%x: tensor<37x129xf16>) {
        %y = hard_swish_like(%x) {slope = 0.2}
        return %y }""",
    "box3": """graph @f(%x: tensor<40x100xf16>) {
        %y = box3(%x)
        return %y }""",
    "box3_of_images": """graph @f(%x: tensor<2x20x30x40xf16>) {
        %y = box3(%x)
        return %y }""",
    # Behind the products: what fuses with them is decided by the ops' tiling rules.
    "matmul_hard_swish_like": """graph @f(%x: tensor<128x64xf16>, %w: tensor<64x96xf16> {weight}) {
        %p = matmul(%x, %w)
        %y = hard_swish_like(%p)
        return %y }""",
    "matmul_box3": """graph @f(%x: tensor<130x64xf16>, %w: tensor<64x96xf16> {weight}) {
        %p = matmul(%x, %w)
        %h = hard_swish_like(%p)
        %y = box3(%h)
        return %y }""",
    "conv2d_hard_swish_like": """graph @f(%x: tensor<2x32x28x28xf16>, %w: tensor<48x32x3x3xf16> {weight}) {
        %p = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
        %y = hard_swish_like(%p)
        return %y }""",
    "conv2d_box3": """graph @f(%x: tensor<2x32x28x28xf16>, %w: tensor<48x32x3x3xf16> {weight}) {
        %p = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
        %h = box3(%p)
        %y = hard_swish_like(%h)
        return %y }""",
}


MISSING = SimpleNamespace(params={})
"""Stands for the parameters of a test without any."""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process in which the package is installed, as its pyproject.toml says."""
    site = tmp_path_factory.mktemp("site")
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    info = site / f"npu_extras-{project['version']}.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines: list[str] = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    info.joinpath("entry_points.txt").write_text("\n".join(lines) + "\n")
    paths = [str(site), str(PACKAGE), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in paths if p)}


@pytest.fixture(scope="module")
def results(environment: dict[str, str], request: pytest.FixtureRequest) -> dict[str, Any]:
    """Graphs on chips, fused and unfused, as tests ask for them, run in one process that has the package."""
    here = (item for item in request.session.items if item.path == Path(__file__))
    params = (getattr(item, "callspec", MISSING).params for item in here)
    asked = {(one["graph"], one["chip"]) for one in params if "graph" in one}
    cases = {
        f"{name} {chip} {'fused' if fuse else 'unfused'}": {
            "graph": GRAPHS[name],
            "target": chip,
            "fuse": fuse,
        }
        for name, chip in sorted(
            asked | {("conv2d_hard_swish_like", "half910"), ("box3_of_images", "half910")}
        )
        for fuse in (False, True)
    }
    run = subprocess.run(
        [sys.executable, str(PACKAGE / "run_cases.py")],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def ascend_opt(environment: dict[str, str], text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ascend_opt.tools.ascend_opt", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("graph", GRAPHS)
def test_unfused_each_op_is_a_kernel_with_the_right_values(results: dict[str, Any], graph: str, chip: str):
    got = results[f"{graph} {chip} unfused"]
    assert "failure" not in got, got["failure"]
    assert all(len(ops) == 1 for ops in got["kernels"])
    assert got["error"] <= got["bound"]


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("graph", GRAPHS)
def test_fused_they_are_one_kernel_with_the_right_values(results: dict[str, Any], graph: str, chip: str):
    got = results[f"{graph} {chip} fused"]
    assert "failure" not in got, got["failure"]
    assert len(got["kernels"]) == 1
    assert got["error"] <= got["bound"]


def test_the_added_chip_has_its_own_number_of_cores(results: dict[str, Any]):
    assert results["conv2d_hard_swish_like half910 fused"]["cores"] <= 16
    assert results["box3_of_images half910 unfused"].get("cores", 16) <= 16


def test_the_ops_print_and_read_back_in_both_syntaxes(environment: dict[str, str]):
    first = ascend_opt(environment, GRAPHS["conv2d_box3"])
    assert "graph.box3 %p : (tensor<2x48x28x28xf16>) -> tensor<2x48x26x28xf16>" in first.stdout, first.stderr
    assert ascend_opt(environment, first.stdout).stdout == first.stdout
    text = ascend_opt(environment, first.stdout, "-t", "graph-text").stdout
    assert "%h = box3(%p)" in text
    assert ascend_opt(environment, text).stdout == first.stdout


def test_their_mistakes_are_reported_like_any_other(environment: dict[str, str]):
    graph = "graph @f(%x: tensor<2x4xf16>) {\n  %y = box3(%x)\n  return %y\n}\n"
    run = ascend_opt(environment, graph)
    assert run.returncode == 1
    assert "<stdin>:2:8: error: box3: needs three rows or more" in run.stderr
    run = ascend_opt(environment, graph.replace("box3", "box4"))
    assert "did you mean 'box3'?" in run.stderr


def test_the_chip_is_listed_and_suggested(environment: dict[str, str]):
    assert "half910" in ascend_opt(environment, "", "--list-targets").stdout.split()
    run = ascend_opt(environment, GRAPHS["box3"], "--lower", "--target", "half91")
    assert run.returncode == 1
    assert "did you mean 'half910'?" in run.stderr


def test_without_the_package_the_ops_are_unknown():
    run = ascend_opt(dict(os.environ), GRAPHS["box3"])
    assert run.returncode == 1
    assert "box3" in run.stderr

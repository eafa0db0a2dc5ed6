"""What reports and messages say where it is easily misread: bytes, occupancy, cores, order of options, names."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.compiler.pipelines import build_passes, parse_passes
from ascend_opt.compiler.read_module import make_context
from ascend_opt.compiler.universe import UNIVERSE
from ascend_opt.dialects.ascend import BufferOp
from ascend_opt.dialects.ascend.memory import space_of
from ascend_opt.passes.memory_report import MemoryReport
from ascend_opt.passes.report import collect_reports
from ascend_opt.runtime.emulator import Emulator
from ascend_opt.runtime.hazard import HazardError

Run = Callable[..., Any]
CHIP = ("--target", "ascend910")
RELU = "graph @g(%x: tensor<{}xf16>) {{\n  %y = relu(%x)\n  return %y\n}}\n"
CHAIN = "graph @g(%x: tensor<64x64xf16>) {\n  %a = relu(%x)\n  %y = abs(%a)\n  return %y\n}\n"
PRODUCT = (
    "graph @g(%x: tensor<64x{k}xf16>, %w: tensor<{k}x{n}xf16> {{weight}}) {{\n"
    "  %p = matmul(%x, %w)\n  %y = relu(%p)\n  return %y\n}}\n"
)


@pytest.fixture
def report(ascend_opt: Run, tmp_path: Path) -> Callable[[str], str]:
    def call(text: str) -> str:
        path = tmp_path / "g.mlir"
        path.write_text(text)
        done = ascend_opt(
            path, "--target=ascend910", "--fuse", "--lower", "--report", "-o", tmp_path / "out.mlir"
        )
        assert done.code == 0
        return done.errors

    return call


def test_bytes_name_the_weights_that_they_count(report: Callable[[str], str]) -> None:
    odd = report(PRODUCT.format(k=17, n=1000)).splitlines()
    assert "saved, weights as given)" in odd[0]
    assert "B of GM with each tensor once (weights as packed)" in odd[1]
    even = report(PRODUCT.format(k=32, n=64)).splitlines()
    assert "weights as" not in even[0] + even[1]
    after = int(even[0].split(" -> ")[2].split()[0])
    assert f": {after} B of GM with each tensor once," in even[1]


def test_occupancy_says_that_staging_buffers_are_apart(report: Callable[[str], str]) -> None:
    assert "of UB with their slots, 80% allowed; all tiles take " in report(CHAIN)
    assert "%, staging buffers apart\n" in report(CHAIN)


@pytest.mark.parametrize(
    ("shape", "cores", "why"),
    [
        ("5x3", "1 core", ": one tile covers the result"),
        ("70x3", "14 cores", ": one for each of its 14 tiles"),
        ("4096x4096", "32 cores", ""),
    ],
)
def test_why_a_kernel_runs_on_its_cores(
    report: Callable[[str], str], shape: str, cores: str, why: str
) -> None:
    lines = report(RELU.format(shape)).splitlines()
    assert next(line for line in lines if " on " in line and "tiles" in line).endswith(f"on {cores}{why}")


def test_why_one_core_walks_all(report: Callable[[str], str]) -> None:
    text = report(
        "graph @g(%x: tensor<2x16x19x33xf16>, %w: tensor<24x16x3x3xf16> {weight}) {\n"
        "  %y = conv2d(%x, %w)\n  return %y\n}\n"
    )
    why = "neighbours among its 2 tiles share 32 B blocks of the result, so one core walks all"
    assert f"on 1 core: {why}\n" in text


def test_fuse_runs_before_lower_in_whatever_order_they_stand(ascend_opt: Run, tmp_path: Path) -> None:
    path = tmp_path / "g.mlir"
    path.write_text(CHAIN)
    right = ascend_opt(path, "--fuse", "--lower")
    swapped = ascend_opt(path, "--lower", "--fuse")
    assert right.code == swapped.code == 0
    assert right.output == swapped.output
    assert right.output.count("ascend.kernel @") == 1
    assert ascend_opt(path, "--lower").output.count("ascend.kernel @") == 2


def test_passes_between_lower_and_fuse_are_an_error(ascend_opt: Run, tmp_path: Path) -> None:
    path = tmp_path / "g.mlir"
    path.write_text(CHAIN)
    done = ascend_opt(path, "--lower", "-p", "graph-canonicalize", "--fuse")
    assert (done.code, done.output) == (1, "")
    assert done.errors.startswith("error: --fuse comes before --lower, and -p before, between or after them")
    assert ascend_opt(path, "--fuse", "-p", "graph-canonicalize", "--lower").code == 0


def test_hazards_name_values_as_the_printed_program_does() -> None:
    program = ascend_opt.compile(CHAIN, target="ascend910", tune=1)
    printed = str(program.module)
    waits = [op for op in program.module.walk() if op.name == "ascend.wait_flag" and '-> "V"' in str(op)]
    assert waits
    expected = [
        line.strip() for line in printed.splitlines() if "ascend.copy" in line or "ascend.vec" in line
    ]
    for wait in waits:
        wait.detach()
    with pytest.raises(HazardError) as caught:
        Emulator(program.module, program.target).run("g", {"x": np.ones((64, 64), np.float16)})
    texts = [instruction.text for instruction in caught.value.instructions]
    assert texts and all(text in expected for text in texts)
    assert all("%" in text for text in texts)


def test_the_memory_report_is_what_synchronisation_left(repository: Path) -> None:
    """Slots that are given up, because nothing needs them or event ids ran out, are not those of the program."""
    text = (repository / "examples" / "matmul_bias_relu.mlir").read_text()
    program = ascend_opt.compile(text, "ascend910", tune=1)
    (memory,) = (r for r in program.reports if isinstance(r, MemoryReport))
    lines, total = memory.to_text().splitlines(), 0
    (kernel,) = memory.to_json()
    for space, found in kernel["spaces"].items():
        buffers = [
            op for op in program.module.walk() if isinstance(op, BufferOp) and space_of(op.result) == space
        ]
        assert [one["addresses"] for one in found["buffers"]] == [
            list(b.slot_addresses or ()) for b in buffers
        ]
        align = program.target.spaces[space].align
        ends = [max(b.slot_addresses or ()) + -(-b.slot_bytes // align) * align for b in buffers]
        assert found["peak_bytes"] == max(ends) >= found["bound_bytes"]
        for one in found["buffers"]:
            where, gone = (", ".join(map(str, one[key])) for key in ("addresses", "given_up"))
            note = f" (planned at {gone} too, see below)" if gone else ""
            assert f"    {one['name']}: {one['bytes']} B at {where}{note}" in lines
            total += bool(gone)
    assert total == 3


def test_a_memory_report_without_synchronisation_is_the_plan(repository: Path) -> None:
    text = (repository / "examples" / "matmul_bias_relu.mlir").read_text()
    program = ascend_opt.compile(text, "ascend910", tune=1)
    module = compile_until(program, "tile")
    with collect_reports() as reports:
        for name in ("tile-to-ascend", "ascend-multi-buffer", "ascend-plan-memory"):
            (one,) = build_passes(UNIVERSE.all_passes, parse_passes(name), "ascend910")
            one.apply(make_context(), module)
    (memory,) = (r for r in reports if isinstance(r, MemoryReport))
    assert all(plan.final() == plan for plan in memory.plans)
    assert "see below" not in memory.to_text()

"""What reports and messages say where it is easily misread: bytes, occupancy, cores, order of options, names."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ascend_programs import Program
from planned_memory import with_addresses
from xdsl.dialects.builtin import IntegerAttr, i64

import ascend_opt
from ascend_opt.dialects.ascend import BufferOp
from ascend_opt.dialects.ascend.memory import space_of
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.analysis.live_ranges import buffer_usages
from ascend_opt.passes.memory.report import MemoryPlan, MemoryReport
from ascend_opt.passes.memory.space_plan import Lifetime, MemoryProblem, Sharing, SpacePlan
from ascend_opt.passes.support.report import collect_reports
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.support.hazard import HazardError

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


def test_few_cores_of_a_large_result_have_a_reason(report: Callable[[str], str]) -> None:
    text = "graph @g(%x: tensor<2x70000xf16>) {\n  %y = softmax(%x) {axis = 1}\n  return %y\n}\n"
    assert "cores: one for each of its 2 tiles; a core has whole rows\n" in report(text)


def test_why_one_core_walks_all(report: Callable[[str], str]) -> None:
    text = report(
        "graph @g(%x: tensor<2x16x19x33xf16>, %w: tensor<12x16x3x3xf16> {weight}) {\n"
        "  %y = conv2d(%x, %w) {nofuse}\n  return %y\n}\n"
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
    program = ascend_opt.compile(text, "ascend910b", tune=1)
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
        ends = [max(b.slot_addresses or ()) + b.slot_bytes for b in buffers]
        assert found["peak_bytes"] == max(ends) >= found["bound_bytes"]
        for one in found["buffers"]:
            where, gone = (", ".join(map(str, one[key])) for key in ("addresses", "given_up"))
            note = f" (planned at {gone} too, see below)" if gone else ""
            assert f"    {one['name']}: {one['bytes']} B at {where}{note}" in lines
            total += bool(gone)
    assert total == 2


def test_a_memory_report_without_synchronisation_is_the_plan(repository: Path) -> None:
    text = (repository / "examples" / "matmul_bias_relu.mlir").read_text()
    program = ascend_opt.compile(text, "ascend910b", tune=1)
    with collect_reports() as reports:
        with_addresses(program)
    (memory,) = (r for r in reports if isinstance(r, MemoryReport))
    assert all(plan.final() == plan for plan in memory.plans)
    assert "see below" not in memory.to_text()


ROOMS = (("a", 50, (64, 352)), ("b", 20, (192, 480)), ("c", 128, (256,)))
"""Buffers with their elements and the addresses of their slots."""


def test_a_memory_report_without_some_of_the_slots() -> None:
    """A pair that shared bytes by a slot that is given up shares none; what is left is looked at anew."""
    p = Program()
    views = [p.view(p.buffer(n, "ub", (size,), *at), [size]) for n, size, at in ROOMS]
    p.vec("vrelu", views[0], to=views[1])
    p.vec("vrelu", views[1], to=views[2])
    usages = tuple(buffer_usages(p.kernel, load_target("ascend910")))
    lives = tuple(Lifetime(u.label, u.buffer.slot_bytes, u.start, u.end, u.buffer.slot_count) for u in usages)
    problem = MemoryProblem("ub", 1024, 32, lives, taken=64)
    offsets = tuple(at for _, _, at in ROOMS)
    plan = SpacePlan("max", offsets, 520, 340, sharings=(Sharing(0, 2, 7.0), Sharing(1, 2, 3.0)))
    memory = MemoryReport((MemoryPlan("k", ((problem, plan, usages),)),))
    assert memory.to_text().splitlines() == [
        "memory of @k",
        "  ub: peak 520 of 1024 B (51 %), at least 340 B, reuse max",
        "    buffers of the group: 64 B at 0",
        "    a: 100 B at 64, 352",
        "    b: 40 B at 192, 480",
        "    c: 256 B at 256",
        "    a at 64 [6, 7) and c at 256 [7, 8) share bytes: waits and flags of some 7 cycles",
        "    b at 192 [6, 8) and c at 256 [7, 8) share bytes: waits and flags of some 3 cycles",
    ]
    for usage in usages:
        usage.buffer.slots = IntegerAttr(1, i64)
    lines = memory.to_text().splitlines()
    assert "    a: 100 B at 64 (planned at 352 too, see below)" in lines
    assert not any("share bytes" in line for line in lines)
    (kernel,) = memory.to_json()
    ub = kernel["spaces"]["ub"]
    assert (ub["peak_bytes"], ub["bound_bytes"], ub["sharings"]) == (512, 360, [])
    assert not memory.plans[0].final().spaces[0][1].optimal
    assert [one["given_up"] for one in ub["buffers"]] == [[352], [480], []]


@pytest.mark.parametrize("given_up", [(0,), (1,), (0, 1)])
def test_a_memory_report_where_a_buffer_in_place_gave_up_slots(given_up: tuple[int, ...]) -> None:
    """The buffers still share the bytes of the slots that both have; the bound is no more than the peak."""
    p = Program()
    views = [p.view(p.buffer(n, "ub", (64,), 0, 128), [64]) for n in "ab"]
    p.vec("vrelu", views[0], to=views[1])
    usages = tuple(buffer_usages(p.kernel, load_target("ascend910")))
    lives = tuple(Lifetime(u.label, u.buffer.slot_bytes, u.start, u.end, u.buffer.slot_count) for u in usages)
    problem = MemoryProblem("ub", 1024, 32, lives, in_place=((0, 1),))
    plan = SpacePlan("max", ((0, 128), (0, 128)), 256, 256, optimal=True)
    memory = MemoryReport((MemoryPlan("k", ((problem, plan, usages),)),))
    for i in given_up:
        usages[i].buffer.slots = IntegerAttr(1, i64)
    peak = 256 if len(given_up) == 1 else 128
    line = memory.to_text().splitlines()[1]
    assert line == f"  ub: peak {peak} of 1024 B ({peak * 100 // 1024} %), at least 128 B, reuse max"

"""The flags of a tiling that was tried are those of the kernel that takes it, and of no other."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sync_programs import CHIP, before_sync, kernel_of

from ascend_opt.dialects import ascend
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes import ascend_insert_sync
from ascend_opt.passes.sync import kept_plans
from ascend_opt.passes.sync.report import KernelSync
from ascend_opt.tools.ascend_opt import main as opt

TEXT = """
graph @linear(%x: tensor<300x200xf16>, %w: tensor<200x320xf16> {weight}, %b: tensor<320xf16> {weight}) {
  %p = matmul(%x, %w)
  %s = bias_add(%p, %b)
  %y = gelu(%s)
  return %y
}
"""


@pytest.fixture(autouse=True)
def none_kept() -> Iterator[None]:
    kept_plans._KEPT.clear()  # pyright: ignore[reportPrivateUsage]
    yield
    kept_plans._KEPT.clear()  # pyright: ignore[reportPrivateUsage]


@pytest.fixture
def decided(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Kernels whose flags are decided."""
    found: list[str] = []
    decide = ascend_insert_sync.decide

    def counted(kernel: ascend.KernelOp, target: Target) -> KernelSync:
        found.append(kernel.sym_name.data)
        return decide(kernel, target)

    monkeypatch.setattr(ascend_insert_sync, "decide", counted)
    return found


def _lowered(path: Path, out: Path) -> str:
    assert opt([str(path), "--fuse", "--lower", "--target", "ascend910", "--tune", "3", "-o", str(out)]) in (
        0,
        None,
    )
    return out.read_text()


def test_the_kernel_that_is_taken_has_the_flags_of_one_that_was_tried(
    tmp_path: Path, decided: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "linear.mlir"
    path.write_text(TEXT)
    once = _lowered(path, tmp_path / "once")
    assert decided == ["alone"] * 3
    monkeypatch.setattr(kept_plans, "MOST_KEPT", 0)
    kept_plans._KEPT.clear()  # pyright: ignore[reportPrivateUsage]
    assert _lowered(path, tmp_path / "again") == once
    assert len(decided) == 7


def test_a_kernel_that_was_not_tried_is_decided(decided: list[str]) -> None:
    def flags(text: str, target: Target = CHIP) -> KernelSync:
        return ascend_insert_sync.synchronise(kernel_of(before_sync(text)), target)

    with kept_plans.keep_plans():
        first = flags(TEXT)
    known = len(decided)
    assert flags(TEXT).plan.events == first.plan.events and len(decided) == known
    flags(TEXT.replace("300", "400"))
    flags(TEXT, replace(CHIP, clock_mhz=CHIP.clock_mhz + 1))
    assert len(decided) == known + 2

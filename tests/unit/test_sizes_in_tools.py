"""Programs with variants for run-time sizes in `ascend-run`, and what a program keeps of their search."""

from pathlib import Path
from typing import Any

import pytest

import ascend_opt
from ascend_opt.compiler.checks.kernel_check import sources_of
from ascend_opt.compiler.pipeline.pipelines import Fusing
from ascend_opt.tools.ascend_opt import main as opt
from ascend_opt.tools.ascend_run import main as run

IMAGE = """graph @f(%x: tensor<1x16x?x8xf16>, %w: tensor<16x16x3x3xf16> {weight}) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  %z = relu(%0)
  return %z, %0
}
"""
PADDED = """graph @f(%x: tensor<1x?x16xf16> {pad = 0.0}, %m: tensor<1x1x?xf16> {pad = -60000.0}) {
  %y = attention(%x, %x, %x, %m)
  return %y
}
"""
LEADING = """graph @f(%x: tensor<?x48xf16>, %w: tensor<48x32xf16> {weight}, %r: tensor<?x32xf16>) {
  %0 = matmul(%x, %w)
  %1 = add(%0, %r)
  %2 = softmax(%1)
  return %2, %1
}
"""


@pytest.mark.parametrize(
    ("text", "sizes", "size"),
    [(IMAGE, "8-16:8", "16"), (PADDED, "4-8:4", "5"), (LEADING, "1-8", "3")],
    ids=["image", "padded", "leading"],
)
def test_a_size_is_checked_with_its_baselines(
    text: str, sizes: str, size: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "g.mlir"
    path.write_text(text)
    assert run([str(path), "--dynamic-range", sizes, "--size", size, "--check"]) == 0
    said = capsys.readouterr().out
    for title in ("fused", "library-like", "unfused"):
        assert said.count(f"ok   {title}") >= 2  # outputs and kernels
    assert f"the dynamic dimension is {size}" in said


def test_a_program_keeps_nothing_of_what_was_timed_for_it() -> None:
    """Kernels of samples are not its own."""
    program = ascend_opt.compile(LEADING, "ascend910b", dynamic_range=(1, 2))
    launched = sum(len(one.parts) or 1 for one in program.time(2).kernels)
    assert len(sources_of(program, 2)) == launched
    assert all(one.graph_bound_us for one in program.time(2).kernels)
    several = ascend_opt.compile(LEADING, "ascend910b", dynamic_range=(1, 64), max_loss=0.01)
    assert len(several.variant_sources) > 1 and not several.kernel_sources


@pytest.mark.parametrize("options", [{}, {"dynamic_range": (8, 16, 8)}], ids=["one", "variants"])
def test_a_loaded_program_has_bounds_at_all_sizes(options: dict[str, Any], tmp_path: Path) -> None:
    text = LEADING if not options else IMAGE
    program = ascend_opt.compile(text, "ascend910b", **options)
    program.save(tmp_path / "f.program")
    loaded = ascend_opt.load(tmp_path / "f.program")
    for size in (None, 8, 16):
        bounds = [[k.graph_bound_us for k in one.time(size).kernels] for one in (program, loaded)]
        assert bounds[0] == bounds[1] and all(bounds[0])
    loaded.save(tmp_path / "again.program")
    assert (tmp_path / "again.program").read_bytes() == (tmp_path / "f.program").read_bytes()


@pytest.mark.parametrize("size", [12, 32])
def test_the_variant_that_is_named_is_the_nearest(size: int) -> None:
    program = ascend_opt.compile(IMAGE, "ascend910b", dynamic_range=(8, 16, 8))
    which = "next one is for 16" if size < 16 else "largest one is for 16"
    with pytest.raises(ascend_opt.ProgramError, match=f"no variant serves the size {size}; the {which}"):
        program.time(size)


def test_a_product_may_have_a_million_rows() -> None:
    text = """graph @f(%x: tensor<1048576x48xf16>, %w: tensor<48x32xf16> {weight}) {
      %y = matmul(%x, %w)
      return %y
    }"""
    for chip in ("ascend910b", "ascend310p"):
        assert ascend_opt.compile(text, chip).time().total_us > 0


@pytest.mark.parametrize("fuse", [False, "library"])
def test_a_range_holds_without_fusion(fuse: Fusing) -> None:
    """Graphs that fuse less have variants for the same sizes."""
    image = ascend_opt.compile(IMAGE, "ascend910b", fuse, dynamic_range=(8, 16, 8))
    assert image.run_sizes == (8, 16)
    alone = IMAGE.replace("?", "8")
    assert image.time(8).total_us == ascend_opt.compile(alone, "ascend910b", fuse).time().total_us
    leading = ascend_opt.compile(LEADING, "ascend910b", fuse, dynamic_range=(1, 64), max_loss=0.01)
    fused = ascend_opt.compile(LEADING, "ascend910b", dynamic_range=(1, 64), max_loss=0.01)
    assert leading.run_sizes == fused.run_sizes and max(leading.run_sizes) == 64


def test_a_range_is_for_every_tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, tiled = tmp_path / "g.mlir", tmp_path / "tiled.mlir"
    path.write_text(IMAGE)
    sizes = ["--dynamic-range", "8-16:8"]
    assert opt([str(path), *sizes, "--lower"]) == 0
    assert capsys.readouterr().out.count("call @f.to_") == 2
    assert run([str(path), *sizes, "--table", "--target", "ascend910b"]) == 0
    assert run([str(path), *sizes, "--size", "8", "--no-fuse", "--check"]) == 0
    assert run([str(path), *sizes, "--size", "8", "--repair"]) == 0
    assert "nothing to repair" in capsys.readouterr().out
    path.write_text(LEADING)
    assert opt([str(path), "--fuse", "-o", str(tiled)]) == 0
    for how in ["--lower"], ["--fuse", "--lower"]:
        assert opt([str(tiled), *how, "--dynamic-range", "1-8"]) == 0
        said = capsys.readouterr()
        assert "--dynamic-range has no effect: the module is past the graph level" in said.err
        assert ".to_" not in said.out

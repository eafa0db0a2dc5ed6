"""Element types at the tile level that a chip's units do not take: one located error, before any instruction."""

import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError

TILED = """func.func @f(%x: tensor<64xDT>) -> tensor<64xDT> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64], tiles = [64], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64xDT>, %out: tensor<64xDT>, %o: index, %s: index):
    %t = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<64xDT> -> !tile.tile<64xDT, ub, nd>
    %u = tile.vec "vexp"(%t) : (!tile.tile<64xDT, ub, nd>) -> !tile.tile<64xDT, ub, nd>
    tile.store %u, %out at %o size %s : !tile.tile<64xDT, ub, nd>, tensor<64xDT>
  } : (tensor<64xDT>) -> (tensor<64xDT>)
  func.return %y : tensor<64xDT>
}
"""  # noqa: E501


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b"])
def test_the_vector_does_not_compute_in_bf16(chip: str) -> None:
    with pytest.raises(CompileError, match=r"<string>:5:10: error: tile.vec: .* does not compute in bf16"):
        ascend_opt.compile(TILED.replace("DT", "bf16"), target=chip)


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b", "ascend950"])
def test_it_computes_in_f16_and_f32(chip: str) -> None:
    for dtype in ("f16", "f32"):
        ascend_opt.compile(TILED.replace("DT", dtype), target=chip)


@pytest.mark.parametrize("fuse", [False, True])
def test_a_product_that_the_cube_does_not_take_is_refused(fuse: bool) -> None:
    """Where passes weigh what its planes may become, too."""
    graph = """graph @f(%x: tensor<1x64x55x55xf32>, %w: tensor<64x64x3x3xf32> {weight}) {
      %y = conv2d(%x, %w)
      return %y
    }"""
    with pytest.raises(
        CompileError, match=r"2:12: error: graph\.conv2d: the Cube of ascend910 does not multiply f32"
    ):
        ascend_opt.compile(graph, target="ascend910", fuse=fuse)

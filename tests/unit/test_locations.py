"""Where kernels come from: fused locations of all their ops, which print and parse, with the op's own first."""

from pathlib import Path

import pytest
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    CallSiteLoc,
    FileLineColLoc,
    IndexType,
    IntAttr,
    IntegerAttr,
    StringAttr,
    UnknownLoc,
)

from ascend_opt.compiler.drivers.driver import run_tool
from ascend_opt.dialects.locations import (
    Place,
    file_location,
    fused_location,
    location_of,
    node_location,
    places_of,
)
from ascend_opt.passes.fusion.kernel_sources import node_name

TEXT = """graph @f(%x: tensor<64x64xf16>) {
  %0 = exp(%x)
  %1 = tanh(%0)
  return %1
}
"""


def at(line: int) -> FileLineColLoc:
    return FileLineColLoc(StringAttr("dir/net.mlir"), IntAttr(line), IntAttr(3))


def test_places_are_in_the_order_of_the_source_each_once():
    location = fused_location([at(7), at(2), at(7), CallSiteLoc(at(4), at(2)), UnknownLoc()])
    assert [str(place) for place in places_of(location)] == ["net.mlir:2", "net.mlir:4", "net.mlir:7"]
    assert file_location(location) == at(7), "errors are at the op that gives the result"


def test_one_location_stays_itself():
    assert fused_location([at(2), at(2)]) == at(2)
    assert places_of(UnknownLoc()) == () and file_location(UnknownLoc()) is None


def test_nodes_go_by_their_names_and_numbers():
    location = fused_location(
        [node_location("/z/Conv", "net.onnx", 3), node_location("/a/Relu", "net.onnx", 12)]
    )
    found = places_of(location)
    assert found == (Place("net.onnx", 3, 1, "/z/Conv"), Place("net.onnx", 12, 1, "/a/Relu"))
    assert [str(place) for place in found] == ["/z/Conv", "/a/Relu"]
    assert places_of(location_of(found)) == found


def test_a_node_is_known_by_the_location_of_its_ops():
    op = ConstantOp(IntegerAttr(0, IndexType()))
    for location, name in ((node_location("/z/Conv", "net.onnx", 3), "/z/Conv"), (at(2), "")):
        op.location = location
        assert node_name(op) == name


def test_a_kernel_prints_where_its_ops_are_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "net.mlir"
    path.write_text(TEXT)
    assert run_tool([str(path), "--fuse", "--print-debuginfo"]) == 0
    out = capsys.readouterr().out
    both = f'loc(fused["{path}":3:8, "{path}":2:8])'
    assert both in out
    again = tmp_path / "again.mlir"
    again.write_text(out)
    assert run_tool([str(again), "--print-debuginfo"]) == 0
    assert both in capsys.readouterr().out

"""Kernels that have no tile: the message names the memories that are too small."""

import re
from pathlib import Path

import pytest

import ascend_opt
from ascend_opt.dialects.target import load_target

NO_ROOM = {
    "filters": "x: 1x16x200x200, w: 16x16x150x150, conv2d(%x, %w)",
    "a wide stride": "x: 1x16x200x20000, w: 16x16x3x3, conv2d(%x, %w) {strides = [1, 63], dilations = [30, 1]}",
}


@pytest.mark.parametrize(
    ("name", "chip", "short"),
    [
        ("filters", "ascend910", ["L1", "UB"]),
        ("filters", "ascend910b", ["L1", "UB"]),
        ("a wide stride", "ascend910", ["L1"]),
        ("a wide stride", "ascend950", ["L1"]),
    ],
)
def test_where_no_tile_fits_the_memories_that_are_too_small_are_named(name: str, chip: str, short: list[str]):
    x, w, expression = NO_ROOM[name].split(", ", 2)
    arguments = ", ".join(f"%{a.split(': ')[0]}: tensor<{a.split(': ')[1]}xf16>" for a in (x, w))
    with pytest.raises(ascend_opt.CompileError) as error:
        ascend_opt.compile(f"graph @f({arguments}) {{\n  %y = {expression}\n  return %y\n}}", chip, tune=1)
    message = error.value.diagnostic.message
    assert re.search(r"no tile fits: a tile of 1x16x1x\d+, which comes closest, needs ", message)
    found = re.findall(rf"(\d+) B of (\w+) \({chip} has (\d+) B\)", message)
    assert [space for _, space, _ in found] == short
    for need, space, room in found:
        assert int(need) > int(room) == load_target(chip).spaces[space.lower()].bytes


def test_a_small_ub_is_named_with_bytes_that_would_do(tmp_path: Path):
    """Of an op without rows, on a chip of its own."""
    path = tmp_path / "tiny.toml"
    path.write_text('extends = "ascend910"\nname = "tiny"\n\n[spaces]\nub = { bytes = 8192 }\n')
    graph = (
        "graph @f(%x: tensor<2x19x7x5xf16>, %b: tensor<19xf16>) {\n  %y = bias_add(%x, %b)\n  return %y\n}"
    )
    with pytest.raises(ascend_opt.CompileError) as error:
        ascend_opt.compile(graph, str(path), tune=1)
    found = re.fullmatch(
        r"graph.bias_add: no tile fits in the 8192 B of UB of tiny; one would fit in (\d+) B",
        error.value.diagnostic.message,
    )
    assert found is not None
    enough = tmp_path / "enough.toml"
    enough.write_text(path.read_text().replace('"tiny"', '"enough"').replace("8192", found[1]))
    assert ascend_opt.compile(graph, str(enough), tune=1).time().total_us > 0

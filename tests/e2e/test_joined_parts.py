"""Parts of a concatenation by value: those that are computed, cut, turned or repeated beside those that come from GM,
in one kernel; hazards on."""

import numpy as np
import pytest
from fused_graphs import check

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import tile


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
@pytest.mark.parametrize("place", ["first", "last"])
@pytest.mark.parametrize(
    ("shapes", "axis"),
    [
        ("13x40, 20x40", 0),
        ("4x16, 4x32, 4x48", 1),
        ("3x5x7, 3x2x7, 3x9x7", 1),
        ("700x640, 900x640", 0),
    ],
)
def test_a_part_that_is_computed_beside_parts_from_gm(shapes: str, axis: int, place: str, chip: str):
    """In one kernel: what is computed is copied to its place in tiles that have some of it, all of it or nothing."""
    parts = shapes.split(", ")
    arguments = ", ".join(f"%x{i}: tensor<{shape}xf16>" for i, shape in enumerate(parts))
    names = [f"%x{i}" for i in range(len(parts))]
    at = 0 if place == "first" else -1
    text = f"graph @f({arguments}) {{\n  %a = abs({names[at]})\n"
    names[at] = "%a"
    text += f"  %b = concat({', '.join(names)}) {{axis = {axis}}}\n  %y = neg(%b)\n  return %y\n}}"
    _, result = check(text, chip)
    assert len(result.profile.kernels) == 1


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_a_part_that_is_read_in_steps_beside_one_that_is_computed(chip: str):
    text = """graph @f(%x: tensor<9x64xf16>, %z: tensor<5x32xf16>) {
      %s = slice(%x) {starts = [0], ends = [64], axes = [1], steps = [2]}
      %a = abs(%z)
      %b = concat(%s, %a) {axis = 0}
      %y = neg(%b)
      return %y
    }"""
    _, result = check(text, chip)
    assert len(result.profile.kernels) == 1


def test_turned_parts_end_where_the_next_one_begins():
    """A tile has several images, and of its channels some are turned: of the others nothing was read."""
    text = """graph @f(%x: tensor<256x2x16x16xf16>, %z: tensor<256x3x16x16xf16>) {
      %t = transpose(%x) {perm = [0, 1, 3, 2]}
      %y = concat(%t, %z) {axis = 1}
      return %y
    }"""
    program, _ = check(text, "ascend910")
    (kernel,) = [op for op in compile_until(program, "tile").walk() if isinstance(op, tile.KernelOp)]
    assert kernel.tile_sizes[0] > 1 and kernel.tile_sizes[1] == 5


@pytest.mark.parametrize("chip", ["ascend910", "ascend950"])
@pytest.mark.parametrize("other", ["concat(%z, %x) {axis = 1}", "pad(%x) {pads = [0, 1, 0, 0]}"])
def test_a_part_that_begins_between_blocks_and_is_of_use_elsewhere(other: str, chip: str):
    """Both take the same tile of %x, one lane in, which no instruction copies to such a place."""
    text = f"""graph @f(%x: tensor<20x5xf16>, %y: tensor<20x1xf16>, %z: tensor<20x1xf16>) {{
      %a = concat(%y, %x) {{axis = 1}}
      %b = {other}
      %c = add(%a, %b)
      %d = mul(%c, %z)
      return %d
    }}"""
    _, result = check(text, chip)
    assert len(result.profile.kernels) == 1


@pytest.mark.parametrize("chip", ["ascend310p", "ascend950"])
@pytest.mark.parametrize(
    ("axis", "parts"),
    [
        (0, ((55, 64), None, (5, 9))),
        (1, ((3, 99), None, (11, 50))),
        (1, ((32, 48), None, (16, 32), None)),
        (1, ((0, 48), None, (80, 96))),
    ],
)
def test_slices_that_are_joined(axis: int, parts: tuple[tuple[int, int] | None, ...], chip: str):
    """Of a slice the parts beside it get nothing, though its tensor goes on; two slices may be one tile of it."""
    lines = [
        f"%s{i} = slice(%x) {{axes = [{axis}], starts = [{part[0]}], ends = [{part[1]}]}}\n"
        for i, part in enumerate(parts)
        if part
    ]
    joined = ", ".join(f"%s{i}" if part else "%z" for i, part in enumerate(parts))
    other = "64x32" if axis else "3x100"
    text = f"""graph @f(%x: tensor<64x100xf16>, %z: tensor<{other}xf16>) {{
      {"".join(lines)}%y = concat({joined}) {{axis = {axis}}}
      return %y
    }}"""
    _, result = check(text, chip)
    assert len(result.profile.kernels) == 1


def test_parts_of_rows_that_are_reduced():
    """The lanes are no dimension of the result: what is computed is not copied to where a part begins."""
    check(
        """graph @f(%x: tensor<63x33xf16>, %v: tensor<63x1xf16>, %w: tensor<63x1xf16>) {
          %s = sub(%v, %w)
          %c = concat(%x, %s, %x) {axis = 1}
          %y = reduce_max(%c) {axes = [1], keep_dims = true}
          return %y
        }""",
        "ascend950",
    )


def test_parts_of_lanes_before_a_dimension_of_one():
    """The result's last dimension is not the tile's."""
    check(
        """graph @f(%x: tensor<2x16x8x1xf16>, %z: tensor<2x16x31x1xf16>) {
          %a = abs(%x)
          %y = concat(%z, %a, %z) {axis = 2}
          return %y
        }""",
        "ascend950",
    )


def test_parts_of_a_number_that_rows_take():
    """The joined tile is one of columns, each number of which is repeated along the result's rows."""
    check(
        """graph @f(%x: tensor<3x57xf16>, %z: tensor<1x128xf16>) {
          %c = concat(%x, %x, %x) {axis = 1}
          %s = slice(%c) {starts = [1, 21], ends = [2, 150], axes = [0, 1]}
          %r = reduce_sum(%s) {axes = [0, 1]}
          %y = add(%r, %z)
          return %y
        }""",
        "ascend910",
    )


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
@pytest.mark.parametrize("op", ["relu", "softmax"])
def test_a_part_that_was_computed_whole_beside_one_that_was_not(chip: str, op: str):
    """The second core has one column of the transposed whole: what reads its tile reads no more than was put there."""
    text = f"""graph @f(%a: tensor<13x8xf32>, %b: tensor<13x8xf32>) {{
      %s = reduce_sum(%a) {{axes = [1], keep_dims = true}}
      %r = {op}(%b)
      %c = concat(%s, %r) {{axis = 1}}
      %y = transpose(%c) {{perm = [1, 0]}}
      return %y
    }}"""
    random = np.random.default_rng(0)
    a, b = (random.standard_normal((13, 8)).astype(np.float32) for _ in range(2))
    e = np.exp(b.astype(np.float64) - b.max(1, keepdims=True))
    computed = np.maximum(b, 0) if op == "relu" else e / e.sum(1, keepdims=True)
    wanted = np.concatenate([a.sum(1, keepdims=True, dtype=np.float64), computed], 1).T
    (found,) = ascend_opt.compile(text, chip).run(a=a, b=b).outputs.values()
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)

"""Elements that are picked, cut, turned or repeated by value: those that begin or end within a block of the tile, and
those that lie apart in it or in the tensor; hazards on."""

import numpy as np
import pytest
from fused_graphs import check

import ascend_opt


@pytest.mark.parametrize(
    ("dtype", "text"),
    [
        ("f32", "graph @f(%x: tensor<2xf32>) { %y = slice(%x) {starts = [1], ends = [2]} return %y }"),
        ("f16", "graph @f(%x: tensor<32xf16>) { %y = slice(%x) {starts = [17], ends = [32]} return %y }"),
    ],
)
def test_the_end_of_a_vector_is_read_up_to_its_block(dtype: str, text: str):
    """Where DMA moves whole 32 B blocks, those that begin between two may not go past the tensor's last one."""
    check(text, "ascend310p", dtype)


@pytest.mark.parametrize("chip", ["ascend910", "ascend950"])
def test_a_repeated_part_is_the_part(chip: str):
    """The one element that is repeated is not the tensor's first one."""
    check(
        """graph @f(%x: tensor<6x17xf16>, %z: tensor<6x17xf16>) {
          %s = slice(%x) {starts = [1], ends = [3], axes = [0], steps = [2]}
          %y = add(%s, %z)
          return %y
        }""",
        chip,
    )


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_elements_that_are_repeated_along_a_turned_dimension(chip: str):
    """Each fills lines of the tile, and more than them; the tile's lines are not in the order of the tensor's."""
    check(
        """graph @f(%x: tensor<7x11x2xf16>, %b: tensor<1x11x2xf16>) {
          %s = add(%x, %b)
          %y = transpose(%s) {perm = [2, 1, 0]}
          return %y
        }""",
        chip,
    )


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_picked_rows_that_end_within_a_block_of_the_tile(chip: str):
    """Of f32, DMA brings 32 B, half a block of 16."""
    text = """graph @f(%x: tensor<9x20xf32>, %i: tensor<5xi32>) {
      %p = gather(%x, %i) {axis = 0}
      %y = abs(%p)
      return %y
    }"""
    program = ascend_opt.compile(text, target=chip, tune=1)
    x, i = np.arange(180, dtype=np.float32).reshape(9, 20), np.array([8, 0, 3, 3, 1], np.int32)
    assert np.array_equal(program.run(x=x, i=i).outputs["output0"], x[i])


def test_picked_channels_of_a_product():
    """Rows that indices pick are not summed over by a product of the same kernel."""
    text = """graph @f(%x: tensor<2x3x7x8xf16>, %i: tensor<40xi32>, %w: tensor<16x40x1x1xf16> {weight}) {
      %p = gather(%x, %i) {axis = 1}
      %r = relu(%p)
      %y = conv2d(%r, %w)
      return %y
    }"""
    program = ascend_opt.compile(text, target="ascend310p", tune=1)
    rng = np.random.default_rng(0)
    x, i = rng.standard_normal((2, 3, 7, 8)).astype(np.float16), rng.integers(0, 3, 40).astype(np.int32)
    w = (rng.standard_normal((16, 40, 1, 1)) / 6).astype(np.float16)
    found = program.run(x=x, i=i, w=w).outputs["output0"].astype(np.float64)
    want = np.einsum("ncij,oc->noij", np.maximum(x[:, i], 0).astype(np.float64), w[:, :, 0, 0])
    assert np.linalg.norm(found - want) <= 3e-3 * np.linalg.norm(want)


@pytest.mark.parametrize("chip", ["ascend910", "ascend950"])
@pytest.mark.parametrize("moved", ["abs(%s)", "pad(%s) {pads = [2, 0, 1, 3]}"])
def test_steps_of_what_is_repeated_along_rows(moved: str, chip: str):
    """Every third row is read, and every third number of a column that all of the row takes."""
    check(
        f"""graph @f(%x: tensor<51x20xf16>, %b: tensor<51x1xf16>) {{
          %s = mul(%x, %b)
          %p = {moved}
          %y = slice(%p) {{starts = [1], ends = [50], axes = [0], steps = [3]}}
          return %y
        }}""",
        chip,
    )


@pytest.mark.parametrize("perm", [(0, 3, 2, 1), (0, 2, 3, 1), (3, 0, 1, 2), (0, 1, 3, 2)])
@pytest.mark.parametrize("axis", range(4))
def test_one_of_several_beside_dimensions_of_one(axis: int, perm: tuple[int, ...]):
    """Of two dimensions of one, the one that stands for more elements says where they are."""
    shape = tuple((1, 2, 1, 5)[p] for p in perm)
    last = shape[axis] - 1
    text = f"""graph @f(%x: tensor<1x2x1x5xf16>) {{
  %0 = transpose(%x) {{perm = [{", ".join(map(str, perm))}]}}
  %y = slice(%0) {{starts = [{last}], ends = [{last + 1}], axes = [{axis}]}}
  return %y
}}"""
    program = ascend_opt.compile(text, target="ascend950", tune=1)
    x = np.arange(10, dtype=np.float16).reshape(1, 2, 1, 5)
    (got,) = program.run(x=x).outputs.values()
    np.testing.assert_array_equal(got, x.transpose(perm).take([last], axis))


@pytest.mark.parametrize("chip", ["ascend310p", "ascend950"])
@pytest.mark.parametrize("perm", [(2, 1, 0), (1, 2, 0), (0, 2, 1), (2, 0, 1), (0, 1, 2)])
@pytest.mark.parametrize(("shape", "first"), [("3x4x2", 0), ("3x4x2", 1), ("37x21x3", 0), ("6x70x40", 0)])
def test_one_of_the_last_elements_turned_and_repeated(
    shape: str, first: int, perm: tuple[int, ...], chip: str
):
    """Elements of the tensor that the tile takes are apart, though its last dimension is not the tile's."""
    x = np.arange(1, np.prod([*map(int, shape.split("x"))]) + 1, dtype=np.float32).astype(np.float16)
    x = (x % 2039).reshape(*map(int, shape.split("x")))
    turned = x[:, :, first : first + 1].transpose(perm)
    other = np.ones([5 if n == 1 else n for n in turned.shape], np.float16)
    text = f"""graph @f(%x: tensor<{shape}xf16>, %o: tensor<{"x".join(map(str, other.shape))}xf16>) {{
  %0 = slice(%x) {{starts = [{first}], ends = [{first + 1}], axes = [2]}}
  %1 = transpose(%0) {{perm = [{", ".join(map(str, perm))}]}}
  %y = mul(%o, %1)
  return %y
}}"""
    (got,) = ascend_opt.compile(text, target=chip, tune=1).run(x=x, o=other).outputs.values()
    np.testing.assert_array_equal(got, turned * other)

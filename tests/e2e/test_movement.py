"""Data movement by value: every op alone, after and before element-wise ops, on ragged, single and large sizes, all
kinds of chips, hazards on. The default run takes a sample of the product, MOVEMENT_TESTS=all takes everything."""

import os
import re
import zlib
from collections.abc import Iterator

import numpy as np
import pytest
from fused_graphs import check

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import ascend, tile
from ascend_opt.passes.lowering.product.prefetch import buffer_of

CHIPS = (
    ("ascend910", "f16"), ("ascend310p", "f16"), ("ascend910b1", "f16"), ("ascend950", "f16"), ("ascend910b1", "f32")
)  # fmt: skip
EVERY = 12
"""One of so many cases runs by default."""

OPS: dict[str, list[tuple[str, str]]] = {
    "transpose": [
        ("17x33", "{perm = [1, 0]}"),
        ("1x40", "{perm = [1, 0]}"),
        ("256x320", "{perm = [1, 0]}"),
        ("2x7x3x5", "{perm = [0, 2, 1, 3]}"),
        ("2x64x4x32", "{perm = [0, 2, 1, 3]}"),
        ("2x64x4x32", "{perm = [0, 2, 3, 1]}"),
        ("3x5x7", "{perm = [2, 1, 0]}"),
        ("3x18x34", "{perm = [2, 0, 1]}"),
        ("2x3x8x8", "{perm = [0, 2, 3, 1]}"),
    ],
    "slice": [
        ("40x48", "{starts = [3], ends = [9223372036854775807], axes = [0]}"),
        ("40x48", "{starts = [16], ends = [32], axes = [1]}"),
        ("7x45", "{starts = [-9], ends = [-2], axes = [-1]}"),
        ("6x50", "{starts = [1, 1], ends = [6, 50], steps = [2, 2]}"),
        ("1x100", "{starts = [0], ends = [100], axes = [1], steps = [3]}"),
        ("2x3x32x64", "{starts = [0, 1], ends = [32, 64], axes = [2, 3], steps = [2, 2]}"),
        ("5x6x7", "{starts = [2], ends = [3], axes = [1]}"),
        ("5x6x7", "{starts = [6], ends = [7], axes = [2]}"),
        ("300x515", "{starts = [2, 3], ends = [299, 512]}"),
    ],
    "pad": [
        ("5x7", "{pads = [1, 2, 3, 4], value = 1.5}"),
        ("2x3x14x16", "{pads = [0, 0, 1, 1, 0, 0, 1, 1]}"),
        ("33", "{pads = [0, 31]}"),
        ("4x32", "{pads = [0, 16, 0, 16], value = -2.0}"),
        ("1x1", "{pads = [1, 1, 1, 1]}"),
        ("100x300", "{pads = [3, 0, 2, 5]}"),
    ],
    "broadcast": [
        ("5x1", "{shape = [5, 33]}"),
        ("33", "{shape = [4, 33]}"),
        ("1", "{shape = [3, 100]}"),
        ("3x1x5", "{shape = [2, 3, 7, 5]}"),
        ("1x512", "{shape = [300, 512]}"),
    ],
    "tile": [("5x7", "{repeats = [2, 3]}"), ("1x40", "{repeats = [4, 1]}")],
    "space_to_depth": [("2x3x8x12", "{block = 2}"), ("1x5x9x6", "{block = 3}")],
    "depth_to_space": [("2x12x4x6", "{block = 2}"), ("1x18x5x7", '{block = 3, mode = "CRD"}')],
}  # fmt: skip
JOINS = [
    ("4x16, 4x32", 1),
    ("3x5x7, 3x2x7, 3x9x7", 1),
    ("5x7, 5x1, 5x40", 1),
    ("1x33", 0),
    ("2x32x8x8, 2x16x8x8, 2x16x8x8, 2x64x8x8", 1),
    ("13, 20", 0),
    ("100x64, 100x64", -1),
]
SPLITS = [("4x96", 1, [32, 64]), ("6x7x5", 1, [1, 2, 4]), ("8x40", -1, [10, 10, 20]), ("9x3", 0, [4, 5])]


def _cases() -> Iterator[str]:
    for name, table in OPS.items():
        for shape, attributes in table:
            yield f"graph @f(%x: tensor<{shape}xf16>) {{\n  %y = {name}(%x) {attributes}\n  return %y\n}}"
            yield (
                f"graph @f(%x: tensor<{shape}xf16>) {{\n  %a = neg(%x)\n  %b = {name}(%a) {attributes}\n"
                "  %y = relu(%b)\n  return %y\n}"
            )
    for shapes, axis in JOINS:
        parts = shapes.split(", ")
        arguments = ", ".join(f"%x{i}: tensor<{shape}xf16>" for i, shape in enumerate(parts))
        names = ", ".join(f"%x{i}" for i in range(len(parts)))
        yield f"graph @f({arguments}) {{\n  %y = concat({names}) {{axis = {axis}}}\n  return %y\n}}"
        mixed = names.replace("%x0", "%a", 1)
        yield (
            f"graph @f({arguments}) {{\n  %a = neg(%x0)\n  %b = concat({mixed}) {{axis = {axis}}}\n"
            "  %y = relu(%b)\n  return %y\n}"
        )
    for shape, axis, sizes in SPLITS:
        names = ", ".join(f"%p{i}" for i in range(len(sizes)))
        yield (
            f"graph @f(%x: tensor<{shape}xf16>) {{\n  {names} = split(%x) {{axis = {axis}, sizes = {sizes}}}\n"
            f"  %y = relu(%p1)\n  return %p0, %y\n}}"
        )
    yield from NETWORKS


NETWORKS = (
    # heads of attention
    (
        "graph @heads(%x: tensor<2x40x96xf16>) {\n  %a = reshape(%x) {shape = [2, 40, 3, 32]}\n"
        "  %b = transpose(%a) {perm = [0, 2, 1, 3]}\n  %c = relu(%b)\n  %d = transpose(%c) {perm = [0, 2, 1, 3]}\n"
        "  %y = reshape(%d) {shape = [2, 40, 96]}\n  return %y\n}"
    ),
    # Focus
    "graph @focus(%x: tensor<1x3x16x32xf16>) {\n"
    + "".join(
        f"  %{name} = slice(%x) {{starts = [{i}, {j}], ends = [16, 32], axes = [2, 3], steps = [2, 2]}}\n"
        for name, i, j in (("a", 0, 0), ("b", 1, 0), ("c", 0, 1), ("d", 1, 1))
    )
    + "  %y = concat(%a, %b, %c, %d) {axis = 1}\n  return %y\n}",
    # rotary embedding, halves and pairs
    (
        "graph @rope(%x: tensor<2x3x10x64xf16>, %cos: tensor<10x64xf16>, %sin: tensor<10x64xf16>) {\n"
        "  %lo = slice(%x) {starts = [0], ends = [32], axes = [3]}\n"
        "  %hi = slice(%x) {starts = [32], ends = [64], axes = [3]}\n"
        "  %n = neg(%hi)\n  %r = concat(%n, %lo) {axis = 3}\n  %a = mul(%x, %cos)\n  %b = mul(%r, %sin)\n"
        "  %y = add(%a, %b)\n  return %y\n}"
    ),
    (
        "graph @pairs(%x: tensor<4x10x64xf16>) {\n"
        "  %e = slice(%x) {starts = [0], ends = [64], axes = [2], steps = [2]}\n"
        "  %o = slice(%x) {starts = [1], ends = [64], axes = [2], steps = [2]}\n"
        "  %n = neg(%o)\n  %a = reshape(%n) {shape = [4, 10, 32, 1]}\n  %b = reshape(%e) {shape = [4, 10, 32, 1]}\n"
        "  %c = concat(%a, %b) {axis = 3}\n  %y = reshape(%c) {shape = [4, 10, 64]}\n  return %y\n}"
    ),
    # gates of an LSTM
    (
        "graph @gates(%x: tensor<5x96xf16>, %c: tensor<5x24xf16>) {\n"
        "  %i, %f, %g, %o = split(%x) {axis = 1, sizes = [24, 24, 24, 24]}\n  %a = sigmoid(%f)\n  %b = mul(%a, %c)\n"
        "  %d = sigmoid(%i)\n  %e = tanh(%g)\n  %h = mul(%d, %e)\n  %n = add(%b, %h)\n  %t = tanh(%n)\n"
        "  %s = sigmoid(%o)\n  %y = mul(%s, %t)\n  return %y, %n\n}"
    ),
    # rows that are repeated, then reduced
    (
        "graph @rows(%x: tensor<6x1xf16>) {\n  %b = broadcast(%x) {shape = [6, 40]}\n"
        "  %y = reduce_sum(%b) {axes = [1]}\n  return %y\n}"
    ),
    # windows, which step too, before and after moves
    (
        "graph @stepped(%x: tensor<1x16x20x20xf16>) {\n"
        "  %a = max_pool2d(%x) {kernel = [1, 1], strides = [2, 2]}\n"
        "  %b = slice(%a) {starts = [0, 1], ends = [10, 10], axes = [2, 3], steps = [2, 3]}\n"
        "  %y = max_pool2d(%b) {kernel = [1, 1], strides = [2, 1]}\n  return %y\n}"
    ),
    (
        "graph @pooled(%x: tensor<1x16x12x12xf16>, %z: tensor<1x16x12x12xf16>) {\n"
        "  %a = slice(%x) {starts = [0], ends = [12], axes = [2], steps = [2]}\n"
        "  %b = max_pool2d(%a) {kernel = [3, 3], strides = [1, 1], pads = [1, 1, 1, 1]}\n"
        "  %c = concat(%b, %z) {axis = 2}\n  %y = max_pool2d(%c) {kernel = [1, 1], strides = [2, 2]}\n"
        "  return %y\n}"
    ),
    # products beside moves
    (
        "graph @around(%x: tensor<2x3x40x32xf16>, %k: tensor<2x40x3x32xf16>) {\n"
        "  %t = transpose(%k) {perm = [0, 2, 3, 1]}\n  %s = matmul(%x, %t)\n"
        "  %u = transpose(%s) {perm = [0, 2, 1, 3]}\n  %y = relu(%u)\n  return %y\n}"
    ),
)


def _chosen() -> list[tuple[str, str, str, bool]]:
    every = [(text, *chip, fuse) for text in _cases() for chip in CHIPS for fuse in (True, False)]
    if os.environ.get("MOVEMENT_TESTS") == "all":
        return every
    return [case for case in every if zlib.crc32(repr(case).encode()) % EVERY == 0]


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("text", "chip", "dtype", "fuse"), _chosen())
def test_values(text: str, chip: str, dtype: str, fuse: bool):
    text = re.sub(r"xf16>", f"x{dtype}>", text)
    program = ascend_opt.compile(text, chip, fuse, tune=1)
    random = np.random.default_rng(zlib.crc32(text.encode()))
    inputs = {name: random.standard_normal(tensor.shape) for name, tensor in program.inputs.items()}
    found = program.run(inputs, hazards=True).outputs
    wanted = program.reference(inputs)
    exact = not re.search("sigmoid|tanh|matmul|mul|reduce", text)
    for name, array in wanted.items():
        if exact:
            np.testing.assert_array_equal(found[name].astype(np.float32), array)
        else:
            error = np.linalg.norm(found[name].astype(np.float32) - array) / np.linalg.norm(array)
            assert error < (3e-3 if dtype == "f16" else 1e-4)


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


def _vector_work(text: str, chip: str) -> list[tuple[str, str]]:
    """Instructions of the Vector unit, each with the label of the buffer that it writes."""
    found: list[tuple[str, str]] = []
    for op in ascend_opt.compile(text, target=chip, tune=1).module.walk():
        if isinstance(op, ascend.VecOp | ascend.TransposeOp):
            buffer = buffer_of(op.destination)
            label = "" if buffer is None or buffer.label is None else buffer.label.data
            found.append((op.instruction.data if isinstance(op, ascend.VecOp) else "transpose", label))
    return found


@pytest.mark.parametrize("shapes", ["1024x48, 1024x5", "256x16, 256x16", "40x16, 40x32, 40x11"])
def test_parts_that_begin_on_blocks_come_by_dma_alone(shapes: str):
    """The last one may end anywhere."""
    parts = shapes.split(", ")
    arguments = ", ".join(f"%x{i}: tensor<{shape}xf16>" for i, shape in enumerate(parts))
    names = ", ".join(f"%x{i}" for i in range(len(parts)))
    text = f"graph @f({arguments}) {{\n  %y = concat({names}) {{axis = 1}}\n  return %y\n}}"
    assert _vector_work(text, "ascend910b") == []
    check(text, "ascend910b")


def test_what_a_transpose_writes_whole_is_not_set_before():
    text = "graph @f(%x: tensor<40x48xf32>) {\n  %t = transpose(%x) {perm = [1, 0]}\n  %y = abs(%t)\n  return %y\n}"
    assert ("vdup", "operand") not in _vector_work(text, "ascend910b")


def test_what_is_set_around_a_tensor_is_set_once():
    """The whole tile is, so the ends of its rows, of which DMA leaves half a block, are not set again."""
    text = "graph @f(%x: tensor<64x32xf32>) {\n  %y = pad(%x) {pads = [0, 0, 0, 5]}\n  return %y\n}"
    assert _vector_work(text, "ascend910b").count(("vdup", "operand")) == 1
    check(text, "ascend910b", "f32")


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


@pytest.mark.parametrize("rows", [1, 5, 15])
def test_few_rows_take_one_instruction_each(rows: int):
    """Rows whose pitch is no multiple of 32 B: where there are fewer than lie between two that are whole blocks apart,
    no instruction is for none."""
    text = f"graph @f(%x: tensor<{rows}x7xf16>) {{\n  %y = reduce_sum(%x) {{axes = [0]}}\n  return %y\n}}"
    _, result = check(text, "ascend910")
    (kernel,) = result.profile.kernels
    assert kernel.cores == 1 and kernel.pipes["MTE2"].instructions == rows


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


@pytest.mark.parametrize("chip", ["ascend910b", "ascend950"])
def test_parts_of_a_type_that_is_converted_to_be_computed(chip: str):
    """Elements are moved in the type in which they are stored."""
    text = """graph @f(%x: tensor<8x17x1xbf16>, %z: tensor<8x17x7xbf16>) {
      %y = concat(%x, %x, %z, %x) {axis = 2}
      return %y
    }"""
    program = ascend_opt.compile(text, target=chip, tune=1)
    x, z = (np.arange(8 * 17 * n).reshape(8, 17, n) for n in (1, 7))
    found = program.run(x=x, z=z).outputs["output0"]
    x, z = (a.astype(found.dtype) for a in (x, z))
    assert np.array_equal(found, np.concatenate([x, x, z, x], axis=2))
    assert not any(name == "vconv" for name, _ in _vector_work(text, chip))


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

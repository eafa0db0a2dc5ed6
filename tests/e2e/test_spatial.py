"""Convolutions and pools along one and three dimensions: values by definition, fused and not; one kernel with what
follows; errors in their own words."""

# pyright: basic

from itertools import product

import numpy as np
import pytest
from sweeps import ALL

import ascend_opt
from ascend_opt.compiler.api import CompileError

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
RNG = np.random.default_rng(5)


def _window(x, index, starts, kernel, dilations, pads):
    """What the window at `starts` of channel plane `index` meets inside x, and how many of its places lie in the
    padding."""
    met, around = [], 0
    for tap in product(*map(range, kernel)):
        place = [s + t * d for s, t, d in zip(starts, tap, dilations, strict=True)]
        if all(0 <= p < n for p, n in zip(place, x.shape[2:], strict=True)):
            met.append((tap, x[(*index, *place)]))
        else:
            n = len(place)
            around += all(-pads[d] <= p < x.shape[2 + d] + pads[d + n] for d, p in enumerate(place))
    return met, around


def _pool(x, sizes, kernel, strides, pads, dilations, kind):
    y = np.zeros((*x.shape[:2], *sizes))
    for at in np.ndindex(*y.shape):
        starts = [i * s - p for i, s, p in zip(at[2:], strides, pads, strict=False)]
        met, around = _window(x, at[:2], starts, kernel, dilations, pads)
        values = [v for _, v in met]
        y[at] = max(values) if kind == "max" else sum(values) / (len(values) + (kind == "include") * around)
    return y


POOLS = [
    # shape, result, kernel, strides, pads, dilations, ceil_mode
    ((2, 3, 17), (6,), (4,), (3,), (2, 1), (1,), "false"),
    ((1, 20, 18), (9,), (3,), (2,), (1, 1), (2,), "true"),
    ((2, 3, 5, 7, 6), (3, 4, 3), (3, 2, 2), (2, 2, 2), (1, 0, 0, 1, 1, 1), (1, 1, 1), "false"),
    ((1, 4, 6, 5, 5), (3, 5, 5), (2, 1, 1), (2, 1, 1), (0,) * 6, (1, 1, 1), "false"),
    ((1, 2, 5, 6, 5), (3, 3, 2), (2, 3, 2), (2, 2, 3), (0, 1, 0, 0, 0, 1), (1, 1, 1), "true"),
]


@pytest.mark.parametrize("case", POOLS)
@pytest.mark.parametrize("kind", ["max", "exclude", "include"])
def test_pools_are_those_of_the_definition(case, kind):
    shape, sizes, kernel, strides, pads, dilations, ceil = case
    x = RNG.standard_normal(shape).astype(np.float16)
    expected = _pool(x.astype(np.float64), sizes, kernel, strides, pads, dilations, kind)
    op = f"{'max' if kind == 'max' else 'avg'}_pool{len(sizes)}d"
    more = "" if kind == "max" else f", count_include_pad = {str(kind == 'include').lower()}"
    text = f"""graph @f(%x: tensor<{"x".join(map(str, shape))}xf16>) {{
      %y = {op}(%x) {{kernel = {[*kernel]}, strides = {[*strides]}, pads = {[*pads]}, dilations = {[*dilations]},
        ceil_mode = {ceil}{more}}}
      return %y
    }}"""
    turn = POOLS.index(case)
    for chip, fuse in product(CHIPS if ALL else CHIPS[turn % 4 :][:1], (True, False)):
        (y,) = ascend_opt.compile(text, target=chip, fuse=fuse).run(x=x).outputs.values()
        assert y.shape == expected.shape
        np.testing.assert_allclose(y.astype(np.float64), expected, atol=4e-3)


CONVOLUTIONS = [
    # x, w, sizes, strides, pads, dilations, groups
    ((2, 6, 21), (8, 3, 4), (9,), (2,), (2, 1), (2,), 2),
    ((1, 16, 40), (24, 16, 3), (40,), (1,), (1, 1), (1,), 1),
    ((1, 8, 19), (8, 1, 5), (15,), (1,), (0, 0), (1,), 8),
    ((1, 4, 5, 6, 7), (6, 2, 3, 2, 3), (3, 5, 5), (2, 1, 1), (1, 0, 0, 1, 0, 0), (1, 1, 1), 2),
    ((2, 3, 4, 5, 5), (5, 3, 2, 3, 3), (2, 5, 3), (1, 1, 2), (0, 1, 1, 0, 1, 1), (2, 1, 1), 1),
]


@pytest.mark.parametrize("case", CONVOLUTIONS)
def test_convolutions_are_those_of_the_definition(case):
    shape, filters, sizes, strides, pads, dilations, groups = case
    x, w = (RNG.standard_normal(s).astype(np.float16) for s in (shape, filters))
    b = RNG.standard_normal(filters[0]).astype(np.float16)
    expected = np.zeros((shape[0], filters[0], *sizes))
    for at in np.ndindex(*expected.shape):
        starts = [i * s - p for i, s, p in zip(at[2:], strides, pads, strict=False)]
        group = at[1] // (filters[0] // groups)
        for c in range(filters[1]):
            met, _ = _window(x, (at[0], group * filters[1] + c), starts, filters[2:], dilations, pads)
            expected[at] += sum(float(v) * float(w[(at[1], c, *tap)]) for tap, v in met)
        expected[at] += float(b[at[1]])
    types = [f"tensor<{'x'.join(map(str, s))}xf16>" for s in (shape, filters, (filters[0],))]
    text = f"""graph @f(%x: {types[0]}, %w: {types[1]} {{weight}}, %b: {types[2]} {{weight}}) {{
      %c = conv{len(sizes)}d(%x, %w, %b) {{strides = {[*strides]}, pads = {[*pads]}, dilations = {[*dilations]},
        groups = {groups}}}
      %y = relu(%c)
      return %y
    }}"""
    turn = CONVOLUTIONS.index(case)
    for chip, fuse in product(CHIPS if ALL else CHIPS[turn % 4 :][:1], (True, False)):
        (y,) = ascend_opt.compile(text, target=chip, fuse=fuse).run(x=x, w=w, b=b).outputs.values()
        assert y.shape == expected.shape
        np.testing.assert_allclose(y.astype(np.float64), np.maximum(expected, 0), atol=2e-2)


def test_what_follows_a_line_is_in_its_kernel():
    text = """graph @f(%x: tensor<?x16x64xf16>, %w: tensor<32x16x3xf16> {weight}, %b: tensor<32xf16> {weight},
        %s: tensor<32xf16> {weight}, %v: tensor<32xf16> {weight}) {
      %c = conv1d(%x, %w, %b) {pads = [1, 1]}
      %n = batch_norm(%c, %s, %b, %b, %v)
      %r = relu(%n)
      %y = max_pool1d(%r) {kernel = [2], strides = [2]}
      return %y
    }"""
    program = ascend_opt.compile(text)
    x = RNG.standard_normal((3, 16, 64)).astype(np.float16)
    vectors = {n: np.abs(RNG.standard_normal(32)).astype(np.float16) + np.float16(0.5) for n in "bsv"}
    weights = {"w": (RNG.standard_normal((32, 16, 3)) / 7).astype(np.float16), **vectors}
    result = program.run(x=x, **weights)
    assert len(result.profile.kernels) == 1
    (expected,) = program.reference({"x": x, **weights}).values()
    (found,) = result.outputs.values()
    np.testing.assert_allclose(found.astype(np.float32), expected.astype(np.float32), atol=2e-2, rtol=2e-2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "conv1d(%x, %x)",
            r"conv1d: needs x \[N, C, L\] and w \[O, C / groups, k\], got 1x8x4x4 and 1x8x4x4",
        ),
        ("conv1d(%l, %l) {pads = [1]}", r"conv1d: pads needs 2 values, got \[1\]"),
        ("conv1d(%l, %l) {strides = [1, 1]}", r"conv1d: strides needs 1 value, got \[1, 1\]"),
        ("max_pool1d(%l) {kernel = [9]}", r"max_pool1d: .*a kernel of 9 .* the padded input has only 4 \+ 0"),
        ("max_pool3d(%x) {kernel = [1, 1, 1]}", r"max_pool3d: x must be \[N, C, D, H, W\], got 1x8x4x4"),
        ("avg_pool3d(%x) {kernel = [1, 1]}", r"avg_pool3d: kernel needs 3 values of 1 or more, got \[1, 1\]"),
        ("conv3d(%x, %x)", r"conv3d: x must be \[N, C, D, H, W\] and w \[O, C, kd, kh, kw\]"),
        ("conv3d(%q, %q)", r"conv3d: needs static sizes, got \?x1x1x1x1"),
    ],
)
def test_mistakes_are_located(call, message):
    given = "%x: tensor<1x8x4x4xf16>, %l: tensor<1x8x4xf16>, %q: tensor<?x1x1x1x1xf16>"
    text = f"graph @f({given}) {{\n%y = {call}\nreturn %y\n}}"
    with pytest.raises(CompileError, match=r"<string>:2:\d+: error: " + message):
        ascend_opt.compile(text)


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b1", "ascend950"])
@pytest.mark.parametrize("pads", [(2, 2, 1, 0), (1, 0, 1, 0), (0, 0, 1, 1)])
def test_a_window_around_what_a_reduction_gives(pads: tuple[int, ...], chip: str):
    """An image of one pixel, which a tile may not see."""
    text = f"""graph @f(%x: tensor<1x8x1x1xf16>, %w: tensor<8x1x2x1xf16> {{weight}}) {{
      %0 = reduce_min(%x) {{axes = [0, 2, 3], keep_dims = true}}
      %y = conv2d(%0, %w) {{pads = {list(pads)}, groups = 8}}
      return %y
    }}"""
    rng = np.random.default_rng(0)
    x, w = (rng.integers(-8, 8, shape).astype(np.float16) for shape in ((1, 8, 1, 1), (8, 1, 2, 1)))
    (found,) = ascend_opt.compile(text, target=chip, tune=1).run(x=x, w=w).outputs.values()
    image = np.pad(x, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
    wanted = image[:, :, :-1] * w[:, 0, 0, 0].reshape(1, 8, 1, 1) + image[:, :, 1:] * w[:, 0, 1, 0].reshape(
        1, 8, 1, 1
    )
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("chip", CHIPS)
def test_rows_below_an_image_are_filled_once_a_tile_whichever_tiles_a_core_has(chip):
    """The padding of every tile of some cores, and of none of others: each fill waits for the windows before it. The
    result lies in blocks."""
    text = """graph @f(%x: tensor<1x480x28x28xf16>) {
  %y = max_pool2d(%x) {kernel = [3, 3], strides = [2, 2], pads = [0, 0, 1, 1]}
  %r = reshape(%y) {shape = [1, 30, 16, 14, 14]}
  %z = transpose(%r) {perm = [0, 1, 3, 4, 2]}
  return %z
}"""
    x = np.random.default_rng(0).standard_normal((1, 480, 28, 28)).astype(np.float16)
    (found,) = ascend_opt.compile(text, chip, tune=1).run(x=x).outputs.values()
    padded = np.pad(x, ((0, 0), (0, 0), (0, 1), (0, 1)), constant_values=-np.inf)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))[:, :, ::2, ::2]
    wanted = windows.max((4, 5)).reshape(1, 30, 16, 14, 14).transpose(0, 1, 3, 4, 2)
    np.testing.assert_array_equal(found, wanted)

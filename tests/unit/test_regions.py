"""Regions: operand maps compose from a group's last op backwards, and dimensions walked alike become one."""

import pytest
from xdsl.ir import Operation

from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.tile import MapAttr
from ascend_opt.dialects.tiling import Along, Unit, Whole
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.regions.compose_maps import NotFusableError, compose
from ascend_opt.passes.regions.regions import Regions
from ascend_opt.passes.support.module import kernel_ops
from ascend_opt.passes.support.values import scalar_operands


def ops_of(text: str) -> list[Operation]:
    return kernel_ops(choose_function(read_module(text).module, None))


def regions(text: str) -> Regions:
    return group_regions(ops_of(text))


def test_element_wise_group_is_one_flat_loop():
    found = regions("graph @f(%x: tensor<2x3x4x5xf16>) {\n  %a = relu(%x)\n  %y = tanh(%a)\n  return %y\n}")
    assert found.kernel_extents == (120,)
    assert found.merged == ((0, 1, 2, 3),)
    assert found.kernel_shape(found.loads[0]) == (120,)


def test_broadcast_operand_keeps_dimensions_apart():
    """A row of [C] follows the last dimension only; those before it stay merged."""
    found = regions(
        "graph @f(%x: tensor<2x3x4x5xf16>, %r: tensor<5xf16>) {\n  %y = add(%x, %r)\n  return %y\n}"
    )
    assert found.kernel_extents == (24, 5)
    row = next(load for load in found.loads if load.maps != found.loads[0].maps)
    assert found.kernel_map(row.maps) == (Along(1),)


def test_bias_of_a_feature_map_keeps_channels_apart():
    found = regions(
        "graph @f(%x: tensor<2x16x8x8xf16>, %b: tensor<16xf16>) {\n  %y = bias_add(%x, %b)\n  return %y\n}"
    )
    assert found.kernel_extents == (2, 16, 64)


def test_two_windows_compose_to_one_with_both_halos():
    """A window of 3 with stride 2 over one of 5: 9 elements wide, stride 2, pads scaled by the inner stride."""
    outer = (Along(0, stride=2, window=3, pad=1),)
    inner = Along(0, stride=1, window=5, pad=2)
    assert compose(inner, outer, parallel=1, reduced=()) == Along(0, stride=2, window=7, dilation=1, pad=3)
    assert compose(Along(0, stride=3), outer, 1, ()) == Along(0, stride=6, window=7, dilation=1, pad=3)


def test_slices_with_steps_compose_to_a_thin_one_and_with_a_stepping_window_to_a_window():
    thin, window = Along(0, stride=2, pad=-1, thin=True), Along(0, stride=3)
    assert compose(thin, (thin,), 1, ()) == Along(0, stride=4, pad=-3, thin=True)
    assert compose(Along(0), (thin,), 1, ()) == compose(thin, (Along(0),), 1, ()) == thin
    assert compose(thin, (window,), 1, ()) == Along(0, stride=6, pad=-1)
    assert compose(window, (thin,), 1, ()) == Along(0, stride=6, pad=-3)
    assert compose(Along(0, window=3), (thin,), 1, ()) == Along(0, stride=2, window=3, pad=-1)


def test_a_thin_tile_holds_what_is_read_and_a_window_what_lies_between():
    assert (Along(0, stride=2, thin=True).held(4), Along(0, stride=2).held(4)) == (4, 7)
    assert (Along(0, stride=2, thin=True).is_windowed, Along(0, stride=2).is_windowed) == (False, True)


def test_maps_of_a_load_keep_what_is_thin():
    maps = (Along(1, stride=2, pad=-1, thin=True), Along(0, stride=2), Along(2, repeat=3), Whole(), Unit())
    assert MapAttr.of(maps, 3).data.entries == maps


def test_a_window_does_not_join_a_slice():
    with pytest.raises(
        NotFusableError, match=r"graph\.slice moves elements, and a window's tiles have a halo"
    ):
        regions(
            "graph @f(%x: tensor<1x16x8x8xf16>) {\n"
            "  %a = slice(%x) {starts = [0], ends = [8], steps = [2], axes = [3]}\n"
            "  %y = max_pool2d(%a) {kernel = [1, 1], strides = [2, 2]}\n  return %y\n}"
        )


def test_span_of_a_window_is_what_a_tile_needs():
    assert Along(0, stride=2, window=3).span(4) == 9
    assert Along(0).span(7) == 7


def test_convolution_needs_a_halo_of_rows():
    found = regions(
        "graph @f(%x: tensor<1x16x8x8xf16>, %w: tensor<32x16x3x3xf16> {weight}) {\n"
        "  %c = conv2d(%x, %w) {pads = [1, 1, 1, 1]}\n  %y = relu(%c)\n  return %y\n}"
    )
    image = next(load for load in found.loads if load.value.name_hint == "x")
    assert [(e.window, e.pad) for e in image.maps[2:] if isinstance(e, Along)] == [(3, 1), (3, 1)]
    assert image.fill == 0.0
    assert found.product is not None
    assert found.extents == (1, 32, 8, 8, 16, 3, 3)


def test_rows_of_a_batched_product_with_shared_weights_merge():
    found = regions(
        "graph @f(%x: tensor<4x8x16xf16>, %w: tensor<16x32xf16> {weight}) {\n"
        "  %y = matmul(%x, %w)\n  return %y\n}"
    )
    assert found.kernel_extents == (32, 32)


def test_dimensions_of_size_one_join_their_neighbours():
    """[C, 1, 1] on [N, C, H, 1]: the last dimension is part of the plane for both."""
    found = regions(
        "graph @f(%x: tensor<2x3x5x1xf16>, %s: tensor<3x1x1xf16>) {\n  %y = mul(%x, %s)\n  return %y\n}"
    )
    assert found.kernel_extents == (2, 3, 5)
    assert [found.kernel_shape(load) for load in found.loads] == [(2, 3, 5), (3, 1)]
    assert [found.kernel_map(load.maps) for load in found.loads] == [
        (Along(0), Along(1), Along(2)),
        (Along(1), Unit()),
    ]


def test_a_row_of_each_matrix_is_no_part_of_the_batch():
    found = regions(
        "graph @f(%x: tensor<4x1x8xf16>, %w: tensor<4x8x32xf16>) {\n  %y = matmul(%x, %w)\n  return %y\n}"
    )
    assert found.kernel_extents == (4, 1, 32)


def test_splat_constants_become_scalars():
    (op,) = ops_of(
        "graph @f(%x: tensor<8xf16>) {\n  %k = constant() {value = 0.5} : tensor<f16>\n"
        "  %y = mul(%x, %k)\n  return %y\n}"
    )
    assert scalar_operands(op) == {1: 0.5}
    assert len(group_regions([op]).loads) == 1


TWO_PRODUCTS = """
graph @f(%x: tensor<8x8xf16>, %z: tensor<8x8xf16>, %w1: tensor<8x8xf16>, %w2: tensor<8x8xf16>) {
  %a = matmul(%x, %w1)
  %b = matmul(%z, %w2)
  %y = add(%a, %b)
  return %y
}"""
UNRELATED = """
graph @f(%x: tensor<8x8xf16>, %z: tensor<8x8xf16>) {
  %a = relu(%x)
  %y = tanh(%z)
  return %a, %y
}"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (TWO_PRODUCTS, "two products need two accumulators"),
        (UNRELATED, "does not feed the group's result"),
    ],
)
def test_groups_that_do_not_compose_say_why(text: str, reason: str):
    with pytest.raises(NotFusableError, match=reason):
        regions(text)

"""Attributes of the tile level: what they print they parse, they hold Python values, and refuse what contradicts."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import f16
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from ascend_opt.compiler.pipeline.read_module import make_context
from ascend_opt.dialects.tile import (
    Circular,
    Grid,
    GridAttr,
    MapAttr,
    Parts,
    ProductAttr,
    ProductSchedule,
    Space,
    Stagger,
    Tail,
    TileType,
    WindowAttr,
)
from ascend_opt.dialects.tiling import Along, DimMap, Image2Col, Picked, Unit, Whole

GRID = Grid((64, 32), (16, 32), (Tail.SHIFT,), 2)
ROWS = Grid((2, 16, 8, 5), (1, 16, 4, 5), (Tail.COVER,), 1, circular=Circular(2, 1, 1, 0))
PRODUCT = ProductSchedule((4, 8), 64, 128, 32, 16)
STAYS = replace(PRODUCT, m_shape=(32,), resident=64)
WINDOW = Image2Col((3, 3), (1, 1), (1, 1), (0, 0, 0, 0))


def parsed(text: str) -> Attribute:
    context = make_context()
    return Parser(context, text).parse_attribute()


def thin(dim: int, stride: int, pad: int) -> DimMap:
    return Along(dim, stride, pad=pad, thin=True)


def picked(dims: list[int]) -> DimMap:
    return Picked(None, tuple(dims))


def entries_of(rank: int) -> st.SearchStrategy[DimMap]:
    dims, sizes = st.integers(0, rank - 1), st.integers(1, 9)
    plain = st.builds(Along, dims, st.integers(0, 9), sizes, sizes, st.integers(-99, 9), sizes)
    slices = st.builds(thin, dims, st.integers(2, 9), st.integers(-9, 9))
    looked_up = st.builds(picked, st.lists(dims, max_size=3))
    return st.one_of(plain, slices, looked_up, st.just(Whole()), st.just(Unit()))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.integers(1, 5).flatmap(lambda rank: st.tuples(st.just(rank), st.lists(entries_of(rank), max_size=5)))
)
def test_maps_parse_what_they_print(drawn: tuple[int, list[DimMap]]):
    rank, entries = drawn
    made = MapAttr.of(tuple(entries), rank)
    assert made.data.entries == tuple(entries)
    assert parsed(str(made)) == made


OPTIONAL = st.sampled_from([False, True])
PRODUCTS = st.builds(
    ProductSchedule,
    st.lists(st.integers(1, 9), max_size=3).map(tuple),
    st.just(64),
    st.just(128),
    st.sampled_from([32, 64, 256]),
    st.integers(1, 99),
    l0_n=st.sampled_from([None, 16, 48]),
    transpose_lhs=OPTIONAL,
    transpose_rhs=OPTIONAL,
    stagger=st.none() | st.builds(Stagger, st.integers(1, 9), st.integers(1, 9)),
    resident=st.sampled_from([None, 128]),
    parts=st.none() | st.builds(Parts, st.integers(0, 3), st.integers(1, 999)),
    unit_flag=OPTIONAL,
    prefetch=OPTIONAL,
    split_last=OPTIONAL,
)


@given(PRODUCTS)
def test_products_parse_what_they_print(schedule: ProductSchedule):
    made = ProductAttr(schedule)
    again = parsed(str(made))
    assert isinstance(again, ProductAttr) and again.data == schedule


SIZES = st.tuples(st.integers(1, 99), st.integers(1, 99), st.sampled_from([*Tail]))


@given(st.lists(SIZES, min_size=1, max_size=4), st.integers(1, 48), st.integers(1, 8), st.integers(0, 1))
def test_grids_parse_what_they_print(
    dims: list[tuple[int, int, Tail]], cores: int, swizzle: int, serial: int
):
    extents, tiles, tails = zip(*dims, strict=True)
    grid = Grid(extents, tiles, tails, cores, swizzle, serial, inner=0 if serial else None)
    again = parsed(str(GridAttr(grid)))
    assert isinstance(again, GridAttr) and again.data == grid


def test_what_has_its_default_is_not_printed():
    assert str(GridAttr(GRID)) == "#tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 2>"
    assert str(ProductAttr(PRODUCT)) == "#tile.product<m = [4, 8], n = 64, k = 128, step = 32, l0_k = 16>"
    assert str(MapAttr.of((Along(1), Along(0, window=3)), 2)) == "#tile.map<(d0, d1) -> (d1, d0 + window(3))>"


def test_fields_are_python_values():
    window = WindowAttr.get(Image2Col((3, 5), (2, 1), (1, 4), (0, 1, 2, 3)))
    assert window.image.kernel == (3, 5) and window.image.pads == (0, 1, 2, 3)
    assert parsed(str(window)) == window
    product = parsed("#tile.product<m = [4, 8], n = 64, k = 128, step = 256, l0_k = 16, stagger = [2, 3]>")
    assert isinstance(product, ProductAttr)
    assert (product.data.m, product.data.m_shape, product.data.step_k) == (32, (4, 8), 128)
    assert product.data.stagger is not None and product.data.stagger.columns == 3
    assert GRID.tails == ("shift", "shift") and GRID.points == (4, 1) and not GRID.ragged(0)


def test_types_and_windows_that_are_equal_are_one():
    assert TileType.get((4, 16), f16, "ub") is TileType.get([4, 16], f16, Space.UB)
    assert parsed("!tile.tile<4x16xf16, ub, nd>") == TileType.get((4, 16), f16, "ub")
    assert WindowAttr.get(WINDOW) is WindowAttr.get(replace(WINDOW))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda: replace(GRID, cores=0), "cores is 1 or more, not 0"),
        (lambda: replace(GRID, swizzle=0), "swizzle is 1 or more, not 0"),
        (lambda: replace(GRID, tiles=(16,)), r"tiles \[16\] do not fit extents \[64, 32\]"),
        (lambda: replace(GRID, extents=(64, 0)), r"extents are 1 or more, not \[64, 0\]"),
        (lambda: replace(GRID, serial=3), "serial counts some of 2 dimensions, not 3"),
        (lambda: replace(GRID, inner=2), "inner is one of 2 dimensions, not 2"),
        (lambda: replace(GRID, tails=(Tail.CLIP,) * 3), "tails is one word or one a dimension, not 3 for 2"),
        (lambda: replace(GRID, spans=True), "spans goes with tails clip or cover"),
        (lambda: replace(GRID, dynamic=2), "a first extent of -1 goes with dynamic"),
        (lambda: replace(GRID, extents=(-1, 32), dynamic=1), "a first extent of -1 goes with dynamic"),
        (lambda: replace(GRID, extents=(-1, 32), dynamic=1, sizes=(0,)), "sizes are 1 or more"),
        (lambda: replace(GRID, extents=(-1, 32), dynamic=1, sizes=(8,)), "cannot start early"),
        (lambda: replace(ROWS, serial=1), "circular goes with dimension 2"),
        (lambda: replace(ROWS, circular=Circular(2, -1, 1, 0)), "0 or more, not <dim = 2, halo = -1, gap = 1"),
    ],
)  # fmt: skip
def test_a_grid_is_refused(change: Callable[[], Grid], message: str):
    with pytest.raises(VerifyException, match=message):
        GridAttr(change())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda: replace(PRODUCT, m_shape=(4, 0)), "m is 1 or more, not 0"),
        (lambda: replace(PRODUCT, step=0), "step is 1 or more, not 0"),
        (lambda: replace(PRODUCT, l0_n=24), "l0_n is in blocks of 16, not 24"),
        (lambda: replace(PRODUCT, l0_n=64), "l0_n is less than n, not 64 of 64"),
        (lambda: replace(PRODUCT, stagger=Stagger(0, 1)), r"stagger spans 1 or more, not \[0, 1\]"),
        (lambda: replace(PRODUCT, stages=3), "stages are of a product whose left operand is resident"),
        (lambda: replace(STAYS, stages=1), "2 stages or more, not 1"),
        (lambda: replace(STAYS, resident=48), "resident is so many steps of 32 and a part of 128, not 48"),
        (lambda: replace(STAYS, resident=0), "resident is so many steps"),
        (lambda: replace(STAYS, keeps=True), "keeps is for whole steps of K"),
        (lambda: replace(PRODUCT, rows=4), "rows is a part of the rows"),
        (lambda: replace(STAYS, rows=5), r"rows is a part of the rows \[32\]"),
        (lambda: replace(STAYS, m_shape=(4, 8), rows=4), "do not lie one behind the other"),
        (lambda: replace(PRODUCT, parts=Parts(0, 0)), "not <dim = 0, depth = 0>"),
    ],
)  # fmt: skip
def test_a_product_is_refused(change: Callable[[], ProductSchedule], message: str):
    with pytest.raises(VerifyException, match=message):
        ProductAttr(change())


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (Along(2), r"d2 follows none of 2 dimensions"),
        (Along(0, stride=-1), r"d0 \* -1: a stride is 0 or more"),
        (Along(0, window=0), r"d0 \+ window\(0\): a stride"),
        (Along(0, repeat=0), r"d0 floordiv 0: a stride"),
        (Along(0, thin=True), "thin d0 needs a stride above 1"),
        (Along(0, 2, window=3, thin=True), r"thin d0 \* 2 \+ window\(3\) needs a stride above 1, and no window"),
        (Picked(None, (0, 2)), r"indices\[d0, d2\] follows none of 2 dimensions"),
    ],
)  # fmt: skip
def test_a_map_is_refused(entry: DimMap, message: str):
    with pytest.raises(VerifyException, match=message):
        MapAttr.of((entry,), 2)


@pytest.mark.parametrize(
    "wrong",
    [replace(WINDOW, kernel=(0, 3)), replace(WINDOW, dilations=(1, 0)), replace(WINDOW, pads=(0, -1, 0, 0))],
)
def test_a_window_is_refused(wrong: Image2Col):
    with pytest.raises(
        VerifyException, match="kernel, strides and dilations are 1 or more and pads 0 or more"
    ):
        WindowAttr.get(wrong)

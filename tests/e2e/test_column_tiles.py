"""Products that take some columns of a tile at a time, of biases longer than their table and of tiles of columns that
are not equal; and the steps of weights that are in L1 meanwhile."""

from collections.abc import Callable
from dataclasses import replace
from math import gcd

import pytest
from fused_graphs import check
from planned_memory import with_addresses
from product_tilings import product_tilings

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.dialects import ascend, tile
from ascend_opt.dialects.ascend.memory import space_of
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.ascend_insert_sync import synchronise
from ascend_opt.passes.kernels.product import search as cube_search
from ascend_opt.passes.kernels.product.clock import product_cycles
from ascend_opt.passes.kernels.product.footprint import l1_of_operands
from ascend_opt.passes.kernels.product.problem import problem_of, tile_of
from ascend_opt.passes.kernels.product.search import best_product_tilings as searched
from ascend_opt.passes.lowering.cores.cube_to_vector_gm import TABLES_ROOM
from ascend_opt.passes.regions.regions import Regions
from ascend_opt.passes.regions.tiling import ProductTiling
from ascend_opt.passes.selection.event_budget import l0_slots, most_l1_slots
from ascend_opt.passes.support.values import shape_of
from ascend_opt.passes.sync.report import SyncReport
from ascend_opt.runtime.execution.emulator import Emulator

CHIP = "ascend910b1"
LINEAR = """graph @f(%x: tensor<{m}x{k}x{t}>, %w: tensor<{w}x{t}>{weight}, %b: tensor<{n}x{t}>) {{
  %0 = matmul(%x, %w) {{transpose_b = {turned}}}
  %1 = bias_add(%0, %b)
  %y = relu(%1)
  return %y
}}"""
BLOCK = """graph @f(%x5: tensor<{images}x{c1}x{h}x{h}x16xf16>, %d: tensor<{c}x1x3x3xf16> {{weight}},
    %a: tensor<{c}xf16> {{weight}}, %w: tensor<{o}x{c}x1x1xf16> {{weight}}, %b: tensor<{o}xf16> {{weight}}) {{
  %t = transpose(%x5) {{perm = [0, 1, 4, 2, 3]}}
  %x = reshape(%t) {{shape = [{images}, {c}, {h}, {h}]}}
  %0 = conv2d(%x, %d) {{pads = [1, 1, 1, 1], groups = {c}, fuse = "a"}}
  %1 = bias_add(%0, %a) {{fuse = "a"}}
  %2 = relu(%1) {{fuse = "a"}}
  %3 = conv2d(%2, %w) {{fuse = "a"}}
  %4 = bias_add(%3, %b) {{fuse = "a"}}
  %5 = relu(%4) {{fuse = "a"}}
  %r = reshape(%5) {{shape = [{images}, {o1}, 16, {h}, {h}]}}
  %y = transpose(%r) {{perm = [0, 1, 3, 4, 2]}}
  return %y
}}"""
"""A separable block whose input and result are NC1HWC0."""
Choice = Callable[[ProductTiling], object]


class Search:
    """In the place of the tile search: of the tilings with FixPipe's epilogue that `chosen` likes the fastest one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, chosen: Choice):
        self.chosen = chosen
        monkeypatch.setattr(cube_search, "best_product_tilings", self)

    def __call__(
        self, regions: Regions, packed: bool, target: Target, count: int, *within: float
    ) -> list[ProductTiling]:
        problem = problem_of(regions, packed, target, drain=True)
        found = [
            (product_cycles(problem, tiling, one), i, tiling)
            for i, (tiling, one) in enumerate(product_tilings(problem))
            if self.chosen(tiling)
        ]
        if not found:  # of the product by itself
            return searched(regions, packed, target, count, *within)
        return [min(found, key=lambda f: f[:2])[2]]


def block(images: int, c: int, o: int, h: int = 14) -> str:
    return BLOCK.format(images=images, c=c, c1=c // 16, o=o, o1=o // 16, h=h)


def contract_of(program: Program) -> tile.ContractOp:
    return next(op for op in compile_until(program, "tile").walk() if isinstance(op, tile.ContractOp))


LONG = [
    pytest.param(96, 160, 512, "f16", True, False, id="equal products"),
    pytest.param(100, 160, 1000, "f16", True, False, id="ragged"),
    pytest.param(64, 16, 592, "f16", True, False, id="one piece of K, a smaller last product"),
    pytest.param(64, 48, 512, "f32", True, False, id="f32"),
    pytest.param(64, 160, 512, "f16", False, False, id="activations, transposed on the way"),
    pytest.param(64, 160, 512, "f16", False, True, id="transposed activations"),
    pytest.param(64, 48, 512, "f32", False, False, id="f32 activations, transposed on the way"),
]


@pytest.mark.parametrize(("m", "k", "n", "dtype", "weight", "turned"), LONG)
def test_a_bias_longer_than_its_table(
    monkeypatch: pytest.MonkeyPatch, m: int, k: int, n: int, dtype: str, weight: bool, turned: bool
):
    """Its table holds 256 columns, and so products have at most half as many."""
    Search(monkeypatch, lambda t: t.drain and t.tiles[-1] > 256)
    shape = f"{n}x{k}" if turned else f"{k}x{n}"
    mark = " {weight}" if weight else ""
    text = LINEAR.format(m=m, k=k, n=n, w=shape, t=dtype, weight=mark, turned=str(turned).lower())
    program, _ = check(text, CHIP, dtype)
    contract = contract_of(program)
    assert contract.schedule.l0_n is not None and contract.schedule.l0_n <= 128 < contract.schedule.n
    trace = Emulator(program.module, load_target(CHIP)).run(values=False, traced_cores=1).trace[0]
    run = [event.instruction.site.op for event in trace.events]
    biased = [op for op in run if isinstance(op, ascend.MmadOp) and op.bias is not None]
    rows = [op for op in run if isinstance(op, ascend.CopyOp) and space_of(op.destination.type) == "bt"]
    # a row for the first piece of K of each product
    assert biased and len(biased) == -(-k // contract.schedule.l0_k) * len(rows)


@pytest.mark.parametrize("chip", [CHIP, "ascend950"])
@pytest.mark.parametrize(
    ("o", "columns"), [(512, 384), (320, 256), (400, 256)], ids=["384 and 128", "256 and 64", "256 and 144"]
)
def test_tiles_of_columns_that_are_not_equal(
    monkeypatch: pytest.MonkeyPatch, chip: str, o: int, columns: int
):
    Search(monkeypatch, lambda t: t.tiles[1] == columns and t.tiles[2] == 5 and t.drain)
    program, result = check(block(2, 64, o), chip)
    contract = contract_of(program)
    alike = gcd(columns, o % columns)
    assert contract.schedule.n == columns
    assert contract.schedule.l0_n == (alike if alike >= 64 else None)
    assert len(result.profile.kernels) == 1


@pytest.mark.parametrize(("n", "columns"), [(400, 384), (528, 384), (1208, 304)])
def test_a_last_tile_that_ends_within_a_product(monkeypatch: pytest.MonkeyPatch, n: int, columns: int):
    """Products have 128 columns: the last tile has fewer, or its last product has, a part of a block too."""
    Search(monkeypatch, lambda t: t.tiles[1] == columns and (n % 16 or t.tiles[2] == 5) and t.drain)
    linear = LINEAR.format(m=64, k=64, n=n, w=f"64x{n}", t="f16", weight=" {weight}", turned="false")
    program, _ = check(linear if n % 16 else block(1, 64, n), CHIP)
    contract = contract_of(program)
    assert contract.schedule.l0_n == 128
    assert contract.schedule.n == columns and n % columns % 128


def test_weights_are_packed_as_far_as_the_last_tile_goes(monkeypatch: pytest.MonkeyPatch):
    Search(monkeypatch, lambda t: t.tiles[1] == 384)
    program = ascend_opt.compile(block(1, 64, 512), target=CHIP, tune=1)
    packs = [op for op in compile_until(program, "tile").walk() if isinstance(op, ascend.PackOp)]
    shapes = [shape_of(op.result) for op in packs]
    assert (4, 1, 1, 32, 16, 16) in shapes, shapes


def test_slots_are_given_up_where_event_ids_run_out(monkeypatch: pytest.MonkeyPatch):
    """The chip has ids for five steps of weights; with fewer the same tiles are right with fewer slots."""
    Search(monkeypatch, lambda t: t.tiles[1] == 384 and t.tiles[2] == 5 and t.step == 64)
    program = ascend_opt.compile(block(1, 512, 512), target=CHIP, tune=1)
    slots: list[list[int]] = []
    for events in (8, 3):
        chip = load_target(CHIP).with_(sync={"events": events})
        module = with_addresses(program)
        kernel = next(k for k in module.walk() if isinstance(k, ascend.KernelOp) and k.core_kind == "aic")
        buffers = [op for op in kernel.body.walk() if isinstance(op, ascend.BufferOp)]
        assert max(b.slot_count for b in buffers) == 5
        in_l0 = {b.slot_count for b in buffers if space_of(b.result.type) in ("l0a", "l0b")}
        assert in_l0 == {l0_slots(load_target(CHIP), 5)} == {3}
        done = synchronise(kernel, chip)
        assert (SyncReport((done,)).to_text().count("rhs (l1) 3 of 5") == 1) == (events < 8)
        slots.append([b.slot_count for b in buffers])
        addresses = [b.slot_addresses for b in buffers]
        assert [len(a or ()) for a in addresses] == slots[-1]
    assert all(few <= many for few, many in zip(slots[1], slots[0], strict=True))
    assert 3 in [few for few, many in zip(slots[1], slots[0], strict=True) if many > few]


@pytest.mark.parametrize("chip", [CHIP, "ascend950", "ascend910"])
def test_steps_of_weights_are_as_many_as_there_is_room_for(monkeypatch: pytest.MonkeyPatch, chip: str):
    """And ids, where other cores hand over the left operand; two elsewhere. L1 is half as large."""
    found, limited = set[int](), list[bool]()

    def search(
        regions: Regions, packed: bool, target: Target, count: int, *within: float
    ) -> list[ProductTiling]:
        if not regions.prologue:
            return searched(regions, packed, target, count, *within)
        l1 = replace(target.spaces["l1"], bytes=target.spaces["l1"].bytes // 2)
        p = problem_of(regions, packed, replace(target, spaces={**target.spaces, "l1": l1}))
        room = l1.bytes - TABLES_ROOM
        for t, one in product_tilings(p):
            step = one.n16 * t.step * p.item
            used = l1_of_operands(p, one, t.step, t.resident) - 2 * step
            most = min(most_l1_slots(target), -(-p.roles.k // t.step))
            if not (target.split and t.resident):
                assert t.stages == 2
            elif t.stages > 2:
                assert used + t.stages * step <= room and t.stages <= most
                assert t.stages == most or used + (t.stages + 1) * step > room
            else:
                assert t.stages == most or used + 3 * step > room
            found.add(t.stages)
            limited.append(2 < t.stages < most)
        return searched(regions, packed, target, count, *within)

    monkeypatch.setattr(cube_search, "best_product_tilings", search)
    ascend_opt.compile(block(1, 512, 512), target=chip, tune=1)
    split = chip != "ascend910"
    assert (max(found), any(limited)) == ((5, True) if split else (2, False))


@pytest.mark.full
def test_the_block_that_goes_at_the_pace_of_vector_cores():
    """More columns in the first tile than in the second one, which is all that is left when Vector cores are done; and
    the search knows it."""
    text = block(8, 512, 512)
    found: list[tuple[float, ProductTiling]] = []

    def keeping(
        regions: Regions, packed: bool, target: Target, count: int, *within: float
    ) -> list[ProductTiling]:
        best = searched(regions, packed, target, count, *within)
        problem = problem_of(regions, packed, target, best[0].drain)
        if regions.prologue:
            found.append((product_cycles(problem, best[0], tile_of(problem, best[0].tiles)), best[0]))
        return best

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cube_search, "best_product_tilings", keeping)
        program = ascend_opt.compile(text, target=CHIP, tune=1)
    cycles, tiling = found[0]
    assert tiling.tiles[1] > 256 and 512 % tiling.tiles[1] and tiling.stages > 2
    (kernel,) = program.time().kernels
    assert kernel.time_us * load_target(CHIP).clock_mhz == pytest.approx(cycles, rel=0.15)
    with pytest.MonkeyPatch.context() as patch:
        Search(patch, lambda t: t.tiles[1] == 256)
        equal = ascend_opt.compile(text, target=CHIP, tune=1)
    assert program.time().total_us < 0.95 * equal.time().total_us

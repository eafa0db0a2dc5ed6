"""The clock of kernels around a product: how many trips are followed, and what fills the Vector unit's queue."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from product_tilings import product_tilings
from xdsl.dialects import scf
from xdsl.ir import Operation

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.memory import space_of
from ascend_opt.passes.kernels.back_to_back import tiling as chain_search
from ascend_opt.passes.kernels.product import clock as cube_clock
from ascend_opt.passes.kernels.product import pipes as cube_pipes
from ascend_opt.passes.kernels.product import search as cube_search
from ascend_opt.passes.kernels.product.candidate import Candidate
from ascend_opt.passes.kernels.product.epilogue_costs import EpilogueCosts
from ascend_opt.passes.kernels.product.problem import Problem, problem_of
from ascend_opt.passes.kernels.product.search import Leaf, Node

BLOCK = """graph @block(%x5: tensor<2x32x14x14x16xf16>, %d: tensor<512x1x3x3xf16> {weight},
             %p: tensor<512x512x1x1xf16> {weight}) {
  %t = transpose(%x5) {perm = [0, 1, 4, 2, 3]}
  %x = reshape(%t) {shape = [2, 512, 14, 14]}
  %0 = conv2d(%x, %d) {pads = [1, 1, 1, 1], groups = 512, fuse = "a"}
  %1 = relu(%0) {fuse = "a"}
  %2 = conv2d(%1, %p) {fuse = "a"}
  return %2
}"""


def compiled(chip: str, patch: pytest.MonkeyPatch) -> tuple[Program, Problem]:
    """The block as one kernel, and the problem of its tiles."""
    found: list[Problem] = []
    search = cube_search.best_product_tilings

    def spy(regions: Any, packed: bool, target: Any, count: int, *within: float) -> Any:
        if regions.prologue:
            found.append(problem_of(regions, packed, target))
            list(product_tilings(found[-1]))  # while the group is as it was
        return search(regions, packed, target, count, *within)

    patch.setattr(cube_search, "best_product_tilings", spy)
    return ascend_opt.compile(BLOCK, target=chip, tune=1), found[-1]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", ["ascend910b", "ascend950", "ascend910"])
def test_long_loops_take_what_they_would_if_each_trip_were_followed(
    chip: str, monkeypatch: pytest.MonkeyPatch
):
    """Vector cores that compute the left operand in turns run ahead at first: their pace shows later."""
    _, problem = compiled(chip, monkeypatch)
    candidates = [c for c in product_tilings(problem) if c[0].step in (32, 64) and not c[0].resident]
    assert len(candidates) > 8
    some = candidates[:: len(candidates) // 8]
    short = [cube_clock.product_cycles(problem, tiling, tile) for tiling, tile in some]
    monkeypatch.setattr(cube_pipes, "FOLLOWED", 1000)
    whole = [cube_clock.product_cycles(problem, tiling, tile) for tiling, tile in some]
    assert short == pytest.approx(whole, rel=0.1)


def test_waits_are_the_barriers_of_a_step(monkeypatch: pytest.MonkeyPatch):
    """Those between the taps, of which a step has as many as the clock counts for the queue."""
    program, problem = compiled("ascend910", monkeypatch)
    assert problem.prologue is not None

    def name(op: Operation) -> str:
        if isinstance(op, scf.ForOp):
            return next((one.instruction.data for one in op.walk() if isinstance(one, ascend.VecOp)), "")
        return op.instruction.data if isinstance(op, ascend.VecOp) else op.name

    blocks = [block for op in program.module.walk() for region in op.regions for block in region.blocks]
    steps = [[name(op) for op in block.ops] for block in blocks]
    step = max(steps, key=lambda names: names.count("vmadd"))
    assert step.count("vmadd") >= 7
    first, last = step.index("vmul"), len(step) - step[::-1].index("vrelu")
    assert step[first:last].count("ascend.barrier") == problem.prologue.waits


MLP = """graph @mlp(%x: tensor<200x320xf16>, %w: tensor<320x640xf16> {weight}, %b: tensor<640xf16> {weight}) {
  %0 = layer_norm(%x) {fuse = "a"}
  %1 = matmul(%0, %w) {fuse = "a"}
  %2 = bias_add(%1, %b) {axis = -1, fuse = "a"}
  %3 = gelu(%2) {fuse = "a"}
  return %3
}"""


DENSE = """graph @dense(%x: tensor<1x256x14x14xf16>, %b: tensor<256xf16> {weight},
                   %w: tensor<128x256x1x1xf16> {weight}, %v: tensor<32x128x3x3xf16> {weight}) {
  %0 = bias_add(%x, %b) {axis = 1}
  %1 = relu(%0)
  %2 = conv2d(%1, %w)
  %3 = relu(%2)
  %4 = conv2d(%3, %v) {pads = [1, 1, 1, 1]}
  return %4
}"""


ROWS = """graph @rows(%x: tensor<256x1000xf16>, %w: tensor<1000x200xf16>, %r: tensor<256x200xf16>) {
  %0 = matmul(%x, %w)
  %1 = add(%0, %r)
  return %1
}"""
"""A right operand whose rows lie as in the graph, and ragged columns."""


GATED = """graph @gated(%x: tensor<4096x128xf16>, %g: tensor<4096x128xf16>, %w: tensor<128x384xf16> {weight}) {
  %0 = mul(%x, %g) {fuse = "a"}
  %1 = matmul(%0, %w) {fuse = "a"}
  %2 = abs(%1) {fuse = "a"}
  return %2
}"""
"""Many rows of tiles, whose left operand stays in L1 or comes in steps: so many cores compute them either way."""


def _numbers(costs: EpilogueCosts) -> dict[str, float]:
    return {name: value for name, value in vars(costs).items() if isinstance(value, int | float)}


def _leaves(found: Node) -> Iterator[Leaf]:
    """Every tiling in what has a bound; each is at least as long as its bound says."""
    if isinstance(found, Leaf):
        yield found
        return
    for inner in found.expand():
        assert found.bound <= inner.bound * (1 + 1e-9)
        yield from _leaves(inner)


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("graph", "chip"),
    [
        (BLOCK, "ascend910"),
        (BLOCK, "ascend950"),
        (MLP, "ascend310p"),
        (GATED, "ascend910b"),
        (DENSE, "ascend910b"),
        (ROWS, "ascend910b"),
        (ROWS, "ascend950"),
    ],
    ids=["block-910", "block-950", "mlp-310p", "gated-910b", "dense-910b", "rows-910b", "rows-950"],
)
def test_what_leaves_out_a_tiling_is_no_more_than_its_time(
    graph: str, chip: str, monkeypatch: pytest.MonkeyPatch
):
    """The bounds of tiles, of steps and of tilings, and costs that candidates share: those are what each candidate has
    by itself. The search finds the best of all."""
    followed = list[float]()
    search = cube_search.fastest_of

    def all_of(found: Iterable[Node], count: int, *within: float) -> Any:
        found = list(found)
        times = list[tuple[float, tuple[int, ...], Any]]()
        for one in (leaf for top in found for leaf in _leaves(top)):
            p, tiling, tile = one.candidate.p, one.candidate.tiling, one.candidate.tile
            cycles = one.cycles()
            assert one.bound <= cycles * (1 + 1e-9)
            if len(followed) % 7 == 0:
                own = Candidate(replace(p), tiling, replace(tile))
                assert one.candidate.whole.loads == own.whole.loads
                assert _numbers(one.candidate.whole.epilogue) == _numbers(own.whole.epilogue)
                assert cube_clock.product_cycles(replace(p), tiling, replace(tile)) + one.before == cycles
            followed.append(cycles)
            times.append((cycles, one.place, tiling))
        best = search(found, count, *within)
        times.sort(key=lambda time: time[:2])
        assert [(cycles, one.candidate.tiling) for cycles, one in best] == [
            (cycles, tiling) for cycles, _, tiling in times[:count]
        ]
        return best

    monkeypatch.setattr(cube_search, "fastest_of", all_of)
    ascend_opt.compile(graph, target=chip, tune=1)
    assert len(followed) > 50


CHAIN = """graph @chain(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x3x3xf16> {weight},
             %v: tensor<256x64x1x1xf16> {weight}) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1], fuse = "a"}
  %1 = relu(%0) {fuse = "a"}
  %2 = conv2d(%1, %v) {fuse = "a"}
  %3 = relu(%2) {fuse = "a"}
  return %3
}"""


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_of_two_products_those_are_followed_together_that_promise_most(
    chip: str, monkeypatch: pytest.MonkeyPatch
):
    """What is left out of the tilings of each is what would not be among them."""
    checked = list[int]()
    search = chain_search.fastest_of

    def all_of(found: Iterable[Node], count: int, *within: float) -> Any:
        found = list(found)
        leaves = [leaf for top in found for leaf in _leaves(top)]
        best = search(found, count, *within)
        times = sorted((leaf.cycles(), leaf.place) for leaf in leaves)
        assert [(cycles, one.place) for cycles, one in best] == times[:count]
        checked.append(len(leaves) - len(best))
        return best

    monkeypatch.setattr(chain_search, "fastest_of", all_of)
    kernels = str(ascend_opt.compile(CHAIN, target=chip, tune=1).module).count("ascend.kernel @")
    assert kernels < 3
    assert max(checked) > 10


def test_l1_holds_what_two_products_load_while_they_work():
    """Two of each operand, and the image between them: where a step of either would take that room, it is not chosen.
    With one filter of the first product at a time this kernel takes a quarter longer."""
    text = """graph @f(%x: tensor<1x256x14x7xf16>, %v: tensor<256x256x5x5xf16> {weight},
      %w: tensor<256x256x5x5xf16> {weight}) {
  %0 = conv2d(%x, %v) {pads = [2, 2, 2, 2], fuse = "a"}
  %1 = conv2d(%0, %w) {pads = [2, 2, 2, 2], fuse = "a"}
  return %1
}"""
    program = ascend_opt.compile(text, target="ascend910b1", tune=1)
    held, loaded = list[int](), list[int]()
    for op in program.module.walk():
        if isinstance(op, ascend.BufferOp) and space_of(op.result) == "l1":
            assert op.label is not None
            (held if op.label.data == "held" else loaded).append(op.slots.value.data)
    assert held == [1]
    assert loaded == [2, 2, 2]

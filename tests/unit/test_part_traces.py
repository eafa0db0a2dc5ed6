"""Traces of parts of streamed rows, which tilings and groups that are alike share."""

from collections.abc import Sequence

import pytest

from ascend_opt.compiler.pipeline.read_module import read_module
from ascend_opt.dialects import graph
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.cost.group_trace import GroupTrace, TraceTile
from ascend_opt.passes.kernels.online.problem import Problem
from ascend_opt.passes.kernels.online.search import best_online_tilings
from ascend_opt.passes.kernels.online.trace import trace_part
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.regions.regions import Regions

BESIDE = {
    "of all rows": "tensor<1x1x1x96xf16>",
    "of each row": "tensor<1x1x80x1xf16>",
    "of each head": "tensor<1x6x1x1xf16>",
    "of each number": "tensor<1x6x80x96xf16>",
}


def attention(beside: str, moved: bool = False) -> Regions:
    """Products with softmax and a sum of what is `beside` between them; `moved`: their ops put q in order, too."""
    given = f"%x: tensor<1x80x6x64xf16>, %k: tensor<1x6x64x96xf16>, %v: tensor<1x6x96x64xf16>, %b: {beside}"
    text = f"""graph @f({given}) {{
  %q = transpose(%x) {{perm = [0, 2, 1, 3]}}
  %s = matmul(%q, %k)
  %a = add(%s, %b)
  %p = softmax(%a)
  %y = matmul(%p, %v)
  return %y
}}
"""
    module = read_module(text).module
    ops = tuple(op for op in module.walk() if isinstance(op, graph.GraphOp))
    return group_regions(ops if moved else ops[1:])


def shown(trace: GroupTrace) -> list[object]:
    """A trace without identities."""
    numbers: dict[int, int] = {}

    def tile(one: TraceTile) -> object:
        number = numbers.setdefault(id(one), len(numbers))
        return number, one.type_name, one.full, one.lacks, one.share, one.seen, one.stored

    steps = [
        (s.name, s.dtype, s.full, [*map(tile, s.sources)], tile(s.result), s.share, s.times, s.halves)
        for s in trace.steps
    ]
    return [*steps, *map(tile, trace.loads)]


def traces(regions: Regions, chip: str, sizes: Sequence[tuple[tuple[int, ...], int]]) -> list[object]:
    """Those of parts as a search has them, which must be as if each was traced alone."""
    target = load_target(chip)
    problem = Problem(regions, target)
    found: list[object] = []
    for tiles, step in sizes:
        alone = shown(trace_part(regions, problem.parts, target, tiles, step))
        assert shown(problem.trace(tiles, step)) == alone
        found.append(alone)
    return found


@pytest.mark.parametrize("chip", ["ascend910b", "ascend910"])
@pytest.mark.parametrize("beside", BESIDE.values(), ids=BESIDE)
def test_traces_of_other_tiles_are_right(chip: str, beside: str):
    """Shares of what lacks rows depend on how many a tile has."""
    sizes = [((1, rows, 64), step) for rows in (48, 16, 80, 1) for step in (32, 96)]
    found = traces(attention(beside), chip, sizes)
    rows_matter = beside in (BESIDE["of all rows"], BESIDE["of each head"])
    assert (found[0] != found[2]) == rows_matter


def test_groups_that_read_elsewhere_share_traces():
    """Those with an operand that is only moved; not those with another tensor beside, or for another chip."""
    chip = load_target("ascend910b")
    plain, moved = (attention(BESIDE["of each number"], moved) for moved in (False, True))
    one, two = Problem(plain, chip).trace((1, 48, 64), 32), Problem(moved, chip).trace((1, 48, 64), 32)
    assert one is two
    assert Problem(attention(BESIDE["of each row"]), chip).trace((1, 48, 64), 32) is not one
    assert Problem(plain, load_target("ascend910")).trace((1, 48, 64), 32) is not one


def test_vector_work_is_shared():
    """Cycles found for one group are those that the other one would find."""
    chip = load_target("ascend950")
    plain, moved = (Problem(attention(BESIDE["of all rows"], moved), chip) for moved in (False, True))
    plain.vector_work[(1, 48, 64), 32] = 7.0
    assert moved.vector_work[(1, 48, 64), 32] == 7.0


def test_the_fastest_tiling_is_that_of_groups_that_read_as_much(monkeypatch: pytest.MonkeyPatch):
    chip = load_target("ascend910b")
    plain, moved = (attention(BESIDE["of each number"], moved) for moved in (False, True))
    known = Problem(plain, chip).alike.fastest
    known.clear()
    ((time, tiling),) = best_online_tilings(plain, chip, 1)
    (key,) = known
    known[key] = 7.0, tiling
    assert best_online_tilings(moved, chip, 1) == [(7.0, tiling)]
    monkeypatch.setattr(Problem, "read_once", 0)
    assert best_online_tilings(moved, chip, 1)[0][0] > 7.0 and len(known) == 2
    known.clear()
    assert time > 7.0

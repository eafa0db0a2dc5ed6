"""Groupings by cost: the search against every grouping there is, what it changes, and costs that are computed once."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import inf

import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.graph.arguments import weight_values
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.fusion import search as fusion_search
from ascend_opt.passes.fusion.cost_model import CostModel
from ascend_opt.passes.fusion.group_cost import GroupCost
from ascend_opt.passes.fusion.plan import plan_fusion
from ascend_opt.passes.fusion.search import Group, Grouping, better_grouping, looks_at, parts_of
from ascend_opt.passes.fusion.units import units_of
from ascend_opt.passes.regions.signature import group_signature
from ascend_opt.passes.rewrites.prepare_graph import prepare_graph
from ascend_opt.passes.support.module import kernel_ops

CHIP = load_target("ascend910")
CHAIN = """
graph @f(%x: tensor<1024x1024xf16>) {
  %a = tanh(%x)
  %b = relu(%a)
  %y = neg(%b)
  return %y
}"""


def function(text: str) -> FuncOp:
    found = choose_function(read_module(text).module, None)
    prepare_graph(found, CHIP)
    return found


def anything(op: Operation, user: Operation) -> bool:
    return True


@dataclass(frozen=True)
class Fixed:
    time_us: float
    bytes: int = 1


class Prices:
    """A price for every group, drawn once; one in eight is no kernel."""

    def __init__(self, seed: int):
        self.random, self.drawn = random.Random(seed), dict[Group, Fixed | None]()

    def __call__(self, group: Group) -> Fixed | None:
        if group not in self.drawn:
            none = len(group) > 1 and self.random.random() < 0.125
            self.drawn[group] = None if none else Fixed(self.random.uniform(1, 3) + 0.3 * len(group))
        return self.drawn[group]


def random_graph(seed: int, count: int) -> FuncOp:
    """Ops of one or two operands among the last few values; the last one is returned."""
    chosen, lines = random.Random(seed), ["graph @f(%v0: tensor<64xf16>) {"]
    for i in range(1, count + 1):
        a, b = (chosen.randrange(max(0, i - 3), i) for _ in range(2))
        lines.append(
            f"  %v{i} = add(%v{a}, %v{b})" if chosen.random() < 0.5 else f"  %v{i} = tanh(%v{i - 1})"
        )
    return function("\n".join([*lines, f"  return %v{count}", "}"]))


def all_groupings(ops: list[Operation], price: Prices) -> list[Grouping]:
    """Every way to say of each op whether it begins a group, with those thrown away that no kernels can be."""
    found: list[Grouping] = []
    for begins in product((True, False), repeat=len(ops)):
        home: dict[Operation, Operation] = {}
        for op, begin in zip(reversed(ops), begins, strict=True):
            roots = {home.get(use.operation) for use in op.results[0].uses}
            if begin:
                home[op] = op
            elif len(roots) == 1 and (root := roots.pop()) is not None:
                home[op] = root
            else:
                break
        else:
            groups = tuple(tuple(o for o in ops if home[o] is root) for root in dict.fromkeys(home.values()))
            # a group grows from its end, and every step of it is a kernel
            grown = [group[i:] for group in groups for i in range(len(group))]
            if all(price(group) is not None for group in grown):
                found.append(groups)
    return found


def total(grouping: Grouping, price: Prices) -> float:
    return sum(found.time_us for group in grouping if (found := price(group)) is not None)


@pytest.mark.parametrize("seed", range(12))
def test_small_graphs_get_the_best_of_all_groupings(seed: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fusion_search, "TOLD_APART", 0.0)
    ops = kernel_ops(random_graph(seed, 7))
    price = Prices(seed)
    apart = tuple((op,) for op in ops)
    best = min(total(grouping, price) for grouping in all_groupings(ops, price))
    found = better_grouping(tuple(ops), apart, price, anything)
    assert found is None or found[1].exact
    grouping = apart if found is None else found[0]
    assert total(grouping, price) == pytest.approx(best, rel=0.002)
    assert sorted(ops.index(op) for group in grouping for op in group) == list(range(len(ops)))


def test_large_graphs_follow_the_best_few(monkeypatch: pytest.MonkeyPatch):
    """Pairs are best; a beam finds that out, and a wide one as well as the exact search."""
    ops = tuple(kernel_ops(function(CHAIN.replace("%y = neg(%b)", "".join(
        f"%b{i} = neg(%{'b' if i == 0 else f'b{i - 1}'})\n" for i in range(14)) + "%y = neg(%b13)"))))  # fmt: skip
    assert len(ops) > fusion_search.MOST_EXACT

    def pairs(group: Group) -> Fixed:
        return Fixed(1.0 if len(group) == 2 else 2.0 * len(group))

    found = better_grouping(ops, tuple((op,) for op in ops), pairs, anything)
    assert found is not None
    assert not found[1].exact
    assert {len(group) for group in found[0]} <= {1, 2}
    assert sum(pairs(group).time_us for group in found[0]) <= len(ops) / 2 + 2


@pytest.mark.parametrize("seed", range(12))
def test_a_beam_that_drops_nothing_finds_the_best_grouping(seed: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fusion_search, "TOLD_APART", 0.0)
    ops = tuple(kernel_ops(random_graph(seed, 8)))
    price, apart = Prices(seed), tuple((op,) for op in ops)
    exact = better_grouping(ops, apart, price, anything)
    monkeypatch.setattr(fusion_search, "MOST_EXACT", 0)
    monkeypatch.setattr(fusion_search, "BEAM", 1 << 20)
    beam = better_grouping(ops, apart, price, anything)
    assert (beam is None) == (exact is None)
    if beam is not None and exact is not None:
        assert not beam[1].exact
        assert beam[1].time_after == pytest.approx(exact[1].time_after, rel=0.002)
        assert sorted(ops.index(op) for group in beam[0] for op in group) == list(range(len(ops)))


@pytest.mark.parametrize("most", [0, 10], ids=["beam", "exact"])
@pytest.mark.parametrize("seed", range(4))
def test_looks_ask_for_what_the_search_asks(seed: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In any order, and in pieces for each op alone at least."""
    monkeypatch.setattr(fusion_search, "MOST_EXACT", most)
    ops = tuple(kernel_ops(random_graph(seed, 10)))
    apart, prices = tuple((op,) for op in ops), Prices(seed)

    def asked(what: Callable[[Callable[[Group], Fixed | None]], object]) -> set[Group]:
        found = set[Group]()

        def price(group: Group) -> Fixed | None:
            found.add(group)
            return prices(group)

        what(price)
        return found

    def look(price: Callable[[Group], Fixed | None]) -> None:
        for one in reversed(looks_at(ops, apart, price, anything)):
            one()

    searched = asked(lambda price: better_grouping(ops, apart, price, anything))
    assert {group for group in asked(look) if len(group) > 1} == {
        group for group in searched if len(group) > 1
    }
    monkeypatch.setattr(fusion_search, "PIECE", 3)
    if not most:
        assert len(looks_at(ops, apart, prices, anything)) > 1
        assert {*apart} <= asked(look)


@pytest.mark.parametrize("most", [0, 10], ids=["beam", "exact"])
def test_nothing_changes_for_less_than_the_least_gain(most: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fusion_search, "MOST_EXACT", most)
    ops = tuple(kernel_ops(function(CHAIN)))
    apart = tuple((op,) for op in ops)
    for gain, found in ((0.001, False), (0.03, False), (0.05, True), (-1.0, False)):

        def alone(group: Group, gain: float = gain) -> Fixed:
            return Fixed(len(group) - (gain if len(group) == 2 else 0.0))

        assert (better_grouping(ops, apart, alone, anything) is not None) == found


@pytest.mark.parametrize("most", [0, 10], ids=["beam", "exact"])
def test_two_ops_that_may_not_join_are_apart_in_a_part(most: int, monkeypatch: pytest.MonkeyPatch):
    """The other user of what the first one reads ties it to the part of its own user."""
    monkeypatch.setattr(fusion_search, "MOST_EXACT", most)
    text = CHAIN.replace("%b = relu(%a)", "%b = relu(%a)\n  %c = exp(%a)").replace("neg(%b)", "add(%b, %c)")
    ops = tuple(kernel_ops(function(text)))
    _, relu, _, add = ops

    def joins(op: Operation, user: Operation) -> bool:
        return not (op is relu and user is add)

    assert parts_of(ops, joins) == [ops]
    found = better_grouping(ops, tuple((op,) for op in ops), lambda group: Fixed(1.0), joins)
    assert found is not None
    assert not any(relu in group and add in group for group in found[0])


@pytest.mark.parametrize(("more", "found"), [(5, False), (3, True)])
def test_a_faster_grouping_that_moves_more_bytes_stays_away(more: int, found: bool):
    ops = tuple(kernel_ops(function(CHAIN)))
    greedy = (ops[:2], ops[2:])

    def price(group: Group) -> Fixed | None:
        if len(group) == 3:
            return None
        return Fixed(1.0, more) if group in (ops[:1], ops[1:]) else Fixed(3.0, 3)

    assert (better_grouping(ops, greedy, price, anything) is not None) == found


def test_marks_and_returned_values_part_a_graph():
    ops = kernel_ops(function(CHAIN.replace("return %y", "return %y, %a")))
    assert [len(part) for part in parts_of(ops, anything)] == [1, 2]
    assert [len(part) for part in parts_of(ops, lambda op, user: user is not ops[2])] == [1, 1, 1]


def test_the_search_undoes_a_merge_that_stands_in_the_way(monkeypatch: pytest.MonkeyPatch):
    """relu takes in tanh first, which pays; but neg would rather have relu, and all three are no kernel."""
    honest = CostModel.cost_within
    times: dict[tuple[str, ...], float] = {
        ("tanh", "relu"): 6.0,
        ("relu", "neg"): 1.0,
        ("tanh", "relu", "neg"): 1000.0,
    }

    def cost(self: CostModel, ops: tuple[Operation, ...], most_us: float):
        found = honest(self, ops, inf)
        assert isinstance(found, GroupCost)
        names = tuple(op.name.removeprefix("graph.") for op in ops)
        return replace(found, time_us=times.get(names, 4.0))

    monkeypatch.setattr(CostModel, "cost_within", cost)
    plan = plan_fusion(function(CHAIN), CHIP)
    assert [[op.name for op in group] for group in plan.groups] == [
        ["graph.tanh"],
        ["graph.relu", "graph.neg"],
    ]
    (change,) = plan.searched
    assert (change.time_before, change.time_after) == (10.0, 5.0)
    assert change.before == (("graph.tanh", "graph.relu"), ("graph.neg",))
    assert plan.candidates[0].taken
    assert [cost.time_us for cost in plan.costs if cost] == [4.0, 1.0]


def test_alike_groups_are_priced_once(monkeypatch: pytest.MonkeyPatch):
    """Layers that repeat cost no more than one of them."""
    priced: list[int] = []
    honest = CostModel._price  # pyright: ignore[reportPrivateUsage]

    def price(self: CostModel, ops: tuple[Operation, ...], most_us: float):
        priced.append(len(ops))
        return honest(self, ops, most_us)

    monkeypatch.setattr(CostModel, "_price", price)

    def count(layers: int) -> int:
        text = "graph @f(%v0: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}) {\n"
        for i in range(layers):
            text += f"  %m{i} = matmul(%v{i}, %w) {{nofuse = l{i}}}\n  %v{i + 1} = relu(%m{i}) {{nofuse = l{i}}}\n"
        priced.clear()
        plan = plan_fusion(function(text + f"  return %v{layers}\n}}"), CHIP)
        assert len(plan.groups) == layers
        assert all(cost == plan.costs[0] for cost in plan.costs if cost and not cost.drained)
        return len(priced)

    assert count(2) == count(12)


@pytest.mark.parametrize(
    "other",
    [
        CHAIN.replace("1024x1024", "1024x512"),
        CHAIN.replace("%b = relu(%a)", "%b = leaky_relu(%a)"),
        CHAIN.replace("%y = neg(%b)", "%y = add(%b, %a)"),
        CHAIN.replace("%y = neg(%b)", "%y = add(%b, %x)"),
        CHAIN.replace("f16>)", "f16> {weight})"),
    ],
)
def test_groups_that_differ_have_other_signatures(other: str):
    def signature(text: str):
        found = function(text)
        weights = frozenset(weight_values(found))
        return group_signature([op for op in found.body.block.ops if op.name != "func.return"], weights)

    assert signature(CHAIN) == signature(CHAIN.replace("%a", "%other"))
    assert signature(CHAIN) != signature(other)


LAYERS = """
graph @f(%x: tensor<1x32x14x14xf16>, %w: tensor<32x32x3x3xf16> {weight}, %b: tensor<32xf16> {weight}) {
  %p = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  %s = bias_add(%p, %b)
  %a = relu(%s)
  %t = exp(%a)
  %q = conv2d(%t, %w) {pads = [1, 1, 1, 1]}
  %y = relu(%q)
  return %y
}"""


def light(op: Operation) -> bool:
    return op.name != "graph.exp"


def named(units: list[Group]) -> list[list[str]]:
    return [[op.name.removeprefix("graph.") for op in unit] for unit in units]


@pytest.mark.parametrize(
    ("change", "groups", "expected"),
    [
        (None, (4, 6), [["conv2d", "bias_add", "relu"], ["exp"], ["conv2d", "relu"]]),
        (None, (2, 6), [["conv2d", "bias_add"], ["relu"], ["exp"], ["conv2d", "relu"]]),
        (None, (1, 6), [["conv2d"], ["bias_add", "relu"], ["exp"], ["conv2d", "relu"]]),
        (("exp(%a)", "add(%a, %s)"), (6,), [["conv2d", "bias_add"], ["relu"], ["add"], ["conv2d", "relu"]]),
        (("return %y", "return %y, %s"), (6,), [["conv2d", "bias_add"], ["relu"], ["exp"], ["conv2d", "relu"]]),
        (("exp(%a)", "softmax(%a)"), (6,), [["conv2d", "bias_add", "relu"], ["softmax"], ["conv2d", "relu"]]),
        (("exp(%a)", "transpose(%a) {perm = [0, 1, 3, 2]}"), (6,),
         [["conv2d", "bias_add", "relu"], ["transpose"], ["conv2d", "relu"]]),
    ],
)  # fmt: skip
def test_what_works_on_each_element_is_placed_with_what_it_works_on(
    change: tuple[str, str] | None, groups: tuple[int, ...], expected: list[list[str]]
):
    """Within one group around a product, where nobody else uses what is between."""
    text = LAYERS.replace(*change) if change else LAYERS
    ops = tuple(kernel_ops(function(text)))
    ends = (0, *groups)
    grouping = [ops[a:b] for a, b in pairwise(ends)]
    assert named(units_of(ops, grouping, light)) == expected


def test_vector_ops_alone_are_units_of_their_own():
    ops = tuple(kernel_ops(function(CHAIN)))
    assert named(units_of(ops, [ops], light)) == [["tanh"], ["relu"], ["neg"]]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("chip", "parted"), [("ascend910b", True), ("ascend950", True), ("ascend910", False)]
)
def test_what_rows_behind_a_product_compute_on_the_way(chip: str, parted: bool) -> None:
    """Vector cores beside the Cube's would be handed the scores for a factor alone, which the softmax takes as well;
    where one core has both units nothing is handed over."""
    text = """graph @f(%q: tensor<8x4x128xf16>, %k: tensor<8x128x4096xf16>, %factor: tensor<1xf16>) {
      %s = matmul(%q, %k)
      %c = mul(%s, %factor)
      %y = softmax(%c)
      return %y
    }"""
    found = choose_function(read_module(text).module, None)
    prepare_graph(found, load_target(chip))
    plan = plan_fusion(found, load_target(chip))
    groups = [[op.name.removeprefix("graph.") for op in group] for group in plan.groups]
    assert (groups[0] == ["matmul"]) == parted


@pytest.mark.parametrize(
    ("kind", "alike"), [("64x64xf16", False), ("64x1xf16", True), ("64xf16", True)], ids=str
)
def test_who_gives_an_operand_matters_where_it_is_large(kind: str, alike: bool):
    """Beside a product: whether it may come late depends on whether a kernel computes it."""
    text = f"""graph @f(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>, %r: tensor<{kind}>, %s: tensor<{kind}>) {{
  %t = relu(%s)
  %p = matmul(%x, %w)
  %y = add(%p, %r)
  return %y, %t
}}"""

    def signature(text: str):
        ops = [op for op in function(text).body.block.ops if op.name in ("graph.matmul", "graph.add")]
        return group_signature(ops, frozenset())

    computed = text.replace("add(%p, %r)", "add(%p, %t)")
    assert (signature(text) == signature(computed)) == alike

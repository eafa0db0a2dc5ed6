"""What a tiling of a product is said to take on chip is what memory planning places: every legal step fits."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

import ascend_opt
from ascend_opt.passes.kernels.product import search
from ascend_opt.passes.kernels.product.footprint import l1_of_tile
from ascend_opt.passes.kernels.product.search import Leaf, Node


def graph(m: int, n: int, k: int) -> str:
    """A product of `m` rows, which are known at run time only where they are 0."""
    return (
        f"graph @f(%x: tensor<{m or '?'}x{k}xf16>, %w: tensor<{k}x{n}xf16> {{weight}}) {{\n"
        "  %y = matmul(%x, %w)\n  return %y\n}"
    )


def leaves(node: Node) -> Iterator[Leaf]:
    """All tilings below a node."""
    if isinstance(node, Leaf):
        yield node
    else:
        for below in node.expand():
            yield from leaves(below)


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("chip", "size", "steps"),
    [
        ("ascend910b", (2048, 512, 640), 3),
        ("ascend310p", (4096, 1024, 512), 3),
        ("ascend310p", (0, 512, 800), 3),
        ("ascend310p", (333, 500, 800), 2),
        ("ascend910", (2048, 512, 640), 3),
    ],
)
def test_the_fullest_tiling_fits(
    chip: str, size: tuple[int, int, int], steps: int, monkeypatch: pytest.MonkeyPatch
):
    """Of so many steps, the last of which is shorter, that which takes most of L1: with one tile a core, and with
    several, whose first steps are loaded ahead."""
    taken: list[Any] = []

    for several in (False, True):

        def fullest(
            nodes: Iterable[Node], count: int, *_: float, several: bool = several
        ) -> list[tuple[float, Leaf]]:
            found = [
                one
                for node in nodes
                for one in leaves(node)
                if one.candidate.p.roles.k % one.candidate.tiling.step
                and -(-one.candidate.p.roles.k // one.candidate.tiling.step) == steps
                and (one.candidate.shared.rounds > 1) == several
            ]
            if not found:
                return []
            best = max(
                found,
                key=lambda one: l1_of_tile(one.candidate.p, one.candidate.tile, one.candidate.tiling.step),
            )
            taken.append(best)
            return [(best.cycles(), best)]

        monkeypatch.setattr(search, "fastest_of", fullest)
        try:
            ascend_opt.compile(graph(*size), target=chip, tune=1)
        except ascend_opt.CompileError as error:
            assert "no tile fits" in str(error)
    assert taken

"""How good a learned order is: networks left out, one at a time, and replayed with what the others teach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from ...dialects.records import dataclass
from ..reports.text_table import table
from .order import Order, Row, trained
from .tables import NEAR, Table, trials_needed

SEEDS = 5


@dataclass(frozen=True)
class LeftOut:
    """A network, or one of its kernels, replayed with an order that knows nothing of the network: mean trials behind
    the default's until what was found is within 1 % of the best, in the listed order, in that of predicted times, and
    in the learned one."""

    name: str
    kernels: int
    untrained: float
    predicted: float
    learned: float


Orders = tuple[list[int], list[int], list[int]]


def left_out(
    tables: Sequence[Table], rows: Sequence[Sequence[Row]], seeds: int = SEEDS
) -> Iterator[tuple[LeftOut, list[LeftOut]]]:
    """Every network, and each of its kernels, replayed with what tables of other networks teach, kernels that are in
    both left out."""
    everything = list(zip(tables, rows, strict=True))
    for network in dict.fromkeys(one.network for one in tables):
        own = [one for one in everything if one[0].network == network]
        texts = {one.text for one, _ in own}
        others = [one for one in everything if one[0].network != network and one[0].text not in texts]
        if not others:
            continue
        order = trained([one for one, _ in others], [features for _, features in others])
        kernels = [
            (one, (list(range(len(given))), Order(()).ranked(given), order.ranked(given)))
            for one, given in own
        ]
        yield _replayed(kernels, seeds), [_replayed([kernel], seeds) for kernel in kernels]


def _replayed(kernels: Sequence[tuple[Table, Orders]], seeds: int) -> LeftOut:
    tables = [one for one, _ in kernels]
    found = [
        fmean(trials_needed(tables, [orders[way] for _, orders in kernels], seed) for seed in range(seeds))
        for way in range(3)
    ]
    return LeftOut(tables[0].network, len(tables), *found)


def card_of(tables: Sequence[Table], found: Sequence[tuple[LeftOut, Sequence[LeftOut]]]) -> dict[str, Any]:
    """The card of an order learned from tables: data, error, when it is worse than none."""
    networks, kernels = [network for network, _ in found], [one for _, some in found for one in some]
    return {
        "data": {
            "kernels": len({one.text for one in tables}),
            "trials": sum(len(one.times) for one in tables),
            "chips": sorted({one.chip for one in tables}),
            "networks": sorted({one.network for one in tables}),
        },
        "networks": {one.name: _numbers([one]) for one in networks},
        "all_networks": _numbers(networks),
        "all_kernels": _numbers(kernels),
        "worse_than_none": sorted(one.name for one in networks if one.learned > one.untrained),
        "slower_kernels": sum(one.learned > one.untrained for one in kernels),
        "faster_kernels": sum(one.learned < one.untrained for one in kernels),
    }


def _numbers(found: Sequence[LeftOut]) -> dict[str, float]:
    """Kernels, and trials that they need together."""
    return {
        "kernels": sum(one.kernels for one in found),
        "untrained": round(sum(one.untrained for one in found), 1),
        "predicted": round(sum(one.predicted for one in found), 1),
        "learned": round(sum(one.learned for one in found), 1),
    }


def card_lines(card: Mapping[str, Any]) -> list[str]:
    """A card in words."""
    data = card["data"]
    lines = [
        f"learned from {data['trials']} trials of {data['kernels']} kernels on {', '.join(data['chips'])}",
        f"networks: {', '.join(data['networks'])}",
    ]
    if not card["networks"]:
        return [*lines, "the error is not known: it takes stores of two networks or more"]
    lines.append(
        f"trials behind the default's until the kernels are within {NEAR - 1:.0%} of the best, of networks"
    )
    lines.append(f"that the order was not learned from, means of {SEEDS} seeds:")
    cells: list[tuple[str, ...]] = [("network", "kernels", "as listed", "by prediction", "learned")]
    for name, one in (
        *card["networks"].items(),
        ("all", card["all_networks"]),
        ("kernel by kernel", card["all_kernels"]),
    ):
        cells.append((name, *(str(value) for value in one.values())))
    lines += table(cells, 1)
    worse = ", ".join(card["worse_than_none"]) or "no network"
    lines.append(
        f"worse than no order: {worse}; {card['slower_kernels']} kernels need more trials, "
        f"{card['faster_kernels']} fewer"
    )
    return lines


__all__ = ["LeftOut", "card_lines", "card_of", "left_out"]

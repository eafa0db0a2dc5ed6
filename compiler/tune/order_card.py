"""How good a learned order is: networks left out, one at a time, and replayed with what the others teach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from ...dialects.records import dataclass
from .order import Order, Row, trained
from .tables import NEAR, Table, trials_needed

SEEDS = 5


@dataclass(frozen=True)
class LeftOut:
    """A table replayed with an order that knows nothing of its network: mean trials until one is within 1 % of the
    best, in the listed order, in that of predicted times, and in the learned one, the default's trial included."""

    table: Table
    untrained: float
    predicted: float
    learned: float


def left_out(tables: Sequence[Table], rows: Sequence[Sequence[Row]], seeds: int = SEEDS) -> Iterator[LeftOut]:
    """Every table, replayed with what tables of other networks teach, kernels that are in both left out."""
    everything = list(zip(tables, rows, strict=True))
    for network in dict.fromkeys(table.network for table in tables):
        own = [one for one in everything if one[0].network == network]
        texts = {table.text for table, _ in own}
        others = [one for one in everything if one[0].network != network and one[0].text not in texts]
        if not others:
            continue
        order = trained([table for table, _ in others], [features for _, features in others])
        for table, features in own:
            listed, by_prediction = list(range(len(features))), Order(()).ranked(features)
            found = [
                fmean(trials_needed(table, one, seed) for seed in range(seeds))
                for one in (listed, by_prediction, order.ranked(features))
            ]
            yield LeftOut(table, *found)


def card_of(tables: Sequence[Table], found: Sequence[LeftOut]) -> dict[str, Any]:
    """The card of an order learned from tables: data, error, when it is worse than none."""
    networks = {
        name: _sums([one for one in found if one.table.network == name])
        for name in dict.fromkeys(one.table.network for one in found)
    }
    return {
        "data": {
            "kernels": len({table.text for table in tables}),
            "trials": sum(len(table.times) for table in tables),
            "chips": sorted({table.chip for table in tables}),
            "networks": sorted({table.network for table in tables}),
        },
        "left_out": networks,
        "all": _sums(found),
        "worse_than_none": sorted(
            name for name, one in networks.items() if one["learned"] > one["untrained"]
        ),
        "slower_kernels": sum(one.learned > one.untrained for one in found),
        "faster_kernels": sum(one.learned < one.untrained for one in found),
    }


def _sums(found: Sequence[LeftOut]) -> dict[str, float]:
    """Kernels, and trials that they need together."""
    return {
        "kernels": len(found),
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
    if not card["left_out"]:
        return [*lines, "the error is not known: it takes stores of two networks or more"]
    within = f"within {NEAR - 1:.0%} of the best"
    lines.append(f"trials until one is {within}, each network left out, mean of {SEEDS} seeds:")
    lines.append(f"  {'network':<24} kernels  as listed  by prediction  learned")
    for name, one in (*card["left_out"].items(), ("all", card["all"])):
        lines.append(
            f"  {name:<24} {one['kernels']:7}  {one['untrained']:9}  {one['predicted']:13}  {one['learned']:7}"
        )
    worse = ", ".join(card["worse_than_none"]) or "no network"
    lines.append(
        f"worse than no order: {worse}; {card['slower_kernels']} kernels need more trials, "
        f"{card['faster_kernels']} fewer"
    )
    return lines


__all__ = ["LeftOut", "card_lines", "card_of", "left_out"]

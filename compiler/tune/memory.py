"""What a plan's launches hold, from what each holds alone: an estimate of the program's bytes of each kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .held import Held
from .launches import Launch
from .problem import Uses


def live_bytes(launches: Sequence[Launch], uses: Uses) -> list[int]:
    """Bytes of results between launches that are alive at once while each of them is at work. What the graph gives, or
    a view reads, is not counted."""
    home = {place: i for i, one in enumerate(launches) for kernel in one.kernels for place in kernel.ops}
    alive: list[tuple[range, int]] = []
    for i, kernel in ((i, kernel) for i, one in enumerate(launches) for kernel in one.kernels):
        last = kernel.ops[-1]
        readers = [home[reader] for reader in uses.readers[last] if reader in home]
        if last not in uses.outside and readers:
            alive.append((range(i, max(readers) + 1), kernel.bytes))
    return [sum(held for when, held in alive if now in when) for now in range(len(launches))]


def peak_bytes(launches: Sequence[Launch], uses: Uses, own: Mapping[str, int] | None = None) -> int:
    """The most of these bytes, with those that the launch at work needs for itself (`own`, by texts): a lower bound of
    the workspace."""
    live = zip(launches, live_bytes(launches, uses), strict=True)
    return max((held + (own or {}).get(launch.text, 0) for launch, held in live), default=0)


def held_by(launches: Sequence[Launch], uses: Uses, own: Mapping[str, Held], kind: str) -> int:
    """Bytes of a kind that launches hold, by what each holds alone (`own`, by texts): the most of workspaces and on
    chip, all weights, where those that several read count for each."""
    alone = {text: held.kind(kind) for text, held in own.items()}
    if kind == "workspace":
        return peak_bytes(launches, uses, alone)
    each = [alone.get(launch.text, 0) for launch in launches]
    return sum(each) if kind == "weights" else max(each, default=0)


__all__ = ["held_by", "live_bytes", "peak_bytes"]

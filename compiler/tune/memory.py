"""What a plan's kernels hold, from what each holds alone: an estimate of the program's bytes of each kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .held import Held
from .problem import Kernel, Uses


def live_bytes(kernels: Sequence[Kernel], uses: Uses) -> list[int]:
    """Bytes of results between kernels that are alive at once while each kernel is at work. What the graph gives, or a
    view reads, is not counted."""
    home = {place: i for i, one in enumerate(kernels) for place in one.ops}
    until: dict[int, int] = {}
    for i, one in enumerate(kernels):
        last = one.ops[-1]
        readers = [home[reader] for reader in uses.readers[last] if reader in home]
        if last not in uses.outside and readers:
            until[i] = max(readers)
    return [
        sum(kernels[i].bytes for i, end in until.items() if i <= now <= end) for now in range(len(kernels))
    ]


def peak_bytes(kernels: Sequence[Kernel], uses: Uses, own: Mapping[str, int] | None = None) -> int:
    """The most of these bytes, with those that the kernel at work needs for itself (`own`, by texts): a lower bound of
    the workspace."""
    live = zip(kernels, live_bytes(kernels, uses), strict=True)
    return max((held + (own or {}).get(kernel.text, 0) for kernel, held in live), default=0)


def held_by(kernels: Sequence[Kernel], uses: Uses, own: Mapping[str, Held], kind: str) -> int:
    """Bytes of a kind that kernels hold, by what each holds alone (`own`, by texts): the most of workspaces and on
    chip, all weights, where those that several read count for each."""
    alone = {text: held.kind(kind) for text, held in own.items()}
    if kind == "workspace":
        return peak_bytes(kernels, uses, alone)
    each = [alone.get(kernel.text, 0) for kernel in kernels]
    return sum(each) if kind == "weights" else max(each, default=0)


__all__ = ["held_by", "live_bytes", "peak_bytes"]

"""What a plan's kernels keep in GM: the most bytes at once of results that are waited for, and of what a kernel at work
needs for itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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


__all__ = ["live_bytes", "peak_bytes"]

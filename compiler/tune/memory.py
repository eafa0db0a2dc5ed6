"""What a plan's kernels keep in GM between them: the most bytes of results that are waited for at once."""

from __future__ import annotations

from collections.abc import Sequence

from .problem import Kernel, Uses


def peak_bytes(kernels: Sequence[Kernel], uses: Uses) -> int:
    """Bytes of results between kernels that are alive at once, at the worst moment. What the graph gives, or a view
    reads, is not counted: a lower bound of the workspace."""
    home = {place: i for i, one in enumerate(kernels) for place in one.ops}
    until: dict[int, int] = {}
    for i, one in enumerate(kernels):
        last = one.ops[-1]
        readers = [home[reader] for reader in uses.readers[last] if reader in home]
        if last not in uses.outside and readers:
            until[i] = max(readers)
    live = (
        sum(kernels[i].bytes for i, end in until.items() if i <= now <= end) for now in range(len(kernels))
    )
    return max(live, default=0)


__all__ = ["peak_bytes"]

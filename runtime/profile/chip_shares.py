"""What of the chip a program uses over its whole time, from its profile alone: see `utilisation`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .utilisation import peaks

if TYPE_CHECKING:
    from ...dialects.target_types import Target
    from .profile import KernelProfile, Profile


def shares(profile: Profile, target: Target) -> dict[str, float]:
    """What of the chip a program uses, over its time; of HBM also what is moved behind its end."""
    most, time = peaks(target), profile.total_us
    if not time:
        return dict.fromkeys(most, 0.0)
    used = dict.fromkeys(most, 0.0)
    for kernel in profile.kernels:
        counts = _cores(kernel, target)
        used["ai_core"] += kernel.core_us * sum(counts.values())
        for name, pipe in kernel.pipes.items():
            unit = {"M": "cube", "V": "vector"}.get(name.split()[-1])
            if unit is not None:
                kind = name.split()[0] if " " in name else next(iter(counts))
                used[unit] += pipe.busy_us * counts[kind]
    used["hbm"] = float(profile.hbm_read_bytes + profile.hbm_write_bytes)
    used["l2"] = float(profile.dma_read_bytes + profile.dma_write_bytes)
    return {name: much / (most[name] * time) for name, much in used.items()}


def _cores(kernel: KernelProfile, target: Target) -> dict[str, int]:
    """How many cores of each kind run a kernel."""
    main = min(kernel.cores, kernel.chip_cores)
    if kernel.cross_wait_us:
        return {"aic": main, "aiv": main * target.vectors_beside}
    return {"": main}


__all__ = ["shares"]

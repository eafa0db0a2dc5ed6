"""How far a predicted time may be off: kernels by what bounds them."""

from .profile import KernelProfile

SHORT_US = 25.0
HEAVY = 0.6
"""Share of a kernel's time from which on the unit that computes bounds it."""


def regime_of(kernel: KernelProfile, chip: str, time_us: float) -> str:
    """`short` (`time_us` below `SHORT_US`), `950` (a longer kernel of that chip), or what bounds it: `Cube`, `Vector`,
    `copy`."""
    if time_us < SHORT_US:
        return "short"
    if chip.startswith("ascend950"):
        return "950"
    active = {"Cube": 0.0, "Vector": 0.0}
    for name, pipe in kernel.pipes.items():
        unit = {"M": "Cube", "V": "Vector"}.get(name.split()[-1])
        if unit is not None:
            active[unit] = max(active[unit], pipe.active_us)
    unit = max(active, key=lambda one: active[one])
    return unit if active[unit] >= HEAVY * kernel.time_us else "copy"

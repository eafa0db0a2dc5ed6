"""What `ascend-insert-sync` decided: flags and barriers of each kernel, and what ran out of event ids."""

from collections import Counter
from typing import Any

from ...dialects.records import dataclass
from ...dialects.target_types import PIPES
from .flags import ALL, SyncPlan


@dataclass(frozen=True)
class KernelSync:
    """One kernel. `unneeded`: ping-pong buffers whose second slot nothing needs; `given_up`: those that lost slots
    because event ids ran out; `barred`: pairs of pipes whose flags became barriers of every pipe; `short`: pairs of
    which some did; `contradiction`: all of them did, because no set of flags was found that orders the program."""

    kernel: str
    plan: SyncPlan
    unneeded: tuple[str, ...]
    given_up: tuple[str, ...]
    barred: tuple[tuple[int, int], ...]
    contradiction: bool = False
    short: tuple[tuple[int, int], ...] = ()

    @property
    def barriers(self) -> dict[str, int]:
        """How many barriers each pipe has, "ALL" for those of every pipe."""
        found = Counter(barrier.pipe for barrier in self.plan.barriers)
        return {"ALL" if pipe == ALL else PIPES[pipe]: n for pipe, n in sorted(found.items())}

    @property
    def flags(self) -> dict[str, int]:
        """How many flags each pair of pipes has."""
        found = Counter((flag.source, flag.destination) for flag in self.plan.flags)
        return {f"{PIPES[p]} -> {PIPES[q]}": n for (p, q), n in sorted(found.items())}


@dataclass(frozen=True)
class SyncReport:
    """All kernels, in program order."""

    kernels: tuple[KernelSync, ...]
    name: str = "ascend-insert-sync"

    def to_text(self) -> str:
        return "\n".join(line for kernel in self.kernels for line in _lines(kernel))

    def to_json(self) -> Any:
        return [
            {
                "kernel": k.kernel,
                "flags": k.flags,
                "barriers": k.barriers,
                "slots_unneeded": list(k.unneeded),
                "slots_given_up": list(k.given_up),
                "flags_contradict": k.contradiction,
                "pairs_without_flags": _named(k.barred),
                "pairs_with_fewer_flags": _named(k.short),
            }
            for k in self.kernels
        ]


def _lines(k: KernelSync) -> list[str]:
    def listed(found: dict[str, int]) -> str:
        return ", ".join(f"{n} {what}" for what, n in found.items()) or "none"

    lines = [f"synchronisation of @{k.kernel}: flags {listed(k.flags)}; barriers {listed(k.barriers)}"]
    if k.unneeded:
        lines.append(f"  one slot is enough, other flags order its pipes: {', '.join(k.unneeded)}")
    if k.given_up:
        lines.append(f"  fewer slots, because event ids ran out: {', '.join(k.given_up)}")
    if k.contradiction:
        lines.append(
            "  serialised: barriers of every pipe in the place of all flags, which contradict each other"
        )
    elif k.barred:
        pairs = ", ".join(_named(k.barred))
        lines.append(f"  serialised: barriers of every pipe in the place of flags {pairs}, event ids ran out")
    elif k.short:
        pairs = ", ".join(_named(k.short))
        lines.append(
            f"  barriers of every pipe in the place of some flags {pairs}, because event ids ran out"
        )
    return lines


def _named(pairs: tuple[tuple[int, int], ...]) -> list[str]:
    return [f"{PIPES[p]} -> {PIPES[q]}" for p, q in pairs]

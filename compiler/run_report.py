"""What `ascend-run` prints and writes about its runs: fused against unfused, as a table and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ..dialects.target import PIPES, Target
from ..runtime.profile import KernelProfile, Profile
from .advice_report import ABOVE, advice_lines
from .kernel_check import KernelCheck
from .run_check import Check
from .run_gain import gain_over, gain_rows

PIPE_NAMES = {"M": "Cube (M)", "V": "Vector (V)"}
BOTH = ("MTE2", "MTE3")
"""Pipes that Cube and Vector cores have."""
OF_CORES = {"": "", "aic": " of Cube cores", "aiv": " of Vector cores"}
MOST_KERNELS = 40
"""Kernels that the table lists of one variant; the JSON has all."""


@dataclass(frozen=True)
class Variant:
    """One compiled form of the graph and what its run gave: `title` is `fused`, `library-like`, `unfused` or `as
    given`."""

    title: str
    profile: Profile
    checks: Mapping[str, Check] = field(default_factory=dict[str, Check])
    kernels: Sequence[KernelCheck] = ()
    """Each launch given its own inputs, where that was asked for."""

    @property
    def wrong_kernels(self) -> list[KernelCheck]:
        """Those past their bounds, the first one first."""
        return [kernel for kernel in self.kernels if kernel.check.wrong]


@dataclass(frozen=True)
class RunReport:
    """All of one `ascend-run`."""

    name: str
    target: Target
    variants: Sequence[Variant]
    notes: Sequence[str] = ()
    tune: int | None = None
    """How many tilings of each kernel were timed to choose one; 1 for none, None for a program that came lowered."""

    def to_text(self) -> str:
        """The table for the terminal."""
        lines = [f"@{self.name} on {self.target.name}: {self.target.description}", ""]
        lines += _summary(self.variants, self.tune, self.target.split)
        for variant in self.variants:
            lines += ["", f"kernels, {variant.title}:", *_kernels(variant.profile)]
        if any(k.bound_us > k.time_us for variant in self.variants for k in variant.profile.kernels):
            lines += ["", f"  {ABOVE}"]
        if self.variants:
            first = self.variants[0]
            lines += ["", f"what limits them, {first.title}:", *advice_lines(first.profile, MOST_KERNELS)]
        lines += [""] + [line for variant in self.variants for line in _checks(variant)]
        lines += [f"note: {note}" for note in self.notes]
        return "\n".join(lines).rstrip() + "\n"

    def to_json(self) -> dict[str, Any]:
        """The same as dictionaries, lists, numbers and strings; a number that is not finite is null.

        `fused`, `library` and `unfused` hold the profiles (null for one that did not run; a program that came
        lowered is under `fused`), `gains` what fusion gains over each of the others, `check` the relative errors of the
        first variant, `library_check` and `unfused_check` those of the others if they were compared too.
        """
        by_title = {variant.title: variant for variant in self.variants}
        fused = by_title.get("fused") or by_title.get("as given")
        library, unfused = by_title.get("library-like"), by_title.get("unfused")
        first = self.variants[0] if self.variants else None
        gains = {
            name: asdict(gain_over(first.profile, other.profile))
            for name, other in (("library", library), ("unfused", unfused))
            if first is not None and other is not None and other is not first
        }
        return {
            "name": self.name,
            "target": self.target.name,
            "tune": self.tune,
            "fused": None if fused is None else _profile_json(fused.profile),
            "library": None if library is None else _profile_json(library.profile),
            "unfused": None if unfused is None else _profile_json(unfused.profile),
            "gains": gains,
            "check": _check_json(first),
            "library_check": _check_json(library),
            "unfused_check": None if unfused is first else _check_json(unfused),
        }

    def to_json_text(self) -> str:
        return json.dumps(self.to_json(), indent=2, allow_nan=False) + "\n"


def _profile_json(profile: Profile) -> dict[str, Any]:
    return profile.to_dict()


def _check_json(variant: Variant | None) -> dict[str, Any] | None:
    if variant is None or not variant.checks:
        return None
    checks = variant.checks
    return {
        "rel_l2": {n: _finite(c.error) for n, c in checks.items() if not c.steps},
        "one_step_off": {n: _finite(c.error) for n, c in checks.items() if c.steps},
        "bound": {name: check.bound for name, check in checks.items()},
        "passed": all(check.passed for check in checks.values()) and not variant.wrong_kernels,
        "kernels": [
            {
                "kernel": one.kernel,
                "ops": list(one.ops),
                "nodes": list(one.nodes),
                "error": _finite(one.check.error),
                "bound": one.check.bound,
            }
            for one in variant.kernels
        ],
    }


def _finite(error: float) -> float | None:
    return error if math.isfinite(error) else None


def _checks(variant: Variant) -> list[str]:
    lines = [
        f"{'ok  ' if check.passed else 'FAIL'} {variant.title} {name}: {check.measured}{check.left_out}"
        for name, check in variant.checks.items()
    ]
    return [*lines, *_kernel_checks(variant)]


def _kernel_checks(variant: Variant) -> list[str]:
    """The first kernel past its bound, or the one that comes nearest to its own; and the first one whose type is too
    narrow for what it computes."""
    wrong, count = variant.wrong_kernels, len(variant.kernels)
    if not count:
        return []
    lines: list[str] = []
    if wrong:
        more = f"; {len(wrong) - 1} of the kernels behind it are off, too" if len(wrong) > 1 else ""
        lines.append(
            f"FAIL {variant.title} {wrong[0].title} given its own inputs: {wrong[0].check.measured}{more}"
        )
    else:
        near = max(variant.kernels, key=lambda one: one.check.share)
        nearest = f"{near.title} given its own inputs: {near.check.measured}"
        all_of_them = f": all {count} kernels are within their bounds; nearest is" if count > 1 else ""
        lines.append(f"ok   {variant.title}{all_of_them} {nearest}")
    narrow = next((one for one in variant.kernels if one.loss.too_large), None)
    if narrow is not None:
        lines.append(f"note {variant.title} {narrow.title}: {narrow.loss}")
    return lines


def table(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Rows of cells as aligned lines; the first `left` columns are aligned to the left."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines: list[str] = []
    for row in rows:
        cells = [
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  " + "   ".join(cells).rstrip())
    return lines


def _summary(variants: Sequence[Variant], tune: int | None, split: bool) -> list[str]:
    profiles = [variant.profile for variant in variants]
    rows = [["", *(variant.title for variant in variants)]]

    def add(label: str, cells: Sequence[str]) -> None:
        rows.append([label, *cells])

    add("kernels", [str(len(p.kernels)) for p in profiles])
    if tune is not None:
        chosen = "predicted fastest" if tune == 1 else f"fastest of {tune} timed"
        add("tile sizes", [chosen] * len(profiles))
    add("predicted time", [time_text(p.total_us) for p in profiles])
    add("  of it launches", [time_text(sum(k.launch_us for k in p.kernels)) for p in profiles])
    add("bytes read by DMA", [_bytes(p.dma_read_bytes) for p in profiles])
    add("bytes written by DMA", [_bytes(p.dma_write_bytes) for p in profiles])
    add("bytes read from HBM", [_bytes(p.hbm_read_bytes) for p in profiles])
    add("bytes written to HBM", [_bytes(p.hbm_write_bytes) for p in profiles])
    rooms = [p.workspace for p in profiles]
    if any(room is not None and room.apart for room in rooms):
        add("workspace peak", [_bytes(room.peak if room else 0) for room in rooms])
        add("  without reuse", [_bytes(room.apart if room else 0) for room in rooms])
    add("L2 hit rate", [_share(p.l2_hit_rate) for p in profiles])
    shares = [busy_shares(p, split) for p in profiles]
    for pipe in sorted({pipe for found in shares for pipe in found}, key=_place):
        name = PIPE_NAMES.get(pipe[0], pipe[0])
        add(f"busy {name}{OF_CORES[pipe[1]]}", [_share(found.get(pipe, 0.0)) for found in shares])
    for space, capacity in _capacities(profiles).items():
        peaks = [_peak(p, space) for p in profiles]
        cells = [f"{_bytes(peak)} ({_share(peak / capacity)})" for peak in peaks]
        add(f"peak {space} of {_bytes(capacity)}", cells)
    lines = table(rows)
    if len(profiles) > 1 and all(profile.total_us for profile in profiles):
        gains = [gain_over(profiles[0], profile) for profile in profiles[1:]]
        lines += ["", *table(gain_rows([variant.title for variant in variants[1:]], gains))]
    return lines


Pipe = tuple[str, str]
"""A pipe, and the kind of core that it is of where both kinds have one ("" elsewhere)."""


def busy_shares(profile: Profile, split: bool) -> dict[Pipe, float]:
    """Share of the kernels' time in which each pipe is busy, mean over the cores in use. `split`: Cube and Vector are
    cores of their own."""
    time = sum(kernel.time_us for kernel in profile.kernels)
    shares: dict[Pipe, float] = {}
    for kernel in profile.kernels:
        alone = "aic" if "M" in kernel.pipes else "aiv"
        for name, found in kernel.pipes.items():
            kind, _, pipe = name.rpartition(" ")
            key = pipe, (kind or alone) if split and pipe in BOTH else ""
            shares[key] = shares.get(key, 0.0) + (found.busy_us / time if time else 0.0)
    return shares


def _place(pipe: Pipe) -> tuple[int, str]:
    return PIPES.index(pipe[0]), pipe[1]


def _capacities(profiles: Sequence[Profile]) -> dict[str, int]:
    """Capacity of each on-chip memory that some kernel uses, in the target's order."""
    return {
        space: memory.capacity_bytes
        for profile in profiles
        for kernel in profile.kernels
        for space, memory in kernel.memory.items()
        if any(_peak(p, space) for p in profiles)
    }


def _peak(profile: Profile, space: str) -> int:
    peaks = [kernel.memory[space].peak_bytes for kernel in profile.kernels if space in kernel.memory]
    return max(peaks, default=0)


def _kernels(profile: Profile) -> list[str]:
    if not profile.kernels:
        return ["  none"]
    head = ["name", "ops", "cores", "time", "launch", "bound", "limit", "DMA", "HBM", "L2 hits"]
    rows = [head, *(_kernel_row(kernel) for kernel in profile.kernels[:MOST_KERNELS])]
    lines = table(rows, left=2)
    rest = len(profile.kernels) - MOST_KERNELS
    return lines if rest <= 0 else [*lines, f"  … and {rest} more"]


def _kernel_row(kernel: KernelProfile) -> list[str]:
    ops = " ".join(op.removeprefix("graph.") for op in kernel.ops)
    return [
        kernel.name,
        ops if len(ops) <= 60 else ops[:59] + "…",
        str(kernel.cores),
        time_text(kernel.time_us),
        time_text(kernel.launch_us),
        time_text(kernel.bound_us),
        kernel.limit,
        _bytes(kernel.dma_read_bytes + kernel.dma_write_bytes),
        _bytes(kernel.hbm_read_bytes + kernel.hbm_write_bytes),
        _share(kernel.l2_hit_rate),
    ]


def time_text(us: float) -> str:
    """A time given in µs."""
    if us >= 100_000:
        return f"{us / 1000:,.1f} ms"
    return f"{us:,.1f} µs"


def _bytes(count: int) -> str:
    if count < 10_000:
        return f"{count} B"
    if count < 10 * 2**20:
        return f"{count / 2**10:,.1f} KiB"
    return f"{count / 2**20:,.1f} MiB"


def _share(share: float) -> str:
    return f"{100 * share:.1f} %"

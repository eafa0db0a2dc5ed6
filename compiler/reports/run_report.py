"""What `ascend-run` prints and writes about its runs: fused against unfused, as a table and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, field
from typing import Any, Literal

from ...dialects.graph.base import bare_names
from ...dialects.records import dataclass
from ...dialects.target_types import PIPES, Target
from ...runtime.profile.chip_shares import shares as shares_of_chip
from ...runtime.profile.profile import KernelProfile, Profile
from ...runtime.profile.utilisation import TITLES
from ..checks.kernel_check import KernelCheck
from ..checks.run_check import Check
from .advice_report import advice_lines
from .fusion_losses import FusionLoss, loss_lines, losses_json
from .layer_table import by_time, layer_lines
from .run_gain import alike_lines, gain_over, gain_rows
from .text_table import bytes_text, cut, predicted_text, share_text, table, time_text, within_text

PIPE_NAMES = {"M": "Cube (M)", "V": "Vector (V)"}
BOTH = ("MTE2", "MTE3")
"""Pipes that Cube and Vector cores have."""
OF_CORES = {"": "", "aic": " of Cube cores", "aiv": " of Vector cores"}
MOST_KERNELS = 40
"""Kernels that the table lists of one variant; the JSON has all."""
OPS = 60
"""Columns of a kernel's ops."""
MANY = 12
"""A program of more kernels is shown by time."""
LONGEST, ADVISED = 20, 5
"""Kernels that are listed by time, and those of them about which advice is given."""

Sort = Literal["time", "order"]


@dataclass(frozen=True)
class Variant:
    """One compiled form of the graph and what its run gave: `title` is `fused`, `library-like`, `unfused`,
    `repaired` or `as given`."""

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
    sort: Sort | None = None
    """How kernels are listed; None: by time where there are many."""
    rows: int | None = None
    """How many of them are."""
    losses: Sequence[FusionLoss] = ()
    """What of the first program is slower fused than its parts are."""
    chosen: str = ""
    """How else tiles of the first program are chosen, in words; before what `tune` says."""

    def to_text(self) -> str:
        """The table for the terminal."""
        lines = [f"@{self.name} on {self.target.name}: {self.target.description}", ""]
        lines += _summary(self.variants, self.tune, self.target, self.chosen)
        lines += self._by_time() if self.sorted_by_time else self._in_order()
        for first in self.variants[:1]:
            advice = advice_lines(self._advised(), len(first.profile.kernels) == 1)
            lines += ["", f"what limits them, {first.title}:", *advice]
            lines += loss_lines(self.losses, first.profile.warm)
        lines += [""] + [line for variant in self.variants for line in _checks(variant)]
        lines += [f"note: {note}" for note in self.notes]
        return "\n".join(lines).rstrip() + "\n"

    @property
    def sorted_by_time(self) -> bool:
        """Whether the kernels of the first variant are listed by time, in place of all variants in order."""
        if self.sort is None:
            return any(len(variant.profile.kernels) > MANY for variant in self.variants[:1])
        return self.sort == "time"

    def _in_order(self) -> Iterator[str]:
        for variant in self.variants:
            yield from (
                "",
                f"kernels, {variant.title}:",
                *_kernels(variant.profile, self.rows or MOST_KERNELS),
            )

    def _by_time(self) -> Iterator[str]:
        for variant in self.variants[:1]:
            yield from ("", f"kernels, {variant.title}, by time:")
            yield from layer_lines(variant.profile, self.rows or LONGEST)
        others = " and ".join(variant.title for variant in self.variants[1:])
        if others:
            yield f"  --sort order lists the kernels of {others} too."

    def _advised(self) -> Sequence[tuple[int, KernelProfile]]:
        first = self.variants[0].profile
        if self.sorted_by_time:
            return by_time(first)[: self.rows or ADVISED]
        return list(enumerate(first.kernels))[: self.rows or MOST_KERNELS]

    def to_json(self) -> dict[str, Any]:
        """The same as dictionaries, lists, numbers and strings; a number that is not finite is null.

        `fused`, `library`, `unfused` and `repaired` hold the profiles (null for one that did not run; a program that
        came lowered is under `fused`), `gains` what fusion gains over each baseline, `slower_than_parts` the kernels of
        the first variant that a baseline computes faster, `check` the relative errors of the first variant,
        `library_check`, `unfused_check` and `repaired_check` those of the others if they were compared.
        """
        by_title = {variant.title: variant for variant in self.variants}
        fused = by_title.get("fused") or by_title.get("as given")
        library, unfused = by_title.get("library-like"), by_title.get("unfused")
        repaired = by_title.get("repaired")
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
            "warm": any(variant.profile.warm for variant in self.variants),
            "fused": None if fused is None else _profile_json(fused.profile),
            "library": None if library is None else _profile_json(library.profile),
            "unfused": None if unfused is None else _profile_json(unfused.profile),
            "repaired": None if repaired is None else _profile_json(repaired.profile),
            "gains": gains,
            "slower_than_parts": losses_json(self.losses),
            "check": _check_json(first),
            "library_check": _check_json(library),
            "unfused_check": None if unfused is first else _check_json(unfused),
            "repaired_check": _check_json(repaired),
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
    narrow = [one for one in variant.kernels if one.loss.too_large and not one.check.wrong]
    rest = [one for one in variant.kernels if one not in narrow]
    if wrong:
        more = f"; {len(wrong) - 1} of the kernels behind it are off, too" if len(wrong) > 1 else ""
        lines.append(
            f"FAIL {variant.title} {wrong[0].title} given its own inputs: {wrong[0].check.measured}{more}"
        )
    elif rest:
        near = max(rest, key=lambda one: one.check.share)
        nearest = f"{near.title} given its own inputs: {near.check.measured}"
        number = f"{len(rest)} of {count} kernels are" if narrow else f"all {count} kernels are"
        several = f": {number} within their bounds; nearest is" if count > 1 else ""
        lines.append(f"ok   {variant.title}{several} {nearest}")
    if narrow:
        more = f"; {len(narrow) - 1} of the kernels behind it are like that, too" if len(narrow) > 1 else ""
        first = narrow[0]
        lines.append(f"note {variant.title} {first.title} does what its type lets it: {first.loss}{more}")
    return lines


def _summary(variants: Sequence[Variant], tune: int | None, target: Target, first: str = "") -> list[str]:
    split = target.split
    profiles = [variant.profile for variant in variants]
    rows = [["", *(variant.title for variant in variants)]]

    def add(label: str, cells: Sequence[str]) -> None:
        rows.append([label, *cells])

    add("kernels", [str(len(p.kernels)) for p in profiles])
    if tune is not None:
        chosen = "predicted fastest" if tune == 1 else f"fastest of {tune} timed"
        add("tile sizes", [first or chosen, *[chosen] * (len(profiles) - 1)])
    add("predicted time", [predicted_text(p.total_us, p.interval_us) for p in profiles])
    add("  of it launches", [time_text(sum(k.launch_us for k in p.kernels)) for p in profiles])
    add("L2 at the start", ["warm" if p.warm else "cold" for p in profiles])
    add("bytes read by DMA", [bytes_text(p.dma_read_bytes) for p in profiles])
    add("bytes written by DMA", [bytes_text(p.dma_write_bytes) for p in profiles])
    add("bytes read from HBM", [bytes_text(p.hbm_read_bytes) for p in profiles])
    add("bytes written to HBM", [bytes_text(p.hbm_write_bytes) for p in profiles])
    rooms = [p.workspace for p in profiles]
    if any(room is not None and room.apart for room in rooms):
        add("workspace peak", [bytes_text(room.peak if room else 0) for room in rooms])
        add("  without reuse", [bytes_text(room.apart if room else 0) for room in rooms])
    add("L2 hit rate", [share_text(p.l2_hit_rate) for p in profiles])
    used = [shares_of_chip(p, target) for p in profiles]
    for name, title in TITLES.items():
        add(
            f"{title} in use" if name == "ai_core" else f"  {title}",
            [share_text(u[name]) for u in used],
        )
    shares = [busy_shares(p, split) for p in profiles]
    for pipe in sorted({pipe for found in shares for pipe in found}, key=_place):
        name = PIPE_NAMES.get(pipe[0], pipe[0])
        add(f"busy {name}{OF_CORES[pipe[1]]}", [share_text(found.get(pipe, 0.0)) for found in shares])
    for space, capacity in _capacities(profiles).items():
        peaks = [_peak(p, space) for p in profiles]
        cells = [f"{bytes_text(peak)} ({share_text(peak / capacity)})" for peak in peaks]
        add(f"peak {space} of {bytes_text(capacity)}", cells)
    lines = table(rows)
    if len(profiles) > 1 and all(profile.total_us for profile in profiles):
        gains = [gain_over(profiles[0], profile) for profile in profiles[1:]]
        titles = [variant.title for variant in variants[1:]]
        lines += ["", *table(gain_rows(titles, gains)), *alike_lines(variants[0].title, titles, gains)]
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


def _kernels(profile: Profile, most: int) -> list[str]:
    if not profile.kernels:
        return ["  none"]
    head = [
        "name",
        "ops",
        "cores",
        "time",
        "launch",
        "bound",
        "limit",
        "of ops",
        "limit",
        "DMA",
        "HBM",
        "L2 hits",
    ]
    rows = [head, *(_kernel_row(kernel) for kernel in profile.kernels[:most])]
    if not any(kernel.graph_limit for kernel in profile.kernels):
        rows = [[*row[:7], *row[9:]] for row in rows]
    lines = table(rows, left=2)
    rest = len(profile.kernels) - most
    return lines if rest <= 0 else [*lines, f"  … and {rest} more"]


def _kernel_row(kernel: KernelProfile) -> list[str]:
    return [
        kernel.name,
        cut(bare_names(kernel.ops), OPS),
        str(kernel.cores),
        within_text(kernel.time_us, kernel.interval_us),
        time_text(kernel.launch_us),
        time_text(kernel.bound_us),
        kernel.limit,
        time_text(kernel.graph_bound_us) if kernel.graph_limit else "",
        kernel.graph_limit,
        bytes_text(kernel.dma_read_bytes + kernel.dma_write_bytes),
        bytes_text(kernel.hbm_read_bytes + kernel.hbm_write_bytes),
        share_text(kernel.l2_hit_rate),
    ]

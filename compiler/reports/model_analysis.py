"""`ascend-opt --analyze`: fusion opportunities of a whole model by gain, and its totals before and after fusion.

    @net on ascend910b: 4 ops, 73,856 parameters (144.2 KiB), 0.463 GFLOPs, of which products 0.462

                                  one kernel an op      fused
      kernels                                    4          1
      GM bytes, each tensor once           …

All figures are those that the pass `tile-fuse` decided by.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ...passes.fusion.kernel_record import joined
from ...passes.fusion.model_totals import KernelTotals, ModelTotals
from ...passes.fusion.opportunities import Opportunity
from ...passes.fusion.predicted_intervals import INSIDE, interval_of_kernels, lies_inside
from ...passes.fusion.report import FusionReport
from ...passes.support.report import Report
from .layer_table import together
from .text_table import bytes_text, cut, predicted_text, share_text, table, time_text

HEAD = ("", "", "ops", "from", "gain", "apart", "fused", "bytes saved", "reason")
OPS, SOURCES = 44, 48
LEGEND = (
    "gain: predicted time apart less that of one kernel, launches included; a row of several alike has the sum.",
    "GM bytes: each tensor once, or what is read of it. bound by memory: kernels for which HBM at its rate takes",
    "  longer than Cube and Vector unit at theirs. at their peak: the time that they would need, over the predicted.",
    "predicted time, in brackets: where 80 % of kernels lie that boards were measured with.",
)


def analysis_text(reports: Sequence[Report], target: str) -> str:
    """What fusion decided about each function, by gain, and the totals. ValueError where there is no graph op."""
    lines: list[str] = []
    for name, totals, found in _functions(reports):
        lines += [_headline(name, target, totals), "", *_totals(totals), "", "fusion opportunities by gain:"]
        lines += _opportunities(found, totals.chip)
        lines.append("")
    return "\n".join([*lines, *(f"  {line}" for line in LEGEND)]) + "\n"


def analysis_json(reports: Sequence[Report], target: str) -> str:
    """The same as a JSON list with an entry for each function; every opportunity by itself."""
    entries = [
        {
            "function": name,
            "target": target,
            "ops": totals.ops,
            "parameters": totals.parameters,
            "parameter_bytes": totals.parameter_bytes,
            "flops": totals.flops,
            "product_flops": totals.product_flops,
            "before": _kernels_json(totals, totals.before),
            "after": _kernels_json(totals, totals.after),
            "opportunities": [
                {**asdict(one), "gain_us": one.gain_us, "inside_interval": _inside(one, totals.chip)}
                for one in found
            ],
        }
        for name, totals, found in _functions(reports)
    ]
    return json.dumps(entries, indent=2, allow_nan=False) + "\n"


def _functions(reports: Sequence[Report]) -> Sequence[tuple[str, ModelTotals, Sequence[Opportunity]]]:
    found = [
        (plan.function, totals, found)
        for report in reports
        if isinstance(report, FusionReport)
        for plan, totals, found in zip(report.plans, report.totals, report.opportunities, strict=True)
        if totals.ops
    ]
    if not found:
        raise ValueError("there is nothing to analyse: no op of the graph level computes anything")
    return found


def _kernels_json(totals: ModelTotals, kernels: KernelTotals | None) -> dict[str, Any] | None:
    if kernels is None:
        return None
    figures = asdict(kernels)
    del figures["times"]
    return {
        **figures,
        "interval_us": interval_of_kernels(kernels.times, totals.chip),
        "arithmetic_intensity": totals.intensity(kernels),
        "core_utilisation": kernels.core_utilisation,
        "bandwidth_utilisation": kernels.bandwidth_utilisation,
    }


def _headline(name: str, target: str, totals: ModelTotals) -> str:
    flops = f"{_giga(totals.flops)} GFLOPs, of which products {_giga(totals.product_flops)}"
    room = f"{totals.parameters:,} parameters ({bytes_text(totals.parameter_bytes)})"
    return f"@{name} on {target}: {totals.ops} ops, {room}, {flops}"


def _giga(flops: int) -> str:
    return f"{flops / 1e9:.3g}"


def _totals(totals: ModelTotals) -> list[str]:
    columns = (totals.before, totals.after)

    def row(label: str, cells: Sequence[str]) -> list[str]:
        known = iter(cells)
        return [label, *("unknown" if kernels is None else next(known) for kernels in columns)]

    both = [kernels for kernels in columns if kernels is not None]
    rows = [
        ["", "one kernel an op", "fused"],
        row("kernels", [str(k.kernels) for k in both]),
        row("GM bytes, each tensor once", [bytes_text(k.bytes) for k in both]),
        row("predicted time", [_predicted(k, totals.chip) for k in both]),
        row("  of it launches", [_part(k.launch_us, k) for k in both]),
        row("  of it bound by memory", [_part(k.memory_bound_us, k) for k in both]),
        row("  of it bound by compute", [_part(k.compute_bound_us, k) for k in both]),
        row("arithmetic intensity", [f"{totals.intensity(k):.1f} op/B" for k in both]),
        row("AI cores at their peak", [share_text(k.core_utilisation) for k in both]),
        row("HBM at its peak", [share_text(k.bandwidth_utilisation) for k in both]),
    ]
    return table(rows)


def _predicted(kernels: KernelTotals, chip: str) -> str:
    return predicted_text(kernels.time_us, interval_of_kernels(kernels.times, chip))


def _inside(one: Opportunity, chip: str) -> bool | None:
    """Whether what fusion changes lies inside the interval of the prediction; None where it has no time."""
    if one.apart_us is None or one.fused_us is None:
        return None
    return lies_inside(one.apart_us, one.fused_us, chip)


def _part(us: float, kernels: KernelTotals) -> str:
    return share_text(us / kernels.time_us if kernels.time_us else 0.0)


def _opportunities(found: Sequence[Opportunity], chip: str) -> list[str]:
    if not found:
        return ["  none: no op feeds another one"]
    alike: dict[tuple[Any, ...], list[Opportunity]] = {}
    for one in found:
        key = one.ops, one.fused, one.reason, one.bytes_saved, one.apart_us, one.fused_us
        alike.setdefault(key, []).append(one)
    groups = sorted(alike.values(), key=lambda group: (group[0].gain_us is None, -_gain(group)))
    rows: list[Sequence[str]] = [HEAD, *(_row(group, chip) for group in groups)]
    return table(rows, left=4, remarks=True)


def _gain(group: Sequence[Opportunity]) -> float:
    """Time that opportunities save, bytes where there is no such kernel."""
    return sum(one.bytes_saved if one.gain_us is None else one.gain_us for one in group)


def _row(group: Sequence[Opportunity], chip: str) -> Sequence[str]:
    """Cells of opportunities that are alike."""
    one, count = group[0], len(group)
    saved = bytes_text(abs(one.bytes_saved) * count)
    if one.gain_us is None or one.apart_us is None or one.fused_us is None:
        times, saved = ("", "", ""), f"at most {saved}"
    else:
        times = tuple(time_text(us * count) for us in (one.gain_us, one.apart_us, one.fused_us))
        saved = f"{'-' if one.bytes_saved < 0 else ''}{saved}"
    reason = f"{one.reason}; {INSIDE}" if _inside(one, chip) else one.reason
    sources = tuple(dict.fromkeys(source for each in group for source in each.sources))
    return (
        f"{count} x" if count > 1 else "",
        "fused" if one.fused else "refused",
        cut(joined(one.ops), OPS),
        together(sources, SOURCES),
        *times,
        saved,
        reason,
    )


__all__ = ["analysis_json", "analysis_text"]

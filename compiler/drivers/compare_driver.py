"""What `ascend-run --compare` does: time what is no profile yet, compare, report, write one trace of both."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...dialects.records import dataclass
from ...dialects.target_files import target_names
from ..reports.comparison import Comparison, compare
from ..reports.comparison_text import comparison_text, failure_text
from ..reports.progress_bars import ProgressBars
from ..text.diagnostics import Diagnostic
from ..text.output_files import put_text
from .profile_sources import Measured, Wanted, is_model, is_profile, measured, takes_model
from .run_inputs import read_inputs
from .run_options import RunOptions


@dataclass(frozen=True)
class CompareOptions:
    """The two `sources`, the `model` that revisions compile (None: the source that is one), and the share by which the
    later one may be slower (None: by any)."""

    sources: tuple[str, str]
    model: str | None = None
    allowed: float | None = None


def run_compare(chosen: CompareOptions, options: RunOptions) -> bool:
    """Compare; False where the later source is slower than is allowed. Prints the report on stdout.

    Raises ProfileError, CompileError, ProgramError, HazardError, OutputError, OSError.
    """
    options.check_files([*chosen.sources, *([chosen.model] if chosen.model else [])])
    if all(map(is_profile, chosen.sources)):
        said = {
            "--mark": options.marks,
            "--target": options.target is not None,
            "--size": options.size is not None,
        }
        for name in [*options.of_choices, *(name for name, given in said.items() if given)]:
            print(Diagnostic(f"{name} has no effect: nothing is compiled", "note"), file=sys.stderr)
        if options.inputs:
            print(Diagnostic("--inputs has no effect: nothing runs", "note"), file=sys.stderr)
            options = replace(options, inputs=None)
    if chosen.model is not None and not any(map(takes_model, chosen.sources)):
        note = f"{chosen.model} has no effect: neither source is a plan or a revision"
        print(Diagnostic(note, "note"), file=sys.stderr)
    bars = ProgressBars()
    with bars.watching():
        sides = _measure(chosen, options, bars)
        bars.phase("")
    titles = _titles(sides)
    found = compare(sides[0].profile, sides[1].profile, titles)
    if note := found.other_ops:
        print(Diagnostic(note, "note"), file=sys.stderr)
    if options.json:
        put_text(options.json, json.dumps(found.to_json(), indent=2) + "\n")
    if options.trace:
        events = list(both([side.events for side in sides], titles))
        put_text(options.trace, json.dumps({"displayTimeUnit": "ns", "traceEvents": events}))
    if not options.prints_json:
        sys.stdout.write(comparison_text(found, options.rows))
    return _allowed(found, chosen.allowed)


def _measure(chosen: CompareOptions, options: RunOptions, bars: ProgressBars) -> list[Measured]:
    """Both sources. What is compiled is for the chip of a profile, and runs as warm as that, if one is given."""
    model = chosen.model or next((one for one in chosen.sources if is_model(one)), None)
    inputs = None if options.inputs is None else read_inputs(options.inputs)
    found: dict[int, Measured] = {}
    of_data = False
    for i in sorted((0, 1), key=lambda i: not is_profile(chosen.sources[i])):
        bars.phase(f"timing {chosen.sources[i]}")
        found[i] = measured(chosen.sources[i], Wanted(options, model, bars.print, of_data, inputs))
        profile = found[i].profile
        if is_profile(chosen.sources[i]) and options.target is None and profile.target in target_names():
            options = replace(options, target=profile.target)
        if is_profile(chosen.sources[i]):
            of_data = of_data or profile.of_data
            if options.warm and not profile.warm:
                note = f"--warm has no effect: {chosen.sources[i]} is of a cold run"
                print(Diagnostic(note, "note"), file=sys.stderr)
            options = replace(options, warm=profile.warm)
    return [found[0], found[1]]


def _titles(sides: Sequence[Measured]) -> tuple[str, str]:
    """What both are called; numbered where that is one name."""
    first, second = (side.title for side in sides)
    return (f"{first} (1)", f"{second} (2)") if first == second else (first, second)


def _allowed(found: Comparison, allowed: float | None) -> bool:
    if allowed is None or found.slower <= allowed:
        return True
    print(Diagnostic(f"--fail-if-slower: {failure_text(found, allowed)}"), file=sys.stderr)
    return False


def both(traces: Sequence[Sequence[dict[str, Any]]], titles: Sequence[str]) -> Iterator[dict[str, Any]]:
    """One trace of two: the processes of the second below those of the first, all named with their source."""
    first = 0
    for events, title in zip(traces, titles, strict=True):
        for event in events:
            event = {**event, "pid": event["pid"] + first}
            if event["name"] == "process_name":
                event["args"] = {"name": f"{title}: {event['args']['name']}"}
            elif event["name"] == "process_sort_index":
                event["args"] = {"sort_index": event["pid"]}
            yield event
        first += 1 + max((event["pid"] for event in events), default=0)


__all__ = ["CompareOptions", "both", "run_compare"]

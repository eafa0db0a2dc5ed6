"""Chrome trace of a run, which Perfetto opens: the program's kernels and launches, and below them the traced cores.

    program     HBM bandwidth (GB/s), …   tracks of what is in use
                kernels     | /conv1/Conv, /relu1/Relu |        | /pool/MaxPool |
                launches                               | launch |               | launch |
    aic 0       MTE2        | copy | copy | …
                M                  | mmad | …
    aiv 0       V

A kernel is called after what it was compiled from, nodes of a model or lines of a text. A core has one process for the
whole program and a thread for each pipe, with an event for each instruction, from its start to when its pipe is free.
Times are microseconds of simulated time.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...dialects.graph.base import bare_names
from ...dialects.target_types import PIPES, Target
from ..profile.profile import KernelProfile, Profile
from ..profile.utilisation import BYTES, TITLES
from ..support.hazard import InstructionRef

if TYPE_CHECKING:
    from .run_state import LaunchTrace

Event = dict[str, Any]
PROGRAM, KERNELS, LAUNCHES = 0, 1, 2
"""The process of the program, and its threads."""


def trace_events(profile: Profile, traces: "Sequence[LaunchTrace]", target: Target | None) -> Iterator[Event]:
    """The trace's events as dictionaries, in the Chrome trace format; without a `target` those of the program alone."""
    yield from _program_events(profile)
    yield from _counters(profile)
    if target is None:
        return
    names = dict.fromkeys(core.name for trace in traces for core in trace.cores.values())
    processes = {name: i for i, name in enumerate(sorted(names, key=_kind_and_number), 1)}
    for name, process in processes.items():
        yield from _named("process", process, 0, name)
    threads: set[tuple[int, int]] = set()
    for trace in traces:
        for core, traced in trace.cores.items():
            process = processes[traced.name]
            events = [e for e in trace.events if e.core == core]
            for pipe in sorted({e.pipe for e in events}):
                if (process, pipe) not in threads:
                    threads.add((process, pipe))
                    yield from _named("thread", process, pipe + 1, PIPES[pipe])
            texts: dict[int, InstructionRef] = {}
            for event in events:
                site = event.instruction.site
                text = texts.get(site.index)
                if text is None:
                    text = texts[site.index] = site.reference()
                yield {
                    "ph": "X",
                    "name": _title(site.op),
                    "cat": PIPES[event.pipe],
                    "pid": process,
                    "tid": event.pipe + 1,
                    "ts": target.microseconds(event.start - traces[0].start),
                    "dur": target.microseconds(event.end - event.start),
                    "args": {
                        "op": text.text,
                        "location": text.location,
                        "visible at (us)": target.microseconds(event.complete),
                    },
                }


def _program_events(profile: Profile) -> Iterator[Event]:
    """Kernels in order, each followed by what its launch costs."""
    yield from _named("process", PROGRAM, 0, "program")
    yield from _named("thread", PROGRAM, KERNELS, "kernels")
    yield from _named("thread", PROGRAM, LAUNCHES, "launches")
    start = 0.0
    for number, kernel in enumerate(profile.kernels):
        for thread, name, time, args in (
            (KERNELS, ", ".join(kernel.sources) or kernel.name, kernel.time_us, _kernel_args(number, kernel)),
            (LAUNCHES, "launch", kernel.launch_us, {"launch": number}),
        ):
            event = {"ph": "X", "name": name, "cat": "program", "pid": PROGRAM, "tid": thread}
            yield {**event, "ts": start, "dur": time, "args": args}
            start += time


def _counters(profile: Profile) -> Iterator[Event]:
    """Tracks of what is in use, where that was noted: per cent of the chip's cores and units, and GB/s."""
    used = profile.utilisation
    if used is None:
        return
    for name, curve in used.curves.items():
        moved = name in BYTES
        unit, scale = ("GB/s", used.peaks[name] / 1000) if moved else ("%", 100.0)
        for number, share in enumerate((*curve, 0.0)):
            event = {"ph": "C", "name": f"{TITLES[name]} ({unit})", "pid": PROGRAM, "tid": 0}
            yield {**event, "ts": number * used.bin_us, "args": {unit: round(share * scale, 3)}}


def _kernel_args(number: int, kernel: KernelProfile) -> Mapping[str, Any]:
    return {
        "launch": number,
        "kernel": kernel.name,
        "ops": bare_names(kernel.ops),
        "cores": kernel.cores,
        "limited by": kernel.bottleneck.resource,
        "bound (us)": kernel.bound_us,
        "DMA (B)": kernel.dma_read_bytes + kernel.dma_write_bytes,
        "HBM (B)": kernel.hbm_read_bytes + kernel.hbm_write_bytes,
    }


def _named(what: str, process: int, thread: int, name: str) -> Iterator[Event]:
    """A process or a thread with its name, after those with smaller numbers."""
    place = {"ph": "M", "pid": process, "tid": thread}
    index = process if what == "process" else thread
    yield {"name": f"{what}_name", **place, "args": {"name": name}}
    yield {"name": f"{what}_sort_index", **place, "args": {"sort_index": index}}


def _kind_and_number(core: str) -> tuple[str, int]:
    """Cube cores before Vector cores."""
    kind, _, number = core.partition(" ")
    return kind, int(number)


def _title(op: Any) -> str:
    """`copy`, `mmad`, or the Vector instruction's name."""
    instruction = op.properties.get("instruction")
    return instruction.data if instruction is not None else op.name.removeprefix("ascend.")


def trace_text(profile: Profile, traces: "Sequence[LaunchTrace]", target: Target) -> str:
    """The trace as JSON; without instructions where no core was traced."""
    events = list(trace_events(profile, traces, target))
    return json.dumps({"displayTimeUnit": "ns", "traceEvents": events})


def write_trace(path: str | Path, profile: Profile, traces: "Sequence[LaunchTrace]", target: Target) -> None:
    """Write the trace of a run."""
    Path(path).write_text(trace_text(profile, traces, target))

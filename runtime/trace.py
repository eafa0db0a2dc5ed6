"""Chrome trace of a run, which Perfetto opens: a process per core of each launch, a thread per pipe.

One complete event per instruction, from its start to when its pipe is free; its arguments give the op,
its location and when its effect was visible. Times are microseconds of simulated time.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..dialects.target import PIPES, Target
from .hazard import InstructionRef

if TYPE_CHECKING:
    from .emulator import LaunchTrace


def trace_events(traces: "Sequence[LaunchTrace]", target: Target) -> Iterator[dict[str, Any]]:
    """The trace's events as dictionaries, in the Chrome trace format."""
    process = 0
    for launch, trace in enumerate(traces):
        for core, program in trace.programs.items():
            process += 1
            name = f"{launch} @{program} core {core}"
            yield {"ph": "M", "name": "process_name", "pid": process, "tid": 0, "args": {"name": name}}
            yield {
                "ph": "M",
                "name": "process_sort_index",
                "pid": process,
                "tid": 0,
                "args": {"sort_index": process},
            }
            events = [e for e in trace.events if e.core == core]
            for pipe in sorted({e.pipe for e in events}):
                args = {"name": PIPES[pipe]}
                yield {"ph": "M", "name": "thread_name", "pid": process, "tid": pipe + 1, "args": args}
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
                    "ts": target.microseconds(event.start),
                    "dur": target.microseconds(event.end - event.start),
                    "args": {
                        "op": text.text,
                        "location": text.location,
                        "visible at (us)": target.microseconds(event.complete),
                    },
                }


def _title(op: Any) -> str:
    """`copy`, `mmad`, or the Vector instruction's name."""
    instruction = op.properties.get("instruction")
    return instruction.data if instruction is not None else op.name.removeprefix("ascend.")


def write_trace(path: str | Path, traces: "Sequence[LaunchTrace]", target: Target) -> None:
    """Write the trace of a run made with `traced_cores` > 0."""
    document = {"displayTimeUnit": "ns", "traceEvents": list(trace_events(traces, target))}
    Path(path).write_text(json.dumps(document))

"""The Chrome trace has what Perfetto needs, and agrees with the profile."""

import json
from pathlib import Path

import pytest
import split_programs
from ascend_kernels import ping_pong, random_inputs

from ascend_opt.dialects.ascend import KernelOp
from ascend_opt.runtime.trace import trace_events, write_trace


def test_trace(tmp_path: Path):
    program = ping_pong(cores=4, tiles=3)
    result = program.run_with({"traced_cores": 2}, random_inputs(program))
    path = tmp_path / "trace.json"
    write_trace(path, result.trace, program.target)
    document = json.loads(path.read_text())
    events = document["traceEvents"]
    names = {e["args"]["name"] for e in events if e["name"] == "process_name"}
    assert names == {"0 @k core 0", "0 @k core 1"}
    assert {e["args"]["name"] for e in events if e["name"] == "thread_name"} == {"MTE2", "V", "MTE3"}
    complete = [e for e in events if e["ph"] == "X"]
    assert len(complete) == 2 * 3 * 3
    assert all(e["dur"] >= 0 and "ascend." in e["args"]["op"] for e in complete)
    busy = sum(e["dur"] for e in complete if e["cat"] == "V") / 2
    assert busy == pytest.approx(result.profile.kernels[0].pipes["V"].busy_us)
    last = max(e["args"]["visible at (us)"] for e in complete)
    assert last <= result.profile.kernels[0].time_us


def test_no_trace_unless_asked():
    program = ping_pong()
    assert program.run(random_inputs(program)).trace == []


def test_of_a_mixed_kernel_whole_groups_are_traced():
    """A Cube core and the Vector cores beside it, each under the name of its own program."""
    program = split_programs.compiled(split_programs.PROGRAMS["several tiles a core"])
    result = program.run(split_programs.inputs(program), traced_cores=2)
    events = list(trace_events(result.trace, program.target))
    named = {e["args"]["name"]: e["pid"] for e in events if e["name"] == "process_name"}
    cubes = next(op.core_count for op in program.module.walk() if isinstance(op, KernelOp))
    groups = [
        ("aic", 0),
        ("aiv", cubes),
        ("aiv", cubes + 1),
        ("aic", 1),
        ("aiv", cubes + 2),
        ("aiv", cubes + 3),
    ]
    assert list(named) == [f"0 @f_0_{kind} core {core}" for kind, core in groups]
    pipes: dict[int, set[str]] = {}
    for event in events:
        if event["ph"] == "X":
            pipes.setdefault(event["pid"], set()).add(event["cat"])
    for name, process in named.items():
        assert ("V" in pipes[process]) == ("aiv" in name) and ("M" in pipes[process]) == ("aic" in name)

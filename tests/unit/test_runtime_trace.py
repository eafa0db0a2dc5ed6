"""The Chrome trace has what Perfetto needs, and agrees with the profile."""

import json
from pathlib import Path

import pytest
from ascend_kernels import ping_pong, random_inputs

from ascend_opt.runtime.trace import write_trace


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

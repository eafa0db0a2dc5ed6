"""The Chrome trace has what Perfetto needs, and agrees with the profile."""

import json
from pathlib import Path

import pytest
import split_programs
from ascend_kernels import ping_pong, random_inputs

import ascend_opt
from ascend_opt.runtime.execution.trace import trace_events, write_trace


def test_trace(tmp_path: Path):
    program = ping_pong(cores=4, tiles=3)
    result = program.run_with({"traced_cores": 2}, random_inputs(program))
    path = tmp_path / "trace.json"
    write_trace(path, result.profile, result.trace, program.target)
    document = json.loads(path.read_text())
    events = document["traceEvents"]
    names = {e["args"]["name"] for e in events if e["name"] == "process_name"}
    assert names == {"program", "core 0", "core 1"}
    pipes = {e["args"]["name"] for e in events if e["name"] == "thread_name" and e["pid"]}
    assert pipes == {"MTE2", "V", "MTE3"}
    complete = [e for e in events if e["ph"] == "X" and e["pid"]]
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
    """A Cube core and the Vector cores beside it, numbered as the chip has them."""
    program = split_programs.compiled(split_programs.PROGRAMS["several tiles a core"])
    result = program.run(split_programs.inputs(program), traced_cores=2)
    events = list(trace_events(result.profile, result.trace, program.target))
    named = {e["args"]["name"]: e["pid"] for e in events if e["name"] == "process_name"}
    assert list(named) == ["program", "aic 0", "aic 1", "aiv 0", "aiv 1", "aiv 2", "aiv 3"]
    pipes: dict[int, set[str]] = {}
    for event in events:
        if event["ph"] == "X":
            pipes.setdefault(event["pid"], set()).add(event["cat"])
    del named["program"]
    for name, process in named.items():
        assert ("V" in pipes[process]) == ("aiv" in name) and ("M" in pipes[process]) == ("aic" in name)


NETWORK = """graph @net(%x: tensor<256x64xf16>, %w: tensor<64x64xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = softmax(%0) {nofuse}
  %2 = matmul(%1, %w) {nofuse}
  return %2
}
"""


def test_the_program_is_one_line_of_kernels_and_launches_above_its_cores():
    """Kernels follow each other as the profile has them, each with its launch; a core is one process in all of them."""
    program = ascend_opt.compile(NETWORK, "ascend910b", tune=1)
    result = program.run(values=False, traced_cores=1)
    kernels = result.profile.kernels
    assert len(kernels) == 3
    events = json.loads(result.trace_text())["traceEvents"]
    line = [e for e in events if e["ph"] == "X" and e["pid"] == 0]
    assert [e["name"] for e in line] == [
        *("<string>:2", "launch", "<string>:3", "launch", "<string>:4", "launch")
    ]
    assert [e["dur"] for e in line] == [t for k in kernels for t in (k.time_us, k.launch_us)]
    ends = [e["ts"] + e["dur"] for e in line]
    assert [e["ts"] for e in line] == pytest.approx([0.0, *ends[:-1]])
    assert ends[-1] == pytest.approx(result.profile.total_us)
    processes = [e["args"]["name"] for e in events if e["name"] == "process_name"]
    assert processes == ["program", "aic 0", "aiv 0"]
    spans = [(e["ts"], e["ts"] + e["dur"]) for e in line if e["name"] != "launch"]
    for event in (e for e in events if e["ph"] == "X" and e["pid"]):
        begun, ended = event["ts"], event["ts"] + event["dur"]
        assert any(start - 1e-6 <= begun and ended <= end + 1e-6 for start, end in spans)
    cube = [e["ts"] for e in events if e["ph"] == "X" and e["pid"] == 1]
    assert min(cube) < spans[0][1] and max(cube) > spans[2][0], "one core of two launches"


def test_without_traced_cores_the_trace_has_the_kernels_alone():
    result = ascend_opt.compile(NETWORK, "ascend910b", tune=1).run(values=False)
    events = json.loads(result.trace_text())["traceEvents"]
    assert {e["pid"] for e in events} == {0}
    assert sum(e["ph"] == "X" for e in events) == 2 * 3

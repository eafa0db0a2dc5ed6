"""What `ascend-run` says of kernels: their bounds, what limits them, what L2 held, NaN on both sides."""

# pyright: basic

import json
import re

import pytest

from ascend_opt.compiler.reports.layer_table import together
from ascend_opt.tools.ascend_run import main

CHIP = ["--target", "ascend910"]
LINEAR = """graph @linear(%x: tensor<64x128xf16>, %w: tensor<128x64xf16> {weight}) {
  %p = matmul(%x, %w)
  %y = relu(%p)
  return %y
}
"""


@pytest.fixture
def run(capsys):
    def call(*arguments):
        capsys.readouterr()
        code = main([str(argument) for argument in arguments] + CHIP)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return call


@pytest.fixture
def linear(tmp_path):
    path = tmp_path / "linear.mlir"
    path.write_text(LINEAR)
    return path


def test_the_bound_that_holds_is_beside_each_kernel(run, tmp_path):
    """The second kernel finds in L2 what the first has left there."""
    path = tmp_path / "add.mlir"
    path.write_text(
        "graph @add(%x: tensor<512x512xf16>) {\n  %a = relu(%x)\n  %y = abs(%a)\n  return %y\n}\n"
    )
    code, out, _ = run(path, "--no-fuse")
    assert code == 0
    rows = [line.split() for line in out.splitlines() if line.startswith("  add_")]
    limits = [[cell for cell in row if cell in ("HBM", "L2", "Vector", "issue")] for row in rows]
    assert limits == [["HBM", "HBM"], ["L2", "L2"]]
    found = re.findall(r"; ([\d.]+) x its bound \((\w+)\), ([\d.]+) x that of its ops \((\w+)\)\n", out)
    assert [limits for _, *limits in found] == [["HBM", found[0][2], "HBM"], ["L2", found[1][2], "L2"]]
    assert all(1 <= float(own) <= float(ops) for own, _, ops, _ in found)


@pytest.mark.parametrize("sort", ["order", "time"])
@pytest.mark.parametrize(("chip", "validated"), [("ascend910b", True), ("ascend910", False)])
def test_each_kernel_has_an_interval_where_the_chip_is_validated(chip, validated, sort, linear, capsys):
    assert main([str(linear), "--target", chip, "--sort", sort]) == 0
    (row,) = re.findall(r"^  .*matmul relu.* µs.*$", capsys.readouterr().out, re.MULTILINE)[:1]
    assert bool(re.search(r"[\d.]+ µs \([\d.]+–[\d.]+\)", row)) is validated


def test_what_limits_a_kernel_is_below_the_table(run, linear):
    out = run(linear)[1]
    assert "what limits them, fused:\n  linear_0: limited by its launch (" in out
    assert " x its bound (" in out
    assert "    launch: the launch takes 2.0 µs, the kernel " in out
    assert "      helps: more work for its launch" in out
    data = json.loads(run(linear, "--json", "-")[1])
    (kernel,) = data["fused"]["kernels"]
    assert kernel["bottleneck"]["resource"] == "launch"
    assert [advice["rule"] for advice in kernel["advice"]] == ["launch"]


def test_square_roots_of_what_may_be_negative_pass_the_check(run, tmp_path):
    path = tmp_path / "root.mlir"
    path.write_text(
        "graph @root(%x: tensor<64x64xf16>, %m: tensor<64x64xf16>) {\n"
        "  %d = sub(%x, %m)\n  %y = sqrt(%d)\n  return %y\n}\n"
    )
    code, out, err = run(path, "--check")
    assert (code, err) == (0, "")
    assert out.count("elements are NaN, in the reference too") == out.count(" output0: ") == 3
    assert out.count("ok   ") == 6


MANY_OPS = ["relu", "gelu", "exp", "abs", "sigmoid", "tanh", "neg"] * 2


@pytest.fixture
def network(tmp_path):
    """A file of 14 kernels, one to a line."""
    path = tmp_path / "net.mlir"
    ops = [f"  %v{i + 1} = {op}(%v{i}) {{nofuse}}\n" for i, op in enumerate(MANY_OPS)]
    path.write_text(
        f"graph @net(%v0: tensor<256x512xf16>) {{\n{''.join(ops)}  return %v{len(MANY_OPS)}\n}}\n"
    )
    return path


def rows_by_time(out):
    table = out.split("kernels, fused, by time:\n")[1].split("\n\n")[0].splitlines()
    return [re.split(r" {3,}", line.strip()) for line in table[1:]]


def test_many_kernels_are_listed_by_time(run, network):
    profile = network.with_suffix(".json")
    out = run(network, "--tune", "1", "--json", profile)[1]
    data = json.loads(profile.read_text())["fused"]
    kernels = data["kernels"]
    assert len(kernels) == len(MANY_OPS)
    rows = rows_by_time(out)
    times = [kernel["time_us"] + kernel["launch_us"] for kernel in kernels]
    order = sorted(range(len(times)), key=lambda i: -times[i])
    assert [int(row[0]) for row in rows] == order != sorted(order)
    passed = 0.0
    for row, i in zip(rows, order, strict=True):
        passed += times[i]
        held = kernels[i]["bottleneck"]["resource"]
        assert row[1:3] == [f"net.mlir:{i + 2}", MANY_OPS[i]] and row[9].startswith(held)
        assert row[3:5] == [f"{kernels[i][name]:.1f} µs" for name in ("time_us", "launch_us")]
        assert row[5:7] == [f"{100 * part / data['total_us']:.1f} %" for part in (times[i], passed)]
        own, ops = (kernels[i][name] for name in ("bound_us", "graph_bound_us"))
        assert row[7] == f"{kernels[i]['time_us'] / own:.2f} {kernels[i]['limit']}"
        assert row[8] == f"{kernels[i]['time_us'] / ops:.2f} {kernels[i]['graph_limit']}"
    assert rows[-1][6] == "100.0 %"
    assert out.count(" x its bound (") == 5, "advice on the longest"
    assert "--sort order lists the kernels of library-like and unfused too" in out


def test_so_many_rows_as_asked_for(run, network):
    profile = network.with_suffix(".json")
    rows = rows_by_time(run(network, "--tune", "1", "--rows", "3", "--json", profile)[1])
    assert [row[0] for row in rows][3] == "11 more" and len(rows) == 4
    kernels = json.loads(profile.read_text())["fused"]["kernels"]
    rest = sorted(kernels, key=lambda kernel: -kernel["time_us"] - kernel["launch_us"])[3:]
    times = [sum(kernel[name] for kernel in rest) for name in ("time_us", "launch_us")]
    total = sum(kernel["time_us"] + kernel["launch_us"] for kernel in kernels)
    share = f"{100 * sum(times) / total:.1f} %"
    assert rows[3][1:] == [*(f"{time:.1f} µs" for time in times), share, "100.0 %"]
    out = run(network, "--tune", "1", "--rows", "3", "--sort", "order")[1]
    assert out.count("  … and 11 more") == 3 and "by time" not in out


def test_few_kernels_are_listed_by_time_where_that_is_asked_for(run, linear):
    assert "by time" not in run(linear, "--tune", "1")[1]
    ((number, source, ops, *_),) = rows_by_time(run(linear, "--tune", "1", "--sort", "time")[1])
    assert (number, source, ops) == ("0", "linear.mlir:{2, 3}", "matmul relu")


@pytest.mark.parametrize("option", [["--sort", "time"], ["--rows", "3"]])
def test_a_table_of_chips_lists_no_kernels(run, linear, option):
    code, _, err = run("--table", linear, *option)
    assert code == 1 and err.startswith(f"error: {option[0]} is about the kernels of one program")


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["/stem/Conv"], "/stem/Conv"),
        (["/a/b/Conv", "/a/c/Relu"], "/a/{b/Conv, c/Relu}"),
        (["/layer1/Conv", "/layer10/Conv"], "/{layer1/Conv, layer10/Conv}"),
        (["node_conv", "node_relu"], "node_conv, node_relu"),
        (["net.mlir:4", "net.mlir:15"], "net.mlir:{4, 15}"),
        (["/a/" + "b" * 30], "/a/bbbbbbbbbbbbbbbb…"),
    ],
)
def test_names_share_their_folder(names, text):
    assert together(names, 20 if len(names) < 2 else 40) == text


def test_the_report_says_what_l2_held(run, linear):
    def start(*options: str) -> list[str]:
        (line,) = [
            one for one in run(linear, *options)[1].splitlines() if one.startswith("  L2 at the start")
        ]
        return line.split()[4:]

    assert start() == ["cold"] * 3
    assert start("--warm") == ["warm"] * 3
    cold, warm = (json.loads(run(linear, *more, "--json", "-")[1]) for more in ((), ("--warm",)))
    assert (cold["warm"], warm["warm"]) == (False, True)
    for variant in ("fused", "library", "unfused"):
        assert (cold[variant]["warm"], warm[variant]["warm"]) == (False, True)
        assert warm[variant]["hbm_read_bytes"] < cold[variant]["hbm_read_bytes"]
        assert warm[variant]["total_us"] < cold[variant]["total_us"]
    assert warm["check"] == cold["check"]


def test_the_trace_of_a_warm_run_begins_at_zero(run, linear, tmp_path):
    files = [tmp_path / "cold.json", tmp_path / "warm.json"]
    for file, options in zip(files, ((), ("--warm",)), strict=True):
        assert run(linear, *options, "--trace", file)[0] == 0
    cold, warm = (json.loads(file.read_text())["traceEvents"] for file in files)
    first = [
        min(event["ts"] for event in events if event["ph"] == "X" and "op" in event["args"])
        for events in (cold, warm)
    ]
    assert 0 <= first[1] < 1 and 0 <= first[0] < 1
    assert len(warm) == len(cold)

"""`ascend-run --table`: graphs on every chip."""

# pyright: basic

import json
import re
from pathlib import Path

import pytest

import ascend_opt
from ascend_opt.compiler.drivers.target_table import Entry
from ascend_opt.dialects.target_files import target_names
from ascend_opt.tools.ascend_run import main

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))
RELU = "graph @small(%x: tensor<64x{n}x{t}>) {{\n  %y = relu(%x)\n  return %y\n}}\n"


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.mlir"
    path.write_text(RELU.format(n=64, t="f16"))
    return path


@pytest.fixture
def run(capsys):
    def call(*arguments):
        code = main(["--table", *map(str, arguments)])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return call


def test_every_chip_has_a_row_of_each_file(run, small, tmp_path):
    other = tmp_path / "other.mlir"
    other.write_text(RELU.format(n=128, t="f16").replace("@small", "@other"))
    code, out, err = run(small, other)
    assert (code, err) == (0, "")
    rows = [line.split() for line in out.partition("\n\n")[0].splitlines()[1:]]
    assert [row[:3] for row in rows] == [[t, g, "1"] for t in target_names() for g in ("small", "other")]


def test_figures_are_those_of_the_profile(run, small):
    code, out, _ = run(small, "--target", "ascend910b1", "--json", "-")
    assert code == 0
    (entry,) = json.loads(out)
    profile = ascend_opt.compile(small, target="ascend910b1", tune=1).time()
    (kernel,) = profile.kernels
    assert (entry["target"], entry["graph"], entry["kernels"]) == ("ascend910b1", "small", 1)
    assert (entry["time_us"], entry["launch_us"]) == (profile.total_us, kernel.launch_us)
    assert (entry["limit"], entry["share"]) == (kernel.bottleneck.resource, kernel.bottleneck.share)
    assert entry["distance"] == kernel.time_us / kernel.bound_us


@pytest.mark.parametrize(
    ("limit", "pipe", "shown"),
    [
        ("V", "V", "V 45%"),
        ("HBM", "MTE2", "HBM 45%"),
        ("launch", "FIX", "launch 45%"),
        ("scalar", "V", "scalar 45%"),
        ("waiting", "aic MTE2", "waiting (aic MTE2 45%)"),
        ("L2", "MTE2", "L2 (MTE2 45%)"),
    ],
)
def test_the_share_stands_beside_what_it_is_of(limit, pipe, shown):
    """Of `waiting` and `L2` the share is the pipe's, of all others their own."""
    assert Entry("chip", "g", limit=limit, pipe=pipe, share=0.45).cells()[-1] == shown


def test_the_table_says_what_its_columns_mean(run, small):
    """On a chip whose L2 holds the result at the end, the time is no less than the bound."""
    small.write_text(RELU.format(n=100000, t="f16"))
    out = run(small, "--target", "ascend910b1")[1]
    table, _, legend = out.partition("\n\n")
    row = table.splitlines()[1].split()
    assert 1 < float(row[row.index("µs", 6) + 1]) < 2
    assert "x bound" in legend and "the least that the chip needs" in legend and "longest kernel" in legend


def test_chips_of_other_names_share_a_compilation(run, small, monkeypatch):
    from ascend_opt.compiler.drivers import target_table

    compiled = []
    original = target_table.compile

    def counted(source, target, *rest, **options):
        compiled.append(target)
        return original(source, target, *rest, **options)

    monkeypatch.setattr(target_table, "compile", counted)
    assert run(small)[0] == 0
    assert "ascend910b" in compiled and "ascend910b1" not in compiled and "ascend910b2" in compiled


def test_unfused(run, small):
    small.write_text(small.read_text().replace("%y = relu(%x)", "%a = relu(%x)\n  %y = abs(%a)"))
    assert json.loads(run(small, "--target", "ascend910", "--json", "-")[1])[0]["kernels"] == 1
    assert json.loads(run(small, "--target", "ascend910", "--no-fuse", "--json", "-")[1])[0]["kernels"] == 2


def test_a_chip_that_lacks_a_type_says_so_in_its_row(run, small):
    small.write_text(RELU.format(n=64, t="bf16"))
    code, out, _ = run(small)
    assert code == 0
    rows = {line.split()[0]: line for line in out.partition("\n\n")[0].splitlines()}
    assert "bf16" in rows["ascend910"] and "µs" not in rows["ascend910"]
    assert "µs" in rows["ascend910b1"]


def test_errors(run, small, capsys):
    small.write_text("graph @small(%x: tensor<64xf16>) {\n  %y = rleu(%x)\n  return %y\n}\n")
    code, out, err = run(small)
    assert (code, out) == (1, "")
    assert f"{small}:2:8: error: unknown operation 'rleu'" in err
    code, _, err = run(small, "--check")
    assert code == 1 and "--table runs for the time alone, without values: --check has no place there" in err
    assert main([str(small), str(small)]) == 1
    assert "several files go with --table alone" in capsys.readouterr().err


def test_the_documented_table_is_complete():
    page = (ROOT / "docs" / "profile.md").read_text()
    (part,) = re.findall(r"<!-- generated: examples -->\n(.*?)<!-- end -->", page, re.DOTALL)
    head, _, *rows = part.strip().splitlines()
    assert re.findall(r"`(\w+)`", head) == [path.stem for path in EXAMPLES]
    assert [re.findall(r"`(\w+)`", row)[0] for row in rows] == list(target_names())
    assert all(cell.endswith(("%", "%)")) for row in rows for cell in row.strip("| ").split(" | ")[1:])

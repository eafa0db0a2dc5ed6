"""`ascend-run` on modules at the tile and ascend levels: they run as they stand, and what needs the graph says so."""

# pyright: basic

import numpy as np
import pytest
from run_in_process import in_process, linear_in

from ascend_opt.dialects.target import DEFAULT_TARGET


@pytest.fixture
def run(capsys):
    return in_process(capsys)


@pytest.fixture
def linear(tmp_path):
    return linear_in(tmp_path)


def lowered(linear, run_opt, path, *arguments):
    assert run_opt(linear, "--fuse", "--lower", *arguments, "-o", path).code == 0
    return path


def test_an_ascend_module_runs_as_it_stands(run, ascend_opt, linear, tmp_path):
    path = lowered(linear, ascend_opt, tmp_path / "a.mlir", "--target", "ascend310p")
    np.savez(tmp_path / "in.npz", x=np.ones((64, 128)), w=np.ones((128, 64)), b=np.ones(64))
    code, out, err = run(path, "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "o.npz")
    assert code == 0, err
    assert out.startswith("@linear on ascend310p")
    assert "no reference to compare with" in out
    np.testing.assert_array_equal(np.load(tmp_path / "o.npz")["output0"], np.full((64, 64), 129))


def test_its_hazards_are_shown_with_their_lines(run, ascend_opt, linear, tmp_path):
    path = lowered(linear, ascend_opt, tmp_path / "a.mlir")
    lines = path.read_text().splitlines(keepends=True)
    first = next(i for i, line in enumerate(lines) if "ascend.wait_flag" in line and '-> "MTE1"' in line)
    del lines[first]
    path.write_text("".join(lines))
    code, out, err = run(path)
    assert code == 1
    assert out == ""
    assert err.startswith("error: ")
    assert "in @linear_0, core 0: " in err
    notes = [line for line in err.splitlines() if ": note: ascend." in line]
    assert notes
    for note in notes:
        number = int(note.removeprefix(f"{path}:").split(":")[0])
        assert f"\n{lines[number - 1][:60]}" in err  # the line, cut to what fits


@pytest.mark.parametrize("level", ["tile", "ascend"])
def test_a_check_that_needs_the_graph_fails_without_it(run, ascend_opt, linear, tmp_path, level):
    path = tmp_path / "a.mlir"
    assert ascend_opt(linear, "--fuse", *(["--lower"] if level == "ascend" else []), "-o", path).code == 0
    assert run(path)[0] == 0
    code, out, err = run(path, "--check")
    assert code == 1
    assert out.startswith(f"@linear on {DEFAULT_TARGET}")
    assert err == "error: --check: there is no reference: the program came lowered, without its graph\n"


@pytest.mark.sweep(5)
@pytest.mark.parametrize("level", ["tile", "ascend"])
@pytest.mark.parametrize(
    ("options", "named"),
    [
        ([], []),
        (["--no-fuse"], ["--no-fuse"]),
        (["--tune", 2], ["--tune"]),
        (["--tune", 1, "--no-fuse"], ["--no-fuse", "--tune"]),
    ],
)
def test_options_that_come_too_late_are_noted(run, ascend_opt, linear, tmp_path, level, options, named):
    path = tmp_path / "a.mlir"
    assert ascend_opt(linear, "--fuse", *(["--lower"] if level == "ascend" else []), "-o", path).code == 0
    code, _, err = run(path, *options)
    assert code == 0
    assert err == "".join(f"note: {name} has no effect: the module came lowered\n" for name in named)
    assert run(linear, *options)[2] == ""
    tune = [o for o in options if o != "--no-fuse"]
    outcome = ascend_opt(path, "--lower", *tune)
    note = "note: --tune has no effect: the module is past the graph level\n"
    assert (outcome.code, outcome.errors) == (0, note if tune and tune[1] > 1 else "")
    late = ascend_opt(path, "--lower", "--dynamic-sizes", "1,8").errors
    assert late == note.replace("--tune", "--dynamic-sizes")
    assert ascend_opt(linear, "--lower", *tune).errors == ""


def test_bisection_needs_the_graph(run, ascend_opt, linear, tmp_path):
    path = lowered(linear, ascend_opt, tmp_path / "a.mlir")
    code, out, err = run(path, "--bisect")
    assert (code, out) == (1, "")
    assert err == "error: --bisect needs the graph: of a lowered program nothing tells what is right\n"

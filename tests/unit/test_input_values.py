"""Inputs whose numbers or indices do not fit are refused by name; those that convert exactly are not."""

# pyright: basic

from pathlib import Path

import numpy as np
import pytest

import ascend_opt
from ascend_opt.runtime.support.hazard import ProgramError
from ascend_opt.tools.ascend_run import main

TABLE = """graph @table(%w: tensor<40x16xf16> {weight}, %ids: tensor<2x3xi32>, %mask: tensor<2x3x1xi1>) {
  %e = gather(%w, %ids) {axis = 0}
  %z = sub(%e, %e)
  %y = select(%mask, %e, %z)
  return %y
}
"""
W = np.random.default_rng(0).standard_normal((40, 16)).astype(np.float16)
IDS = np.array([[0, 1, 2], [37, 38, 39]])
MASK = np.array([[1, 0, 1], [0, 1, 1]]).reshape(2, 3, 1)


@pytest.fixture(scope="module")
def program():
    return ascend_opt.compile(TABLE, tune=1).bind(w=W)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ids": IDS + 0.7}, r"input 'ids' is tensor<2x3xi32>, which cannot hold float64 0.7 at \[0, 0\]"),
        ({"ids": IDS + (IDS == 2) * 2**40}, r"'ids' is .*cannot hold int64 1099511627778 at \[0, 2\]"),
        ({"ids": np.where(IDS == 1, np.nan, IDS)}, r"'ids' is .*cannot hold float64 nan at \[0, 1\]"),
        (
            {"ids": np.where(IDS == 1, 2.0**31, IDS)},
            r"'ids' is .*cannot hold float64 2147483648.0 at \[0, 1\]",
        ),
        ({"ids": IDS.astype(np.uint64) + np.uint64(2**63)}, r"cannot hold uint64 9223372036854775808"),
        (
            {"mask": (0.7 * MASK).astype(np.float32)},
            r"input 'mask' is tensor<2x3x1xi1>.*float32 0.7 at \[0, 0, 0\]",
        ),
        ({"mask": 2 * MASK}, r"input 'mask' is .*cannot hold int64 2"),
        (
            {"ids": IDS + 1},
            r"'ids' holds index 40 at \[1, 2\], which is out of range: graph.gather .*-40 to 39",
        ),
        ({"ids": IDS - 41}, r"input 'ids' holds index -41 at \[0, 0\]"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(program, change, message):
    given = {"ids": IDS, "mask": MASK, **change}
    for run in (program.run, program.reference):
        with pytest.raises(ProgramError, match=message):
            run(given)


def test_exact_conversions_are_no_mistakes(program):
    wanted = np.where(MASK != 0, W[IDS], 0)
    for kind in (np.int64, np.uint64, np.uint8, np.float64):
        for mask in (MASK, MASK.astype(bool), MASK.astype(np.float32)):
            found = program.run(ids=IDS.astype(kind), mask=mask).outputs["output0"]
            np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(program.run(ids=IDS - 40, mask=MASK).outputs["output0"], wanted)


@pytest.mark.parametrize("options", [[], ["--check"], ["--no-fuse"]])
def test_an_index_out_of_range_is_one_error(tmp_path: Path, capsys, options):
    (tmp_path / "t.mlir").write_text(TABLE)
    np.savez(tmp_path / "in.npz", ids=IDS + 1000, mask=MASK, w=W)
    arguments = [str(tmp_path / "t.mlir"), "--inputs", str(tmp_path / "in.npz"), "--tune", "1", *options]
    assert main(arguments) == 1
    shown = capsys.readouterr().err
    assert "t.mlir:2:8: error: input 'ids' holds index 1000 at [0, 0]" in shown
    assert "internal error" not in shown


def test_a_computed_index_out_of_range_names_its_op():
    text = TABLE.replace("%e = gather(%w, %ids)", "%n = add(%ids, %ids)\n  %e = gather(%w, %n)")
    program = ascend_opt.compile(text, tune=1).bind(w=W)
    with pytest.raises(ProgramError, match=r"<string>:3:8: graph.gather: index 74 is out of bounds"):
        program.reference(ids=IDS, mask=MASK)


def test_inputs_are_listed_before_weights():
    weights = "".join(f", %w{i}: tensor<16xf16> {{weight}}" for i in range(9))
    body = "\n".join(f"  %v{i + 1} = add(%v{i}, %w{i})" for i in range(9))
    head = (
        f"graph @many(%w: tensor<16xf16> {{weight}}{weights}, %x: tensor<16xf16>) {{\n  %v0 = add(%x, %w)\n"
    )
    program = ascend_opt.compile(f"{head}{body}\n  return %v9\n}}\n", tune=1)
    with pytest.raises(ProgramError, match=r"@many takes x, w, w0, w1, 7 more weights$"):
        program.run(other=1)


def test_the_nearest_target_is_the_shortest():
    with pytest.raises(ascend_opt.CompileError, match=r"did you mean 'ascend910'\?"):
        ascend_opt.compile(TABLE, "ascend911")
    with pytest.raises(ascend_opt.CompileError, match=r"did you mean 'ascend910b4'\?"):
        ascend_opt.compile(TABLE, "ascend910b44")


def test_errors_and_programs_have_public_names():
    from ascend_opt.compiler.programs.program import Program
    from ascend_opt.runtime.support.hazard import HazardError

    assert ascend_opt.HazardError is HazardError
    assert ascend_opt.Program is Program
    assert {"HazardError", "Program"} <= {*ascend_opt.__all__} & {*dir(ascend_opt)}

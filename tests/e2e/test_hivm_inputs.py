"""What is wrong with a HIVM text or with a launch is one message with a place, exit code 1, and no traceback."""

import json
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_opt import CompileError, HazardError, ProgramError, hivm
from ascend_opt.tools.ascend_run import main

Tool = Callable[..., tuple[int, str, str]]

DATA = Path(__file__).parents[1] / "data" / "hivm"
NAMES = ("x", "y", "out", "n")
ADD = DATA / "vector_add_f32.mlir"


@pytest.fixture
def ascend_run(capsys: pytest.CaptureFixture[str]) -> Tool:
    """Run `ascend-run` in this process: exit code, stdout, stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(list(arguments))
        out, err = capsys.readouterr()
        return code, out, err

    return run


def arguments(n: int = 40, room: int | None = None) -> dict[str, object]:
    x = np.arange(n, dtype=np.float32)
    return {"x": x, "y": x[::-1].copy(), "out": np.zeros(room or n, np.float32), "n": n}


def test_a_launch_gives_values_and_leaves_arrays_alone():
    given = arguments()
    result = hivm.load(ADD).launch(1, given, names=NAMES)
    np.testing.assert_array_equal(result.outputs["out"], np.full(40, 39, np.float32))
    assert given["out"] is not result.outputs["out"] and not np.any(given["out"])  # pyright: ignore
    assert result.time_us > 0


def test_no_interval_where_no_such_kernel_was_measured(ascend_run: Tool):
    result = hivm.load(ADD).launch(1, arguments(), names=NAMES)
    assert result.profile.interval_us is None and result.profile.kernels[0].interval_us is None
    code, out, _ = ascend_run(str(ADD))
    assert code == 0 and " µs (not validated)" in out


def test_programs_are_kept_for_each_set_of_numbers():
    module = hivm.load(ADD)
    for n in (40, 40, 41):
        module.launch((1,), list(arguments(n).values()))
    assert len(module.programs) == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"hivm.hir.vadd"', '"hivm.hir.vfancy"', r"ops of HIVM that are not taken: hivm.hir.vfancy \(line 59\)"),
        ('"hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) ->',
         '"memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () ->',
         "memref.alloc: HIVM from before memory planning"),
        ("PIPE_MTE2", "PIPE_MTE9", "PIPE_MTE9"),
        ("#hivm.func_core_type<AIV>", "#hivm.func_core_type<MIX>", "hivm.func_core_type is AIC or AIV, not MIX"),
    ],
    ids=["unknown", "unplanned", "pipe", "core"],
)  # fmt: skip
def test_texts_that_are_not_taken(old: str, new: str, message: str):
    text = ADD.read_text()
    assert old in text
    with pytest.raises(CompileError, match=message) as caught:
        hivm.load(text.replace(old, new))
    assert "internal error" not in str(caught.value)


def test_all_unknown_ops_are_listed_at_once():
    text = (
        ADD.read_text()
        .replace('"hivm.hir.vadd"', '"hivm.hir.vone"')
        .replace('"hivm.hir.store"', '"hivm.hir.two"')
    )
    with pytest.raises(CompileError, match=r"hivm.hir.vone \(line 59\); hivm.hir.two \(line 65\)"):
        hivm.load(text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 1.5}, "argument 'n' is a whole number of 32 bits, not 1.5"),
        ({"n": 2**40}, "argument 'n' is a whole number of 32 bits"),
        ({"n": np.zeros(3)}, "argument 'n'"),
        ({"x": np.zeros(40, np.float16)}, "argument 'x' is an array of float32, not of float16"),
        ({"x": 3}, "argument 'x' is an array of float32, not int"),
        ({"x": np.zeros(0, np.float32)}, "argument 'x' is an array without elements"),
        ({"x": np.zeros(40, ">f4")}, "argument 'x' is an array of float32, not of >f4"),
        ({"n": float("nan")}, "argument 'n' is a whole number of 32 bits, not nan"),
        ({"n": float("inf")}, "argument 'n' is a whole number of 32 bits, not inf"),
        ({"z": 1}, "there is no argument 'z'"),
    ],
    ids=["share", "wide", "array", "type", "number", "empty", "order", "nan", "inf", "name"],
)
def test_arguments_of_another_kind(change: dict[str, object], message: str):
    with pytest.raises(ProgramError, match=message):
        hivm.load(ADD).launch(1, {**arguments(), **change}, names=NAMES)


def test_missing_arguments_and_grids_that_are_none():
    module, given = hivm.load(ADD), arguments()
    with pytest.raises(ProgramError, match="argument 'n' is missing; @vector_add takes x: pointer to f32"):
        module.launch(1, {k: v for k, v in given.items() if k != "n"}, names=NAMES)
    with pytest.raises(ProgramError, match="3 arguments are given; @vector_add takes"):
        module.launch(1, list(given.values())[:3])
    odd: Any
    for odd in ((), (0,), (1, 2, 3, 4), 1.0, "x", None, (1.5,)):
        with pytest.raises(ProgramError, match="a grid is one to three numbers of 1 or more"):
            module.launch(odd, given, names=NAMES)
    with pytest.raises(ProgramError, match="a launch has at most 65,535 blocks, not 65,536"):
        module.launch((2, 32768), given, names=NAMES)
    assert module.launch(np.int64(1), given, names=NAMES).outputs  # pyright: ignore[reportArgumentType]
    with pytest.raises(ProgramError, match="takes 4 arguments"):
        module.launch(1, given, names=("x", "y"))


def test_arrays_that_are_too_small_are_named_with_the_instruction():
    with pytest.raises(HazardError) as caught:
        hivm.load(ADD).launch(1, arguments(400, room=8), names=NAMES)
    assert caught.value.kind == "out-of-bounds"
    assert caught.value.buffers == ("%out",) and "vector_add_f32.mlir:65" in str(caught.value)


def test_one_element_too_few_is_too_small():
    with pytest.raises(
        HazardError, match=r"covers bytes \[0, 160\) of a tensor whose last usable byte is 155"
    ):
        hivm.load(ADD).launch(1, arguments(40, room=39), names=NAMES)


def test_flags_are_taken_in_one_of_two_ways():
    with pytest.raises(ProgramError, match="flags are one of strict, count, not 'some'"):
        hivm.load(ADD).launch(1, arguments(), names=NAMES, flags="some")


def test_loops_that_never_end_on_their_arguments():
    text = (DATA / "matmul_f16.mlir").read_text()
    step = '"arith.constant"() <{value = 64 : i32}>'
    assert step in text
    shapes = {"a": (16, 64), "b": (64, 16), "out": (16, 16)}
    given = {**{k: np.zeros(s, np.float16) for k, s in shapes.items()}, "M": 16, "N": 16, "K": 64}
    module = hivm.load(text.replace(step, '"arith.constant"() <{value = 0 : i32}>'))
    with pytest.raises(
        CompileError, match=r"the loop never ends|divides by 0 with the arguments of this launch"
    ):
        module.launch(1, given, names=tuple(given))


def test_loops_that_take_hours_on_their_arguments():
    """Rows without columns: nothing else is wrong."""
    x = np.zeros((3, 17), np.float32)
    given = {"x": x, "out": x.copy(), "rows": 2**31 - 1, "columns": 0}
    with pytest.raises(
        CompileError, match=r"2,147,483,647 trips with .* this launch: at most 4,194,304 are emulated"
    ):
        hivm.load(DATA / "softmax_f32.mlir").launch(1, given, names=tuple(given))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("module {\n  hivm.hir.set_mask_norm\n}\n", ":2:3: error: 'hivm.hir.set_mask_norm' is read in the generic"),
        ("graph @f(%x: tensor<8xf16>) {\n  return %x\n}\n", "this is a graph, not HIVM"),
        ("module {\n}\n", "the module has no kernel of HIVM"),
    ],
    ids=["short", "graph", "empty"],
)  # fmt: skip
def test_texts_of_another_kind(text: str, message: str):
    with pytest.raises(CompileError) as caught:
        hivm.load(text)
    assert message in str(caught.value)


def test_files_with_other_ends_of_lines_and_from_stdin(
    ascend_run: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    launch = ("--names", "x,y,out,n", "--grid", "1", "--tensor", "x=8", "y=8", "out=8", "--scalar", "n=8")
    file, text = tmp_path / "add.mlir", ADD.read_bytes()
    file.write_bytes(text.replace(b"\n", b"\r\n"))
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text)))
    for source in (str(file), "-"):
        code, out, err = ascend_run(source, *launch)
        assert (code, err) == (0, "") and "grid 1" in out


def test_the_tool_reports_a_launch(ascend_run: Tool, tmp_path: Path):
    np.savez(tmp_path / "in.npz", **{k: v for k, v in arguments().items() if k != "n"})  # pyright: ignore
    code, out, err = ascend_run(
        str(ADD), "--grid", "1", "--names", "x,y,out,n", "--inputs", str(tmp_path / "in.npz"), "--scalar", "n=40",
        "--outputs", str(tmp_path / "out.npz"), "--trace", str(tmp_path / "trace.json"), "--json",
        str(tmp_path / "profile.json"),
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert "@vector_add on ascend910b" in out and "grid 1" in out
    np.testing.assert_array_equal(np.load(tmp_path / "out.npz")["out"], np.full(40, 39, np.float32))
    assert json.loads((tmp_path / "trace.json").read_text()) and json.loads(
        (tmp_path / "profile.json").read_text()
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--grid", "1,0"), "a grid is one to three numbers"),
        (("--grid", "1", "--scalar", "m=3"), "there is no argument 'm'"),
        (("--grid", "1", "--scalar", "n=three"), "argument 'n' is a number (i32), not 'three'"),
        (("--grid", "1", "--scalar", "n"), "--scalar is name=number, not 'n'"),
        (("--grid", "1", "--names", "a,b"), "takes 4 arguments"),
        (("--grid", "1"), "argument 'x' is missing"),
        (("--grid", "x"), "invalid grid value: 'x'"),
        (("--grid", "1", "--tensor", "x=-5"), "--tensor is name=NxM, not 'x=-5'"),
        (("--grid", "1", "--check"), "--check has no place in a launch of HIVM"),
        (("--grid", "1", "--no-fuse"), "--no-fuse has no place in a launch of HIVM"),
        (("--hazards-only", "--grid", "1"), "--grid has no place in --hazards-only"),
    ],
)
def test_command_lines_that_make_no_sense(
    options: tuple[str, ...], message: str, ascend_run: Tool, tmp_path: Path
):
    alone = tmp_path / "add.mlir"
    alone.write_text(ADD.read_text())
    names = () if "--names" in options else ("--names", "x,y,out,n")
    code, out, err = ascend_run(str(alone), *names, *options)
    assert code == 1 and not out
    assert message in err and "Traceback" not in err and len(err.splitlines()) == 1


def test_the_referee_judges_a_folder(ascend_run: Tool, tmp_path: Path):
    text = ADD.read_text()
    facts = {
        "entry": "vector_add", "parameters": dict.fromkeys(NAMES, ""),
        "launches": [{"grid": [1], "shapes": {"x": [40], "y": [40], "out": [40]}, "scalars": {"n": 40}}],
    }  # fmt: skip
    wait = next(
        line
        for line in text.splitlines()
        if "wait_flag" in line and "set_pipe = #hivm.pipe<PIPE_MTE2>" in line
    )
    set_ = next(
        line
        for line in text.splitlines()
        if "set_flag" in line and "set_pipe = #hivm.pipe<PIPE_MTE2>" in line
    )
    for name, content in (
        ("good", text),
        ("racy", text.replace(wait, "").replace(set_, "")),
        ("odd", "no text"),
    ):
        (tmp_path / f"{name}.mlir").write_text(content)
        (tmp_path / f"{name}.json").write_text(json.dumps(facts))
    code, out, err = ascend_run("--hazards-only", str(tmp_path))
    report = json.loads(out)
    assert code == 1 and not err
    assert report["summary"] == {"ok": 1, "hazard": 1, "error": 1}
    good, odd, racy = report["launches"]
    assert (good["status"], odd["status"], racy["status"], racy["kind"]) == (
        "ok",
        "error",
        "hazard",
        "in-pipe",
    )
    assert racy["bytes"] == [0, 4096] and len(racy["instructions"]) == 2
    (tmp_path / "odd.mlir").unlink()
    (tmp_path / "racy.mlir").unlink()
    assert ascend_run("--hazards-only", str(tmp_path))[0] == 0

"""Programs in files: what is loaded is what was saved, without the files that it came from."""

# pyright: basic

import tomllib
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from small_graphs import LINEAR

import ascend_opt
from ascend_opt.compiler.api import CompileError, Program
from ascend_opt.compiler.checks.bisect import bisect
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_files import target_names
from ascend_opt.dialects.target_parser import parse_target
from ascend_opt.dialects.target_text import standalone_text
from ascend_opt.passes.plans.plan import PlanError
from ascend_opt.runtime.support.hazard import ProgramError
from ascend_opt.triton import TritonError, emulate


@pytest.fixture
def linear() -> Program:
    return ascend_opt.compile(LINEAR)


@pytest.fixture
def inputs(linear):
    return seeded_inputs(linear.inputs, 0)


def test_a_saved_program_is_the_program(linear, inputs, tmp_path):
    path, again = tmp_path / "p", tmp_path / "q"
    linear.bind(w=inputs["w"], b=inputs["b"]).save(path)
    loaded = ascend_opt.load(path)
    np.testing.assert_array_equal(
        loaded.run(x=inputs["x"]).outputs["output0"], linear.run(inputs).outputs["output0"]
    )
    assert loaded.time() == linear.time()
    assert (loaded.name, loaded.target, loaded.fused) == (linear.name, linear.target, linear.fused)
    assert loaded.inputs == linear.inputs
    assert loaded.report() == linear.report()
    assert set(loaded.reference(x=inputs["x"])) == {"output0", "output1"}
    loaded.save(again)
    assert path.read_bytes() == again.read_bytes()


def test_a_saved_program_stands_alone(tmp_path, monkeypatch):
    (tmp_path / "chip.toml").write_text(_target_text().replace('name = "ascend910"', 'name = "mine"'))
    np.save(tmp_path / "w.npy", np.arange(256, dtype=np.float16))
    source = tmp_path / "g.mlir"
    source.write_text(
        'graph @g(%x: tensor<256xf16>) {\n  %w = constant() {file = "w.npy"}\n'
        "  %y = add(%x, %w)\n  return %y\n}\n"
    )
    program = ascend_opt.compile(source, str(tmp_path / "chip.toml"), fuse=False)
    program.save(tmp_path / "p")
    for name in ("chip.toml", "w.npy", "g.mlir"):
        (tmp_path / name).unlink()
    loaded = ascend_opt.load(tmp_path / "p")
    assert loaded.target.name == "mine"
    result = loaded.run(x=np.ones(256)).outputs["output0"]
    np.testing.assert_array_equal(result, np.arange(1, 257, dtype=np.float16))
    loaded.save(tmp_path / "q")
    assert (tmp_path / "p").read_bytes() == (tmp_path / "q").read_bytes()
    assert "within its bound" in str(bisect(loaded, {"x": np.ones(256)}))


def test_a_saved_program_takes_along_what_its_target_extends(linear, tmp_path):
    (tmp_path / "base.toml").write_text(_target_text().replace('name = "ascend910"', 'name = "base"'))
    (tmp_path / "mine.toml").write_text(
        'extends = "base.toml"\nname = "mine"\ncores = 7\ndescription = "a \\"chip\\" of µm"\n'
        '[paths]\n"gm->l1".issue = 1.5\n'
    )
    program = ascend_opt.compile(linear.graph_module, str(tmp_path / "mine.toml"))
    program.save(tmp_path / "p")
    for name in ("base.toml", "mine.toml"):
        (tmp_path / name).unlink()
    loaded = ascend_opt.load(tmp_path / "p")
    assert replace(loaded.target, origin="") == replace(program.target, origin="")
    assert (loaded.target.cores, loaded.target.path("gm", "l1").issue) == (7, 1.5)
    assert loaded.time() == program.time()
    loaded.save(tmp_path / "q")
    assert (tmp_path / "p").read_bytes() == (tmp_path / "q").read_bytes()


@pytest.mark.parametrize("name", target_names())
def test_the_text_of_a_target_alone_says_what_the_target_says(name):
    text = standalone_text(name)
    assert "extends" not in tomllib.loads(text)
    assert replace(parse_target(text, "here"), origin="") == replace(load_target(name), origin="")


def _target_text() -> str:
    from importlib.resources import files

    return (files("ascend_opt.dialects") / "targets" / "ascend910.toml").read_text()


def test_files_that_are_no_programs_are_refused(linear, tmp_path):
    path = tmp_path / "p"
    path.write_bytes(b"not a zip archive")
    with pytest.raises(CompileError, match="is no saved program"):
        ascend_opt.load(path)
    with pytest.raises(CompileError, match="cannot open"):
        ascend_opt.load(tmp_path / "missing")
    linear.save(path)
    _rewrite(path, "program.json", lambda data: data.replace(b'"version": 1', b'"version": 99'))
    with pytest.raises(CompileError, match="format version 99"):
        ascend_opt.load(path)
    linear.save(path)
    _rewrite(path, "ascend.mlir", lambda data: data[: len(data) // 2])
    with pytest.raises(CompileError, match="is damaged"):
        ascend_opt.load(path)


def _rewrite(path, name, change):
    with zipfile.ZipFile(path) as file:
        parts = {entry: file.read(entry) for entry in file.namelist()}
    parts[name] = change(parts[name])
    with zipfile.ZipFile(path, "w") as file:
        for entry, data in parts.items():
            file.writestr(entry, data)


def test_a_save_that_fails_leaves_the_file_as_it_was(linear, tmp_path, monkeypatch):
    path = tmp_path / "p"
    path.write_bytes(b"precious")
    monkeypatch.setattr("ascend_opt.compiler.text.output_files.os.fdopen", _fail)
    with pytest.raises(OSError, match="disk full"):
        linear.save(path)
    assert [p.name for p in tmp_path.iterdir()] == ["p"]
    assert path.read_bytes() == b"precious"


def _fail(handle, *_):
    import os

    os.close(handle)
    raise OSError("disk full")


def test_a_folder_that_is_not_there_is_told_before_the_work(tmp_path, monkeypatch):
    program = ascend_opt.compile("graph @f(%x: tensor<8xf16>) { %y = relu(%x) return %y }")
    result = program.run(x=np.ones(8), traced_cores=1)
    assert program.plan is not None
    missing, beside = tmp_path / "missing" / "x", tmp_path / "file"
    beside.write_text("")

    def work(*_):
        raise AssertionError("this is work")

    monkeypatch.setattr(type(program), "_works", work)
    monkeypatch.setattr(type(result), "trace_text", work)
    for path, why in (
        (missing, "No such file or directory"),
        (tmp_path, "Is a directory"),
        (beside / "x", "Not a directory"),
    ):
        for write in (program.save, result.save_trace):
            with pytest.raises(ProgramError) as error:
                write(path)
            assert str(error.value) == f"cannot write '{path}': {why}"
        with pytest.raises(PlanError, match=f"cannot write plan '{path}': {why}"):
            program.plan.save(path)
        with pytest.raises(TritonError) as refused:
            emulate(None, trace=path)[1]()
        assert str(refused.value) == f"cannot write '{path}': {why}"
    assert not missing.parent.exists()

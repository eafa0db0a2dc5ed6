"""What is printed is read again: no two values have one name, whatever they were called."""

import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascend_opt
from ascend_opt.compiler.pipeline.read_module import make_context
from ascend_opt.compiler.text.mlir_printer import QuickMLIRTarget
from ascend_opt.compiler.text.mlir_text import parse_mlir_text
from ascend_opt.passes.support.packed_ops import packed, unpacked
from ascend_opt.tools.ascend_opt import main as opt

NAMES = ["a", "a_1", "a_2", "a_0", "a_01", "a_1_1", "a_1_2", "a_1_2_3", "a_10", "b", "b_1"]


def module_of(names: list[str]) -> str:
    lines = ["func.func @f(%x: tensor<8xf16>) {"]
    lines += [f"  %{name} = graph.relu %x : (tensor<8xf16>) -> tensor<8xf16>" for name in names]
    return "\n".join([*lines, "  func.return", "}"])


def printed(text: str) -> tuple[str, str]:
    """The text of a module, and of what came from another process as that."""
    from io import StringIO

    context = make_context()
    module = parse_mlir_text(context, text, "m")
    texts: list[str] = []
    for one in (module, unpacked(packed([module]))[0]):
        stream = StringIO()
        QuickMLIRTarget().emit(context, one, stream)  # pyright: ignore[reportArgumentType]
        texts.append(stream.getvalue())
    return texts[0], texts[1]


@given(st.lists(st.sampled_from(NAMES), unique=True))
@settings(max_examples=200, deadline=None)
def test_values_have_names_of_their_own(names: list[str]) -> None:
    first, packed_too = printed(module_of(names))
    assert packed_too == first
    found = [line.split("=")[0].strip() for line in first.splitlines() if "graph.relu" in line]
    assert len(found) == len(set(found)) == len(names)
    printed(first)


def test_a_hint_may_be_the_name_of_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.mlir"
    path.write_text(module_of(["a_1_2", "a", "a_7"]))
    assert opt([str(path)]) == 0
    text = capsys.readouterr().out
    assert [f"%{name} = graph.relu" in text for name in ("a_1", "a", "a_2")] == [True] * 3
    path.write_text(text)
    assert opt([str(path)]) == 0


NESTED = ["a_1_2_3_4_5", "a_1_2_3_4", "a_1_2_3", "a_1_2", "a_1", "a", "a_7", "a_8"]


def chain_of(names: list[str]) -> str:
    """A graph whose values have these names."""
    before = ["x", *names]
    lines = [f"  %{name} = exp(%{given})" for given, name in zip(before, names, strict=False)]
    return "\n".join(["graph @f(%x: tensor<8xf16>) {", *lines, f"  return %{names[-1]}", "}"])


def test_dumps_and_programs_have_them_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def are_own(text: str) -> None:
        found = re.findall(r"^ *%(\S+) = graph\.exp", text, re.MULTILINE)
        assert len(found) == len(set(found)) == len(NESTED)

    path = tmp_path / "g.mlir"
    path.write_text(chain_of(NESTED))
    assert opt([str(path), "-p", "canonicalize,canonicalize", "--print-between-passes"]) == 0
    are_own(capsys.readouterr().out.split("\n\n\n\n")[0])
    ascend_opt.compile(path, fuse=False).save(tmp_path / "program")
    with zipfile.ZipFile(tmp_path / "program") as parts:
        are_own(parts.read("graph.mlir").decode())
    assert ascend_opt.load(tmp_path / "program").name == "f"

"""Who imports whom: no circles, and the picture in `docs/architecture.md`."""

import re
import sys
from pathlib import Path

import pytest

from ascend_opt.compiler.pipeline.universe import PASSES

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from layers import FOLDERS, Imports, circles, levels, picture

pytestmark = pytest.mark.xdist_group("layers")
"""One worker reads the imports."""


@pytest.fixture(scope="module")
def imports() -> Imports:
    return Imports.read()


def test_no_modules_import_each_other(imports: Imports) -> None:
    assert len(imports.modules) > 500
    assert circles(imports.modules) == []


def test_no_folders_import_each_other(imports: Imports) -> None:
    assert circles(imports.folders()) == []


def test_the_picture_in_the_docs_is_that_of_the_imports(imports: Imports, repository: Path) -> None:
    page = (repository / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = re.search(r"<!-- generated: layers -->\n(.*?)\n<!-- end -->", page, re.DOTALL)
    assert drawn is not None
    assert drawn[1].splitlines() == list(picture(imports))


def test_the_files_of_passes_are_the_passes(repository: Path) -> None:
    files = {path.stem.replace("_", "-") for path in (repository / "passes").glob("*.py")} - {"--init--"}
    assert files == set(PASSES)


@pytest.mark.parametrize(
    "line",
    [
        "from .b import other",
        "def f():\n    from .b import other",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import b",
    ],
    ids=["module", "function", "type"],
)
def test_imports_of_any_kind_make_a_circle(line: str, tmp_path: Path) -> None:
    for folder in FOLDERS:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / "runtime" / "a.py").write_text(line)
    (tmp_path / "runtime" / "b.py").write_text("from .a import f\n")
    assert circles(Imports.read(tmp_path).modules) == [["runtime.a", "runtime.b"]]


def test_layers_of_a_graph() -> None:
    graph = {"a": {"b", "c"}, "b": {"c"}, "c": set[str](), "d": {"c"}}
    assert levels({node: frozenset(targets) for node, targets in graph.items()}) == [["c"], ["b", "d"], ["a"]]

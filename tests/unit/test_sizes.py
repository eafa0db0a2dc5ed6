"""Functions of less than a page, few parameters, small modules: what a reader can hold in mind."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "docs"))

from layers import statements

pytestmark = pytest.mark.xdist_group("sizes")
"""One worker reads the functions."""

FOLDERS = ("passes", "runtime", "compiler", "dialects", "tools")
MOST_LINES, MOST_IN_A_MODULE, MOST_PARAMETERS = 60, 400, 6
LONGER = {"run_core"}
"""Says in its docstring why it is one function."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(repository: Path) -> Iterator[tuple[Path, str]]:
    for folder in FOLDERS:
        for path in sorted((repository / folder).rglob("*.py")):
            yield path.relative_to(repository), path.read_text(encoding="utf-8")


@cache
def functions(repository: Path) -> list[tuple[Path, str, int, int]]:
    """Of each function its module, its name, its lines and its parameters."""
    found: list[tuple[Path, str, int, int]] = []
    for path, text in modules(repository):
        for node in statements(text):
            if isinstance(node, Function):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                count = len([one for one in given if one.arg not in ("self", "cls")])
                found.append((path, node.name, lines, count))
    return found


def test_modules_are_small(repository: Path) -> None:
    long = {str(path): text.count("\n") for path, text in modules(repository)}
    assert not {path: lines for path, lines in long.items() if lines > MOST_IN_A_MODULE}


def test_functions_are_less_than_a_page(repository: Path) -> None:
    found = functions(repository)
    assert len(found) > 4000
    long = [(str(path), name, lines) for path, name, lines, _ in found if lines > MOST_LINES]
    assert [one for one in long if one[1] not in LONGER] == []


def test_functions_of_passes_take_few_parameters(repository: Path) -> None:
    passes = [one for one in functions(repository) if one[0].parts[0] == "passes"]
    many = [(str(path), name, count) for path, name, _, count in passes if count > MOST_PARAMETERS]
    assert [one for one in many if not one[1].startswith("_")] == []

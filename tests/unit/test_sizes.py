"""Functions of less than a page, few parameters, small modules: what a reader can hold in mind."""

import ast
from collections.abc import Iterator
from pathlib import Path

FOLDERS = ("passes", "runtime", "compiler", "dialects", "tools")
MOST_LINES, MOST_IN_A_MODULE, MOST_PARAMETERS = 60, 400, 6
LONGER = {"run_core"}
"""Says in its docstring why it is one function."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(repository: Path) -> Iterator[tuple[Path, str]]:
    for folder in FOLDERS:
        for path in sorted((repository / folder).rglob("*.py")):
            yield path.relative_to(repository), path.read_text(encoding="utf-8")


def functions(text: str) -> Iterator[Function]:
    return (node for node in ast.walk(ast.parse(text)) if isinstance(node, Function))


def test_modules_are_small(repository: Path) -> None:
    long = {str(path): text.count("\n") for path, text in modules(repository)}
    assert not {path: lines for path, lines in long.items() if lines > MOST_IN_A_MODULE}


def test_functions_are_less_than_a_page(repository: Path) -> None:
    found: dict[str, int] = {}
    for path, text in modules(repository):
        for function in functions(text):
            lines = (function.end_lineno or function.lineno) - function.lineno + 1
            if lines > MOST_LINES and function.name not in LONGER:
                found[f"{path}: {function.name}"] = lines
    assert not found


def test_functions_of_passes_take_few_parameters(repository: Path) -> None:
    found: dict[str, int] = {}
    for path, text in modules(repository):
        if path.parts[0] != "passes":
            continue
        for function in functions(text):
            given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
            count = len([one for one in given if one.arg not in ("self", "cls")])
            if count > MOST_PARAMETERS and not function.name.startswith("_"):
                found[f"{path}: {function.name}"] = count
    assert not found

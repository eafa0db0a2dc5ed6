"""docs/fusion-legality.md lists every message with which a group is refused, and no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ERRORS = ("NotFusableError", "NoPartsError", "NoTileError")


def said(node: ast.expr | None, constants: dict[str, str]) -> str | None:
    """The text of a message, with an ellipsis for what is put into it; None for what is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name):
        return constants.get(node.id)
    if not isinstance(node, ast.JoinedStr):
        return None
    parts = (str(one.value) if isinstance(one, ast.Constant) else "…" for one in node.values)
    return re.sub("…+", "…", "".join(parts))


def messages(path: Path, returned: bool) -> Iterator[str]:
    """What a module raises as one of `ERRORS`, hands to `refuse`, or, if `returned`, returns as a reason."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        found: list[ast.expr | None] = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ERRORS:
                found = [*node.args]
            elif node.func.id == "refuse":
                found = [*node.args[1:]]
        elif isinstance(node, ast.Return) and returned:
            found = [node.value]
        yield from (text for one in found if (text := said(one, constants)))


def test_the_page_lists_the_messages_of_the_code(repository: Path) -> None:
    passes = repository / "passes"
    modules = [*(passes / "regions").rglob("*.py"), *(passes / "kernels").rglob("*.py")]
    modules += [passes / "fusion" / name for name in ("weigh.py", "forced_groups.py")]
    code = {
        text
        for path in modules
        for text in messages(path, path.parent.name == "regions" or path.stem == "forced_groups")
    }
    page = (repository / "docs" / "fusion-legality.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([^`]+)`", page, re.MULTILINE)
    assert len(listed) == len(set(listed)) > 60
    assert set(listed) == code


def test_a_message_is_read_with_what_is_put_into_it(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        'PARTS = "all of it"\n'
        "def f(x):\n"
        '    if x: raise NotFusableError(f"{x} feeds {x}{x}", x)\n'
        "    if not x: raise NoPartsError(PARTS)\n"
        '    return refuse("bytes", "a kernel")\n'
        "def g(x):\n"
        '    return "a reason"\n'
    )
    assert sorted(messages(module, False)) == ["a kernel", "all of it", "… feeds …"]
    assert "a reason" in set(messages(module, True))

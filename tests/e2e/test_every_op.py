"""What each op of the graph dialect has: a definition, a reference and a rule; and how few lines the simplest take."""

# pyright: basic

import ast
import inspect
from functools import cache
from pathlib import Path

import pytest

import ascend_opt.dialects.graph as dialect
from ascend_opt.dialects.graph import OPS
from ascend_opt.dialects.graph.rules import Composite
from ascend_opt.runtime import reference as references
from ascend_opt.runtime.reference import reference_of

MOST_LINES = 15
SIMPLEST = 10


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.short_name())
def test_every_op_has_all_three(op):
    assert op.infer_types.__func__ is not dialect.GraphOp.infer_types.__func__
    assert "%y" in (op.__doc__ or "")
    assert callable(reference_of(op.name))
    for rule in (op.TILING, *op.MORE_TILINGS):
        assert rule.engine in ("vector", "cube", "view", "composite")
        needed = ["expand"] if isinstance(rule, Composite) else ["iteration"]
        needed += {"vector": ["compute"], "cube": ["contraction"]}.get(rule.engine, [])
        assert all(callable(getattr(rule, name)) for name in needed)


@cache
def _statements(folder: str) -> list[tuple[str, str]]:
    """The source of each statement and the function or class that it defines, in the modules of a package's folder."""
    found: list[tuple[str, str]] = []
    for path in sorted(Path(folder).glob("*.py")):
        source = path.read_text(encoding="utf-8")
        for node in ast.parse(source).body:
            names = [t.id for t in getattr(node, "targets", ()) if isinstance(t, ast.Name)]
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            text = "\n".join(source.splitlines()[first - 1 : node.end_lineno])
            found.append((getattr(node, "name", names[0] if names else ""), text))
    return found


def _lines_of(op) -> int:
    """Lines of an op's definition, of the function that emits a tile of it, and of its reference."""
    definitions = dict(_statements(inspect.getfile(dialect).removesuffix("__init__.py")))
    title = op.__name__
    name = next(n for n in definitions if n.lower() == title.lower())
    total = definitions[name].count("\n") + 1
    computed = f"{op.short_name()}("
    total += sum(
        text.count("\n") + 1
        for n, text in definitions.items()
        if text.startswith(f"def {computed}") and n != name
    )
    sources = _statements(inspect.getfile(references).removesuffix("__init__.py"))
    stated = [text for _, text in sources if text.startswith(f'@reference("{op.name}")')]
    return total + (stated[0].count("\n") + 1 if stated else 1)


def test_the_simplest_ops_take_few_lines():
    counts = sorted((_lines_of(op), op.short_name()) for op in OPS)
    assert [name for lines, name in counts[:SIMPLEST] if lines > MOST_LINES] == []
    assert sum(lines <= MOST_LINES for lines, _ in counts) >= 25

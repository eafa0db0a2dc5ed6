"""Marks of kernels that are given beside the graph: `--mark '%y {tile = [1, 128], cores = 8}'`.

They are put on the op that gives the value, and go before those that the graph has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.exceptions import ParseError

from ...dialects.graph.base import GraphOp
from ...dialects.graph.fusion_marks import FUSE, MARKS, NOFUSE, check_marks
from .diagnostics import Diagnostic, ShownError, Source, did_you_mean
from .graph_syntax import OperationNode, parse_syntax
from .graph_values import fusion_marks

OPTION = "--mark"


def put_marks(module: ModuleOp, marks: Sequence[str]) -> list[str]:
    """Put marks on the ops of a module's graphs; notes on those that the graph states otherwise. `ShownError` where one
    cannot be read, or names a value that no op gives."""
    notes: list[str] = []
    for text in marks:
        name, given = _parsed(text)
        ops = [op for op in _ops(module) if any(result.name_hint == name for result in op.results)]
        if not ops:
            known = sorted({hint for op in _ops(module) for r in op.results if (hint := r.name_hint)})
            hint = did_you_mean(name, known)
            raise _error(text, 0, len(name) + 1, f"no operation of the graph gives %{name}{hint}")
        for op in ops:
            other = {FUSE: NOFUSE, NOFUSE: FUSE}
            for mark, value in given.items():
                before = op.attributes.get(mark)
                if before is not None and before != value:
                    word = mark.removeprefix("graph.")
                    notes.append(
                        f"%{name}: '{word}' is {before} in the graph; the one given here goes before it"
                    )
                op.attributes.pop(other.get(mark, ""), None)
                op.attributes[mark] = value
            check_marks(op)
    return notes


def _ops(module: ModuleOp) -> Iterator[GraphOp]:
    for function in module.body.block.ops:
        if isinstance(function, FuncOp):
            yield from (op for op in function.walk() if isinstance(op, GraphOp))


def _parsed(text: str) -> tuple[str, dict[str, Attribute]]:
    """The value and the attributes of a mark."""
    before, brace, _ = text.partition("{")
    name = before.strip()
    if not (name.startswith("%") and len(name) > 1 and brace):
        raise _error(text, 0, len(text), "a mark is a value and attributes, as '%y {tile = [1, 128]}'")
    first = "graph @g(%x: tensor<1xf16>) { %y = relu(%x)\n"
    source = Source(f"{first}{' ' * len(before)}{text[len(before) :]}\nreturn %y }}", OPTION)
    try:
        (graph,) = parse_syntax(source)
        node = graph.body[0]
        assert isinstance(node, OperationNode)
        unknown = next((one.name for one in node.attributes if one.name.text not in MARKS), None)
        if unknown is not None:
            start, end = (at - len(first) for at in (unknown.start, unknown.end))
            hint = did_you_mean(unknown.text, MARKS) or f"; marks are {', '.join(MARKS)}"
            raise _error(text, start, end, f"no mark is called '{unknown.text}'{hint}")
        return name[1:], dict(fusion_marks(source, node))
    except ParseError as error:
        start, end = (max(0, at - len(first)) for at in (error.span.start, error.span.end))
        raise _error(text, start, end, error.msg) from error


def _error(text: str, start: int, end: int, message: str) -> ShownError:
    start = min(start, len(text))
    return ShownError(
        Diagnostic(message, "error", OPTION, 1, start + 1, max(1, end - start), source_line=text)
    )


__all__ = ["OPTION", "put_marks"]

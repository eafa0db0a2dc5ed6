"""Marks of kernels that are given beside the graph: `--mark '%y {tile = [1, 128], cores = 8}'`.

They are put on the op that gives the value, and go before those that the graph has. Values are called what the source
text calls them, `%0` too; where it is unknown, what the module does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import ParseError

from ...dialects.graph.base import GraphOp
from ...dialects.graph.fusion_marks import FUSE, MARKS, NOFUSE, OF_KERNELS, check_marks
from ...dialects.locations import file_location
from ...dialects.records import dataclass
from ...passes.rewrites.prepare_graph import taken_apart
from .diagnostics import Diagnostic, ShownError, Source, did_you_mean
from .graph_syntax import OperationNode, parse_syntax
from .graph_values import fusion_marks

OPTION = "--mark"
OPPOSITE = {FUSE: NOFUSE, NOFUSE: FUSE}

_NAME = r"%[\w.$-]+(?::\d+)?"
_RESULTS = re.compile(rf"({_NAME}(?:\s*,\s*{_NAME})*)\s*=\s*$")
"""The results of an op, in front of its name."""


@dataclass(frozen=True)
class _Mark:
    """What the option says of a value."""

    text: str
    value: str
    given: Mapping[str, Attribute]

    def error(self, message: str) -> ShownError:
        return _error(self.text, 0, len(self.value) + 1, message)


def put_marks(module: ModuleOp, marks: Sequence[str], sources: Sequence[Source] = ()) -> list[str]:
    """Put marks on the ops of a module's graphs; notes on those that something else was stated of. `sources`: the texts
    that ops are located in. `ShownError` where a mark cannot be read, names a value that no op gives or one of several
    of an op that it would be put on as a whole, or contradicts another."""
    notes: list[str] = []
    values = _values(module, sources)
    put = set[tuple[SSAValue, str]]()
    for mark in map(_parsed, marks):
        if mark.value not in values:
            hint = did_you_mean(mark.value, sorted(values))
            if mark.value.isdigit() and not sources:
                hint = "; numbers are names in text alone: give the value a name (name_hint)"
            raise mark.error(f"no operation of the graph gives %{mark.value}{hint}")
        for value in _each_apart(mark, values):
            notes += _put(mark, value, put)
    return notes


def _put(mark: _Mark, value: SSAValue, put: set[tuple[SSAValue, str]]) -> Iterator[str]:
    """Put a mark on the op of a value; notes. `put`: what earlier marks were put on."""
    op = value.owner
    assert isinstance(op, GraphOp)
    first = op.results[0]
    for name, attribute in mark.given.items():
        opposite = OPPOSITE.get(name, "")
        if (first, opposite) in put:
            raise mark.error("'nofuse' and 'fuse' contradict each other")
        for stated in (name, opposite):
            before = op.attributes.pop(stated, attribute)
            if before != attribute:
                word = stated.removeprefix("graph.")
                where = f"an earlier {OPTION}" if (first, stated) in put else "the graph"
                is_what = "is" if isinstance(before, UnitAttr) else f"is {before}"
                yield f"%{mark.value}: '{word}' {is_what} in {where}; the one given here goes before it"
        op.attributes[name] = attribute
        put.add((first, name))
    check_marks(op)


def _each_apart(mark: _Mark, values: Mapping[str, list[SSAValue]]) -> list[SSAValue]:
    """The values that a mark names. Where an op gives several, an op for each takes its place, if it can."""
    for value in values[mark.value]:
        op = value.owner
        assert isinstance(op, GraphOp)
        if len(op.results) == 1:
            continue
        old, count, name = list(op.results), len(op.results), op.short_name()
        parts = taken_apart(op)
        if not parts and not mark.given.keys().isdisjoint(OF_KERNELS):
            raise mark.error(
                f"%{mark.value} is one of the {count} results of a {name}, which no op gives alone: it is ambiguous "
                "what its kernel is"
            )
        new: dict[SSAValue, SSAValue] = dict(
            zip(old, (part.results[0] for part in parts), strict=bool(parts))
        )
        for named in values.values():
            named[:] = [new.get(one, one) for one in named]
    return values[mark.value]


def _values(module: ModuleOp, sources: Sequence[Source]) -> dict[str, list[SSAValue]]:
    """The results of graph ops by their names."""
    texts = {source.name: source for source in sources}
    found: dict[str, list[SSAValue]] = {}
    for function in module.body.block.ops:
        if not isinstance(function, FuncOp):
            continue
        for op in function.walk():
            if isinstance(op, GraphOp):
                hints = [result.name_hint or "" for result in op.results]
                for name, result in zip(_written(op, texts) or hints, op.results, strict=True):
                    if name:
                        found.setdefault(name, []).append(result)
    return found


def _written(op: GraphOp, texts: Mapping[str, Source]) -> list[str]:
    """The names of an op's results in the text that it is from; none where they are not found there."""
    place = file_location(op.location)
    source = None if place is None else texts.get(place.filename.data)
    line = None if source is None or place is None else source.line(place.line.data)
    if line is None or place is None:
        return []
    results = _RESULTS.search(line[: place.column.data - 1])
    names: list[str] = []
    for name in re.split(r"\s*,\s*", results[1]) if results else ():
        base, _, count = name[1:].partition(":")
        names += [f"{base}#{i}" for i in range(int(count))] if count else [base]
    return names if len(names) == len(op.results) else []


def _parsed(text: str) -> _Mark:
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
        return _Mark(text, name[1:], fusion_marks(source, node))
    except ParseError as error:
        start, end = (max(0, at - len(first)) for at in (error.span.start, error.span.end))
        raise _error(text, start, end, error.msg) from error


def _error(text: str, start: int, end: int, message: str) -> ShownError:
    start = min(start, len(text))
    return ShownError(
        Diagnostic(message, "error", OPTION, 1, start + 1, max(1, end - start), source_line=text)
    )


__all__ = ["OPTION", "put_marks"]

"""Problems and plans as CSV: `id,lower,upper,size[,alignment]`, the format of the published allocators' instances.

Columns are found by their names in the first row, in any order; columns with other names are passed over, and so are
empty lines and lines that begin with #. A plan is the problem's text with a column `offset`.
"""

import csv
import io
from collections.abc import Mapping, Sequence

from ....dialects.records import dataclass
from ...support.words import counted
from .problem import Buffer, Plan, Problem

NAMES = {
    "id": ("id", "buffer", "buffer_id", "name"),
    "lower": ("lower", "start", "begin"),
    "upper": ("upper", "end"),
    "size": ("size",),
    "alignment": ("alignment", "align"),
    "offset": ("offset",),
}
"""Columns with the names that they go by."""


class TableError(ValueError):
    """A table that cannot be read; the text says where: file:line:column. `width` characters of the line `text` are
    wrong."""

    def __init__(self, message: str, file: str, line: int, column: int, text: str, width: int = 1):
        super().__init__(f"{file}:{line}:{column}: {message}")
        self.message, self.file, self.line, self.column = message, file, line, column
        self.text, self.width = text, width


@dataclass(frozen=True)
class _Row:
    """A line of a file, its cells, and the columns (from 1) at which they start."""

    file: str
    line: int
    text: str
    cells: Sequence[str] = ()
    starts: Sequence[int] = ()

    def error(self, cell: int, message: str) -> TableError:
        """What is wrong with a cell; with the end of the row where it has none of that number."""
        if cell >= len(self.cells):
            return TableError(message, self.file, self.line, len(self.text) + 1, self.text)
        width = max(1, len(self.cells[cell].strip()))
        return TableError(message, self.file, self.line, self.starts[cell], self.text, width)


@dataclass(frozen=True)
class Table:
    """A problem with the text that it was read from: its lines, the header's number among them, each buffer's, how many
    cells the header has, and which of them is an offset already, if one is."""

    problem: Problem
    lines: tuple[str, ...]
    header: int
    rows: tuple[int, ...]
    width: int
    offset: int | None = None


def read_table(text: str, name: str, capacity: int | None = None) -> Table:
    """The problem in a CSV table; `name` is the file's in messages. `TableError` when it cannot be read."""
    columns: dict[str, int] | None = None
    buffers: list[Buffer] = []
    ids: dict[str, int] = {}
    rows: list[int] = []
    header = width = 0
    lines = tuple(text.lstrip("\ufeff").splitlines())
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells, starts = _cells(line)
        row = _Row(name, number, line, cells, starts)
        if columns is None:
            columns = _columns(row)
            header, width = number - 1, len(cells)
            continue
        if len(cells) > width:
            raise row.error(width, f"the row has {counted(len(cells), 'cell')}, the header {width}")
        values = _values(row, columns)
        label = cells[columns["id"]].strip() if "id" in columns else str(len(buffers))
        if label in ids:
            raise row.error(columns["id"], f"id {label!r} is that of line {ids[label]}")
        ids[label] = number
        if values["lower"] > values["upper"]:
            raise row.error(columns["upper"], f"upper {values['upper']} is below lower {values['lower']}")
        rows.append(number - 1)
        buffers.append(
            Buffer(label, values["lower"], values["upper"], values["size"], values.get("alignment", 1))
        )
    if columns is None:
        expected = "no header; expected columns id,lower,upper,size[,alignment]"
        raise TableError(expected, name, 1, 1, lines[0] if lines else "")
    problem = Problem(tuple(buffers), capacity)
    return Table(problem, lines, header, tuple(rows), width, columns.get("offset"))


def _cells(line: str) -> tuple[list[str], list[int]]:
    """The cells of a line, and the columns (from 1) at which they start."""
    cells = next(csv.reader([line], skipinitialspace=True))
    starts: list[int] = []
    at = 0
    for cell in cells:
        at = max(line.find(cell, at), at)
        starts.append(at + 1)
        at += len(cell)
        comma = line.find(",", at)
        at = comma + 1 if comma >= 0 else at
    return cells, starts


def _columns(row: _Row) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, cell in enumerate(row.cells):
        for column, names in NAMES.items():
            if cell.strip().lower() not in names:
                continue
            if column in found:
                known = row.cells[found[column]].strip()
                raise row.error(number, f"a second column {column!r}; the first is {known!r}")
            found[column] = number
    for column in ("lower", "upper", "size"):
        if column not in found:
            given = ",".join(cell.strip() for cell in row.cells)
            message = f"no column {column!r} in the header {given!r}"
            raise TableError(message, row.file, row.line, 1, row.text, len(row.text))
    return found


def _values(row: _Row, columns: dict[str, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    cells = row.cells
    for column, number in columns.items():
        if column == "offset":
            continue
        if number >= len(cells):
            raise row.error(number, f"no {column}; the row has {counted(len(cells), 'cell')}")
        if column == "id":
            continue
        cell = cells[number].strip()
        if column == "alignment" and not cell:
            continue
        try:
            value = int(cell)
        except ValueError:
            raise row.error(number, f"{column} is {cell!r}, not a whole number") from None
        least = {"size": 0, "alignment": 1}.get(column)
        if least is not None and value < least:
            raise row.error(number, f"{column} is {value}, must be at least {least}")
        found[column] = value
    return found


def write_table(table: Table, plan: Plan) -> str:
    """The table as it was read, with the first slot's offset of every buffer in a last column, or in the column
    `offset` that it has."""
    added: Mapping[int, str] = dict(zip(table.rows, (str(at[0]) for at in plan.offsets), strict=True))
    added = {table.header: "offset", **added}
    lines = (
        _with_offset(line, added[i], table) if i in added else line for i, line in enumerate(table.lines)
    )
    return "".join(f"{line}\n" for line in lines)


def _with_offset(line: str, offset: str, table: Table) -> str:
    cells, _ = _cells(line)
    missing = table.width - len(cells)
    if table.offset is None:
        return f"{line.rstrip()}{',' * (missing + 1)}{offset}"
    cells += [""] * missing
    cells[table.offset] = offset
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(cells)
    return out.getvalue()

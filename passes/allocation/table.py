"""Problems and plans as CSV: `id,lower,upper,size[,alignment]`, the format of the published allocators' instances.

Columns are found by their names in the first row, in any order; columns with other names are passed over, and so are
empty lines and lines that begin with #. A plan is the problem's text with a column `offset`.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..words import counted
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
    """A table that cannot be read; the text says where: file:line:column."""


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
        if columns is None:
            columns = _columns(cells, starts, f"{name}:{number}")
            header, width = number - 1, len(cells)
            continue
        if len(cells) > width:
            where = f"{name}:{number}:{starts[width]}"
            raise TableError(f"{where}: the row has {counted(len(cells), 'cell')}, the header {width}")
        values = _values(cells, starts, columns, f"{name}:{number}", len(line) + 1)
        label = cells[columns["id"]].strip() if "id" in columns else str(len(buffers))
        if label in ids:
            where = f"{name}:{number}:{starts[columns['id']]}"
            raise TableError(f"{where}: id {label!r} is that of line {ids[label]}")
        ids[label] = number
        if values["lower"] > values["upper"]:
            where = f"{name}:{number}:{starts[columns['upper']]}"
            raise TableError(f"{where}: upper {values['upper']} is below lower {values['lower']}")
        rows.append(number - 1)
        buffers.append(
            Buffer(label, values["lower"], values["upper"], values["size"], values.get("alignment", 1))
        )
    if columns is None:
        raise TableError(f"{name}:1:1: no header; expected columns id,lower,upper,size[,alignment]")
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


def _columns(cells: Sequence[str], starts: Sequence[int], where: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, cell in enumerate(cells):
        for column, names in NAMES.items():
            if cell.strip().lower() not in names:
                continue
            if column in found:
                known = cells[found[column]].strip()
                raise TableError(
                    f"{where}:{starts[number]}: a second column {column!r}; the first is {known!r}"
                )
            found[column] = number
    for column in ("lower", "upper", "size"):
        if column not in found:
            given = ",".join(cell.strip() for cell in cells)
            raise TableError(f"{where}:1: no column {column!r} in the header {given!r}")
    return found


def _values(
    cells: Sequence[str], starts: Sequence[int], columns: dict[str, int], where: str, end: int
) -> dict[str, int]:
    found: dict[str, int] = {}
    for column, number in columns.items():
        if column == "offset":
            continue
        if number >= len(cells):
            raise TableError(f"{where}:{end}: no {column}; the row has {counted(len(cells), 'cell')}")
        if column == "id":
            continue
        cell = cells[number].strip()
        if column == "alignment" and not cell:
            continue
        try:
            value = int(cell)
        except ValueError:
            raise TableError(f"{where}:{starts[number]}: {column} is {cell!r}, not a whole number") from None
        least = {"size": 0, "alignment": 1}.get(column)
        if least is not None and value < least:
            raise TableError(f"{where}:{starts[number]}: {column} is {value}, must be at least {least}")
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

"""Problems and plans as CSV: `id,lower,upper,size[,alignment]`, the format of the published allocators' instances.

Columns are found by their names in the first row, in any order; columns with other names are passed over, and so are
empty lines and lines that begin with #. A plan is the problem's rows with a column `offset`.
"""

import csv
import io
from collections.abc import Sequence

from .problem import Buffer, Plan, Problem

NAMES = {
    "id": ("id", "buffer", "buffer_id", "name"),
    "lower": ("lower", "start", "begin"),
    "upper": ("upper", "end"),
    "size": ("size",),
    "alignment": ("alignment", "align"),
}
"""Columns with the names that they go by."""


class TableError(ValueError):
    """A table that cannot be read; the text says where: file:line:column."""


def read_table(text: str, name: str, capacity: int | None = None) -> Problem:
    """The problem in a CSV table; `name` is the file's in messages. `TableError` when it cannot be read."""
    columns: dict[str, int] | None = None
    buffers: list[Buffer] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells, starts = _cells(line)
        if columns is None:
            columns = _columns(cells, f"{name}:{number}")
            continue
        values = _values(cells, starts, columns, f"{name}:{number}", len(line) + 1)
        label = cells[columns["id"]].strip() if "id" in columns else str(len(buffers))
        if label in lines:
            where = f"{name}:{number}:{starts[columns['id']]}"
            raise TableError(f"{where}: id {label!r} is that of line {lines[label]}")
        lines[label] = number
        if values["lower"] > values["upper"]:
            where = f"{name}:{number}:{starts[columns['upper']]}"
            raise TableError(f"{where}: upper {values['upper']} is below lower {values['lower']}")
        buffers.append(
            Buffer(label, values["lower"], values["upper"], values["size"], values.get("alignment", 1))
        )
    if columns is None:
        raise TableError(f"{name}:1:1: no header; expected columns id,lower,upper,size[,alignment]")
    return Problem(tuple(buffers), capacity)


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


def _columns(cells: Sequence[str], where: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, cell in enumerate(cells):
        for column, names in NAMES.items():
            if cell.strip().lower() in names:
                found.setdefault(column, number)
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
        if number >= len(cells):
            raise TableError(f"{where}:{end}: no {column}; the row has {len(cells)} cells")
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


def write_table(problem: Problem, plan: Plan) -> str:
    """The problem with the first slot's offset of every buffer."""
    aligned = any(b.align > 1 for b in problem.buffers)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "lower", "upper", "size", *(["alignment"] if aligned else []), "offset"])
    for buffer, offsets in zip(problem.buffers, plan.offsets, strict=True):
        align = [buffer.align] if aligned else []
        writer.writerow([buffer.name, buffer.start, buffer.end, buffer.size, *align, offsets[0]])
    return out.getvalue()

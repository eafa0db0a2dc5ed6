"""A compiled program in one file: a zip archive of texts and arrays, without pickles.

    program.json    format, version, name of the function, target, whether fused, names of the weights, and what each
                    launch was compiled from; where sizes are open also what each kernel computes
    ascend.mlir     the lowered module
    graph.mlir      the graph (absent if the program came without one)
    target.toml     the chip, when it came from a file
    reports.json    what the passes reported: name, text and data of each
    weights/0.npy   bound weights, numbered in the order of program.json

Constants that the graph keeps in other files are written out, so that the program stands alone.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path, PurePath
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ...dialects.ascend import LaunchOp
from ...dialects.locations import places_of
from ...dialects.records import dataclass
from ...passes.support.report import Report
from ..text.mlir_printer import QuickPrinter
from ..text.output_files import write_bytes

FORMAT = "ascend-opt program"
VERSION = 1


@dataclass(frozen=True)
class SavedReport:
    """A report as it was saved."""

    name: str
    text: str
    data: Any

    def to_text(self) -> str:
        return self.text

    def to_json(self) -> Any:
        return self.data


def write_program(
    path: str | Path,
    about: Mapping[str, Any],
    module: ModuleOp,
    graph_module: ModuleOp | None,
    reports: Sequence[Report],
    target_text: str | None,
    weights: Sequence[Any],
) -> None:
    """Write a program; the same one gives the same bytes. The file is complete or untouched. `about`: what there is to
    say of it besides, as JSON; `weights`: arrays, in the order in which `about` names them."""
    import numpy as np

    stated = {
        "format": FORMAT,
        "version": VERSION,
        **about,
        "places": [_places(launch) for launch in launches_of(module)],
    }
    listed = [{"name": r.name, "text": r.to_text(), "data": r.to_json()} for r in reports]
    parts: dict[str, str | bytes] = {
        "program.json": json.dumps(stated, indent=2),
        "ascend.mlir": module_text(module),
        "reports.json": json.dumps(listed, indent=2),
    }
    if graph_module is not None:
        parts["graph.mlir"] = module_text(graph_module)
    if target_text is not None:
        parts["target.toml"] = target_text
    for index, array in enumerate(weights):
        stream = BytesIO()
        np.lib.format.write_array(stream, np.ascontiguousarray(array), allow_pickle=False)
        parts[f"weights/{index}.npy"] = stream.getvalue()
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            # Without a date of its own an entry gets the time of writing, and no two files are equal.
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, content)
    write_bytes(path, archive.getvalue())


def launches_of(module: ModuleOp) -> list[LaunchOp]:
    return [op for op in module.walk() if isinstance(op, LaunchOp)]


def _places(launch: LaunchOp) -> list[list[str | int]]:
    """What a launch was compiled from; of files their names, for a program is the same wherever it came from."""
    places = places_of(launch.location)
    return [[PurePath(place.file).name, place.line, place.column, place.name] for place in places]


def module_text(module: ModuleOp) -> str:
    """The text of a module, which needs no other files."""
    from io import StringIO

    module = _self_contained(module)
    stream = StringIO()
    QuickPrinter(stream=stream).print_op(module)
    return stream.getvalue() + "\n"


def _self_contained(module: ModuleOp) -> ModuleOp:
    """The module with constants of other files written out: the program must not depend on them."""
    from ...dialects.graph.elements import ExternalTensorAttr, as_array, from_array

    if not any(isinstance(v, ExternalTensorAttr) for op in module.walk() for v in op.properties.values()):
        return module
    module = module.clone()
    for op in module.walk():
        for name, value in op.properties.items():
            if isinstance(value, ExternalTensorAttr):
                op.properties[name] = from_array(as_array(value), value.type.element_type)
    return module

"""A compiled program in one file: a zip archive of texts and arrays, without pickles.

    program.json    format, version, name of the function, target, whether fused, names of the weights, and what each
                    launch was compiled from
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
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ..dialects.ascend import LaunchOp
from ..dialects.locations import Place, location_of, places_of
from ..dialects.target import Target, load_target, remember_target
from ..dialects.target_parser import parse_target
from .mlir_text import parse_mlir_text
from .output_files import write_bytes
from .read_module import make_context
from .verify import verify_module

if TYPE_CHECKING:
    from .program import Program

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


def save(program: Program, path: str | Path) -> None:
    """Write the program; the same program gives the same bytes. The file is complete or untouched."""
    import numpy as np

    about = {
        "format": FORMAT,
        "version": VERSION,
        "name": program.name,
        "target": program.target.name,
        "fused": program.fused,
        "tune": program.tune,
        "fusion": dict(program.fusion),
        "sizes": list(program.sizes),
        "weights": list(program.weights),
        "results": [list(one) for one in program.results],
        "fusable": None if program.fusable is None else [list(pair) for pair in program.fusable],
        "places": [_places(launch) for launch in _launches(program.module)],
    }
    reports = [{"name": r.name, "text": r.to_text(), "data": r.to_json()} for r in program.reports]
    parts: dict[str, str | bytes] = {
        "program.json": json.dumps(about, indent=2),
        "ascend.mlir": _text(program.module),
        "reports.json": json.dumps(reports, indent=2),
    }
    if program.graph_module is not None:
        parts["graph.mlir"] = _text(program.graph_module)
    if program.target_text is not None:
        parts["target.toml"] = program.target_text
    for index, array in enumerate(program.weights.values()):
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


def load(path: str | Path) -> Program:
    """Read a program. Raises OSError, or ValueError for a file that `save` did not write."""
    from .program import Program

    try:
        with zipfile.ZipFile(path) as file:
            parts = {entry.filename: file.read(entry) for entry in file.infolist()}
        about: dict[str, Any] = json.loads(parts["program.json"])
        if about["format"] != FORMAT:
            raise ValueError("it is something else")
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, NotImplementedError, EOFError) as error:
        raise ValueError(f"'{path}' is no saved program: {error}") from None
    if about.get("version") != VERSION:
        raise ValueError(
            f"'{path}' has format version {about.get('version')}; this version reads {VERSION}: "
            "compile the graph again"
        )
    try:
        graph = parts.get("graph.mlir")
        module = _module(parts["ascend.mlir"], f"{path}:ascend.mlir")
        for launch, places in zip(_launches(module), about.get("places", ()), strict=False):
            if places:
                launch.location = location_of([Place(*place) for place in places])
        reports = [SavedReport(**report) for report in json.loads(parts["reports.json"])]
        weights = {name: _array(parts[f"weights/{i}.npy"]) for i, name in enumerate(about["weights"])}
        target = _target(parts, about, str(path))
        stated, fusable = parts.get("target.toml"), about.get("fusable")
        program = Program(
            module,
            target,
            about["name"],
            None if graph is None else _module(graph, f"{path}:graph.mlir"),
            about["fused"],
            reports,
            target_name=about["target"] if stated is None else target.origin,
            target_text=None if stated is None else stated.decode(),
            tune=about["tune"],
            fusion=about.get("fusion", {}),
            sizes=about.get("sizes", ()),
            results=[(name, kind) for name, kind in about.get("results", ())],
            fusable=None if fusable is None else [(first, second) for first, second in fusable],
        )
        return program.bind(**weights)
    except (KeyError, TypeError, ValueError, ParseError, DiagnosticException, EOFError) as error:
        raise ValueError(f"'{path}' is damaged: {error}") from None


def _launches(module: ModuleOp) -> list[LaunchOp]:
    return [op for op in module.walk() if isinstance(op, LaunchOp)]


def _places(launch: LaunchOp) -> list[list[str | int]]:
    """What a launch was compiled from; of files their names, for a program is the same wherever it came from."""
    places = places_of(launch.location)
    return [[PurePath(place.file).name, place.line, place.column, place.name] for place in places]


def _target(parts: dict[str, bytes], about: dict[str, Any], path: str) -> Target:
    stated = parts.get("target.toml")
    if stated is None:
        return load_target(about["target"])
    target = parse_target(stated.decode(), f"{path}:target.toml")
    remember_target(target)
    return target


def _text(module: ModuleOp) -> str:
    from io import StringIO

    module = _self_contained(module)
    stream = StringIO()
    Printer(stream=stream).print_op(module)
    return stream.getvalue() + "\n"


def _self_contained(module: ModuleOp) -> ModuleOp:
    """The module with constants of other files written out: the program must not depend on them."""
    from ..dialects.graph.elements import ExternalTensorAttr, as_array, from_array

    if not any(isinstance(v, ExternalTensorAttr) for op in module.walk() for v in op.properties.values()):
        return module
    module = module.clone()
    for op in module.walk():
        for name, value in op.properties.items():
            if isinstance(value, ExternalTensorAttr):
                op.properties[name] = from_array(as_array(value), value.type.element_type)
    return module


def _module(text: bytes, name: str) -> ModuleOp:
    module = parse_mlir_text(make_context(), text.decode(), name)
    verify_module(module)
    return module


def _array(data: bytes) -> Any:
    import numpy as np

    return np.lib.format.read_array(BytesIO(data), allow_pickle=False)

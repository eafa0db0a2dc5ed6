"""Reads what `programs.program_file` writes."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ...dialects.locations import Place, location_of
from ...dialects.target import Target, load_target, remember_target
from ...dialects.target_parser import parse_target
from ..pipeline.read_module import make_context
from ..pipeline.verify import verify_module
from ..text.mlir_text import parse_mlir_text
from .graph_bounds import works_from_json
from .program import Program
from .program_file import FORMAT, VERSION, SavedReport, launches_of


def load(path: str | Path) -> Program:
    """Read a program. Raises OSError, or ValueError for a file that `Program.save` did not write."""
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
        for launch, places in zip(launches_of(module), about.get("places", ()), strict=False):
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
            variants=about.get("variants", {}),
            results=[(name, kind) for name, kind in about.get("results", ())],
            fusable=None if fusable is None else [(first, second) for first, second in fusable],
            saved_kernels=about.get("kernels", {}),
        )
        program.works[program.typical_size] = works_from_json(about.get("works", ()))
        return program.bind(**weights)
    except (KeyError, TypeError, ValueError, ParseError, DiagnosticException, EOFError) as error:
        raise ValueError(f"'{path}' is damaged: {error}") from None


def _target(parts: dict[str, bytes], about: dict[str, Any], path: str) -> Target:
    stated = parts.get("target.toml")
    if stated is None:
        return load_target(about["target"])
    target = parse_target(stated.decode(), f"{path}:target.toml")
    remember_target(target)
    return target


def _module(text: bytes, name: str) -> ModuleOp:
    module = parse_mlir_text(make_context(), text.decode(), name)
    verify_module(module)
    return module


def _array(data: bytes) -> Any:
    import numpy as np

    return np.lib.format.read_array(BytesIO(data), allow_pickle=False)

"""The results of a run beside those of onnxruntime, which computes the model in its own types."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..programs.program import Program

    Array = NDArray[Any]

TYPES = {
    "tensor(float)": "float32",
    "tensor(double)": "float64",
    "tensor(float16)": "float16",
    "tensor(int64)": "int64",
    "tensor(int32)": "int32",
    "tensor(bool)": "bool",
}


def notes(
    path: str | Path, program: Program, inputs: Mapping[str, Array], outputs: Mapping[str, Array]
) -> list[str]:
    """How far each result is from that of onnxruntime, in words; nothing where it is not installed. What it cannot run
    is a note, too."""
    if find_spec("onnxruntime") is None:
        return []
    import numpy as np

    from ..pipeline.read_module import choose_function
    from .run_check import relative_error
    from .ties import settled

    runtime: Any = import_module("onnxruntime")
    options = runtime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        names = [name for name, tensor in program.inputs.items() if not tensor.weight]
        given = {
            one.name: np.asarray(inputs[name]).astype(TYPES.get(one.type, "float32"))
            for one, name in zip(session.get_inputs(), names, strict=True)
        }
        wanted = session.run(None, given)
    except Exception as error:  # onnxruntime's errors have no common base of their own
        return [f"onnxruntime cannot run the model: {str(error).strip().splitlines()[0]}"]
    assert program.graph_module is not None
    function = choose_function(program.graph_module, program.name)
    wanted = settled(function, {**program.weights, **inputs}, list(outputs.values()), wanted)
    found: list[str] = []
    for (name, array), want in zip(outputs.items(), wanted, strict=True):
        if array.dtype.kind in "iub":
            differ = float((array != want).mean()) if array.size else 0.0
            found.append(f"{name}: {differ:.2%} of the elements differ from onnxruntime's, ties apart")
        else:
            error = relative_error(np.asarray(array), np.asarray(want, np.float64))
            found.append(f"{name}: relative L2 error against onnxruntime {error:.2e}")
    return found


__all__ = ["notes"]

"""Runs a graph fused on a chip and compares it with the reference."""

import re

import numpy as np

import ascend_opt
from ascend_opt.compiler.api import Program, Result

TOLERANCE = {"f16": 4e-3, "f32": 1e-4}


def seeded(text: str, scale: float = 0.5) -> dict[str, np.ndarray]:
    """Inputs of a graph: normal numbers of standard deviation `scale`, those named %w… by their rows smaller."""
    rng = np.random.default_rng(1)
    found: dict[str, np.ndarray] = {}
    for name, sizes, dtype in re.findall(r"%(\w+): tensor<([\dx]*)x(f16|f32)>", text.split("{\n")[0]):
        shape = tuple(map(int, sizes.split("x")))
        by = int(np.prod(shape[1:])) ** -0.5 if name.startswith("w") else scale
        kind = np.float16 if dtype == "f16" else np.float32
        found[name] = (rng.standard_normal(shape) * by).astype(kind)
    return found


def check(
    text: str, chip: str, dtype: str = "f16", scale: float = 0.5, tune: int = 1
) -> tuple[Program, Result]:
    """Compiles fused, runs with hazards on, compares every output: relative L2 error within `TOLERANCE`."""
    program = ascend_opt.compile(text, target=chip, tune=tune)
    inputs = seeded(text, scale)
    result = program.run(inputs)
    reference = program.reference(inputs)
    for name, found in result.outputs.items():
        array, want = np.asarray(found, np.float64), np.asarray(reference[name], np.float64)
        assert array.shape == want.shape
        size = max(float(np.linalg.norm(want)), 1e-30)
        assert np.linalg.norm(array - want) / size <= TOLERANCE[dtype], (chip, text)
    return program, result

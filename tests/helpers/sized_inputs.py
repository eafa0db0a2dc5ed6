"""Inputs of a program whose first dimension is known when it runs."""

from typing import Any

import numpy as np

from ascend_opt.compiler.api import Program


def inputs_at(program: Program, size: int, scale: float = 0.5) -> dict[str, np.ndarray[Any, Any]]:
    """Normal numbers of standard deviation `scale` in f16, seeded by the run-time `size`."""
    rng = np.random.default_rng(size)
    shapes = {name: tensor.at(size).shape for name, tensor in program.inputs.items()}
    return {name: (rng.standard_normal(shape) * scale).astype(np.float16) for name, shape in shapes.items()}

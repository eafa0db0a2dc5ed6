"""Inputs for a run: from a file, and seeded ones for every argument that the file lacks.

Seeded inputs are normal numbers (of i8 all its numbers, of indices all that there are, evenly) with what
keeps a graph in range: the right operand of a product (its weights, mostly) is divided by the square root
of the reduction's length, so that f16 does not overflow along a chain of layers; where an op needs positive
numbers it gets |x| + 0.5.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.graph.arguments import argument_names
from ...dialects.graph.base import GraphOp
from ...dialects.storage_types import BF16, is_float
from ...dialects.tiling import Along
from ...runtime.support.hazard import ProgramError
from ..pipeline.read_module import choose_function, level_of
from ..programs.program import Program
from ..programs.program_inputs import Tensor, given_size
from .run_options import RunOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]

POSITIVE: Mapping[str, int] = {
    "graph.batch_norm": 4,
    "graph.div": 1,
    "graph.reciprocal": 0,
    "graph.rsqrt": 0,
    "graph.sqrt": 0,
}
"""Op -> its operand that must be positive (a variance), or should be for the sake of its range."""


def inputs_of(program: Program, given: Mapping[str, Array], options: RunOptions) -> dict[str, Array]:
    """All inputs of a program: those `given`, its weights, and seeded ones for the rest."""
    function = None
    if program.graph_module is not None and level_of(program.graph_module) == "graph":
        function = choose_function(program.graph_module, program.name)
    needed: dict[str, Tensor] = program.inputs
    size = options.size or given_size(given, needed) or program.typical_size
    if size is not None:
        needed = {name: tensor.at(size) for name, tensor in needed.items()}
    seeded = seeded_inputs(needed, options.seed, function, skip={**program.weights, **given})
    return {**seeded, **program.weights, **given}


def seeded_inputs(
    inputs: Mapping[str, Tensor], seed: int, function: FuncOp | None = None, skip: Container[str] = ()
) -> dict[str, Array]:
    """An array in its storage type for each input but those of `skip`; one argument's depends on no other.

    `function` is the graph, if there is one: it tells which arguments are weights or must be positive.
    """
    import numpy as np

    arguments: dict[str, SSAValue] = {}
    if function is not None:
        arguments = dict(zip(argument_names(function), function.body.block.args, strict=True))
    found: dict[str, Array] = {}
    for index, (name, tensor) in enumerate(inputs.items()):
        if name in skip:
            continue
        values = _normal(np.random.default_rng([seed, index]), tensor)
        if name in arguments and is_float(values.dtype):
            values = _in_range(values, arguments[name])
        elif name in arguments and values.dtype.kind == "i":
            most = [n for op, i in _uses(arguments[name]) if (n := op.indexed(i)) is not None]
            if most:
                values = np.random.default_rng([seed, index]).integers(
                    0, min(most), values.shape, values.dtype
                )
                if any(op.ascends(i) for op, i in _uses(arguments[name])):
                    values.sort()
        found[name] = values
    return found


def _normal(generator: np.random.Generator, tensor: Tensor) -> Array:
    from ...dialects.storage_types import numpy_dtype

    dtype = numpy_dtype(tensor.element_type)
    if any(size < 0 for size in tensor.shape):
        raise ProgramError(f"there is no seeded input of a dynamic shape ({tensor}); give it by --inputs")
    if dtype.name == "int8":
        return generator.integers(-128, 128, tensor.shape, dtype)
    if dtype.kind in "iub":
        return generator.integers(0 if dtype.kind != "i" else -8, 8, tensor.shape).astype(dtype)
    return generator.standard_normal(tensor.shape, dtype="f4").astype(dtype)


def _in_range(values: Array, argument: SSAValue) -> Array:
    import numpy as np

    reduced = 1
    for op, index in _uses(argument):
        if POSITIVE.get(op.name) == index:
            return (np.abs(values) + np.asarray(0.5, values.dtype)).astype(values.dtype)
        if op.tiling.engine == "cube" and index > 0:
            iteration = op.tiling.iteration(op)
            along = (entry.dim for entry in iteration.operands[index] if isinstance(entry, Along))
            if any(dim >= iteration.parallel for dim in along):
                reduced = max(reduced, prod(iteration.extents[iteration.parallel :]))
    return (values / np.asarray(reduced, "f4") ** 0.5).astype(values.dtype)


def _uses(value: SSAValue) -> list[tuple[GraphOp, int]]:
    """The ops that use a value, with the operand's index; through ops that only rename elements."""
    found: list[tuple[GraphOp, int]] = []
    for use in value.uses:
        if isinstance(use.operation, GraphOp):
            found.append((use.operation, use.index))
            if use.operation.tiling.engine == "view":
                found += _uses(use.operation.results[0])
    return found


def read_inputs(path: str | Path) -> dict[str, Array]:
    """The arrays of an `.npz` file by name. Raises ProgramError, or OSError if it cannot be opened."""
    import zipfile

    import numpy as np

    try:
        loaded: Any = np.load(path, allow_pickle=False)
        if not hasattr(loaded, "files"):
            raise ProgramError(f"'{path}' holds one array without a name: inputs come in an .npz file")
        with loaded:
            return {name: loaded[name] for name in loaded.files}
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile, zipfile.LargeZipFile) as error:
        if isinstance(error, ProgramError):
            raise
        reason = str(error)
        if "pickle" in reason:
            reason = "it is no .npz file of numeric arrays"
        raise ProgramError(f"cannot read inputs from '{path}': {reason}") from None


def write_outputs(path: str | Path, outputs: Mapping[str, Array]) -> None:
    """Write outputs as an `.npz` file, complete or not at all. Of bf16, which numpy's files lack, the same numbers
    in f32."""
    from io import BytesIO

    import numpy as np

    from ..text.output_files import write_bytes

    stream = BytesIO()
    plain = {n: a.astype(np.float32) if a.dtype.name == BF16 else a for n, a in outputs.items()}
    np.savez(stream, **plain)  # pyright: ignore[reportArgumentType]
    write_bytes(path, stream.getvalue())

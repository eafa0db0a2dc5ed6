"""What becomes of the networks of `examples/networks` on a chip: kernels, bytes, time and error, as written, as a
library of operators has them, and fused."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import ascend_opt
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.pipelines import Fusing
from ascend_opt.compiler.pipeline.read_module import choose_function

NETWORKS = sorted((Path(__file__).parents[1] / "examples" / "networks").glob("*.mlir"))
CHIP = "ascend910b"


@dataclass(frozen=True)
class Outcome:
    """Of one network as compiled: kernels, bytes that DMA and FixPipe move to and from GM, µs, and the largest relative
    L2 error of its results against the reference."""

    kernels: int
    bytes: int
    time_us: float
    error: float
    apart: tuple[str, ...] = ()
    """What did not become one kernel, and why."""


def outcome(path: Path, chip: str = CHIP, fuse: Fusing = True) -> Outcome:
    """Compile with tile sizes as predicted, run with all checks."""
    program = ascend_opt.compile(path, target=chip, fuse=fuse, tune=1)
    assert program.graph_module is not None
    inputs = seeded_inputs(program.inputs, 0, choose_function(program.graph_module, program.name))
    result, wanted = program.run(inputs), program.reference(inputs)
    errors = [
        float(np.linalg.norm(np.float64(result.outputs[name]) - array) / np.linalg.norm(np.float64(array)))
        for name, array in wanted.items()
    ]
    profile = result.profile
    moved = profile.dma_read_bytes + profile.dma_write_bytes
    lines = [line.strip() for line in program.report().splitlines() if line.startswith("  refused: ")]
    apart = tuple(dict.fromkeys(line.removeprefix("refused: ").replace("graph.", "") for line in lines))
    return Outcome(len(profile.kernels), moved, profile.total_us, max(errors), apart if fuse is True else ())


def table() -> Iterator[str]:
    """Every network, one kernel for each op, library-like and fused, and what stayed apart."""
    yield "| network | kernels | MB moved | µs | times as fast as written, as a library | error |"
    yield "|---|---|---|---|---|---|"
    notes: list[str] = []
    for path in NETWORKS:
        all_three = apart, library, fused = [outcome(path, fuse=fuse) for fuse in (False, "library", True)]
        yield (
            f"| `{path.stem}` | {' → '.join(str(one.kernels) for one in all_three)} "
            f"| {' → '.join(f'{one.bytes / 1e6:.2f}' for one in all_three)} "
            f"| {' → '.join(f'{one.time_us:.1f}' for one in all_three)} "
            f"| {apart.time_us / fused.time_us:.2f}, {library.time_us / fused.time_us:.2f} | {fused.error:.1e} |"
        )
        notes += ["", f"`{path.stem}`:", "", *(f"- {note}" for note in fused.apart)]
    yield from notes


if __name__ == "__main__":
    for chosen in sys.argv[1:] or [path.stem for path in NETWORKS]:
        (file,) = (path for path in NETWORKS if path.stem == chosen)
        print(chosen, *(outcome(file, fuse=fuse) for fuse in (False, "library", True)), sep="\n    ")

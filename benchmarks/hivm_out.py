"""How far `--emit hivm` reaches: which kernels HIVM can say, whether AscendNPU-IR verifies them, and whether they give
the same values in the same time when they are read back.

    python benchmarks/hivm_out.py [--of 6]

Prints a table by category over the examples and every `--of`-th kernel of each category of `kernel_list.py`, and the
reasons of what is refused. `bishengir-opt` is looked for in the extra [triton], then in PATH.
"""

# pyright: basic

import argparse
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from kernel_list import Kernel, kernels

import ascend_opt
from ascend_opt.compiler.api import CompileError
from ascend_opt.compiler.checks.run_check import relative_error
from ascend_opt.hivm import emit, read_back

CHIP = "ascend910b"
EXAMPLES = Path(__file__).parents[1] / "examples"


@dataclass
class Row:
    """What became of the kernels of one category. `ratios`: time of what is read back by that of ours."""

    tried: int = 0
    emitted: int = 0
    verified: int = 0
    equal: int = 0
    ratios: list[float] = field(default_factory=list[float])
    refused: Counter[str] = field(default_factory=Counter[str])


def tool() -> str | None:
    """`bishengir-opt`."""
    found = find_spec("ascendnpuir")
    if found is not None and found.submodule_search_locations:
        return str(Path(next(iter(found.submodule_search_locations))) / "bin" / "bishengir-opt")
    return shutil.which("bishengir-opt")


def verifies(text: str) -> bool:
    """Whether AscendNPU-IR reads a text and finds nothing wrong with it."""
    name = tool()
    if name is None:
        return False
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([name, file.name, "-o", "/dev/null"], capture_output=True, check=False)
    return done.returncode == 0


def measure(kernel: Kernel, row: Row) -> None:
    """Compile, write and read back one kernel."""
    row.tried += 1
    try:
        program = ascend_opt.compile(kernel.text, target=CHIP, tune=1)
        text = emit(program)
    except CompileError as error:
        message = str(error).splitlines()[0]
        row.refused[re.sub(r"^.*?error: ", "", message)] += 1
        return
    row.emitted += 1
    row.verified += verifies(text)
    try:
        back = read_back(program, text)
        random = np.random.default_rng(1)
        inputs = {
            name: random.integers(0, 8, one.shape)
            if str(one.element_type)[0] == "i"
            else random.standard_normal(one.shape)
            for name, one in program.inputs.items()
        }
        ours, theirs = program.run(inputs), back.run(inputs, flags="count")
    except Exception as error:  # a table says what failed
        row.refused[f"read back: {str(error).splitlines()[0]}"] += 1
        return
    row.equal += all(alike(value, theirs.outputs[name]) for name, value in ours.outputs.items())
    row.ratios.append(theirs.profile.total_us / ours.profile.total_us)


def alike(ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Whether values are equal, but for sums that BLAS rounds otherwise where a matrix has other rows beside it: on
    some hosts a few in 100,000 are one digit apart."""
    if np.array_equal(ours, theirs, equal_nan=True):
        return True
    most = {"float16": 2.0**-15, "float32": 2.0**-20, "bfloat16": 2.0**-12}.get(ours.dtype.name, 0.0)
    return relative_error(theirs, ours) <= most


def sample(every: int) -> Iterator[Kernel]:
    """The examples, then every so many kernels of each category."""
    for file in sorted(EXAMPLES.glob("*.mlir")):
        yield Kernel("example", file.stem, file.read_text())
    seen: Counter[str] = Counter()
    for kernel in kernels():
        if seen[kernel.category] % every == 0:
            yield kernel
        seen[kernel.category] += 1


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--of", type=int, default=6, help="one of so many kernels of a category")
    every = parser.parse_args().of
    rows: dict[str, Row] = {}
    for kernel in sample(every):
        measure(kernel, rows.setdefault(kernel.category, Row()))
    print(
        "| | kernels | written | verified | values equal | time, read back / ours |\n|---|---|---|---|---|---|"
    )
    for name, row in rows.items():
        times = f"{min(row.ratios):.3f} to {max(row.ratios):.3f}" if row.ratios else ""
        print(f"| {name} | {row.tried} | {row.emitted} | {row.verified} | {row.equal} | {times} |")
    print("\n| refused | kernels |\n|---|---|")
    reasons = sum((row.refused for row in rows.values()), Counter[str]())
    for reason, count in reasons.most_common():
        print(f"| {reason} | {count} |")


if __name__ == "__main__":
    main()

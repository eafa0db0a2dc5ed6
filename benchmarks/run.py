"""All benchmarks as one table: `python benchmarks/run.py [name ...]`; exit code 1 when a bar is missed.

Each figure is held against a peer measured in the same run, or against what the target file says is ideal.
"""

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

from measure import Row

sys.path.append(str(Path(__file__).parents[1] / "tests" / "helpers"))  # builders of kernels

NAMES = (
    "tool_speed",
    "compile_time",
    "emulator_speed",
    "schedule",
    "tile_choice",
    "fused_against_parts",
    "fidelity",
    "memory_planning",
    "learned_order",
    "parallel",
)


def line(row: Row) -> str:
    sign = ">=" if row.at_least else "<="
    verdict = "met" if row.met else "MISSED"
    return (
        f"{row.name:38} {row.measured:12.4g} {row.unit:4} {row.peer:12.4g} {row.peer_name:24} "
        f"{row.figure:12.4g} {sign} {row.bar:<8g} {verdict:7} {row.note}"
    ).rstrip()


def main(names: Sequence[str]) -> int:
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        print(f"unknown benchmark {unknown[0]!r}; there are {', '.join(NAMES)}", file=sys.stderr)
        return 1
    missed = 0
    for name in names or NAMES:
        for row in importlib.import_module(name).rows():
            print(line(row), flush=True)
            missed += not row.met
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Every published point against the emulator: `python benchmarks/fidelity.py`, as `python benchmarks/run.py fidelity`.

Then the points without the numbers that were taken from them, and the intervals by regime. `--write` writes the
intervals that the package reads.

The kernels are in the package beside (`benchmarks/fidelity`).
"""

import sys

from run import main


def _rest(write: bool) -> None:
    from fidelity import intervals, leave_one_out, whole_study

    study = whole_study()
    if write:
        intervals.write(study.residuals)
    print("\nnumbers found again without the point:\n")
    print("\n".join(leave_one_out.table(study.left_out)))
    print("\nintervals by regime:\n")
    print("\n".join(intervals.table(study.residuals)))


if __name__ == "__main__":
    failed = main(["fidelity"])
    _rest("--write" in sys.argv[1:])
    sys.exit(failed)

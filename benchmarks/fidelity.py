"""Every published point against the emulator: `python benchmarks/fidelity.py`, as `python benchmarks/run.py fidelity`.

The kernels are in the package beside (`benchmarks/fidelity`).
"""

import sys

from run import main

if __name__ == "__main__":
    sys.exit(main(["fidelity"]))

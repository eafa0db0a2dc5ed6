"""Whole networks on several chips: one kernel for each op, as a library of operators has them, and fused.

    pip install --editable '.[networks]'
    python benchmarks/network_fusion.py                                     all networks, from PyTorch
    python benchmarks/network_fusion.py squeezenet bert model.onnx --target ascend910b

prints rows of a Markdown table as they are known. Times are of the clock alone, tile sizes as predicted. Bytes are all
that DMA and FixPipe move to and from GM, L2 included. What limits the fused network is the resource that held up the
kernels which take most of its time.
"""

# pyright: basic

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from networks_onnx import NAMES

import ascend_opt
from ascend_opt.compiler.onnx.imported import ImportedModel
from ascend_opt.compiler.pipeline.pipelines import Fusing
from ascend_opt.runtime.profile.profile import Profile

CHIPS = ("ascend910", "ascend910b", "ascend310p")
FORMS: tuple[Fusing, ...] = (False, "library", True)
HEAD = (
    "| network | chip | kernels | MB moved | µs | µs without launches | times as fast as written, as a library "
    "| fused: limited by |\n|---|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True)
class Outcome:
    """A network in one form: kernels, bytes to and from GM, µs with and without launches, what limits it and how much
    of its time that is."""

    kernels: int
    bytes: int
    time_us: float
    kernels_us: float
    limit: str
    share: float

    @staticmethod
    def of(profile: Profile) -> Outcome:
        held: Counter[str] = Counter()
        for kernel in profile.kernels:
            held[kernel.bottleneck.resource] += kernel.time_us + kernel.launch_us  # type: ignore[assignment]
        limit, longest = held.most_common(1)[0]
        launches = sum(kernel.launch_us for kernel in profile.kernels)
        moved = profile.dma_read_bytes + profile.dma_write_bytes
        total = profile.total_us
        return Outcome(len(profile.kernels), moved, total, total - launches, limit, longest / total)


def outcome(model: ImportedModel, chip: str, fuse: Fusing) -> Outcome:
    """Compile with tile sizes as predicted, run for the time alone."""
    return Outcome.of(ascend_opt.compile(model, chip, fuse, tune=1).time())


def row(name: str, chip: str, found: list[Outcome]) -> str:
    """A row of the table, of the outcomes of `FORMS`."""
    apart, library, fused = found

    def each(text: str) -> str:
        return " → ".join(text.format(one) for one in found)

    cells = (
        *(name, f"`{chip}`", each("{0.kernels}")),
        " → ".join(f"{one.bytes / 1e6:.1f}" for one in found),
        *(each("{0.time_us:.0f}"), each("{0.kernels_us:.0f}")),
        f"{apart.time_us / fused.time_us:.2f}, {library.time_us / fused.time_us:.2f}",
        f"{fused.limit} ({fused.share:.0%} of the time)",
    )
    return f"| {' | '.join(cells)} |"


def written(name: str, folder: str) -> Path:
    """The model of a network, which another process writes: PyTorch and the compiler need not be in one."""
    script = Path(__file__).with_name("onnx_networks.py")
    subprocess.run([sys.executable, str(script), name, folder], check=True, capture_output=True)
    return Path(folder) / f"{name}.onnx"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help=f"{', '.join(NAMES)}, or files")
    parser.add_argument("--target", action="append", metavar="CHIP", help=f"{', '.join(CHIPS)}")
    args = parser.parse_args()
    print(HEAD, flush=True)
    for name in args.networks or NAMES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(name) if name.endswith(".onnx") else written(name, folder)
            model = ascend_opt.from_onnx(path, precision="f16")
            for chip in args.target or CHIPS:
                found = [outcome(model, chip, fuse) for fuse in FORMS]
                print(row(path.stem, chip, found), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How long networks and examples take to compile, in starts of xDSL's own tool.

    pip install --editable '.[networks]'
    python benchmarks/network_compile.py [CASE ...]

Seconds of user CPU of one process, from file to ascend level, with all searches and verification. The peer is
`xdsl-opt` on an empty module; both take turns and the least of three counts, of what takes longer than 20 s one run.
Exit code 1 where a ratio is above its bar.
"""

# pyright: basic, reportMissingImports=false

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
TURNS, ONCE = 3, 20.0
LOWER = ("--fuse", "--lower")


@dataclass(frozen=True)
class Case:
    """A network that `onnx_networks.py` writes, or a file; the arguments of `ascend-opt`, and how many starts of the
    peer it may take."""

    name: str
    bar: float
    arguments: tuple[str, ...] = LOWER
    path: str = ""


LONG = """graph @long(%q: tensor<1x8x4096x64xf16>, %k: tensor<1x8x4096x64xf16>, %v: tensor<1x8x4096x64xf16>) {
  %y = attention(%q, %k, %v)
  return %y
}
"""
CASES = (
    Case("resnet50", 25),
    Case("densenet121", 60),
    Case("bert", 15),
    Case("mobilenet_v2", 25),
    Case("attention", 6, path="examples/attention.mlir"),
    Case("convolution", 4.5, path="examples/conv_bias_leaky_relu.mlir"),
    Case("printed", 1.8, ("--target", "ascend910b"), "examples/conv_bias_leaky_relu.mlir"),
    Case("attention_tuned", 60, (*LOWER, "--target", "ascend910", "--tune", "6"), "examples/attention.mlir"),
    Case("attention_4096", 20, (*LOWER, "--tune", "1"), "long.mlir"),
)


def user_seconds(command: list[str]) -> float:
    """CPU seconds that a process takes outside of the kernel."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def file_of(case: Case, folder: Path) -> Path:
    if case.path == "long.mlir":
        (folder / case.path).write_text(LONG)
        return folder / case.path
    if case.path:
        return ROOT / case.path
    writer = str(Path(__file__).with_name("onnx_networks.py"))
    subprocess.run([sys.executable, writer, case.name, str(folder)], check=True, capture_output=True)
    return folder / f"{case.name}.onnx"


def ratio(case: Case, folder: Path) -> tuple[float, float]:
    """Seconds of a case, and how many starts of the peer they are."""
    bin_ = Path(sys.executable).parent
    tool = [str(bin_ / "ascend-opt"), str(file_of(case, folder)), *case.arguments, "-o", "/dev/null"]
    empty = folder / "empty.mlir"
    empty.write_text("builtin.module {}\n")
    peer = [str(bin_ / "xdsl-opt"), str(empty)]
    own, other = list[float](), list[float]()
    for _ in range(TURNS):
        other.append(user_seconds(peer))
        own.append(user_seconds(tool))
        if own[-1] > ONCE:
            break
    return min(own), min(own) / min(other)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(case.name for case in CASES))
    names = parser.parse_args().cases
    met = True
    with tempfile.TemporaryDirectory() as folder:
        for case in (case for case in CASES if not names or case.name in names):
            seconds, times = ratio(case, Path(folder))
            met &= times <= case.bar
            verdict = "met" if times <= case.bar else "MISSED"
            print(
                f"{case.name:16}{seconds:8.2f} s = {times:6.1f} x xdsl-opt   bar {case.bar:g}: {verdict}",
                flush=True,
            )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())

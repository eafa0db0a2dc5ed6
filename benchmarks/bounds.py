"""No kernel is faster than its bounds: those of the kernel list and the examples, as emulated, cold and warm, and the
programs of published measurements.

    python benchmarks/bounds.py                                      all chips, two processes
    python benchmarks/bounds.py --target ascend910b --every 20       a sample
    python benchmarks/bounds.py --category example
    python benchmarks/bounds.py --category network --model bert.onnx    and other networks
    python benchmarks/bounds.py --category published                 programs of benchmarks/fidelity, on their own chips

Each kernel is compiled fused and as written, with tile sizes as predicted. Printed for each chip are how many launches
ran, which resources set their bounds, the ones nearest to a bound, and all below one. Exit code 1 where there is such,
or where one does not compile.
"""

# pyright: basic

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kernel_list import Kernel
from kernel_runs import over_kernels
from separable_blocks import BLOCKS, GROUPS, block

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests" / "helpers"))  # builders of kernels
NETWORK, SEPARABLE, PUBLISHED = "network", "separable", "published"
SHOWN = 5
ROUNDING = 1e-9
"""A share of the time."""


@dataclass(frozen=True)
class Launch:
    """One launch: its time and bounds in µs, and what sets these. `graph`: the bound is that of the ops."""

    name: str
    warm: bool
    time: float
    bound: float
    limit: str
    graph: bool

    @property
    def below(self) -> bool:
        return self.time < self.bound * (1 - ROUNDING)

    def __str__(self) -> str:
        whose = "its ops" if self.graph else "it"
        start = "warm" if self.warm else "cold"
        return f"{self.time:9.2f} us, bound of {whose} {self.bound:9.2f} ({self.limit}), {start}: {self.name}"


@dataclass(frozen=True)
class Found:
    """The launches of a kernel of the list, or why there are none."""

    category: str
    name: str
    launches: list[Launch] = field(default_factory=list)
    error: str = ""

    @property
    def below(self) -> list[Launch]:
        """Those that are faster than a bound."""
        return [one for one in self.launches if one.below]


def examples() -> list[Kernel]:
    """The examples, networks among them, and the graphs of this folder."""
    paths = [*ROOT.glob("examples/**/*.mlir"), *ROOT.glob("benchmarks/graphs/*.mlir")]
    return [Kernel("example", path.stem, path.read_text(encoding="utf-8")) for path in sorted(paths)]


def separable() -> list[Kernel]:
    """Depthwise-separable blocks in both layouts; `measure` takes them as one kernel and apart."""
    return [
        Kernel(
            SEPARABLE,
            f"{batch}x{c}x{size}x{size} to {o}, stride {stride}{' in blocks' if blocks else ''}",
            text,
        )
        for batch, c, o, size, stride in BLOCKS
        for blocks in (False, True)
        for text in [block(batch, c, o, size, stride, GROUPS["one"], blocks)]
    ]


def published(every: int) -> bool:
    """Print the launches of programs of published measurements, whether or not they are long (`every` is 1: all of
    them), that are below their bounds; whether there is none."""
    from fidelity import cases
    from fidelity.point import Long, watched

    some = [case for case in cases() if every == 1 or not isinstance(case, Long)]
    below, count = list[str](), 0
    for case in some:
        with watched() as profiles:
            points = list(case())
        for kernel in (kernel for profile in profiles for kernel in profile.kernels):
            count += 1
            if kernel.time_us < kernel.bound_us * (1 - ROUNDING):
                title = points[0].name
                below.append(
                    f"{kernel.time_us:9.2f} us, bound {kernel.bound_us:9.2f} ({kernel.limit}): {title}"
                )
    print(f"published programs: {count} launches timed, {len(below)} times below a bound")
    print("".join(f"    BELOW    {line}\n" for line in below), end="")
    return not below


def measure(kernel: Kernel, chip: str) -> Found:
    import ascend_opt

    launches: list[Launch] = []
    source = Path(kernel.text) if kernel.category == NETWORK else kernel.text
    for fuse in (True, False):
        try:
            program = ascend_opt.compile(source, target=chip, tune=1, fuse=fuse)
        except ascend_opt.CompileError as error:
            return Found(kernel.category, kernel.name, error=str(error).splitlines()[0])
        for warm in (False, True):
            for one in program.time(warm=warm).kernels:
                title = f"{kernel.category}: {kernel.name}, {one.name}"
                launches.append(Launch(title, warm, one.time_us, one.bound_us, one.limit, False))
                if one.graph_limit:
                    ops = one.graph_bound_us, one.graph_limit
                    launches.append(Launch(title, warm, one.time_us, *ops, True))
    return Found(kernel.category, kernel.name, launches)


def _measure(work: tuple[Kernel, str]) -> Found:
    return measure(*work)


def summary(chip: str, found: Sequence[Found]) -> bool:
    """Print what was found on a chip; whether all kernels compile, and no launch is faster than its bounds."""
    launches = [launch for one in found for launch in one.launches]
    below = [launch for one in found for launch in one.below]
    near = sorted((launch for launch in launches if launch.bound), key=lambda one: one.time / one.bound)
    timed = sum(not one.graph for one in launches)
    print(f"{chip}: {timed} launches timed, {len(below)} times below a bound")
    for graph in (False, True):
        limits = Counter(one.limit for one in launches if one.graph is graph)
        counts = ", ".join(f"{limit} {count}" for limit, count in limits.most_common())
        print(f"    {'bounds of the ops' if graph else 'bounds of the kernels'} are set by {counts}")
    for title, some in (("BELOW", below), ("nearest", near[:SHOWN])):
        for one in some:
            print(f"    {title:8} {one}")
    refused = [one for one in found if one.error]
    for one in refused:
        print(f"    no kernel  {one.category}: {one.name}: {one.error}")
    return not below and not refused


def main(arguments: Iterable[str] | None = None) -> int:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--model", action="append", default=[])
    args, others = parser.parse_known_args(None if arguments is None else list(arguments))
    always = [*examples(), *separable(), *(Kernel(NETWORK, Path(path).stem, path) for path in args.model)]
    return over_kernels(__doc__ or "", 1, _measure, summary, others, always, (PUBLISHED, published))


if __name__ == "__main__":
    sys.exit(main())

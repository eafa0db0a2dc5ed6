"""No fusion may be slower than its parts: each graph fused, and as written with one kernel for each op.

    python benchmarks/fused_against_parts.py [chip | part of a name ...]    exit code 1 where a ratio misses its limit

The graphs are those of `benchmarks/graphs`, the examples and the blocks of `separable_blocks.py`. Times are those of
the emulator's clock, launches included, with tile sizes as predicted (`tune=1`), which is what `ascend-opt` prints.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import separable_blocks
from measure import Row

import ascend_opt

HERE = Path(__file__).parent
CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
LIMIT = 1.02
"""Time of the fused program over that of its parts."""


@dataclass(frozen=True)
class Compared:
    """A graph on a chip: kernels and microseconds, fused and in parts."""

    name: str
    chip: str
    kernels: int
    parts: int
    fused_us: float
    parts_us: float

    @property
    def ratio(self) -> float:
        return self.fused_us / self.parts_us

    @property
    def met(self) -> bool:
        return self.ratio <= LIMIT


def graphs() -> Mapping[str, str]:
    """All graphs as text, by name."""
    files = [*HERE.glob("graphs/*.mlir"), *(HERE.parent / "examples").rglob("*.mlir")]
    found = {file.stem: file.read_text() for file in sorted(files)}
    for case in separable_blocks.BLOCKS:
        for blocks in (False, True):
            batch, c, _, size, stride = case
            name = f"separable {batch}x{c}x{size}x{size}, s{stride}" + ", nc1hwc0" * blocks
            found[name] = _unmarked(separable_blocks.block(*case, separable_blocks.GROUPS["one"], blocks))
    return found


def _unmarked(text: str) -> str:
    """A graph without marks of what is to be fused."""
    return re.sub(r', fuse = "\w+"', "", re.sub(r' \{fuse = "\w+"\}', "", text))


def compared(name: str, text: str, chip: str) -> Compared:
    """Both programs of a graph, timed."""
    timed = partial(ascend_opt.compile, text, target=chip, tune=1)
    fused, parts = timed().time(), timed(fuse=False).time()
    return Compared(name, chip, len(fused.kernels), len(parts.kernels), fused.total_us, parts.total_us)


def measured(chosen: Mapping[str, str], chips: Sequence[str] = CHIPS) -> Iterator[Compared]:
    for name, text in chosen.items():
        for chip in chips:
            yield compared(name, text, chip)


def rows() -> Iterator[Row]:
    """The worst graph of each chip."""
    found = list(measured(graphs()))
    for chip in CHIPS:
        worst = max((one for one in found if one.chip == chip), key=lambda one: one.ratio)
        yield Row(
            f"fused against parts, {chip}", worst.fused_us, worst.parts_us, "us", "us in parts", worst.ratio, LIMIT,
            note=worst.name,
        )  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    chips = [name for name in CHIPS if name in arguments] or CHIPS
    parts = [name for name in arguments if name not in CHIPS]
    chosen = {n: text for n, text in graphs().items() if not parts or any(part in n for part in parts)}
    print("graph".ljust(40) + "chip         kernels      fused      parts    ratio")
    worst, missed = 0.0, 0
    for one in measured(chosen, chips):
        missed, worst = missed + (not one.met), max(worst, one.ratio)
        print(
            f"{one.name:40}{one.chip:12} {one.kernels:3} / {one.parts:2} {one.fused_us:7.1f} us {one.parts_us:7.1f} us"
            f" {one.ratio:8.3f}" + "  MISSED" * (not one.met),
            flush=True,
        )
    print(f"worst ratio {worst:.3f}, limit {LIMIT}: {missed} missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

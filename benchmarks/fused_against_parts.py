"""No fusion may be slower than its parts: each graph fused, and as written with one kernel for each op.

    python benchmarks/fused_against_parts.py                                  graphs, and one kernel of 30, all chips
    python benchmarks/fused_against_parts.py --target ascend910b --every 1    all of `kernel_list.py`
    python benchmarks/fused_against_parts.py --category graph                 graphs alone

The graphs are those of `benchmarks/graphs`, the examples and the blocks of `separable_blocks.py`. Times are those of
the emulator's clock, launches included, with tile sizes as predicted (`tune=1`), which is what `ascend-opt` prints.
Exit code 1 where a ratio misses its limit.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import separable_blocks
from kernel_list import Kernel
from kernel_runs import CHIPS, over_kernels
from measure import Row

import ascend_opt

HERE = Path(__file__).parent
LIMIT = 1.02
"""Time of the fused program over that of its parts."""
SHOWN = 12


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


def measured(kernel: Kernel, chip: str) -> Compared | None:
    """Both programs of a graph of the list; None where the chip has none."""
    try:
        return compared(f"{kernel.category}: {kernel.name}", kernel.text, chip)
    except ascend_opt.CompileError:
        return None


def _measured(work: tuple[Kernel, str]) -> Compared | None:
    return measured(*work)


def rows() -> Iterator[Row]:
    """The worst graph of each chip."""
    for chip in CHIPS:
        found = [compared(name, text, chip) for name, text in graphs().items()]
        worst = max(found, key=lambda one: one.ratio)
        yield Row(
            f"fused against parts, {chip}", worst.fused_us, worst.parts_us, "us", "us in parts", worst.ratio, LIMIT,
            note=worst.name,
        )  # fmt: skip


def summary(chip: str, found: Sequence[Compared]) -> bool:
    """Print the worst of what was found on a chip; whether all meet the limit."""
    missed = [one for one in found if not one.met]
    worst = sorted(found, key=lambda one: -one.ratio)
    print(
        f"{chip}: {len(found)} graphs, {len(missed)} slower than their parts (limit {LIMIT}), "
        f"worst {worst[0].ratio:.3f}: {'MISSED' if missed else 'met'}"
    )
    for one in worst[: max(SHOWN, len(missed))]:
        print(
            f"    {one.ratio:6.3f}  {one.fused_us:8.1f} us {one.parts_us:8.1f} us in parts"
            f"  {one.kernels:3} / {one.parts:2} kernels  {one.name}"
        )
    return not missed


def main(arguments: Iterable[str] | None = None) -> int:
    given = [Kernel("graph", name, text) for name, text in graphs().items()]
    return over_kernels(__doc__ or "", 30, _measured, summary, arguments, given)


if __name__ == "__main__":
    sys.exit(main())

"""Depthwise-separable blocks (depthwise, batch norm, relu, pointwise, batch norm, relu) as one kernel.

    python benchmarks/separable_blocks.py [chip | layout ...]      text; exit code 1 where a case misses its limit
    python docs/generate.py --slow                                 the tables of docs/benchmarks.md

For each block: HBM bytes and time of one kernel, over four (depthwise; norm and relu; pointwise; norm and relu) and two
kernels, the compulsory saving in bytes (input, weights and output against every tensor of the four kernels once), the
least time of the block whatever the program, and what held the kernel up. Of kernels apart whose input and result
are in blocks, the faster ones of both layouts count. The limit of the time is 1.2 x the bound as it was `before`,
with the result across HBM too, the launch and 3 us. `work` is the bound of what the kernel does, computing again
included.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import ascend_opt
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.runtime.machine.costs import copy_cost, mmad_cost, transpose_cost, vec_cost
from ascend_opt.runtime.machine.limits import hbm_cycles
from ascend_opt.runtime.profile.profile import Profile

BLOCKS = tuple(
    (batch, c, o, size, stride)
    for c, o, size, strides in ((32, 64, 112, (1, 2)), (512, 512, 14, (1, 2)))
    for stride in strides
    for batch in (1, 8, 32)
)
"""Batch, channels, filters, height and width, stride of the depthwise convolution."""
GROUPS = {"one": "a a a a a a", "two": "a a a b b b", "four": "a b b c d d"}
LAYOUTS = ("row-major", "nc1hwc0")
"""How input and result lie."""
CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")


def block(batch: int, c: int, o: int, size: int, stride: int, groups: str, blocks: bool = False) -> str:
    """The block as graph text, its six ops in kernels named by `groups`. With `blocks` its input and its result are
    NC1HWC0, as between the layers of a network."""
    names, out = groups.split(), -(-size // stride)

    def norm(n: int, width: int) -> str:
        return ", ".join(f"%{v}{n}: tensor<{width}xf16> {{weight}}" for v in "sbmv")

    x, before, behind, y = f"{batch}x{c}x{size}x{size}", "", "", "%5"
    if blocks:
        x, y = f"{batch}x{c // 16}x{size}x{size}x16", "%y"
        before = f"""  %t = transpose(%x5) {{perm = [0, 1, 4, 2, 3]}}
  %x = reshape(%t) {{shape = [{batch}, {c}, {size}, {size}]}}
"""
        behind = f"""
  %r = reshape(%5) {{shape = [{batch}, {o // 16}, 16, {out}, {out}]}}
  %y = transpose(%r) {{perm = [0, 1, 3, 4, 2]}}"""
    arguments = (
        f"%{'x5' if blocks else 'x'}: tensor<{x}xf16>, %d: tensor<{c}x1x3x3xf16> {{weight}}, {norm(0, c)}, "
        f"%p: tensor<{o}x{c}x1x1xf16> {{weight}}, {norm(1, o)}"
    )
    fuse = [f'fuse = "{name}"' for name in names]
    return f"""graph @block({arguments}) {{
{before}  %0 = conv2d(%x, %d) {{pads = [1, 1, 1, 1], strides = [{stride}, {stride}], groups = {c}, {fuse[0]}}}
  %1 = batch_norm(%0, %s0, %b0, %m0, %v0) {{{fuse[1]}}}
  %2 = relu(%1) {{{fuse[2]}}}
  %3 = conv2d(%2, %p) {{{fuse[3]}}}
  %4 = batch_norm(%3, %s1, %b1, %m1, %v1) {{{fuse[4]}}}
  %5 = relu(%4) {{{fuse[5]}}}{behind}
  return {y}
}}"""


def timed(case: tuple[int, ...], kernels: str, chip: str, blocks: bool) -> Profile:
    batch, c, o, size, stride = case
    text = block(batch, c, o, size, stride, GROUPS[kernels], blocks)
    return ascend_opt.compile(text, target=chip, tune=1).time()


def compulsory(case: tuple[int, ...]) -> float:
    """Share of the four kernels' bytes that one kernel need not move."""
    batch, c, o, size, stride = case
    out = -(-size // stride)
    first, middle, last = (batch * n * s * s for n, s in ((c, size), (c, out), (o, out)))
    weights = prod((c, 9)) + c * o
    four = first + middle * 4 + last * 3 + weights
    return 1 - (first + last + weights) / four


def hbm(profile: Profile) -> int:
    """HBM bytes, those that the last kernels left in L2 too."""
    return sum(k.compulsory_bytes for k in profile.kernels)


def least(case: tuple[int, ...], target: Target, blocks: bool) -> tuple[float, float, str]:
    """Microseconds that the block takes at least on all cores of a chip, those where its result crosses HBM too, and
    what sets the former: the input and weights once across HBM, and what L2 does not hold of the result, whole fractals
    of the product, and the Vector unit's repeats. These are 9 taps, shift and relu of the depthwise
    result, shift and relu of the result, and the change of layout on both sides of the Cube unless `blocks`; where no
    FixPipe does it, the accumulator's way to UB too."""
    batch, c, o, size, stride = case
    out = -(-size // stride)
    first, middle, last = (batch * n * s * s for n, s in ((c, size), (c, out), (o, out)))

    def repeats(elements: int) -> int:
        return -(-elements * 2 // target.vector.bytes_per_repeat)

    def vector(name: str, elements: int) -> float:
        return vec_cost(target, name, "f16", repeats(elements)).ideal

    cycles = vector("vmul", middle) + 8 * vector("vmadd", middle)
    cycles += sum(vector(name, n) for name in ("vadd", "vrelu") for n in (middle, last))
    if not blocks:
        cycles += transpose_cost(target, "f16", -(-min(first, middle) // 256)).ideal
        cycles += transpose_cost(target, "f16", -(-last // 256)).ideal
    if not target.split:
        cycles += copy_cost(target, "l0c", "ub", 1, last * 4).ideal
    cube = batch * mmad_cost(target, "f16", out * out, o, c).ideal
    read, written = 2 * (first + 9 * c + c * o), 2 * last
    limits = {
        "HBM": hbm_cycles(target, read, written),
        "Cube": cube / target.cores,
        "Vector": cycles / target.vector_units,
    }
    name = max(limits, key=lambda n: limits[n])
    across = max(*limits.values(), (read + written) / target.memory.hbm_chip)
    return target.microseconds(limits[name]), target.microseconds(across), name


@dataclass(frozen=True)
class Row:
    """One block on one chip: kernels that the forced group became, bytes saved and those that can be, microseconds, DMA
    bytes that cores hand over in L2 (`handed`)."""

    case: tuple[int, ...]
    kernels: int
    saved: float
    needed: float
    time: float
    bound: float
    across: float
    limit: float
    by: str
    work: float
    held: str
    over_four: float
    over_two: float
    handed: int

    @property
    def ok(self) -> bool:
        return self.kernels == 1 and self.time <= self.limit and self.saved >= self.needed - 0.03

    @property
    def name(self) -> str:
        batch, c, o, size, stride = self.case
        return f"{batch}x{c}x{size}x{size}, {o}, s{stride}"


def measured(chip: str, blocks: bool, cases: Sequence[tuple[int, ...]] = BLOCKS) -> Iterator[Row]:
    target = load_target(chip)
    layouts = (
        (False, True) if blocks else (False,)
    )  # of those apart, who put no blocks together, the better one
    for case in cases:
        one = timed(case, "one", chip, blocks)
        two, four = (
            [timed(case, kernels, chip, layout) for layout in layouts] for kernels in ("two", "four")
        )
        kernel = one.kernels[0]
        bound, across, by = least(case, target, blocks)
        held = f"{kernel.bottleneck.resource} {kernel.bottleneck.share:.0%}"
        yield Row(
            case, len(one.kernels), 1 - hbm(one) / min(map(hbm, four)), compulsory(case), one.total_us, bound, across,
            1.2 * across + kernel.launch_us + 3, by, kernel.bound_us, held,
            min(p.total_us for p in four) / one.total_us, min(p.total_us for p in two) / one.total_us,
            kernel.workspace_bytes,
        )  # fmt: skip


def table(chips: Sequence[str] = CHIPS, blocks: bool = False) -> Iterator[str]:
    """All cases as a table in markdown, row-major or in `blocks`; of chips whose Cube and Vector are apart with what
    these hand over."""
    apart = any(load_target(chip).split for chip in chips)
    columns = (
        "chip",
        "x, filters, stride",
        "bytes saved (can be)",
        "µs",
        "bound",
        "before",
        "limit",
        "work",
        "held up by",
    )
    columns += ("/ four", "/ two", *(["MB handed over"] if apart else []))
    yield "| " + " | ".join(columns) + " |"
    yield "|---" * len(columns) + "|"
    for chip in chips:
        for row in measured(chip, blocks):
            time = f"{row.time:.1f}" if row.ok else f"**{row.time:.1f}**"
            yield (
                f"| `{chip}` | {row.name} | {row.saved:.0%} ({row.needed:.0%}) | {time} | {row.bound:.1f} {row.by} "
                f"| {row.across:.1f} | {row.limit:.1f} | {row.work:.1f} | {row.held} "
                f"| {row.over_four:.2f} | {row.over_two:.2f} |"
                + (f" {row.handed / 1e6:.1f} |" if apart else "")
            )


def main(arguments: list[str]) -> int:
    missed = 0
    chosen = [name for name in arguments if name not in LAYOUTS]
    for chip, layout in product(chosen or CHIPS, [name for name in LAYOUTS if name in arguments] or LAYOUTS):
        print(f"{chip}, {layout}: depthwise-separable blocks, one kernel against four and two")
        print(
            "  x, filters, stride        kernels   bytes saved (compulsory)    time     limit     work"
            "   /four   /two  held up by"
        )
        for row in measured(chip, layout == "nc1hwc0"):
            missed += not row.ok
            bytes_ = f"{row.kernels}   {row.saved:9.1%} ({row.needed:.1%})".ljust(32)
            faster = f"{row.over_four:6.2f} {row.over_two:6.2f}"
            verdict = "" if row.ok else "  MISSED"
            print(
                f"  {row.name}".ljust(30) + f"{bytes_}{row.time:8.1f} {row.limit:8.1f} {row.work:8.1f}  "
                f"{faster}  {row.held}{verdict}",
                flush=True,
            )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Depthwise-separable blocks (depthwise, batch norm, relu, pointwise, batch norm, relu) as one kernel.

    python benchmarks/separable_blocks.py [chip ...]

For each block: HBM bytes and time of one kernel, over four (depthwise; norm and relu; pointwise; norm and relu) and two
kernels, the compulsory saving in bytes (input, weights and output against every tensor of the four kernels once), the
bound of the one kernel and what limits it. The limit of the time is 1.2 x the bound, the launch and 3 us.
"""

import sys
from math import prod

import ascend_opt
from ascend_opt.runtime.profile import Profile

BLOCKS = tuple(
    (batch, c, o, size, stride)
    for c, o, size, strides in ((32, 64, 112, (1, 2)), (512, 512, 14, (1, 2)))
    for stride in strides
    for batch in (1, 8, 32)
)
"""Batch, channels, filters, height and width, stride of the depthwise convolution."""
GROUPS = {"one": "a a a a a a", "two": "a a a b b b", "four": "a b b c d d"}
CHIPS = ("ascend910", "ascend310p", "ascend910b1")


def block(batch: int, c: int, o: int, size: int, stride: int, groups: str) -> str:
    """The block as graph text, its six ops in kernels named by `groups`."""
    names = groups.split()

    def norm(n: int, width: int) -> str:
        return ", ".join(f"%{v}{n}: tensor<{width}xf16> {{weight}}" for v in "sbmv")

    arguments = (
        f"%x: tensor<{batch}x{c}x{size}x{size}xf16>, %d: tensor<{c}x1x3x3xf16> {{weight}}, {norm(0, c)}, "
        f"%p: tensor<{o}x{c}x1x1xf16> {{weight}}, {norm(1, o)}"
    )
    fuse = [f'fuse = "{name}"' for name in names]
    return f"""graph @block({arguments}) {{
  %0 = conv2d(%x, %d) {{pads = [1, 1, 1, 1], strides = [{stride}, {stride}], groups = {c}, {fuse[0]}}}
  %1 = batch_norm(%0, %s0, %b0, %m0, %v0) {{{fuse[1]}}}
  %2 = relu(%1) {{{fuse[2]}}}
  %3 = conv2d(%2, %p) {{{fuse[3]}}}
  %4 = batch_norm(%3, %s1, %b1, %m1, %v1) {{{fuse[4]}}}
  %5 = relu(%4) {{{fuse[5]}}}
  return %5
}}"""


def timed(case: tuple[int, ...], kernels: str, chip: str) -> Profile:
    batch, c, o, size, stride = case
    return ascend_opt.compile(block(batch, c, o, size, stride, GROUPS[kernels]), target=chip, tune=1).time()


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


def main(chips: list[str]) -> int:
    missed = 0
    for chip in chips or CHIPS:
        print(f"{chip}: depthwise-separable blocks, one kernel against four and two")
        print(
            "  x, filters, stride        kernels   bytes saved (compulsory)    time     limit    /four   /two  by"
        )
        for case in BLOCKS:
            one, two, four = (timed(case, kernels, chip) for kernels in ("one", "two", "four"))
            kernel = one.kernels[0]
            limit = 1.2 * kernel.bound_us + kernel.launch_us + 3
            saved, needed = 1 - hbm(one) / hbm(four), compulsory(case)
            ok = len(one.kernels) == 1 and one.total_us <= limit and saved >= needed - 0.03
            missed += not ok
            batch, c, o, size, stride = case
            shape = f"  {batch}x{c}x{size}x{size}, {o}, s{stride}".ljust(30)
            bytes_ = f"{len(one.kernels)}   {saved:9.1%} ({needed:.1%})".ljust(32)
            faster = f"{four.total_us / one.total_us:6.2f} {two.total_us / one.total_us:6.2f}"
            verdict = "" if ok else "  MISSED"
            print(
                f"{shape}{bytes_}{one.total_us:8.1f} {limit:8.1f}  {faster}  {kernel.limit}{verdict}",
                flush=True,
            )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""How compile time grows: chains of 10, 100 and 1000 blocks that all differ, and twelve layers that are all alike.

    python benchmarks/compile_time.py [chain ...]

The figure of a chain is what a block costs between 100 and 1000 blocks over what it costs between 10 and 100: 1 where
time is linear. The two shorter ones are timed before and after the long one, and their mean counts. That of the layers
is the time of twelve over that of one. Seconds are of this process's CPU, from graph text to program, tile sizes as
predicted (`tune=1`).
"""

import sys
import time
from collections.abc import Iterator

from measure import Row

import ascend_opt

COUNTS = (10, 100, 1000)
BAR = 1.3
LAYERS, LAYERS_BAR = 12, 2.0


def seconds(text: str) -> float:
    start = time.process_time()
    ascend_opt.compile(text, tune=1)
    return time.process_time() - start


def chain_row(name: str) -> Row:
    import chains

    chain = {
        "product": chains.product_chain,
        "convolution": chains.convolution_chain,
        "elementwise": chains.elementwise_chain,
        "norm": chains.norm_chain,
    }[name]
    seconds(chain(2))  # imports
    few, more, most = (seconds(chain(count)) for count in COUNTS)
    # what else the machine does makes CPU seconds longer: the short chains are timed on both sides of the long one
    again = [seconds(chain(count)) for count in COUNTS[:2]]
    few, more = (few + again[0]) / 2, (more + again[1]) / 2
    before = (more - few) / (COUNTS[1] - COUNTS[0])
    after = (most - more) / (COUNTS[2] - COUNTS[1])
    note = f"{COUNTS[0]}: {few:.1f} s, {COUNTS[1]}: {more:.1f} s (the second time {again[1]:.1f} s), "
    note += f"{COUNTS[2]}: {most:.1f} s"
    return Row(
        f"{name} chain",
        after * 1e3,
        before * 1e3,
        "ms",
        "ms a block up to 100",
        after / before,
        BAR,
        note=note,
    )


def layers_row() -> Row:
    from chains import layers

    seconds(layers(1))
    one, all_ = (min(seconds(layers(count)) for _ in range(3)) for count in (1, LAYERS))
    return Row(
        f"{LAYERS} equal layers", all_ * 1e3, one * 1e3, "ms", "ms of one layer", all_ / one, LAYERS_BAR
    )


def rows() -> Iterator[Row]:
    yield layers_row()
    yield chain_row("elementwise")
    yield chain_row("norm")
    yield chain_row("convolution")
    yield chain_row("product")


if __name__ == "__main__":
    from run import line

    for chosen in sys.argv[1:] or ("elementwise", "norm", "convolution", "product"):
        print(line(chain_row(chosen) if chosen != "layers" else layers_row()), flush=True)

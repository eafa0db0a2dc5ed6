"""How many trials a learned order of tilings spares: each network left out, replayed on recorded tables.

    python benchmarks/learned_order.py                                    the tables of benchmarks/data
    python benchmarks/learned_order.py --record model.mlir --target ascend910b

A table has the times of all tilings of a kernel that `ascend-tune` may try. Of each network an order is learned from
the tables of the others, without kernels that they share. A replay begins with the tilings of the default plan, as a
search does, and counts trials until the network's kernels together take at most 1 % more than with the best tiling of
each: mean of 5 seeds, no clock runs. The same is counted kernel by kernel, each to within 1 % of its best. The bar is a
third of the trials that the untrained order needs, which are listed tilings and TPE. Exit code 1 where it is
missed. `--record` adds the tables of a model's kernels, those whose default takes under a second to time.
"""

# pyright: basic

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from measure import Row

import ascend_opt
from ascend_opt.compiler.tune.kernel_trials import SpaceTask, TimeTask, tilings_of, time_kernel
from ascend_opt.compiler.tune.order_card import card_lines, card_of, left_out
from ascend_opt.compiler.tune.problem import Prepared
from ascend_opt.compiler.tune.studies import SPACE
from ascend_opt.compiler.tune.tables import Table, read_tables, write_tables

TABLES = Path(__file__).parent / "data" / "tilings.json.gz"
BAR = 1 / 3
SLOW = 1.0
"""CPU seconds of the default's trial from which on a kernel is not recorded."""


def rows() -> Iterator[Row]:
    tables = read_tables(TABLES)
    card = card_of(tables, list(left_out(tables, [table.features() for table in tables])))
    print("\n".join(card_lines(card)))
    for name in ("networks", "kernels"):
        trials = card[f"all_{name}"]
        yield Row(
            f"trials in the learned order, {name}", trials["learned"], trials["untrained"], "", "untrained order",
            trials["learned"] / trials["untrained"], BAR, note=f"by prediction alone {trials['predicted']:g}",
        )  # fmt: skip


def record(path: str, target: str) -> Iterator[Table]:
    """The tables of a model's kernels on a chip."""
    program = ascend_opt.compile(path, target)
    assert program.plan is not None
    assert program.graph_module is not None
    prepared = Prepared(program.graph_module, program.name, target)
    for text in dict.fromkeys(kernel.text for kernel in prepared.kernels(program.plan)):
        tilings = tilings_of(SpaceTask(text, target, SPACE))
        times: list[float] = []
        for tiling in tilings:
            start = time.process_time()
            timed = time_kernel(TimeTask(text, target, tiling))
            if not times and time.process_time() - start > SLOW:
                break
            times.append(float("inf") if timed is None else timed.time_us)
        if len(times) == len(tilings) > 3:
            yield Table(Path(path).stem, target, text, tilings, times)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--record", metavar="MODEL")
    parser.add_argument("--target", metavar="CHIP", default="ascend910b")
    options = parser.parse_args()
    if options.record is None:
        from run import line

        found = list(rows())
        print("\n".join(map(line, found)))
        return 0 if all(row.met for row in found) else 1
    known = {(t.chip, t.text): t for t in (read_tables(TABLES) if TABLES.exists() else [])}
    known |= {(t.chip, t.text): t for t in record(options.record, options.target)}
    write_tables(TABLES, known.values())
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Kernels of `kernel_list.py` on chips, one process for each, and what was found of them."""

# pyright: basic

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from kernel_list import Kernel, kernels

CHIPS = ("ascend910b", "ascend910", "ascend310p", "ascend950")


def over_kernels(
    description: str,
    every: int,
    one: Callable[[tuple[Kernel, str]], Any],
    summary: Callable[[str, Sequence[Any]], bool],
    arguments: Iterable[str] | None = None,
    always: Sequence[Kernel] = (),
    beside: tuple[str, Callable[[int], bool]] | None = None,
) -> int:
    """Find `one` of each kernel (None: nothing to say) on each chip that the command line names, show the `summary` of
    a chip, which says whether its bars are met, and write all figures where that is asked for. `every`: how many
    kernels one is taken of, unless the command line says; `always` are taken before them. `beside`: a category that is
    of no list, and what shows it, given `every`, and says whether its bars are met. The exit code: 1 where a bar is
    missed."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--target", action="append", choices=CHIPS)
    parser.add_argument("--every", type=int, default=every, metavar="N", help="one kernel of so many")
    parser.add_argument("--category", action="append", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", metavar="FILE", help="all figures")
    args = parser.parse_args(None if arguments is None else list(arguments))
    asked_for = [
        [k for k in listed if not args.category or k.category in args.category]
        for listed in (always, kernels())
    ]
    wanted = [*asked_for[0], *asked_for[1][:: args.every]]
    met, everything = True, {}
    if beside is not None and beside[0] in (args.category or beside):
        met = beside[1](args.every)
        if args.category == [beside[0]]:
            return 0 if met else 1
    with ProcessPoolExecutor(args.jobs) as pool:
        for chip in args.target or CHIPS:
            asked = _watched(pool.map(one, [(kernel, chip) for kernel in wanted]), wanted, chip)
            found = [figures for figures in asked if figures is not None]
            met &= summary(chip, found)
            sys.stdout.flush()
            everything[chip] = [vars(figures) for figures in found]
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(everything, file, indent=1, default=vars)
    return 0 if met else 1


def _watched(found: Iterable[Any], wanted: Sequence[Kernel], chip: str) -> Iterator[Any]:
    """What is found of each kernel, with a line about it on the standard error: a whole list takes long."""
    begun = time.monotonic()
    for i, (kernel, figures) in enumerate(zip(wanted, found, strict=True), 1):
        said = "nothing" if figures is None else "done"
        took = f"{time.monotonic() - begun:.0f} s"
        print(f"{chip} {i}/{len(wanted)} {took}: {kernel.category}: {kernel.name}: {said}", file=sys.stderr)
        yield figures


__all__ = ["CHIPS", "over_kernels"]

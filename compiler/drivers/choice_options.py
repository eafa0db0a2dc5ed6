"""The options of both tools about fusion and tiles, what they say, and which of it no pass takes."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection
from typing import Any

from ...passes.kernels.tuner import TUNE
from ...passes.support.size_ranges import read_range
from ..pipeline.pipelines import (
    APART_HELP,
    CHOOSE_TILES,
    DYNAMIC_RANGE_HELP,
    DYNAMIC_SIZES_HELP,
    MARK_HELP,
    MAX_LOSS_HELP,
    MAX_OCCUPANCY_HELP,
    MIN_GAIN_HELP,
    PLAN_HELP,
    SAVE_PLAN_HELP,
    STORE_HELP,
    read_sizes,
)
from .shares import share, share_of_time


def add_choice_options(add: Callable[..., Any]) -> None:
    """Add the options by a parser's `add_argument`."""
    add("--min-gain", type=share, metavar="SHARE", help=MIN_GAIN_HELP)
    add("--max-occupancy", type=share, metavar="SHARE", help=MAX_OCCUPANCY_HELP)
    add("--no-join-launches", dest="join_launches", action="store_false", help=APART_HELP)
    add("--mark", action="append", default=[], metavar="MARK", dest="marks", help=MARK_HELP)
    add("--plan", metavar="FILE", help=PLAN_HELP)
    add("--store", metavar="FILE", help=STORE_HELP)
    add("--save-plan", metavar="FILE", help=SAVE_PLAN_HELP)
    add("--dynamic-sizes", type=read_sizes, default=(), metavar="N,N", help=DYNAMIC_SIZES_HELP)
    add("--dynamic-range", type=read_range, default=(), metavar="A-B", help=DYNAMIC_RANGE_HELP)
    add("--max-loss", type=share_of_time, metavar="SHARE", help=MAX_LOSS_HELP)


def fusion_limits(args: argparse.Namespace) -> dict[str, Any]:
    """What the command line says of fusion."""
    limits = {"min-gain": args.min_gain, "max-occupancy": args.max_occupancy, "plan": args.plan}
    limits |= {} if args.join_launches else {"join-launches": False}
    return {name: value for name, value in limits.items() if value is not None}


def unused(args: argparse.Namespace, passes: Collection[str]) -> list[str]:
    """Notes on options that none of the passes takes."""
    notes: list[str] = []
    if "tile-fuse" not in passes:
        names = (name.replace("join", "no-join") for name in fusion_limits(args))
        notes += [f"--{name} has no effect: nothing is fused without --fuse" for name in names]
    if not _choose_tiles(passes):
        notes += [
            f"{name} has no effect: nothing is tiled without --fuse or --lower"
            for name in _ways_to_choose(args)
        ]
    return notes


def tile_options(args: argparse.Namespace, passes: Collection[str]) -> list[str]:
    """The options that were given for the choice of tiles, without those that `unused` is about."""
    sizes = ("--dynamic-sizes",) * bool(args.dynamic_sizes) + ("--dynamic-range",) * bool(args.dynamic_range)
    return [*(_ways_to_choose(args) if _choose_tiles(passes) else ()), *sizes]


def _choose_tiles(passes: Collection[str]) -> bool:
    return any(name in passes for name in CHOOSE_TILES)


def _ways_to_choose(args: argparse.Namespace) -> list[str]:
    return ["--tune"] * (args.tune != TUNE) + ["--store"] * (args.store is not None)


__all__ = ["add_choice_options", "fusion_limits", "tile_options", "unused"]

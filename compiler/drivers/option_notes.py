"""What the command line of `ascend-opt` says of fusion and of tiles, and which of it no pass takes."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from typing import Any

from ...passes.kernels.tuner import TUNE
from ..pipeline.pipelines import CHOOSE_TILES


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


__all__ = ["fusion_limits", "tile_options", "unused"]

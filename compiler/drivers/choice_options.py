"""The options of both tools about fusion and tiles, what they say, and which of it no pass takes."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Sequence
from typing import Any

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ...passes.kernels.tuner import TUNE
from ...passes.support.size_ranges import read_range
from ..pipeline.pass_text import WrittenSpec
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
    if args.marks and not {"tile-fuse", "tile-group"}.intersection(passes) and "tile-from-graph" in passes:
        notes.append("--mark has no effect: nothing is fused without --fuse")
    elif args.marks and "graph-mark-library" in passes:
        notes.append("--mark has no effect: kernels are those of --library")
    if not _choose_tiles(passes):
        notes += [
            f"{name} has no effect: nothing is tiled without --fuse or --lower"
            for name in _ways_to_choose(args)
        ]
    return notes


def overruled(args: argparse.Namespace, specs: Sequence[ArgSpec], passes: Sequence[ModulePass]) -> list[str]:
    """Notes on options that each pass which takes them has another word of in the text of `-p`. `passes` are those of
    `specs`."""
    given = {option: option.lstrip("-") for option in _ways_to_choose(args)}
    given |= {"--dynamic-sizes": "sizes"} if args.dynamic_sizes else {}
    taken: dict[str, tuple[str, Sequence[str]]] = {
        option: (name, CHOOSE_TILES) for option, name in given.items()
    }
    for name in fusion_limits(args):
        taken[f"--{name.replace('join', 'no-join')}"] = name, ("tile-fuse",)
    notes = [
        f"{option} has no effect: -p states {name} of {spec.name}"
        for option, (name, takers) in taken.items()
        if (spec := _all_state(name, [spec for spec in specs if spec.name in takers])) is not None
    ]
    targets = {vars(one)["target"] for one in passes if "target" in vars(one)}
    if args.chip is not None and targets and args.chip not in targets:
        notes.append("--target has no effect: -p states the target of each pass")
    return notes


def _all_state(name: str, specs: Sequence[ArgSpec]) -> ArgSpec | None:
    """The first of some passes, if the text of each one states an option."""
    field = name.replace("-", "_")
    stated = [spec for spec in specs if isinstance(spec, WrittenSpec) and field in spec.options]
    return stated[0] if stated and len(stated) == len(specs) else None


def tile_options(args: argparse.Namespace, passes: Collection[str]) -> list[str]:
    """The options that were given for the choice of tiles, without those that `unused` is about."""
    sizes = ("--dynamic-sizes",) * bool(args.dynamic_sizes) + ("--dynamic-range",) * bool(args.dynamic_range)
    return [*(_ways_to_choose(args) if _choose_tiles(passes) else ()), *sizes]


def _choose_tiles(passes: Collection[str]) -> bool:
    return any(name in passes for name in CHOOSE_TILES)


def _ways_to_choose(args: argparse.Namespace) -> list[str]:
    return ["--tune"] * (args.tune != TUNE) + ["--store"] * (args.store is not None)


__all__ = ["add_choice_options", "fusion_limits", "overruled", "tile_options", "unused"]

"""The tile sizes of a program's kernels, which its passes have reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from ...passes.fusion.report import FusionReport, UnfusedReport
from ...passes.support.report import Report
from ...runtime.profile.profile import Profile
from .program_file import SavedReport

Tiles = Mapping[str, tuple[int, ...]]
KINDS = ("_aic", "_aiv")
"""Ends of names of kernels that are half of what a group became."""


def tiles_of(reports: Sequence[Report]) -> Tiles:
    """Sizes of a tile by the name of the group."""
    return {name: tiles for report in reports for name, tiles in _tiles(report)}


def _tiles(report: Report) -> Iterator[tuple[str, tuple[int, ...]]]:
    match report:
        case FusionReport():
            yield from ((one.name, tuple(one.tiles)) for kernels in report.kernels for one in kernels)
        case UnfusedReport():
            yield from ((one.name, tuple(one.tiles)) for one in report.kernels)
        case SavedReport():
            for one in _records(report.data):
                yield one["name"], tuple(one["tiles"])
        case _:
            return


def _records(data: Any) -> Iterator[Mapping[str, Any]]:
    """Kernels in a report that was saved: entries with tiles, in a list or those of its functions."""
    for one in cast("list[Mapping[str, Any]]", data if isinstance(data, list) else []):
        yield from (found for found in one.get("kernels") or (one,) if "tiles" in found)


def with_tiles(profile: Profile, tiles: Tiles) -> Profile:
    """The profile with the tiles of its kernels."""
    kernels = [replace(kernel, tiles=tiles.get(group_name(kernel.name), ())) for kernel in profile.kernels]
    return replace(profile, kernels=tuple(kernels))


def group_name(kernel: str) -> str:
    """The name of the group that became a kernel."""
    return next((kernel.removesuffix(kind) for kind in KINDS if kernel.endswith(kind)), kernel)


__all__ = ["group_name", "tiles_of", "with_tiles"]

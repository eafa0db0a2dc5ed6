"""What held a launch up and what would help: rules on the numbers of its profile.

A rule measures a launch (`numbers`), says when it applies (`when`), and states the numbers that it applies for as
evidence. `advise` gives what applies, in the order of the rules. Shares are of the launch's time unless said otherwise.

    MTE2 is active 97% of the time, a DMA instruction moves 128 B in the mean, and 61% of the time of the pipe is
    their issue
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from ...dialects.records import dataclass
from .advice_numbers import (
    PACE,
    burst_numbers,
    busiest,
    core_numbers,
    cross_numbers,
    dma_numbers,
    epilogue_numbers,
    hbm_numbers,
    launch_numbers,
    load_numbers,
    overlap_numbers,
    read_numbers,
    scalar_numbers,
    uneven_numbers,
    unit_numbers,
)
from .findings import Advice, Bottleneck, Numbers

if TYPE_CHECKING:
    from ...dialects.target_types import Target
    from .profile import KernelProfile


HEAVY = 0.5
"""Share of the time from which on a pipe is worth relieving."""
FULL = 0.75
"""Share of the time from which on a resource sets the pace: nothing else could hide much more of it."""
WAIT = 0.1
"""Share of a core's time that it waits for HBM, from which on HBM holds it up; writes may keep HBM busy alone."""


@dataclass(frozen=True)
class Rule:
    """`numbers` gives candidates, for example one for each pipe; `evidence` and `help` are formatted with the first
    that `when` accepts. Where a rule that stands `alone` applies, later ones have nothing to add."""

    name: str
    numbers: Callable[[KernelProfile, Target], Iterator[Numbers]]
    when: Callable[[Mapping[str, float]], bool]
    evidence: str
    help: str
    alone: bool = False
    lone: str = ""
    """What helps a kernel that can be fused with none of its neighbours, if that is something else."""


FEWER = "nothing but fewer bytes: a smaller element type"

RULES = (
    Rule(
        "launch",
        launch_numbers,
        lambda n: n["launch"] >= n["time"],
        "the launch takes {launch:.1f} µs, the kernel {time:.1f} µs",
        "fewer launches: fuse it with {others}, or give a launch more work, such as a larger batch",
        alone=True,
        lone="more work for its launch, such as a larger batch",
    ),
    Rule(
        "hbm",
        hbm_numbers,
        lambda n: n["share"] >= 0.9 and n["wait"] >= WAIT and n["times"] < 1.3,
        "HBM is in use {share:.0%} of the time, requests wait for it {wait:.0%}, and it moves {times:.1f} times the "
        "bytes that the kernel needs{why}",
        "nothing but fewer bytes: fuse it with {others}, or a smaller element type",
        alone=True,
        lone=FEWER,
    ),
    Rule(
        "refetch",
        hbm_numbers,
        lambda n: n["share"] >= FULL and n["wait"] >= WAIT and n["times"] >= 1.3,
        "HBM is in use {share:.0%} of the time, requests wait for it {wait:.0%}, and it moves {times:.1f} times the "
        "bytes that the kernel needs{why}",
        "fewer bytes past L2: an order of tiles in which cores share what L2 holds, or whole lines",
    ),
    Rule(
        "few-cores",
        core_numbers,
        lambda n: n["cores"] * 1.3 <= n["chip"] and n["hbm"] < FULL,
        "{cores} of {chip} cores run it, and HBM is in use {hbm:.0%} of the time",
        "more cores: smaller tiles, or tiles along another dimension",
    ),
    Rule(
        "uneven-cores",
        uneven_numbers,
        lambda n: n["last"] >= 1.2 * n["mean"],
        "the last core ends after {last:.1f} µs, the mean one after {mean:.1f} µs",
        "tile sizes that give every core as many tiles",
    ),
    Rule(
        "cross-flags",
        cross_numbers,
        lambda n: n["waiting"] >= 0.2 and n["share"] < PACE,
        "the {kind} cores wait {waiting:.0%} of the time for flags of the cores beside them, and their busiest pipe, "
        "{pipe}, is active {share:.0%}",
        "less waiting on flags between cores: hand over smaller tiles, or let more be on their way (workspace slots)",
    ),
    Rule(
        "turns",
        overlap_numbers,
        lambda n: n["slots"] < 2 and n["sum"] <= 1.25 and n["steps"] >= 4 and n["hbm"] < 0.9,
        "no pipe is active longer than {pipe}, {share:.0%} of the time, all of them together {sum:.0%}, and no buffer "
        "that DMA fills has two slots: they take turns",
        "double buffering: two slots for the buffers that pipes hand to each other (ascend-multi-buffer), in smaller "
        "tiles if they do not fit",
    ),
    Rule(
        "epilogue",
        epilogue_numbers,
        lambda n: min(n["cube"], n["vector"]) >= 0.25 and n["sum"] <= 1.1,
        "the Cube is active {cube:.0%} of the time, the Vector unit {vector:.0%}, together {sum:.0%}: they take turns",
        "two accumulators in L0C, of a smaller tile if they do not fit: the next product then runs beside the epilogue",
    ),
    Rule(
        "small-dma",
        dma_numbers,
        lambda n: n["share"] >= HEAVY and n["issue"] >= 0.4,
        "{pipe} is active {share:.0%} of the time, a DMA instruction moves {bytes:.0f} B in the mean, and "
        "{issue:.0%} of the time of the pipe is their issue",
        "more bytes an instruction: a bigger tile, or several rows as the bursts of one instruction",
    ),
    Rule(
        "latency",
        dma_numbers,
        lambda n: n["share"] >= 0.65 and n["busy"] <= 0.6 * n["share"] and n["most"] < PACE,
        "{pipe} is active {share:.0%} of the time but busy {busy:.0%}: the rest is latency of what it moves",
        "more bytes on their way: larger tiles, or more slots for the buffers that DMA fills and empties",
    ),
    Rule(
        "short-bursts",
        burst_numbers,
        lambda n: n["share"] >= HEAVY and n["used"] <= 0.6,
        "{pipe} is active {share:.0%} of the time, its bursts are {burst:.0f} B in the mean, and {used:.0%} of the "
        "{line} B lines that they touch is asked for",
        "longer bursts: a tile that is wider along the last dimension, or a packed layout",
    ),
    Rule(
        "unaligned-rows",
        burst_numbers,
        lambda n: n["share"] >= HEAVY and n["cut"] >= 0.25,
        "{pipe} is active {share:.0%} of the time, its rows begin or end inside {sector} B sectors, and {cut:.0%} of "
        "the lines that they touch are cut",
        "rows at a pitch, and tiles of a width, that are multiples of {line} B",
    ),
    Rule(
        "reread",
        read_numbers,
        lambda n: n["share"] >= HEAVY and n["times"] >= 2 and n["l0c"] <= 0.5,
        "{pipe} is active {share:.0%} of the time, DMA moves each byte {times:.1f} times in the mean, {most}, and "
        "accumulators take {l0c:.0%} of L0C",
        "a bigger tile: the longer its sides, the fewer times operands are read",
    ),
    Rule(
        "reload",
        load_numbers,
        lambda n: n["share"] >= HEAVY and n["share"] > n["cube"],
        "{pipe} is active {share:.0%} of the time, the Cube {cube:.0%}",
        "a bigger tile in L0: the longer its sides, the fewer times operands are loaded",
    ),
    Rule(
        "small-instructions",
        unit_numbers,
        lambda n: n["share"] >= HEAVY and n["issue"] >= 0.3,
        "{pipe} is active {share:.0%} of the time, and {issue:.0%} of its time is what {instructions:.0f} instructions "
        "cost whatever they do",
        "fewer, larger instructions: longer rows for the Vector unit, longer m, n and k for the Cube",
    ),
    Rule(
        "banks",
        unit_numbers,
        lambda n: n["share"] >= HEAVY and n["conflict"] >= 0.2,
        "{pipe} is active {share:.0%} of the time, {conflict:.0%} of it for bank conflicts of UB",
        "operands in other banks: addresses that differ modulo 512 B, rows at a pitch of an odd number of 32 B blocks",
    ),
    Rule(
        "scalar",
        scalar_numbers,
        lambda n: n["scalar"] >= 0.6,
        "issuing takes the scalar unit {scalar:.0%} of the time",
        "fewer, larger instructions, and fewer flags",
    ),
    Rule(
        "compute",
        unit_numbers,
        lambda n: n["busy"] >= PACE and n["issue"] < 0.3 and n["conflict"] < 0.2,
        "{pipe} is busy {busy:.0%} of the time, {issue:.0%} of it for issue",
        "nothing but less work: fewer or cheaper instructions, or a smaller element type",
    ),
    Rule(
        "port",
        dma_numbers,
        lambda n: n["busy"] >= PACE and n["issue"] < 0.4 and n["times"] < 1.3,
        "{pipe} is busy {busy:.0%} of the time, {issue:.0%} of it for issue, and DMA moves each byte once",
        "nothing but fewer bytes: fuse it with {others}, or a smaller element type",
        lone=FEWER,
    ),
)


def advise(kernel: KernelProfile, target: Target, weighed: bool = False) -> tuple[Advice, ...]:
    """What applies to a launch; `weighed`: whether it is known that it can be one kernel with those it names."""
    found: list[Advice] = []
    beside = {"others": " and ".join(kernel.fusable) + ("" if weighed else ", where that is legal")}
    for rule in RULES:
        for numbers in rule.numbers(kernel, target):
            if rule.when(cast("Mapping[str, float]", numbers)):
                words = rule.help if kernel.fusable or not rule.lone else rule.lone
                helps = words.format(**beside, **numbers)
                found.append(Advice(rule.name, rule.evidence.format(**numbers), helps, dict(numbers)))
                break
        if rule.alone and found and found[-1].rule == rule.name:
            break
    return tuple(found)


def bottleneck(kernel: KernelProfile) -> Bottleneck:
    """What held a launch up."""
    if not kernel.time_us:
        return Bottleneck("launch")
    name, pipe = busiest(kernel)
    share = pipe.active_us / kernel.time_us if pipe is not None else 0.0
    hbm, scalar = kernel.hbm_busy_us / kernel.time_us, kernel.scalar_us / kernel.time_us
    if kernel.launch_us > kernel.time_us:
        return Bottleneck("launch", name, kernel.launch_us / (kernel.launch_us + kernel.time_us))
    if hbm >= FULL and kernel.hbm_wait_us >= WAIT * kernel.time_us:
        return Bottleneck("HBM", name, hbm)
    if scalar >= 0.6 and pipe is not None and kernel.scalar_us > pipe.busy_us:
        return Bottleneck("scalar", name, scalar)
    if share < HEAVY:
        return Bottleneck("waiting", name, share)
    if pipe is not None and name.endswith("MTE2") and kernel.l2_hit_rate >= 0.5:
        return Bottleneck("L2", name, share)
    return Bottleneck(name, name, share)

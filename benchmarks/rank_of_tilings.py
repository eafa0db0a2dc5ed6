"""How well predicted times order tilings: random legal ones and the best predicted, each run on the clock.

    python benchmarks/rank_of_tilings.py                                  all chips, one kernel of 30
    python benchmarks/rank_of_tilings.py --target ascend910b --every 40

Of a sample of `kernel_list.py`, graphs that compile to one kernel: 40 seeded random legal tilings of each and the six
predicted best are timed. Found are Spearman's rank correlation of predicted and emulated times, where times less than
1 % apart are ties, and the time of the tiling that is taken over that of the best of all. Printed for each chip are the
means and the worst. Exit code 1 where a bar is missed.
"""

# pyright: basic

import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

from kernel_list import Kernel
from kernel_runs import over_kernels
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

import ascend_opt
from ascend_opt.compiler.pipeline.pipelines import build_passes, stages, with_choices
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.pipeline.tune import measure
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.dialects.graph.arguments import weight_values
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.kernels.common.form import Group, Tiling
from ascend_opt.passes.kernels.common.pack_weights import packs_rhs
from ascend_opt.passes.kernels.forms import form_of
from ascend_opt.passes.kernels.online.form import OnlineForm
from ascend_opt.passes.kernels.online.search import online_time
from ascend_opt.passes.kernels.product.form import ProductForm
from ascend_opt.passes.kernels.product.problem import problem_of
from ascend_opt.passes.kernels.product.tiles import tiles_of
from ascend_opt.passes.kernels.product.tiling import k_steps_of
from ascend_opt.passes.kernels.tuner import tuned_by
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.support.module import kernel_ops
from ascend_opt.runtime.machine.costs import launch_us

RANDOM, BEST, TIE = 40, 6, 0.01
CORRELATION, MEAN, WORST = 0.8, 1.02, 1.10
TRIES = 40
"""Random steps of K for each tiling that is wanted: not every tile has one that fits."""


@dataclass(frozen=True)
class Ranked:
    """What was found of one kernel: tilings timed, rank correlation, and the taken one's time over the best one's."""

    category: str
    name: str
    count: int = 0
    correlation: float = 0.0
    chosen: float = 0.0


@dataclass
class Sampler:
    """A tuner that is given the best tilings, adds random ones, and times all. It takes the one predicted best."""

    seed: str
    count: int = BEST
    pairs: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    """Predicted and emulated µs, the taken one first."""

    def choose(self, alone: ModuleOp, tilings: Sequence[Tiling], target: Target) -> int:
        function = next(op for op in alone.body.block.ops if isinstance(op, FuncOp))
        group = Group(group_regions(kernel_ops(function)), frozenset(weight_values(function)), target)
        others = [one for one in random_tilings(group, random.Random(self.seed)) if one not in tilings]
        for tiling in (*tilings, *others):
            time = measure(alone, tiling, target)[0]
            if time < inf:
                launch = launch_us(target, tiling.cores)
                predicted = target.microseconds(cycles(group, tiling))
                self.pairs.append((predicted + launch, time + launch))
        return 0


def cycles(group: Group, tiling: Tiling) -> float:
    """Predicted cycles of a kernel with any tiling."""
    form = form_of(group.regions)
    if isinstance(form, OnlineForm):
        return online_time(group.regions, tiling, group.target)  # pyright: ignore[reportArgumentType]
    return form.cycles(group, tiling)  # pyright: ignore[reportAttributeAccessIssue]


def random_tilings(group: Group, rng: random.Random) -> list[Tiling]:
    """Seeded random legal tilings, each once: of products a random tile, a random step with it, a random rest."""
    form = form_of(group.regions)
    if not isinstance(form, ProductForm):
        found = list(form.tilings(group, 1 << 30))
        return rng.sample(found, min(RANDOM, len(found)))
    packed = packs_rhs(group.regions, group.packable)
    problems = [problem_of(group.regions, packed, group.target, drain) for drain in (True, False)]
    tiles = [(p, tile) for p in problems if p.drain is None or p.drain.ops for tile in tiles_of(p)]
    found: list[Tiling] = []
    for _ in range(TRIES * RANDOM):
        if len(found) == RANDOM or not tiles:
            break
        p, tile = rng.choice(tiles)
        steps = list(k_steps_of(p, tile))
        if steps:
            tiling = rng.choice(list(rng.choice(steps).tilings()))
            found += [] if tiling in found else [tiling]
    return found


def ranks(values: Sequence[float]) -> list[float]:
    """Mean ranks, of which values less than `TIE` above the least of a run have the same."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found, first = [0.0] * len(values), 0
    while first < len(order):
        end = first
        while end < len(order) and values[order[end]] <= values[order[first]] * (1 + TIE):
            end += 1
        for place in order[first:end]:
            found[place] = (first + end - 1) / 2
        first = end
    return found


def correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Spearman's of pairs; 1 where neither of both differs."""
    columns = [ranks(column) for column in zip(*pairs, strict=True)]
    means = [sum(column) / len(column) for column in columns]
    (x, y) = ([rank - mean for rank in column] for column, mean in zip(columns, means, strict=True))
    size = (sum(a * a for a in x) * sum(b * b for b in y)) ** 0.5
    return sum(a * b for a, b in zip(x, y, strict=True)) / size if size else float(any(x) == any(y))


def rank(kernel: Kernel, chip: str) -> Ranked | None:
    """What is found of a graph; None where it is not one kernel, or has too few tilings to be ordered."""
    samplers: list[Sampler] = []

    def sampler(_: int) -> Sampler:
        samplers.append(Sampler(f"{kernel.category} {kernel.name} {chip}"))
        return samplers[-1]

    module, context = read_module(kernel.text).module, make_context()
    try:
        if len(ascend_opt.compile(kernel.text, target=chip, tune=1).time().kernels) > 1:
            return None
        with tuned_by(sampler):
            for one in build_passes(UNIVERSE.all_passes, with_choices(stages("fuse"), {}, (), BEST), chip):
                one.apply(context, module)
    except ascend_opt.CompileError:
        return None
    pairs = [pair for one in samplers for pair in one.pairs]
    if len(pairs) < BEST:
        return None
    best = min(emulated for _, emulated in pairs)
    return Ranked(kernel.category, kernel.name, len(pairs), correlation(pairs), pairs[0][1] / best)


def _rank(work: tuple[Kernel, str]) -> Ranked | None:
    return rank(*work)


def summary(chip: str, found: Sequence[Ranked]) -> bool:
    """Print what was found on a chip; whether it meets the bars."""
    mean = sum(one.correlation for one in found) / max(1, len(found))
    chosen = sum(one.chosen for one in found) / max(1, len(found))
    worst = max((one.chosen for one in found), default=1.0)
    met = mean >= CORRELATION and chosen <= MEAN and worst <= WORST
    print(
        f"{chip}: {len(found)} kernels, rank correlation {mean:.3f} in the mean (bar {CORRELATION}), "
        f"least {min((one.correlation for one in found), default=1.0):.2f}; taken over best {chosen:.3f} in the mean "
        f"(bar {MEAN}), worst {worst:.3f} (bar {WORST}): {'met' if met else 'MISSED'}"
    )
    for one in sorted(found, key=lambda one: one.correlation):
        print(
            f"        {one.correlation:6.3f}  taken {one.chosen:.3f}  {one.count:3} tilings  {one.category}: {one.name}"
        )
    return met


def main(arguments: Iterable[str] | None = None) -> int:
    return over_kernels(__doc__ or "", 30, _rank, summary, arguments)


if __name__ == "__main__":
    sys.exit(main())

"""The fixed pipelines behind `--fuse`, `--library` and `--lower`, as data.

Both are ordinary passes in a fixed order; any of them also runs by itself with `-p`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Literal, get_type_hints

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType

from ...passes.fusion.candidates import MAX_OCCUPANCY, MIN_GAIN
from ...passes.support.pass_sequence import PassSequence
from ...passes.support.run_size import check_sizes
from ...passes.support.size_ranges import MAX_LOSS, check_loss, check_range
from ..text.diagnostics import did_you_mean
from .pass_options import misfit_of_option, with_numbers
from .pass_text import wrong_pass

Stage = tuple[str, Mapping[str, ParameterListType]]
"""A pass and its options."""

FUSE: tuple[Stage, ...] = (
    ("graph-size-variants", {}),
    ("graph-canonicalize", {}),
    ("graph-cse", {}),
    ("graph-fold-batch-norm", {}),
    ("graph-fold-scales", {}),
    ("graph-pool-first", {}),
    ("graph-cut-products", {}),
    ("graph-join-slices", {}),
    ("graph-sink-transposes", {}),
    ("graph-group-products", {}),
    ("graph-combine-products", {}),
    ("graph-place-views", {}),
    ("graph-integer-products", {}),
    ("graph-split-products", {}),
    ("graph-sink-reshapes", {}),
    ("graph-copy-producers", {}),
    ("graph-fold-constants", {}),
    ("tile-fuse", {}),
)
"""Graph level to tile level: one kernel per group of ops that is legal and pays."""

PAST_OPERATORS = (
    "graph-size-variants",
    "graph-pool-first",
    "graph-cut-products",
    "graph-join-slices",
    "graph-sink-transposes",
    "graph-group-products",
    "graph-combine-products",
    "graph-split-products",
    "graph-sink-reshapes",
    "graph-copy-producers",
)
"""The passes that look past single operators, and the one that writes variants for what these decide."""

LIBRARY: tuple[Stage, ...] = (
    *(stage for stage in FUSE[:-1] if stage[0] not in PAST_OPERATORS),
    ("graph-mark-library", {}),
    ("tile-fuse", {"join-launches": (False,)}),
)
"""Graph level to tile level as a library of operators does it: each operator its own kernel, and no pass that looks
past it."""

LOWER: tuple[Stage, ...] = (
    ("tile-from-graph", {}),
    ("tile-partition", {}),
    ("tile-pipeline", {}),
    ("tile-to-ascend", {}),
    ("ascend-multi-buffer", {}),
    ("ascend-plan-memory", {}),
    ("ascend-insert-sync", {}),
    ("ascend-join-launches", {"asked": (True,)}),
    ("ascend-plan-workspace", {}),
    ("ascend-join-vectors", {}),
)
"""Tile level to ascend level; what is still at the graph level becomes one kernel per op."""

CHOOSE_TILES = ("tile-fuse", "tile-from-graph", "tile-from-groups")
"""The passes that choose tiles."""

PIPELINES = {"fuse": FUSE, "library": LIBRARY, "lower": LOWER}

Fusing = bool | Literal["library"]
"""What becomes one kernel: what is legal and pays, each op (False), or each operator of a library."""


def pipelines_of(fuse: Fusing) -> tuple[str, ...]:
    """The fixed pipelines from the graph level to the ascend level. `ValueError` for another `fuse` than those."""
    if not isinstance(fuse, bool) and fuse != "library":
        raise ValueError(f"fuse is True, False or 'library', not {fuse!r}")
    return ("library", "lower") if fuse == "library" else ("fuse", "lower") if fuse else ("lower",)


MIN_GAIN_HELP = f"share of GM bytes whose saving pays without a gain in time ({MIN_GAIN:g})"
MAX_OCCUPANCY_HELP = f"share of UB that the temporaries which fusion adds may take ({MAX_OCCUPANCY:g})"

APART_HELP = "launch each kernel by itself, also where several need nothing of each other"
MARK_HELP = "say something of a kernel, as '%%y {tile = [1, 128], cores = 8}'; may be given several times"
STORE_HELP = "take tilings that were timed before from this file, which ascend-tune writes"
PLAN_HELP = "groups, layouts and tilings as this plan says (`--save-plan` and ascend-tune write plans)"
SAVE_PLAN_HELP = "write what was decided of the kernels as a plan"

DYNAMIC_SIZES_HELP = "sizes of the dynamic dimension to choose tiles for (1,8,32)"

DYNAMIC_RANGE_HELP = (
    "run-time sizes, as 1-64 or 224-640:32, for which to write a few variants and a call of one of them"
)
MAX_LOSS_HELP = (
    f"share of its time that a size of the range may lose to a program for it alone ({MAX_LOSS:g})"
)

Variants = Mapping[str, float | Sequence[int]]
"""Options of `graph-size-variants` that were given: `range`, `max-loss`."""
NO_VARIANTS: Variants = {}

PassFactories = Mapping[str, Callable[[], type[ModulePass]]]


def stages(name: str) -> tuple[ArgSpec, ...]:
    """The passes of a fixed pipeline (`fuse` or `lower`)."""
    return tuple(ArgSpec(pass_name, dict(options)) for pass_name, options in PIPELINES[name])


def stages_until(pipelines: Iterable[str], level: str) -> tuple[ArgSpec, ...]:
    """The passes of fixed pipelines that run before a level (`graph`, `tile` or `ascend`) is left.

    ValueError for another level."""
    specs = [spec for name in pipelines for spec in stages(name)]
    ends = {"graph": ("tile-fuse", "tile-from-graph"), "tile": ("tile-partition",), "ascend": ()}
    if level not in ends:
        raise ValueError(f"level is one of {', '.join(ends)}, not {level!r}")
    leaves = ends[level]
    end = next((i for i, spec in enumerate(specs) if spec.name in leaves), len(specs))
    return tuple(specs[:end])


def with_options(
    specs: Iterable[ArgSpec], pass_names: Collection[str], options: Mapping[str, float | str | Sequence[int]]
) -> tuple[ArgSpec, ...]:
    """The passes, of which those named take `options` as far as their own text leaves them open. Options that are empty
    are not given."""
    given: dict[str, ParameterListType] = {
        name: tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
        for name, value in options.items()
        if value != ()
    }
    return tuple(
        replace(spec, parameters={**given, **spec.parameters}) if spec.name in pass_names else spec
        for spec in specs
    )


def with_choices(
    specs: Iterable[ArgSpec],
    fusion: Mapping[str, float | str],
    sizes: Sequence[int],
    tune: int,
    variants: Variants = NO_VARIANTS,
) -> tuple[ArgSpec, ...]:
    """The passes, with what is said of fusion, and of tiles: the run-time sizes that they are chosen for, how many of
    each kernel are timed, and, in `fusion` too, the store of those that were. `variants`: what is said of variants for
    parts of a range of sizes, which are written first."""
    stored = {"store": fusion["store"]} if "store" in fusion else {}
    specs = with_options(specs, CHOOSE_TILES, stored)
    fused = with_options(specs, ("tile-fuse",), {k: v for k, v in fusion.items() if k != "store"})
    if variants and all(spec.name != "graph-size-variants" for spec in fused):
        fused = (ArgSpec("graph-size-variants", {}), *fused)
    fused = with_options(fused, ("graph-size-variants",), variants)
    fused = with_options(fused, ("graph-combine-products",), {"sizes": tuple(sizes)})
    return with_options(fused, CHOOSE_TILES, {"sizes": tuple(sizes), "tune": tune})


def variants_of(sizes: Sequence[int], max_loss: float | None) -> Variants:
    """What was said of variants. ValueError for a range or a share that makes no sense, and for a share alone."""
    if not sizes:
        if max_loss is not None:
            raise ValueError("max-loss is about variants for a range of run-time sizes, and none is given")
        return NO_VARIANTS
    loss = MAX_LOSS if max_loss is None else check_loss(max_loss)
    return {"range": check_range(sizes), "max-loss": loss}


def read_sizes(text: str) -> tuple[int, ...]:
    """The numbers of `--dynamic-sizes 1,8,32`; ValueError where it has others, or none."""
    return check_sizes([int(part) for part in text.split(",")])


read_sizes.__name__ = "list of sizes"


def build_passes(
    available: PassFactories, specs: Iterable[ArgSpec], target: str | None = None
) -> tuple[ModulePass, ...]:
    """The passes that `specs` describe, a sequence as its steps. Raises ValueError on an unknown pass or option, or a
    value that is none for it; ParseError where the text of a pass is known.

    A pass with an option `target` that its spec leaves open gets `target`.
    """
    passes: list[ModulePass] = []
    for spec in specs:
        if spec.name not in available:
            raise wrong_pass(spec, f"unknown pass '{spec.name}'{did_you_mean(spec.name, available)}")
        cls = available[spec.name]()
        given = _checked_options(cls, spec)
        try:
            built: Any = cls.from_spec(ArgSpec(spec.name, given))
        except ValueError as error:
            raise wrong_pass(spec, f"pass '{spec.name}': {error}") from None
        if target is not None and "target" not in given and any(f.name == "target" for f in fields(cls)):
            built = replace(built, target=target)
        passes += built.steps() if isinstance(built, PassSequence) else (built,)
    return tuple(passes)


def _checked_options(cls: type[ModulePass], spec: ArgSpec) -> dict[str, ParameterListType]:
    """The options of a spec by the names of their fields, each of the type that its field has."""
    hints = get_type_hints(cls)
    types = {field.name: hints[field.name] for field in fields(cls) if field.init}
    given: dict[str, ParameterListType] = {}
    for name, value in spec.normalize_parameter_names().parameters.items():
        option = name.replace("_", "-")
        if name not in types:
            known = sorted(name.replace("_", "-") for name in types)
            hint = did_you_mean(option, known) or f"; it takes {', '.join(known) or 'none'}"
            raise wrong_pass(spec, f"pass '{spec.name}' has no option '{option}'{hint}", name)
        given[name] = with_numbers(value, types[name])
        wrong = misfit_of_option(given[name], types[name])
        if wrong is not None:
            raise wrong_pass(spec, f"option '{option}' of pass '{spec.name}' {wrong}", name)
    return given

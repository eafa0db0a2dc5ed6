"""A graph with a run-time size becomes a few graphs, each for a part of a stated range, and a function that calls one.

    func.func @f(%x: tensor<?x64xf16>) {…}   ->   func.func @f.to_8(%x: …) … attributes {graph.sizes = [1, 4, 8]} {…}
                                                  func.func @f.to_64(%x: …) … attributes {graph.sizes = [16, 64]} {…}
                                                  func.func @f(%x: …) { the call of one of them by the size of %x }

One set of tiles and one way to fuse suit sizes that are alike. The range is timed at samples; a part is as long as none
of its samples takes more than a share longer than a graph compiled for that size alone. All later passes see ordinary
functions: the sizes that each is tiled for are an attribute.
"""

from collections.abc import Mapping, Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp

from ..dialects import tile
from ..dialects.ascend import LaunchOp
from ..dialects.attributes import integer_array
from ..dialects.dynamic import SIZES, is_dynamic
from ..dialects.graph.arguments import pads_of
from ..dialects.helpers import is_helper, is_variant, variant_name
from ..dialects.records import dataclass
from .rewrites.size_dispatch import Case, dispatch_function
from .support.dynamic_size import at_run_size, close, is_dynamic_function, is_shaped
from .support.errors import LocatedError, WholeSizeError
from .support.module import functions_of, set_target, target_of
from .support.options import Pass
from .support.report import add_report
from .support.size_clock import SizeClock, size_clock
from .support.size_judge import SizeJudge
from .support.size_ranges import (
    MAX_LOSS,
    Part,
    check_ends,
    check_loss,
    check_range,
    cut,
    parted,
    sample_sizes,
)
from .support.variants_report import VariantsReport

MOST_VARIANTS = 64
"""Variants of static shapes that a function may have."""


@dataclass(frozen=True)
class GraphSizeVariants(Pass):
    """Write a few variants of each function with a dynamic dimension. `range`: the first and the last run-time size;
    `max_loss`: the share of its time that a size may lose to a program for this size alone; `ends`: the largest size of
    each part, where they are known and nothing is timed. Where a dimension other than the first one of a tensor is
    dynamic, or results depend on all of it, each size gets a variant of static shapes: `range` has few sizes then."""

    name = "graph-size-variants"
    target: str | None = None
    range: tuple[int, ...] = ()
    max_loss: float | int = MAX_LOSS
    ends: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_loss(self.max_loss)
        if self.range:
            first, last, *_ = check_range(self.range)
            check_ends(self.ends or (last,), first, last)
        elif self.ends is not None:
            raise ValueError("ends are of the parts of a range, and none is given")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.range:
            return
        first, last, *step = check_range(self.range)
        samples = sample_sizes(first, last, *step)
        found: list[tuple[str, tuple[Part, ...]]] = []
        for function in functions_of(op):
            name = function.sym_name.data
            if is_helper(name) or is_variant(name) or _is_lowered(function):
                continue
            if not is_dynamic_function(function):
                continue
            clock = size_clock(self.target)
            whole = whole_times(op, function, samples, clock)
            if whole is None:
                parts = each_size(function, first, last, *step)
                if self.ends is not None:
                    parts = [Part((end,)) for end in self.ends]
                elif is_padded(function):
                    parts = padded_parts(op, function, parts, self.max_loss, clock)
            elif self.ends is None:
                parts = SizeJudge(_alone(op, function), clock, whole).parts(self.max_loss)
            else:
                parts = parted(samples, self.ends)
            write_variants(function, parts, shaped=whole is None)
            found.append((name, tuple(parts)))
        if found:
            add_report(VariantsReport(tuple(found), (first, last), self.max_loss))


def _is_lowered(function: FuncOp) -> bool:
    """Whether a function has left the graph level: how its kernels are tiled is settled."""
    past = tile.KernelOp | tile.GroupOp | LaunchOp
    return any(isinstance(op, past) for op in function.body.block.ops)


def whole_times(
    module: ModuleOp, function: FuncOp, samples: Sequence[int], clock: SizeClock
) -> Mapping[int, float] | None:
    """What the function takes at each sample, compiled for all of them; None where each size needs kernels of its own:
    a dimension other than the first one is dynamic, or results depend on all of it."""
    if is_shaped(function):
        return None
    try:
        times = clock.times(_alone(module, function), samples, samples)
    except WholeSizeError:
        return None
    return dict(zip(samples, times, strict=True))


def _alone(module: ModuleOp, function: FuncOp) -> ModuleOp:
    """A module of a copy of the function, for the same chip."""
    alone = ModuleOp([function.clone()])
    set_target(alone, target_of(module, None))
    return alone


def each_size(function: FuncOp, first: int, last: int, step: int = 1) -> list[Part]:
    """A part for each size of a range; `LocatedError` where these are too many."""
    sizes = range(first, last + 1, step)
    if len(sizes) > MOST_VARIANTS:
        raise LocatedError(
            function,
            f"@{function.sym_name.data} has a dynamic dimension that is not the first one of its tensor, or results "
            f"that depend on all of it, so each size is compiled by itself; {first}-{last}:{step} are {len(sizes)} "
            f"sizes, at most {MOST_VARIANTS} are; state a larger step",
        )
    return [Part((size,)) for size in sizes]


def is_padded(function: FuncOp) -> bool:
    """Whether a function says what lies past the elements of all its dynamic arguments."""
    arguments = zip(function.body.block.args, pads_of(function), strict=True)
    return all(pad is not None for argument, pad in arguments if is_dynamic(argument.type))


def padded_parts(
    module: ModuleOp, function: FuncOp, sizes: Sequence[Part], most: float, clock: SizeClock
) -> list[Part]:
    """The sizes that get a variant each, which also serves those below, by what the clock says of the sizes."""
    alone = _alone(module, function)
    lasts = [part.last for part in sizes]
    times = {n: clock.times(at_run_size(alone, n), (), (n,))[0] for n in (1, *lasts)}

    def loss(some: tuple[int, ...]) -> float:
        """Of the smallest sizes that a variant for the last of some serves; the first one serves all down to 1."""
        least = (1, *some) if some[0] == lasts[0] else some
        return times[some[-1]] / min(times[n] for n in least) - 1

    return cut(lasts, loss, most)


def write_variants(function: FuncOp, parts: Sequence[Part], shaped: bool) -> None:
    """Put a variant for each part before the function, and in its place what calls one of them; `shaped`: variants of
    static shapes. A function that serves the whole range stays."""
    if len(parts) == 1 and not shaped:
        function.attributes[SIZES] = integer_array(parts[0].samples)
        return
    block, name = function.parent, function.sym_name.data
    assert block is not None
    arguments = function.body.block.args
    cases: list[Case] = []
    for part in parts:
        variant = function.clone()
        variant.sym_name = StringAttr(variant_name(name, part.last))
        if shaped:
            close(variant, part.last)
        else:
            variant.attributes[SIZES] = integer_array(part.samples)
        block.insert_op_before(variant, function)
        taken = range(len(arguments))
        pads = pads_of(function) if shaped else ()
        cases.append(Case(part.last, variant.sym_name.data, taken, variant.function_type, pads))
    results = function.function_type.outputs.data
    dispatch = dispatch_function(name, [(a.type, a.name_hint) for a in arguments], results, cases)
    dispatch.arg_attrs, dispatch.location = function.arg_attrs, function.location
    block.insert_op_before(dispatch, function)
    block.erase_op(function)


__all__ = ["GraphSizeVariants"]

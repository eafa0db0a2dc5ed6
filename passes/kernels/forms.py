"""The registry of kernel forms, and from a list of graph ops to a kernel in their place.

Tile sizes are those that the search predicts to be fastest, unless there is a tuner: it is then given the best few
and chooses by whatever means it has (`compiler/pipeline/tune.py` runs them on the emulator's clock).
"""

from collections.abc import Iterable, Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects import tile
from ...dialects.graph import ConstantOp
from ...dialects.graph.arguments import mark_weight, weight_values
from ...dialects.locations import fused_location
from ...dialects.target_types import Target
from ...runtime.support.progress import tracked
from ..cost.tap_sums import reorder_sums
from ..regions.compose_group import group_regions
from ..regions.compose_maps import NotFusableError
from ..regions.loads import op_names
from ..regions.regions import Regions
from ..regions.signature import Signature, group_signature
from ..support.errors import LocatedError
from .back_to_back.form import BackToBackForm
from .common.form import Group, KernelForm, SizedForm, Tiling
from .common.stated import FREE, Stated, stated_of
from .dynamic_sizes import tilings_of_sizes
from .online.form import OnlineForm
from .product.form import ProductForm
from .split_keys.form import SplitKeysForm
from .tuner import TUNE, Tuner, tuner_of
from .vector.form import VectorForm

FORMS: tuple[KernelForm, ...] = (
    OnlineForm(),
    SplitKeysForm(),
    BackToBackForm(),
    ProductForm(),
    VectorForm(),
)
"""All kernel forms. The first one that matches a group computes it."""


def form_of(regions: Regions) -> KernelForm:
    """The form that computes a group; `NotFusableError` where none does."""
    found = next((form for form in FORMS if form.matches(regions)), None)
    if found is None:
        raise NotFusableError(f"no kernel form computes {regions.ops[-1].name}")
    return found


class KernelFactory:
    """Builds the kernels of a module. Groups of one signature get the same tiles, which are looked for once: `tune` of
    them are timed where that is above 1."""

    def __init__(self, target: Target, tune: int = TUNE):
        self.target = target
        self.tuner = tuner_of(tune)
        self._known: dict[tuple[Signature, Stated], Tiling] = {}
        self.tilings: dict[str, Tiling] = {}
        """Those of the kernels that were built, by their names."""

    def build(
        self,
        function: FuncOp,
        groups: Iterable[tuple[str, Sequence[Operation]]],
        predicted: Sequence[Tiling | None] = (),
        stated: Sequence[Stated] = (),
    ) -> list[tile.KernelOp]:
        """Replace each group of `function` by one kernel of the given name. `predicted`: what the search for tiles
        found for each group, where it was asked before. `stated`: what is said of the tiling of each, beside what its
        ops say; `LocatedError` where that cannot be."""
        packable = frozenset(weight_values(function))
        kernels: list[tile.KernelOp] = []
        named, task = list(groups), "building kernels" if self.tuner is None else "timing tiles"
        for i, (name, ops) in enumerate(tracked(named, task, "kernel", lambda one: one[0])):
            wanted = stated_of(ops).over(stated[i] if i < len(stated) else FREE)
            signature = group_signature(ops, packable), wanted
            if signature not in self._known:
                found = predicted[i] if i < len(predicted) else None
                try:
                    group = Group(group_regions(ops), packable, self.target)
                    self._known[signature] = _choose(group, self.tuner, found, wanted)
                except NotFusableError as error:
                    reason = f'tile.group "{name}": it is no kernel: {error}'
                    raise LocatedError(error.op or ops[-1], reason) from error
            self.tilings[name] = self._known[signature]
            kernels.append(_build(name, ops, packable, self.target, self._known[signature]))
        return kernels


def build_kernel(
    name: str, ops: Sequence[Operation], target: Target, tiling: Tiling | None = None
) -> tile.KernelOp:
    """Replace `ops` (program order; only the last one's result is used outside) by one kernel, which has their
    scalar constants in its instructions.

    `NotFusableError` when the ops do not compose, `NoTileError` when no tile of theirs fits.
    """
    function = ops[-1].parent_op()
    assert isinstance(function, FuncOp)
    packable = frozenset(weight_values(function))
    chosen = _choose(Group(group_regions(ops), packable, target)) if tiling is None else tiling
    return _build(name, ops, packable, target, chosen)


def _build(
    name: str, ops: Sequence[Operation], packable: frozenset[SSAValue], target: Target, tiling: Tiling
) -> tile.KernelOp:
    regions = group_regions(ops)
    anchor = ops[-1]
    owners = (value.owner for op in ops for value in op.operands)
    constants = list(dict.fromkeys(owner for owner in owners if isinstance(owner, ConstantOp)))
    kernel = form_of(regions).build(name, Group(regions, packable, target), anchor, tiling)
    reorder_sums(kernel)
    kernel.ops = ArrayAttr([StringAttr(name) for name in op_names(ops)])
    kernel.outputs[0].name_hint = anchor.results[0].name_hint
    kernel.location = fused_location([anchor.location, *(op.location for op in ops)])
    Rewriter.replace_op(anchor, [], [kernel.outputs[0]])
    for op in reversed(ops[:-1]):
        Rewriter.erase_op(op)
    for constant in constants:
        if not constant.result.first_use:
            Rewriter.erase_op(constant)
    return kernel


def _choose(
    group: Group, tuner: Tuner | None = None, predicted: Tiling | None = None, stated: Stated = FREE
) -> Tiling:
    """The tiling of a group, of those that have what is `stated`: the one with the least predicted time, or that of the
    tuner. `predicted`: what the search found before."""
    regions = group.regions
    if tuner is None and predicted is not None and not regions.factor and stated.allows(predicted):
        return predicted
    count = 1 if tuner is None else tuner.count
    form = form_of(regions)
    if regions.factor:
        assert isinstance(form, SizedForm), "other groups have static sizes"
        best = tilings_of_sizes(form, group, count, stated)
    else:
        best = form.tilings(group, count, stated)
    if tuner is None or len(best) == 1:
        return best[0]
    return best[tuner.choose(_alone(regions, group.packable), best, group.target)]


def _alone(regions: Regions, packable: frozenset[SSAValue]) -> ModuleOp:
    """A module with one function that computes the group."""
    inside = set(regions.ops)
    outside: list[SSAValue] = []
    constants: list[Operation] = []
    for op in regions.ops:
        for value in op.operands:
            owner = value.owner
            if isinstance(owner, ConstantOp):
                constants += [] if owner in constants else [owner]
            elif owner not in inside and value not in outside:
                outside.append(value)
    block = Block(arg_types=[v.type for v in outside])
    mapping: dict[SSAValue, SSAValue] = dict(zip(outside, block.args, strict=True))
    for op in [*constants, *regions.ops]:
        block.add_op(op.clone(mapping))
    result = mapping[regions.result]
    block.add_op(ReturnOp(result))
    kind = FunctionType.from_lists([v.type for v in outside], [result.type])
    function = FuncOp("alone", kind, Region(block))
    for index, value in enumerate(outside):
        if value in packable:
            mark_weight(function, index)
    return ModuleOp([cast(Operation, function)])


__all__ = ["FORMS", "KernelFactory", "build_kernel", "form_of"]

"""The registry of kernel forms, and from a list of graph ops to a kernel in their place.

Tile sizes are those that the search predicts to be fastest, unless there is a tuner: it is then given the best few
and chooses by whatever means it has (`compiler/pipeline/tune.py` runs them on the emulator's clock).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects import tile
from ...dialects.graph import ConstantOp
from ...dialects.graph.arguments import weight_values
from ...dialects.locations import fused_location
from ...dialects.target_types import Target
from ...runtime.support.progress import tracked
from ..cost.tap_sums import reorder_sums
from ..plans.plan import PlanError, digest_of
from ..plans.store import known_store
from ..regions.compose_group import group_regions
from ..regions.compose_maps import NotFusableError
from ..regions.loads import op_names
from ..regions.regions import Regions
from ..regions.signature import Signature, group_signature
from ..support.errors import LocatedError
from ..support.peers import peers, share_out
from .alone import alone_module, alone_text
from .back_to_back.form import BackToBackForm
from .built import Built, may_be_copied, reads_of
from .common.form import Group, KernelForm, SizedForm, Tiling
from .common.stated import FREE, Stated, stated_of
from .dynamic_sizes import tilings_of_sizes
from .elementwise.legality import NoTileError
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


NOT_PLANNED: Mapping[str, str] = {}

_Key = tuple[Signature, Stated]
"""What a group computes, and what is said of its tiling."""
_Asked = tuple[_Key, Callable[[], Tiling]]


class KernelFactory:
    """Builds the kernels of a module. Groups of one signature get the same tiles, which are looked for once: `tune` of
    them are timed where that is above 1. `store`: a file with tilings that were timed before, which go before what is
    predicted."""

    def __init__(self, target: Target, tune: int = TUNE, store: str | None = None):
        self.target = target
        self.tuner = tuner_of(tune)
        self.store = None if store is None else known_store(store, digest_of(target))
        self._known: dict[_Key, Tiling] = {}
        self._built: dict[_Key, Built] = {}
        self.tilings: dict[str, Tiling] = {}
        """Those of the kernels that were built, by their names."""

    def build(
        self,
        function: FuncOp,
        groups: Iterable[tuple[str, Sequence[Operation]]],
        predicted: Sequence[Tiling | None] = (),
        stated: Sequence[Stated] = (),
        planned: Mapping[str, str] = NOT_PLANNED,
    ) -> list[tile.KernelOp]:
        """Replace each group of `function` by one kernel of the given name. `predicted`: what the search for tiles
        found for each group, where it was asked before. `stated`: what is said of the tiling of each, beside what its
        ops say; `LocatedError` where that cannot be. `planned`: the plans that state it, by the names of kernels;
        `PlanError` where that cannot be."""
        packable = frozenset(weight_values(function))
        kernels: list[tile.KernelOp] = []
        named, task = list(groups), "building kernels" if self.tuner is None else "timing tiles"
        asked: list[_Asked] = []
        for i, (_, ops) in enumerate(named):
            wanted = stated_of(ops).over(stated[i] if i < len(stated) else FREE)
            found = predicted[i] if i < len(predicted) else None
            asked.append(
                (
                    (group_signature(ops, packable), wanted),
                    partial(self._tiling, ops, packable, found, wanted),
                )
            )
        if self.tuner is not None:
            self._look_ahead(dict(reversed(asked)))
        for (name, ops), (key, find) in zip(
            tracked(named, task, "kernel", lambda one: one[0]), asked, strict=True
        ):
            if key not in self._known:
                try:
                    self._known[key] = find()
                except NoTileError as error:
                    if name not in planned:
                        raise
                    reason = str(error).removeprefix(f"{error.op.name}: ")
                    raise PlanError(f"{planned[name]}: kernel {name!r}: {reason}") from error
                except NotFusableError as error:
                    reason = f'tile.group "{name}": it is no kernel: {error}'
                    raise LocatedError(error.op or ops[-1], reason) from error
            self.tilings[name] = self._known[key]
            kernels.append(self._kernel(name, ops, packable, key))
        return kernels

    def _kernel(
        self, name: str, ops: Sequence[Operation], packable: frozenset[SSAValue], key: _Key
    ) -> tile.KernelOp:
        """The kernel of a group: a copy, where one that computes the same was built before."""
        reads, before = reads_of(ops), ops[-1].prev_op
        if (built := self._built.get(key)) is not None:
            kernel = built.copied(name, ops[-1], reads)
        else:
            kernel = _build(name, ops, packable, self.target, self._known[key])
            if may_be_copied(ops):
                self._built[key] = Built.since(before, reads, kernel)
        return _put(kernel, ops)

    def _tiling(
        self,
        ops: Sequence[Operation],
        packable: frozenset[SSAValue],
        predicted: Tiling | None,
        stated: Stated,
    ) -> Tiling:
        """The tiling of a group."""
        group = Group(group_regions(ops), packable, self.target)
        return self._remembered(group, stated) or _choose(group, self.tuner, predicted, stated)

    def _look_ahead(self, asked: Mapping[_Key, Callable[[], Tiling]]) -> None:
        """Where there are peers, find tilings that will be asked for, each from another end."""
        keys = [key for key in asked if key not in self._known]

        def find(number: int) -> Tiling | None:
            with suppress(NotFusableError, NoTileError):  # where it is asked for, it is said of which kernel
                return asked[keys[number]]()
            return None

        with peers() as others:
            found = {} if others is None else share_out(len(keys), others, find)
        self._known |= {keys[number]: tiling for number, tiling in found.items() if tiling is not None}

    def _remembered(self, group: Group, stated: Stated) -> Tiling | None:
        """The fastest tiling that the store knows of a group; None where it knows none, or one is stated."""
        if self.store is None or stated or group.regions.factor:
            return None
        best = self.store.best(alone_text(group.regions.given, group.packable))
        if best is None:
            return None
        with suppress(NoTileError):
            return form_of(group.regions).tilings(group, 1, Stated.of(best[0]))[0]
        return None


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
    return _put(_build(name, ops, packable, target, chosen), ops)


def _build(
    name: str, ops: Sequence[Operation], packable: frozenset[SSAValue], target: Target, tiling: Tiling
) -> tile.KernelOp:
    """A kernel in front of the last of the ops that it computes."""
    regions = group_regions(ops)
    kernel = form_of(regions).build(name, Group(regions, packable, target), ops[-1], tiling)
    reorder_sums(kernel)
    kernel.ops = ArrayAttr([StringAttr(name) for name in op_names(ops)])
    return kernel


def _put(kernel: tile.KernelOp, ops: Sequence[Operation]) -> tile.KernelOp:
    """Let a kernel be in the place of ops that it computes, and of their constants."""
    anchor = ops[-1]
    owners = (value.owner for op in ops for value in op.operands)
    constants = list(dict.fromkeys(owner for owner in owners if isinstance(owner, ConstantOp)))
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
        best = tilings_as_stated(group, count, stated)
    if tuner is None or len(best) == 1:
        return best[0]
    return best[tuner.choose(alone_module(regions, group.packable), best, group.target)]


def is_possible(group: Group, stated: Stated) -> bool:
    """Whether a group has a legal tiling with all that is stated; `NotFusableError` where the chip cannot compute
    it."""
    try:
        _choose(group, stated=stated)
    except NoTileError:
        return False
    return True


def tilings_as_stated(group: Group, count: int, stated: Stated) -> Sequence[Tiling]:
    """`KernelForm.tilings`. Where none on all cores of the chip is as stated, those that the kernel would have on a
    chip with the cores that are stated."""
    form, cores = form_of(group.regions), stated.get("cores")
    try:
        return form.tilings(group, count, stated)
    except NoTileError:
        if not isinstance(cores, int) or not 0 < cores < group.target.cores:
            raise
        few = replace(group, target=group.target.on_cores(cores))
        with suppress(NoTileError):
            return form.tilings(few, count, stated)
        raise


__all__ = ["FORMS", "KernelFactory", "build_kernel", "form_of", "is_possible", "tilings_as_stated"]

"""Trials of single kernels: tasks that any process can do, of text and numbers alone.

A kernel is the text of a module whose only function computes its group. Its time is that of a cold launch of it alone,
launch included. Equal texts are equal kernels, whatever model they come from.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from math import inf

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...dialects.dynamic import is_dynamic
from ...dialects.graph.arguments import weight_values
from ...dialects.records import dataclass
from ...dialects.target import load_target
from ...dialects.target_types import Target
from ...passes.kernels.common.form import Group, KernelForm, SizedForm, Tiling
from ...passes.kernels.common.stated import Stated, plain, stated_of
from ...passes.kernels.dynamic_sizes import tilings_of_sizes
from ...passes.kernels.elementwise.legality import NoTileError
from ...passes.kernels.forms import form_of, tilings_as_stated
from ...passes.regions.compose_group import group_regions
from ...passes.regions.compose_maps import NotFusableError
from ...passes.support.dynamic_size import fixed_sizes
from ...passes.support.module import kernel_ops
from ...runtime.machine.costs import launch_us
from ..pipeline.read_module import make_context
from ..pipeline.tune import measure_sizes
from ..text.mlir_text import parse_mlir_text
from .held import Held
from .launches import Fields

DEALT, AHEAD = 3, 8
"""Of so many tilings of a product other orders of tiles are listed, behind so many with the best one."""

FAR = 4.0
"""Tilings that are predicted to take more than so many times as long as the best one are not listed: tiles of a few
elements may take minutes to emulate."""


@dataclass(frozen=True)
class TimeTask:
    """One tiling of one kernel to time; None: the one that is predicted to be fastest. `target` is a chip's name."""

    text: str
    target: str
    tiling: Fields | None = None


@dataclass(frozen=True)
class Timed:
    """A tiling, and the µs of its kernel with the launch; infinite where it cannot be built. `instructions` of all
    cores that were run; `held`: bytes of the kernel alone."""

    tiling: Fields
    time_us: float
    instructions: int = 0
    held: Held = Held()


@dataclass(frozen=True)
class SpaceTask:
    """The best `count` tilings of a kernel to list, best predicted first. Of a launch of several kernels `base` is the
    one to begin with."""

    text: str
    target: str
    count: int
    base: Fields | None = None


def time_kernel(task: TimeTask) -> Timed | None:
    """Time a tiling; None where the ops are no kernel, or none of theirs is as stated."""
    target = load_target(task.target)
    with _at_sizes(module_of(task.text)) as module:
        try:
            _, group, stated = _kernel(module, target)
            (tiling,) = _tilings(group, 1, stated.over(Stated.of(task.tiling or {})))
        except (NoTileError, NotFusableError):
            return None
        found = measure_sizes(module, tiling, target)
    time = sum(found.times) + launch_us(target, tiling.cores)
    held = Held(found.workspace, found.on_chip, found.weights)
    return Timed(plain(tiling), round(time, 4), found.instructions, held)


def tilings_of(task: SpaceTask) -> list[Fields]:
    """The tilings of a kernel that have what its ops state; none where its ops are no kernel. Behind the first of those
    that deal tiles to cores in an order of their own come others with other orders."""
    with _at_sizes(module_of(task.text)) as module:
        try:
            form, group, stated = _kernel(module, load_target(task.target))
            found = _near(form, group, _tilings(group, task.count, stated))
        except (NoTileError, NotFusableError):
            return []
    dealt = found[:DEALT] if task.count > DEALT else []
    others = [other for one in dealt for other in form.other_orders(one) if other not in found]
    others = [other for other in others if stated.allows(other)]
    return [plain(tiling) for tiling in (*found[:AHEAD], *others, *found[AHEAD:])]


def _tilings(group: Group, count: int, stated: Stated) -> Sequence[Tiling]:
    """The tilings of a kernel with what is stated, best predicted first; at a run-time size those that suit all sizes
    best."""
    form = form_of(group.regions)
    if not group.regions.factor:
        return tilings_as_stated(group, count, stated)
    assert isinstance(form, SizedForm), "other groups have static sizes"
    return tilings_of_sizes(form, group, count, stated)


@contextmanager
def _at_sizes(module: ModuleOp) -> Generator[ModuleOp]:
    """A kernel's module whose run-time size, if it has one, is a number while the context is open: tiles are chosen for
    the sizes that do where none are stated."""
    functions = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    if not any(is_dynamic(value.type) for one in functions for value in one.body.block.args):
        yield module
        return
    closed = module.clone()
    with fixed_sizes([op for op in closed.body.block.ops if isinstance(op, FuncOp)], ()):
        yield closed


def _near(form: KernelForm, group: Group, tilings: Sequence[Tiling]) -> list[Tiling]:
    """Those of some tilings, best predicted first, that are not predicted to take far longer than the first one."""
    if not isinstance(form, SizedForm) or group.regions.factor:
        return [*tilings]
    times = [
        group.target.microseconds(form.cycles(group, one)) + launch_us(group.target, one.cores)
        for one in tilings
    ]
    return [one for one, time in zip(tilings, times, strict=True) if time <= FAR * times[0]]


def _kernel(module: ModuleOp, target: Target) -> tuple[KernelForm, Group, Stated]:
    """The form that computes a module's only function, its group, and what its ops state of the tiling."""
    function = next(op for op in module.body.block.ops if isinstance(op, FuncOp))
    ops = kernel_ops(function)
    group = Group(group_regions(ops), frozenset(weight_values(function)), target)
    return form_of(group.regions), group, stated_of(ops)


@lru_cache(maxsize=64)
def module_of(text: str) -> ModuleOp:
    """The module of a kernel's text."""
    return parse_mlir_text(make_context(), text, "<kernel>")


NEVER = Timed({}, inf)

__all__ = ["NEVER", "Fields", "SpaceTask", "TimeTask", "Timed", "module_of", "tilings_of", "time_kernel"]

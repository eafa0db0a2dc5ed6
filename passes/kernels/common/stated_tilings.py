"""Which tilings of a kernel have what is stated, and what stands against it where none has."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, cast

from xdsl.dialects.func import FuncOp

from ....dialects.graph.fusion_marks import kernel_marks
from ....dialects.helpers import is_variant, last_of
from ...regions.loads import op_names
from ...support.words import counted
from ..elementwise.legality import NoTileError
from .form import Group
from .stated import Stated, is_sizes, plain, shown

ALL = 1 << 30
"""As many tilings as there are."""
MOST_SHOWN = 12
"""Values that a message lists."""

T = TypeVar("T")


def matching(group: Group, found: Sequence[T], count: int, stated: Stated) -> list[T]:
    """The first `count` of some tilings that have what is stated; `NoTileError` where none has."""
    chosen = [tiling for tiling in found if stated.allows(tiling)][:count]
    if not chosen:
        raise refused(group, found, stated)
    return chosen


def timed_matching(
    group: Group, found: Sequence[tuple[float, T]], count: int, stated: Stated
) -> list[tuple[float, T]]:
    """The same of tilings with their cycles."""
    chosen = matching(group, [tiling for _, tiling in found], count, stated)
    return [one for one in found if one[1] in chosen][:count]


def refused(group: Group, found: Sequence[object], stated: Stated, reason: str = "") -> NoTileError:
    """That none of the legal tilings that were `found` is the one that is stated, at the op that states it, and why.
    `reason`: what is known to stand against it."""
    ops = group.regions.ops
    at = next((op for op in reversed(ops) if kernel_marks(op)), ops[-1])
    return NoTileError(at, _refusal(group, found, stated, reason))


def _refusal(group: Group, found: Sequence[object], stated: Stated, reason: str) -> str:
    ops = [name.removeprefix("graph.") for name in op_names(group.regions.ops)]
    kernel = f" of the kernel {' + '.join(ops)}" if len(ops) > 1 else ""
    legal = f"no legal tiling{kernel}{_at_size(group)}"
    words = f"{legal} has {stated.text}"
    if reason:
        return f"{words}: {reason}"
    extents = group.regions.kernel_extents or (1,)
    tiles = stated.sizes("tiles")
    if tiles is not None and len(tiles) != len(extents):
        return f"{words}: the kernel has {counted(len(extents), 'dimension')}, of {shown(tuple(extents))}"
    if not found:
        return words
    if unknown := stated.unknown(found[0]):
        return f"{words}: its tilings have no {' or '.join(unknown)}"
    for name, value in stated.fields:
        alone = Stated(((name, value),))
        if not any(alone.allows(tiling) for tiling in found):
            others = (cast(Any, tiling) for tiling in found)
            listed = _listed((getattr(one, name) for one in others), value)
            return f"{legal} has {alone.text}: {name} may be {listed}"
    return f"{words}: each is legal by itself, with other {' and '.join(_left(found, stated))}"


def _at_size(group: Group) -> str:
    """At which run-time size a kernel is looked for, where it is one of several; else nothing."""
    parent = group.regions.ops[-1].parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        parent = parent.parent_op()
    name = "" if parent is None else parent.sym_name.data
    return f" at run-time size {last_of(name)}" if is_variant(name) and not group.regions.factor else ""


def _left(found: Sequence[object], stated: Stated) -> list[str]:
    """The stated fields that no tiling has beside the first ones."""
    kept: list[tuple[str, Any]] = []
    left: list[str] = []
    for name, value in stated.fields:
        more = Stated((*kept, (name, value)))
        if any(more.allows(tiling) for tiling in found):
            kept.append((name, value))
        else:
            left.append(name)
    return left


def _listed(values: Iterable[object], wanted: Any) -> str:
    """Some values in words, in order; where there are many, those that are most like the wanted one."""
    distinct = list(dict.fromkeys(values))
    if is_sizes(wanted) and all(map(is_sizes, distinct)):
        distinct.sort(key=lambda one: _distance(cast(Sequence[int], one), wanted))
    elif isinstance(wanted, int):
        distinct.sort(key=lambda one: abs(one - wanted) if isinstance(one, int) else 0)
    nearest = sorted(distinct[:MOST_SHOWN], key=_order)
    text = [shown(one if isinstance(one, tuple) else plain(one)) for one in nearest]
    more = f" and {len(distinct) - MOST_SHOWN} more" if len(distinct) > MOST_SHOWN else ""
    return ", ".join(text) + more


def _order(value: object) -> tuple[object, ...]:
    """Numbers and lists of numbers ascend; what is neither comes behind them as it is found."""
    if isinstance(value, int):
        return (0, value)
    return (1, value) if is_sizes(value) else (2,)


def _distance(one: Sequence[int], wanted: Sequence[int]) -> int:
    return sum(abs(a - b) for a, b in zip(one, wanted, strict=False))


__all__ = ["ALL", "matching", "refused", "timed_matching"]

"""What tilings of a kernel are like, in numbers that kernels and chips share: what a learned order is trained on.

Sizes are logarithms to base 2. What differs between tilings is also told as a difference to the tiling that is
predicted to be fastest, so that kernels of any size are alike. What a form does not know of a tiling is 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil, log2, prod
from typing import Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.element_types import bytes_of
from ...dialects.graph.arguments import weight_values
from ...dialects.records import dataclass
from ...dialects.target import load_target
from ...passes.kernels.common.form import Group, SizedForm
from ...passes.kernels.common.stated import Stated, plain
from ...passes.kernels.elementwise.legality import NoTileError
from ...passes.kernels.forms import form_of
from ...passes.regions.compose_group import group_regions
from ...passes.regions.compose_maps import NotFusableError
from ...passes.support.module import kernel_ops
from ...passes.support.values import element_type_of, shape_of
from ...runtime.machine.costs import launch_us
from .kernel_trials import Fields, module_of

KERNEL = (
    "ops", "products", "windows", "rows", "rank", "elements", "depth", "read", "weights", "written", "element",
    "product_cycles", "copied_cycles", "cores_of_chip", "split",
)  # fmt: skip
"""Of the kernel on its chip: counts of ops, products, convolutions with windows, ops that need whole rows, dimensions;
elements of the space, K, bytes read, of weights and written, bytes of an element; cycles of its products and of its
bytes if all cores share them; cores; whether Cube and Vector are cores of their own."""
TILING = (
    "cores", "tile", "last", "before", "tiles", "rounds", "idle", "padding", "step", "steps", "l0_k", "l0_steps",
    "chunk", "chunks", "swizzle", "stagger", "stages", "on_chip", "per_round", "recomputed", "live", "predicted",
)  # fmt: skip
"""Of a tiling: cores used; elements of its tile, of its last dimension and of all before; tiles, rounds of a core, the
share of rounds without a tile; elements computed over those wanted; K of a step, steps; K of one product, products of a
step; the chunk in UB, chunks; rows of the grid dealt at a time, whether steps are staggered, stages; bytes of operands
and result on chip, bytes that a core moves; ops done again, elements in UB, predicted µs with the launch."""
FLAGS = (
    "drain",
    "keeps",
    "unit_flag",
    "spans",
    "serial",
    "resident",
    "rows",
    "lead",
    "part",
    "l0_n",
    "circular",
)
"""Fields that most tilings leave out: whether they are stated."""
NAMES = (
    *(f"kernel {name}" for name in KERNEL),
    *TILING,
    *FLAGS,
    *(f"{name} to the first" for name in TILING),
    *(f"{name} other than the first" for name in FLAGS),
    "place",
)
"""The columns of a row of features."""


@dataclass(frozen=True)
class FeatureTask:
    """Tilings of a kernel, best predicted first, whose features are wanted. `target` is a chip's name."""

    text: str
    target: str
    tilings: Sequence[Fields]


def features_of(task: FeatureTask) -> list[list[float]]:
    """A row of `NAMES` for each tiling."""
    if not task.tilings:
        return []
    module = module_of(task.text)
    function = next(op for op in module.body.block.ops if isinstance(op, FuncOp))
    target = load_target(task.target)
    group = Group(group_regions(kernel_ops(function)), frozenset(weight_values(function)), target)
    kernel = _of_kernel(group)
    about = [kernel[name] for name in KERNEL]
    measured = _Measured(group, kernel)
    rows = [measured.of(tiling) for tiling in task.tilings]
    flags = [[float(bool(tiling.get(name))) for name in FLAGS] for tiling in task.tilings]
    found: list[list[float]] = []
    for place, (row, flag) in enumerate(zip(rows, flags, strict=True)):
        to_first = [a - b for a, b in zip(row, rows[0], strict=True)]
        other = [a - b for a, b in zip(flag, flags[0], strict=True)]
        found.append([round(x, 4) for x in (*about, *row, *flag, *to_first, *other, _log(place + 1))])
    return found


def _log(value: float) -> float:
    return log2(max(value, 1e-3))


def _bytes(values: Sequence[SSAValue]) -> int:
    tensors = [value for value in values if isinstance(value.type, TensorType)]
    return sum(bytes_of(element_type_of(value)) * prod(shape_of(value)) for value in tensors)


def _of_kernel(group: Group) -> Mapping[str, float]:
    """The features of `KERNEL`."""
    regions, target = group.regions, group.target
    inside = {value for op in regions.ops for value in op.results}
    read = list(dict.fromkeys(v for op in regions.ops for v in op.operands if v not in inside))
    depth, space = prod(regions.depths), prod(regions.extents[: regions.rank])
    products = len(regions.products) if regions.product is not None else 0
    windows = sum("conv" in op.name for op in regions.ops)
    moved = _bytes(read) + _bytes([regions.result])
    return {
        "ops": len(regions.ops), "products": products, "windows": windows, "rows": len(regions.rows),
        "rank": len(regions.kernel_extents), "elements": _log(space), "depth": _log(depth), "read": _log(_bytes(read)),
        "weights": _log(_bytes([v for v in read if v in group.packable])), "written": _log(_bytes([regions.result])),
        "element": float(bytes_of(element_type_of(regions.result))),
        "product_cycles": _log(space * depth * bool(products) / target.cores / 4096),
        "copied_cycles": _log(moved / target.cores / 64), "cores_of_chip": float(target.cores),
        "split": float(target.split),
    }  # fmt: skip


class _Measured:
    """Tilings of one kernel, measured."""

    def __init__(self, group: Group, kernel: Mapping[str, float]):
        self.group, self.kernel = group, kernel
        self.extents = group.regions.kernel_extents
        self.depth = prod(group.regions.depths)
        self.form = form_of(group.regions)
        self.like = self.form.tilings(group, 1)[0]
        self.plain = cast("Mapping[str, Any]", plain(self.like))

    def of(self, fields: Fields) -> list[float]:
        """The features of `TILING`."""
        inner: dict[str, Any] = {
            **fields, **cast("Fields", fields.get("second") or {}), "tiles": fields["tiles"], "cores": fields["cores"],
        }  # fmt: skip
        tiles = cast("Sequence[int]", inner["tiles"])
        pairs = list(zip(self.extents, tiles, strict=False))
        grid = prod(ceil(e / t) for e, t in pairs)
        rounds = ceil(grid / inner["cores"])
        tile, size = prod(tiles), self.kernel["element"]
        last, before = tiles[-1], tile // tiles[-1]
        step, l0_k = int(inner.get("step") or 0), inner.get("l0_k") or 0
        l0_k = int(cast("list[int]", l0_k)[0] if isinstance(l0_k, list) else l0_k)
        chunk = int(inner.get("chunk") or 0)
        operands = (last + before) * step * size
        predicted, recomputed, live = self._known(fields)
        found = {
            "cores": _log(inner["cores"]), "tile": _log(tile), "last": _log(last), "before": _log(before),
            "tiles": _log(grid), "rounds": _log(rounds), "idle": 1 - grid / (rounds * inner["cores"]),
            "padding": _log(prod(ceil(e / t) * t / e for e, t in pairs)), "step": _log(step or 1),
            "steps": _log(ceil(self.depth / step) if step else 1), "l0_k": _log(l0_k or 1),
            "l0_steps": _log(step / l0_k if step and l0_k else 1), "chunk": _log(chunk or 1),
            "chunks": _log(ceil(last / chunk) if chunk else 1), "swizzle": _log(inner.get("swizzle") or 1),
            "stagger": float(bool(inner.get("stagger"))), "stages": float(inner.get("stages") or 0),
            "on_chip": _log(operands * 2 + tile * 4),
            "per_round": _log((last + before) * (self.depth if step else 1) * size * rounds),
            "recomputed": recomputed, "live": _log(live), "predicted": _log(predicted),
        }  # fmt: skip
        return [found[name] for name in TILING]

    def _known(self, fields: Fields) -> tuple[float, float, float]:
        """Predicted µs with the launch, ops done again, elements in UB: what the form knows of a tiling."""
        form, group, target = self.form, self.group, self.group.target
        try:
            if isinstance(form, SizedForm):
                tiling = self._tiling(fields)
                cycles = form.cycles(group, tiling)
            else:
                cycles, tiling = form.fastest(group, stated=Stated.of(fields))
            work = form.work(group, tiling)
        except (TypeError, AttributeError, ArithmeticError, ValueError, NoTileError, NotFusableError):
            return 1.0, 0.0, 1.0
        return target.microseconds(cycles) + launch_us(target, tiling.cores), work.recomputed, work.live

    def _tiling(self, fields: Fields) -> Any:
        """A tiling of the form, from its fields."""
        other = {name: _frozen(value) for name, value in fields.items() if value != self.plain[name]}
        return replace(cast(Any, self.like), **other)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in cast("list[Any]", value)) if isinstance(value, list) else value


__all__ = ["NAMES", "FeatureTask", "features_of"]

"""What is known of a kernel once it is built: its tiles and cores, what it moves, and what was predicted for it."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from ...dialects import tile
from ...dialects.attributes import tensor_type
from ...dialects.element_types import bytes_of
from ...dialects.graph.base import bare_names
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.tile import layout_of
from ...runtime.machine.error_bars import Interval, ends_text
from ..selection.store_grain import apart, store_unit
from ..support.run_size import typical
from ..support.words import counted
from .group_cost import GroupCost
from .traffic import KernelTraffic, cores_of, kernel_traffic

LARGE = 1 << 18
"""Bytes of a result from which on few cores are given a reason."""
FEW = 3 / 4
"""Of a chip's cores: fewer are few."""


Intervals = Mapping[str, Interval | None]
"""Where the times of kernels lie, µs, by their names; None on a chip that is not validated."""


@dataclass(frozen=True)
class KernelRecord:
    """One kernel as it was built: its ops, what it moves, and what was predicted for it; where it is dynamic, all at
    the middle one of `sizes`."""

    name: str
    ops: tuple[str, ...]
    cores: int
    tiles: tuple[int, ...]
    traffic: KernelTraffic
    cost: GroupCost | None = None
    cores_note: str = ""
    """Why no more cores work on it; empty where there are tiles for more."""
    sizes: tuple[int, ...] = ()
    """The run-time sizes that its tiles are for; empty where it is static."""
    most_cores: int = 0
    """Cores at sizes with tiles for all of them."""

    @staticmethod
    def of(
        kernel: tile.KernelOp, target: Target, cost: GroupCost | None = None, few: bool = False
    ) -> "KernelRecord":
        """`few`: it states fewer cores than it would have by itself."""
        ops = tuple(op.data for op in kernel.ops)
        return KernelRecord(
            kernel.kernel_name.data,
            ops,
            cores_of(kernel),
            kernel.tile_sizes,
            kernel_traffic(kernel),
            cost,
            "fewer than by itself, so that others run beside it" if few else _cores_note(kernel, target),
            kernel.size_list,
            kernel.schedule.cores,
        )

    def to_lines(self, within: Intervals | None = None) -> list[str]:
        notes = (self.cores_line, *self.traffic_lines())
        line = f"  kernel {joined(self.ops)}: {self.bytes_line}{said_of(self.name, within or {})}"
        return [line, *(f"    {note}" for note in notes)]

    @property
    def bytes_line(self) -> str:
        """GM bytes, operations for each of them, predicted time."""
        traffic, cost = self.traffic, self.cost
        other = traffic.packed and cost is not None and cost.bytes - cost.again != traffic.once
        packed = " (weights as packed)" if other else ""
        numbers = f"{traffic.once} B of GM with each tensor once{packed}, {traffic.reread} B of re-reads"
        if cost is not None:
            numbers += f", {cost.intensity:.1f} op/B, {cost.time_us:.1f} us predicted"
        return numbers

    @property
    def cores_line(self) -> str:
        """Tiles, how many cores work on them, and why."""
        tiles = "x".join(str(size) for size in self.tiles)
        most = f" (at larger sizes up to {self.most_cores})" if self.most_cores > self.cores else ""
        note = self.cores_note and f": {self.cores_note}"
        return f"tiles {tiles} on {counted(self.cores, 'core')}{most}{note}"

    def traffic_lines(self) -> list[str]:
        """What is read of each operand, how often and why, and what is written."""
        lines: list[str] = []
        for o in self.traffic.operands:
            why = f" ({o.reason})" if o.reason else ""
            times = f"{round(o.read / o.part, 2):g}" if o.part else "0"
            of = f" of its {o.bytes} B" if o.part < o.bytes else ""
            lines.append(f"reads {o.name}: {times} x {o.part} B{of} = {o.read} B{why}")
        return [*lines, f"writes {self.traffic.written} B"]

    def to_json(self, interval_us: Interval | None = None) -> dict[str, Any]:
        traffic, cost = self.traffic, self.cost
        return {
            "name": self.name,
            "ops": list(self.ops),
            "cores": self.cores,
            "most_cores": max(self.cores, self.most_cores),
            "cores_note": self.cores_note,
            "tiles": list(self.tiles),
            "bytes": traffic.once,
            "reread_bytes": traffic.reread,
            "read_bytes": traffic.read,
            "written_bytes": traffic.written,
            "arithmetic_intensity": cost.intensity if cost else None,
            "time_us": cost.time_us if cost else None,
            "interval_us": interval_us,
            "operands": [
                {
                    "name": o.name,
                    "bytes": o.bytes,
                    "part_bytes": o.part,
                    "read_bytes": o.read,
                    "reread_bytes": o.reread,
                    "overlap": o.overlap,
                    "repeats": [{"dimension": d, "tiles": count} for d, count in o.repeats],
                }
                for o in traffic.operands
            ],
        }


def said_of(name: str, within: Intervals) -> str:
    """The interval of a kernel's time, as the end of a line; empty where none is known."""
    return f" ({ends_text(within[name])})" if name in within else ""


def at_size(kernels: Sequence[KernelRecord]) -> str:
    """The size that the numbers of some kernels are for, as the end of a title; empty where all are static."""
    sizes = next((kernel.sizes for kernel in kernels if kernel.sizes), ())
    if not sizes:
        return ""
    return f" at size {typical(sizes)} (tiles are for {', '.join(map(str, sizes))})"


def sizes_json(kernels: Sequence[KernelRecord]) -> dict[str, Any]:
    sizes = next((kernel.sizes for kernel in kernels if kernel.sizes), ())
    return {"size": typical(sizes) if sizes else None, "sizes": list(sizes)}


def _cores_note(kernel: tile.KernelOp, target: Target) -> str:
    """Why a kernel runs on the cores that it has; empty where there are tiles for more. Of a large result that few
    cores work on: why there are no more tiles."""
    cores, points = cores_of(kernel), prod(kernel.grid)
    if cores == points:
        note = "one tile covers the result" if points == 1 else f"one for each of its {points} tiles"
        few = FEW * (target.cores if _has_product(kernel) else target.vector_units)
        large = kernel_traffic(kernel).written >= LARGE
        return f"{note}; {_least_tiles_note(kernel, target)}" if large and cores < few else note
    if kernel.schedule.inner is not None:
        return f"each core walks all tiles of dimension {kernel.schedule.inner}, which share an operand in L1"
    if cores == 1 or (kernel.walked and cores == kernel.shared_points):
        whose = "one core walks all" if cores == 1 else f"each core walks {points // cores}"
        return f"neighbours among its {points} tiles share 32 B blocks of the result, so {whose}"
    return ""


def _has_product(kernel: tile.KernelOp) -> bool:
    return any(isinstance(op, tile.ContractOp) for op in kernel.walk())


def _least_tiles_note(kernel: tile.KernelOp, target: Target) -> str:
    """What stands against smaller tiles."""
    result, stored = kernel.outputs[0], tensor_type(kernel.body.block.args[len(kernel.inputs)])
    unit = store_unit(target, bytes_of(stored.element_type))
    extents = tuple(kernel.extent_list[d] if n < 0 else n for d, n in enumerate(stored.get_shape()))
    tiles = tuple(map(min, kernel.tile_sizes, extents))
    rows = {d for op in kernel.walk() if isinstance(op, tile.ReduceOp) for d in op.dim_list}
    rows |= {op.dim.value.data for op in kernel.walk() if isinstance(op, tile.ScanOp)}
    cut = [d for d, size in enumerate(tiles) if size > 1 and d not in rows]
    if not cut:
        return "a core has whole rows"
    halves = [(*tiles[:d], -(-tiles[d] // 2), *tiles[d + 1 :]) for d in cut]
    if layout_of(result.type) is None and not any(apart(extents, half, unit) for half in halves):
        return "smaller ones would share 32 B blocks of the result"
    return "smaller ones are predicted to be no faster"


def joined(names: Sequence[str]) -> str:
    """Op names without their dialect, as a sum."""
    return bare_names(names, " + ")


__all__ = ["KernelRecord", "at_size", "joined", "sizes_json"]

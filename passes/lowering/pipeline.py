"""In which order the programs of a kernel take its tiles, and which loads and products are issued apart from the rest.

Several tiles a core, or several steps, of a product are overlapped: what feeds the Cube comes ahead of what follows
it (`lowering.pipelining`). Loads may come a step ahead (`prefetch`) or in front of the loop over tiles (`hoisted`), as
long as the buffers have room: what all tiles share, and rows for the tables beside the Cube, whole. Products of the
last step may follow by columns (`split_last`), and FixPipe may take a tile by the unit flag (`unit_flag`).
"""

from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import ArrayAttr, UnitAttr

from ...dialects import tile
from ...dialects.attributes import tensor_type
from ...dialects.element_types import bytes_of
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK, tile_type
from ...dialects.tile.transfer_checks import whole_row_dim
from ..regions.loop_invariant_loads import shared_loads
from .base.place import blocked_dim
from .base.products import accumulator_of, products_of
from .product.contract import step_bytes, streams
from .product.l1_intermediate import holds
from .product.prefetch import loads_in_order
from .product.split_last_step import ends_by_columns
from .stream_hand_overs import stream_of
from .transfers.fixpipe import stores_at_once
from .transfers.table_rows import is_row

MOST_ROW_BYTES = 64 * 1024
"""Bytes of a row that a core loads at once. Of a product of 512x1024x16384 rows of 32 KiB saved 17 % of the time, of
128x768x30528 those of 60 KiB 3 %; of 32x1024x65536 those of 128 KiB cost 2 % (emulated, 910B and 950)."""


@dataclass(frozen=True)
class Pipeline:
    """How each of a kernel's programs loops, the products whose left operand's loads come a step ahead, that whose last
    step follows by columns, that which hands over by the unit flag, and the loads in front of the loop."""

    loops: tuple[str, ...]
    prefetch: tuple[tile.ContractOp, ...] = ()
    split_last: tile.ContractOp | None = None
    unit_flag: tile.ContractOp | None = None
    hoisted: tuple[tile.LoadOp, ...] = ()

    @property
    def loads_ahead(self) -> bool:
        """Whether buffers of UB are filled earlier than their first use."""
        return bool(self.prefetch) or any(not is_row(op) for op in self.hoisted)

    def annotate(self, kernel: tile.KernelOp) -> None:
        """Write it on the kernel and its ops."""
        programs = zip(kernel.program_list, self.loops, strict=True)
        kernel.programs = ArrayAttr([tile.ProgramAttr.get(one.core, loop) for one, loop in programs])
        for op in kernel.walk():
            if isinstance(op, tile.ContractOp):
                op.schedule = replace(
                    op.schedule,
                    prefetch=op in self.prefetch,
                    split_last=op is self.split_last,
                    unit_flag=op is self.unit_flag,
                )
            elif isinstance(op, tile.LoadOp):
                op.hoisted = UnitAttr() if op in self.hoisted else None


def plan_pipeline(source: tile.KernelOp, target: Target, ahead: bool = True) -> Pipeline:
    """The pipeline of a kernel with `programs`. `ahead`: whether loads may come before their turn."""
    cores = tuple(program.core for program in source.program_list)
    if target.split and stream_of(source) is not None:
        return Pipeline(("parts", "serial"))
    fed = any(one.what == "operands" for one in source.hand_over_list)
    early = _early(source, fed, cores) if ahead else ()
    loops = tuple(_loop(source, target, core, fed, early) for core in cores)
    product = accumulator_of(source)
    last = unit = None
    one_tile = _single(source) and not source.walked
    if product is not None and cores == ("core",) and loops == ("streamed",) and one_tile:
        last = product if ends_by_columns(source, product, target) else None
    if product is not None and _hands_over_by_units(source, product):
        unit = product
    shared = shared_loads(source) if ahead else ()
    rows = whole_rows(source, target) if ("aic", "streamed") in zip(cores, loops, strict=True) else ()
    return Pipeline(loops, early, last, unit, (*shared, *rows))


def whole_rows(source: tile.KernelOp, target: Target) -> tuple[tile.LoadOp, ...]:
    """The rows for tables beside the Cube that come to L1 at once, where it has room for them beside two steps of
    operands: those of no more than `MOST_ROW_BYTES`."""
    rows = [op for op in source.body.block.ops if isinstance(op, tile.LoadOp) and _comes_whole(source, op)]
    taken = sum(2 * step_bytes(product) for product in products_of(source))
    size = sum(_row_bytes(op) for op in rows)
    return tuple(rows) if taken + size <= target.spaces["l1"].bytes else ()


def _comes_whole(source: tile.KernelOp, op: tile.LoadOp) -> bool:
    """Whether all of a row may be in L1, and tiles find their part of it at the start of a block."""
    dim = whole_row_dim(op)
    if dim is None or _row_bytes(op) > MOST_ROW_BYTES:
        return False
    size = source.tile_sizes[dim]
    return size % BLOCK == 0 or size == source.extent_list[dim]


def _row_bytes(op: tile.LoadOp) -> int:
    kind = tensor_type(op.tensor.type)
    return prod(kind.get_shape()) * bytes_of(kind.element_type)


def _early(source: tile.KernelOp, fed: bool, cores: tuple[str, ...]) -> tuple[tile.ContractOp, ...]:
    """Products whose left operand is computed from loads that may come a step ahead."""
    if cores == ("core",):
        products = [
            op for op in source.walk() if isinstance(op, tile.ContractOp) and op.schedule.rows is None
        ]
    else:
        products = products_of(source)[:1] if fed else []
    return tuple(op for op in products if loads_in_order(op))


def _loop(
    source: tile.KernelOp, target: Target, core: str, fed: bool, early: tuple[tile.ContractOp, ...]
) -> str:
    """The order in which the program for a kind of core takes its tiles."""
    product = next(iter(products_of(source)), None)
    if product is None:
        return "spans" if source.schedule.spans else "serial"
    streamed, keeps, chained = streams(product, target), product.schedule.resident is not None, holds(source)
    several = not _single(source) or (product in early and streamed)
    if core == "core" and several and not keeps and not chained:
        return "streamed" if streamed else "overlapped"
    if core == "aic" and not fed and not source.walked and not chained and streamed:
        return "streamed"
    if core == "aiv" and fed:
        return "feed"
    if keeps:
        return "resident"
    return "spans" if source.schedule.spans else "serial"


def _hands_over_by_units(source: tile.KernelOp, product: tile.ContractOp) -> bool:
    """Whether tiles of the product of a kernel can leave L0C by the unit flag: it says so, no other product reads them,
    and one instruction takes all that is computed of a tile."""
    on_cube = any(program.core == "aic" for program in source.program_list)
    if not product.schedule.unit_flag or not on_cube or holds(source):
        return False
    through = [one.through for one in source.hand_over_list if one.what == "result"]
    if through:
        return through == ["gm"]
    rows = set(range(len(source.extent_list))) - {blocked_dim(tile_type(product.result))}
    covered = {d for d in rows if source.tail_list[d] == "cover" and source.ragged(d)}
    return stores_at_once(source, product) and not (product.window is not None and covered)


def _single(source: tile.KernelOp) -> bool:
    """Whether each core has one tile."""
    points, cores = source.shared_points, source.schedule.cores
    alone = prod(source.grid[d] for d in source.walked)
    return not source.factor and points <= cores and alone == 1 and not source.schedule.spans


__all__ = ["Pipeline", "plan_pipeline"]

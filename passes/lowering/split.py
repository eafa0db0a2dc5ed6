"""A `tile.kernel` on a chip whose Cube and Vector are cores of their own: one program for each kind that it needs.

What has no product runs on the Vector cores. A product runs on the Cube cores; its result leaves through FixPipe, to
the tensor itself where FixPipe can do what follows, else to the Vector cores beside: through a workspace in GM
(`hand_over`), or where the chip has a path from L0C to UB, through that (`landing`).
"""

from dataclasses import dataclass
from math import prod

from xdsl.dialects import arith
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialects import ascend, tile
from ...dialects.ascend.memory import ELEMENT_BYTES
from ...dialects.target import Target
from ...dialects.tile import BLOCK, layout_of, tile_type
from ..ascend_multi_buffer import fits
from .contract import yielded
from .feed import OPERANDS, SLOTS, FeedRoom, left_elements
from .filters import filter_elements
from .hand_over import Workspace, accumulator_of, workspace_of
from .kernel import KernelLowering, Room
from .landing import Landing, halves_of
from .operand import moved_operand, resident_type
from .place import physical
from .stream_split import lower_streamed, stream_of
from .tiling_function import tiling_function


@dataclass(frozen=True)
class Lowered:
    """The kernels of one launch, and where they meet: their last arguments. `tiling`: the function that gives them the
    numbers of a dynamic extent."""

    kernels: tuple[ascend.KernelOp, ...]
    workspaces: tuple[Room, ...] = ()
    tiling: FuncOp | None = None

    @property
    def made(self) -> tuple[Operation, ...]:
        """What the module gets."""
        return self.kernels if self.tiling is None else (*self.kernels, self.tiling)


def lower_kernel(source: tile.KernelOp, target: Target) -> Lowered:
    """The programs of one `tile.kernel`."""
    tiling = tiling_function(source) if source.factor else None
    if not target.split:
        lowering = KernelLowering(source, target)
        kernel = lowering.run()
        if lowering.fetched_ahead and not fits(kernel, target):
            kernel = KernelLowering(source, target, ahead=False).run()
        return Lowered((kernel,), tiling=tiling)
    if stream_of(source) is not None:
        return Lowered(*lower_streamed(source, target))
    product = accumulator_of(source)
    if product is None:
        return Lowered((KernelLowering(source, target, "aiv").run(),), tiling=tiling)
    fed = moved_operand(product) is not None or (product.window is not None and not _reads_blocks(product))
    straight = fixpipe_does(source)
    if straight and not fed:
        return Lowered((KernelLowering(source, target, "aic").run(),), tiling=tiling)
    workspaces: list[Room] = []
    if not straight:
        workspaces.append(_landing(source, product, target) or workspace_of(source, product))
    if fed:
        workspaces.append(_feed(source, product, target))
    sides = (KernelLowering(source, target, core, workspaces).run() for core in ("aic", "aiv"))
    return Lowered(tuple(sides), tuple(workspaces), tiling)


def _landing(source: tile.KernelOp, product: tile.ContractOp, target: Target) -> Landing | None:
    """Room in UB for tiles of the product, where FixPipe can write there."""
    if not target.lands:
        return None
    (chunks,) = (op for op in source.body.block.ops if isinstance(op, tile.ChunksOp))
    return Landing(halves_of(product, chunks), workspace_of(source, product).dtype)


def _feed(source: tile.KernelOp, product: tile.ContractOp, target: Target) -> Workspace | FeedRoom:
    """Room for feature maps, and filters that are no weights, that Vector cores lay out for the Cube core: its DMA
    cannot. It is in L1 where Vector cores can write there, with as many slots as leave room for other filters."""
    elements = left_elements(product)
    lhs, rhs = (value.owner for value in yielded(product))
    if product.window is not None and isinstance(rhs, tile.LoadOp) and rhs.packed is None:
        elements += filter_elements(tile_type(rhs.result))
        beside = 0
    else:
        beside = prod(tile_type(rhs.results[0]).get_shape()) if isinstance(rhs, tile.LoadOp) else 0
    assert isinstance(lhs, tile.LoadOp | tile.MoveOp)
    kind = tile_type(lhs.result)
    if ("ub", "l1") in target.paths and product.resident is not None:
        return FeedRoom(physical(resident_type(product), BLOCK)[0], kind.element_type, 1)
    if ("ub", "l1") in target.paths:
        item = ELEMENT_BYTES[str(kind.element_type)]
        slots = (
            s
            for s in (SLOTS, 2, 1)
            if (s * elements + min(s, 2) * beside) * item <= target.spaces["l1"].bytes
        )
        return FeedRoom(elements, kind.element_type, next(slots, 1))
    return Workspace(elements, kind.element_type, source.cores.value.data, SLOTS, OPERANDS)


def _reads_blocks(product: tile.ContractOp) -> bool:
    """Whether a convolution's operands lie in GM as in L1."""
    lhs, rhs = (value.owner for value in yielded(product))
    blocked = isinstance(lhs, tile.LoadOp) and layout_of(lhs.tensor.type) is not None
    return blocked and isinstance(rhs, tile.LoadOp) and rhs.packed is not None


def fixpipe_does(source: tile.KernelOp) -> bool:
    """Whether the result is what leaves the accumulator, and rows of the matrix are the result's rows."""
    (chunks,) = (op for op in source.body.block.ops if isinstance(op, tile.ChunksOp))
    body: list[Operation] = [
        op for op in chunks.body.block.ops if not isinstance(op, arith.ConstantOp | arith.AddiOp)
    ]
    if len(body) != 2 or not isinstance(body[0], tile.ExtractOp) or not isinstance(body[1], tile.StoreOp):
        return False
    kind, stored = tile_type(body[0].result), tile_type(body[1].tile)
    straight = kind.blocked == len(kind.get_shape()) - 1 or layout_of(body[1].tensor.type) is not None
    return straight and kind.element_type == stored.element_type and body[1].lead is None

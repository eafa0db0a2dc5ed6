"""The `tile` dialect: what is computed together, tile by tile, and in which memory each tile lives.

A `tile.group` says which graph ops are to be one kernel. A `tile.kernel` is that kernel: a grid over its result, and a
body that computes one tile of it.
Tiles are SSA values; where their bytes are, and which instruction moves them, is the next level's matter.
"""

from xdsl.ir import Dialect

from .bitcast import BitcastOp
from .border import BorderOp
from .chunks import ChunksOp, ExtractOp, YieldOp
from .concat import ConcatOp
from .grid_attr import Circular, Grid, GridAttr, Tail
from .group import GroupOp, without_layout
from .halo import HaloOp
from .kernel import KernelOp
from .layout import LayoutAttr, layout_of, physical_shape, physical_strides
from .maps import MapAttr, TileMap
from .product import ContractOp
from .product_attr import Parts, ProductAttr, ProductSchedule, Stagger
from .product_checks import check_product
from .schedule import HandOverAttr, ProgramAttr
from .schedule_checks import check_programs
from .slice import SliceOp
from .stream import SqueezeOp, StreamOp
from .transfer import LoadOp, Lookup, StoreOp
from .transfer_checks import check_load, check_store
from .types import BLOCK, Space, SpaceAttr, TileType, tile_type
from .vector import JoinOp, MoveOp, ReduceOp, ScanOp, VecOp, WindowOp
from .window_attr import WindowAttr

Tile = Dialect(
    "tile",
    [
        GroupOp,
        KernelOp,
        LoadOp,
        ContractOp,
        ChunksOp,
        ExtractOp,
        VecOp,
        ReduceOp,
        ScanOp,
        JoinOp,
        MoveOp,
        WindowOp,
        BorderOp,
        HaloOp,
        StreamOp,
        SliceOp,
        SqueezeOp,
        StoreOp,
        YieldOp,
        BitcastOp,
        ConcatOp,
    ],
    [
        TileType,
        SpaceAttr,
        LayoutAttr,
        MapAttr,
        WindowAttr,
        ProductAttr,
        GridAttr,
        ProgramAttr,
        HandOverAttr,
    ],
)

__all__ = [
    "BLOCK",
    "BitcastOp",
    "BorderOp",
    "ChunksOp",
    "Circular",
    "ConcatOp",
    "ContractOp",
    "ExtractOp",
    "Grid",
    "GridAttr",
    "GroupOp",
    "HaloOp",
    "HandOverAttr",
    "JoinOp",
    "KernelOp",
    "LayoutAttr",
    "LoadOp",
    "Lookup",
    "MapAttr",
    "MoveOp",
    "Parts",
    "ProductAttr",
    "ProductSchedule",
    "ProgramAttr",
    "ReduceOp",
    "ScanOp",
    "SliceOp",
    "Space",
    "SpaceAttr",
    "SqueezeOp",
    "Stagger",
    "StoreOp",
    "StreamOp",
    "Tail",
    "Tile",
    "TileMap",
    "TileType",
    "VecOp",
    "WindowAttr",
    "WindowOp",
    "YieldOp",
    "check_load",
    "check_product",
    "check_programs",
    "check_store",
    "layout_of",
    "physical_shape",
    "physical_strides",
    "tile_type",
    "without_layout",
]

"""A product on the Cube: the loop over K."""

from typing import ClassVar

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Region, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from ..late_format import LateFormat
from ..op_checks import run_check
from ..tiling import Image2Col
from .chunks import YieldOp
from .product_attr import ProductAttr, ProductSchedule
from .types import BLOCK, TileType, tile_type
from .window_attr import WindowAttr


@irdl_op_definition
class ContractOp(LateFormat):
    """Sum over K of the products of two tiles, on the Cube, in an accumulator in L0C.

    The body computes the operand tiles of one step; its arguments are the step's offset and size along K, of all K
    where a tile sums up a part. `schedule` (`#tile.product`) has the sizes, and how steps follow each other. A `bias`,
    a row in the bias table, is what every row of the sum starts from; a longer one than the table holds is in L1, and
    comes to the table part by part. With a `window` (`#tile.window`) the left operand is read as image-to-column: K is
    (C1, kh, kw, C0).

    What computes a `resident` left operand has an offset and a size along K of its own, the third and fourth argument;
    with `rows` these are along the tile's rows. Of several right operands each is a product of its own with the left
    one: their columns, as many of each, lie side by side in the accumulator, and `n` counts them all.

        %acc = tile.contract attributes {schedule = #tile.product<m = 128, n = 64, k = 512, step = 128, l0_k = 64>} {
        ^bb0(%at: index, %size: index):
          %a = tile.load %x at %o0, %at size %s0, %size {…} : tensor<256x512xf16> -> !tile.tile<128x128xf16, l1, …>
          %b = tile.load %w at %at, %o1 size %size, %s1 {…} : tensor<512x64xf16> -> !tile.tile<128x64xf16, l1, …>
          tile.yield %a, %b : …
        } -> !tile.tile<128x64xf32, l0c, blocked 1 order [1, 0]>
    """

    name = "tile.contract"
    schedule_attr = prop_def(ProductAttr, prop_name="schedule")
    window = opt_prop_def(WindowAttr)
    bias = opt_operand_def(TileType)
    result = result_def(TileType)
    body = region_def("single_block")
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "(`bias` $bias^ `:` type($bias))? attr-dict-with-keyword $body `->` type($result)"

    def __init__(
        self,
        result_type: TileType,
        schedule: ProductSchedule,
        window: Image2Col | None = None,
        bias: SSAValue | None = None,
    ):
        super().__init__(
            operands=[bias],
            properties={
                "schedule": ProductAttr(schedule),
                "window": None if window is None else WindowAttr.get(window),
            },
            result_types=[result_type],
            regions=[Region(Block(arg_types=[IndexType()] * (2 if schedule.resident is None else 4)))],
        )

    @property
    def schedule(self) -> ProductSchedule:
        """Its sizes, and how its steps follow each other."""
        return self.schedule_attr.data

    @schedule.setter
    def schedule(self, schedule: ProductSchedule) -> None:
        self.schedule_attr = ProductAttr(schedule)

    @property
    def image(self) -> Image2Col | None:
        """The window by which the left operand is read, in Python values."""
        return None if self.window is None else self.window.image

    def verify_(self) -> None:
        wanted = 2 if self.schedule.resident is None else 4
        if len(self.body.block.args) != wanted:
            raise VerifyException(
                f"tile.contract: {len(self.body.block.args)} block arguments, expected {wanted}"
            )
        if self._verify_yielded() > 1 and self.schedule.keeps:
            raise VerifyException("tile.contract: keeps is for one right operand")
        if self.bias is not None and tile_type(self.bias).space.data not in ("bt", "l1"):
            raise VerifyException("tile.contract: the bias is in bt or l1")
        if tile_type(self.result).space.data != "l0c":
            raise VerifyException("tile.contract: the accumulator is in l0c")
        run_check(self)

    def _verify_yielded(self) -> int:
        """What the body yields: the number of right operands."""
        last, n = self.body.block.last_op, self.schedule.n
        if not isinstance(last, YieldOp) or len(last.values) < 2:
            raise VerifyException(
                "tile.contract: the body yields the left operand's tile and the right one's"
            )
        if n % (BLOCK * (len(last.values) - 1)) and len(last.values) > 2:
            raise VerifyException(
                f"tile.contract: {len(last.values) - 1} right operands do not make up {n} columns in whole blocks of "
                f"{BLOCK}"
            )
        return len(last.values) - 1

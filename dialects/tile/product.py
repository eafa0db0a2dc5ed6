"""A product on the Cube: the loop over K."""

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from ..attributes import integer_array, integers
from ..op_checks import run_check
from .chunks import YieldOp
from .types import BLOCK, TileType, tile_type


@irdl_op_definition
class ContractOp(IRDLOperation):
    """Sum over K of the products of two tiles, on the Cube, in an accumulator in L0C.

    The body computes the operand tiles of one step; its arguments are the step's offset and size along K. A `bias`,
    a row in the bias table, is what every row of the sum starts from; a longer one than the table holds is in L1, and
    comes to the table part by part.
    `m`, `n`, `k` are the matrix sizes of one tile and of K in all, `step` is K of one step in L1, `l0_k` of one product
    in L0, `l0_n` so many of its columns (all, without it). `window` = [kh, kw, strides, pads (t, l, b, r), dilations]
    reads lhs as image-to-column: K is (C1, kh, kw, C0), `m_shape` the result rows and columns that `m` flattens.
    `stagger` = [rows, columns]: a tile in row i and column j of the grid begins i / rows + j / columns of the way round
    the whole steps of K, so that cores which share an operand do not ask L2 for the same lines at one time; `rows` and
    `columns` are what the tiles at work together span. With `resident` the left operand is computed, so much of K at a
    time, for the first of the tiles of columns that a core walks (`inner` of the kernel) and stays in L1 for the
    others; what computes it has an offset and a size along K of its own, the third and fourth argument. With `rows` too
    it is computed so many rows at a time, of all K, and these are the offset and size along the tile's rows. With
    `keeps` the right operand, packed weights with the columns of all tiles, stays in L1 once a core's first tile has
    loaded it. With `unit_flag` the Cube and FixPipe, which takes a tile in one instruction, hand over the accumulator
    by themselves, 512 B at a time. Of the right operand `stages` steps are in L1 at once, as far as there is room;
    without it as many as of any buffer. Of several right operands each is a product of its own with the left one: their
    columns, as many of each, lie side by side in the accumulator, and `n` counts them all. With `prefetch` what the
    left operand is computed from is loaded a step ahead. With `split_last` the products of the last step follow by
    columns, chunk by chunk of what follows. With `parts` = [d, K] a tile sums up a part of K: that in place i along
    dimension d of the grid begins at i k and has `k` of it, the last one what is left of K, all in whole steps; the
    body's offset is then one in all of K.

        %acc = tile.contract {m = 128 : i64, n = 64 : i64, k = 512 : i64, step = 128 : i64, l0_k = 64 : i64, …} {
        ^bb0(%at: index, %size: index):
          %a = tile.load %x at %o0, %at size %s0, %size {…} : tensor<256x512xf16> -> !tile.tile<128x128xf16, "l1", …>
          %b = tile.load %w at %at, %o1 size %size, %s1 {…} : tensor<512x64xf16> -> !tile.tile<128x64xf16, "l1", …>
          tile.yield %a, %b : …
        } -> !tile.tile<128x64xf32, "l0c", blocked 1 order [1, 0]>
    """

    name = "tile.contract"
    m = prop_def(IntegerAttr)
    n = prop_def(IntegerAttr)
    k = prop_def(IntegerAttr)
    step = prop_def(IntegerAttr)
    l0_k = prop_def(IntegerAttr)
    l0_n = opt_prop_def(IntegerAttr)
    transpose_lhs = prop_def(IntegerAttr)
    transpose_rhs = prop_def(IntegerAttr)
    window = opt_prop_def(DenseArrayBase)
    m_shape = prop_def(DenseArrayBase)
    stagger = opt_prop_def(DenseArrayBase)
    resident = opt_prop_def(IntegerAttr)
    rows = opt_prop_def(IntegerAttr)
    keeps = opt_prop_def(UnitAttr)
    unit_flag = opt_prop_def(UnitAttr)
    stages = opt_prop_def(IntegerAttr)
    prefetch = opt_prop_def(UnitAttr)
    split_last = opt_prop_def(UnitAttr)
    parts = opt_prop_def(DenseArrayBase)
    bias = opt_operand_def(TileType)
    result = result_def(TileType)
    body = region_def("single_block")
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "(`bias` $bias^ `:` type($bias))? attr-dict-with-keyword $body `->` type($result)"

    def __init__(
        self,
        result_type: TileType,
        *,
        m: int,
        n: int,
        k: int,
        step: int,
        l0_k: int,
        l0_n: int | None = None,
        transpose_lhs: bool = False,
        transpose_rhs: bool = False,
        window: Sequence[int] | None = None,
        m_shape: Sequence[int] = (),
        stagger: Sequence[int] | None = None,
        resident: int | None = None,
        rows: int | None = None,
        keeps: bool = False,
        unit_flag: bool = False,
        stages: int | None = None,
        parts: Sequence[int] | None = None,
        bias: SSAValue | None = None,
    ):
        super().__init__(
            operands=[bias],
            properties={
                "m": IntegerAttr(m, i64),
                "n": IntegerAttr(n, i64),
                "k": IntegerAttr(k, i64),
                "step": IntegerAttr(step, i64),
                "l0_k": IntegerAttr(l0_k, i64),
                "l0_n": None if l0_n is None else IntegerAttr(l0_n, i64),
                "transpose_lhs": IntegerAttr(int(transpose_lhs), i64),
                "transpose_rhs": IntegerAttr(int(transpose_rhs), i64),
                "window": None if window is None else integer_array(window),
                "m_shape": integer_array(m_shape),
                "stagger": None if stagger is None else integer_array(stagger),
                "resident": None if resident is None else IntegerAttr(resident, i64),
                "rows": None if rows is None else IntegerAttr(rows, i64),
                "keeps": UnitAttr() if keeps else None,
                "unit_flag": UnitAttr() if unit_flag else None,
                "stages": None if stages is None else IntegerAttr(stages, i64),
                "parts": None if parts is None else integer_array(parts),
            },
            result_types=[result_type],
            regions=[Region(Block(arg_types=[IndexType()] * (2 if resident is None else 4)))],
        )

    @property
    def depth(self) -> int:
        """K of the whole product: of all parts, where a tile has one."""
        return self.k.value.data if self.parts is None else integers(self.parts)[1]

    def verify_(self) -> None:
        if len(self.body.block.args) != (2 if self.resident is None else 4):
            raise VerifyException(
                f"tile.contract: {len(self.body.block.args)} block arguments, expected "
                f"{2 if self.resident is None else 4}"
            )
        self._verify_resident()
        right = self._verify_yielded()
        sizes = {"m": self.m, "n": self.n, "k": self.k, "step": self.step, "l0_k": self.l0_k}
        for name, size in sizes.items():
            if size.value.data < 1:
                raise VerifyException(f"tile.contract: {name} is 1 or more, not {size.value.data}")
        if self.keeps is not None and (
            self.k.value.data % min(self.step.value.data, self.k.value.data)
            or self.resident is not None
            or right > 1
        ):
            raise VerifyException(
                "tile.contract: keeps is for whole steps of K, one right operand and a left one that is not resident"
            )
        self._verify_steps()
        self._verify_pieces()
        if tile_type(self.result).space.data != "l0c":
            raise VerifyException("tile.contract: the accumulator is in l0c")
        run_check(self)

    def _verify_resident(self) -> None:
        """How much of a left operand that stays in L1 is computed at once."""
        if self.resident is not None and (
            self.resident.value.data % min(self.step.value.data, self.k.value.data)
            or 0 < self.k.value.data % self.resident.value.data < self.k.value.data
        ):
            raise VerifyException(
                f"tile.contract: resident is so many steps of {self.step.value.data} and a part of "
                f"{self.k.value.data}, not {self.resident.value.data}"
            )
        if self.rows is not None and (
            self.resident is None
            or self.rows.value.data < 1
            or integers(self.m_shape)[-1] % self.rows.value.data
        ):
            raise VerifyException(
                f"tile.contract: rows is a part of the rows {list(integers(self.m_shape))} of a resident operand, "
                f"not {self.rows.value.data}"
            )
        if self.rows is not None:
            *outer, span = integers(self.m_shape)
            if self.rows.value.data < span and any(n > 1 for n in outer):
                raise VerifyException(
                    f"tile.contract: {self.rows.value.data} of the last rows of {[*outer, span]} do not lie one behind "
                    "the other"
                )

    def _verify_yielded(self) -> int:
        """What the body yields: the number of right operands."""
        last = self.body.block.last_op
        if not isinstance(last, YieldOp) or len(last.values) < 2:
            raise VerifyException(
                "tile.contract: the body yields the left operand's tile and the right one's"
            )
        if self.n.value.data % (16 * (len(last.values) - 1)) and len(last.values) > 2:
            raise VerifyException(
                f"tile.contract: {len(last.values) - 1} right operands do not make up {self.n.value.data} columns "
                "in whole blocks of 16"
            )
        return len(last.values) - 1

    def _verify_steps(self) -> None:
        """A convolution's window, and the order of its steps."""
        if self.window is not None:
            window = integers(self.window)
            if len(window) != 10 or min(*window[:4], *window[8:]) < 1 or min(window[4:8]) < 0:
                raise VerifyException(
                    f"tile.contract: a window is [kh, kw, 2 strides, 4 pads, 2 dilations], not {list(window)}"
                )
        if self.stages is not None and self.stages.value.data < 2:
            raise VerifyException(f"tile.contract: 2 stages or more, not {self.stages.value.data}")
        if self.stagger is not None:
            spans = integers(self.stagger)
            if len(spans) != 2 or min(spans) < 1:
                raise VerifyException(f"tile.contract: stagger is [rows, columns], not {list(spans)}")

    def _verify_pieces(self) -> None:
        """Where sums start, the columns of one product, steps of the right operand in L1."""
        if self.bias is not None and tile_type(self.bias).space.data not in ("bt", "l1"):
            raise VerifyException("tile.contract: the bias is in bt or l1")
        if self.l0_n is not None and (self.l0_n.value.data < 1 or self.l0_n.value.data % BLOCK):
            raise VerifyException(f"tile.contract: l0_n is in blocks of {BLOCK}, not {self.l0_n.value.data}")
        if self.l0_n is not None and self.l0_n.value.data >= self.n.value.data:
            raise VerifyException(
                f"tile.contract: l0_n is less than n, not {self.l0_n.value.data} of {self.n.value.data}"
            )
        if self.stages is not None and self.resident is None:
            raise VerifyException("tile.contract: stages are of a product whose left operand is resident")

"""How a product is carried out on the Cube."""

from dataclasses import field
from math import prod
from typing import NamedTuple

from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.utils.exceptions import VerifyException

from ..record_attributes import (
    FLAG,
    INTEGER,
    Form,
    RecordAttr,
    list_text,
    nested,
    parse_ints,
    record_text,
    some_integers,
    syntax,
)
from ..records import dataclass
from .types import BLOCK


class Stagger(NamedTuple):
    """What the tiles at work together span in the grid: so many rows and columns."""

    rows: int
    columns: int


@dataclass(frozen=True)
class Parts:
    """Tiles sum up parts of K, which dimension `dim` of the grid numbers; all of K is `depth`."""

    dim: int = field(metadata=INTEGER)
    depth: int = field(metadata=INTEGER)

    def verify(self) -> None:
        """`VerifyException` where there is no such dimension, or K is empty."""
        if self.dim < 0 or self.depth < 1:
            raise VerifyException(
                f"product: parts have a dim of 0 or more and a depth of 1 or more, not {record_text(self)}"
            )


def _parse_shape(parser: AttrParser) -> tuple[int, ...]:
    rows = parser.parse_optional_integer(allow_boolean=False)
    return parse_ints(parser) if rows is None else (rows,)


def _shape_text(shape: tuple[int, ...]) -> str:
    return str(shape[0]) if len(shape) == 1 else list_text(shape)


SHAPE = syntax(Form(_parse_shape, _shape_text, "m"))


@dataclass(frozen=True)
class ProductSchedule:
    """Sizes of a product [m, n] = [m, k] x [k, n], and how its steps follow each other."""

    m_shape: tuple[int, ...] = field(metadata=SHAPE)
    """What M of a tile is made of: rows of the result, and of an image rows and columns."""
    n: int = field(metadata=INTEGER)
    """Columns of a tile; of several products side by side, all."""
    k: int = field(metadata=INTEGER)
    """K of a tile."""
    step: int = field(metadata=INTEGER)
    """K of one step, of which L1 holds both operands."""
    l0_k: int = field(metadata=INTEGER)
    """K of one product, of which L0A and L0B hold both operands."""
    l0_n: int | None = field(default=None, metadata=INTEGER)
    """Columns of one product; all, without it."""
    transpose_lhs: bool = field(default=False, metadata=FLAG)
    transpose_rhs: bool = field(default=False, metadata=FLAG)
    stagger: Stagger | None = field(default=None, metadata=some_integers(2, Stagger))
    resident: int | None = field(default=None, metadata=INTEGER)
    """The left operand is computed, so much of K at a time, and stays in L1."""
    rows: int | None = field(default=None, metadata=INTEGER)
    """A resident operand is computed so many rows at a time."""
    keeps: bool = field(default=False, metadata=FLAG)
    """The right operand stays in L1."""
    stages: int | None = field(default=None, metadata=INTEGER)
    """Steps of the right operand in L1 at once."""
    parts: Parts | None = field(default=None, metadata=nested(Parts))
    unit_flag: bool = field(default=False, metadata=FLAG)
    """The Cube and FixPipe hand over the accumulator by themselves."""
    prefetch: bool = field(default=False, metadata=FLAG)
    """What the left operand is computed from is loaded a step ahead."""
    split_last: bool = field(default=False, metadata=FLAG)
    """Products of the last step follow by columns."""

    @property
    def m(self) -> int:
        """Rows of a tile."""
        return prod(self.m_shape)

    @property
    def depth(self) -> int:
        """K of the whole product: of all parts, where a tile has one."""
        return self.k if self.parts is None else self.parts.depth

    @property
    def step_k(self) -> int:
        """K of the first step, which may be all of it."""
        return min(self.step, self.k)

    def verify(self) -> None:
        """`VerifyException` where a size is out of range, or does not go with the others."""
        sizes = {"m": self.m, "n": self.n, "k": self.k, "step": self.step, "l0_k": self.l0_k}
        for name, size in sizes.items():
            if size < 1:
                raise VerifyException(f"product: {name} is 1 or more, not {size}")
        if self.stagger is not None and min(self.stagger) < 1:
            raise VerifyException(f"product: stagger spans 1 or more, not {list(self.stagger)}")
        if self.l0_n is not None and (self.l0_n < 1 or self.l0_n % BLOCK):
            raise VerifyException(f"product: l0_n is in blocks of {BLOCK}, not {self.l0_n}")
        if self.l0_n is not None and self.l0_n >= self.n:
            raise VerifyException(f"product: l0_n is less than n, not {self.l0_n} of {self.n}")
        if self.stages is not None and self.stages < 2:
            raise VerifyException(f"product: 2 stages or more, not {self.stages}")
        if self.stages is not None and self.resident is None:
            raise VerifyException("product: stages are of a product whose left operand is resident")
        if self.parts is not None:
            self.parts.verify()
        self._verify_resident()

    def _verify_resident(self) -> None:
        """How much of a left operand that stays in L1 is computed at once."""
        if self.resident is not None and (
            self.resident < 1 or self.resident % self.step_k or 0 < self.k % self.resident < self.k
        ):
            raise VerifyException(
                f"product: resident is so many steps of {self.step} and a part of {self.k}, not {self.resident}"
            )
        if self.keeps and (self.k % self.step_k or self.resident is not None):
            raise VerifyException(
                "product: keeps is for whole steps of K, and a left operand that is not resident"
            )
        if self.rows is None:
            return
        *outer, span = self.m_shape or (1,)
        if self.resident is None or self.rows < 1 or span % self.rows:
            raise VerifyException(
                f"product: rows is a part of the rows {list(self.m_shape)} of a resident operand, not {self.rows}"
            )
        if self.rows < span and any(n > 1 for n in outer):
            raise VerifyException(
                f"product: {self.rows} of the last rows of {[*outer, span]} do not lie one behind the other"
            )


@irdl_attr_definition
class ProductAttr(RecordAttr[ProductSchedule]):
    """How a product is carried out. `m`, `n`, `k` are the sizes of a tile; of several numbers `m` is their product, the
    rows and columns of the result that a row of the matrix stands for. `step` is K of a step in L1, `l0_k` of one
    product in L0, `l0_n` so many of its columns (all, without it). `transpose_lhs`: the left operand lies as [K, M];
    `transpose_rhs`: the right one as [N, K].

    `stagger = [rows, columns]`: a tile in row i and column j of the grid begins i / rows + j / columns of the way round
    the whole steps of K, so that cores which share an operand do not ask L2 for the same lines at one time; `rows` and
    `columns` are what the tiles at work together span.

    With `resident` the left operand is computed, so much of K at a time, for the first of the tiles of columns that a
    core walks (`inner` of the kernel) and stays in L1 for the others. With `rows` too it is computed so many rows at a
    time, of all K. With `keeps` the right operand, packed weights with the columns of all tiles, stays in L1 once a
    core's first tile has loaded it. Of the right operand `stages` steps are in L1 at once, as far as there is room;
    without it as many as of any buffer.

    With `parts = <dim = d, depth = K>` a tile sums up a part of K: that in place i along dimension d of the grid begins
    at i k and has `k` of it, the last one what is left of K, all in whole steps.

    With `unit_flag` the Cube and FixPipe, which takes a tile in one instruction, hand over the accumulator by
    themselves, 512 B at a time. With `prefetch` what the left operand is computed from is loaded a step ahead. With
    `split_last` the products of the last step follow by columns, chunk by chunk of what follows.

        #tile.product<m = [4, 56], n = 128, k = 576, step = 288, l0_k = 48, stagger = [24, 1], unit_flag>
    """

    name = "tile.product"
    KIND = ProductSchedule


__all__ = ["Parts", "ProductAttr", "ProductSchedule", "Stagger"]

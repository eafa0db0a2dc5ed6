"""What the tilings of a group whose left operand comes part by part have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from ....dialects.element_types import ELEMENT_BYTES, name_of
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ...cost.gm_bytes import group_bytes, tensor_bytes, write_cycles
from ...cost.group_trace import GroupTrace, ceil_to
from ...regions.regions import Regions
from ...regions.tiling import Roles, product_roles
from ...support.values import element_type_of, rule_of, shape_of
from ..product.load_costs import Asked, lines_asked
from .build import OnlineParts, online_parts
from .trace import Alike, alike, lacked_dims, trace_part


@dataclass(frozen=True)
class Problem:
    """A group for a chip."""

    regions: Regions
    target: Target

    @cached_property
    def parts(self) -> OnlineParts:
        return online_parts(self.regions)

    @cached_property
    def roles(self) -> Roles:
        return product_roles(self.regions)

    @cached_property
    def extents(self) -> Sequence[int]:
        """Those of the kernel's dimensions."""
        return self.regions.kernel_extents

    @cached_property
    def inner(self) -> int:
        """K of the inner product; 0: there is none."""
        return 0 if self.parts.stream.inner is None else ceil_to(self.regions.extents[-1], 16)

    @cached_property
    def several(self) -> int:
        """Products that give the rows, side by side."""
        return max(1, len(self.parts.stream.products))

    @cached_property
    def dtype(self) -> str:
        return name_of(element_type_of(self.parts.product.operands[0]))

    @cached_property
    def item(self) -> int:
        """Bytes of an element."""
        return ELEMENT_BYTES[self.dtype]

    @cached_property
    def read_once(self) -> int:
        """Bytes of all tensors that are read."""
        return sum(tensor_bytes(value) for value in {load.value for load in self.regions.loads})

    @cached_property
    def hbm(self) -> float:
        """Cycles of HBM for every tensor, once. Rows that become NZ come in turns: each line is a run."""
        written, memory = tensor_bytes(self.regions.result), self.target.memory
        read = group_bytes(self.regions) - written
        by_rows = self.target.split and self.target.path("gm", "l1").row
        runs = memory.hbm_run * read / memory.l2_line if by_rows else 0.0
        return read / memory.hbm_chip + runs + write_cycles(self.regions, self.target, written)

    def cut_lines(self, step: int) -> float:
        """Lines of L2 that a core fetches for each part of `step` columns though another core has: requests end inside
        a sector of them, so that L2 does not keep them."""
        if not (self.target.split and self.target.memory.sector > 1):
            return 0.0
        return self._lines(step)[1]

    def lines(self, step: int) -> float:
        """Requests of lines of L2 for the right operands of a part of `step` columns."""
        return self._lines(step)[0]

    def _lines(self, step: int) -> tuple[float, float]:
        """Requests of lines, and how many of them are cut."""
        if step not in self._known_lines:
            asked = [*self._asked(step)]
            self._known_lines[step] = sum(a.requests for a in asked), sum(a.cut for a in asked)
        return self._known_lines[step]

    @cached_property
    def _known_lines(self) -> dict[int, tuple[float, float]]:
        return {}

    def _asked(self, step: int) -> Iterator[Asked]:
        for op in (*self.parts.stream.products, self.parts.product):
            contraction = rule_of(op).contraction(op)
            rows, columns = shape_of(op.operands[contraction.rhs])[-2:]
            along = (op is self.parts.product) == contraction.transpose_rhs
            bursts, run = (rows, min(step, columns)) if along else (min(step, rows), columns)
            yield lines_asked(self.target, bursts, run * self.item, columns * self.item)

    @cached_property
    def _lacked(self) -> frozenset[int]:
        """Dimensions of the kernel that something lacks that a part is computed from: its share depends on them."""
        return lacked_dims(self.regions, self.parts)

    @cached_property
    def vector_work(self) -> dict[tuple[object, ...], float]:
        """Cycles of the Vector unit that were found before, by what they depend on beside the group."""
        return self.alike.vector_work

    @cached_property
    def _traces(self) -> dict[tuple[object, ...], GroupTrace]:
        return self.alike.traces

    @cached_property
    def alike(self) -> Alike:
        """What was found of groups that run the same instructions."""
        return alike(self.regions, self.target)

    def trace(self, tiles: tuple[int, ...], step: int) -> GroupTrace:
        """`trace_part`, once for tilings whose parts run the same instructions on the same shares of their rows."""
        key = step, tuple(t if d in self._lacked else min(t, 2) for d, t in enumerate(tiles))
        if key not in self._traces:
            self._traces[key] = trace_part(self.regions, self.parts, self.target, tiles, step)
        return self._traces[key]


__all__ = ["Problem"]

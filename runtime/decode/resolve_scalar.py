"""Resolves instructions of the scalar unit: elements of UB, and the registers that it computes in."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...dialects.ascend import LoadScalarOp, StoreScalarOp
from ...dialects.element_types import ELEMENT_BYTES
from ..machine.costs import index_cost
from ..machine.memory import REGISTERS, Footprint, View
from ..program.checks import require
from ..program.instruction import INDEX, STEP, Effects, Instruction
from ..program.kernel_program import Site
from ..support.late import LateFunctions, LateSpreads
from .arithmetic import function_of, type_of
from .binding import on_core
from .resolve_dma import Key
from .resolve_foreign import ForeignResolver
from .scalar_plan import CELL

if TYPE_CHECKING:
    from ..poison import shadow_values
    from ..values import scalar_values
else:
    scalar_values = LateFunctions("values.scalar_values")
    shadow_values = LateSpreads("poison.shadow_values")


def cell_view(cell: int, dtype: str) -> View:
    """A register as an operand."""
    item = ELEMENT_BYTES[dtype]
    return View(REGISTERS, dtype, item, CELL * cell, (1,), (item,), "a register")


class ScalarResolver(ForeignResolver):
    """Resolves what the scalar unit does itself. It does it at once, in order: what it issues later comes later. What a
    load or a store of UB takes is not published; each is taken to be a simple instruction, as arithmetic is."""

    def taken(self, site: Site, key: Key, dtype: str) -> View | float:
        """The number that an instruction takes at run time: a copy in a register, or one in its key."""
        number = key[site.scalars[0]]
        return number if site.cells[0] < 0 else cell_view(site.cells[0] + number, dtype)

    def load_from_gm(self, site: Site) -> Instruction:
        """The scalar unit reads an element or an index of a tensor, through its cache."""
        item = ELEMENT_BYTES[site.operands[0].dtype] if site.operands else ELEMENT_BYTES["i32"]
        return self.make(site, INDEX, "S", cost=index_cost(self.target, item))

    def step(self, site: Site, key: Key) -> Instruction:
        """An instruction of the scalar unit."""
        op, (first, *cells) = site.op, site.cells
        if isinstance(op, LoadScalarOp):
            return self._moved(site, self._element(site, key), cell_view(first, type_of(op.result.type)))
        if isinstance(op, StoreScalarOp):
            dtype = type_of(op.value.type)
            source = key[site.scalars[0]] if cells[0] < 0 else cell_view(cells[0], dtype)
            return self._moved(site, source, self._element(site, key))
        if site.step != "compute":
            turn = key[0] if site.step == "copy" else 0
            source = key[site.scalars[0]] if cells[0] < 0 else cell_view(cells[0], site.dtype)
            moved = self._moved(site, source, cell_view(first + turn, site.dtype))
            moved.issue = 0.0  # a name for a register, or what goes to the pipe with an instruction
            return moved
        numbers = iter(site.scalars)
        types = [type_of(value.type) for value in op.operands]
        sources = [
            key[next(numbers)] if c < 0 else cell_view(c, t) for c, t in zip(cells, types, strict=True)
        ]
        result, views = cell_view(first, type_of(op.results[0].type)), _views(sources)
        return self.make(
            site, STEP, "S",
            effects=lambda: Effects(tuple(map(Footprint.of, views)), (Footprint.of(result),)),
            bind=on_core(scalar_values.bind_computed, function_of(op), tuple(sources), result),
            spread=shadow_values.of_elements(views, result),
            check="exact",
        )  # fmt: skip

    def _moved(self, site: Site, source: View | float, result: View) -> Instruction:
        views = _views([source])
        return self.make(
            site, STEP, "S",
            effects=lambda: Effects(tuple(map(Footprint.of, views)), (Footprint.of(result),)),
            bind=on_core(scalar_values.bind_moved, source, result),
            spread=shadow_values.of_elements(views, result),
            check="exact" if site.step == "store" or not views else "move",
        )  # fmt: skip

    def _element(self, site: Site, key: Key) -> View:
        """An element of UB at any address."""
        view = site.operands[0].at(key)
        space = self.target.spaces["ub"]
        reason = f"an {self.program.kind} core of {self.target.name} has no ub"
        require(self.program.kind != "aic", "no-path", reason, view)
        reason = f"the element ends at byte {view.end}, ub has {space.bytes}"
        require(view.address >= 0 and view.end <= space.bytes, "out-of-bounds", reason, view)
        reason = f"address {view.address} is not a multiple of {view.itemsize}"
        require(view.address % view.itemsize == 0, "misaligned", reason, view)
        return view


def _views(sources: Sequence[View | float]) -> list[View]:
    return [source for source in sources if isinstance(source, View)]

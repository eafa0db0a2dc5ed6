"""Resolves Vector instructions that only programs of other compilers have: on bits, counts, blocks of one element,
elements from anywhere."""

from typing import TYPE_CHECKING

from ...dialects.ascend import VecOp
from ...dialects.element_types import BLOCK_BYTES
from ...dialects.isa import VECTOR_INSTRUCTIONS
from ..machine.costs import vec_cost, vector_repeats
from ..machine.memory import Footprint, View
from ..program.checks import check_in_place, check_operand, check_repeats, require
from ..program.instruction import BY_VALUE, LOCAL, Effects, Instruction
from ..program.kernel_program import Site
from ..support.late import LateFunctions, LateSpreads
from .binding import on_core
from .resolve_masks import MaskResolver

if TYPE_CHECKING:
    from ..poison import shadow_values
    from ..values import foreign_values
else:
    foreign_values = LateFunctions("values.foreign_values")
    shadow_values = LateSpreads("poison.shadow_values")


class ForeignResolver(MaskResolver):
    """Resolves those whose results are not of the elements in their own places."""

    def moving(self, site: Site, op: VecOp, sources: list[View], destination: View) -> Instruction:
        """`vbrcb` or `vgather`."""
        name, joined = op.instruction.data, op.joined is not None
        check_operand(self.target, destination, True)
        if VECTOR_INSTRUCTIONS[name].moves == "blocks":
            (source,) = sources
            self._check_blocks_of_one(source, destination)
            spread, labels = shadow_values.of_blocks(source, destination), 0
        else:
            self._check_gather(sources, destination)
            spread, labels = shadow_values.of_gathered(tuple(sources), destination), BY_VALUE
        check_in_place(sources, destination, element=False)
        dtype, inputs = destination.dtype, tuple(sources)
        repeats = vector_repeats(self.target, destination.sizes, dtype)
        return self.make(
            site, LOCAL, "V", cost=vec_cost(self.target, name, dtype, repeats, joined=joined),
            effects=lambda: Effects(tuple(map(Footprint.of, inputs)), (Footprint.of(destination),)),
            bind=on_core(foreign_values.bind_moved, name, inputs, destination),
            spread=spread,
            labels=labels,
            check="exact",
        )  # fmt: skip

    def _check_blocks_of_one(self, source: View, destination: View) -> None:
        repeat, item = destination.sizes[0], source.itemsize
        shapes = (repeat, 8, 1), (repeat, 8, BLOCK_BYTES // item)
        reason = f"vbrcb takes {shapes[0]} to {shapes[1]}, not {source.sizes} to {destination.sizes}"
        require((source.sizes, destination.sizes) == shapes, "shape", reason, source, destination)
        check_repeats(self.target, repeat, source)
        reason = f"address {source.address} is not a multiple of {BLOCK_BYTES}"
        require(source.address % BLOCK_BYTES == 0, "misaligned", reason, source)
        packed = source.strides[1] == item and (repeat == 1 or source.strides[0] == 8 * item)
        require(packed, "shape", "the 8 elements of each repeat are not side by side", source)

    def _check_gather(self, sources: list[View], destination: View) -> None:
        table, offsets = sources
        for view in sources:
            check_operand(self.target, view, False)
        reason = f"vgather takes [n] elements at [n] bytes, not {offsets.sizes} for {destination.sizes}"
        plain = len(destination.sizes) == len(table.sizes) == 1 and offsets.sizes == destination.sizes
        require(plain, "shape", reason, offsets, destination)

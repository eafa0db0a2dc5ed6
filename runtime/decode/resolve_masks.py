"""Resolves the Vector instructions that give or take a bit mask: comparisons and selections."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ...dialects.ascend import VecOp
from ...dialects.isa import VECTOR_INSTRUCTIONS
from ...dialects.target import no_instruction
from ..machine.costs import vec_cost, vector_repeats
from ..machine.memory import Footprint, View
from ..program.checks import check_in_place, check_operand, require
from ..program.instruction import BY_VALUE, LOCAL, Effects, Instruction
from ..program.kernel_program import Site
from ..support.late import LateFunctions, LateSpreads
from .binding import on_core
from .resolve_dma import DmaResolver

if TYPE_CHECKING:
    from ..poison import shadow_values
    from ..values import mask_values
else:
    mask_values, shadow_values = LateFunctions("values.mask_values"), LateSpreads("poison.shadow_values")


def with_number(views: Sequence[View], scalar: View | float | None, elements: View) -> tuple[View, ...]:
    """Operands whose labels count: one that is in a register beside each of the `elements`."""
    if not isinstance(scalar, View):
        return tuple(views)
    steps = (0,) * len(elements.sizes)
    return *views, replace(scalar, sizes=elements.sizes, strides=steps)


def footprints(views: Sequence[View], scalar: View | float | None) -> tuple[Footprint, ...]:
    """What an instruction reads."""
    return tuple(map(Footprint.of, (*views, scalar) if isinstance(scalar, View) else views))


class MaskResolver(DmaResolver):
    """Resolves these beside what moves data."""

    register_align = 16
    """Bytes that the address is a multiple of from which a mask goes to a register."""

    def to_register(self, op: Operation) -> bool:
        """Whether the first source of an instruction goes to the mask register."""
        return isinstance(op, VecOp) and op.instruction.data == "vsel" and self.target.vector.mask_register

    def masked(self, site: Site, op: VecOp, operands: list[View], scalar: View | float | None) -> Instruction:
        """A mask has a bit for each element of operands `[n]`; one with a mask register selects a repeat of f16."""
        target, name = self.target, op.instruction.data
        *sources, destination = views = [*operands]
        mask = views.pop(-1 if VECTOR_INSTRUCTIONS[name].mask == "result" else 0)
        dtype = views[0].dtype
        for view in views:
            check_operand(target, view, view is destination)
            reason = no_instruction(target, name, dtype)
            require(target.vector.executes(name, dtype), "no-path", reason, view)
            reason = f"operands {view.sizes} and {views[0].sizes} differ"
            require(len(view.sizes) == 1 and view.sizes == views[0].sizes, "shape", reason, view, views[0])
        (count,) = views[0].sizes
        reason = f"a mask of {mask.sizes} B for {count} elements"
        require(mask.sizes[0] == -(-count // 8), "shape", reason, mask, views[0])
        repeats = vector_repeats(target, (count,), dtype)
        if self.to_register(op):
            reason = f"{repeats} repeats of {dtype}; the mask register serves one of f16"
            require((repeats, dtype) == (1, "f16"), "limit", reason, views[0])
        else:
            check_operand(target, mask, mask is destination)
        numbers = sources if mask is destination else sources[1:]
        check_in_place(numbers, destination, trailing="mask" if mask is destination else "")
        if mask is not destination:
            check_in_place([mask], destination, element=False)
        inputs = tuple(sources)
        labelled = with_number(inputs, scalar, views[0])
        return self.make(
            site, LOCAL, "V", cost=vec_cost(target, name, dtype, repeats, joined=op.joined is not None),
            effects=lambda: Effects(footprints(inputs, scalar), (Footprint.of(destination),)),
            bind=on_core(mask_values.bind_masked, name, inputs, destination, scalar),
            spread=(
                shadow_values.of_comparison if mask is destination else shadow_values.of_selection
            )(labelled, destination),
            labels=BY_VALUE,
            check="exact",
        )  # fmt: skip

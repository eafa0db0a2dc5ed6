"""Whether the programs of a kernel agree with each other, and with its body."""

from __future__ import annotations

from xdsl.utils.exceptions import VerifyException

from ..op_checks import checks
from .kernel import KernelOp
from .product import ContractOp
from .stream import StreamOp

OF_PRODUCTS = ("overlapped", "streamed", "resident", "feed")
"""Loops around a product."""


@checks(KernelOp)
def check_programs(op: KernelOp) -> None:
    """`VerifyException` unless the programs are those of one kind of chip, hand something over where there are two, and
    loop, all or none, around what the body has."""
    programs, hand_overs = op.program_list, op.hand_over_list
    kinds = tuple(program.core for program in programs)
    if kinds not in (("core",), ("aic",), ("aiv",), ("aic", "aiv")):
        raise VerifyException(
            f"tile.kernel: programs are one for core, aic or aiv, or one each for aic and aiv, not {list(kinds)}"
        )
    handed = [one.what for one in hand_overs]
    if (len(kinds) > 1) != bool(handed):
        raise VerifyException("tile.kernel: hand_overs are what two programs exchange")
    if len(set(handed)) < len(handed) and set(handed) != {"part"}:
        raise VerifyException(f"tile.kernel: a result and operands are handed over once, not {handed}")
    loops = [program.loop for program in programs if program.loop is not None]
    if 0 < len(loops) < len(programs):
        raise VerifyException("tile.kernel: all programs state their loop, or none does")
    for program in programs:
        _check_loop(op, program.core, program.loop, "operands" in handed)


def _check_loop(op: KernelOp, core: str, loop: str | None, fed: bool) -> None:
    products = [inner for inner in op.body.block.ops if isinstance(inner, ContractOp)]
    stays = bool(products) and products[0].schedule.resident is not None
    wrong = {
        "overlapped": core != "core",
        "streamed": core == "aiv",
        "feed": core != "aiv" or not fed,
        "resident": not stays,
        "spans": not op.schedule.spans,
        "parts": core != "aic" or not any(isinstance(inner, StreamOp) for inner in op.body.block.ops),
    }
    if (loop in OF_PRODUCTS and not products) or (loop is not None and wrong.get(loop, False)):
        raise VerifyException(f"tile.kernel: nothing in it is for a loop {loop!r} of {core}")

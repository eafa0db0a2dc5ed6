"""Whether the kernels of a launch fit its tensors, the chip and each other."""

from collections.abc import Mapping, Sequence
from math import prod

from ...dialects.ascend import KernelOp, LaunchOp
from ...dialects.ascend.memory import element_bytes, memref_type, space_of
from ...dialects.target_types import Target
from ..program.kernel_program import KernelProgram
from ..program.storage import Storage
from ..support.hazard import ProgramError


def check_kernel(
    op: LaunchOp,
    program: KernelProgram,
    arguments: Sequence[Storage],
    dynamic: Mapping[int, int],
    target: Target,
    kernel: KernelOp,
) -> None:
    """`ProgramError` where the kernel takes other arguments or more cores than the chip has. `dynamic`: bytes of the
    arguments whose types do not say."""
    sizes = [a.size for a in arguments]
    expected = [
        dynamic.get(i) or element_bytes(t) * prod(memref_type(t).get_shape())
        for i, t in enumerate(program.arguments)
    ]
    if program.numbers != len(op.numbers):
        reason = f"{len(op.numbers)} numbers, expected {program.numbers}"
        raise ProgramError(f"launch of @{program.name}: {reason}", op)
    if sizes != expected:
        raise ProgramError(f"launch of @{program.name}: arguments of {sizes} bytes, expected {expected}", op)
    spaces = [space_of(t) for t in program.arguments]
    if spaces != [space_of(a) for a in op.arguments]:
        raise ProgramError(f"launch of @{program.name}: it takes arguments in {', '.join(spaces)}", op)
    available = target.cores_of(program.kind)
    if program.cores > available and not (program.rounds and available):
        kind = "cores" if program.kind == "aicore" else f"{program.kind} cores"
        raise ProgramError(
            f"@{program.name} wants {program.cores} {kind}, {target.name} has {available}", kernel
        )


def check_together(op: LaunchOp, programs: Sequence[KernelProgram], target: Target) -> None:
    """`ProgramError` where two kernels cannot run beside each other."""
    if len(programs) != 2:
        return
    cube, vector = programs
    together = (cube.kind, vector.kind) == ("aic", "aiv")
    if not together or vector.cores != target.vectors_beside * cube.cores:
        raise ProgramError(
            f"launch of @{cube.name} with @{vector.name}: an aic kernel runs with an aiv kernel of "
            f"{target.vectors_beside} times as many cores, not {cube.cores} {cube.kind} with {vector.cores} "
            f"{vector.kind}",
            op,
        )

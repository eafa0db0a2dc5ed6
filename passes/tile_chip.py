"""What the tile level says of a chip that the chip does not have."""

from xdsl.ir import Operation

from ..dialects.target import Target
from ..dialects.tile import ContractOp, ExtractOp, KernelOp, TileType
from .located_error import LocatedError


def check_chip(around: Operation, target: Target) -> None:
    """`LocatedError` at the first op in `around` with a tile in a memory that the chip does not have, at an
    accumulator that is changed on its way without a FixPipe, and at a kernel for more cores than there are."""
    for op in around.walk():
        if isinstance(op, KernelOp):
            _check_cores(op, target)
        elif (
            isinstance(op, ExtractOp) and not target.split and (op.slope or op.slopes or op.scale) is not None
        ):
            raise LocatedError(
                op, f"{op.name}: {target.name} has no FixPipe, which slopes and scales are for"
            )
        for result in op.results:
            if isinstance(result.type, TileType) and result.type.space.data not in target.spaces:
                raise LocatedError(op, f"{op.name}: {target.name} has no {result.type.space.data}")


def _check_cores(op: KernelOp, target: Target) -> None:
    """Products run on as many cores as there are Cubes."""
    product = any(isinstance(inner, ContractOp) for inner in op.body.walk())
    kind = "aicore" if not target.split else "aic" if product else "aiv"
    if op.cores.value.data > target.cores_of(kind):
        each = {"aicore": "cores", "aic": "Cube cores", "aiv": "Vector cores"}[kind]
        raise LocatedError(
            op,
            f"{op.name}: cores = {op.cores.value.data}, and {target.name} has {target.cores_of(kind)} {each}",
        )

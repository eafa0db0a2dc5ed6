"""What the tile level says of a chip that the chip does not have."""

from xdsl.ir import Operation

from ...dialects.element_types import name_of
from ...dialects.target import no_instruction
from ...dialects.target_types import Target
from ...dialects.tile import ContractOp, ExtractOp, KernelOp, TileType, VecOp, tile_type
from ...dialects.walked import ops_inside, walked
from ..support.errors import LocatedError


def check_chip(around: Operation, target: Target) -> None:
    """`LocatedError` at the first op in `around` with a tile in a memory that the chip does not have, at an
    accumulator that is changed on its way without a FixPipe, at element types that the Cube does not multiply or the
    Vector does not compute in, and at a kernel for more cores than there are, for cores of another kind, or that hand
    over by a path that is not there."""
    for op in walked(around):
        if isinstance(op, KernelOp):
            _check_cores(op, target)
            _check_programs(op, target)
        elif (
            isinstance(op, ExtractOp)
            and not target.split
            and (op.slope or op.slopes or op.scale or op.scales) is not None
        ):
            raise LocatedError(
                op, f"{op.name}: {target.name} has no FixPipe, which slopes and scales are for"
            )
        elif isinstance(op, VecOp):
            _check_vector(op, target)
        elif isinstance(op, ContractOp):
            _check_product(op, target)
        for result in op.results:
            if isinstance(result.type, TileType) and result.type.space.data not in target.spaces:
                raise LocatedError(op, f"{op.name}: {target.name} has no {result.type.space.data}")


def _check_vector(op: VecOp, target: Target) -> None:
    name, dtype = op.instruction.data, name_of(tile_type(op.result).element_type)
    if name == "vconv":
        source = name_of(tile_type(op.sources[0]).element_type)
        if not target.vector.converts(source, dtype):
            raise LocatedError(op, f"{op.name}: {target.name} has no conversion from {source} to {dtype}")
    for value in (*op.sources, op.result):
        dtype = name_of(tile_type(value).element_type)
        if name in (*_MOVES, "vconv") or dtype == "i1":
            continue
        if not target.vector.computes(name, dtype):
            raise LocatedError(op, f"{op.name}: {no_instruction(target, name, dtype)}")


_MOVES = ("vcopy", "vdup")
"""Instructions that take elements of any type."""


def _check_product(op: ContractOp, target: Target) -> None:
    end = op.body.block.last_op
    for value in () if end is None else end.operands:
        dtype = name_of(tile_type(value).element_type)
        if dtype not in target.cube.fractal:
            known = ", ".join(target.cube.fractal)
            raise LocatedError(
                op, f"{op.name}: the Cube of {target.name} does not multiply {dtype}, only {known}"
            )


def _check_cores(op: KernelOp, target: Target) -> None:
    """Products run on as many cores as there are Cubes."""
    product = any(isinstance(inner, ContractOp) for inner in ops_inside(op.body))
    kind = "aicore" if not target.split else "aic" if product else "aiv"
    if op.schedule.cores > target.cores_of(kind):
        each = {"aicore": "cores", "aic": "Cube cores", "aiv": "Vector cores"}[kind]
        raise LocatedError(
            op,
            f"{op.name}: cores = {op.schedule.cores}, and {target.name} has {target.cores_of(kind)} {each}",
        )


def _check_programs(op: KernelOp, target: Target) -> None:
    """Programs are for kinds of cores that the chip has, and meet where it has paths."""
    for program in op.program_list:
        if (program.core == "core") == target.split:
            kinds = "aic and aiv" if target.split else "core"
            raise LocatedError(
                op, f"{op.name}: a program for {program.core}, and cores of {target.name} are {kinds}"
            )
    for one in op.hand_over_list:
        lands = {"gm": True, "ub": target.lands, "l1": ("ub", "l1") in target.paths}[one.through]
        if not lands:
            raise LocatedError(
                op,
                f"{op.name}: {target.name} has no path through {one.through} for a hand-over of {one.what}",
            )

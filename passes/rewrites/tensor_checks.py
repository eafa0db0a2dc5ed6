"""What element types a chip stores and multiplies, op by op."""

from math import prod

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.utils.hints import isa

from ...dialects.element_types import ELEMENT_BYTES, HELD_AS, lanes_of
from ...dialects.graph import CastOp, MatmulOp
from ...dialects.graph.arguments import weight_values
from ...dialects.graph.rules import Pointwise, RowWise, shape_of
from ...dialects.target import no_instruction
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK, layout_of
from ..support.errors import LocatedError
from ..support.values import rule_of


def check_tensors(op: Operation, target: Target, laid_out: bool = False) -> None:
    """`LocatedError` when the chip does not store, or the Cube does not multiply, the op's element types, or when GM
    does not hold one of its tensors. `laid_out`: whether tensors may lie in blocks, as those around a group do."""
    for value in (*op.operands, *op.results):
        if not isa(value.type, TensorType):
            continue
        dtype = str(value.type.element_type)
        if not laid_out and layout_of(value.type) is not None:
            raise LocatedError(op, f"{op.name}: {value.type}: tensors of graph ops are row-major")
        if dtype not in target.storage:
            known = ", ".join(target.storage)
            raise LocatedError(op, f"{op.name}: {target.name} has no {dtype}; it stores {known}")
        sums = rule_of(op).engine == "cube" and value in op.results
        if not sums:
            check_takes(op, dtype)
        computed = isinstance(rule_of(op), Pointwise | RowWise) and not isinstance(op, CastOp)
        if dtype == "i32" and computed and not target.vector.integers:
            raise LocatedError(op, f"{op.name}: {no_instruction(target, op.name, dtype)}")
        selects = getattr(op, "SELECTS", False) and value in op.results
        if dtype == "f32" and target.vector.mask_register and selects:
            raise LocatedError(op, f"{op.name}: {target.name} selects f16 only, not f32")
        shape, capacity = value.type.get_shape(), target.spaces["gm"].bytes
        if all(size > 0 for size in shape) and prod(shape) * ELEMENT_BYTES[dtype] > capacity:
            raise LocatedError(
                op,
                f"{op.name}: {value.type} takes {prod(shape) * ELEMENT_BYTES[dtype]} B; "
                f"{target.name} has {capacity} B of GM",
            )
        if rule_of(op).engine == "cube" and not sums:
            _check_product(op, dtype, target)


def check_takes(op: Operation, dtype: str) -> None:
    """`LocatedError` where an op does not take integers of a type."""
    if dtype in (*HELD_AS, "i32") and not getattr(op, f"TAKES_{dtype.upper()}"):
        known = {
            "i1": "compare gives it, and select and ops that move elements take it",
            "i8": "quantize and cast give it, dequantize, cast and matmul take it",
            "i32": "arithmetic, comparisons, sums, and ops that move elements take it",
        }
        raise LocatedError(op, f"{op.name}: no unit computes in {dtype}; only {known[dtype]}")


def multiplies(target: Target, dtype: str) -> bool:
    """Whether the chip's Cube multiplies matrices of a type, and they can be laid out for it."""
    fractal, depth = target.cube.fractal.get(dtype), lanes_of(dtype)
    return fractal is not None and fractal.k0 == depth and (depth == BLOCK or target.split)


def _check_product(op: Operation, dtype: str, target: Target) -> None:
    """`LocatedError` when the Cube does not multiply the type, or its operands cannot be laid out."""
    fractal, depth = target.cube.fractal.get(dtype), lanes_of(dtype)
    if fractal is None:
        known = ", ".join(target.cube.fractal)
        raise LocatedError(
            op, f"{op.name}: the Cube of {target.name} does not multiply {dtype}, only {known}"
        )
    if fractal.k0 != depth:
        raise LocatedError(
            op,
            f"{op.name}: a fractal of {dtype} is {depth} deep (32 B); {target.name} states k0 = {fractal.k0}",
        )
    if depth != BLOCK and not target.split:
        raise LocatedError(
            op, f"{op.name}: {dtype} is laid out for Cube cores only; those of {target.name} are coupled"
        )
    if depth > BLOCK and isinstance(op, MatmulOp):
        turned = turned_operand(op)
        if turned:
            raise LocatedError(op, f"{op.name}: no load of L0 turns {dtype} over; {turned}")


def turned_operand(op: MatmulOp, weight: bool | None = None) -> str:
    """What has to be so that a product of matrices turns neither operand over on the way to L0; nothing if it does
    not. A right operand that is one matrix of weights is laid out before the run. `weight`: whether it is one."""
    if op.transpose_a.value.data:
        return "the left operand is [.., M, K]"
    if op.transpose_b.value.data:
        return ""
    if weight is None:
        function = op.parent_op()
        weight = isinstance(function, FuncOp) and op.b in weight_values(function)
    single = weight and len(shape_of(op.b)) == 2
    return "" if single else "the right operand is one matrix of weights, or [.., N, K] with transpose_b"

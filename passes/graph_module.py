"""What passes from graph to tile share: the module's target, the ops that need a kernel, element types."""

from math import prod

from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from ..dialects.ascend import FixpipeOp, KernelOp, MmadOp
from ..dialects.ascend.memory import ELEMENT_BYTES, HELD_AS, lanes_of
from ..dialects.graph import AvgPool2dOp, BiasAddOp, CastOp, Conv2dOp, MatmulOp, SliceOp
from ..dialects.graph.arguments import weight_values
from ..dialects.graph.base import GraphOp
from ..dialects.graph.fusion_marks import keep_marks
from ..dialects.graph.rules import Composite, Pointwise, RowWise, element_of, shape_of
from ..dialects.graph.windows import split_counts
from ..dialects.index_functions import is_helper
from ..dialects.rewriting import replace_with
from ..dialects.target import DEFAULT_TARGET, Target, TargetError, load_target, no_instruction
from ..dialects.tile import BLOCK, ContractOp, layout_of
from .empty_tensors import settle_empty
from .expansions import add_expansion
from .graph_canonicalize import merge_slices
from .located_error import LocatedError
from .regions import rule_of
from .whole_views import view_whole_operands

TARGET_ATTRIBUTE = "ascend.target"


def target_of(module: ModuleOp, given: str | None) -> str:
    """Name of the target to compile for: the option, else what an earlier pass noted in the module."""
    noted = module.attributes.get(TARGET_ATTRIBUTE)
    return given or (noted.data if isinstance(noted, StringAttr) else DEFAULT_TARGET)


def set_target(module: ModuleOp, name: str) -> None:
    module.attributes[TARGET_ATTRIBUTE] = StringAttr(name)


def chip_of(module: ModuleOp, given: str | None) -> Target:
    """The target to compile for; `LocatedError` at a module that names none that there is."""
    noted = module.attributes.get(TARGET_ATTRIBUTE)
    if given is None and noted is not None:
        if not isinstance(noted, StringAttr):
            raise LocatedError(module, f"{TARGET_ATTRIBUTE} must be the name of a chip, got {noted}")
        try:
            return load_target(noted.data)
        except TargetError as error:
            raise LocatedError(module, str(error)) from error
    return load_target(target_of(module, given))


def check_made_for(module: ModuleOp, target: Target) -> None:
    """`LocatedError` at the first kernel of a module that was tiled, or lowered, for another chip."""
    noted = module.attributes.get(TARGET_ATTRIBUTE)
    if not isinstance(noted, StringAttr) or noted.data == target.name:
        return
    for op in module.walk():
        if op.name in _MADE:
            raise LocatedError(
                op,
                f"the module was {_MADE[op.name]} for {noted.data}, not for {target.name}; "
                "start from its graph",
            )


_MADE = {"tile.kernel": "tiled", "ascend.kernel": "lowered"}


def check_unit_flags(around: Operation, target: Target) -> None:
    """`LocatedError` at the first op in `around` that hands over by the unit flag of a chip that has none."""
    if target.cube.unit_flag:
        return
    for op in around.walk():
        product = isinstance(op, MmadOp) and op.unit is not None
        if product or (isinstance(op, ContractOp | FixpipeOp) and op.unit_flag is not None):
            raise LocatedError(op, f"{op.name}: {target.name} has no unit flag")


def lowered_kernels(module: ModuleOp, target: Target) -> list[KernelOp]:
    """The kernels at the ascend level, all operands of instructions views; `LocatedError` at what has not come there,
    or was made for another chip."""
    check_lowered(module, target)
    kernels = [op for op in module.body.block.ops if isinstance(op, KernelOp)]
    for kernel in kernels:
        view_whole_operands(kernel)
    return kernels


def check_lowered(module: ModuleOp, target: Target) -> None:
    """`LocatedError` at what has not come to the ascend level, or was made for another chip."""
    check_made_for(module, target)
    for function in functions_of(module):
        for op in function.body.block.ops:
            waits = isinstance(op, GraphOp) or op.name == "tile.kernel"
            if waits and not is_helper(function.sym_name.data):
                level = "graph" if isinstance(op, GraphOp) else "tile"
                raise LocatedError(op, f"{op.name} is still at the {level} level; --lower it first")


def functions_of(module: ModuleOp) -> list[FuncOp]:
    """The module's functions that have a body; `LocatedError` when one has several blocks."""
    found = [op for op in module.body.block.ops if isinstance(op, FuncOp) and op.body.blocks]
    for function in found:
        if len(function.body.blocks) > 1:
            name, count = function.sym_name.data, len(function.body.blocks)
            raise LocatedError(
                function, f"@{name} has {count} blocks; a graph is one block, without branches"
            )
    return found


def kernel_ops(function: FuncOp) -> list[Operation]:
    """The graph ops that run on the chip: neither views, nor constants, nor functions of weights alone."""
    known = weight_values(function)
    return [
        op
        for op in function.body.block.ops
        if isinstance(op, GraphOp) and rule_of(op).engine != "view" and op.results[0] not in known
    ]


def prepare_graph(function: FuncOp, target: Target) -> None:
    """Split what no instruction computes at once: a convolution's bias becomes a `bias_add`, a composite op the ops
    that it is made of on the chip. Of these a part of a part is a part of the whole."""
    waiting = list(function.body.block.ops)[::-1]
    while waiting:
        op = waiting.pop()
        if isinstance(op, GraphOp) and settle_empty(op):
            continue
        rule = rule_of(op) if isinstance(op, GraphOp) else None
        if isinstance(op, GraphOp) and isinstance(rule, Composite):
            for operand in op.operands:
                _check_taken(op, str(element_of(operand)))
            expand = rule.expand
            if rule.without_cube is not None and not multiplies(target, str(element_of(op.operands[0]))):
                expand = rule.without_cube
            ops = expand(op)
            add_expansion(op, ops)
            keep_marks(op, *(part for part in ops if rule_of(part).engine != "view"))
            replace_with(op, ops, [new.results[0] for new in ops[-len(op.results) :]])
            waiting += ops[::-1]
            continue
        if isinstance(op, SliceOp) and (merged := merge_slices(op)):
            inner = op.x.owner
            replace_with(op, merged)
            if isinstance(inner, SliceOp) and not inner.result.first_use:
                Rewriter.erase_op(inner)
            continue
        if isinstance(op, AvgPool2dOp) and (new_ops := split_counts(op)):
            replace_with(op, new_ops)
        if isinstance(op, Conv2dOp) and op.bias is not None:
            product = Conv2dOp(op.x, op.w, **op.attribute_values())
            biased = BiasAddOp(product.result, op.bias)
            keep_marks(op, product, biased)
            replace_with(op, [product, biased])
            settle_empty(product)


def check_tensors(op: Operation, target: Target) -> None:
    """`LocatedError` when the chip does not store, or the Cube does not multiply, the op's element types, or when GM
    does not hold one of its tensors."""
    for value in (*op.operands, *op.results):
        if not isa(value.type, TensorType):
            continue
        dtype = str(value.type.element_type)
        if layout_of(value.type) is not None:
            raise LocatedError(op, f"{op.name}: {value.type}: tensors of graph ops are row-major")
        if dtype not in target.storage:
            known = ", ".join(target.storage)
            raise LocatedError(op, f"{op.name}: {target.name} has no {dtype}; it stores {known}")
        sums = rule_of(op).engine == "cube" and value in op.results
        if not sums:
            _check_taken(op, dtype)
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


def _check_taken(op: Operation, dtype: str) -> None:
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


__all__ = [
    "LocatedError",
    "check_made_for",
    "check_tensors",
    "chip_of",
    "functions_of",
    "kernel_ops",
    "lowered_kernels",
    "prepare_graph",
    "set_target",
    "target_of",
]

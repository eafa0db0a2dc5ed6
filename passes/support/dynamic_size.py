"""Tiling graphs whose run-time size is not known: at a stand-in for it, for a range of sizes.

    with fixed_sizes(functions, (1, 8, 32)):       tensor<?x64xf16>   ->   tensor<11x64xf16>
        …                                          … and back at the end, with kernels of an open extent

While the context is open every `?` is a prime that divides no other dimension, so that what the passes find to be equal
is equal at every size. What must hold at all sizes goes by `Regions.open_extents`, what is priced by each size of the
range in turn (`Regions.at`).
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, FunctionType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects import tile
from ...dialects.attributes import integer_array, integers
from ...dialects.dynamic import SIZES, at_size, is_dynamic, misplaced, shape_of, with_shape
from ...dialects.graph import BroadcastOp, ReshapeOp, SliceOp
from ...dialects.graph.arguments import weight_arguments
from ...dialects.graph.base import GraphOp
from ...dialects.graph.slicing import slice_parts
from ...dialects.tiling import Along
from .errors import LocatedError, WholeSizeError
from .run_size import DEFAULT_SIZES, Fixed, check_sizes, fixed, standing_in, typical

LAST = 2**63 - 1
"""The end of a slice that goes on to the end of a dimension."""


@contextmanager
def fixed_sizes(functions: Sequence[FuncOp], sizes: Sequence[int]) -> Generator[None]:
    """Give every `?` of the functions a number while the context is open, and mark the kernels that were built
    meanwhile. `LocatedError` at a tensor whose `?` is not its first dimension, and at a weight that has one."""
    tiled = GraphOp | tile.GroupOp
    functions = [f for f in functions if any(isinstance(op, tiled) for op in f.body.block.ops)]
    values = [value for function in functions for value in _values(function)]
    if not any(is_dynamic(value.type) for value in values):
        yield
        return
    for function in functions:
        _check_types(function)
    state = Fixed(_stand_in(values, typical(sizes or DEFAULT_SIZES)), check_sizes(sizes or DEFAULT_SIZES))
    for function in functions:
        close(function, state.stand_in)
    with standing_in(state):
        yield
    for function in functions:
        open_again(function, state)


def tiled_alike(
    functions: Sequence[FuncOp], sizes: Sequence[int]
) -> Sequence[tuple[Sequence[FuncOp], Sequence[int]]]:
    """The functions by the run-time sizes that they are tiled for: those that they state, else `sizes`."""
    found: dict[tuple[int, ...], list[FuncOp]] = {}
    for function in functions:
        stated = function.attributes.get(SIZES)
        own = integers(cast(Any, stated)) if isinstance(stated, DenseArrayBase) else tuple(sizes)
        found.setdefault(own, []).append(function)
    return [(alike, stated) for stated, alike in found.items()]


def has_dynamic_size(module: ModuleOp) -> bool:
    """Whether a function of a graph-level module has a dynamic dimension."""
    return any(map(is_dynamic_function, _functions(module)))


def check_has_dynamic_size(module: ModuleOp) -> None:
    """ValueError where no function of a graph-level module has a dynamic dimension."""
    if not has_dynamic_size(module):
        names = " and ".join(f"@{function.sym_name.data}" for function in _functions(module))
        raise ValueError(f"dynamic sizes are given, but no dimension of {names} is dynamic (?)")


def _functions(module: ModuleOp) -> list[FuncOp]:
    return [op for op in module.body.block.ops if isinstance(op, FuncOp) and op.body.blocks]


def is_dynamic_function(function: FuncOp) -> bool:
    """Whether a tensor of a function has a dynamic dimension."""
    return any(is_dynamic(value.type) for value in _values(function))


def _values(function: FuncOp) -> list[SSAValue]:
    """All tensors of a function, those in its groups included."""
    found: list[SSAValue] = []
    blocks = [function.body.block]
    blocks += [op.body.block for op in function.body.block.ops if isinstance(op, tile.GroupOp)]
    for block in blocks:
        found += [*block.args, *(result for op in block.ops for result in op.results)]
    return found


def _check_types(function: FuncOp) -> None:
    weights = weight_arguments(function)
    for value in _values(function):
        owner = value.owner if isinstance(value.owner, Operation) else function
        if misplaced(value.type):
            raise LocatedError(
                owner,
                f"{value.type}: only the first dimension of a tensor may be dynamic, and it is the same in all; a "
                "range of sizes with a step (--dynamic-range 224-640:32) gives each of them a variant",
            )
        if is_dynamic(value.type) and 0 in shape_of(value.type):
            raise LocatedError(
                owner, f"{value.type}: a tensor with a dynamic dimension has no dimension of size 0"
            )
        if is_dynamic(value.type) and value in weights:
            raise LocatedError(
                owner, f"weight {value.name_hint or ''} is {value.type}: weights have static shapes"
            )
    for op in function.body.block.ops:
        if isinstance(op, SliceOp) and is_dynamic(op.x.type):
            _, _, step = slice_parts(shape_of(op.x.type), op.attribute_values())[0]
            if step < 0:
                raise _whole(op, "x")


def _stand_in(values: Sequence[SSAValue], size: int) -> int:
    """The first odd prime from `size` on that divides no static dimension."""
    dims = {n for value in values for n in shape_of(value.type) if n > 0}
    number = max(size, 3)
    while any(number % d == 0 for d in range(2, int(number**0.5) + 1)) or any(n % number == 0 for n in dims):
        number += 1
    return number


def _retype(value: SSAValue, kind: Attribute) -> None:
    cast(Any, value)._type = kind


def _restate(function: FuncOp) -> None:
    """The function's type, from its arguments and what it returns."""
    block = function.body.block
    last = block.last_op
    assert last is not None
    function.function_type = FunctionType.from_lists(
        [a.type for a in block.args], [v.type for v in last.operands]
    )


def close(function: FuncOp, size: int) -> None:
    """Make every `?` of a function `size`. Where one is no first dimension the shape rules of ops say what results are;
    `LocatedError` at an op that has none there."""
    block, infer = function.body.block, is_shaped(function)
    for value in block.args if infer else _values(function):
        _retype(value, at_size(value.type, size))
    for op in block.ops if infer else ():
        if isinstance(op, GraphOp):
            try:
                kinds = op.infer([cast(TensorType[Attribute], v.type) for v in op.operands], op.properties)
            except VerifyException as error:
                raise LocatedError(op, f"{error}, where ? is {size}") from None
            for result, kind in zip(op.results, kinds, strict=True):
                _retype(result, kind)
    _restate(function)


def is_shaped(function: FuncOp) -> bool:
    """Whether a function has a dynamic dimension that is not the first one of its tensor."""
    return any(misplaced(value.type) for value in _values(function))


def at_run_size(module: ModuleOp, size: int) -> ModuleOp:
    """A copy of a graph-level module at one run-time size, with static shapes."""
    module = module.clone()
    for op in module.body.block.ops:
        if isinstance(op, FuncOp) and op.body.blocks:
            close(op, size)
    return module


def open_again(function: FuncOp, state: Fixed) -> None:
    """Make the stand-in `?` again, in all that depends on an argument that has it."""
    opened: set[SSAValue] = {argument for argument in function.body.block.args if _opens(argument, state)}
    _open_ops(function.body.block, opened, state)
    _restate(function)


def _open_ops(block: Block, opened: set[SSAValue], state: Fixed) -> None:
    """The same in the ops of a block, `opened` being what has it already."""
    for op in block.ops:
        if not any(operand in opened for operand in op.operands):
            continue
        if isinstance(op, tile.KernelOp):
            _open_kernel(op, opened, state)
        if isinstance(op, tile.GroupOp):
            pairs = zip(op.inputs, op.body.block.args, strict=True)
            inside: set[SSAValue] = {
                argument for value, argument in pairs if value in opened and _opens(argument, state)
            }
            _open_ops(op.body.block, inside, state)
        opened.update(result for result in op.results if _opens(result, state))
        if any(is_dynamic(result.type) for result in op.results):
            _open_attributes(op)


def _open_attributes(op: Operation) -> None:
    """Where an op states the first size of its result as a number, say that it is that of its operand."""
    if isinstance(op, ReshapeOp | BroadcastOp):
        op.properties["shape"] = integer_array([-1, *integers(op.shape)[1:]])
    elif isinstance(op, SliceOp) and is_dynamic(op.x.type):
        axes = range(len(integers(op.ends))) if op.axes is None else integers(op.axes)
        rank, ends = len(shape_of(op.x.type)), zip(axes, integers(op.ends), strict=True)
        op.properties["ends"] = integer_array([LAST if axis % rank == 0 else end for axis, end in ends])


def _opens(value: SSAValue, state: Fixed) -> bool:
    shape = shape_of(value.type)
    if not shape or not state.factor(shape[0]):
        return False
    _retype(value, with_shape(cast(TensorType[Attribute], value.type), [DYNAMIC_INDEX, *shape[1:]]))
    return True


def _open_kernel(kernel: tile.KernelOp, opened: set[SSAValue], state: Fixed) -> None:
    if kernel.factor:  # it came as a kernel
        return
    extents = kernel.schedule.extents
    factor = state.factor(extents[0])
    assert factor, "the first dimension of a kernel on dynamic tensors is the dynamic one"
    tensors = [*kernel.inputs, *kernel.outputs]
    for value, argument in zip(tensors, kernel.body.block.args, strict=False):
        if value in opened or value in kernel.outputs:
            _opens(argument, state)
    kernel.open_up(factor, state.sizes)


def check_independent(op: Operation) -> None:
    """`WholeSizeError` at an op whose results along the run-time size depend on each other: its tiles would need all
    of it."""
    now = fixed()
    if now is None or not isinstance(op, GraphOp):
        return
    iteration = op.tiling.iteration(op)
    for index, (operand, maps) in enumerate(zip(op.operands, iteration.operands, strict=True)):
        shape = shape_of(operand.type)
        if not shape or not now.factor(shape[0]):
            continue
        first = maps[0]
        follows = isinstance(first, Along) and first.dim == 0 and first.is_identity
        part = not iteration.extents or not now.factor(iteration.extents[0])  # of a size that is known
        if not follows or part or iteration.parallel == 0 or 0 in iteration.whole:
            name = op.operand_names()[min(index, len(op.operand_names()) - 1)]
            raise _whole(op, name)


def _whole(op: GraphOp, name: str) -> WholeSizeError:
    """The error about an op whose results depend on all of the dynamic dimension of operand `name`."""
    return WholeSizeError(
        op,
        f"{op.name}: results depend on all of the dynamic dimension of {name}; along it each result must be computed "
        "from its own element alone, unless its size is set (--dim), or each of a range of sizes gets a variant "
        "(--dynamic-range 1-16)",
    )

"""What of a kernel its lowering depends on: `tile.kernel`s of one signature are one program, launched several times."""

from collections.abc import Hashable, Iterator

from xdsl.ir import Block, Operation, SSAValue

from ...dialects import ascend, tile

_NAMES = ("kernel_name", "sym_name")


def kernel_signature(kernel: tile.KernelOp | ascend.KernelOp) -> Hashable:
    """Properties, types and body of a kernel, not its name, its place in the source or what its values are called."""
    numbers: dict[SSAValue, int] = {}
    own = tuple(item for item in _properties(kernel) if item[0] not in _NAMES)
    types = tuple(value.type for value in (*kernel.operands, *kernel.results))
    return own, types, tuple(_block(kernel.body.block, numbers))


def _block(block: Block, numbers: dict[SSAValue, int]) -> Iterator[Hashable]:
    for value in block.args:
        numbers[value] = len(numbers)
        yield value.type
    for op in block.ops:
        operands = tuple(numbers[value] for value in op.operands)
        for value in op.results:
            numbers[value] = len(numbers)
        inner = tuple(tuple(_block(one, numbers)) for region in op.regions for one in region.blocks)
        yield op.name, _properties(op), operands, tuple(value.type for value in op.results), inner


def _properties(op: Operation) -> tuple[tuple[str, Hashable], ...]:
    return tuple(sorted((*op.properties.items(), *op.attributes.items()), key=lambda item: item[0]))

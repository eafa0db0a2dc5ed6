"""Which variant a function calls at a run-time size, where it is one of those that call variants."""

from collections.abc import Iterator, Mapping

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.dynamic import is_dynamic, shape_of
from ...dialects.helpers import is_variant
from ..support.hazard import ProgramError
from .host import Host
from .prepare import named_arguments


def entered(main: FuncOp, functions: Mapping[str, FuncOp], size: int | None) -> FuncOp:
    """The function whose launches run: `main`, or the variant that it calls. ProgramError for a variant that is not
    there, and for ops that choose none."""
    if not any(_calls(op) for op in main.body.block.ops):
        return main
    host, block = Host(size), main.body.block
    while True:
        inner: Block | None = None
        for op in block.ops:
            if isinstance(op, CallOp) and _calls(op):
                name = op.callee.string_value()
                if name not in functions:
                    raise ProgramError(f"there is no function @{name}", op)
                return _checked(main, functions[name], host.size)
            if isinstance(op, scf.IfOp) and _calls(op):
                inner = (op.true_region if host.values[op.cond] else op.false_region).block
                break
            if not host.run(op, main) and not isinstance(op, memref.CastOp):
                raise ProgramError(f"@{main.sym_name.data}: {op.name} cannot choose a variant", op)
        if inner is None:
            raise ProgramError(f"@{main.sym_name.data} calls no variant at size {size}", main)
        block = inner


def _checked(main: FuncOp, variant: FuncOp, size: int | None) -> FuncOp:
    """The variant; ProgramError where it has static shapes of another size."""
    taken = {label: argument.type for argument, (label, _) in _named(variant)}
    for argument, (label, index) in _named(main):
        if index is None and label in taken and is_dynamic(argument.type) and not is_dynamic(taken[label]):
            place = shape_of(argument.type).index(DYNAMIC_INDEX)
            served = shape_of(taken[label])[place]
            if served != size:
                raise ProgramError(
                    f"@{main.sym_name.data}: no variant serves the size {size}; the next one is for {served} alone"
                )
    return variant


def _named(function: FuncOp) -> Iterator[tuple[SSAValue, tuple[str, int | None]]]:
    return zip(function.body.block.args, named_arguments(function), strict=True)


def _calls(op: Operation) -> bool:
    """Whether an op calls a variant, or has one inside that does."""
    return any(isinstance(one, CallOp) and is_variant(one.callee.string_value()) for one in op.walk())


__all__ = ["entered"]

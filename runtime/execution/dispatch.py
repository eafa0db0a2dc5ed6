"""Which variant a function calls at a run-time size, where it is one of those that call variants."""

from collections.abc import Mapping

from xdsl.dialects import memref, scf
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, Operation

from ...dialects.helpers import is_variant
from ..support.hazard import ProgramError
from .host import Host


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
                return functions[name]
            if isinstance(op, scf.IfOp) and _calls(op):
                inner = (op.true_region if host.values[op.cond] else op.false_region).block
                break
            if not host.run(op, main) and not isinstance(op, memref.CastOp):
                raise ProgramError(f"@{main.sym_name.data}: {op.name} cannot choose a variant", op)
        if inner is None:
            raise ProgramError(f"@{main.sym_name.data} calls no variant at size {size}", main)
        block = inner


def _calls(op: Operation) -> bool:
    """Whether an op calls a variant, or has one inside that does."""
    return any(isinstance(one, CallOp) and is_variant(one.callee.string_value()) for one in op.walk())


__all__ = ["entered"]

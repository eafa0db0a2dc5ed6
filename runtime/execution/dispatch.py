"""Which variant a function calls at a run-time size, where it is one of those that call variants."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.ascend import FitOp
from ...dialects.ascend.arguments import named_arguments
from ...dialects.dynamic import is_dynamic, shape_of
from ...dialects.helpers import is_variant
from ...dialects.records import dataclass
from ..machine.memory import Array
from ..support.hazard import ProgramError
from .host import Host


@dataclass(frozen=True)
class Entered:
    """The function whose launches run. `pads`: what lies past the elements of each argument that the host makes larger,
    by name. `size`: that of the results; None for all that the function gives."""

    function: FuncOp
    pads: Mapping[str, float] = field(default_factory=dict[str, float])
    size: int | None = None

    def given(self, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
        """The inputs as the function takes them."""
        kinds = {label: value.type for value, (label, _) in _named(self.function)}
        larger = {
            name: _padded(np.asarray(inputs[name]), shape_of(kinds[name]), pad)
            for name, pad in self.pads.items()
            if name in inputs
        }
        return {**inputs, **larger}

    def taken(self, main: FuncOp, outputs: Sequence[Array]) -> list[Array]:
        """The results as `main` gives them."""
        if self.size is None:
            return list(outputs)
        shapes = [shape_of(kind) for kind in main.function_type.outputs]
        ends = [tuple(slice(self.size if n < 0 else n) for n in shape) for shape in shapes]
        return [np.ascontiguousarray(array[end]) for array, end in zip(outputs, ends, strict=True)]


def _padded(array: Array, shape: Sequence[int], value: float) -> Array:
    made = np.full(shape, value, array.dtype)
    made[tuple(slice(n) for n in array.shape)] = array
    return made


def entered(main: FuncOp, functions: Mapping[str, FuncOp], size: int | None) -> Entered:
    """What runs at a run-time size: `main`, or the variant that it calls. ProgramError for a variant that is not there,
    or does not serve the size, and for ops that choose none."""
    if not any(_calls(op) for op in main.body.block.ops):
        return Entered(main)
    host, block = Host(size), main.body.block
    while True:
        inner: Block | None = None
        for op in block.ops:
            if isinstance(op, CallOp) and _calls(op):
                return _entered(main, op, functions, host.size)
            if isinstance(op, scf.IfOp) and _calls(op):
                inner = (op.true_region if host.values[op.cond] else op.false_region).block
                break
            if not host.run(op, main) and not isinstance(op, memref.CastOp | FitOp):
                raise ProgramError(f"@{main.sym_name.data}: {op.name} cannot choose a variant", op)
        if inner is None:
            raise ProgramError(f"@{main.sym_name.data} calls no variant at size {size}", main)
        block = inner


def _entered(main: FuncOp, call: CallOp, functions: Mapping[str, FuncOp], size: int | None) -> Entered:
    """What a call of a variant runs."""
    name = call.callee.string_value()
    if name not in functions:
        raise ProgramError(f"there is no function @{name}", call)
    variant = functions[name]
    pads: dict[str, float] = {}
    for value, argument, (label, _) in zip(
        call.arguments, variant.body.block.args, named_arguments(variant), strict=True
    ):
        source = value.owner
        if not isinstance(source, memref.CastOp | FitOp) or is_dynamic(argument.type):
            continue
        served = shape_of(argument.type)[shape_of(source.operands[0].type).index(DYNAMIC_INDEX)]
        fits = isinstance(source, FitOp) and size is not None and size <= served
        if served != size and not fits:
            which = "largest" if size is not None and size > served else "next"
            raise ProgramError(
                f"@{main.sym_name.data}: no variant serves the size {size}; the {which} one is for {served}"
            )
        if isinstance(source, FitOp) and source.value is not None:
            pads[label] = source.value.value.data
    return Entered(variant, pads, size if pads else None)


def _named(function: FuncOp) -> Iterator[tuple[SSAValue, tuple[str, int | None]]]:
    return zip(function.body.block.args, named_arguments(function), strict=True)


def _calls(op: Operation) -> bool:
    """Whether an op calls a variant, or has one inside that does."""
    return any(isinstance(one, CallOp) and is_variant(one.callee.string_value()) for one in op.walk())


__all__ = ["Entered", "entered"]

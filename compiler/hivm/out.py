"""Compiled programs as HIVM text, and the same programs with their kernels read back from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from io import StringIO
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, ModuleOp
from xdsl.ir import Operation

from ...dialects import ascend
from ...dialects.ascend.memory import memref_type
from ...passes.ascend_to_hivm import BLOCKS, functions_of, written_names
from ...passes.hivm.kernel import Launch, check_known, convert
from ...passes.hivm.signature import entries_of
from ...passes.support.errors import LocatedError
from ..api import CompileError
from ..pipeline.explain import explain
from ..pipeline.read_module import make_context
from ..pipeline.verify import verify_module
from ..programs.given_kinds import TEXT, Kind, check_kinds
from ..programs.program import Program
from ..text.diagnostics import Source
from ..text.mlir_printer import QuickPrinter
from ..text.mlir_text import parse_mlir_text

PROGRAM = Kind("a program", lambda value: isinstance(value, Program))


def emit(program: Program) -> str:
    """The kernels of a compiled program as HIVM, in the generic form, with its addresses and flags.

    CompileError where HIVM cannot say what a kernel does: its text names the op and the reason."""
    check_kinds(locals(), {"program": PROGRAM})
    try:
        module = ModuleOp(functions_of(program.module, program.target))
        verify_module(module)
    except Exception as error:
        raise CompileError(explain(error, program.sources)) from error
    stream = StringIO()
    QuickPrinter(stream=stream, print_generic_format=True).print_op(module)
    return stream.getvalue() + "\n"


def read_back(program: Program, text: str) -> Program:
    """A program whose kernels are those of a HIVM text that `emit` gave of it: what launches them stays as it is.

    CompileError where the text is none, or one of another program."""
    check_kinds(locals(), {"program": PROGRAM, "text": TEXT})
    module = program.module.clone()
    names = {written: name for name, written in written_names(module).items()}
    kernels = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, ascend.KernelOp)}
    try:
        source = parse_mlir_text(make_context(), text, "<hivm>")
        for entry in entries_of(source).values():
            check_known(entry.functions)
            for function in entry.functions:
                written = function.sym_name.data
                if written not in names:
                    raise LocatedError(function, f"@{written} is no kernel of @{program.name}")
                name = names[written]
                made = convert(
                    entry, function, _launch(entry.functions[0], kernels[name]), program.target, {}
                )
                for stated in ("sym_name", "tiling", "sizes"):
                    if stated in kernels[name].properties:
                        made.properties[stated] = kernels[name].properties[stated]
                module.body.block.insert_op_before(made, kernels[name])
                _flatten(module, made)
                kernels[name].detach()
                kernels[name].erase(safe_erase=False)
        verify_module(module)
    except Exception as error:
        raise CompileError(explain(error, [Source(text, "<hivm>")])) from error
    return replace(program, module=module, works={})


def _launch(function: Operation, kernel: ascend.KernelOp) -> Launch:
    """The launch of a kernel: as many blocks as it states, on tensors of the sizes that it has."""
    blocks = function.attributes[BLOCKS]
    assert isinstance(blocks, IntegerAttr)
    sizes: Mapping[int, int] = {3 + i: _elements(tensor) for i, tensor in enumerate(kernel.tensors)}
    return Launch((blocks.value.data, 1, 1), sizes)


def _elements(tensor: object) -> int:
    shape = memref_type(tensor).get_shape()  # pyright: ignore[reportArgumentType]
    return DYNAMIC_INDEX if DYNAMIC_INDEX in shape else prod(shape)


def _flatten(module: ModuleOp, kernel: ascend.KernelOp) -> None:
    """Launch a kernel on its tensors as one row each, which HIVM's pointers are."""
    name = kernel.sym_name.data
    for op in [op for op in module.walk() if isinstance(op, ascend.LaunchOp) and name in op.kernels]:
        for at, (given, wanted) in enumerate(zip(op.arguments, kernel.tensors, strict=True)):
            if given.type != wanted.type:
                view = ascend.ViewTensorOp(given, wanted.type)
                block = op.parent_block()
                assert block is not None
                block.insert_op_before(view, op)
                op.operands[at] = view.result


__all__ = ["emit", "read_back"]

"""The source of a kernel's generator, as far as it is about numbers: whole ones that it computes itself, those in
registers (scalar_plan.py), which instructions of the scalar unit move and compute."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

from ...dialects.ascend import KernelOp, LoadScalarOp, StoreScalarOp
from ...dialects.ascend.memory import space_of
from ..program.kernel_program import Operand, Site
from ..support.hazard import ProgramError
from .arithmetic import (
    BINARY,
    PREDICATES,
    SAME,
    constant_of,
    function_of,
    is_arithmetic,
    truncated_div,
    truncated_rem,
    type_of,
)
from .scalar_plan import COPIES, scalar_plan

_TEXTS = (*BINARY, *SAME, arith.CmpiOp, arith.SelectOp)
"""Ops that text computes, where their operands are numbers of the program."""


class ScalarCoder:
    """Writes the generator's source; one instance per kernel."""

    def __init__(self, kernel: KernelOp):
        self.kernel = kernel
        self.scope: dict[str, Any] = {"truncated_div": truncated_div, "truncated_rem": truncated_rem}
        self.lines: list[str] = []
        self.names: dict[SSAValue, str] = {}
        self.sites: list[Site] = []
        self.counter = 0
        self.registers = scalar_plan(kernel)
        self.cells = self.registers.count
        """Cells so far."""
        self.copies: list[str] = []
        """Variables that say which copy of a number an instruction takes next."""

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def fresh(self, value: SSAValue) -> str:
        self.counter += 1
        name = self.names[value] = f"v{self.counter}"
        return name

    def use(self, value: SSAValue) -> str:
        name = self.names.get(value)
        if name is None:
            raise ProgramError(
                f"@{self.kernel.sym_name.data}: {value} is not an index or i1 of this kernel", self.kernel
            )
        return name

    def uses(self, values: Sequence[SSAValue]) -> list[str]:
        return [self.use(v) for v in values]

    def operand(self, value: SSAValue, put: Callable[[SSAValue], int]) -> tuple[Operand, str]:
        """Static part of a memref operand, and the expression of its GM byte offset."""
        raise NotImplementedError

    def constant(self, op: arith.ConstantOp) -> None:
        value = constant_of(cast(IntegerAttr[Any], op.value).value.data, op.result.type)
        if isinstance(value, int):
            self.names[op.result] = f"({value})" if value < 0 else str(value)
            return
        name = self.names[op.result] = f"c{len(self.scope)}"
        self.scope[name] = value

    def arithmetic(self, op: Operation, depth: int) -> None:
        """An op on numbers."""
        if self.registers.held(op.results[0]):
            self.step(op, "compute", depth, op.results[0], op.operands)
        elif isinstance(op, SAME):
            self.names[op.results[0]] = self.use(op.operands[0])
        elif isinstance(op, _TEXTS):
            text = _text(op).format(*self.uses(op.operands))
            self.line(depth, f"{self.fresh(op.results[0])} = {text}")
        else:
            name = f"f{len(self.scope)}"
            self.scope[name] = function_of(op)
            given = ", ".join(self.uses(op.operands))
            self.line(depth, f"{self.fresh(op.results[0])} = {name}({given})")

    def assign(
        self, targets: Sequence[SSAValue], values: Sequence[SSAValue], op: Operation, depth: int
    ) -> None:
        """Give block arguments or results of an op their values, all at once."""
        pairs = list(zip(targets, values, strict=True))
        held = [pair for pair in pairs if self.registers.held(pair[0])]
        plain = [pair for pair in pairs if not self.registers.held(pair[0])]
        if plain:
            names = ", ".join(self.names[target] for target, _ in plain)
            self.line(depth, f"{names} = {', '.join(self.use(value) for _, value in plain)}")
        cells = self.registers.cells
        moved = [(cells[target], value) for target, value in held if cells[target] != cells.get(value)]
        taken = {cells.get(value) for _, value in moved}
        late: list[tuple[int, int, SSAValue]] = []
        for cell, value in moved:
            if cell in taken:  # another one is yet to be read there
                late.append((cell, self.cells, value))
                cell, self.cells = self.cells, self.cells + 1
            self.move(op, cell, self._source(value), value, depth)
        for cell, source, value in late:
            self.move(op, cell, source, value, depth)

    def name_targets(self, values: Sequence[SSAValue]) -> None:
        """Variables for those of them that are in no register."""
        for value in values:
            if not self.registers.held(value):
                self.fresh(value)

    def load_scalar(self, op: LoadScalarOp, depth: int) -> None:
        dtype = type_of(op.result.type)
        if space_of(op.view) == "gm":
            operand, offset = self.operand(op.view, _unknown)
            site = self._site(op, (operand,), ())
            self.line(depth, f"yield get{site.index}(key := ()) or new({site.index}, key)")
            take = f"take({operand.argument}, {offset}, {dtype!r}, {site.index})"
            self.line(depth, f"{self.fresh(op.result)} = {take}")
            return
        self.step(op, "load", depth, op.result, [op.view])
        if op.result in self.registers.steering:
            cell = self.registers.cells[op.result]
            self.line(depth, f"{self.fresh(op.result)} = take(-1, {cell}, {dtype!r}, 0)")

    def step(
        self, op: Operation, step: str, depth: int, result: SSAValue | None, operands: Sequence[SSAValue]
    ) -> None:
        """An instruction of the scalar unit: what it takes is in UB, in registers, or a number of the program."""
        key: list[str] = []

        def put(value: SSAValue) -> int:
            key.append(self.use(value))
            return len(key) - 1

        cells = [-1 if result is None else self.registers.cells[result]]
        views: list[Operand] = []
        scalars: list[int] = []
        for value in operands:
            if isinstance(op, LoadScalarOp | StoreScalarOp) and value is op.view:
                views.append(self.operand(value, put)[0])
                continue
            cells.append(self._source(value))
            if cells[-1] < 0:
                scalars.append(put(value))
        site = self._site(op, tuple(views), tuple(scalars))
        site.step, site.cells = step, tuple(cells)
        self._yield(site, key, depth)

    def move(self, op: Operation, cell: int, source: int, value: SSAValue, depth: int) -> None:
        """One register becomes another one, or a number of the program."""
        key = [self.use(value)] if source < 0 else []
        site = self._site(op, (), (0,) if key else ())
        site.step, site.cells, site.dtype = "move", (cell, source), type_of(value.type)
        self._yield(site, key, depth)

    def copied(self, op: Operation, value: SSAValue, key: list[str], depth: int) -> tuple[int, int]:
        """The first of the cells that copies of a number go to in turn, made when an instruction is issued, and where
        its key says which; cell -1 for a number of the program, which is in the key itself."""
        source = self._source(value)
        if source < 0:
            key.append(self.use(value))
            return -1, len(key) - 1
        first, self.cells = self.cells, self.cells + COPIES
        turn = f"turn{len(self.copies)}"
        self.copies.append(turn)
        self.line(depth, f"{turn} = ({turn} + 1) % {COPIES}")
        site = self._site(op, (), (0,))
        site.step, site.cells, site.dtype = "copy", (first, source), type_of(value.type)
        self._yield(site, [turn], depth)
        key.append(turn)
        return first, len(key) - 1

    def _source(self, value: SSAValue) -> int:
        """The register that a number is in; -1 for one of the program."""
        return self.registers.cells[value] if self.registers.held(value) else -1

    def _site(self, op: Operation, operands: tuple[Operand, ...], scalars: tuple[int, ...]) -> Site:
        site = Site(len(self.sites), op, operands, scalars)
        self.sites.append(site)
        return site

    def _yield(self, site: Site, key: Sequence[str], depth: int) -> None:
        text = f"({key[0]},)" if len(key) == 1 else f"({', '.join(key)})"
        self.line(depth, f"yield get{site.index}(key := {text}) or new({site.index}, key)")


def _text(op: Operation) -> str:
    if isinstance(op, arith.CmpiOp):
        return f"{{0}} {PREDICATES[op.predicate.value.data]} {{1}}"
    if isinstance(op, arith.SelectOp):
        return "{1} if {0} else {2}"
    return BINARY[type(op)]


def _unknown(value: SSAValue) -> int:
    raise ProgramError(f"{value} is no offset of one element in GM")


__all__ = ["ScalarCoder", "is_arithmetic"]

"""HIVM text, read and checked once, and its launches: each grid and set of numbers is one program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ModuleOp

from ...dialects.records import dataclass
from ...dialects.target import load_target
from ...dialects.target_types import Target
from ...passes.hivm.kernel import Launch, check_known
from ...passes.hivm.numbers import Number
from ...passes.hivm.signature import Entry, Parameter
from ...passes.hivm_to_ascend import LAUNCH, chosen_entry, full_grid, specialise
from ...passes.support.module import set_target
from ...runtime.support.hazard import ProgramError
from ..api import CompileError
from ..pipeline.explain import explain
from ..pipeline.read_module import make_context
from ..pipeline.verify import verify_module
from ..programs.given_kinds import PATH, TEXT, check_kinds
from ..programs.program import Program
from ..text.diagnostics import Source
from ..text.mlir_text import parse_mlir_text
from ..text.source_text import decode, is_graph_text
from .arguments import Arguments, bound, named
from .launched import HivmResult

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

TARGET = "ascend910b"
"""The chip that kernels are launched on where none is named: AscendNPU-IR plans memory for it."""


def load(text_or_path: str | Path, entry: str | None = None) -> HivmModule:
    """The kernel of a HIVM text, in the generic form, or of a file; a `str` with a line break or a brace is text.
    `entry` names it, without `_mix_aic`, where there are several. Raises CompileError, whose text is a message with a
    place."""
    check_kinds(locals(), {"text_or_path": PATH, "entry": TEXT.or_none()})
    is_path = isinstance(text_or_path, Path) or not any(mark in text_or_path for mark in "\n{")
    name = str(text_or_path) if is_path else "<string>"
    sources: list[Source] = []
    try:
        text = decode(Path(text_or_path).read_bytes(), name) if is_path else str(text_or_path)
        sources.append(Source(text, name))
        if is_graph_text(text):
            raise sources[0].error(
                0, 1, "this is a graph, not HIVM: ascend-opt --fuse --lower --emit hivm makes it"
            )
        context = make_context()
        context.allow_unregistered = True
        module = parse_mlir_text(context, text, name)
        found = chosen_entry(module, entry)
        check_known(found.functions)
        verify_module(module)
        return HivmModule(module, found, tuple(sources))
    except CompileError:
        raise
    except Exception as error:
        raise CompileError(explain(error, sources)) from error


@dataclass(repr=False)
class HivmModule:
    """A kernel of AscendNPU-IR, as it is after memory planning and synchronisation."""

    module: ModuleOp
    kernel: Entry
    sources: tuple[Source, ...] = ()
    programs: dict[Any, Program] = field(default_factory=dict[Any, Program])
    """Programs of the launches so far."""

    def __repr__(self) -> str:
        return f"<HivmModule @{self.entry}: {', '.join(map(str, self.parameters))}>"

    @property
    def entry(self) -> str:
        """The kernel's name."""
        return self.kernel.name

    @property
    def mixed(self) -> bool:
        """Whether it has programs for Cube and for Vector cores."""
        return self.kernel.mixed

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What it takes beside its grid, in order."""
        return self.kernel.parameters

    def launch(
        self,
        grid: int | Sequence[int],
        args: Sequence[Any] | Mapping[str, Any],
        *,
        names: Sequence[str] | None = None,
        target: str | Target = TARGET,
        flags: Any = "count",
        hazards: bool = True,
        values: bool = True,
        traced_cores: int = 0,
    ) -> HivmResult:
        """Launch `grid` blocks (along x, y, z) on arrays and numbers, in the order of `parameters` or by name.

        `names` are those of the parameters, for messages and outputs, in place of the text's. Arrays have the element
        types of the pointers, and any shape: a kernel sees their elements in order. They are not changed. `flags`:
        whether a flag that is set again before it is waited for counts up and is a finding ("count"), or is a hazard
        ("strict"). With `values` off only time is simulated.

        Raises ProgramError for arguments that make no sense, CompileError where the kernel cannot be specialised for
        them, and HazardError.
        """
        blocks = blocks_of(grid)
        known = named(self.kernel, names)
        given = bound(self.kernel, known, args)
        program = self.program(blocks, given, known, target)
        flat = {name: array.reshape(-1) for name, array in given.arrays.items()}
        if not values:
            result = program.run(values=False, traced_cores=traced_cores, flags=flags)
            return HivmResult({}, program, result)
        result = program.run(flat, hazards=hazards, traced_cores=traced_cores, flags=flags)
        outputs = {name: array.reshape(given.arrays[name].shape) for name, array in result.outputs.items()}
        return HivmResult(outputs, program, result)

    def program(
        self,
        blocks: tuple[int, int, int],
        given: Arguments,
        names: Sequence[str],
        target: str | Target = TARGET,
    ) -> Program:
        """The kernel specialised for a launch; the same numbers give the same program again."""
        chip = load_target(target) if isinstance(target, str) else target
        sizes = {name: array.size for name, array in given.arrays.items()}
        key = blocks, chip.name, tuple(names), tuple(given.numbers.items()), tuple(sizes.items())
        if key not in self.programs:
            numbers: dict[str, Number] = {**sizes, **given.numbers}
            self.programs[key] = self._specialised(blocks, numbers, names, chip)
        return self.programs[key]

    def _specialised(
        self, grid: tuple[int, int, int], numbers: Mapping[str, Number], names: Sequence[str], chip: Target
    ) -> Program:
        module = self.module.clone()
        try:
            entry = chosen_entry(module, self.entry)
            values = {p.place: numbers[name] for p, name in zip(entry.parameters, names, strict=True)}
            for parameter, name in zip(entry.parameters, names, strict=True):
                for function in entry.functions:
                    function.body.block.args[parameter.place].name_hint = name
            entry = chosen_entry(module, self.entry)
            specialise(module, entry, Launch(grid, values), chip)
            set_target(module, chip.name)
            verify_module(module)
        except Exception as error:
            raise CompileError(explain(error, self.sources)) from error
        name = f"{self.entry}{LAUNCH}"
        return Program(module, chip, name, sources=self.sources, results=_results(module, name))


def blocks_of(grid: Any) -> tuple[int, int, int]:
    """Blocks along x, y and z of what is given for them: a whole number, of numpy too, or up to three.

    Raises ProgramError."""
    given = cast("Iterable[Any]", grid) if isinstance(grid, Iterable) else (grid,)
    try:
        return full_grid([index(n) for n in given])
    except TypeError:
        raise ProgramError(f"a grid is one to three numbers of 1 or more, not {grid!r}") from None
    except ValueError as error:
        raise ProgramError(str(error)) from None


def _results(module: ModuleOp, name: str) -> Sequence[tuple[str, str]]:
    """Names of what is written, and their numpy types."""
    from xdsl.dialects.func import FuncOp, ReturnOp

    from ...dialects.storage_types import numpy_dtype
    from ...passes.hivm.refs import dtype_name, memref_of

    found: list[tuple[str, str]] = []
    for op in module.body.block.ops:
        if isinstance(op, FuncOp) and op.sym_name.data == name:
            end = op.body.block.last_op
            assert isinstance(end, ReturnOp)
            found = [
                (v.name_hint or f"arg{i}", numpy_dtype(dtype_name(memref_of(v))).name)
                for i, v in enumerate(end.operands)
            ]
    return found

"""Where a program's values first leave the reference: the kernel, the tile and the instruction.

    print(bisect(program, inputs))

The kernel: every tensor that a kernel writes is compared with the value of the graph that it stands for,
after the same graph passes, computed in f32. The tile: the first grid point, in the order in which they
are dealt to the cores, whose part of that tensor is wrong. The instruction: the core that computes the tile
runs again in program order beside the same kernel compiled afresh from the graph; the first instruction
that writes other bytes is at fault. Where the fresh kernel does just the same the compiler itself is: then
the tile ops of the grid point are evaluated in numpy, and the first one that the instructions do not
compute is named with its instruction, or it is said that the tile program is wrong before it is lowered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from math import prod
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ...dialects import tile
from ...dialects.ascend import CopyOp, FixpipeOp, GmAllocOp, GroupBufferOp, KernelOp, LaunchOp, ViewTensorOp
from ...dialects.ascend.memory import dtype_of, memref_type
from ...dialects.graph.base import bare_names
from ...dialects.records import dataclass
from ...runtime.execution.emulator import Emulator
from ...runtime.machine.memory import NUMPY_TYPES
from ...runtime.support.hazard import HazardError, InstructionRef, ProgramError
from ..api import Program, compile_until
from ..pipeline.read_module import choose_function
from ..programs.program_inputs import check_inputs
from .expected_tensors import Narrow, expected_tensors, returned_values, root_of
from .grid_points import first_point, points
from .replay import Step, dependences, replay
from .run_check import BOUNDS, output_error
from .tile_check import Verdict, judge

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[Any]

MOST_LISTED = 12
"""Instructions of a chain that are shown."""


@dataclass(frozen=True)
class Finding:
    """What `bisect` found. `kernel` is empty when none is wrong, or when a hazard ended the run.

    `point` is the grid point's index, `cell` its part of the kernel's result as (start, end) a dimension;
    `instruction` the one at fault and `executed` how many the core had executed before it; `chain` what
    the first wrong element depends on when no single instruction can be named.
    """

    message: str
    kernel: str = ""
    ops: tuple[str, ...] = ()
    rel_l2: float = 0.0
    """Of an i8 result, the share of elements that are one step off; infinite if some are further off."""
    point: int | None = None
    cell: tuple[tuple[int, int], ...] = ()
    core: int | None = None
    instruction: InstructionRef | None = None
    executed: int | None = None
    chain: tuple[InstructionRef, ...] = ()

    def __str__(self) -> str:
        if not self.kernel:
            return f"bisect: {self.message}"
        ops = bare_names(self.ops, ", ")
        lines = [f"bisect: first wrong kernel: @{self.kernel} ({ops}), relative L2 error {self.rel_l2:.2e}"]
        if self.point is not None:
            cell = " x ".join(f"[{start}, {end})" for start, end in self.cell)
            lines.append(f"  first wrong tile: grid point {self.point} on core {self.core}, elements {cell}")
        if self.instruction is not None:
            whose = f" of @{self.instruction.kernel}" if self.instruction.kernel != self.kernel else ""
            lines.append(f"  first wrong instruction{whose}, after {self.executed} others of that core:")
            lines.append(f"    {self.instruction}")
        lines.append(f"  {self.message}")
        lines += [f"    {instruction}" for instruction in self.chain]
        return "\n".join(lines)


def bisect(program: Program, inputs: Mapping[str, ArrayLike]) -> Finding:
    """Find the first kernel, tile and instruction of a program that leave the reference.

    Raises ProgramError for a program without its graph, or wrong inputs.
    """
    if program.typical_size is not None:
        raise ProgramError(
            f"@{program.name} has a dynamic dimension, and bisection goes by static shapes: write a size for each ?"
        )
    reference = program.reference(inputs)  # the errors of wrong inputs, and of a program without its graph
    arrays = check_inputs(
        {**program.weights, **inputs}, program.inputs, program.name, program.target.overflow
    )
    try:
        tensors = _tensors(program, arrays)
    except HazardError as error:
        return Finding(str(error))
    expected = expected_tensors(program, arrays)
    for launch in _main(program).body.block.ops:
        if not isinstance(launch, LaunchOp):
            continue
        kernels = [_kernel(program.module, name) for name in launch.kernels]
        for index in dict.fromkeys(i for kernel in kernels for i in _written(kernel)):
            value = root_of(launch.arguments[index])
            wanted = expected.tensors.get(value)
            if wanted is None:
                continue
            actual = tensors[value]
            error = output_error(actual, wanted, program.target.overflow)
            if error > BOUNDS.get(actual.dtype.name, 0.0):
                arguments = [_array(tensors, root_of(v)) for v in launch.arguments]
                buffers = {
                    i: v.owner.address.value.data
                    for i, v in enumerate(launch.arguments)
                    if isinstance(v.owner, GroupBufferOp) and v.owner.address is not None
                }
                part = next((one.kernel for one in launch.parts if one.result == index), "")
                return _within(program, _Pair(kernels, buffers, part), index, arguments, wanted, error)
    returned = [tensors[root_of(value)] for value in returned_values(_main(program))]
    return Finding(_unexplained(program, returned, list(reference.values()), expected.narrow))


def _unexplained(
    program: Program, outputs: Sequence[Array], reference: Sequence[Array], narrow: Narrow | None
) -> str:
    """What to say where every kernel gives what the graph does with each result rounded to storage. `narrow`: the first
    op whose result that rounding does not keep."""
    if all(
        output_error(actual, wanted.reshape(actual.shape), program.target.overflow)
        <= BOUNDS.get(actual.dtype.name, 0.0)
        for actual, wanted in zip(outputs, reference, strict=True)
    ):
        return "every kernel's result is within its bound"
    if narrow is not None:
        return f"no instruction is wrong, a type is too narrow: {narrow}"
    return (
        "no instruction is wrong: the graph gives the same where each result is rounded to its type; --check looks at "
        "the roundings of each kernel"
    )


@dataclass(frozen=True)
class _Pair:
    """The kernels of one launch, a Cube one and the one of the Vector cores beside it where both have a part, and where
    buffers of a group among their arguments start. `part`: of a launch that took the place of several the kernel that
    is at fault."""

    kernels: Sequence[KernelOp]
    buffers: Mapping[int, int]
    part: str = ""

    @property
    def name(self) -> str:
        """Of the kernel that both were lowered from."""
        if self.part:
            return self.part
        name = self.kernels[0].sym_name.data
        return name.removesuffix("_aic") if len(self.kernels) > 1 else name

    def replay(self, program: Program, core: int, tensors: Sequence[Array]) -> Iterator[Step]:
        return replay(self.kernels, program.target, core, tensors, self.buffers)


def _array(tensors: Mapping[SSAValue, Array], value: SSAValue) -> Array:
    """A tensor's content; zeros for where cores hand each other tiles, which is nothing of the program's."""
    kind = memref_type(value)
    return tensors.get(value, np.zeros(kind.get_shape(), NUMPY_TYPES[dtype_of(value)]))


def _main(program: Program) -> FuncOp:
    return choose_function(program.module, program.name)


def _kernel(module: ModuleOp, name: str) -> KernelOp:
    found = _find_kernel(module, name)
    assert found is not None
    return found


def _find_kernel(module: ModuleOp, name: str) -> KernelOp | None:
    kernels = (op for op in module.body.block.ops if isinstance(op, KernelOp))
    return next((kernel for kernel in kernels if kernel.sym_name.data == name), None)


def _part(view: ViewTensorOp, tensors: Mapping[SSAValue, Array]) -> Array:
    """The content of a part of a tensor."""
    kind = memref_type(view.result)
    whole = np.ascontiguousarray(tensors[root_of(view.source)]).reshape(-1).view(np.uint8)
    dtype = np.dtype(NUMPY_TYPES[dtype_of(view.result)])
    size = dtype.itemsize * prod(kind.get_shape())
    assert view.start is not None
    return whole[view.start : view.start + size].view(dtype).reshape(kind.get_shape())


def _written(kernel: KernelOp) -> list[int]:
    """Arguments that the kernel's instructions write."""
    found: list[int] = []
    for op in kernel.walk():
        if not isinstance(op, CopyOp | FixpipeOp):
            continue
        destination: SSAValue = op.operands[1]
        if isinstance(destination.owner, Operation) and destination.owner.name == "ascend.view":
            destination = destination.owner.operands[0]
        arguments = kernel.body.block.args
        if destination in arguments and arguments.index(cast(Any, destination)) not in found:
            found.append(arguments.index(cast(Any, destination)))
    return found


def _tensors(program: Program, inputs: Mapping[str, Array]) -> dict[SSAValue, Array]:
    """Every tensor in GM after a run: inputs, prepared weights, and what the kernels wrote."""
    module = program.module.clone()
    main, clone = _main(program), choose_function(module, program.name)
    kept, copies = ([*one.body.block.args, *_allocated(one)] for one in (main, clone))
    last = clone.body.block.last_op
    assert isinstance(last, ReturnOp)
    for op in clone.body.block.ops:
        if isinstance(op, GmAllocOp):
            op.offset = None  # all of them are read at the end: bytes of its own for each
    clone.body.block.erase_op(last)
    clone.body.block.add_op(ReturnOp(*copies))
    needed = {name: array for name, array in inputs.items() if name in program.lowered_inputs}
    result = Emulator(module, program.target).run(program.name, needed)
    tensors = dict(zip(kept, result.outputs, strict=True))
    for op in main.body.block.ops:
        if isinstance(op, ViewTensorOp) and op.start is not None:
            tensors[op.result] = _part(op, tensors)
    return tensors


def _allocated(main: FuncOp) -> list[SSAValue]:
    """The tensors that a function allocates; not the workspaces, of which cores write what they like."""
    allocs = (op for op in main.body.block.ops if isinstance(op, GmAllocOp))
    return [op.result for op in allocs if op.workspace is None]


def _within(
    program: Program, pair: _Pair, index: int, arguments: list[Array], wanted: Array, error: float
) -> Finding:
    """The tile and the instruction, in a kernel whose argument `index` should have been `wanted`."""
    kernel, name = pair.kernels[0], pair.name
    tiles = _tile_kernel(compile_until(program, "tile"), name)
    named = kernel.ops if tiles is None or not pair.part else tiles.ops
    ops = () if named is None else tuple(o.data for o in named)
    finding = Finding("", name, ops, error)
    actual = arguments[index]
    core, wrong = None, _wrong(actual, wanted)
    if tiles is not None and prod(tiles.extent_list) == actual.size:
        shape = tiles.extent_list
        found = first_point(tiles, wrong.reshape(shape))
        if found is not None:
            point, cell = found
            alone = prod(tiles.grid[d] for d in tiles.walked)
            core = point // alone % kernel.core_count
            if tiles.schedule.spans:
                core = ((point + 1) * kernel.core_count - 1) // tiles.shared_points
            core = None if pair.part else core  # its cores begin somewhere
            finding = replace(finding, point=point, cell=cell, core=core)
            inside = tuple(slice(start, end) for start, end in cell)
            mask = np.zeros(shape, np.bool_)
            mask[inside] = wrong.reshape(shape)[inside]
            wrong = mask
    element = int(np.flatnonzero(wrong)[0]) if wrong.any() else 0
    tensors = [array if i != index else np.full_like(array, 0) for i, array in enumerate(arguments)]
    anew = compile_until(program, "ascend")
    found_anew = [_find_kernel(anew, one.sym_name.data) for one in pair.kernels]
    known = [one for one in found_anew if one is not None]
    fresh = replace(pair, kernels=known) if all(found_anew) else None
    for candidate in [core] if core is not None else range(kernel.core_count):
        steps: list[Step] = []
        culprit = _first_difference(program, pair, fresh, candidate, tensors, steps)
        if culprit is not None:
            return replace(
                finding, message="the kernel compiled afresh from the graph writes other bytes here",
                core=candidate, instruction=InstructionRef.of(culprit), executed=_before(steps),
            )  # fmt: skip
        chain = dependences(steps, index, element * actual.itemsize)
        if not chain:
            continue
        finding = replace(finding, core=candidate, message=_CHAIN, chain=_references(chain))
        if tiles is None or finding.point is None or isinstance(chain[-1].op, FixpipeOp):
            return finding  # what FixPipe stores is in no memory of the core to compare tiles with
        mask, right = wrong.reshape(tiles.extent_list), wanted.reshape(tiles.extent_list)
        at = dict(points(tiles))[finding.point]
        given = arguments[: len(tiles.inputs) + len(tiles.outputs)]
        return _blame(finding, judge(tiles, at, finding.cell, given, mask, right, steps, chain), steps)
    return replace(finding, message="no instruction writes the first wrong element")


def _blame(finding: Finding, verdict: Verdict | None, steps: Sequence[Step]) -> Finding:
    """The finding with what a comparison with the tile ops adds."""
    if verdict is None:
        return finding
    if verdict.tiles_wrong:
        message = f"the tile program itself is wrong, not its lowering; {finding.message}"
        return replace(finding, message=message)
    if verdict.step is None:
        return replace(finding, message=f"{verdict.description}; {finding.message}")
    executed = _before(steps[: next(i for i, step in enumerate(steps) if step is verdict.step) + 1])
    return replace(
        finding, instruction=InstructionRef.of(verdict.step.op), executed=executed,
        message=f"{verdict.description}; {finding.message}",
    )  # fmt: skip


def _before(steps: Sequence[Step]) -> int:
    """How many instructions the core of the last step had executed before it."""
    return sum(step.position == steps[-1].position for step in steps) - 1


_CHAIN = "the kernel compiled afresh does the same; in program order, the first wrong element depends on:"


def _references(steps: Sequence[Step]) -> tuple[InstructionRef, ...]:
    """The instructions of a chain, each once; of a long chain the last ones."""
    ops = list(dict.fromkeys(step.op for step in steps))
    return tuple(InstructionRef.of(op) for op in ops[-MOST_LISTED:])


def _tile_kernel(module: ModuleOp, name: str) -> tile.KernelOp | None:
    kernels = (op for op in module.walk() if isinstance(op, tile.KernelOp))
    return next((kernel for kernel in kernels if kernel.kernel_name.data == name), None)


def _wrong(actual: Array, wanted: Array) -> Array:
    """Which elements are off by more than rounding explains."""
    a, b = (np.asarray(x, np.float64).reshape(-1) for x in (actual, wanted))
    if actual.dtype.name == "int8":
        return np.abs(a - b) > 1
    finite = np.isfinite(b)
    scale = float(np.sqrt(np.mean(np.square(b[finite])))) if finite.any() else 1.0
    bound = BOUNDS.get(actual.dtype.name, 0.0)
    with np.errstate(invalid="ignore"):
        close = np.abs(a - b) <= 4 * bound * np.maximum(np.abs(b), scale)
    return ~(close | (a == b) | (np.isnan(a) & np.isnan(b)))


def _first_difference(
    program: Program,
    pair: _Pair,
    fresh: _Pair | None,
    core: int,
    tensors: Sequence[Array],
    steps: list[Step],
) -> Operation | None:
    """The first instruction of `core` that does not do what the fresh kernel's does; fills `steps`."""
    other = iter(()) if fresh is None else fresh.replay(program, core, tensors)
    for step, good in zip_longest(pair.replay(program, core, tensors), other):
        if step is not None:
            steps.append(step)
        if fresh is None:
            continue
        if step is None or good is None:
            return None if not steps else steps[-1].op
        same = step.op.name == good.op.name and step.written == good.written
        if not same or (step.to_gm and step.gm_boxes != good.gm_boxes):
            return step.op
    return None


__all__ = ["Finding", "bisect", "points"]

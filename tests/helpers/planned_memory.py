"""Compiled programs with memory planned anew: another level of reuse, another size of a memory."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp

from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.compiler.pipeline.pass_text import parse_passes
from ascend_opt.compiler.pipeline.pipelines import build_passes
from ascend_opt.compiler.pipeline.read_module import make_context
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.dialects.ascend import KernelOp
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.analysis.live_ranges import buffer_usages
from ascend_opt.passes.ascend_insert_sync import synchronise
from ascend_opt.passes.ascend_plan_memory import apply_plan, plan_kernel
from ascend_opt.passes.memory.group_buffers import place_group_buffers, taken_by_groups
from ascend_opt.passes.memory.in_place import in_place_pairs
from ascend_opt.passes.memory.report import MemoryPlan
from ascend_opt.passes.memory.space_plan import MemoryProblem
from ascend_opt.passes.memory.space_problem import loop_numbers, space_problem
from ascend_opt.passes.sync.launch_order import check_order

SELECT = "tile-partition,tile-pipeline,tile-to-ascend,ascend-multi-buffer"
"""From tiles to instructions whose buffers have slots."""


def unplanned(program: Program) -> Program:
    """The program at the ascend level, its buffers without addresses."""
    module = run_passes(
        compile_until(program, "tile"), f"{SELECT},ascend-plan-workspace", program.target_name
    )
    return replace(program, module=module, graph_module=None)


def run_passes(module: ModuleOp, passes: str, target: str) -> ModuleOp:
    """The module, on which some passes ran."""
    for one in build_passes(UNIVERSE.all_passes, parse_passes(passes), target):
        one.apply(make_context(), module)
    return module


def with_addresses(program: Program) -> ModuleOp:
    """The program lowered anew from its tiles up to the addresses of its buffers, without synchronisation."""
    return run_passes(compile_until(program, "tile"), f"{SELECT},ascend-plan-memory", program.target_name)


def kernels(program: Program) -> list[KernelOp]:
    return [op for op in program.module.walk() if isinstance(op, KernelOp)]


def problems(program: Program) -> Iterator[tuple[str, MemoryProblem]]:
    """The memories of every kernel with the problem of laying them out; the program is `unplanned`."""
    taken = taken_by_groups(program.module, program.target)
    for kernel in kernels(program):
        usages, loops = buffer_usages(kernel, program.target), loop_numbers(kernel)
        for space in dict.fromkeys(u.space for u in usages):
            here = [u for u in usages if u.space == space]
            group = taken.get(kernel.sym_name.data, {})
            problem = space_problem(here, space, program.target, loops, group)
            yield kernel.sym_name.data, replace(problem, in_place=tuple(in_place_pairs(kernel, here)))


def sized(target: Target, sizes: Mapping[str, int]) -> Target:
    """The chip with other bytes in some of its memories."""
    spaces = {
        name: replace(space, bytes=sizes.get(name, space.bytes)) for name, space in target.spaces.items()
    }
    return replace(target, spaces=spaces)


def planned(program: Program, target: Target, reuse: str) -> tuple[list[MemoryPlan], Program]:
    """A copy of an `unplanned` program with its memory planned for a chip, and its flags, which are checked."""
    module = program.module.clone()
    place_group_buffers(module, target)
    taken = taken_by_groups(module, target)
    plans: list[MemoryPlan] = []
    for kernel in [op for op in module.walk() if isinstance(op, KernelOp)]:
        plan = plan_kernel(kernel, target, reuse, taken.get(kernel.sym_name.data, {}))
        apply_plan(plan)
        synchronise(kernel, target)
        plans.append(plan)
    check_order(module, target)
    return plans, replace(program, module=module, target=target)

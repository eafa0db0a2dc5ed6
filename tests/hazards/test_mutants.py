"""Taking away what orders a kernel is always noticed: a pair of pipes, a barrier, a single flag op."""

from collections.abc import Callable

import pytest
from ascend_kernels import matmul, ping_pong, product, random_inputs
from ascend_programs import Program
from xdsl.ir import Operation

from ascend_opt.dialects.ascend import BarrierOp, CopyOp, SetFlagOp, WaitFlagOp
from ascend_opt.dialects.ascend.memory import space_of
from ascend_opt.dialects.ascend.sync import FlagOp
from ascend_opt.runtime.support.hazard import HazardError

KERNELS: dict[str, Callable[[], Program]] = {
    "ping-pong": lambda: ping_pong(tiles=5),
    "product": lambda: product(k_steps=5),
    "small product": lambda: product(k_steps=5, m=32, n=32, barrier=True),
    "matmul": lambda: matmul(256, 128, 256, (128, 64, 64), 1),
}


def pairs(program: Program) -> list[tuple[str, str]]:
    found = {(op.source.data, op.destination.data) for op in program.kernel.walk() if isinstance(op, FlagOp)}
    return sorted(found)


CASES = [(name, pair) for name, make in KERNELS.items() for pair in pairs(make())]


@pytest.mark.parametrize(("name", "pair"), CASES, ids=[f"{n}-{a}-{b}" for n, (a, b) in CASES])
def test_pair_of_pipes_left_unordered(name: str, pair: tuple[str, str]):
    program = KERNELS[name]()
    for op in list(program.kernel.walk()):
        if isinstance(op, FlagOp) and (op.source.data, op.destination.data) == pair:
            op.detach()
    with pytest.raises(HazardError) as caught:
        program.run(random_inputs(program))
    assert caught.value.kind in ("race", "in-pipe", "flag-set-twice")


@pytest.mark.parametrize("kind", [SetFlagOp, WaitFlagOp])
@pytest.mark.parametrize("name", KERNELS)
def test_single_flag_op_left_out(name: str, kind: type[FlagOp]):
    count = sum(isinstance(op, kind) for op in KERNELS[name]().kernel.walk())
    for index in range(count):
        program = KERNELS[name]()
        [op for op in program.kernel.walk() if isinstance(op, kind)][index].detach()
        with pytest.raises(HazardError):
            program.run(random_inputs(program))


def test_barrier_left_out():
    program = KERNELS["small product"]()
    for op in list(program.kernel.walk()):
        if isinstance(op, BarrierOp):
            op.detach()
    with pytest.raises(HazardError) as caught:
        program.run(random_inputs(program))
    assert caught.value.kind == "in-pipe"


def pipe_of(op: Operation, program: Program) -> str | None:
    """The pipe of an instruction; None for other ops."""
    if isinstance(op, CopyOp):
        return program.target.path(space_of(op.source), space_of(op.destination)).pipe
    return {"ascend.load2d": "MTE1", "ascend.mmad": "M", "ascend.vec": "V"}.get(op.name)


@pytest.mark.parametrize("name", ["ping-pong", "product", "matmul"])
def test_wait_one_instruction_later(name: str):
    """Each wait that stands before an instruction of its pipe, moved behind it."""
    count = sum(isinstance(op, WaitFlagOp) for op in KERNELS[name]().kernel.walk())
    moved = 0
    for index in range(count):
        program = KERNELS[name]()
        wait = [op for op in program.kernel.walk() if isinstance(op, WaitFlagOp)][index]
        following = wait.next_op
        while following is not None and pipe_of(following, program) != wait.destination.data:
            following = following.next_op
        if following is None:
            continue
        block = wait.parent_block()
        assert block is not None
        wait.detach()
        block.insert_op_after(wait, following)
        moved += 1
        with pytest.raises(HazardError):
            program.run(random_inputs(program))
    assert moved >= 3

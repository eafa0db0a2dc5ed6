"""The check that follows insertion: Cube and Vector cores together, run-time sizes, and what of GM overlaps."""

from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from ascend_programs import Program as AscendProgram
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.memory import space_of
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.support.errors import LocatedError
from ascend_opt.passes.sync.launch_order import check_order
from ascend_opt.runtime.hazards import sync_check
from ascend_opt.runtime.hazards.group_order import overlap
from ascend_opt.runtime.machine.memory_system import Pattern

SYNC = (*ascend.SYNCHRONISATION, *ascend.CROSS_CORE)
CONVOLUTION = """
graph @f(%x: tensor<?x16x9x9xf16>, %w: tensor<24x16x3x3xf16> {weight}) {
  %p = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  %y = leaky_relu(%p)
  return %y
}"""
GRAPHS = {
    "product": """graph @f(%x: tensor<?x70xf16>, %w: tensor<70x100xf16> {weight}) {
      %p = matmul(%x, %w)
      %y = gelu(%p)
      return %y
    }""",
    "convolution": CONVOLUTION,
}
CASES = [(graph, chip) for graph in GRAPHS for chip in ("ascend910b", "ascend950")]


@cache
def compiled(graph: str, chip: str) -> Program:
    return ascend_opt.compile(GRAPHS[graph], target=chip, tune=1)


def changed(program: Program, change: Callable[[list[Operation]], None]) -> ModuleOp:
    module = program.module.clone()
    change(list(module.walk()))
    return module


def in_order(module: ModuleOp, program: Program) -> bool:
    try:
        check_order(module, program.target)
    except LocatedError:
        return False
    return True


@pytest.mark.parametrize("graph, chip", CASES)
def test_what_orders_a_dynamic_kernel_is_missed_without_a_run(graph: str, chip: str):
    """Any flag of a kernel whose sizes are known at run time, in a core or between cores, at one of these sizes."""
    program = compiled(graph, chip)
    assert in_order(program.module, program)
    ops = list(program.module.walk())
    flags = [i for i, op in enumerate(ops) if isinstance(op, SYNC) and not isinstance(op, ascend.BarrierOp)]
    between = [i for i in flags if isinstance(ops[i], ascend.CROSS_CORE)]
    for place in {*Random(graph + chip).sample(flags, 3), *between[2:9:3]}:

        def remove(ops: list[Operation], place: int = place) -> None:
            ops[place].detach()

        assert not in_order(changed(program, remove), program), ops[place]


@pytest.mark.parametrize("chip", ["ascend910b", "ascend950"])
def test_few_trips_of_two_kernels_belong_together(chip: str, monkeypatch: pytest.MonkeyPatch):
    """A Vector core that lays out feature maps a tile ahead makes a trip more than its Cube core."""
    cores, skipped = load_target(chip).cores, list[bool]()
    whole_kernel = sync_check._Kernel.__init__  # pyright: ignore[reportPrivateUsage]

    def noted(self: object, kernel: object, target: object, addresses: object, trips: object) -> None:
        skipped.append(trips is not None)
        whole_kernel(self, kernel, target, addresses, trips)  # type: ignore

    monkeypatch.setattr(sync_check._Kernel, "__init__", noted)  # pyright: ignore[reportPrivateUsage]
    for tiles in (12, 13):
        text = CONVOLUTION.replace("?", str(cores * tiles))
        program = ascend_opt.compile(text, target=chip, tune=1)
        assert [op.beside is not None for op in program.module.walk() if isinstance(op, ascend.LaunchOp)] == [
            True
        ]
    assert len(skipped) >= 4 and all(skipped)


@pytest.mark.parametrize("chip", ["ascend910", "ascend950"])
def test_a_transfer_that_leaves_its_tensor_is_told(chip: str):
    program = ascend_opt.compile(
        "graph @f(%x: tensor<64x96xf16>) {\n%y = relu(%x)\nreturn %y\n}", target=chip, tune=1
    )

    def shift(ops: list[Operation]) -> None:
        view = next(op for op in ops if isinstance(op, ascend.ViewOp) and space_of(op.base) == "gm")
        view.start = IntegerAttr(view.start.value.data + 64 * 96, i64)

    assert in_order(program.module, program)
    with pytest.raises(LocatedError, match="out-of-bounds"):
        check_order(changed(program, shift), program.target)


@pytest.mark.parametrize(
    ("step", "second", "wrong"), [(128, None, ""), (2048, None, "out-of-bounds"), (64, 64, "in-pipe")]
)
def test_cores_that_do_the_same_elsewhere_are_in_order_where_their_tensors_are(
    step: int, second: int | None, wrong: str
):
    """The second core stores twice, at a step from the first one or always at `second`."""
    p = AscendProgram(cores=2)
    tensor, tile = p.output("y", (1024,)), p.view(p.buffer("a", "ub", (64,), 0), (64,))
    at = p.times(p.block_idx(), step)
    for offset in (at, p.plus(at, 64) if second is None else second):
        p.copy(tile, p.view(tensor, (64,), offset=offset))
    module = ModuleOp([p.kernel])
    if not wrong:
        check_order(module, p.target)
        return
    with pytest.raises(LocatedError, match=wrong):
        check_order(module, p.target)


def test_overlap_is_that_of_the_bytes():
    rng = Random(0)
    for _ in range(400):
        one, other = (
            Pattern(n, burst, 0 if n == 1 else burst + rng.choice([0, 1, 16, 40]))
            for n, burst in ((rng.randint(1, 5), rng.choice([1, 7, 32, 50])) for _ in "ab")
        )
        at, behind, unit = rng.randrange(200), rng.randrange(200), rng.choice([1, 32])
        touched = [
            {(start + i * p.stride + k) // unit for i in range(p.bursts) for k in range(p.burst)}
            for start, p in ((at, one), (behind, other))
        ]
        assert overlap(one, other, behind - at, at % unit, unit) == bool(touched[0] & touched[1])

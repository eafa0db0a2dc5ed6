"""Results of which a program leaves bytes unwritten: the run ends with that hazard, and names them."""

from collections.abc import Callable

import numpy as np
import pytest
from ascend_kernels import streaming
from ascend_programs import Program, memory
from xdsl.dialects.func import FuncOp, ReturnOp

from ascend_opt.dialects.ascend import KernelOp, LaunchOp, ViewTensorOp
from ascend_opt.dialects.ascend.memory import memref_type
from ascend_opt.runtime.execution.emulator import Emulator, RunResult
from ascend_opt.runtime.support.hazard import HazardError

Case = tuple[int, tuple[int, int]]
UNWRITTEN: list[tuple[Callable[[], Program], Case]] = []


def unwritten(count: int, first: int, end: int) -> Callable[[Callable[[], Program]], Callable[[], Program]]:
    """A program that leaves `count` bytes of y, of which bytes [`first`, `end`) come first."""

    def register(make: Callable[[], Program]) -> Callable[[], Program]:
        UNWRITTEN.append((make, (count, (first, end))))
        return make

    return register


def move(start: int, end: int, cores: int = 1, size: int = 256) -> Program:
    """y = x, elements [start, end) of each core's `size`."""
    p, x, y = streaming(cores, size, cores)
    a = p.buffer("a", "ub", (size,), 0)
    at = p.times(p.block_idx(), size)
    part = p.view(a, [end - start], offset=start)
    p.copy(p.view(x, [size], offset=at), a)
    p.flag("MTE2", "MTE3")
    p.copy(part, p.view(y, [end - start], offset=p.plus(at, start)))
    return p


def run(p: Program, **options: bool) -> RunResult:
    inputs = {
        t.name_hint: np.ones(memref_type(t).get_shape(), np.float16)
        for t in p.tensors
        if t.name_hint in p.inputs
    }
    return p.run_with(options, inputs)


@unwritten(256, 256, 512)
def last_half():
    return move(0, 128)


@unwritten(32, 0, 32)
def first_block():
    return move(16, 256)


@unwritten(96, 480, 512)
def tail_of_each_core():
    return move(0, 240, cores=3)


@unwritten(6, 64, 66)
def one_element_of_each_row():
    """Less than a block: rows of 33 elements, of which each store writes 32."""
    p = Program(target="ascend310p")
    x, y = p.input("x", (96,)), p.output("y", (3, 33))
    a = p.buffer("a", "ub", (96,), 0)
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    with p.loop(3) as i:
        p.copy(p.view(a, [32]), p.view(y, [32], offset=p.times(i, 33)))
        p.barrier("MTE3")
    return p


@unwritten(512, 256, 512)
def every_other_tile():
    p, x, y = streaming(1, 128, 4)
    a = p.buffer("a", "ub", (128,), 0)
    p.copy(p.view(x, [128]), a)
    p.flag("MTE2", "MTE3")
    with p.loop(4, step=2) as i:
        p.copy(a, p.view(y, [128], offset=p.times(i, 128)))
    return p


@unwritten(128, 32, 64)
def between_the_bursts_of_a_store():
    p, x, y = streaming(1, 64, 2)
    a = p.buffer("a", "ub", (64,), 0)
    p.copy(p.view(x, [64]), a)
    p.flag("MTE2", "MTE3")
    p.copy(p.view(a, [4, 16]), p.view(y, [4, 16], [32, 1]))
    return p


@unwritten(512, 0, 512)
def no_trip_of_the_loop():
    p, x, y = streaming(1, 256, 1)
    a = p.buffer("a", "ub", (256,), 0)
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    with p.loop(0):
        p.copy(a, y)
    return p


@pytest.mark.parametrize(("make", "expected"), UNWRITTEN, ids=[f.__name__ for f, _ in UNWRITTEN])
def test_reports_the_bytes(make: Callable[[], Program], expected: Case):
    with pytest.raises(HazardError) as caught:
        run(make())
    error = caught.value
    count, byte_range = expected
    assert error.kind == "unwritten"
    assert error.kernel == "k"
    assert error.byte_range == byte_range
    assert f"nothing wrote {count} of the " in error.reason
    assert error.instructions
    assert all(i.text.startswith("ascend.copy ") for i in error.instructions)


def test_message_names_kernel_tensor_and_bytes():
    with pytest.raises(HazardError) as caught:
        run(move(0, 128))
    lines = str(caught.value).splitlines()
    assert lines[0] == (
        "unwritten in @k: nothing wrote 256 of the 512 bytes of result 0 of @main; the first of them are"
    )
    assert lines[1] == "  gm bytes [256, 512) of %y"
    assert lines[2].startswith("  ascend.copy ")


@pytest.mark.parametrize("options", [{"values": False}, {"hazards": False}])
def test_only_with_hazards(options: dict[str, bool]):
    run(move(0, 128), **options)


def test_all_of_it():
    assert (run(move(0, 256)).outputs[0] == 1).all()


def test_rows_that_overlap_leave_no_gap():
    p = Program(target="ascend310p")
    x, y = p.input("x", (96,)), p.output("y", (2, 24))
    a = p.buffer("a", "ub", (96,), 0)
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    for start in (0, 8, 24, 32):
        p.copy(p.view(a, [16]), p.view(y, [16], offset=start))
        p.barrier("MTE3")
    run(p)


def test_a_kernel_that_does_not_store():
    """The last kernel that takes the result is named; there is no instruction to show."""
    p, x, _ = streaming(1, 256, 1)
    p.copy(x, p.buffer("a", "ub", (256,), 0))
    with pytest.raises(HazardError) as caught:
        run(p)
    assert (caught.value.kind, caught.value.kernel) == ("unwritten", "k")
    assert not caught.value.instructions


def test_a_result_that_no_kernel_takes():
    p = move(0, 256)
    module = p.module()
    launch = next(op for op in module.walk() if isinstance(op, LaunchOp))
    launch.detach()
    with pytest.raises(HazardError) as caught:
        run(p)
    assert str(caught.value).startswith("unwritten in program: ")


def in_halves(first: Program, second: Program) -> Program:
    """`first`, whose main also launches the kernel of `second` on the same tensors, as @k2."""
    module, other = first.module(), second.module()
    kernel = next(op for op in other.walk() if isinstance(op, KernelOp))
    kernel.detach()
    kernel.properties["sym_name"] = type(kernel.sym_name)("k2")
    main = next(op for op in module.body.block.ops if isinstance(op, FuncOp))
    module.body.block.insert_op_before(kernel, main)
    launch = next(op for op in main.body.block.ops if isinstance(op, LaunchOp))
    main.body.block.insert_op_after(LaunchOp("k2", launch.arguments), launch)
    return first


def test_two_kernels_write_a_half_each():
    outputs = run(in_halves(move(0, 128), move(128, 256))).outputs
    assert (outputs[0] == 1).all()


def test_the_last_kernel_that_stores_is_named():
    with pytest.raises(HazardError) as caught:
        run(in_halves(move(0, 128), move(144, 256)))
    assert caught.value.kernel == "k2"
    assert caught.value.byte_range == (256, 288)


def test_a_result_under_another_shape():
    p = move(0, 128)
    main = next(op for op in p.module().body.block.ops if isinstance(op, FuncOp))
    end = main.body.block.last_op
    assert isinstance(end, ReturnOp)
    (made,) = end.operands
    view = ViewTensorOp(made, memory((16, 16), "f16"))
    main.body.block.insert_op_before(view, end)
    end.operands = [view.result]
    with pytest.raises(HazardError) as caught:
        Emulator(p.module(), p.target).run("main", {"x": np.ones(256, np.float16)})
    assert caught.value.kind == "unwritten"


def test_a_tensor_between_kernels_need_not_be_whole():
    """Without its return, nobody asks for the rest."""
    p = move(0, 128)
    main = next(op for op in p.module().body.block.ops if isinstance(op, FuncOp))
    end = main.body.block.last_op
    assert isinstance(end, ReturnOp)
    end.operands = []
    Emulator(p.module(), p.target).run("main", {"x": np.ones(256, np.float16)})


def test_a_returned_input_counts_as_written():
    p = move(0, 256)
    main = next(op for op in p.module().body.block.ops if isinstance(op, FuncOp))
    end = main.body.block.last_op
    assert isinstance(end, ReturnOp)
    end.operands = [main.body.block.args[0]]
    Emulator(p.module(), p.target).run("main", {"x": np.ones(256, np.float16)})

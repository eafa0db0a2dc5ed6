"""Chips whose Cube and Vector are cores of their own: the programs of both kinds, and the flags between them."""

from collections.abc import Iterator

import numpy as np
import pytest
from ascend_programs import Program as SmallProgram
from split_programs import PROGRAMS, compiled, inputs, run
from sweeps import ALL
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue

from ascend_opt.compiler.pipeline.read_module import read_module
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.memory import space_of
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.support.hazard import HazardError

CHIPS = ("ascend910b1", "ascend950")
"""Cores that meet in workspaces in GM, and cores that meet in UB and L1."""


def crossings(module: ModuleOp) -> Iterator[ascend.CrossSetFlagOp | ascend.CrossWaitFlagOp]:
    for op in module.walk():
        if isinstance(op, ascend.CrossSetFlagOp | ascend.CrossWaitFlagOp):
            yield op


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_both_kinds_of_core_work_and_values_are_right(name: str, chip: str):
    program = compiled(PROGRAMS[name], chip)
    kinds = [op.core_kind for op in program.module.walk() if isinstance(op, ascend.KernelOp)]
    assert kinds == ["aic", "aiv"]
    expected = program.reference(inputs(program))["output0"].astype(np.float32)
    assert np.linalg.norm(run(program) - expected) <= 3e-3 * np.linalg.norm(expected)


KINDS = ("gm-cross-core", "deadlock", "flag-left-set", "limit", "race", "in-pipe", "uninitialized")


@pytest.mark.sweep(8)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_missing_cross_core_flag_is_noticed(name: str, chip: str):
    """Without any one set or wait the run reports a race, a deadlock or a flag that stays up."""
    program = compiled(PROGRAMS[name], chip)
    count = len(list(crossings(program.module)))
    assert count >= 8
    for index in range(count):
        module = program.module.clone()
        list(crossings(module))[index].detach()
        with pytest.raises(HazardError) as error:
            run(program, module)
        assert error.value.kind in KINDS, index


@pytest.mark.sweep(4)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", ["several tiles a core", "several images a core"])
def test_a_wrong_cross_core_flag_is_noticed(name: str, chip: str):
    program = compiled(PROGRAMS[name], chip)
    for index in range(len(list(crossings(program.module)))):
        module = program.module.clone()
        op = list(crossings(module))[index]
        op.operands[list(op.operands).index(op.event)] = constant_before(op, 7)
        with pytest.raises(HazardError):
            run(program, module)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", ["several tiles a core", "several images a core"])
def test_a_misplaced_cross_core_flag_is_noticed(name: str, chip: str):
    """A set at the start of its block, or a wait at the end, in a loop: flags pair, bytes are not protected. Where
    operands are handed over too, their flags order most other things, so only sets that say data is there move."""
    program = compiled(PROGRAMS[name], chip)
    inside = [
        i
        for i, op in enumerate(crossings(program.module))
        if not isinstance(op.parent_op(), ascend.KernelOp)
        and (
            "image" not in name or (isinstance(op, ascend.CrossSetFlagOp) and op.pipe.data in ("FIX", "MTE3"))
        )
    ]
    assert len(inside) >= 2
    for index in inside:
        module = program.module.clone()
        op = list(crossings(module))[index]
        block = op.parent
        assert block is not None and block.last_op is not None
        op.detach()
        if isinstance(op, ascend.CrossSetFlagOp):
            event = op.event.owner
            first = block.first_op if not isinstance(event, Operation) or event.parent is not block else event
            assert first is not None
            block.insert_op_before(op, first)
        else:
            block.insert_op_before(op, block.last_op)
        with pytest.raises(HazardError) as error:
            run(program, module)
        assert error.value.kind in ("race", "in-pipe", "gm-cross-core", "uninitialized", "deadlock"), index


def test_an_image_to_column_load_of_what_another_core_writes_is_a_race():
    """The Vector cores say that pixels are in the Cube core's L1 before they write them."""
    program = compiled(PROGRAMS["several images a core"], "ascend950")
    module = program.module.clone()
    sets = [
        op for op in crossings(module) if isinstance(op, ascend.CrossSetFlagOp) and op.pipe.data == "MTE3"
    ]
    (op,) = (one for one in sets if not isinstance(one.parent_op(), ascend.KernelOp))
    block = op.parent
    assert block is not None and block.first_op is not None
    op.detach()
    block.insert_op_before(op, block.first_op)
    with pytest.raises(HazardError, match="MTE1 of another core of the group reads and MTE3 writes"):
        run(program, module)


def constant_before(op: ascend.CrossSetFlagOp | ascend.CrossWaitFlagOp, value: int) -> SSAValue:
    constant = arith.ConstantOp(IntegerAttr(value, IndexType()))
    block = op.parent
    assert block is not None
    block.insert_op_before(constant, op)
    return constant.result


def test_fixpipe_stores_what_it_can_by_itself():
    text = """
    graph @f(%x: tensor<100x40xf16>, %w: tensor<40x77xf16> {weight}) {
      %p = matmul(%x, %w)
      %y = relu(%p)
      return %y
    }"""
    program = compiled(text)
    (kernel,) = (op for op in program.module.walk() if isinstance(op, ascend.KernelOp))
    assert kernel.core_kind == "aic"
    (fixpipe,) = (op for op in kernel.walk() if isinstance(op, ascend.FixpipeOp))
    assert fixpipe.relu is not None
    expected = program.reference(inputs(program))["output0"].astype(np.float32)
    assert (expected == 0).any()
    assert np.linalg.norm(run(program) - expected) <= 3e-3 * np.linalg.norm(expected)


def test_what_passes_through_a_workspace_is_told_apart():
    """Each tile is written and read once; HBM need not see it."""
    program = compiled(PROGRAMS["a tile a core"])
    kernel = program.time().kernels[0]
    assert kernel.workspace_bytes >= 2 * 100 * 200 * 2
    tensors = (100 * 96 + 96 * 200 + 100 * 200) * 2
    assert kernel.compulsory_bytes <= 1.3 * tensors
    assert kernel.workspace_bytes + kernel.compulsory_bytes <= kernel.dma_read_bytes + kernel.dma_write_bytes


def flags_ahead(count: int, target: Target) -> SmallProgram:
    """The Vector cores set a flag so often before the Cube core waits for it."""
    p = SmallProgram(target=target, core="aic")
    for _ in range(count):
        p.cross_wait(0)
    p.beside(2)
    for _ in range(count):
        p.cross_set("V", 0)
    return p


def test_too_many_flags_ahead_are_a_hazard():
    """A flag counts to 15. The Cube core, which starts with its wait, takes none of them before the first is seen."""
    target = load_target(CHIPS[0])
    assert target.cross is not None
    assert flags_ahead(target.cross.pending, target).run().outputs == []
    with pytest.raises(
        HazardError, match=f"was set {target.cross.pending + 1} times ahead of its waits"
    ) as error:
        flags_ahead(target.cross.pending + 1, target).run()
    assert error.value.kind == "limit"


def test_a_flag_is_seen_after_its_latency():
    target = load_target(CHIPS[0])
    assert target.cross is not None
    times: list[float] = []
    for cycles in (target.cross.latency, target.cross.latency + 500):
        program = flags_ahead(1, target.with_(cross={"latency": cycles}))
        times.append(program.emulator().time_only("main").kernels[0].time_us)
    assert times[1] - times[0] == pytest.approx(target.microseconds(500))


@pytest.mark.parametrize("late", [0, 1])
def test_a_cube_core_waits_for_the_last_of_its_vector_cores(late: int):
    """One of them computes for longer before it sets the flag."""
    times: list[float] = []
    for repeats in (50, 200):
        p = SmallProgram(target=CHIPS[0], core="aic")
        p.cross_wait(0)
        p.beside(2)
        a = p.buffer("a", "ub", (200, 128), 0)
        with p.when(p.compare("eq", p.block_idx(), late)):
            p.vec("vdup", to=p.view(a, [repeats, 8, 16]), scalar=1.0)
        p.cross_set("V", 0)
        times.append(p.emulator().time_only("main").kernels[0].time_us)
    assert times[1] - times[0] == pytest.approx(p.target.microseconds(150))


@pytest.mark.parametrize("ordered", [True, False])
def test_a_flag_that_two_pipes_set_in_no_order_is_a_hazard(ordered: bool):
    """A wait takes one of the two sets; whether that of the load or that of the store must not be left to time."""
    p = SmallProgram(target=CHIPS[0], core="aic")
    x, y = p.input("x", (512,)), p.input("y", (512,))
    p.cross_wait(0)
    p.cross_wait(0)
    x, y = p.beside(2)
    a, b = p.buffer("a", "ub", (256,), 0), p.buffer("b", "ub", (256,), 512)
    p.vec("vdup", to=b, scalar=1.0)
    p.flag("V", "MTE3")
    p.copy(p.view(x, [256]), a)
    p.cross_set("MTE2", 0)
    if ordered:
        p.flag("MTE2", "MTE3")
    p.copy(b, p.view(y, [256], offset=p.times(p.block_idx(), 256)))
    p.cross_set("MTE3", 0)
    arrays = {name: np.zeros(512, np.float16) for name in ("x", "y")}
    if ordered:
        p.run(arrays)
        return
    with pytest.raises(HazardError, match="set cross-core flag 0 in no order") as error:
        p.run(arrays)
    assert error.value.kind == "flag-set-twice"
    assert len(error.value.instructions) == 2


def test_a_core_has_only_the_memories_of_its_kind():
    program = compiled("graph @f(%x: tensor<64xf16>) {\n  %y = relu(%x)\n  return %y\n}")
    (kernel,) = (op for op in program.module.walk() if isinstance(op, ascend.KernelOp))
    assert kernel.core_kind == "aiv"
    kernel.core = StringAttr("aic")
    with pytest.raises(HazardError, match="an aic core of ascend910b1 has no ub") as error:
        run(program)
    assert error.value.kind == "no-path"


STORES = """
builtin.module attributes {{ascend.target = "ascend910b1"}} {{
  ascend.kernel @k cores 2 : i64 attributes {{core = "aiv"}} {{
  ^bb0(%y: memref<20xf16, "gm">):
    %e = arith.constant 0 : index
    %core = ascend.block_idx
    %step = arith.constant {step} : index
    %at = arith.muli %core, %step : index
    %a = ascend.buffer {{addresses = array<i64: 0>}} : memref<32xf16, "ub">
    %all = ascend.view %a {{static_sizes = array<i64: 32>, strides = array<i64: 1>}}
      : memref<32xf16, "ub"> -> memref<32xf16, strided<[1]>, "ub">
    ascend.vec "vdup"() -> %all scalar 1.0 : f32 : () -> memref<32xf16, strided<[1]>, "ub">
    ascend.set_flag "V" -> "MTE3", %e
    ascend.wait_flag "V" -> "MTE3", %e
    %part = ascend.view %a {{static_sizes = array<i64: {count}>, strides = array<i64: 1>}}
      : memref<32xf16, "ub"> -> memref<{count}xf16, strided<[1]>, "ub">
    %out = ascend.view %y offset %at {{static_sizes = array<i64: {count}>, strides = array<i64: 1>}}
      : memref<20xf16, "gm"> -> memref<{count}xf16, strided<[1], offset: ?>, "gm">
    ascend.copy %part, %out
      : memref<{count}xf16, strided<[1]>, "ub">, memref<{count}xf16, strided<[1], offset: ?>, "gm">
    ascend.end
  }}
  func.func @main() -> memref<20xf16, "gm"> {{
    %y = ascend.gm_alloc : memref<20xf16, "gm">
    ascend.launch @k(%y) : memref<20xf16, "gm">
    func.return %y : memref<20xf16, "gm">
  }}
}}
"""


def stored(step: int, count: int) -> np.ndarray:
    module = read_module(STORES.format(step=step, count=count)).module
    return Emulator(module, CHIPS[0]).run("main", {}).outputs[0]


def test_cores_may_share_a_block_but_no_byte():
    """The DMA of these chips writes single bytes."""
    assert (stored(step=10, count=10) == 1).all()
    with pytest.raises(HazardError) as error:
        stored(step=9, count=11)
    assert error.value.kind == "gm-write-conflict"


COLUMNS = """
builtin.module attributes {{ascend.target = "ascend910b1"}} {{
  ascend.kernel @k cores 3 : i64 attributes {{core = "aiv"}} {{
  ^bb0(%y: memref<{rows}x64xf16, "gm">):
    %e = arith.constant 0 : index
    %core = ascend.block_idx
    %step = arith.constant {step} : index
    %at = arith.muli %core, %step : index
    %a = ascend.buffer {{addresses = array<i64: 0>}} : memref<1024xf16, "ub">
    %all = ascend.view %a {{static_sizes = array<i64: 1024>, strides = array<i64: 1>}}
      : memref<1024xf16, "ub"> -> memref<1024xf16, strided<[1]>, "ub">
    ascend.vec "vdup"() -> %all scalar 1.0 : f32 : () -> memref<1024xf16, strided<[1]>, "ub">
    ascend.set_flag "V" -> "MTE3", %e
    ascend.wait_flag "V" -> "MTE3", %e
    %part = ascend.view %a {{static_sizes = array<i64: 8, {count}>, strides = array<i64: 32, 1>}}
      : memref<1024xf16, "ub"> -> memref<8x{count}xf16, strided<[32, 1]>, "ub">
    %out = ascend.view %y offset %at
      {{start = {start} : i64, static_sizes = array<i64: 8, {count}>, strides = array<i64: 64, 1>}}
      : memref<{rows}x64xf16, "gm"> -> memref<8x{count}xf16, strided<[64, 1], offset: ?>, "gm">
    ascend.copy %part, %out
      : memref<8x{count}xf16, strided<[32, 1]>, "ub">, memref<8x{count}xf16, strided<[64, 1], offset: ?>, "gm">
    ascend.end
  }}
  func.func @main() {{
    %y = ascend.gm_alloc : memref<{rows}x64xf16, "gm">
    ascend.launch @k(%y) : memref<{rows}x64xf16, "gm">
    func.return
  }}
}}
"""


@pytest.mark.parametrize("rows", [8, 16384], ids=["small", "large"])
@pytest.mark.parametrize("start", [0, 2, 3])
@pytest.mark.parametrize(
    ("step", "count", "shared"),
    [
        pytest.param(20, 20, False, id="a block"),
        pytest.param(20, 21, True, id="a column"),
        pytest.param(15, 16, True, id="a column of whole blocks"),
    ],
)
def test_cores_may_share_a_block_of_columns_but_no_byte(
    rows: int, start: int, step: int, count: int, shared: bool
):
    """...whatever the size of the tensor, whose rows are whole blocks."""
    module = read_module(COLUMNS.format(rows=rows, step=step, count=count, start=start)).module
    emulator = Emulator(module, CHIPS[0])
    if not shared:
        emulator.run("main")
        return
    with pytest.raises(HazardError) as error:
        emulator.run("main")
    assert error.value.kind == "gm-write-conflict"


def hazard_without(crossing: int, name: str) -> HazardError:
    program = compiled(PROGRAMS[name])
    module = program.module.clone()
    list(crossings(module))[crossing].detach()
    with pytest.raises(HazardError) as error:
        run(program, module)
    return error.value


@pytest.mark.full
def test_a_hazard_names_the_program_of_the_core_where_it_happens():
    """...of the instruction's, and the other one beside it, where the earlier instruction stands in that."""
    program = compiled(PROGRAMS["several tiles a core"])
    cubes = program.time().kernels[0].cores
    seen: set[tuple[str, ...]] = set()
    for index, op in [*enumerate(crossings(program.module))][:: 1 if ALL else 2]:
        error = hazard_without(index, "several tiles a core")
        assert error.core is not None
        head = str(error).splitlines()[0].split(":")[0]
        assert error.kernel == ("f_0_aic" if error.core < cubes else "f_0_aiv"), (index, op)
        others = {i.kernel for i in error.instructions} - {error.kernel}
        assert head == f"{error.kind} in @{error.kernel}, core {error.core}" + (
            f", with @{others.pop()}" if others else ""
        )
        if error.instructions:
            assert error.instructions[-1].kernel == error.kernel, (index, op, str(error))
        seen.add(tuple(i.kernel for i in error.instructions))
    assert {("f_0_aic",), ("f_0_aiv",), ("f_0_aiv", "f_0_aic")} <= seen


def test_a_hazard_of_a_vector_core_alone_names_its_program():
    program = compiled(PROGRAMS["several tiles a core"])
    module = program.module.clone()
    vector = next(op for op in module.walk() if isinstance(op, ascend.KernelOp) and op.core_kind == "aiv")
    flag = next(op for op in vector.walk() if isinstance(op, ascend.SetFlagOp))
    flag.detach()
    with pytest.raises(HazardError) as error:
        run(program, module)
    assert error.value.kernel == "f_0_aiv"
    assert "_aic" not in str(error.value).splitlines()[0]


def test_bytes_that_a_vector_core_should_have_written_name_its_program():
    program = compiled(PROGRAMS["a tile a core"])
    module = program.module.clone()
    vector = next(op for op in module.walk() if isinstance(op, ascend.KernelOp) and op.core_kind == "aiv")
    stores = [
        op for op in vector.walk() if isinstance(op, ascend.CopyOp) and space_of(op.destination) == "gm"
    ]
    for store in stores:
        block = store.parent
        assert block is not None
        block.detach_op(store)
    with pytest.raises(HazardError) as error:
        run(program, module)
    assert (error.value.kind, error.value.kernel) == ("unwritten", "f_0_aiv")

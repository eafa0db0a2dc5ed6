"""The unit flag: Cube and FixPipe hand over 512 B of L0C at a time, with no flag of the program between them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from ascend_programs import Index, Program
from xdsl.ir import Operation

from ascend_opt.dialects import ascend
from ascend_opt.dialects.target_types import PIPES
from ascend_opt.runtime.execution.core_state import TraceEvent
from ascend_opt.runtime.execution.emulator import Emulator, RunResult
from ascend_opt.runtime.support.hazard import HazardError

M = N = K = 64
TILES, STEPS = 3, 4


def tiles(unit: bool, stores: bool = True, to_l1: bool = False, without: int = -1) -> Program:
    """Rows of tiles, each the sum of `STEPS` products of one pair of blocks; stored to GM, or to L1 and not further.
    Product `without` of all has no unit flag.
    """
    p = Program(target="ascend910b1", core="aic")
    x = p.input("x", (M, K))
    y = p.output("y", (TILES * M, N))
    a1 = p.buffer("a1", "l1", (K // 16, M, 16), 0)
    a2 = p.buffer("a2", "l0a", (M // 16, K // 16, 16, 16), 0)
    b2 = p.buffer("b2", "l0b", (K // 16, N // 16, 16, 16), 0)
    acc = p.buffer("acc", "l0c", (N // 16, M, 16), 0, dtype="f32")
    kept = p.buffer("kept", "l1", (N // 16, M, 16), 65536)
    p.copy(x, a1, nd2nz=True)
    p.flag("MTE2", "MTE1")
    p.load3d(p.view(a1, (K // 16, M, 1, 16), (M * 16, 16, 16, 1)), a2)
    p.load2d(p.view(a1, (K // 16 * N // 16, 16, 16)), p.view(b2, (K // 16 * N // 16, 16, 16)))
    p.flag("MTE1", "M")
    for tile in range(TILES):
        for step in range(STEPS):
            last: Index | None = int(step == STEPS - 1)
            if not unit or tile * STEPS + step == without:
                last = None
            p.mmad(a2, b2, acc, M, N, K, init=int(step == 0), unit=last)
        if not unit:
            p.flag("M", "FIX")
        if stores:
            to = kept if to_l1 else p.view(y, (M, N), offset=tile * M * N)
            p.fixpipe(acc, to, unit_flag=unit)
            if to_l1:
                p.barrier("FIX")
        if not unit:
            p.flag("FIX", "M")
    return p


def run(p: Program) -> RunResult:
    return p.run(x=(np.arange(M * K).reshape(M, K) % 7 / 8).astype(np.float16))


def test_results_are_those_of_a_program_with_flags():
    flags, unit = run(tiles(False)), run(tiles(True))
    assert np.array_equal(flags.outputs[0], unit.outputs[0])
    assert np.any(flags.outputs[0])


def test_the_cube_goes_on_while_fixpipe_reads():
    """FixPipe works beside the products; its own time has the wait for them in it."""
    flags, unit = (p.emulator().time_only("main").kernels[0] for p in (tiles(False), tiles(True)))
    assert unit.time_us < flags.time_us
    assert unit.pipes["FIX"].active_us > 1.2 * flags.pipes["FIX"].active_us
    assert unit.pipes["M"].instructions == flags.pipes["M"].instructions


def test_a_product_ends_after_fixpipe_has_read_the_tile_before():
    """With a slow FixPipe the first product of every tile but the first takes as long as FixPipe."""
    p = tiles(True)
    slow = replace(p.target.path("l0c", "gm"), rate=1.0)
    chip = replace(p.target, paths={**p.target.paths, ("l0c", "gm"): slow})
    kernel = Emulator(p.module(), chip).time_only("main").kernels[0]
    cycles = kernel.pipes["M"].busy_us * chip.clock_mhz
    assert cycles > (TILES - 1) * M * N * 2
    assert kernel.time_us * chip.clock_mhz < (TILES + 0.5) * M * N * 2


def test_fixpipe_ends_after_the_last_product_of_its_tile():
    """With slow products FixPipe is under way, most of the time waiting, from the first to the last."""
    p = tiles(True)
    slow = {name: replace(one, cycles=100.0) for name, one in p.target.cube.fractal.items()}
    kernel = Emulator(p.module(), p.target.with_(cube={"fractal": slow})).time_only("main").kernels[0]
    assert kernel.pipes["FIX"].active_us > 0.95 * kernel.time_us


def test_fixpipe_to_l1_waits_as_well():
    flags, unit = (tiles(one, to_l1=True).emulator().time_only("main").kernels[0] for one in (False, True))
    assert unit.time_us < flags.time_us


def test_a_tile_that_nobody_reads():
    with pytest.raises(HazardError) as found:
        run(tiles(True, stores=False))
    assert found.value.kind == "deadlock"


@pytest.mark.parametrize("elsewhere, anew", [(True, True), (False, True), (False, False)])
def test_what_is_handed_over_may_not_be_again_before_fixpipe_has_read_it(elsewhere: bool, anew: bool):
    """A product that begins anew waits for FixPipe; a tile elsewhere in L0C has unit flags of its own."""
    p = Program(target="ascend910b1", core="aic")
    x, y = p.input("x", (256,)), p.output("y", (2, 16, 16))
    a, b = p.buffer("a", "l0a", (1, 1, 16, 16), 0), p.buffer("b", "l0b", (1, 1, 16, 16), 0)
    near = p.buffer("near", "l1", (1, 16, 16), 0)
    tiles = p.buffer("tiles", "l0c", (1, 16, 16), 0, 1024, dtype="f32")
    p.copy(x, p.view(near, (256,)))
    p.flag("MTE2", "MTE1")
    p.load2d(near, p.view(a, (1, 16, 16)))
    p.load2d(near, p.view(b, (1, 16, 16)))
    p.flag("MTE1", "M")
    for slot in range(2):
        p.mmad(
            a,
            b,
            p.view(tiles, (1, 16, 16), slot=slot * elsewhere),
            16,
            16,
            16,
            unit=1,
            init=int(anew or not slot),
        )
        p.barrier("M")
    for slot in range(2):
        to = p.view(y, (16, 16), offset=slot * 256)
        p.fixpipe(p.view(tiles, (1, 16, 16), slot=slot * elsewhere), to, unit_flag=True)
    if anew:
        assert np.array_equal(p.run(x=np.ones(256, np.float16)).outputs[0], np.full((2, 16, 16), 16))
        return
    with pytest.raises(HazardError, match="FixPipe has not read the tile before") as found:
        p.run(x=np.ones(256, np.float16))
    assert found.value.kind == "flag-set-twice"


@pytest.mark.parametrize("tiles", [1, 2])
@pytest.mark.parametrize("first, rows", [(16, 48), (8, 56), (0, 48)])
def test_flags_of_rows_that_fixpipe_does_not_read_stay_up(tiles: int, first: int, rows: int):
    """The next product waits for all of them; the last one's are up at the end."""
    with pytest.raises(HazardError) as found:
        run(partly_read(tiles, first, rows))
    assert found.value.kind == ("deadlock" if tiles > 1 else "flag-left-set")


@pytest.mark.parametrize("first, rows", [(0, 64), (7, 57), (0, 49)])
def test_a_block_that_fixpipe_reads_in_part_is_taken(first: int, rows: int):
    assert run(partly_read(2, first, rows)).outputs[0].any()


def partly_read(tiles: int, first: int, rows: int) -> Program:
    """Products of which FixPipe reads so many rows from row `first` on."""
    p = Program(target="ascend910b1", core="aic")
    x, y = p.input("x", (M, K)), p.output("y", (tiles * rows, N))
    a = p.buffer("a", "l0a", (M // 16, K // 16, 16, 16), 0)
    b = p.buffer("b", "l0b", (K // 16, N // 16, 16, 16), 0)
    near = p.buffer("near", "l1", (M * K // 256, 16, 16), 0)
    acc = p.buffer("acc", "l0c", (N // 16, M, 16), 0, dtype="f32")
    p.copy(p.view(x, (M * K,)), p.view(near, (M * K,)))
    p.flag("MTE2", "MTE1")
    p.load2d(near, p.view(a, (M * K // 256, 16, 16)))
    p.load2d(near, p.view(b, (M * K // 256, 16, 16)))
    p.flag("MTE1", "M")
    for tile in range(tiles):
        p.mmad(a, b, acc, M, N, K, unit=1)
        read = p.view(acc, (N // 16, rows, 16), (M * 16, 16, 1), offset=first * 16)
        p.fixpipe(read, p.view(y, (rows, N), offset=tile * rows * N), unit_flag=True)
    return p


def in_columns(widths: Sequence[int], blocked: bool, slow: bool = True) -> Program:
    """A product of a tile [4, M, 16], then products of so many of its columns of fractals each, all of which a slow
    FixPipe stores as they lie, or as rows."""
    p = Program(target="ascend910b1", core="aic")
    if slow:
        path = replace(p.target.path("l0c", "gm"), rate=1.0)
        p.target = replace(p.target, paths={**p.target.paths, ("l0c", "gm"): path})
    x, y = p.input("x", (M * K,)), p.output("y", (2, N // 16, M, 16) if blocked else (2, M, N))
    near = p.buffer("near", "l1", (M * K // 256, 16, 16), 0)
    a = p.buffer("a", "l0a", (M // 16, K // 16, 16, 16), 0)
    b = p.buffer("b", "l0b", (K // 16, N // 16, 16, 16), 0)
    acc = p.buffer("acc", "l0c", (N // 16, M, 16), 0, dtype="f32")
    p.copy(x, p.view(near, (M * K,)))
    p.flag("MTE2", "MTE1")
    p.load2d(near, p.view(a, (M * K // 256, 16, 16)))
    p.load2d(near, p.view(b, (M * K // 256, 16, 16)))
    p.flag("MTE1", "M")
    for tile, parts in enumerate(((N // 16,), widths)):
        first = 0
        for width in parts:
            right = p.view(b, (K // 16, width, 16, 16), (N * 16, 256, 16, 1), offset=first * 256)
            p.mmad(a, right, p.view(acc, (width, M, 16), offset=first * M * 16), M, width * 16, K, unit=1)
            first += width
        shape = (N // 16, M, 16) if blocked else (M, N)
        p.fixpipe(acc, p.view(y, shape, offset=tile * M * N), unit_flag=True)
    return p


def events(p: Program, pipe: str) -> list[TraceEvent]:
    (trace,) = p.run_with({"traced_cores": 1, "values": False}, {}).trace
    return [event for event in trace.events if event.pipe == PIPES.index(pipe)]


@pytest.mark.parametrize("blocked", [True, False], ids=["blocks", "rows"])
def test_products_of_columns_end_when_fixpipe_has_read_these(blocked: bool):
    """It reads columns one after the other; for rows it needs all columns until it is done."""
    p = in_columns((1, 2, 1), blocked)
    (whole, *products), (store, _) = (events(p, pipe) for pipe in ("M", "FIX"))
    began = whole.start + p.target.cube.latency
    shares = (1 / 4, 3 / 4, 1) if blocked else (1, 1, 1)
    ends = [began + share * (store.end - began) for share in shares]
    assert store.end - began > 100 * p.target.cube.latency
    # a product that waits no more takes its own time behind the one before
    assert [one.end for one in products] == pytest.approx(ends, rel=0.02)


@pytest.mark.parametrize("blocked", [True, False], ids=["blocks", "rows"])
def test_fixpipe_takes_a_tile_of_several_products(blocked: bool):
    """And waits for all of them."""
    p = in_columns((1, 2, 1), blocked, slow=False)
    (_, *products), (_, store) = (events(p, pipe) for pipe in ("M", "FIX"))
    assert store.end >= products[-1].complete
    x = np.arange(M * K) % 7 / 8
    first, second = p.run(x=x.astype(np.float16)).outputs[0]
    assert first.any() and np.array_equal(first, second)


def test_fixpipe_does_not_take_columns_that_nobody_computes():
    p = in_columns((1, 2), True)
    with pytest.raises(HazardError) as found:
        p.run(x=np.ones(M * K, np.float16))
    assert found.value.kind == "deadlock"


def test_what_fixpipe_brings_is_not_there_without_a_flag():
    """The unit flags order products and FixPipe, not those that read what it writes."""
    p = Program(target="ascend910b1", core="aic")
    x, near = p.input("x", (256,)), p.buffer("near", "l1", (1, 16, 16), 0)
    a, b = p.buffer("a", "l0a", (1, 1, 16, 16), 0), p.buffer("b", "l0b", (1, 1, 16, 16), 0)
    acc = p.buffer("acc", "l0c", (2, 16, 16), 0, dtype="f32")
    kept, again = p.buffer("kept", "l1", (2, 16, 16), 1024), p.buffer("again", "l0a", (2, 16, 16), 1024)
    p.copy(x, p.view(near, (256,)))
    p.flag("MTE2", "MTE1")
    for to in (a, b):
        p.load2d(near, p.view(to, (1, 16, 16)))
    p.flag("MTE1", "M")
    for column in range(2):
        p.mmad(a, b, p.view(acc, (1, 16, 16), offset=column * 256), 16, 16, 16, unit=1)
    p.fixpipe(acc, kept, unit_flag=True)
    p.load2d(kept, again)
    with pytest.raises(HazardError, match="FIX writes and MTE1 reads the same bytes") as found:
        p.run(x=np.ones(256, np.float16))
    assert found.value.kind == "race"


def test_fixpipe_begins_with_the_last_product_of_its_tile():
    """As soon as that has given its first results."""
    p = tiles(True, to_l1=True)
    slow = {name: replace(one, cycles=100.0) for name, one in p.target.cube.fractal.items()}
    p.target = p.target.with_(cube={"fractal": slow})
    last, store = events(p, "M")[STEPS - 1], events(p, "FIX")[0]
    assert store.start == last.start + p.target.cube.latency
    assert store.end >= last.end


def test_a_product_begins_behind_fixpipe_that_begins_late():
    """It has another tile to read before."""
    p = Program(target="ascend910b1", core="aic")
    y = p.output("y", (2, 16, 16))
    a, b = p.buffer("a", "l0a", (1, 1, 16, 16), 0), p.buffer("b", "l0b", (1, 1, 16, 16), 0)
    tiles = p.buffer("tiles", "l0c", (1, 16, 16), 0, 1024, dtype="f32")
    for slot in range(2):
        p.mmad(a, b, p.view(tiles, (1, 16, 16), slot=slot), 16, 16, 16, unit=1)
    for slot in range(2):
        p.fixpipe(
            p.view(tiles, (1, 16, 16), slot=slot), p.view(y, (16, 16), offset=slot * 256), unit_flag=True
        )
    p.mmad(a, b, p.view(tiles, (1, 16, 16), slot=1), 16, 16, 16, unit=1)
    first, second = events(p, "FIX")
    assert events(p, "M")[-1].start >= first.end > events(p, "M")[1].complete
    assert second.start >= first.end


def test_fixpipe_without_a_product_waits_for_ever():
    p = Program(target="ascend910b1", core="aic")
    y = p.output("y", (M, N))
    acc = p.buffer("acc", "l0c", (N // 16, M, 16), 0, dtype="f32")
    p.fixpipe(acc, y, unit_flag=True)
    with pytest.raises(HazardError, match="M -> FIX, unit flag") as found:
        p.run()
    assert found.value.kind == "deadlock"


def test_a_product_without_the_unit_flag_does_not_wait():
    """Of two products on one tile the second starts anew; without the unit flag nothing holds it back."""
    with pytest.raises(HazardError) as found:
        run(tiles(True, without=STEPS))
    assert found.value.kind == "in-pipe"


@pytest.mark.parametrize("beside", [False, True])
def test_loads_of_l0_take_longer_beside_the_cube(beside: bool):
    p = Program(target="ascend910b1", core="aic")
    l1 = p.buffer("l1", "l1", (64, 16, 16), 0)
    b = p.buffer("b", "l0b", (4, 16, 16, 16), 0, 32768)
    a = p.buffer("a", "l0a", (8, 4, 16, 16), 0)
    acc = p.buffer("acc", "l0c", (16, 128, 16), 0, dtype="f32")
    if beside:
        p.mmad(a, p.view(b, (4, 16, 16, 16), slot=0), acc, 128, 256, 64)
    p.load2d(l1, p.view(b, (64, 16, 16), slot=1))
    chip = p.target
    cycles = p.emulator().time_only("main").kernels[0].pipes["MTE1"].busy_us * chip.clock_mhz
    longer = 1 + chip.cube.contention if beside else 1
    assert cycles == pytest.approx(32768 / chip.path("l1", "l0b").rate * longer)
    (trace,) = p.run_with({"traced_cores": 1, "values": False}, {}).trace
    assert trace.events[-1].end - trace.events[-1].start == pytest.approx(cycles)


@pytest.mark.parametrize("op", [ascend.MmadOp, ascend.FixpipeOp])
def test_a_chip_without_it(op: type[Operation]):
    p = Program(target="ascend910b1", core="aic")
    y = p.output("y", (16, 16))
    acc = p.buffer("acc", "l0c", (1, 16, 16), 0, dtype="f32")
    if op is ascend.MmadOp:
        a, b = (p.buffer(space, space, (1, 1, 16, 16), 0) for space in ("l0a", "l0b"))
        p.mmad(a, b, acc, 16, 16, 16, unit=1)
    else:
        p.fixpipe(acc, y, unit_flag=True)
    with pytest.raises(HazardError, match="has no unit flag") as found:
        Emulator(p.module(), p.target.with_(cube={"unit_flag": False})).time_only("main")
    assert found.value.kind == "no-path"

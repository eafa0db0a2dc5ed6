"""Passes whose work several processes share: the same program, whatever becomes of the others."""

import os
import signal
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from xdsl.ir import Operation

import ascend_opt
from ascend_opt.compiler.pipeline import tune
from ascend_opt.compiler.text.diagnostics import Diagnostic
from ascend_opt.compiler.text.mlir_printer import QuickPrinter
from ascend_opt.compiler.workers.session import Session
from ascend_opt.dialects.ascend import KernelOp
from ascend_opt.passes import (
    ascend_insert_sync,
    ascend_multi_buffer,
    ascend_plan_memory,
    tile_pipeline,
    tile_to_ascend,
)
from ascend_opt.passes.fusion.alike import Alike
from ascend_opt.passes.fusion.cost_model import CostModel
from ascend_opt.passes.fusion.group_cost import Slower
from ascend_opt.passes.launches import share_cores
from ascend_opt.passes.regions.signature import signature_text
from ascend_opt.passes.support.peers import PATIENCE, Claim, share, share_out
from ascend_opt.passes.sync import launch_order, told
from ascend_opt.runtime.hazards.sync_check import Together
from ascend_opt.runtime.support.hazard import HazardError
from ascend_opt.tools.ascend_opt import main as opt

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")

GRAPH = """
graph @net(%x: tensor<1x32x14x14xf16>, %w1: tensor<64x32x3x3xf16>, %b1: tensor<64xf16>,
           %w2: tensor<64x64x1x1xf16>, %w3: tensor<64x64x3x3xf16>, %b3: tensor<64xf16>) {
  %1 = conv2d(%x, %w1) {pads = [1, 1, 1, 1]}
  %2 = bias_add(%1, %b1)
  %3 = relu(%2)
  %4 = conv2d(%3, %w2)
  %5 = relu(%4)
  %6 = conv2d(%5, %w3) {pads = [1, 1, 1, 1]}
  %7 = bias_add(%6, %b3)
  %8 = add(%7, %3)
  %9 = relu(%8)
  return %9
}
"""
SMALL = """
graph @small(%x: tensor<64x96xf16>, %w: tensor<96x64xf16>, %v: tensor<64x80xf16>) {
  %1 = matmul(%x, %w)
  %2 = exp(%1)
  %3 = matmul(%2, %v)
  %4 = tanh(%3)
  return %4
}
"""


BLOCKS = """
graph @blocks(%x: tensor<1x64x28x28xf16>, %u: tensor<256x512xf16>, %f: tensor<512x256xf16> {weight},
              %g: tensor<256x384xf16> {weight}, %a: tensor<64x64x3x3xf16> {weight}, %b: tensor<96x64x1x1xf16> {weight},
              %c: tensor<64x64x1x1xf16> {weight}, %d: tensor<32x160x1x1xf16> {weight},
              %e: tensor<48x160x3x3xf16> {weight}) {
  %1 = tanh(%x)
  %2 = conv2d(%1, %a) {pads = [1, 1, 1, 1]}
  %3 = relu(%2)
  %4 = conv2d(%3, %b)
  %5 = conv2d(%3, %c)
  %6 = concat(%4, %5) {axis = 1}
  %7 = sigmoid(%6)
  %8 = conv2d(%7, %d)
  %9 = conv2d(%7, %e) {pads = [1, 1, 1, 1]}
  %10 = tanh(%u)
  %11 = matmul(%10, %f)
  %12 = tanh(%11)
  %13 = matmul(%12, %g)
  return %8, %9, %13, %11
}
"""


@pytest.fixture(scope="module")
def serial() -> str:
    return str(ascend_opt.compile(GRAPH, "ascend910b").module)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("jobs", [2, 3])
def test_the_program_is_that_of_one_process(jobs: int, serial: str, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[object] = []
    told = Alike.told

    def heard(self: Alike, signature: tuple[object, ...]) -> object:
        found = told(self, signature)
        taken.extend([] if found is None else [found])
        return found

    monkeypatch.setattr(Alike, "told", heard)
    assert str(ascend_opt.compile(GRAPH, "ascend910b", jobs=jobs).module) == serial
    assert taken, "no cost came from another process"


def test_the_order_of_kernels_is_checked_by_all(serial: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each by one of the processes, and where that one finds fault, by the first, which says so."""
    own, check, here, wrong = os.getpid(), launch_order.check_sync, list[str](), list[str]()

    def slowly(together: Together, *arguments: object) -> None:
        name = together.kernels[0].sym_name.data
        if os.getpid() == own:
            here.append(name)
            time.sleep(0.2)  # the other one has the rest by then
        if name in wrong:
            raise HazardError("deadlock", "on purpose")
        check(together, *arguments)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(launch_order, "check_sync", slowly)
    assert str(ascend_opt.compile(GRAPH, "ascend910", jobs=1).module)
    names = list(here)
    here.clear()
    assert str(ascend_opt.compile(GRAPH, "ascend910", jobs=2).module)
    assert here and set(here) < set(names)
    wrong.append(next(name for name in names if name not in here))
    with pytest.raises(ascend_opt.CompileError, match="not in order: deadlock in program: on purpose"):
        ascend_opt.compile(GRAPH, "ascend910", jobs=2)


def test_peers_that_are_killed_cost_nothing_else(serial: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own, price, first = os.getpid(), CostModel._price, list[int]()  # pyright: ignore[reportPrivateUsage]

    def killed(self: CostModel, *arguments: object) -> object:
        if os.getpid() != own:
            if first:
                os.kill(os.getpid(), signal.SIGKILL)
            first.append(0)
        return price(self, *arguments)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(CostModel, "_price", killed)
    assert str(ascend_opt.compile(GRAPH, "ascend910b", jobs=2).module) == serial


def test_errors_of_peers_are_theirs(serial: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own, price = os.getpid(), CostModel._price  # pyright: ignore[reportPrivateUsage]

    def wrong(self: CostModel, *arguments: object) -> object:
        assert os.getpid() == own
        return price(self, *arguments)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(CostModel, "_price", wrong)
    assert str(ascend_opt.compile(GRAPH, "ascend910b", jobs=2).module) == serial


class _Busy:
    """A peer that looks for a cost, and tells it when it is heard for the second time."""

    number, count = 0, 2

    def __init__(self, key: object, cost: object):
        self.messages: list[list[tuple[object, object]]] = [[(key, None)], [], [(key, cost)]]

    def tell(self, found: object) -> None:
        pytest.fail(f"{found} is looked for here, too")

    def heard(self) -> list[tuple[object, object]]:
        return self.messages.pop(0) if self.messages else []

    def claims(self, count: int) -> Claim:
        return lambda number: True

    def lost(self) -> bool:
        return False


def test_what_a_peer_is_at_is_waited_for_when_it_is_needed() -> None:
    alike, cost = Alike(), (Slower(3.0), ())
    alike.peers = _Busy(signature_text(()), cost)
    done = list[str]()

    def asks() -> None:
        alike.told(())
        done.append("has waited")

    alike.look_ahead([asks, lambda: done.append("goes on")])
    assert done == ["goes on"]
    assert alike.told(()) == cost


CHAIN = """
graph @dense(%x: tensor<1x64x14x14xf16>, %s: tensor<1x64x1x1xf16>, %o: tensor<1x64x1x1xf16>,
             %w: tensor<64x64x1x1xf16>, %b: tensor<64xf16>, %v: tensor<32x64x3x3xf16>) {
  %1 = mul(%x, %s)
  %2 = add(%1, %o)
  %3 = relu(%2)
  %4 = conv2d(%3, %w)
  %5 = bias_add(%4, %b)
  %6 = relu(%5)
  %7 = conv2d(%6, %v) {pads = [1, 1, 1, 1]}
  return %7
}
"""


RESIDUAL = """
graph @block(%x: tensor<1x96x56x56xf16>, %h: tensor<1x64x56x56xf16>, %w: tensor<256x64x1x1xf16>,
             %b: tensor<256xf16>, %v: tensor<256x96x1x1xf16>, %c: tensor<256xf16>) {
  %1 = conv2d(%h, %w)
  %2 = bias_add(%1, %b)
  %3 = conv2d(%x, %v)
  %4 = bias_add(%3, %c)
  %5 = add(%2, %4)
  %6 = relu(%5)
  return %6
}
"""


@pytest.mark.parametrize("text", [CHAIN, RESIDUAL, GRAPH, SMALL], ids=["chain", "residual", "net", "small"])
def test_what_peers_price_one_process_would(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They look at chains as the greedy grouping takes them, and at groups as the search places them."""
    log, price = tmp_path / "log", CostModel._price  # pyright: ignore[reportPrivateUsage]

    def noted(self: CostModel, ops: tuple[Operation, ...], most: float) -> object:
        with log.open("a") as file:
            file.write("+".join(f"{op.name}{op.operand_types}" for op in ops) + "\n")
        return price(self, ops, most)

    monkeypatch.setattr(CostModel, "_price", noted)
    priced: list[set[str]] = []
    for jobs in (1, 2):
        log.write_text("")
        ascend_opt.compile(text, "ascend910b", jobs=jobs, reports=False)
        priced.append(set(log.read_text().splitlines()))
    assert priced[0] and priced[1] <= priced[0]


def test_work_that_takes_long_is_not_done_twice(tmp_path: Path) -> None:
    """Longer than the patience with one that may be gone."""
    log = tmp_path / "log"

    def find(number: int) -> int:
        with log.open("a") as file:
            file.write(f"{number}\n")
        time.sleep(2.5 * PATIENCE if number else 0.5)
        return number * 10

    with Session(2, lambda error: Diagnostic(str(error))) as session, session.peers() as others:
        assert others is not None
        assert share_out(2, others, find) == {0: 0, 1: 10}
    assert sorted(log.read_text().split()) == ["0", "1"]


def test_jobs_are_one_or_more() -> None:
    with pytest.raises(ValueError, match="jobs is 1 or more, not 0"):
        ascend_opt.compile(GRAPH, jobs=0)


SHARED = {
    "room ahead": (tile_pipeline, "has_room_ahead"),
    "lowering": (tile_to_ascend, "lower_kernel"),
    "slots": (ascend_multi_buffer, "slot_problem"),
    "addresses": (ascend_plan_memory, "plan_kernel"),
    "flags": (ascend_insert_sync, "decide"),
    "order": (launch_order, "check_sync"),
    "cores": (share_cores._Sharing, "shared"),  # pyright: ignore[reportPrivateUsage]
    "text": (QuickPrinter, "text_inside"),
}


LONG = 10.0  # seconds in which another process comes to its first piece of work


def others_did(own: int, log: Path) -> bool:
    return any(process != str(own) for process in log.read_text().split())


@pytest.mark.parametrize("work", [*SHARED, "no room ahead"])
def test_work_is_shared(work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first process waits for the other one to do something; the program is that of one process."""
    own, (place, name), log = os.getpid(), SHARED[work.removeprefix("no ")], tmp_path / "log"
    does: Callable[..., object] = getattr(place, name) if work in SHARED else lambda *_: False

    def slowly(*arguments: object, **named: object) -> object:
        with log.open("a") as file:
            file.write(f"{os.getpid()}\n")
        end = time.monotonic() + LONG
        while jobs > 1 and os.getpid() == own and not others_did(own, log) and time.monotonic() < end:
            time.sleep(0.01)
        return does(*arguments, **named)

    monkeypatch.setattr(place, name, slowly)
    programs: list[str] = []
    for jobs in (1, 2):
        log.write_text("")
        source, path = tmp_path / "blocks.mlir", tmp_path / f"{jobs}.mlir"
        source.write_text(BLOCKS)
        assert opt([str(source), "--fuse", "--lower", "--jobs", str(jobs), "-o", str(path)]) == 0
        programs.append(path.read_text())
        assert others_did(own, log) == (jobs > 1)
    assert programs[0] == programs[1]


def test_what_a_process_has_begun_others_leave_to_it(tmp_path: Path) -> None:
    """Two may begin one at once."""
    log, pieces = tmp_path / "log", range(40)
    with Session(2, lambda error: Diagnostic(str(error))) as session:
        for first in (0, 100):
            with session.peers() as others:
                assert others is not None
                claim = others.claims(len(pieces))
                for piece in share(pieces, others.number, others.count):
                    if claim(piece):
                        with log.open("a") as file:
                            file.write(f"{first + piece} {others.number}\n")
                        time.sleep(0.005)
                share_out(2, others, lambda number: number)  # both are there
    begun = [tuple(map(int, line.split())) for line in log.read_text().splitlines()]
    assert {number for number, _ in begun} == {*pieces, *(100 + piece for piece in pieces)}
    assert len(begun) <= 2 * (len(pieces) + 1)
    assert {process for _, process in begun} == {0, 1}


@pytest.mark.parametrize("count", range(1, 6))
@pytest.mark.parametrize("items", [0, 1, 2, 7, 20])
def test_each_peer_comes_upon_all_items(items: int, count: int) -> None:
    orders: Iterable[list[int]] = (list(share(range(items), number, count)) for number in range(count))
    assert all(sorted(order) == list(range(items)) for order in orders)


def test_two_peers_come_from_both_ends() -> None:
    assert list(share("abcd", 0, 2)) == list("abcd")
    assert list(share("abcd", 1, 2)) == list("dcba")


def test_four_peers_meet_in_two_pairs() -> None:
    assert ["".join(share("abcdefgh", number, 4)) for number in range(4)] == [
        "abcdefgh",
        "dcbahgfe",
        "efghabcd",
        "hgfedcba",
    ]


def test_looks_leave_the_types_of_tensors() -> None:
    """Where others were looked at, this network has other layouts."""
    text = (Path(__file__).parents[2] / "examples/networks/yolov5_blocks.mlir").read_text()
    programs = [ascend_opt.compile(text, "ascend910b", jobs=jobs, reports=False) for jobs in (1, 2)]
    assert str(programs[0].module) == str(programs[1].module)


@pytest.mark.parametrize("text", [SMALL, pytest.param(GRAPH, marks=pytest.mark.full)], ids=["small", "net"])
def test_tilings_are_timed_by_several_processes(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    measured, own = list[int](), os.getpid()
    measure = tune.measure_sizes

    def noted(*arguments: object) -> object:
        measured.append(os.getpid())
        return measure(*arguments)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(tune, "measure_sizes", noted)
    serial = str(ascend_opt.compile(text, "ascend910b", fuse=False, tune=2).module)
    alone = len(measured)
    measured.clear()
    assert str(ascend_opt.compile(text, "ascend910b", fuse=False, tune=2, jobs=2).module) == serial
    assert 0 < len(measured) < alone and set(measured) == {own}


def test_flags_are_planned_by_several_processes(serial: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[object] = []
    unpacked = told.unpacked

    def noted(kernel: KernelOp, data: bytes) -> object:
        found.append(kernel)
        return unpacked(kernel, data)

    monkeypatch.setattr(told, "unpacked", noted)
    monkeypatch.setattr(ascend_insert_sync, "synchronise", None)
    assert str(ascend_opt.compile(GRAPH, "ascend910b", jobs=2).module) == serial
    assert found

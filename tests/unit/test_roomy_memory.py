"""Where L2 holds all tensors of a program, the emulator need not know when a line was touched last: times are the same
ones. Where it does not, the line that was touched least lately goes."""

from random import Random

import pytest

import ascend_opt
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.machine.memory_system import MemorySystem, Pattern
from ascend_opt.runtime.machine.request_memory import memory_of

ATTENTION = """
graph @f(%q: tensor<2x128x64xf16>, %k: tensor<2x128x64xf16>, %v: tensor<2x128x64xf16>) {
  %a = attention(%q, %k, %v)
  %y = gelu(%a)
  return %y
}"""
CHIPS = ("ascend910", "ascend910b1", "ascend950")
SIZE = 32_768
"""Bytes of each tensor."""


def served(target: Target, roomy: bool, seed: int) -> list[object]:
    """When requests to three tensors are done, many of which are under way at once, and what they move."""
    system, rng = memory_of(target), Random(seed)
    system.roomy = roomy
    tensors = [system.tensor(SIZE) for _ in range(3)]
    found: list[object] = []
    now = 0.0
    for _ in range(60):
        now += rng.choice((0.0, 20.0, 500.0))
        bursts = rng.choice((1, 1, 4))
        burst = 32 * rng.randint(1, SIZE // 32 // bursts // 2)
        stride = rng.choice((burst, SIZE // bursts))
        offset = 32 * rng.randint(0, (SIZE - (bursts - 1) * stride - burst) // 32)
        lines, pattern = rng.choice(tensors), Pattern(bursts, burst, stride)
        if rng.random() < 0.3:
            found.append(system.write(lines, pattern, offset, now, target.path("ub", "gm")))
        else:
            found.append(system.read(lines, pattern, offset, now, target.path("gm", "ub")))
    return [*found, system.traffic]


@pytest.mark.parametrize("chip", CHIPS)
def test_requests_take_what_they_take(chip: str):
    """L2 is as large as what they bring in at most: each line is once read, once written."""
    target = load_target(chip)
    target = target.with_(memory={"l2_bytes": 3 * (SIZE + 2 * target.memory.l2_line)})
    for seed in range(40):
        assert served(target, True, seed) == served(target, False, seed)


@pytest.mark.parametrize("chip", CHIPS)
def test_programs_take_what_they_take(chip: str, monkeypatch: pytest.MonkeyPatch):
    program = ascend_opt.compile(ATTENTION, target=chip, tune=1)
    noticed: list[bool] = []

    def notice(_: MemorySystem, roomy: bool) -> None:
        noticed.append(roomy)

    known = Emulator(program.module, program.target).time_only(program.name)
    monkeypatch.setattr(MemorySystem, "roomy", property(lambda _: False, notice))
    assert Emulator(program.module, program.target).time_only(program.name) == known
    assert noticed[-1]


STATIC, OPEN = f'memref<{SIZE // 2}xf16, "gm">', 'memref<?xf16, "gm">'
SIZES = '%zero = arith.constant 0 : index\n%n = memref.dim %p, %zero : memref<?xf16, "gm">\n'


def arguments(names: str, kind: str) -> str:
    return ", ".join(f'%{n}: {kind} {{ascend.name = "{n}"}}' for n in names)


def made(*how: str) -> str:
    return "\n".join(f"%{name} = ascend.gm_alloc {one}" for name, one in zip("abc", how, strict=True))


TENSORS = {
    "arguments": (STATIC, arguments("abc", STATIC), ""),
    "results": (STATIC, "", made(*[f": {STATIC}"] * 3)),
    "workspace": (
        STATIC,
        "",
        made(*(f"{{offset = {at} : i64}} : {STATIC}" for at in (0, 2 * SIZE, 4 * SIZE))),
    ),
    "arguments of a size known at run time": (OPEN, arguments("abc", OPEN), ""),
    "results of a size known at run time": (
        OPEN,
        arguments("p", OPEN),
        SIZES + made(*[f"size %n : {OPEN}"] * 3),
    ),
}
"""Their type, what a function takes, and what it makes."""


def loading(kind: str, taken: str, made: str, count: int = SIZE // 2) -> str:
    """A function that loads `count` elements of three tensors one after the other: %a, %b, %a, %c, %a."""
    whole = f"{{static_sizes = array<i64: {count}>, strides = array<i64: 1>}}"
    there, here = (f'memref<{count}xf16, strided<[1]>, "{space}">' for space in ("gm", "ub"))
    launches = "\n".join(f"ascend.launch @k(%{name}) : {kind}" for name in "abaca")
    return f"""builtin.module {{
  ascend.kernel @k cores 1 : i64 {{
  ^bb0(%x: {kind}):
    %u = ascend.buffer {{label = "u", addresses = array<i64: 0>}} : memref<{count}xf16, "ub">
    %from = ascend.view %x {whole} : {kind} -> {there}
    %to = ascend.view %u {whole} : memref<{count}xf16, "ub"> -> {here}
    ascend.copy %from, %to : {there}, {here}
    ascend.end
  }}
  func.func @f({taken}) {{
    {made}
    {launches}
    func.return
  }}
}}"""


@pytest.mark.parametrize("kind", TENSORS)
def test_what_was_touched_least_lately_goes(kind: str):
    """L2 holds two tensors: %c takes the place of %b, as %a was loaded after that."""
    program = ascend_opt.compile(loading(*TENSORS[kind]), target="ascend910")
    size = SIZE // 2 if "run time" in kind else None
    emulator = Emulator(program.module, program.target.with_(memory={"l2_bytes": 2 * SIZE}))
    read = [kernel.hbm_read_bytes for kernel in emulator.time_only("f", size=size).kernels]
    assert read == [SIZE, SIZE, 0, SIZE, 0]


def test_a_line_is_held_for_a_few_bytes():
    """Tensors do not share lines: two lines hold two tensors, however small."""
    small = 'memref<32xf16, "gm">'
    text = loading(small, arguments("abc", small), "", 32)
    text = text.replace("cores 1 : i64", 'cores 1 : i64 attributes {core = "aiv"}')
    program = ascend_opt.compile(text, target="ascend910b1")
    line = program.target.memory.l2_line
    emulator = Emulator(program.module, program.target.with_(memory={"l2_bytes": 2 * line}))
    hits = [kernel.l2_hit_rate for kernel in emulator.time_only("f").kernels]
    assert hits == [0, 0, 1, 0, 1]

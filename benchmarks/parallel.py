"""Two processes against one: a network compiled, and its tilings timed on the emulator's clock. The programs are the
same, byte by byte.

`python benchmarks/parallel.py` prints the same table. Wall time needs two cores that nobody else uses; the CPU time of
the process that takes longest hardly does.
"""

import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from measure import Row
from xdsl.dialects.builtin import ModuleOp

import ascend_opt

TURNS = 3
STAGES = ((3, 64), (4, 128), (6, 256), (3, 512))
"""Blocks, and channels within them, of ResNet-50."""


class _Text:
    """A graph as text, op by op."""

    def __init__(self) -> None:
        self.arguments = ["%x: tensor<1x3x224x224xf16>"]
        self.lines: list[str] = []

    def op(self, text: str) -> str:
        self.lines.append(f"  %{len(self.lines)} = {text}")
        return f"%{len(self.lines) - 1}"

    def weight(self, shape: str) -> str:
        self.arguments.append(f"%w{len(self.arguments)}: tensor<{shape}xf16> {{weight}}")
        return f"%w{len(self.arguments) - 1}"

    def convolution(self, x: str, channels: int, filters: int, kernel: int, stride: int = 1) -> str:
        weight, bias = self.weight(f"{filters}x{channels}x{kernel}x{kernel}"), self.weight(f"{filters}")
        pad = kernel // 2
        how = f"{{pads = [{pad}, {pad}, {pad}, {pad}], strides = [{stride}, {stride}]}}"
        return self.op(f"bias_add({self.op(f'conv2d({x}, {weight}) {how}')}, {bias})")


def residual_network(stages: Sequence[tuple[int, int]] = STAGES) -> str:
    """ResNet-50 up to its last pool, with batch norms folded; of its stages those that are given."""
    text = _Text()
    x = text.op(f"relu({text.convolution('%x', 3, 64, 7, 2)})")
    x = text.op(f"max_pool2d({x}) {{kernel = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]}}")
    channels = 64
    for number, (blocks, inner) in enumerate(stages):
        for block in range(blocks):
            stride = 2 if number and not block else 1
            y = text.op(f"relu({text.convolution(x, channels, inner, 1)})")
            y = text.op(f"relu({text.convolution(y, inner, inner, 3, stride)})")
            y = text.convolution(y, inner, 4 * inner, 1)
            beside = x if block else text.convolution(x, channels, 4 * inner, 1, stride)
            x, channels = text.op(f"relu({text.op(f'add({y}, {beside})')})"), 4 * inner
    body = "\n".join(text.lines)
    return f"graph @residual({', '.join(text.arguments)}) {{\n{body}\n  return {x}\n}}\n"


def _turn(compiled: Callable[[int], ModuleOp], jobs: int) -> tuple[float, float, str]:
    """Wall seconds, CPU seconds of the process that takes longest, the program as text, which is nobody's."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    wall, own = time.perf_counter(), time.process_time()
    program = compiled(jobs)
    wall, own = time.perf_counter() - wall, time.process_time() - own
    others = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return wall, max(own, others), str(program)


def _rows(name: str, compiled: Callable[[int], ModuleOp], bar: float) -> Iterator[Row]:
    one, two = [list[tuple[float, float]]() for _ in range(2)]
    for _ in range(TURNS):
        alone, shared = _turn(compiled, 1), _turn(compiled, 2)
        assert alone[2] == shared[2], f"{name}: two processes give another program than one"
        one.append(alone[:2])
        two.append(shared[:2])
    for index, kind in enumerate(("wall", "CPU")):
        serial, parallel = (min(turn[index] for turn in turns) for turns in (one, two))
        yield Row(
            f"{name}, {kind}", parallel, serial, "s", "one process", serial / parallel, bar, at_least=True
        )


def rows() -> Iterator[Row]:
    def compiled(jobs: int) -> ModuleOp:
        return ascend_opt.compile(residual_network(), "ascend910b", jobs=jobs).module

    def tuned(jobs: int) -> ModuleOp:
        return ascend_opt.compile(residual_network(STAGES[:1]), "ascend910b", tune=3, jobs=jobs).module

    ascend_opt.compile(residual_network(STAGES[:1]), "ascend910b")  # imports are nobody's
    yield from _rows("compile ResNet-50", compiled, 1.5)
    yield from _rows("time tilings", tuned, 1.7)


if __name__ == "__main__":
    from run import main

    sys.exit(main(["parallel"]))

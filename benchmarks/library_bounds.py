"""No published time is below the bound of its work: kernels of the vendor's library and of its examples.

    python benchmarks/library_bounds.py

Each is a graph, whatever programs computed it; its bound is that of the graph's ops, cold where L2 was cleared before
it or the launch is a process's first one, warm otherwise. Sources: cann-bench (metadata of its kernels), Ascend C's
examples and tests. Exit code 1 where a time is below its bound.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests" / "helpers"))

from fidelity.library import SMALL, TIMES
from measure import matmul_graph

import ascend_opt
from ascend_opt.compiler.pipeline.read_module import choose_function
from ascend_opt.compiler.text.graph_text import parse_graph_text
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.fusion.graph_work import Bound, GraphWork, graph_work


@dataclass(frozen=True)
class Published:
    """A published time in µs of the work of a graph on a chip; `warm`: of launches after others."""

    name: str
    chip: str
    text: str
    us: float
    warm: bool

    @property
    def work(self) -> GraphWork:
        module = parse_graph_text(self.text)
        return graph_work(choose_function(module, None), load_target(self.chip))

    @property
    def bound(self) -> Bound:
        work = self.work
        return work.bound(load_target(self.chip), sum(work.read.values()) if self.warm else 0)

    @property
    def before(self) -> float:
        """Microseconds where every tensor crosses HBM once, results too, as bounds once had it."""
        target, work = load_target(self.chip), self.work
        at_hbm = (sum(work.read.values()) + work.written) / target.memory.hbm_chip
        return target.microseconds(max(at_hbm, work.cube / target.cores))


ONE = "graph @f(%x: tensor<8192x8192x{kind}>) {{\n  %y = {op}\n  return %y\n}}"
ADD = "graph @f(%x: {0}, %y: {0}) {{\n  %z = add(%x, %y)\n  return %z\n}}".format("tensor<8192x8192xf16>")
GELU, TRANSPOSE = (ONE.format(kind="f32", op=op) for op in ("gelu(%x)", "transpose(%x) {perm = [1, 0]}"))
NORM = """graph @f(%x: tensor<4096x8192xf16>, %g: tensor<8192xf16> {weight}) {
  %n = rms_norm(%x, %g)
  %y = quantize(%n) {scale = 0.05}
  return %y
}"""
OTHERS = (
    ("rms_norm and quantize 4096x8192", "ascend950", NORM, 49.0, True),
    ("add 8192x8192 f16", "ascend910b1", ADD, 184.52, False),
    ("gelu 8192x8192 f32", "ascend910b1", GELU, 369.8, False),
    ("gelu 8192x8192 f32", "ascend950", GELU, 348.9, False),
    ("matmul 8192x8192x8192", "ascend910b1", matmul_graph(8192, 8192, 8192), 4012.44, False),
    ("matmul 8192x8192x8192", "ascend950", matmul_graph(8192, 8192, 8192), 2558.2, False),
    ("matmul 128x30720x64", "ascend910b1", matmul_graph(128, 30720, 64), 7.87, True),
    ("transpose 8192x8192 f32", "ascend910b2", TRANSPOSE, 555.0, False),
)
"""Name, chip, graph, µs, and whether launches came before: of kernels of the library and of the fastest examples."""


def published() -> Iterator[Published]:
    """All of them."""
    for (m, n, k), us in TIMES.items():
        yield Published(f"matmul {m}x{n}x{k}", "ascend910b2", matmul_graph(m, n, k), us, False)
    for name, text, us, _ in SMALL:
        yield Published(name, "ascend910b2", text, us, False)
    for one in OTHERS:
        yield Published(*one)


def table() -> Iterator[str]:
    """The times beside their bounds, as a table of Markdown."""
    yield "| work | chip | published, µs | | bound, cold | bound, warm | times its bound | bound before, times it |"
    yield "|---|---|---|---|---|---|---|---|"
    for one in published():
        bounds = [replace(one, warm=warm).bound for warm in (False, True)]
        cells = " | ".join(f"{bound.us:.1f} {bound.limit}" for bound in bounds)
        when = "warm" if one.warm else "cold"
        line = f"| {one.name} | `{one.chip}` | {one.us:.2f} | {when} | {cells} | {one.us / one.bound.us:.2f} "
        before = one.before
        yield f"{line}| {before:.1f}, {one.us / before:.2f} |"


def cold_and_warm() -> Iterator[str]:
    """This compiler's own kernels for the library's, cold and warm, beside its cold times, as a table of Markdown."""
    yield "| `ascend910b2` | library, cold, µs | own, cold | over the library's | own, warm | over the library's |"
    yield "|---|---|---|---|---|---|"
    for one in published():
        if one.chip != "ascend910b2" or one.name.startswith("transpose"):
            continue
        program = ascend_opt.compile(one.text.replace(" {weight}", ""), target=one.chip, tune=1)
        times = [program.time(warm=warm).total_us for warm in (False, True)]
        cells = " | ".join(f"{time:.1f} | {time / one.us:.2f}" for time in times)
        yield f"| {one.name} | {one.us:.2f} | {cells} |"


def main() -> int:
    print("\n".join(table()))
    return int(any(one.us < one.bound.us for one in published()))


if __name__ == "__main__":
    sys.exit(main())

"""AscendNPU-IR's program of each Triton kernel / ours for the same graph, on one clock.

    python benchmarks/bridge.py [NAME …]          the stored HIVM; needs no extra
    python benchmarks/bridge.py --compile-time    Triton and AscendNPU-IR compile, too: needs the extra `triton`
    python benchmarks/bridge.py --flags           what of the order is not needed instead, by deletion in turn

A program's time has its launch in it. GM bytes are those that DMA moves; flags are `set_flag` ops, and with them
barriers and cross-core flags as the program's text has them, each once. The peak of UB is the end of its highest
buffer. What stands for AscendNPU-IR rests on choices that its closed back end makes (docs/hivm.md): how `mmadL1` is
cut into loads to L0 and products, and repeats of Vector instructions.
"""

# pyright: basic

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests" / "helpers"))

import numpy as np  # noqa: E402
from hivm_flags import judge  # noqa: E402
from sync_mutants import Mutant, mutants_of, survivors  # noqa: E402
from triton_cases import CASES  # noqa: E402

import ascend_opt  # noqa: E402
from ascend_opt import hivm  # noqa: E402
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs  # noqa: E402
from ascend_opt.dialects.ascend import CROSS_CORE  # noqa: E402
from ascend_opt.dialects.target import load_target  # noqa: E402

CHIP = "ascend910b"
HIVM = ROOT / "tests" / "data" / "hivm"


@dataclass(frozen=True)
class Pair:
    """A case of `triton_cases`, the sizes at which it runs, and the graph that computes the same."""

    case: str
    sizes: tuple[int, ...]
    graph: str


def _graph(arguments: str, *lines: str) -> str:
    body = "\n".join(f"  {line}" for line in lines)
    return f"graph @ours({arguments}) {{\n{body}\n  return %out\n}}\n"


PAIRS = (
    Pair(
        "vector_add_f32",
        (98304,),
        _graph("%x: tensor<98304xf32>, %y: tensor<98304xf32>", "%out = add(%x, %y)"),
    ),
    Pair(
        "chain_f16",
        (98304,),
        _graph(
            "%x: tensor<98304xf16>, %y: tensor<98304xf16>",
            "%scale = constant() {value = 0.75} : tensor<f16>",
            "%one = constant() {value = 1.0} : tensor<f16>",
            "%1 = mul(%x, %scale)",
            "%2 = abs(%1)",
            "%3 = neg(%2)",
            "%4 = exp(%3)",
            "%5 = relu(%y)",
            "%6 = square(%y)",
            "%7 = add(%6, %one)",
            "%8 = div(%5, %7)",
            "%out = add(%4, %8)",
        ),
    ),
    Pair(
        "masked_chain_f16",
        (98304,),
        _graph(
            "%x: tensor<98304xf16>, %keep: tensor<98304xi32>",
            "%zero = constant() {value = 0} : tensor<i32>",
            "%quarter = constant() {value = 0.25} : tensor<f16>",
            '%1 = compare(%keep, %zero) {direction = "gt"}',
            "%2 = silu(%x)",
            "%3 = mul(%x, %quarter)",
            "%out = select(%1, %2, %3)",
        ),
    ),
    Pair("softmax_f16", (96, 1024), _graph("%x: tensor<96x1024xf16>", "%out = softmax(%x)")),
    Pair(
        "layer_norm_f16",
        (96, 1024),
        _graph(
            "%x: tensor<96x1024xf16>, %w: tensor<1024xf16>, %b: tensor<1024xf16>",
            "%out = layer_norm(%x, %w, %b)",
        ),
    ),
    Pair(
        "rms_norm_f16",
        (96, 1024),
        _graph("%x: tensor<96x1024xf16>, %w: tensor<1024xf16>", "%out = rms_norm(%x, %w)"),
    ),
    Pair("sum_rows_f32", (96, 512), _graph("%x: tensor<96x512xf32>", "%out = reduce_sum(%x) {axes = [1]}")),
    Pair(
        "sum_columns_f32", (96, 512), _graph("%x: tensor<96x512xf32>", "%out = reduce_sum(%x) {axes = [0]}")
    ),
    Pair("prefix_sum_f32", (64, 128), _graph("%x: tensor<64x128xf32>", "%out = cumsum(%x) {axis = 1}")),
    Pair(
        "matmul_f16",
        (1024, 1024, 1024),
        _graph("%a: tensor<1024x1024xf16>, %b: tensor<1024x1024xf16>", "%out = matmul(%a, %b)"),
    ),
    Pair(
        "matmul_bias_gelu_f16",
        (1024, 1024, 1024),
        _graph(
            "%a: tensor<1024x1024xf16>, %b: tensor<1024x1024xf16>, %bias: tensor<1024xf16>",
            "%1 = matmul(%a, %b)",
            "%2 = add(%1, %bias)",
            '%out = gelu(%2) {approximate = "tanh"}',
        ),
    ),
    Pair(
        "batched_matmul_f16",
        (8, 256, 256, 256),
        _graph("%a: tensor<8x256x256xf16>, %b: tensor<8x256x256xf16>", "%out = matmul(%a, %b)"),
    ),
    *(
        Pair(
            name,
            (4, 1024),
            _graph(
                "%q: tensor<4x1024x64xf16>, %k: tensor<4x1024x64xf16>, %v: tensor<4x1024x64xf16>",
                f"%out = attention(%q, %k, %v) {{causal = {causal}}}",
            ),
        )
        for name, causal in (("attention_f16", "false"), ("attention_causal_f16", "true"))
    ),
    Pair(
        "rotary_f32",
        (256,),
        _graph(
            "%x: tensor<256x64xf32>, %c: tensor<256x32xf32>, %s: tensor<256x32xf32>",
            "%1 = slice(%x) {axes = [1], starts = [0], ends = [32]}",
            "%2 = slice(%x) {axes = [1], starts = [32], ends = [64]}",
            "%3 = mul(%1, %c)",
            "%4 = mul(%2, %s)",
            "%5 = mul(%2, %c)",
            "%6 = mul(%1, %s)",
            "%7 = sub(%3, %4)",
            "%8 = add(%5, %6)",
            "%out = concat(%7, %8) {axis = 1}",
        ),
    ),
    Pair(
        "embedding_f16",
        (256, 1000),
        _graph(
            "%ids: tensor<256xi32>, %table: tensor<1000x128xf16>", "%out = gather(%table, %ids) {axis = 0}"
        ),
    ),
    Pair(
        "transpose_f16", (256, 256), _graph("%x: tensor<256x256xf16>", "%out = transpose(%x) {perm = [1, 0]}")
    ),
)
FLAGS = ("set_flag", "barrier", "cross_set_flag")
"""Ops of `ascend` that are counted."""


@dataclass(frozen=True)
class Side:
    """One compiler's program."""

    us: float
    dma_bytes: int
    ops: Counter[str]
    ub_bytes: int
    seconds: float | None

    def cells(self) -> list[str]:
        flags = [str(self.ops[name]) for name in FLAGS]
        took = "–" if self.seconds is None else f"{self.seconds:.2f}"
        return [
            f"{self.us:.1f}",
            f"{self.dma_bytes / 1024:,.0f}",
            *flags,
            f"{self.ub_bytes / 1024:.0f}",
            took,
        ]


def side(profile, module, seconds: float | None) -> Side:
    ops = Counter(op.name.removeprefix("ascend.") for op in module.walk())
    ub = max((k.memory["ub"].peak_bytes for k in profile.kernels if "ub" in k.memory), default=0)
    return Side(profile.total_us, profile.dma_read_bytes + profile.dma_write_bytes, ops, ub, seconds)


def theirs(pair: Pair, compiles: bool) -> Side:
    case = CASES[pair.case]
    arguments = case.arguments(pair.sizes)
    seconds = None
    if compiles:
        from triton_sources import function

        from ascend_opt.compiler.triton.build import build

        kernel = function(case.kernel.source)
        begun = time.perf_counter()
        build(kernel, {**arguments, **case.constants})
        seconds = time.perf_counter() - begun
    module = hivm.load(HIVM / f"{pair.case}.mlir")
    result = module.launch(case.grid(arguments), arguments, names=tuple(arguments), target=CHIP, values=False)
    return side(result.profile, result.program.module, seconds)


def ours(pair: Pair) -> Side:
    begun = time.perf_counter()
    program = ascend_opt.compile(pair.graph, target=CHIP)
    seconds = time.perf_counter() - begun
    return side(program.time(), program.module, seconds)


def unneeded(pair: Pair) -> tuple[str, str]:
    """How many flags and barriers of both programs may be deleted without a hazard, of how many.

    AscendNPU-IR's at its launches (benchmarks/hivm_flags.py), ours at the size of the graph. A flag has all its ops, of
    a loop too; cross-core flags of ours count op by op.
    """
    together = judge(HIVM / f"{pair.case}.mlir").together
    program = ascend_opt.compile(pair.graph, target=CHIP)
    module, target = program.module, load_target(CHIP)
    inputs = seeded_inputs(program.inputs, 0)
    tried = [m for m in mutants_of(module, target, inputs) if m.kind.endswith("removed")]
    for place, op in enumerate(module.walk()):
        if isinstance(op, CROSS_CORE):
            tried.append(Mutant("flag removed", op.name, lambda ops, place=place: ops[place].detach()))
    left = survivors(module, tried, target, inputs)
    return f"{together['none']} of {sum(together.values())}", f"{len(left)} of {len(tried)}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--compile-time", action="store_true")
    parser.add_argument("--flags", action="store_true")
    chosen = parser.parse_args()
    if chosen.flags:
        for pair in PAIRS:
            if not chosen.names or pair.case in chosen.names:
                print(f"{pair.case:24}", " / ".join(unneeded(pair)), flush=True)
        return
    ascend_opt.compile(PAIRS[0].graph, target=CHIP)  # imports are no compile time
    names = ("kernel", "µs", "GM KiB", "flags", "barriers", "cross-core", "UB KiB", "compiled in s")
    print("| " + " | ".join(names) + " |\n" + "|---" * len(names) + "|")
    ratios = list[float]()
    for pair in PAIRS:
        if chosen.names and pair.case not in chosen.names:
            continue
        a, b = theirs(pair, chosen.compile_time), ours(pair)
        cells = [f"{x} / {y}" for x, y in zip(a.cells(), b.cells(), strict=True)]
        print(f"| {pair.case} {'×'.join(map(str, pair.sizes))} | " + " | ".join(cells) + " |", flush=True)
        ratios.append(a.us / b.us)
    print(f"\nAscendNPU-IR's time over ours, geometric mean: {np.exp(np.mean(np.log(ratios))):.2f}")


if __name__ == "__main__":
    main()

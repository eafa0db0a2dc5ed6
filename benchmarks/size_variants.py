"""One program with variants for a range of run-time sizes, beside a program for each of ten sizes alone.

    python benchmarks/size_variants.py [chip] [graph ...]      text; exit code 1 where a size is slower than 1.10 x

Values are compared with numpy's in f32 and hazards are checked at every size up to `MOST_CHECKED`; times are the
emulator's.
"""

import re
import sys
from collections.abc import Sequence

import numpy as np

import ascend_opt
from ascend_opt.compiler.api import Program

LIMIT = 1.1
"""Most that a size may take, over a program for it alone."""
MOST_CHECKED = 640
"""Values of larger sizes take long."""
BOUND = 4e-3
"""Relative L2 error of f16."""
ROWS = (1, 2, 5, 17, 33, 70, 130, 200, 333, 512)
PADS = r" \{pad = [-.\d]+\}"
"""What stands behind the types of arguments whose sizes may be cut."""
GRAPHS: dict[str, tuple[Sequence[int], Sequence[int], str]] = {
    "norm": (
        (1, 4096),
        (1, 3, 10, 50, 129, 500, 777, 2000, 3000, 4096),
        """graph @f(%x: tensor<?x1024xf16>, %g: tensor<1024xf16> {weight}, %b: tensor<1024xf16> {weight}) {
          %z = layer_norm(%x, %g, %b)
          return %z }""",
    ),
    "softmax": (
        (1, 512),
        ROWS,
        """graph @f(%x: tensor<?x1000xf16>) {
          %z = softmax(%x)
          return %z }""",
    ),
    "mlp": (
        (1, 512),
        ROWS,
        """graph @f(%x: tensor<?x768xf16>, %w: tensor<768x3072xf16> {weight}, %v: tensor<3072x768xf16> {weight},
                 %g: tensor<768xf16> {weight}, %b: tensor<768xf16> {weight}) {
          %0 = matmul(%x, %w)
          %1 = gelu(%0)
          %2 = matmul(%1, %v)
          %3 = add(%2, %x)
          %z = layer_norm(%3, %g, %b)
          return %z }""",
    ),
    "bottleneck": (
        (1, 64),
        (1, 2, 3, 5, 8, 12, 20, 33, 50, 64),
        """graph @f(%x: tensor<?x64x56x56xf16>, %w: tensor<64x64x1x1xf16> {weight}, %b: tensor<64xf16> {weight},
                 %w2: tensor<64x64x3x3xf16> {weight}, %w3: tensor<256x64x1x1xf16> {weight},
                 %b3: tensor<256xf16> {weight}) {
          %0 = conv2d(%x, %w)
          %1 = bias_add(%0, %b)
          %2 = relu(%1)
          %3 = conv2d(%2, %w2) {pads = [1, 1, 1, 1]}
          %4 = bias_add(%3, %b)
          %5 = relu(%4)
          %6 = conv2d(%5, %w3)
          %7 = bias_add(%6, %b3)
          %z = relu(%7)
          return %z }""",
    ),
    "encoder": (
        (1, 64),
        (1, 2, 3, 5, 8, 12, 20, 33, 50, 64),
        """graph @f(%x: tensor<?x64x256xf16>, %q: tensor<256x256xf16> {weight}, %k: tensor<256x256xf16> {weight},
                 %v: tensor<256x256xf16> {weight}, %o: tensor<256x256xf16> {weight}, %g: tensor<256xf16> {weight},
                 %b: tensor<256xf16> {weight}) {
          %0 = matmul(%x, %q)
          %1 = matmul(%x, %k)
          %2 = matmul(%x, %v)
          %3 = matmul(%0, %1) {transpose_b = true}
          %4 = softmax(%3)
          %5 = matmul(%4, %2)
          %6 = matmul(%5, %o)
          %7 = add(%6, %x)
          %z = layer_norm(%7, %g, %b)
          return %z }""",
    ),
    "sequence": (
        (8, 512, 8),
        (1, 2, 5, 17, 33, 70, 130, 200, 333, 512),
        """graph @f(%x: tensor<1x?x256xf16> {pad = 0.0}, %m: tensor<1x1x1x?xf16> {pad = -60000.0},
                 %q: tensor<256x256xf16> {weight}, %k: tensor<256x256xf16> {weight},
                 %v: tensor<256x256xf16> {weight}, %o: tensor<256x256xf16> {weight}, %g: tensor<256xf16> {weight},
                 %b: tensor<256xf16> {weight}) {
          %0 = matmul(%x, %q)
          %1 = matmul(%x, %k)
          %2 = matmul(%x, %v)
          %3 = reshape(%0) {shape = [1, -1, 4, 64]}
          %4 = reshape(%1) {shape = [1, -1, 4, 64]}
          %5 = reshape(%2) {shape = [1, -1, 4, 64]}
          %6 = transpose(%3) {perm = [0, 2, 1, 3]}
          %7 = transpose(%4) {perm = [0, 2, 1, 3]}
          %8 = transpose(%5) {perm = [0, 2, 1, 3]}
          %9 = matmul(%6, %7) {transpose_b = true}
          %10 = add(%9, %m)
          %11 = softmax(%10)
          %12 = matmul(%11, %8)
          %13 = transpose(%12) {perm = [0, 2, 1, 3]}
          %14 = reshape(%13) {shape = [1, -1, 256]}
          %15 = matmul(%14, %o)
          %16 = add(%15, %x)
          %z = layer_norm(%16, %g, %b)
          return %z }""",
    ),
    "images": (
        (224, 640, 32),
        (224, 256, 288, 320, 384, 416, 480, 512, 576, 640),
        """graph @f(%x: tensor<1x3x?x?xf16>, %w: tensor<32x3x3x3xf16> {weight}, %b: tensor<32xf16> {weight},
                 %w2: tensor<64x32x3x3xf16> {weight}, %b2: tensor<64xf16> {weight},
                 %w3: tensor<64x64x3x3xf16> {weight}) {
          %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1], strides = [2, 2]}
          %1 = bias_add(%0, %b)
          %2 = relu(%1)
          %3 = conv2d(%2, %w2) {pads = [1, 1, 1, 1], strides = [2, 2]}
          %4 = bias_add(%3, %b2)
          %5 = relu(%4)
          %6 = conv2d(%5, %w3) {pads = [1, 1, 1, 1], strides = [2, 2]}
          %7 = bias_add(%6, %b2)
          %z = relu(%7)
          return %z }""",
    ),
}
"""Range, with a step where it has one, sizes and text of each graph."""


def is_right(program: Program, size: int) -> bool:
    """Whether the outputs at a size are those of the reference; raises HazardError."""
    rng = np.random.default_rng(size)
    shapes = {name: tensor.at(size).shape for name, tensor in program.inputs.items()}
    inputs = {name: (rng.standard_normal(shape) * 0.1).astype(np.float16) for name, shape in shapes.items()}
    found, reference = program.run(inputs).outputs, program.reference(inputs)
    wanted = {name: np.asarray(array, np.float64) for name, array in reference.items()}
    return all(np.linalg.norm(found[n] - w) <= BOUND * np.linalg.norm(w) for n, w in wanted.items())


def main(chip: str, names: list[str]) -> int:
    missed = 0
    for name in names or GRAPHS:
        span, sizes, text = GRAPHS[name]
        program = ascend_opt.compile(text, chip, dynamic_range=span)
        ratios: list[float] = []
        for size in sizes:
            alone = ascend_opt.compile(re.sub(PADS, "", text).replace("?", str(size)), chip)
            ratios.append(program.time(size).total_us / alone.time().total_us)
            if size <= MOST_CHECKED and not is_right(program, size):
                print(f"{name}: wrong at size {size}")
                missed += 1
        missed += sum(ratio > LIMIT for ratio in ratios)
        variants = len(
            {program.entered(size).sym_name.data for size in range(span[0], span[1] + 1, *span[2:])}
        )
        step = f" by {span[2]}" if len(span) > 2 else ""
        listed = ", ".join(f"{size}: {ratio:.2f}" for size, ratio in zip(sizes, ratios, strict=True))
        print(f"| {name} {span[0]}-{span[1]}{step} | {variants} | {listed} | {max(ratios):.2f} |", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "ascend910b", sys.argv[2:]))

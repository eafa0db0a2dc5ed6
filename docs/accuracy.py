"""Prints the accuracy of every graph op: a compiled program on the emulator against the reference.

python docs/accuracy.py
"""

from typing import Any, cast

import numpy as np

import ascend_opt
from ascend_opt.compiler.checks.run_check import relative_error
from ascend_opt.dialects.target import load_target

ONE = "%x: tensor<64x256xT>"
TWO = f"{ONE}, %z: tensor<64x256xT>"
MAP = "%x: tensor<2x32x16x16xT>"
CHANNELS = ", ".join(f"%{name}: tensor<32xT>" for name in "sbmv")

GRAPHS: dict[str, tuple[str, str]] = {
    **{
        name: (ONE, f"{name}(%x)")
        for name in (
            "abs",
            "ceil",
            "cos",
            "dropout",
            "elu",
            "erf",
            "exp",
            "floor",
            "gelu",
            "hard_sigmoid",
            "hard_swish",
            "leaky_relu",
            "log",
            "mish",
            "neg",
            "reciprocal",
            "relu",
            "round",
            "rsqrt",
            "sigmoid",
            "sign",
            "silu",
            "sin",
            "softplus",
            "sqrt",
            "square",
            "tanh",
        )
    },
    **{name: (TWO, f"{name}(%x, %z)") for name in ("add", "sub", "mul", "div", "maximum", "minimum", "pow")},
    "gelu tanh": (ONE, 'gelu(%x) {approximate = "tanh"}'),
    "cumsum": (ONE, "cumsum(%x) {axis = -1}"),
    "clip": (ONE, "clip(%x) {min = -0.5, max = 0.5}"),
    "cast": (ONE, "cast(%x) {to = U}"),
    "reshape": (ONE, "reshape(%x) {shape = [128, 128]}"),
    "bias_add": (f"{MAP}, %b: tensor<32xT>", "bias_add(%x, %b)"),
    "batch_norm": (f"{MAP}, {CHANNELS}", "batch_norm(%x, %s, %b, %m, %v)"),
    "conv2d": (f"{MAP}, %w: tensor<48x32x3x3xT> {{weight}}", "conv2d(%x, %w) {pads = [1, 1, 1, 1]}"),
    "matmul": ("%x: tensor<64x512xT>, %w: tensor<512x96xT> {weight}", "matmul(%x, %w)"),
}


def inputs(name: str, tensors: dict[str, Any]) -> dict[str, Any]:
    """Normal numbers in the op's range; weights keep the result's size."""
    random = np.random.default_rng(1)
    given: dict[str, Any] = {}
    for argument, tensor in tensors.items():
        array = random.standard_normal(cast(tuple[int, ...], tensor.shape))
        if argument == "w":
            array = array / (17.0 if len(tensor.shape) == 4 else 23.0)
        if argument == "v" or name in ("log", "rsqrt", "sqrt") or (name == "pow" and argument == "x"):
            array = np.abs(array) + 0.5
        if name == "reciprocal" or (name == "div" and argument == "z"):
            array = np.sign(array) * (np.abs(array) + 0.5)
        given[argument] = array
    return given


def error(name: str, dtype: str, target: str) -> float | None:
    """Relative L2 error of one op, or None where the chip does not compute it in `dtype`."""
    arguments, operation = GRAPHS[name]
    text = f"graph @one({arguments}) {{\n  %y = {operation}\n  return %y\n}}"
    text = text.replace("xT>", f"x{dtype}>").replace("= U", "= f32" if dtype == "f16" else "= f16")
    if name in ("conv2d", "matmul") and dtype not in load_target(target).cube.fractal:
        return None
    program = ascend_opt.compile(text, target=target, tune=6)
    given = inputs(name, program.inputs)
    expected = program.reference(given)["output0"]
    return relative_error(program.run(given).outputs["output0"], expected)


def main() -> None:
    chips = ("ascend910", "ascend310p", "ascend910b1")
    columns = [(chip, dtype) for chip in chips for dtype in ("f16", "f32")]
    print("| op | " + " | ".join(f"{chip} {dtype}" for chip, dtype in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name in sorted(GRAPHS):
        errors = [error(name, dtype, chip) for chip, dtype in columns]
        print(f"| `{name}` | " + " | ".join("-" if e is None else f"{e:.1e}" for e in errors) + " |")


if __name__ == "__main__":
    main()

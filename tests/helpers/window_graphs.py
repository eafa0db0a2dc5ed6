"""Graphs of what slides a window over an image, with their inputs, and their values against the reference."""

from dataclasses import dataclass

import numpy as np

import ascend_opt
from ascend_opt.compiler.api import Program


@dataclass(frozen=True)
class Window:
    """A window and how it moves."""

    kernel: tuple[int, int]
    strides: tuple[int, int] = (1, 1)
    pads: tuple[int, int, int, int] = (0, 0, 0, 0)
    dilations: tuple[int, int] = (1, 1)

    def attributes(self) -> str:
        """All but the kernel, in graph text."""
        return f"strides = {list(self.strides)}, pads = {list(self.pads)}, dilations = {list(self.dilations)}"


def convolution(
    batch: int,
    channels: int,
    filters: int,
    groups: int,
    image: tuple[int, int],
    window: Window,
    dtype: str = "f16",
    weight: str = "{weight}",
    *after: str,
) -> str:
    """A convolution with a bias and a relu, or other lines `after` it: %0 is its result, %b a vector of channels."""
    (h, w), (kh, kw) = image, window.kernel
    lines = [
        f"conv2d(%x, %w) {{groups = {groups}, {window.attributes()}}}",
        *(after or ("bias_add(%0, %b)", "relu(%1)")),
    ]
    body = "\n".join(f"  %{i} = {line}" for i, line in enumerate(lines))
    return (
        f"graph @f(%x: tensor<{batch}x{channels}x{h}x{w}x{dtype}>, "
        f"%w: tensor<{filters}x{channels // groups}x{kh}x{kw}x{dtype}> {weight}, "
        f"%b: tensor<{filters}x{dtype}>) {{\n{body}\n  return %{len(lines) - 1}\n}}"
    )


def pool(
    op: str,
    shape: tuple[int, int, int, int],
    window: Window,
    dtype: str = "f16",
    more: str = "",
    before: tuple[str, ...] = (),
) -> str:
    """A pool of %x, or of what the lines `before` it give."""
    sizes = "x".join(map(str, shape))
    lines = [
        *before,
        f"{op}(%{len(before) - 1 if before else 'x'}) {{kernel = {list(window.kernel)}, {window.attributes()}{more}}}",
    ]
    body = "\n".join(f"  %{i} = {line}" for i, line in enumerate(lines))
    return f"graph @f(%x: tensor<{sizes}x{dtype}>) {{\n{body}\n  return %{len(lines) - 1}\n}}"


def inputs_of(program: Program) -> dict[str, np.ndarray]:
    """Normal numbers, those of `positive` at least 0.5, filters %w by the size of their window."""
    rng = np.random.default_rng(0)
    inputs: dict[str, np.ndarray] = {}
    for name, tensor in program.inputs.items():
        array = rng.standard_normal(tensor.shape)
        if name == "positive":
            array = np.abs(array) + 0.5
        elif name == "w":
            array /= np.prod(tensor.shape[1:]) ** 0.5
        inputs[name] = array.astype(np.float16 if str(tensor.element_type) == "f16" else np.float32)
    return inputs


def check(text: str, chip: str, fuse: bool = True) -> tuple[Program, list[tuple[str, ...]]]:
    """Compile and run; the program, and the ops of each of its kernels."""
    program = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
    inputs = inputs_of(program)
    result, reference = program.run(inputs), program.reference(inputs)
    for name, output in result.outputs.items():
        expected = np.asarray(reference[name], np.float64)
        assert output.shape == expected.shape
        assert np.isfinite(output).all(), f"{chip}\n{text}"
        error = np.linalg.norm(output - expected) / max(float(np.linalg.norm(expected)), 1e-20)
        assert error <= (3e-3 if "f16" in text else 1e-4), f"{chip}: {error:.1e}\n{text}"
    kernels = [tuple(op.removeprefix("graph.") for op in kernel.ops) for kernel in result.profile.kernels]
    return program, kernels

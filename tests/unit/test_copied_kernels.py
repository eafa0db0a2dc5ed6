"""Kernels of groups that compute the same are built once: the others are copies, on what their own groups read."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.compiler.text.mlir_printer import QuickPrinter
from ascend_opt.dialects import tile
from ascend_opt.passes.kernels import forms
from ascend_opt.passes.support.kernel_signature import kernel_signature

LAYERS = """
graph @layers(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}, %b: tensor<64xf16>,
              %v: tensor<64x64xf16> {weight}, %c: tensor<64xf16>) {
  %1 = matmul(%x, %w)
  %2 = add(%1, %b)
  %3 = softmax(%2)
  %4 = matmul(%3, %v)
  %5 = add(%4, %c)
  %6 = softmax(%5)
  return %3, %6
}
"""
PARTS = """
graph @parts(%x: tensor<64x256xf32>) {
  %1 = slice(%x) {starts = [64], ends = [128], axes = [1]}
  %2 = slice(%x) {starts = [128], ends = [192], axes = [1]}
  %3 = exp(%1)
  %4 = exp(%2)
  return %3, %4
}
"""
NETWORKS = sorted((Path(__file__).parents[2] / "examples" / "networks").glob("*.mlir"))


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of kernels that are built, not copied."""
    names: list[str] = []
    build: Callable[..., tile.KernelOp] = forms._build  # pyright: ignore[reportPrivateUsage]

    def noted(name: str, *arguments: object) -> tile.KernelOp:
        names.append(name)
        return build(name, *arguments)

    monkeypatch.setattr(forms, "_build", noted)
    return names


def kernels(text: str, built: list[str]) -> list[tile.KernelOp]:
    program = ascend_opt.compile(text, "ascend910b")
    built.clear()
    module = compile_until(program, "tile")
    return [op for op in module.walk() if isinstance(op, tile.KernelOp)]


def test_equal_groups_are_built_once(built: list[str]) -> None:
    made = kernels(LAYERS, built)
    names = [kernel.kernel_name.data for kernel in made]
    assert len(made) > len(set(built)) >= 1
    assert len(set(names)) == len(names)
    by_what: dict[object, list[tile.KernelOp]] = {}
    for kernel in made:
        by_what.setdefault(kernel_signature(kernel), []).append(kernel)
    assert len(by_what) == len(set(built))
    for first, *others in by_what.values():
        assert not set(first.body.walk()) & {op for one in others for op in one.body.walk()}
        assert all(set(one.operands) != set(first.operands) for one in others)


@pytest.mark.parametrize("text", [LAYERS, PARTS], ids=["layers", "parts"])
def test_values_are_those_of_what_each_reads(text: str) -> None:
    program = ascend_opt.compile(text, "ascend910b")
    draw = np.random.default_rng(0)
    if text is PARTS:
        x = draw.standard_normal((64, 256)).astype(np.float32)
        results = program.run({"x": x}).outputs.values()
        wanted = [np.exp(x[:, 64:128]), np.exp(x[:, 128:192])]
    else:
        x, w, v = (draw.standard_normal((64, 64)).astype(np.float16) for _ in range(3))
        b, c = (draw.standard_normal(64).astype(np.float16) for _ in range(2))
        results = program.run({"x": x, "w": w, "b": b, "v": v, "c": c}).outputs.values()

        def layer(rows: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
            sums = rows.astype(np.float64) @ weight + bias
            powers = np.exp(sums - sums.max(axis=1, keepdims=True))
            return powers / powers.sum(axis=1, keepdims=True)

        first = layer(x, w, b)
        wanted = [first, layer(first, v, c)]
    for found, want in zip(results, wanted, strict=True):
        assert np.linalg.norm(found - want) <= 3e-3 * np.linalg.norm(want)


def test_parts_at_other_places_are_other_kernels(built: list[str]) -> None:
    made = kernels(PARTS, built)
    parts = [kernel for kernel in made if "graph.slice" in {name.data for name in kernel.ops}]
    assert len(parts) == 2
    assert {kernel.kernel_name.data for kernel in parts} <= set(built)


def test_kernels_with_other_tiles_are_no_copies(built: list[str]) -> None:
    kernels(LAYERS, built)
    equal = len(set(built))
    stated = kernels(LAYERS.replace("matmul(%3, %v)", "matmul(%3, %v) {cores = 1}"), built)
    assert len(set(built)) == equal + 1
    assert {kernel.schedule.cores for kernel in stated if "graph.matmul" in [n.data for n in kernel.ops]} > {
        1
    }


EQUAL = """
graph @equal(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>) {
  %1 = softmax(%x)
  %2 = softmax(%y)
  %3 = mul(%1, %c)
  %4 = mul(%2, %d)
  return %3, %4
}
"""
SCALED = EQUAL.replace(
    "  %1",
    "  %c = constant() {value = 0.5} : tensor<f32>\n  %d = constant() {value = 0.25} : tensor<f32>\n  %1",
)


def printed(text: str) -> str:
    """The tile level of a program."""
    stream = StringIO()
    module = compile_until(ascend_opt.compile(text, "ascend910b"), "tile")
    QuickPrinter(stream=stream, print_debuginfo=True).print_op(module)
    return stream.getvalue()


@pytest.mark.parametrize(
    "text",
    [LAYERS, PARTS, EQUAL.replace("%c)", "%x)").replace("%d)", "%y)"), *NETWORKS],
    ids=["layers", "parts", "rows", *(path.stem for path in NETWORKS)],
)
def test_copies_are_what_would_be_built(text: str | Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Places and names too."""
    text = text if isinstance(text, str) else text.read_text()
    copied = printed(text)

    def never(_: object) -> bool:
        return False

    monkeypatch.setattr(forms, "may_be_copied", never)
    assert printed(text) == copied


def test_groups_that_differ_in_a_number_are_no_copies(built: list[str]) -> None:
    made = kernels(SCALED, built)
    assert {kernel.kernel_name.data for kernel in made} == set(built)

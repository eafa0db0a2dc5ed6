"""bf16 in texts, files, inputs and outputs, and how it is rounded."""

# pyright: basic

import json
from io import StringIO

import numpy as np
import pytest
from bf16_targets import bf16_chip
from xdsl.dialects.builtin import bf16
from xdsl.printer import Printer

import ascend_opt
from ascend_opt.compiler.checks.run_check import BOUNDS, relative_error
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.text.mlir_text import parse_mlir_text
from ascend_opt.dialects import graph
from ascend_opt.dialects.graph.elements import as_array, from_array
from ascend_opt.dialects.storage_types import is_float, largest, numpy_dtype, rounded
from ascend_opt.tools.ascend_run import main

BF16 = numpy_dtype("bf16")
LINEAR = """graph @linear(%x: tensor<37x65xbf16>, %w: tensor<65x48xbf16> {weight}, %b: tensor<48xbf16> {weight}) {
  %p = matmul(%x, %w)
  %s = bias_add(%p, %b)
  %y = leaky_relu(%s) {alpha = 0.1}
  return %y
}
"""
EVERY = np.arange(65536, dtype=np.uint16).view(BF16)


@pytest.fixture
def chip(tmp_path):
    return bf16_chip("converts", tmp_path)


@pytest.fixture
def inputs():
    rng = np.random.default_rng(0)
    shapes = {"x": (37, 65), "w": (65, 48), "b": (48,)}
    return {name: (rng.standard_normal(shape) / 4).astype(np.float32) for name, shape in shapes.items()}


# Rounding


def test_rounding_is_to_nearest_even_from_f64_too():
    """Against xDSL's own rounding, which goes straight from f64 to bf16."""
    rng = np.random.default_rng(1)
    tops = EVERY[(EVERY.view(np.uint16) & 0x7F80) < 0x7F80].astype(np.float64)
    middles = (tops[:-1] + tops[1:]) / 2
    near = [middles * (1 + d) for d in (0, 2.0**-52, -(2.0**-52), 2.0**-30, -(2.0**-30), 2.0**-24)]
    wide = np.concatenate([*(part[::97] for part in near), rng.standard_normal(500), [1e39, -1e300, 1e-45]])
    found = rounded(wide, BF16)
    expected = np.frombuffer(b"".join(bf16.pack([float(v)]) for v in wide), BF16)
    assert found.tobytes() == expected.tobytes()
    narrow = rounded(wide, np.dtype(np.float32))
    expected = np.frombuffer(b"".join(bf16.pack([float(v)]) for v in narrow), BF16)
    assert rounded(narrow, BF16).tobytes() == expected.tobytes()


def test_constants_are_rounded_once():
    near = np.array([1 + 2.0**-8 + 2.0**-30, 1 + 2.0**-8])
    assert as_array(from_array(near, bf16)).view(np.uint16).tolist() == [0x3F81, 0x3F80]


def test_what_numpy_does_not_know_of_bf16():
    assert is_float(BF16) and is_float(np.dtype("f2")) and not is_float(np.dtype("u2"))
    assert largest(BF16) == float(np.array([0x7F7F], np.uint16).view(BF16)[0]) == 2.0**127 * (2 - 2.0**-7)


def test_the_bound_is_twelve_roundings():
    """numerics.md derives the bound from the error of one rounding."""
    values = np.random.default_rng(2).standard_normal(1 << 20)
    one = relative_error(rounded(values, BF16), values)
    assert one == pytest.approx(2.0**-8 * 0.42, rel=0.02)
    assert BOUNDS["bfloat16"] / one == pytest.approx(12, rel=0.05)
    assert BOUNDS["float16"] / relative_error(values.astype(np.float16), values) == pytest.approx(
        15, rel=0.05
    )


# Texts


def constant_of(module):
    (op,) = (op for op in module.walk() if isinstance(op, graph.ConstantOp))
    return op


@pytest.mark.parametrize("part", [EVERY[:90], EVERY[16200:16300], EVERY[32600:32700], EVERY[-140:], EVERY])
def test_constants_read_back_as_the_same_bytes(part):
    numbers = np.concatenate([part, EVERY[[0x7F80, 0xFF80, 0x7FC0, 0x8000]]])
    value = f'{{value = "0x{numbers.tobytes().hex()}"}} : tensor<{numbers.size}xbf16>'
    module = read_module(f"graph @f() {{ %c = constant() {value} return %c }}").module
    for _ in range(2):
        assert as_array(constant_of(module).value).tobytes() == numbers.tobytes()
        stream = StringIO()
        Printer(stream).print_op(module)
        module = parse_mlir_text(make_context(), stream.getvalue(), "text")
    from ascend_opt.compiler.text.graph_printer import print_graph_text

    again = read_module(print_graph_text(module)).module
    assert as_array(constant_of(again).value).tobytes() == numbers.tobytes()


@pytest.mark.parametrize(
    ("written", "bits"),
    [("1.00390625", 0x3F80), ("1.01171875", 0x3F82), ("0.1", 0x3DCD), ("-inf", 0xFF80), ("0x3F81", 0x3F81)],
)
def test_inline_numbers_are_rounded_to_nearest_even(written, bits):
    module = read_module(
        f"graph @f() {{ %c = constant() {{value = {written}}} : tensor<bf16> return %c }}"
    ).module
    assert as_array(constant_of(module).value).view(np.uint16) == bits


def test_numbers_past_the_largest_do_not_fit():
    with pytest.raises(Exception, match="1e39 does not fit bf16"):
        read_module("graph @f() { %c = constant() {value = 1e39} : tensor<bf16> return %c }")


def test_mlir_and_graph_text_have_the_type(ascend_opt, tmp_path):
    path = tmp_path / "g.mlir"
    path.write_text("graph @f(%x: tensor<4xf32>) {\n  %y = cast(%x) {to = bf16}\n  return %y\n}\n")
    printed = ascend_opt(path).output
    assert "{to = bf16} : (tensor<4xf32>) -> tensor<4xbf16>" in printed
    path.write_text(printed)
    assert (
        ascend_opt(path, "-t", "graph-text").output
        == "graph @f(%x: tensor<4xf32>) {\n  %y = cast(%x) {to = bf16}\n  return %y\n}\n"
    )


def test_every_level_prints_what_it_parses(chip, ascend_opt, tmp_path):
    (tmp_path / "g.mlir").write_text(LINEAR)
    for flags in (["--fuse"], ["--fuse", "--lower"]):
        first = ascend_opt(tmp_path / "g.mlir", *flags, "--target", chip)
        assert first.code == 0, first.errors
        (tmp_path / "l.mlir").write_text(first.output)
        assert "bf16" in first.output
        assert ascend_opt(tmp_path / "l.mlir").output == first.output


@pytest.mark.parametrize("fuse", [[], ["--fuse"]])
def test_a_chip_without_it_says_so_at_its_place(ascend_opt, tmp_path, fuse):
    (tmp_path / "g.mlir").write_text(LINEAR)
    outcome = ascend_opt(tmp_path / "g.mlir", *fuse, "--lower", "--target", "ascend310p")
    assert outcome.code == 1
    assert "g.mlir:2:8: error: graph.matmul: ascend310p has no bf16; it stores f16, f32" in outcome.errors


# Files


def test_constants_in_files(tmp_path):
    values = np.array([[1.0, -2.5, 0.1], [np.inf, 3e38, -0.0]], np.float32)
    stored = values.astype(BF16)
    bits = stored.view(np.uint16)
    np.save(tmp_path / "raw.npy", stored)
    np.savez(tmp_path / "w.npz", raw=stored, bits=bits, wide=values)
    header = json.dumps({"a": {"dtype": "BF16", "shape": [2, 3], "data_offsets": [0, 12]}}).encode()
    (tmp_path / "w.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + stored.tobytes())
    for file, key in (
        ("raw.npy", ""), ("w.npz", "raw"), ("w.npz", "bits"), ("w.npz", "wide"), ("w.safetensors", "a"),
    ):  # fmt: skip
        named = f', key = "{key}"' if key else ""
        text = f'graph @f() {{ %c = constant() {{file = "{tmp_path / file}"{named}}} : tensor<2x3xbf16> return %c }}'
        found = as_array(constant_of(read_module(text).module).value)
        assert found.dtype == BF16 and found.tobytes() == stored.tobytes(), (file, key)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros(3, np.float64), "holds 3xfloat64, the program states tensor<3xbf16>"),
        (np.zeros(3, np.float16), "holds 3xfloat16, the program states tensor<3xbf16>"),
        (np.zeros(4, np.uint16), "holds 4xbfloat16, the program states tensor<3xbf16>"),
    ],
)
def test_other_files_are_refused(array, message, tmp_path):
    np.save(tmp_path / "w.npy", array)
    text = f'graph @f() {{ %c = constant() {{file = "{tmp_path / "w.npy"}"}} : tensor<3xbf16> return %c }}'
    with pytest.raises(Exception, match=message):
        read_module(text)


def test_raw_elements_need_their_type(tmp_path):
    np.save(tmp_path / "w.npy", np.zeros((2, 3), BF16))
    with pytest.raises(Exception, match=r"state it, as in tensor<2x3xbf16>"):
        read_module(f'graph @f() {{ %c = constant() {{file = "{tmp_path / "w.npy"}"}} return %c }}')


# Inputs and outputs


def test_inputs_are_numbers_or_bits(chip, inputs):
    program = ascend_opt.compile(LINEAR, chip, tune=1)
    stored = {name: array.astype(BF16) for name, array in inputs.items()}
    expected = program.run(inputs).outputs["output0"]
    assert expected.dtype == BF16
    forms = (lambda a: a, lambda a: a.view(np.uint16), lambda a: a.view("V2"), lambda a: a.astype(np.float64))
    for form in forms:
        given = {name: form(array) for name, array in stored.items()}
        assert program.run(given).outputs["output0"].tobytes() == expected.tobytes()
        assert program.reference(given)["output0"].tobytes() == program.reference(stored)["output0"].tobytes()


def test_the_tool_reads_and_writes_npz(chip, inputs, tmp_path, capsys):
    (tmp_path / "g.mlir").write_text(LINEAR)
    given = {"x": inputs["x"], "w": inputs["w"].astype(BF16), "b": inputs["b"].astype(BF16).view(np.uint16)}
    np.savez(tmp_path / "in.npz", **given)
    arguments = [
        str(tmp_path / "g.mlir"), "--target", chip, "--inputs", str(tmp_path / "in.npz"),
        "--outputs", str(tmp_path / "out.npz"), "--check",
    ]  # fmt: skip
    assert main(arguments) == 0, capsys.readouterr().err
    captured = capsys.readouterr()
    assert captured.err == "" and "2e-02" in captured.out
    expected = ascend_opt.compile(LINEAR, chip).run(inputs).outputs["output0"]
    with np.load(tmp_path / "out.npz", allow_pickle=False) as written:
        assert written["output0"].dtype == np.float32
        np.testing.assert_array_equal(written["output0"], expected.astype(np.float32))


def test_seeded_inputs_are_in_range(chip):
    arguments = "%x: tensor<8x512xbf16>, %w: tensor<512x64xbf16>, %v: tensor<64xbf16>"
    text = f"graph @f({arguments}) {{ %p = matmul(%x, %w) %y = div(%p, %v) return %y }}"
    program = ascend_opt.compile(text, chip, tune=1)
    assert program.graph_module is not None
    (function,) = program.graph_module.body.block.ops
    found = seeded_inputs(program.inputs, 0, function)  # type: ignore[arg-type]
    assert all(array.dtype == BF16 for array in found.values())
    assert float(np.std(found["w"].astype(np.float32))) == pytest.approx(512**-0.5, rel=0.05)
    assert float(found["v"].astype(np.float32).min()) >= 0.5

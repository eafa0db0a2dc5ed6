"""Comparisons and selections among other ops: behind products, before reductions, on operands that repeat, as bytes."""

# pyright: basic

import re

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError, compile_until
from ascend_opt.compiler.checks.run_check import BOUNDS, relative_error
from ascend_opt.dialects import tile
from ascend_opt.dialects.storage_types import numpy_dtype

CHIPS = ("ascend910b1", "ascend910", "ascend950")
LOWEST = "%k = constant() {value = -100.0} : tensor<f16>\n"
PRODUCT = "graph @f(%x: tensor<65x64xf16>, %w: tensor<64x97xf16> {weight}"
IMAGE = "graph @f(%x: tensor<2x16x13x13xf16>, %w: tensor<24x16x3x3xf16> {weight}"
CONV = "%p = conv2d(%x, %w) {pads = [1, 1, 1, 1]}"

GREATER = '%c = compare(%p, %z) {direction = "ge"}'
LESS = '%c = compare(%x, %y) {direction = "lt"}'

GRAPHS = {
    "masked product": f"{PRODUCT}, %m: tensor<65x97xi1>) {{ %p = matmul(%x, %w) {LOWEST}"
    "%y = select(%m, %p, %k) return %y }",
    "product against a row": f"{PRODUCT}, %z: tensor<97xf16>) {{ %p = matmul(%x, %w) {GREATER} "
    "%y = select(%c, %p, %z) return %y }",
    "one row": f"{PRODUCT.replace('65x', '1x')}, %z: tensor<97xf16>) {{ %p = matmul(%x, %w) {GREATER} "
    "%y = select(%c, %p, %z) return %y }",
    "product as mask": f"{PRODUCT}) {{ %p = matmul(%x, %w) {LOWEST.replace('-100.0', '0.5')}"
    '%c = compare(%k, %p) {direction = "ge"} return %c }',
    "convolution": f"{IMAGE}, %z: tensor<2x24x13x13xf16>) {{ {CONV} {GREATER} %y = select(%c, %p, %z) return %y }}",
    "channels": f"{IMAGE}, %z: tensor<24x1x1xf16>) {{ {CONV} {GREATER} return %c }}",
    "two masks": "graph @f(%x: tensor<100x1001xf16>, %y: tensor<100x1xf16>, %z: tensor<1001xf16>) { "
    f'{LESS} %d = compare(%x, %z) {{direction = "lt"}} %e = logical_and(%c, %d) '
    "%g = logical_not(%e) %v = select(%g, %x, %z) return %v, %e }",
    "masked softmax": f"graph @f(%x: tensor<33x1000xf16>, %m: tensor<33x1000xi1>) {{ {LOWEST}"
    "%s = select(%m, %x, %k) %y = softmax(%s) return %y }",
    "reshaped": "graph @f(%m: tensor<4x6x5xi1>) { %r = reshape(%m) {shape = [24, 5]} %n = logical_not(%r) return %n }",
    "constant mask": "graph @f(%x: tensor<3x1000xf16>) { "
    "%k = constant() {value = [[true], [false], [true]]} : tensor<3x1xi1>\n"
    "%z = constant() {value = 0.0} : tensor<f16>\n %n = select(%k, %x, %z) return %n }",
    "short rows": "graph @f(%x: tensor<1000x3xf16>, %y: tensor<1000x1xf16>) { "
    f"{LESS} %v = select(%c, %x, %y) return %v }}",
    "every second element": "graph @f(%x: tensor<5x1x1x21xf16>, %p: tensor<5x1x1x11xf16>) { "
    '%w = max_pool2d(%x) {kernel = [1, 1], strides = [2, 2], fuse = "a"} '
    '%k = keep_where(%w, %p, %w) {direction = "le", value = 2.5, fuse = "a"} return %k }',
    "long rows": "graph @f(%x: tensor<3x40001xf16>, %y: tensor<3x1xf16>) { "
    f"{LESS} %v = select(%c, %x, %y) return %v }}",
}


def _check(text: str, chip: str, fuse: bool) -> None:
    program = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
    rng = np.random.default_rng(0)
    inputs = {
        name: (
            rng.random(t.shape) < 0.5 if str(t.element_type) == "i1" else rng.standard_normal(t.shape)
        ).astype(numpy_dtype(t.element_type))
        for name, t in program.inputs.items()
    }
    expected = program.reference(inputs)
    for name, output in program.run(inputs).outputs.items():
        if output.dtype == bool:  # where a product is next to what it is compared with, its rounding decides
            assert (output != expected[name]).mean() <= (2e-3 if "%w" in text else 0), (chip, fuse, name)
        else:
            assert relative_error(output, expected[name]) <= BOUNDS[output.dtype.name], (chip, fuse, name)


SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -2.5, 65504.0], np.float16)
COMPARE = {"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}
PLACED = {
    "elements": (SPECIAL.repeat(8).reshape(8, 8), np.tile(SPECIAL, 8).reshape(8, 8)),
    "rows and columns": (SPECIAL.reshape(8, 1), SPECIAL),
    "columns and rows": (SPECIAL, SPECIAL.reshape(8, 1)),
}


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("placed", PLACED)
@pytest.mark.parametrize("given", ["arguments", "constants"])
def test_keep_where_compares_as_numpy_does(chip: str, placed: str, given: str):
    """Infinities too, whose difference is no number."""
    p, q = PLACED[placed]
    shapes = ["x".join(map(str, a.shape)) for a in (p, q)]
    arguments, lines = "%x: tensor<8x8xf16>", list[str]()
    for name, shape, array in zip("pq", shapes, (p, q), strict=True):
        if given == "arguments":
            arguments += f", %{name}: tensor<{shape}xf16>"
        else:
            texts = np.array([f"0x{bits:04X}" for bits in array.view(np.uint16).ravel()]).reshape(array.shape)
            value = str(texts.tolist()).replace("'", "")
            lines.append(f"%{name} = constant() {{value = {value}}} : tensor<{shape}xf16>")
    tests = {**COMPARE, "eq": np.equal, "ne": np.not_equal}
    for d in tests:
        lines.append(f'%{d} = keep_where(%x, %p, %q) {{direction = "{d}", value = -1.0}}')
    results = ", ".join(f"%{d}" for d in tests)
    text = "\n".join([f"graph @f({arguments}) {{", *lines, f"return {results} }}"])
    program = ascend_opt.compile(text, target=chip, tune=1)
    x = np.full((8, 8), 3.0, np.float16)
    inputs = {"x": x, "p": p, "q": q} if given == "arguments" else {"x": x}
    for test, output in zip(tests.values(), program.run(inputs).outputs.values(), strict=True):
        np.testing.assert_array_equal(output, np.where(test(p, q), x, np.float16(-1)), str(test))


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", GRAPHS)
def test_values(name: str):
    number = list(GRAPHS).index(name)
    for i, chip in enumerate(CHIPS):
        _check(GRAPHS[name], chip, fuse=(number + i) % 2 == 0)
    _check(re.sub(r"\bf16\b|(?<=x)f16\b", "f32", GRAPHS[name]), "ascend910b1", fuse=number % 2 == 1)


def _instructions(text: str) -> list[str]:
    program = ascend_opt.compile(text, target="ascend910b1", tune=1)
    return [op.instruction.data for op in compile_until(program, "tile").walk() if isinstance(op, tile.VecOp)]


def test_a_comparison_that_is_selected_by_stays_a_bit_mask():
    text = f"graph @f(%x: tensor<64xf16>, %y: tensor<64xf16>) {{ {LESS} %v = select(%c, %x, %y) return %v }}"
    assert _instructions(text) == ["vcmpv_lt", "vsel"]


def test_a_loaded_mask_is_compared_with_zero_once():
    text = "graph @f(%m: tensor<64xi1>, %x: tensor<64xf16>, %y: tensor<64xf16>) { %v = select(%m, %x, %y) return %v }"
    assert _instructions(text) == ["vcmpvs_ne", "vsel"]


ROWS = "graph @f(%x: tensor<9x37xf16>, %z: tensor<37xf16>, %m: tensor<9x37xi1>) { "
LOWER = '%c = compare(%x, %z) {direction = "lt"} '
HIGHER = '%d = compare(%x, %z) {direction = "gt"} '
MOVED = {
    "sliced": f"{ROWS}%y = slice(%m) {{starts = [1, 2], ends = [8, 35], steps = [1, 2]}} return %y }}",
    "turned": "graph @f(%m: tensor<300x517xi1>) { %t = transpose(%m) {perm = [1, 0]} "
    "%y = slice(%t) {starts = [3, 5], ends = [515, 299]} return %y }",
    "blocks": "graph @f(%m: tensor<2x3x8x12xi1>) { %y = space_to_depth(%m) {block = 2} return %y }",
    "padded": f"{ROWS}%y = pad(%m) {{pads = [1, 3, 2, 5], value = 1.0}} return %y }}",
    "repeated": f"{ROWS}{LOWER}%y = tile(%c) {{repeats = [2, 2]}} return %y }}",
    "column": "graph @f(%x: tensor<9x1xf16>, %z: tensor<9x1xf16>, %a: tensor<9x37xf16>, %b: tensor<9x37xf16>) { "
    f"{LOWER}%r = broadcast(%c) {{shape = [9, 37]}} %y = select(%r, %a, %b) return %y }}",
    "joined rows": f"{ROWS}{LOWER}%y = concat(%m, %c) {{axis = 0}} return %y }}",
    "joined columns": f"{ROWS}{LOWER}%e = concat(%c, %m) {{axis = 1}} %y = logical_not(%e) return %y }}",
    "joined bits": "graph @f(%x: tensor<9x32xf16>, %z: tensor<32xf16>) { "
    f'{LOWER}{HIGHER}%e = concat(%c, %d) {{axis = 1, fuse = "one"}} %a = concat(%x, %x) {{axis = 1}} %b = neg(%a) '
    '%y = select(%e, %a, %b) {fuse = "one"} return %y }',
    "parts": f"{ROWS}{LOWER}%y, %w = split(%c) {{axis = 1, sizes = [7, 30]}} return %y, %w }}",
    "turned bits": f'{ROWS}{LOWER.replace("}", ", fuse = " + chr(34) + "one" + chr(34) + "}")}'
    '%t = transpose(%c) {perm = [1, 0], fuse = "one"} %a = transpose(%x) {perm = [1, 0]} %b = neg(%a) '
    '%y = select(%t, %a, %b) {fuse = "one"} return %y }',
    "rows that indices pick": "graph @f(%m: tensor<9x37xi1>, %i: tensor<5xi32>) { "
    "%g = gather(%m, %i) %y = logical_not(%g) return %y }",
    "columns that indices pick": "graph @f(%m: tensor<9x37xi1>, %i: tensor<5xi32>) { "
    "%y = gather(%m, %i) {axis = 1} return %y }",
    "selected": f"{ROWS}{LOWER}{HIGHER}%s = select(%m, %c, %d) %y = transpose(%s) {{perm = [1, 0]}} return %y }}",
    "selected columns": "graph @f(%x: tensor<9x1xf16>, %z: tensor<9x1xf16>, %m: tensor<9x37xi1>) { "
    f"{LOWER}{HIGHER}%y = select(%m, %c, %d) return %y }}",
    "selected by a constant": f"{ROWS}%k = constant() {{value = true}} : tensor<i1>\n{LOWER}"
    "%s = select(%k, %c, %m) %y = select(%s, %k, %m) return %s, %y }",
    "compared": f'{ROWS}{LOWER}%e = compare(%c, %m) {{direction = "eq"}} '
    '%y = compare(%e, %c) {direction = "lt"} return %y }',
    "any size": "graph @f(%m: tensor<?x37xi1>) { %t = slice(%m) {starts = [5], ends = [30], axes = [1]} "
    "%y = concat(%t, %m) {axis = 1} return %y }",
}  # fmt: skip


@pytest.mark.sweep(3)
@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b1", "ascend950"])
@pytest.mark.parametrize("name", MOVED)
def test_masks_are_moved_joined_and_selected_like_numbers(name: str, chip: str, fuse: bool):
    program = ascend_opt.compile(MOVED[name], target=chip, fuse=fuse, tune=1)
    rng = np.random.default_rng(0)
    kinds = {"bool": lambda s: rng.random(s) < 0.5, "int32": lambda s: rng.integers(-9, 9, s)}
    inputs = {}
    for key, kind in program.inputs.items():
        dtype, shape = numpy_dtype(kind.element_type), [7 if n is None or n < 0 else n for n in kind.shape]
        inputs[key] = kinds.get(dtype.name, rng.standard_normal)(shape).astype(dtype)
    expected = program.reference(inputs)
    for key, output in program.run(inputs).outputs.items():
        np.testing.assert_array_equal(output, expected[key].astype(output.dtype))


REFUSED = {
    "graph @f(%m: tensor<4xi1>, %x: tensor<4xf32>) { %y = select(%m, %x, %x) return %y }": "selects f16 only, not f32",
    "graph @f(%m: tensor<4xi1>) { %y = add(%m, %m) return %y }": "graph.add: no unit computes in i1",
    "graph @f(%m: tensor<4xf16>) { %y = logical_not(%m) return %y }": "logical_not: x must be i1, got f16",
    "graph @f(%m: tensor<4xf16>) { %y = select(%m, %m, %m) return %y }": "select: cond must be i1, got f16",
    "graph @f(%m: tensor<4xi1>, %x: tensor<3xf16>) { %y = select(%m, %x, %x) return %y }": "do not broadcast",
    'graph @f(%x: tensor<4xf16>) { %y = compare(%x, %x) {direction = "<"} return %y }': "must be eq, ne, lt",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str):
    with pytest.raises(CompileError) as error:
        ascend_opt.compile(text, target="ascend910", tune=1)
    assert str(error.value).startswith("<string>:1:")
    assert REFUSED[text] in str(error.value)

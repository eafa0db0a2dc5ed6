"""Random mutations of the examples: whatever a file holds, the answer is a result or a located message."""

import random
import re
from io import StringIO
from pathlib import Path

import pytest
from sweeps import ALL

from ascend_opt.tools.ascend_opt import main

MUTATIONS = 2000
BATCHES = 20
MUTANTS = {"graph": 20, "tile": 50, "ascend": 20}
"""Of small programs, at each level; with ASCEND_OPT_ALL=1 as many as at the tile level."""
LOCATED = re.compile(r"^\S*mutant\.mlir:\d+:\d+: error: \S", re.MULTILINE)
INTERESTING = [
    b"%",
    b"{",
    b"}",
    b"(",
    b")",
    b"[",
    b"<",
    b">",
    b'"',
    b"\n",
    b"\0",
    b"\xff",
    b"x",
    b"0",
    b"-",
    b"@",
    b"=",
]


def mutate(data: bytes, chance: random.Random) -> bytes:
    """One to four edits: change, insert, delete, repeat, cut off or swap bytes."""
    result = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(result) + 1)
        length = chance.choice((1, 1, 1, 2, 5, 20))
        match chance.randrange(6):
            case 0:
                result[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                result[at:at] = chance.choice(INTERESTING)
            case 2:
                del result[at : at + length]
            case 3:
                result[at:at] = result[at : at + length] * chance.choice((1, 1, 3))
            case 4 if chance.random() < 0.2:
                del result[at:]
            case _:
                other = chance.randrange(len(result) + 1)
                result[at : at + length] = result[other : other + length]
    return bytes(result)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("syntax", ["graph-text", "mlir"])
@pytest.mark.parametrize("batch", range(BATCHES))
def test_mutated_examples(
    batch: int, syntax: str, examples: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(f"{syntax} {batch}")
    originals = [path.read_bytes() for path in examples]
    if syntax == "mlir":
        originals = [printed(path, monkeypatch).encode() for path in examples]
    file = tmp_path / "mutant.mlir"
    for number in range(MUTATIONS // BATCHES):
        mutant = mutate(chance.choice(originals), chance)
        file.write_bytes(mutant)
        code, output, errors = run([str(file)], monkeypatch)
        context = f"batch {batch}, mutant {number}:\n{mutant!r}\n{errors}"
        assert code in (0, 1), context
        assert "Traceback" not in errors and "internal error" not in errors, context
        assert len(errors) < 20_000, context
        if code == 1:
            assert not output, context
            assert LOCATED.search(errors), context


def run(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, str, str]:
    output, errors = StringIO(), StringIO()
    with monkeypatch.context() as patch:
        patch.setattr("sys.stdout", output)
        patch.setattr("sys.stderr", errors)
        code = main(arguments)
    return code, output.getvalue(), errors.getvalue()


def printed(path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    return run([str(path)], monkeypatch)[1]


SMALL = (
    """graph @a(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}, %b: tensor<64xf16> {weight}) {
      %p = matmul(%x, %w)
      %s = bias_add(%p, %b)
      %y = relu(%s)
      return %y
    }""",
    """graph @b(%x: tensor<1x16x8x8xf16>, %w: tensor<32x16x3x3xf16> {weight}) {
      %p = conv2d(%x, %w) {pads = [1, 1, 1, 1], strides = [1, 1]}
      %y = leaky_relu(%p) {alpha = 0.1}
      return %y
    }""",
    """graph @c(%x: tensor<64x100xf16>, %z: tensor<100xf16>) {
      %p = add(%x, %z)
      %q = gelu(%p)
      %y = clip(%q) {min = -1.0, max = 6.0}
      return %y, %p
    }""",
)
NUMBERS = ("0", "1", "2", "3", "7", "16", "17", "31", "100", "1000", "65536", "-1")


def renumbered(text: str, chance: random.Random) -> str:
    """One or two numbers changed: such a text often still parses, so that the passes see it."""
    for _ in range(chance.randint(1, 2)):
        number = chance.choice(list(re.finditer(r"\d+", text)))
        near = [str(int(number[0]) + 1), str(max(0, int(number[0]) - 1)), str(2 * int(number[0]))]
        text = text[: number.start()] + chance.choice([*NUMBERS, *near]) + text[number.end() :]
    return text


@pytest.mark.parametrize("level", ["graph", "tile", "ascend"])
def test_changed_numbers_at_every_level(level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through all passes that follow: a program, or a message with its place."""
    before, after = {
        "graph": ([], ["--fuse", "--lower"]),
        "tile": (["--fuse"], ["--lower"]),
        "ascend": (["--fuse", "--lower"], []),
    }[level]
    chance, count = random.Random(level), MUTANTS["tile" if ALL else level]
    file = tmp_path / "mutant.mlir"
    originals: list[str] = []
    for text in SMALL:
        file.write_text(text)
        code, output, errors = run([str(file), *before], monkeypatch)
        assert code == 0, errors
        originals.append(text if level == "graph" else output)
    passed = 0
    for number in range(count):
        mutant = renumbered(chance.choice(originals), chance)
        file.write_text(mutant)
        code, output, errors = run([str(file), *after], monkeypatch)
        context = f"mutant {number}:\n{mutant}\n{errors}"
        assert code in (0, 1) and "internal error" not in errors and "Traceback" not in errors, context
        assert code == 0 or LOCATED.search(errors) or "unknown target" in errors, context
        passed += code == 0
    assert 0 < passed < count


ATTRIBUTES = """graph @d(%x: tensor<4x18xf16>, %i: tensor<5xi32>, %z: tensor<1x16x8x8xf16>, %w: tensor<8x16x3x3xf16>) {
  %a = softmax(%x) {axis = 1}
  %b = slice(%a) {starts = [0, 2], ends = [4, 17], axes = [0, 1], steps = [1, 2]}
  %c = pad(%b) {pads = [0, 1, 0, 3], value = 1.0}
  %d = reshape(%c) {shape = [3, 16]}
  %e = transpose(%d) {perm = [1, 0]}
  %f = gather(%e, %i) {axis = 1}
  %g = quantize(%f) {scale = 0.05, zero_point = 3}
  %h = dequantize(%g) {scale = 0.05, zero_point = 3, to = f16}
  %j = clip(%h) {min = -1.0, max = 6.0}
  %k, %l = split(%j) {axis = 0, sizes = [4, 12]}
  %m = reduce_sum(%l) {axes = [1], keep_dims = true}
  %n = conv2d(%z, %w) {pads = [1, 1, 1, 1], strides = [2, 2], dilations = [1, 1]}
  %o = max_pool2d(%n) {kernel = [2, 2]}
  return %k, %m, %o
}
"""
VALUES = (
    str(10**20), str(-(2**63) - 1), str(2**63 - 1), str(2**63), str(2**64), "-1", "0", "65536", "4294967296", "0.5",
    "1e400", "nan", "inf", "true", '"a"', "f16", "[]", "[1]", f"[0, {10**20}]", "0x7fffffffffffffffff", "1" * 5000, "?",
)  # fmt: skip


@pytest.mark.sweep(3)
@pytest.mark.parametrize("value", VALUES)
def test_changed_attributes_of_graph_text(
    value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One value of an attribute changed, a list or an element of one, or a dimension."""
    file = tmp_path / "mutant.mlir"
    spots = list(re.finditer(r"(?<![%\w.])-?\d+(\.\d+)?(?![\w.])|\[[^\]]*\]|\d+(?=x)", ATTRIBUTES))
    for spot in random.Random(value).sample(spots, 5):
        mutant = ATTRIBUTES[: spot.start()] + value + ATTRIBUTES[spot.end() :]
        file.write_text(mutant)
        code, output, errors = run([str(file), "--lower"], monkeypatch)
        context = f"{mutant}\n{errors}"
        assert code in (0, 1) and "internal error" not in errors and "Traceback" not in errors, context
        assert code == 0 or (LOCATED.search(errors) and not output), context

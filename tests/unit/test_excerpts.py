"""Excerpts of IR in the docs: lines in order, what is left out, and what is written shorter."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from excerpts import WIDTH, excerpt, shortened

TEXT = """module {
  a.kernel {
    one
      two
    three
  }
  four
}
"""


def test_lines_come_in_order_with_an_ellipsis_for_those_between() -> None:
    assert list(excerpt(TEXT, ("a.kernel", "two", "three", "four"))) == [
        "a.kernel {",
        "    …",
        "    two",
        "  three",
        "…",
        "four",
    ]


@pytest.mark.parametrize("wanted", [("five",), ("three", "two")], ids=["unknown", "out of order"])
def test_a_pattern_without_a_line_is_an_error(wanted: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=f"no line matches '{wanted[-1]}'"):
        list(excerpt(TEXT, wanted))


@pytest.mark.parametrize(
    ("line", "short"),
    [
        (
            ('%1 = tile.load %0 at %4, %5 size %6, %7 {map = #tile.map<(d0, d1) -> (d0, d1 + window(3) - 1)>, fill = 0}'
            ' : tensor<4xf16> -> !tile.tile<4xf16, l1, blocked 1 order [0, 1]>'),
            '%1 = tile.load %0 at … {fill = 0} : tensor<4xf16> -> !tile.tile<4xf16, l1>',
        ),
        (
            ('ascend.vec "vadd"(%1, %2) -> %1 {joined} : (memref<8xf16, strided<[1], offset: 3072>, "ub">, '
            'memref<8xf16, "ub">) -> memref<8xf16, strided<[1]>, "ub">'),
            'ascend.vec "vadd"(%1, %2) -> %1 {joined} : memref<8xf16, "ub">',
        ),
        ("%1 = graph.leaky_relu %0 {alpha = 1.000000e-01 : f64} : (tensor<4xf16>) -> tensor<4xf16>",
         "%1 = graph.leaky_relu %0 {alpha = 0.1} -> tensor<4xf16>"),
        ("tile.kernel attributes {schedule = #tile.grid<cores = 1>} {", "tile.kernel {#tile.grid<cores = 1>} {"),
        ("x = array<i64: 1, 2>, step = 48 : i64", "x = [1, 2], step = 48"),
    ],
)  # fmt: skip
def test_a_line_is_written_shorter(line: str, short: str) -> None:
    assert shortened(line) == short


def test_no_line_is_wider_than_the_page() -> None:
    assert shortened("x" * WIDTH) == "x" * WIDTH
    assert shortened("x" * (WIDTH + 1)) == "x" * (WIDTH - 2) + " …"

"""What verification says of a part of a tensor."""

import re

import pytest
from xdsl.utils.exceptions import VerifyException

from ascend_opt.compiler.pipeline.read_module import read_module

RIGHT = "%x {axis = 1 : i64, start = 64 : i64} : tensor<1x128x6x4xf16> -> tensor<1x32x6x4xf16>"
WRONG = {
    "%x {axis = 4 : i64, start = 0 : i64} : tensor<1x128x6x4xf16> -> tensor<1x32x6x4xf16>": "axis 4 of a tensor",
    "%x {axis = 1 : i64, start = 0 : i64} : tensor<?x128x6x4xf16> -> tensor<?x32x6x4xf16>": "a static tensor in rows",
    "%x {axis = 1 : i64, start = 0 : i64} : tensor<1x128x6x4xf16> -> tensor<1x32x6x5xf16>": "is no part of",
    "%x {axis = 1 : i64, start = 0 : i64} : tensor<1x128x6x4xf16> -> tensor<1x32x6x4xf32>": "is no part of",
    "%x {axis = 1 : i64, start = 97 : i64} : tensor<1x128x6x4xf16> -> tensor<1x32x6x4xf16>": "is not inside of",
    "%x {axis = 1 : i64, start = 0 : i64} : tensor<2x128x6x4xf16> -> tensor<2x32x6x4xf16>": "has gaps in",
    "%x {axis = 1 : i64, start = 1 : i64} : tensor<1x128x5x4xf16> -> tensor<1x32x5x4xf16>": "not at byte 40",
}  # fmt: skip


def text_of(op: str) -> str:
    kind = op.split(" : ")[-1].split(" -> ")[0]
    return f"func.func @f(%x: {kind}) {{\n  %y = tile.slice {op}\n  func.return\n}}"


def test_it_is_right_as_it_stands():
    module = read_module(text_of(RIGHT)).module
    module.verify()
    assert str(read_module(str(module)).module) == str(module)


@pytest.mark.parametrize("op", WRONG)
def test_refused(op: str):
    with pytest.raises(VerifyException, match=re.escape(WRONG[op])):
        read_module(text_of(op)).module.verify()

"""What verification says of loads that fold bags, and of the offsets that a kernel reads."""

import re

import pytest
from xdsl.utils.exceptions import VerifyException

from ascend_opt.compiler.pipeline.read_module import read_module

LOAD = """func.func @f(%x: tensor<30x32xf16>, %i: tensor<40xi32>, %b: tensor<16xi32>, %w: tensor<40xf16>) {
  %y = tile.kernel "k"(%x, %i, %b, %w)
    attributes {schedule = #tile.grid<extents = [16, 32], tiles = [4, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%0: tensor<30x32xf16>, %1: tensor<40xi32>, %2: tensor<16xi32>, %3: tensor<40xf16>, %4: tensor<16x32xf32>,
       %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %0 at %o0, %o1 size %s0, %s1 by %1 : tensor<40xi32> bags %2 : tensor<16xi32>
      weights %3 : tensor<40xf16>
      {map = #tile.map<(d0, d1) -> (indices[d0], d1)>, fold = "add", chunk = 4 : i64}
      : tensor<30x32xf16> -> !tile.tile<4x32xf32, ub, nd>
    tile.store %t, %4 at %o0, %o1 size %s0, %s1 : !tile.tile<4x32xf32, ub, nd>, tensor<16x32xf32>
  } : (tensor<30x32xf16>, tensor<40xi32>, tensor<16xi32>, tensor<40xf16>) -> (tensor<16x32xf32>)
  func.return
}
"""
BAGS = "bags %2 : tensor<16xi32>"
WEIGHTS = "weights %3 : tensor<40xf16>"
FOLD = 'fold = "add", chunk = 4 : i64'
WRONG = {
    "a fold without bags": ([(BAGS, ""), (WEIGHTS, "")], "a fold, a chunk and weights are those of bags"),
    "weights without bags": ([(BAGS, ""), (f", {FOLD}", "")], "a fold, a chunk and weights are those of bags"),
    "bags without indices": (
        [("by %1 : tensor<40xi32>", "")], "bags are parts of a list of indices, cut by a list of offsets",
    ),
    "an unknown fold": ([('"add"', '"min"')], "a fold that is one of add, mean, max"),
    "no fold": ([('fold = "add", ', "")], "a fold that is one of add, mean, max"),
    "no chunk": ([(", chunk = 4 : i64", "")], "bags have a chunk"),
    "no row": ([("chunk = 4", "chunk = 0")], "a chunk is a row or more, not 0"),
    "a border": ([("chunk = 4 : i64", "chunk = 4 : i64, fill = 0.0 : f32")], "with nothing around them"),
    "sums in f16": ([("4x32xf32", "4x32xf16")], "sums of bags are f32, not f16"),
    "weights of maxima": ([('"add"', '"max"')], "weights of sums are tensor<40xf16>"),
    "weights of another length": (
        [("tensor<40xf16>", "tensor<39xf16>")], "weights of sums are tensor<40xf16>, got tensor<39xf16>",
    ),
    "no rows that are picked": (
        [("indices[d0]", "d0")], "bags pick the rows along one dimension",
    ),
}  # fmt: skip


def test_it_is_right_as_it_stands():
    module = str(read_module(LOAD).module)
    assert str(read_module(module).module) == module and f"{BAGS} {WEIGHTS}" in module


@pytest.mark.parametrize("name", WRONG)
def test_a_load_of_bags_is_refused(name: str):
    changes, message = WRONG[name]
    text = LOAD
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    with pytest.raises(VerifyException, match=re.escape(message)):
        read_module(text).module.verify()


@pytest.mark.parametrize("given", ["parts = 2 : i64", "step = 2 : i64", "parts = 0 : i64, step = 1 : i64"])
def test_parts_have_a_step(given: str):
    text = f"""ascend.kernel @k cores 1 attributes {{core = "aiv", ops = []}} {{
    ^bb0(%0: memref<4xi32, "gm">):
      %1 = arith.constant 0 : index
      %2 = ascend.load_index %0 at %1 {{size = 9 : i64, {given}}} : memref<4xi32, "gm">
      ascend.end
    }}"""
    with pytest.raises(VerifyException, match="parts and a step of 1 or more go together"):
        read_module(text).module.verify()

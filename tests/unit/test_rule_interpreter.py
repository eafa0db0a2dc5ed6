"""What the tile search counts of a group is what its kernel has: records against the ops of tile IR."""

import pytest

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import tile
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.cost.rule_trace import trace_group
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.support.module import kernel_ops

ROWS_REPEAT = """graph @f(%x: tensor<64x48xf16>, %r: tensor<64x1xf16>, %c: tensor<48xf16>) {
  %0 = compare(%r, %c) {direction = "gt"}
  %1 = select(%0, %x, %c)
  %2 = mul(%1, %r)
  return %2
}"""
REPEATED = """graph @f(%r: tensor<64x1xf16>) {
  %0 = exp(%r)
  %1 = broadcast(%0) {shape = [64, 48]}
  return %1
}"""
BORDER = """graph @f(%x: tensor<1x16x14x14xf16>) {
  %0 = relu(%x)
  %1 = max_pool2d(%0) {kernel = [3, 3], strides = [1, 1], pads = [1, 1, 1, 1]}
  return %1
}"""


@pytest.mark.parametrize("text", [ROWS_REPEAT, REPEATED, BORDER], ids=["rows repeat", "repeated", "border"])
@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_records_are_of_what_is_emitted(text: str, chip: str) -> None:
    """Instructions with their types, those that fill borders included; copies into place and views cost none."""
    program = ascend_opt.compile(text, chip, tune=1)
    (function,) = compile_until(program, "graph").body.block.ops
    trace = trace_group(group_regions(kernel_ops(function)), load_target(chip))  # type: ignore[arg-type]
    counted = sorted((step.name, step.result.type_name) for step in trace.steps)
    found: list[tuple[str, str]] = []
    for op in compile_until(program, "tile").walk():
        if isinstance(op, tile.VecOp):
            found.append((op.instruction.data, str(tile.tile_type(op.result).element_type)))
        elif isinstance(op, tile.BorderOp):
            found.append(("vdup", str(tile.tile_type(op.result).element_type)))
    assert counted == sorted(found)

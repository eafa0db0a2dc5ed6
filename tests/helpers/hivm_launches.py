"""Launches of the programs in `tests/data/hivm_functions`, with hazards looked for."""

# pyright: basic

from pathlib import Path
from typing import Any

import numpy as np

from ascend_opt import hivm

DATA = Path(__file__).parents[1] / "data" / "hivm_functions"


def launched(name: str, grid: tuple[int, ...], output: str = "out", **arguments: Any) -> np.ndarray:
    """What a stored program leaves in an output."""
    return all_of(name, grid, **arguments)[output]


def all_of(name: str, grid: tuple[int, ...], **arguments: Any) -> dict[str, np.ndarray]:
    """What it leaves in each output."""
    module = hivm.load(DATA / f"{name}.mlir")
    return module.launch(grid, arguments, names=tuple(arguments)).outputs


def without_flags(name: str, first: str, second: str) -> str:
    """A stored program without the flags from one pipe to another, of which it has some."""
    lines = (DATA / f"{name}.mlir").read_text().splitlines()
    pipes = f"set_pipe = #hivm.pipe<PIPE_{first}>", f"wait_pipe = #hivm.pipe<PIPE_{second}>"
    left = [line for line in lines if "_flag" not in line or not all(pipe in line for pipe in pipes)]
    assert len(left) < len(lines)
    return "\n".join(left)


def kernel_of(body: str) -> str:
    """A function for Vector cores that does what a text says, with buffers of f32 at `%x` and `%y`, of 64 elements."""
    place = '"hivm.hir.pointer_cast"({}) <{{operandSegmentSizes = array<i32: 1, 0>}}> : (i64) -> memref<64xf32, {}>'
    ub, gm = "#hivm.address_space<ub>", "#hivm.address_space<gm>"
    return f"""
"builtin.module"() ({{
  "func.func"() <{{function_type = (memref<?xf32, {gm}>, i32, i32, i32) -> (), sym_name = "k"}}> ({{
  ^bb0(%out: memref<?xf32, {gm}>, %gx: i32, %gy: i32, %gz: i32):
    %a = "arith.constant"() <{{value = 0 : i64}}> : () -> i64
    %b = "arith.constant"() <{{value = 256 : i64}}> : () -> i64
    %c = "arith.constant"() <{{value = 512 : i64}}> : () -> i64
    %x = {place.format("%a", ub)}
    %y = {place.format("%b", ub)}
    {body}
    "func.return"() : () -> ()
  }}) {{hivm.func_core_type = #hivm.func_core_type<AIV>}} : () -> ()
}}) : () -> ()
"""

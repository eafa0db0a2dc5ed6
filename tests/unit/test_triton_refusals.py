"""What AscendNPU-IR says when a kernel does not fit, in words: which memory, how much over, which lines fill it."""

from pathlib import Path

from ascend_opt.compiler.triton.refusals import Overflow, refusal_of

SAID = (
    "[NOTE] Ub overflow detected; automatically set enable-auto-multi-buffer to false and retrying compilation.\n"
    'loc("KERNEL":1:0): error: ub overflow, requires 2097152 bits while 1572864 bits available! (possible reason: …)\n'
)
"""256 KiB of 192 KiB."""
MODULE = """\
func.func @kernel(%arg0: memref<?xf32, #hivm.address_space<gm>>) {
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<16384xf32, #hivm.address_space<ub>> loc("KERNEL":9:0)
  hivm.hir.vbrc ins(%cst : f32) outs(%alloc : memref<16384xf32, #hivm.address_space<ub>>) loc("KERNEL":1:4)
  scf.for %arg1 = %c0 to %c4 step %c1 : i32 {
    %alloc_0 = memref.alloc() : memref<128x128xf16, #hivm.address_space<ub>> loc("KERNEL":9:0)
    annotation.mark %alloc_0 {hivm.multi_buffer = 2 : i32} : memref<128x128xf16, #hivm.address_space<ub>> loc(unknown)
    %subview = memref.subview %alloc_0[0, 0] [%3, 128] [1, 1] : memref<128x128xf16> to memref<?x128xf16> loc(unknown)
    hivm.hir.load ins(%4 : memref<?x128xf16>) outs(%subview : memref<?x128xf16>) loc("KERNEL":2:4)
    %alloc_1 = memref.alloc() : memref<8xf32, #hivm.address_space<ub>> loc("KERNEL":9:0)
    %alloc_2 = memref.alloc() : memref<8x8x16x16xf32, #hivm.address_space<cc>> loc("KERNEL":9:0)
    hivm.hir.vadd ins(%alloc, %subview : f32) outs(%alloc_1 : memref<8xf32>) loc("KERNEL":3:4)
    hivm.hir.vadd ins(%alloc_1, %alloc_2 : f32) outs(%alloc_1 : memref<8xf32>) loc("KERNEL":3:4)
  } loc("KERNEL":1:0)
} loc("KERNEL":1:0)
"""


def refused(tmp_path: Path) -> Overflow:
    file = tmp_path / "kernel.py"
    file.write_text("total = zeros\n    part = load(x)\ntotal += part\n")
    module = MODULE.replace("KERNEL", str(file))
    found = refusal_of(SAID, lambda: ["the first try", module])
    assert isinstance(found, Overflow)
    return found


def test_an_overflow_has_its_numbers(tmp_path: Path):
    found = refused(tmp_path)
    assert (found.memory, found.needed, found.available, found.over) == ("UB", 262144, 196608, 65536)


def test_buffers_in_use_together_are_those_of_the_memory(tmp_path: Path):
    found = refused(tmp_path)
    assert [(b.bytes, b.slots, b.what) for b in found.buffers] == [
        (65536, 1, "16384 f32"),
        (65536, 2, "128x128 f16"),
        (32, 1, "8 f32"),
    ]


def test_lines_are_those_that_first_write_a_buffer(tmp_path: Path):
    lines = str(refused(tmp_path)).splitlines()
    assert lines[0] == "UB overflows: 256.0 KiB needed, 64.0 KiB over its 192.0 KiB. In use together:"
    assert [line.split("KiB  ")[1] for line in lines[1:]] == [
        "16384 f32, kernel.py:1: total = zeros",
        "128x128 f16 in 2 slots, kernel.py:2: part = load(x)",
        "8 f32, kernel.py:3: total += part",
    ]


def test_what_is_no_overflow_is_told_as_it_is():
    said = "[ERROR] Cannot find hivmc\nk.mlir:3:1: error: cannot tile this\n"
    assert (
        str(refusal_of(said, list)) == "AscendNPU-IR refuses the kernel:\nk.mlir:3:1: error: cannot tile this"
    )

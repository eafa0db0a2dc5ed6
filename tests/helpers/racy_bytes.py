"""Programs that read or write the wrong bytes: unwritten ones, those of other cores, outside, off the grid."""

from ascend_programs import Program
from bf16_targets import bf16_text
from racy import Racy, tiles

from ascend_opt.dialects.target_parser import parse_target

racy = Racy()


@racy("uninitialized")
def tile_that_nobody_loaded():
    p, _x, y, a, b = tiles()
    p.vec("vrelu", a, to=b)
    p.flag("V", "MTE3")
    p.copy(b, y)
    return p


@racy("uninitialized")
def last_element_not_written():
    p, x, _y, a, b = tiles()
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vrelu", p.view(a, [100]), to=p.view(b, [100]))
    p.barrier("V")
    p.vec("vrelu", p.view(b, [101]), to=p.view(b, [101]))
    return p


@racy("uninitialized")
def store_of_a_block_that_nobody_wrote():
    p, _x, y, a, _b = tiles()
    p.vec("vdup", to=p.view(a, [16]), scalar=1.0)
    p.flag("V", "MTE3")
    p.copy(p.view(a, [32]), p.view(y, [32]))
    return p


@racy("uninitialized")
def garbage_moved_into_a_product():
    """Rows that nothing wrote travel from L1 to L0A unharmed; using them in the product is the mistake."""
    p = Program()
    a, b = p.input("a", (128,)), p.input("b", (256,))
    la, lb = p.buffer("la", "l1", (256,), 0), p.buffer("lb", "l1", (256,), 512)
    l0a, l0b = p.buffer("l0a", "l0a", (256,), 0), p.buffer("l0b", "l0b", (256,), 0)
    l0c = p.buffer("l0c", "l0c", (256,), 0, dtype="f32")
    p.copy(a, p.view(la, [128]))
    p.copy(b, lb)
    p.flag("MTE2", "MTE1")
    p.load2d(p.view(la, [1, 16, 16]), p.view(l0a, [1, 16, 16]))
    p.load2d(p.view(lb, [1, 16, 16]), p.view(l0b, [1, 16, 16]))
    p.flag("MTE1", "M")
    operands = p.view(l0a, [1, 1, 16, 16]), p.view(l0b, [1, 1, 16, 16]), p.view(l0c, [1, 16, 16])
    p.mmad(*operands, 8, 16, 16)
    p.barrier("M")
    p.mmad(*operands, 9, 16, 16)
    return p


@racy("uninitialized")
def accumulates_on_nothing():
    return _without_init()


def _without_init() -> Program:
    p = Program()
    a, b = p.input("a", (256,)), p.input("b", (256,))
    la, lb = p.buffer("la", "l1", (256,), 0), p.buffer("lb", "l1", (256,), 512)
    l0a, l0b = p.buffer("l0a", "l0a", (256,), 0), p.buffer("l0b", "l0b", (256,), 0)
    l0c = p.buffer("l0c", "l0c", (256,), 0, dtype="f32")
    p.copy(a, la)
    p.copy(b, lb)
    p.flag("MTE2", "MTE1")
    p.load2d(p.view(la, [1, 16, 16]), p.view(l0a, [1, 16, 16]))
    p.load2d(p.view(lb, [1, 16, 16]), p.view(l0b, [1, 16, 16]))
    p.flag("MTE1", "M")
    p.mmad(p.view(l0a, [1, 1, 16, 16]), p.view(l0b, [1, 1, 16, 16]), p.view(l0c, [1, 16, 16]), 16, 16, 16, 0)
    return p


@racy("gm-write-conflict")
def cores_write_one_block():
    p = Program(cores=2)
    x, y = p.input("x", (32,)), p.output("y", (32,))
    a = p.buffer("a", "ub", (32,), 0)
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(a, y)
    return p


@racy("gm-cross-core")
def core_reads_what_another_writes():
    p = Program(cores=2)
    x, y = p.input("x", (32,)), p.output("y", (64,))
    a, b = p.buffer("a", "ub", (32,), 0), p.buffer("b", "ub", (16,), 64)
    i = p.block_idx()
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(a, p.view(y, [32], offset=p.times(i, 32)))
    p.flag("MTE3", "MTE2")
    p.copy(p.view(y, [16], offset=16), b)
    return p


@racy("gm-cross-core")
def core_overwrites_what_another_read():
    p = Program(cores=2)
    x, _y = p.input("x", (32,)), p.output("y", (32,))
    a = p.buffer("a", "ub", (16,), 0)
    i = p.block_idx()
    p.copy(p.view(x, [16]), a)
    p.flag("MTE2", "MTE3")
    with p.when(p.compare("eq", i, 1)):
        p.copy(a, p.view(x, [16]))
    return p


@racy("race")
def load_back_without_waiting_for_the_store():
    p, x, y, a, b = tiles()
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(a, y)
    p.copy(y, b)
    return p


@racy("in-pipe")
def stores_overlap_without_a_barrier():
    p, x, y, a, _ = tiles()
    p.copy(x, a)
    p.flag("MTE2", "MTE3")
    p.copy(p.view(a, [256]), p.view(y, [256]))
    p.copy(p.view(a, [256], offset=240), p.view(y, [256], offset=240))
    return p


@racy("out-of-bounds")
def load_past_the_tensors_end():
    p, x, _y, a, _ = tiles()
    p.copy(p.view(x, [64], offset=480), p.view(a, [64]))
    return p


@racy("out-of-bounds")
def store_past_the_tensors_end():
    p, _x, y, a, _ = tiles()
    p.vec("vdup", to=a, scalar=0.0)
    p.flag("V", "MTE3")
    p.copy(p.view(a, [32]), p.view(y, [32], offset=496))
    return p


@racy("out-of-bounds")
def view_leaves_its_slot():
    p = Program()
    x = p.input("x", (512,))
    a = p.buffer("a", "ub", (256,), 0, 512)
    p.copy(p.view(x, [256]), p.view(a, [256], offset=16, slot=0))
    return p


@racy("out-of-bounds")
def slot_that_does_not_exist():
    p = Program()
    x = p.input("x", (256,))
    a = p.buffer("a", "ub", (256,), 0, 512)
    p.copy(x, p.view(a, [256], slot=2))
    return p


@racy("out-of-bounds")
def buffer_beyond_the_space():
    p = Program()
    x = p.input("x", (256,))
    p.copy(x, p.buffer("a", "ub", (256,), 262144 - 256))
    return p


@racy("misaligned")
def vector_operand_off_its_block():
    p, x, _y, a, b = tiles()
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vrelu", p.view(a, [64], offset=8), to=p.view(b, [64]))
    return p


@racy("misaligned")
def fractal_off_its_address():
    p = Program()
    a = p.input("a", (512,))
    la, l0a = p.buffer("la", "l1", (512,), 0), p.buffer("l0a", "l0a", (512,), 0)
    p.copy(a, la)
    p.flag("MTE2", "MTE1")
    p.load2d(p.view(la, [1, 16, 16]), p.view(l0a, [1, 16, 16], offset=128))
    return p


@racy("misaligned")
def vector_stride_of_half_a_block():
    p, x, _y, a, _b = tiles()
    p.copy(x, a)
    p.flag("MTE2", "V")
    view = p.view(a, [3, 8, 16], [136, 16, 1])
    p.vec("vrelu", view, to=view)
    return p


@racy("granularity")
def burst_of_half_a_block():
    p, x, _y, a, _ = tiles()
    p.copy(p.view(x, [24]), p.view(a, [24]))
    return p


@racy("granularity")
def rows_that_start_off_a_block():
    p, x, _y, a, _ = tiles()
    p.copy(p.view(x, [4, 16], [24, 1]), p.view(a, [4, 16], [16, 1]))
    return p


@racy("limit")
def too_many_repeats():
    p = Program()
    x = p.input("x", (256 * 128,))
    a = p.buffer("a", "ub", (256 * 128,), 0)
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vrelu", p.view(a, [256, 8, 16]), to=p.view(a, [256, 8, 16]))
    return p


@racy("limit")
def nine_blocks_a_repeat():
    p, x, _y, a, _ = tiles()
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec("vrelu", p.view(a, [2, 9, 16]), to=p.view(a, [2, 9, 16]))
    return p


@racy("no-path")
def l1_to_gm():
    p = Program()
    x, y = p.input("x", (256,)), p.output("y", (256,))
    a = p.buffer("a", "l1", (256,), 0)
    p.copy(x, a)
    p.copy(a, y)
    return p


@racy("no-path")
def nd2nz_on_a_chip_without():
    p = Program()
    x = p.input("x", (16, 32))
    a = p.buffer("a", "l1", (512,), 0)
    p.copy(x, p.view(a, [2, 16, 16]), nd2nz=True)
    return p


def on_bf16(instruction: str, to: str) -> Program:
    """`instruction` on a chip whose Vector converts bf16 and does nothing else with it."""
    p = Program(target=parse_target(bf16_text("converts"), "converts.toml"))
    x = p.input("x", (64,), "bf16")
    a, b = p.buffer("a", "ub", (64,), 0, dtype="bf16"), p.buffer("b", "ub", (64,), 256, dtype=to)
    p.copy(x, a)
    p.flag("MTE2", "V")
    p.vec(instruction, a, to=b)
    return p


@racy("no-path")
def arithmetic_in_a_type_that_the_vector_lacks():
    return on_bf16("vrelu", "bf16")


@racy("no-path")
def conversion_past_f32():
    return on_bf16("vconv", "f16")

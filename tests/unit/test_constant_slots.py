"""Slots that never vary, on small loop nests."""

from xdsl.context import Context
from xdsl.dialects import arith, builtin, scf
from xdsl.parser import Parser

from ascend_opt.dialects import ascend
from ascend_opt.passes.analysis.constant_slots import constant_slots


def slots(body: str, count: int = 2) -> list[int | None]:
    """The constant of each slot in program order, None where it varies; `body` uses %a, %n, %0, %1, %3."""
    text = f"""
    ascend.kernel @f cores 2 : i64 {{
      %0 = arith.constant 0 : index
      %1 = arith.constant 1 : index
      %3 = arith.constant 3 : index
      %n = ascend.block_idx
      %a = ascend.buffer {{slots = {count} : i64}} : memref<16xf16, "ub">
      {body}
      ascend.end
    }}"""
    context = Context()
    for dialect in (builtin.Builtin, arith.Arith, scf.Scf, ascend.Ascend):
        context.load_dialect(dialect)
    (kernel,) = Parser(context, text).parse_module().body.block.ops
    assert isinstance(kernel, ascend.KernelOp)
    known = constant_slots(kernel)
    chosen = (op for op in kernel.walk() if isinstance(op, ascend.NextSlotOp | ascend.PreviousSlotOp))
    return [known.get(op.result) for op in chosen]


def following(name: str) -> str:
    return f'%{name} = ascend.next_slot %a : memref<16xf16, "ub">\n'


def loop(upper: str, name: str, body: str) -> str:
    return f"scf.for %{name} = %0 to %{upper} step %1 {{\n{body}}}\n"


def test_straight_line_counts():
    assert slots(following("p") + following("q") + following("r")) == [0, 1, 0]


def test_a_whole_round_in_each_trip_is_constant():
    assert slots(loop("n", "i", following("p") + following("q"))) == [0, 1]


def test_half_a_round_in_each_trip_varies():
    assert slots(loop("n", "i", following("p"))) == [None]


def test_what_comes_after_a_loop_depends_on_its_trips():
    odd = loop("3", "i", following("p"))
    unknown = loop("n", "i", following("p"))
    assert slots(odd + following("q")) == [None, 1]
    assert slots(unknown + following("q")) == [None, None]


def test_inner_loops_count_as_often_as_they_run():
    inner = loop("3", "j", following("q"))
    assert slots(loop("n", "i", following("p") + inner)) == [0, None]


def test_conditions_make_what_follows_unknown():
    guarded = "%c = arith.cmpi slt, %n, %3 : index\nscf.if %c {\n" + following("p") + "}\n"
    assert slots(guarded + following("q")) == [0, None]


def test_three_slots():
    assert slots(loop("n", "i", following("p") + following("q") + following("r")), 3) == [0, 1, 2]
    assert slots(loop("n", "i", following("p") + following("q")), 3) == [None, None]

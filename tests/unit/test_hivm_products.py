"""What is one `mmadL1`, and what is refused: products that are not one of L1, flags between its loads."""

from pathlib import Path

import pytest
from planned_memory import sized
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, SSAValue

from ascend_opt.compiler.pipeline.read_module import make_context
from ascend_opt.compiler.text.mlir_text import parse_mlir_text
from ascend_opt.dialects import ascend
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.hivm_out.forms import Form, Forms
from ascend_opt.passes.hivm_out.product_plan import ProductPlan, plan_products
from ascend_opt.passes.support.errors import LocatedError

TEXT = (Path(__file__).parents[1] / "lit" / "hivm" / "emit-product.mlir").read_text()
"""A kernel of one product, 32 x 32 x 32."""


CHIP = load_target("ascend910b")


def planned(text: str, target: Target = CHIP) -> ProductPlan:
    module = parse_mlir_text(make_context(), text, "<test>")
    kernel = next(op for op in module.walk() if isinstance(op, ascend.KernelOp))
    return plan_products(kernel, target)


def changed(old: str, new: str) -> str:
    assert TEXT.count(old) == 1
    return TEXT.replace(old, new)


def line(start: str) -> str:
    """The line of the text that starts so."""
    (found,) = (one for one in TEXT.splitlines() if one.strip().startswith(start))
    return found


def test_a_product_has_its_operands_sums_and_flags():
    ((product,),) = planned(TEXT).at.values()
    assert (product.rows, product.columns, product.length) == (32, 32, 32)
    assert (product.a.blocks, product.a.rows, product.a.turned) == (2, 32, False)
    assert (product.b.blocks, product.b.rows, product.b.turned) == (2, 32, True)
    assert (len(product.waits), len(product.sets), product.once) == (1, 0, True)
    assert product.wait_b is not None and product.set_a is not None


def half_of(mmad: str, half: int) -> str:
    """Views of half of K, and the product of these; the first one starts the sums, the second one ends them."""
    types = (
        f'memref<2x1x16x16xf16, strided<[512, 256, 16, 1]{", offset: 256" * half}>, "l0a">',
        f'memref<1x2x16x16xf16, strided<[512, 256, 16, 1]{", offset: 512" * half}>, "l0b">',
    )
    left = (
        f"%lv{half} = ascend.view %l {{start = {256 * half} : i64, static_sizes = array<i64: 2, 1, 16, 16>, "
        f'strides = array<i64: 512, 256, 16, 1>}} : memref<1024xf16, "l0a"> -> {types[0]}'
    )
    right = (
        f"%rv{half} = ascend.view %r {{start = {512 * half} : i64, static_sizes = array<i64: 1, 2, 16, 16>, "
        f'strides = array<i64: 512, 256, 16, 1>}} : memref<1024xf16, "l0b"> -> {types[1]}'
    )
    first, last = (("%yes", "%no"), ("%no", "%yes"))[half]
    product = (
        f"ascend.mmad %lv{half}, %rv{half}, %cv size %n, %n, %half init {first} unit {last} : {types[0]}, {types[1]}, "
        + mmad.rpartition('l0b">, ')[2]
    )
    return "\n".join((left, right, product))


def test_parts_of_k_are_one_product():
    mmad = line("ascend.mmad")
    constants = "%half = arith.constant 16 : index\n%no = arith.constant 0 : i1"
    text = TEXT.replace(mmad, "\n".join([constants, half_of(mmad, 0), half_of(mmad, 1)]))
    small = sized(CHIP, {"l0a": 2 * 32 * 16 * 2})  # half of it has room for 16 of K
    ((product,),) = planned(text, small).at.values()
    assert (product.rows, product.columns, product.length) == (32, 32, 32)
    assert product.sizes[1].more == 16
    with pytest.raises(LocatedError, match="sums start within what is one product"):
        planned(text.replace("init %no", "init %yes"), small)
    with pytest.raises(LocatedError, match="FixPipe starts within what is one product"):
        planned(text.replace("unit %no", "unit %yes"), small)
    with pytest.raises(LocatedError, match="parts of K that are not those of one mmadL1"):
        planned(text)


def test_trips_that_are_not_one_product_are_one_each():
    """The same product twice."""
    first, last = (
        TEXT.index(line("ascend.load2d %a0")),
        TEXT.index(line("ascend.mmad")) + len(line("ascend.mmad")),
    )
    without = (
        TEXT[first:last]
        .replace('    ascend.set_flag "MTE1" -> "MTE2", %two\n', "")
        .replace(line('ascend.wait_flag "MTE2" -> "MTE1", %one'), "")
    )
    plan = planned(
        TEXT[:first] + f"    scf.for %i = %zero to %two step %one {{\n{without}\n    }}" + TEXT[last:]
    )
    ((op, (product,)),) = plan.at.items()
    assert isinstance(op, ascend.MmadOp) and (product.length, product.waits) == (32, ())


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (line("ascend.load2d %a1") + "\n", "", "an operand stays in L0"),
        ("%b0, %r0 {transpose}", "%b0, %r0", "fractals lie otherwise in L1"),
        (
            line("ascend.load2d %a1"),
            line("ascend.load2d %a0").replace("%l0", "%l1").replace('1]>, "l0a"', '1], offset: 512>, "l0a"'),
            "fractals lie otherwise in L1",
        ),
        (
            "    ascend.load2d %b1",
            '    ascend.wait_flag "MTE2" -> "MTE1", %two\n    ascend.load2d %b1',
            "between the loads of one mmadL1",
        ),
    ],
)
def test_what_is_no_product_of_l1_is_refused(old: str, new: str, reason: str):
    with pytest.raises(LocatedError, match=reason):
        planned(changed(old, new))


def test_forms_say_how_far_apart_indices_are():
    block = Block(arg_types=[IndexType(), IndexType()])
    forms, made = Forms(), list[SSAValue]()

    def put(op: arith.ConstantOp | arith.AddiOp | arith.MuliOp | arith.CmpiOp | arith.DivUIOp) -> SSAValue:
        block.add_op(op)
        made.append(op.result)
        return op.result

    x, y = block.args
    four = put(arith.ConstantOp.from_int_and_width(4, IndexType()))
    times = put(arith.MuliOp(x, four))
    more = put(arith.AddiOp(times, four))
    assert (forms.of(more, {}) - forms.of(times, {})).known == 4
    assert (forms.of(more, {}) - forms.of(y, {})).known is None
    assert forms.of(more, {x: 3}) == Form(16)
    assert forms.of(put(arith.DivUIOp(more, four)), {x: 3}) == Form(4)
    assert forms.of(put(arith.CmpiOp(more, times, "eq")), {}) == Form(0)
    assert forms.of(put(arith.CmpiOp(more, times, "sge")), {}) == Form(1)
    assert forms.of(put(arith.CmpiOp(more, y, "eq")), {}).known is None

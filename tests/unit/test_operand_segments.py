"""Operands that are looked up for less are those that xDSL's accessors give."""

from abc import ABC

import pytest
from ascend_programs import Program
from xdsl.dialects import test
from xdsl.dialects.builtin import IndexType, TensorType, f16
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    var_operand_def,
)

from ascend_opt.dialects.ascend import ViewOp
from ascend_opt.dialects.operand_segments import quick_operands


class Operands(IRDLOperation, ABC):
    first = operand_def()
    maybe = opt_operand_def()
    some = var_operand_def()
    last = operand_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@irdl_op_definition
class Plain(Operands):
    name = "test.plain"


@quick_operands
@irdl_op_definition
class Quick(Operands):
    name = "test.quick"


@pytest.mark.parametrize("optional", [0, 1])
@pytest.mark.parametrize("several", [0, 1, 3])
def test_operands_are_those_of_xdsl(optional: int, several: int):
    values = test.TestOp(result_types=[TensorType(f16, [n + 1]) for n in range(6)]).results
    operands = [values[0], list(values[1 : 1 + optional]), list(values[2 : 2 + several]), values[5]]
    plain, quick = Plain(operands=operands), Quick(operands=operands)
    quick.verify_()
    for name in ("first", "maybe", "last"):
        assert getattr(quick, name) is getattr(plain, name), name
    assert list(quick.some) == list(plain.some) == list(values[2 : 2 + several])
    with pytest.raises(NotImplementedError):
        quick.maybe = None


@pytest.mark.parametrize("computed", [(), (0,), (0, 1)])
@pytest.mark.parametrize("offset", [False, True])
def test_views_are_built_as_xdsl_builds_them(computed: tuple[int, ...], offset: bool):
    p = Program()
    index: SSAValue = test.TestOp(result_types=[IndexType()]).results[0]
    sizes = [index if i in computed else 16 for i in range(2)]
    view = ViewOp(p.buffer("a", "ub", (256,), 0), sizes, (16, 1), index if offset else None)
    view.verify()
    fields = view.start, view.static_sizes, view.strides
    names = "start", "static_sizes", "strides"
    other = ViewOp.__new__(ViewOp)
    IRDLOperation.__init__(
        other,
        operands=[[view.base], [], [index] * offset, [index] * len(computed)],
        properties=dict(zip(names, fields, strict=True)),
        result_types=[view.result.type],
    )
    assert list(view.properties.items()) == list(other.properties.items())
    assert list(view.operands) == list(other.operands)

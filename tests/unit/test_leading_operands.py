"""Operands in front of the first variadic one are read by their places."""

from xdsl.irdl import IRDLOperation, VarOperandDef
from xdsl.irdl.operations import BaseAttrAccessor

import ascend_opt
from ascend_opt.dialects.ascend import Ascend

TEXT = """graph @f(%x: tensor<64x96xf16>, %w: tensor<96x48xf16>, %b: tensor<48xf16>) {
  %p = matmul(%x, %w)
  %y = bias_add(%p, %b)
  return %y
}"""


def _leading(kind: type[IRDLOperation]) -> list[str]:
    names: list[str] = []
    for name, one in kind.get_irdl_definition().operands:
        if isinstance(one, VarOperandDef):
            break
        names.append(name)
    return names


def test_no_name_in_front_of_variadic_operands_reads_their_sizes() -> None:
    for kind in Ascend.operations:
        assert issubclass(kind, IRDLOperation)
        assert not any(isinstance(kind.__dict__.get(name), BaseAttrAccessor) for name in _leading(kind))


def test_names_give_the_operands_in_the_order_of_the_definition() -> None:
    module, seen = ascend_opt.compile(TEXT, target="ascend910b").module, set[str]()
    for op in module.walk():
        if isinstance(op, IRDLOperation) and type(op) in Ascend.operations:
            for place, name in enumerate(_leading(type(op))):
                assert getattr(op, name) is op.operands[place]
                seen.add(f"{op.name} {name}")
    assert {"ascend.view base", "ascend.mmad lhs", "ascend.mmad rhs", "ascend.mmad acc"} <= seen

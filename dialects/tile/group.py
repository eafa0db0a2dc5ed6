"""A group of graph ops that are to be one kernel: which ops those are, and nothing of how they are computed."""

from collections.abc import Sequence
from typing import Self, cast

from xdsl.dialects.builtin import FloatAttr, StringAttr, TensorType, f64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException

from .chunks import YieldOp
from .layout import layout_of, physical_shape


@irdl_op_definition
class GroupOp(IRDLOperation):
    """Graph ops that are to be one kernel. Each operand is known inside by a name of its own; the body gives the
    result, of which it computes every element.

    Inside, tensors have no layout. How a tensor between two groups lies in GM is said by its type outside: row-major,
    or in blocks (`#tile.layout`).

    `predicted_us` is what the kernel was predicted to take when the group was chosen. It is a note for people: tiles
    are chosen, and priced, for the ops that the group has.

        %y = tile.group "f_0"(%a = %x, %b = %w) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
             predicted 5.21 us {
          %p = graph.matmul %a, %b : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
          %r = graph.relu %p : (tensor<64x64xf16>) -> tensor<64x64xf16>
          tile.yield %r : tensor<64x64xf16>
        }
    """

    name = "tile.group"
    group_name = prop_def(StringAttr)
    predicted_us = opt_prop_def(FloatAttr)
    inputs = var_operand_def(TensorType)
    result = result_def(TensorType)
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove())

    def __init__(
        self,
        name: str,
        inputs: Sequence[SSAValue],
        result_type: Attribute,
        body: Region | None = None,
        predicted_us: float | None = None,
    ):
        """Without a `body` the block has the arguments and no ops yet."""
        block = Block(arg_types=[without_layout(value.type) for value in inputs])
        super().__init__(
            operands=[list(inputs)],
            result_types=[result_type],
            properties={
                "group_name": StringAttr(name),
                "predicted_us": None if predicted_us is None else FloatAttr(round(predicted_us, 2), f64),
            },
            regions=[Region(block) if body is None else body],
        )

    @property
    def ops(self) -> tuple[Operation, ...]:
        """The ops of the group in program order, without the yield."""
        return tuple(op for op in self.body.block.ops if not isinstance(op, YieldOp))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_str_literal()

        def bound() -> tuple[Parser.UnresolvedArgument, UnresolvedOperand]:
            argument = parser.parse_argument(expect_type=False)
            parser.parse_punctuation("=")
            return argument, parser.parse_unresolved_operand()

        pairs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, bound)
        parser.parse_punctuation(":")
        at = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        inputs = parser.resolve_operands([operand for _, operand in pairs], types, at)
        parser.parse_punctuation("->")
        result_type = parser.parse_type()
        predicted: float | None = None
        if parser.parse_optional_keyword("predicted") is not None:
            predicted = float(parser.parse_number())
            parser.parse_keyword("us")
        attributes = parser.parse_optional_attr_dict_with_keyword(("group_name", "predicted_us"))
        arguments = [
            argument.resolve(without_layout(kind)) for (argument, _), kind in zip(pairs, types, strict=True)
        ]
        group = cls(name, inputs, result_type, parser.parse_region(arguments), predicted)
        if attributes is not None:
            group.attributes = dict(attributes.data)
        return group

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.group_name.data)

        def bound(pair: tuple[SSAValue, SSAValue]) -> None:
            printer.print_ssa_value(pair[0])
            printer.print_string(" = ")
            printer.print_ssa_value(pair[1])

        with printer.in_parens():
            printer.print_list(list(zip(self.body.block.args, self.inputs, strict=True)), bound)
        printer.print_string(" : ")
        with printer.in_parens():
            printer.print_list([value.type for value in self.inputs], printer.print_attribute)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)
        if self.predicted_us is not None:
            printer.print_string(f" predicted {self.predicted_us.value.data:.2f} us")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)

    def verify_(self) -> None:
        block, name = self.body.block, f'tile.group "{self.group_name.data}"'
        if len(block.args) != len(self.inputs):
            raise VerifyException(f"{name}: {len(block.args)} block arguments, {len(self.inputs)} operands")
        for outer, inner in zip(self.inputs, block.args, strict=True):
            if inner.type != without_layout(outer.type):
                raise VerifyException(
                    f"{name}: an operand is {outer.type} outside and {inner.type} inside; there it is the same "
                    "tensor without a layout"
                )
        for argument, value in zip(block.args, self.inputs, strict=True):
            if not argument.uses:
                raise VerifyException(f"{name}: operand {_shown(value, self)} is used by no op of the group")
        last, ops = block.last_op, self.ops
        if not isinstance(last, YieldOp) or len(last.values) != 1:
            raise VerifyException(f"{name}: the group ends with tile.yield of the one tensor that it gives")
        (given,) = last.values
        if given.type != without_layout(self.result.type):
            raise VerifyException(
                f"{name}: gives {self.result.type}, and {given.type} is yielded; apart from its layout that is the same"
            )
        for value in (*self.inputs, self.result):
            physical_shape(cast(TensorType[Attribute], value.type))
        self._verify_ops(name)
        if not ops or given.owner is not ops[-1]:
            raise VerifyException(f"{name}: the last op of the group gives the tensor that is yielded")

    def _verify_ops(self, name: str) -> None:
        """Graph ops that compute, each for the result."""
        for op in self.ops:
            rule = getattr(type(op), "TILING", None)
            if op.dialect_name() != "graph" or rule is None:
                raise VerifyException(f"{name}: {op.name} is no graph op; those are all that a group has")
            if rule.engine == "view":
                raise VerifyException(
                    f"{name}: {op.name} computes nothing; it stands outside and is an operand"
                )
            if not any(result.uses for result in op.results):
                raise VerifyException(f"{name}: {op.name} is of no use to what the group gives")


def without_layout(kind: Attribute) -> Attribute:
    """The type of a tensor, row-major; any other type as it is."""
    if layout_of(kind) is None:
        return kind
    tensor = cast(TensorType[Attribute], kind)
    return TensorType(tensor.element_type, tensor.get_shape())


def _shown(value: SSAValue, group: GroupOp) -> str:
    return f"%{value.name_hint}" if value.name_hint else f"number {list(group.inputs).index(value)}"


__all__ = ["GroupOp", "without_layout"]

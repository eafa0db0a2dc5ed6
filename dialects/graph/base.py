"""The base of every graph op: signature, defaults, type inference and syntax from one irdl definition.

An op states its operands, its properties and `infer_types`. From these follow its verifier, its
constructor from Python values, its syntax, and what a front end needs to check text against it.

    %y = graph.conv2d %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<..>, tensor<..>) -> tensor<..>
"""

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NoReturn, cast
from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import (
    AnyFloat,
    BoolAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
    f64,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrConstraint,
    OptionalDef,
    ParamAttrConstraint,
    ParsePropInAttrDict,
    VarConstraint,
    VariadicDef,
    VarResultDef,
    irdl_to_attr_constraint,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..attributes import number_attribute
from ..dynamic import infer_dynamic, is_dynamic
from ..late_format import LateFormat
from ..op_checks import of_structure
from ..records import dataclass
from ..tiling import TilingRule
from .elements import ExactElementsAttr, ExternalTensorAttr, exact_elements
from .fusion_marks import check_marks

INT = IntegerAttr.constr(i64)
INTS = DenseArrayBase.constr(i64)
FLOAT = FloatAttr.constr(f64)
FLOATS = DenseArrayBase.constr(f64)
BOOL = irdl_to_attr_constraint(BoolAttr)
STR = irdl_to_attr_constraint(StringAttr)
DTYPE = irdl_to_attr_constraint(AnyFloat | IntegerType)
TENSOR_TYPE = VarConstraint("T", AnyAttr())
_DENSE = ParamAttrConstraint(DenseIntOrFPElementsAttr, (TENSOR_TYPE, AnyAttr()))
TENSOR = (
    _DENSE
    | ParamAttrConstraint(ExactElementsAttr, (_DENSE,))
    | ParamAttrConstraint(ExternalTensorAttr, (AnyAttr(), AnyAttr(), TENSOR_TYPE))
)
"""A tensor's value; a result over `TENSOR_TYPE` has its type."""

KINDS: dict[str, AttrConstraint] = {
    "bool": BOOL,
    "int": INT,
    "ints": INTS,
    "float": FLOAT,
    "floats": FLOATS,
    "str": STR,
    "dtype": DTYPE,
    "tensor": TENSOR,
}

AnyTensor = TensorType[Attribute]
Types = tuple[AnyTensor, ...]
Values = Mapping[str, Any]
"""Attributes of an op as Python values."""


@dataclass(frozen=True)
class AttributeSpec:
    """One attribute of an op: `kind` is a key of `KINDS`; `default` is None if the op states none.

    `required` means that it must be given; an attribute that is neither required nor defaulted may be
    absent. `choices` lists the legal strings of an enumeration (empty: any).
    """

    name: str
    kind: str
    default: Attribute | None
    required: bool
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class OperandSpec:
    """One operand of an op, in order."""

    name: str
    optional: bool = False
    variadic: bool = False


def to_attribute(kind: str, value: Any) -> Attribute:
    """The attribute of `kind` for a Python value (an `Attribute` passes unchanged).

    Raises ValueError if the value is not of that kind.
    """
    if isinstance(value, Attribute):
        return value
    match kind, value:
        case "bool", bool():
            return BoolAttr.from_bool(value)
        case "int", int() if not isinstance(value, bool):
            return IntegerAttr(value, i64)
        case "ints", _ if isinstance(value, Sequence) and not isinstance(value, str):
            items = list(cast(Sequence[Any], value))
            if all(isinstance(item, int) and not isinstance(item, bool) for item in items):
                return DenseArrayBase.from_list(i64, items)
        case "floats", _ if isinstance(value, Sequence) and not isinstance(value, str):
            numbers = list(cast(Sequence[Any], value))
            if all(isinstance(item, int | float) and not isinstance(item, bool) for item in numbers):
                return DenseArrayBase.from_list(f64, [float(item) for item in numbers])
        case "float", int() | float() if not isinstance(value, bool):
            return FloatAttr(float(value), f64)
        case "str", str():
            return StringAttr(value)
        case _:
            pass
    raise ValueError(f"expected {kind}, got {value!r}")


def to_python(attribute: Attribute) -> Any:
    """The Python value of an attribute; types and tensors stay attributes."""
    match attribute:
        case IntegerAttr() if attribute.type == IntegerType(1):
            return bool(attribute.value.data)
        case IntegerAttr():
            return attribute.value.data
        case FloatAttr():
            return attribute.value.data
        case StringAttr():
            return attribute.data
        case DenseArrayBase():
            return tuple(cast(DenseArrayBase[Any], attribute).get_values())
        case _:
            return attribute


def dims(type_: AnyTensor) -> str:
    """Shape for a message: `64x128`, `?` for a dynamic dimension, `scalar` for rank 0."""
    return "x".join("?" if d < 0 else str(d) for d in type_.get_shape()) or "scalar"


def bare_names(names: Sequence[str], between: str = " ") -> str:
    """Names of ops without their dialect."""
    return between.join(name.removeprefix("graph.") for name in names)


def check_number(cls: "type[GraphOp]", name: str, value: float | None, type_: AnyTensor) -> None:
    """The op's VerifyException where attribute `name` is a number that stands beside no elements of a tensor."""
    try:
        if value is not None:
            number_attribute(value, type_.element_type)
    except ValueError:
        cls.fail(f"{name} = {value} must be a whole number: x is {type_}")


_values: "WeakKeyDictionary[GraphOp, tuple[object, dict[str, Any]]]" = WeakKeyDictionary()
"""Of ops: the attributes that they had, and those as Python values."""


class GraphOp(LateFormat, ABC):
    """Base of the ops of the graph dialect: pure functions of tensors with inferred result types.

    A subclass defines its operands (`operand_def(TensorType)`, ...), properties over the constraints of
    this module, one or more results, `infer_types` and `TILING`. An op whose rule depends on its attributes states the
    others in `MORE_TILINGS` and chooses in `tiling`.
    """

    TILING: ClassVar[TilingRule]
    MORE_TILINGS: ClassVar[tuple[TilingRule, ...]] = ()
    CHOICES: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Legal strings of enumeration attributes."""
    OPTIONAL: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Names of the optional operands that a variadic one, the last, stands for."""
    SAME_ELEMENT_TYPE: ClassVar[bool] = True
    """Whether all operands must have one element type."""
    TAKES_I8: ClassVar[bool] = False
    """Whether the chip computes the op on i8."""
    TAKES_I1: ClassVar[bool] = False
    """Whether the chip computes the op on i1."""
    TAKES_I32: ClassVar[bool] = False
    """Whether the chip computes the op on i32, or takes indices of i32."""

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())
    FORMAT: ClassVar[str] = "operands attr-dict `:` functional-type(operands, results)"

    def __init__(
        self, *operands: SSAValue | Operation | Sequence[SSAValue | Operation] | None, **attributes: Any
    ):
        """Build the op from operands (None for an absent optional one, a list for a variadic one) and Python attribute
        values; result types are inferred. Raises VerifyException or ValueError on illegal input."""
        specs = self.attribute_specs()
        unknown = sorted(attributes.keys() - specs.keys())
        if unknown:
            self.fail(f"has no attribute '{unknown[0]}', only {', '.join(specs) or 'none'}")
        properties = {
            name: to_attribute(specs[name].kind, value)
            for name, value in attributes.items()
            if value is not None
        }
        values = [
            SSAValue.get(value)
            for operand in operands
            for value in (operand if isinstance(operand, Sequence) else () if operand is None else (operand,))
        ]
        types = self.infer([cast(AnyTensor, value.type) for value in values], properties)
        slots = len(self.get_irdl_definition().operands)
        if self.OPTIONAL:
            given = [cast(SSAValue, operand) for operand in operands[slots - 1 :] if operand is not None]
            operands = (*operands[: slots - 1], given)
        absent = slots - len(operands)
        several = any(isinstance(d, VarResultDef) for _, d in self.get_irdl_definition().results)
        super().__init__(
            operands=[[] if operand is None else operand for operand in (*operands, *[None] * absent)],
            result_types=[list(types)] if several else list(types),
            properties=properties,
        )

    @classmethod
    def short_name(cls) -> str:
        """Name without the dialect, as graph text spells it."""
        return cls.name.partition(".")[2]

    @classmethod
    def operand_specs(cls) -> tuple[OperandSpec, ...]:
        return tuple(
            OperandSpec(
                one,
                optional := isinstance(d, OptionalDef) or name in cls.OPTIONAL,
                isinstance(d, VariadicDef) and not optional,
            )
            for name, d in cls.get_irdl_definition().operands
            for one in cls.OPTIONAL.get(name, (name,))
        )

    @classmethod
    def operand_names(cls) -> tuple[str, ...]:
        return tuple(spec.name for spec in cls.operand_specs())

    @classmethod
    def operand_counts(cls) -> tuple[int, int | None]:
        """Fewest and most operands (None: no limit)."""
        specs = cls.operand_specs()
        fewest = sum(not (spec.optional or spec.variadic) for spec in specs)
        return fewest, None if any(spec.variadic for spec in specs) else len(specs)

    @classmethod
    def attribute_specs(cls) -> dict[str, AttributeSpec]:
        """The op's attributes by name, in the order of their definition."""
        specs: dict[str, AttributeSpec] = {}
        for name, definition in cls.get_irdl_definition().properties.items():
            kind = next((k for k, c in KINDS.items() if c == definition.constr), "attribute")
            required = definition.default_value is None and not isinstance(definition, OptionalDef)
            specs[name] = AttributeSpec(
                name, kind, definition.default_value, required, cls.CHOICES.get(name, ())
            )
        return specs

    @classmethod
    def infer(
        cls, operand_types: Sequence[AnyTensor], properties: Mapping[str, Attribute]
    ) -> tuple[AnyTensor, ...]:
        """Result types for these operand types and properties (defaults are filled in).

        Raises VerifyException naming the op, both shapes or the offending value, and the limit.
        """
        cls._check_operands(operand_types)
        values = cls._check_properties(properties)
        if any(map(is_dynamic, operand_types)):
            return infer_dynamic(lambda types: cls.infer_types(types, values), operand_types, cls.name)
        return cls.infer_types(tuple(operand_types), values)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        """The op's own shape rule; `attributes` holds Python values, None for an absent optional one."""
        raise NotImplementedError(f"{cls.name} states no shape rule")

    @classmethod
    def fail(cls, message: str) -> NoReturn:
        """Raise the op's VerifyException."""
        raise VerifyException(f"{cls.name}: {message}")

    @property
    def tiling(self) -> TilingRule:
        """The rule by which this op tiles: what computes it may depend on its attributes and shapes."""
        return self.TILING

    def indexed(self, index: int) -> int | None:
        """Into how many elements operand `index` holds indices; None where it holds none."""
        return None

    def ascends(self, index: int) -> bool:
        """Whether operand `index` holds places that ascend from 0 or more: starts of parts, no index from the end."""
        return False

    def attribute_values(self) -> dict[str, Any]:
        """Attributes as Python values, defaults included, None for an absent optional one."""
        basis = tuple(self.properties.items())
        known = _values.get(self)
        if known is None or known[0] != basis:
            names = self.get_irdl_definition().properties
            values = {name: to_python(found) for name, found in basis if name in names}
            known = _values[self] = basis, {name: values.get(name) for name in names}
        return dict(known[1])

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, value in self.properties.items():
            self.properties[name] = exact_elements(value)

    @of_structure
    def verify_(self) -> None:
        check_marks(self)
        operand_types = [cast(AnyTensor, operand.type) for operand in self.operands]
        inferred = self.infer(operand_types, self.properties)
        for stated, expected in zip(self.result_types, inferred, strict=True):
            if stated != expected:
                self.fail(f"result is stated as {stated}, but its operands and attributes give {expected}")

    @classmethod
    def _check_operands(cls, types: Sequence[Attribute]) -> None:
        fewest, most = cls.operand_counts()
        if len(types) < fewest or (most is not None and len(types) > most):
            limit = (
                str(fewest)
                if fewest == most
                else f"{fewest} or more"
                if most is None
                else f"{fewest} to {most}"
            )
            cls.fail(f"takes {limit} operands ({', '.join(cls.operand_names())}), got {len(types)}")
        for index, type_ in enumerate(types):
            if not isinstance(type_, TensorType):
                cls.fail(f"operand {index} must be a ranked tensor, got {type_}")
        elements = [cast(AnyTensor, type_).element_type for type_ in types]
        if cls.SAME_ELEMENT_TYPE and len(set(elements)) > 1:
            cls.fail(f"operands must have one element type, got {', '.join(map(str, elements))}")

    @classmethod
    def _check_properties(cls, properties: Mapping[str, Attribute]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for spec in cls.attribute_specs().values():
            attribute = properties.get(spec.name, spec.default)
            if attribute is None and spec.required:
                cls.fail(f"needs attribute '{spec.name}' ({spec.kind})")
            value = None if attribute is None else to_python(attribute)
            if spec.choices and value not in spec.choices:
                cls.fail(f"{spec.name} must be one of {', '.join(spec.choices)}, got {value!r}")
            values[spec.name] = value
        return values

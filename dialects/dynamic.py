"""Dimensions whose size is known when a program runs: `?`, as a rule the first dimension of a tensor.

    tensor<?x64x56x56xf16>

All `?` of one graph are one number, the run-time size n, which is 1 or more. So an op's shape rule need not know them:
it is asked at a few sizes, and a dimension that is n in every answer is `?` in the result.
"""

import re
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

SAMPLES = (999_983, 1_000_003, 1)
"""Sizes at which shape rules are asked: two primes that no dimension of a graph has, and the smallest one."""

SIZES = "graph.sizes"
"""Attribute of a graph's function: the run-time sizes that it is tiled for."""

STAND_IN: ContextVar[int | None] = ContextVar("ascend_opt_stand_in", default=None)
"""The prime that every `?` is for the moment; None where `?` has no number."""

T = TypeVar("T", bound=Attribute)
AnyTensor = TensorType[Attribute]


def shape_of(kind: Attribute) -> tuple[int, ...]:
    """The shape of a tensor or memref; empty for what is neither."""
    return kind.get_shape() if isinstance(kind, TensorType | MemRefType) else ()


def depends_on_size(extent: int) -> bool:
    """Whether a dimension is `?`, or what stands in for it, or a multiple of that."""
    number = STAND_IN.get()
    return extent < 0 or (number is not None and extent > 0 and extent % number == 0)


def is_dynamic(kind: Attribute) -> bool:
    """Whether a tensor has a dimension whose size is known at run time only."""
    return DYNAMIC_INDEX in shape_of(kind)


def with_shape(kind: T, shape: Sequence[int]) -> T:
    """The tensor or memref type with another shape."""
    if isinstance(kind, TensorType):
        old = cast(AnyTensor, kind)
        return cast(T, TensorType(old.element_type, shape, old.encoding))
    ref = cast(MemRefType[Attribute], kind)
    return cast(T, MemRefType(ref.element_type, shape, ref.layout, ref.memory_space))


def at_size(kind: T, size: int) -> T:
    """The type at run-time size `size`; a static one as it is."""
    if not is_dynamic(kind):
        return kind
    return with_shape(kind, [size if n == DYNAMIC_INDEX else n for n in shape_of(kind)])


def misplaced(kind: Attribute) -> bool:
    """Whether a dimension other than the first one is `?`."""
    return DYNAMIC_INDEX in shape_of(kind)[1:]


def infer_dynamic(
    infer: Callable[[tuple[AnyTensor, ...]], tuple[AnyTensor, ...]], types: Sequence[AnyTensor], name: str
) -> tuple[AnyTensor, ...]:
    """Result types of an op called `name` some of whose operands have a `?`, by its rule for static shapes.

    Raises VerifyException where a `?` would not be the first dimension of a tensor by itself. Where an operand has one
    elsewhere, that of a result is any size that depends on n.
    """
    if any(map(misplaced, types)):
        return _infer_any(infer, types)
    found = [_at(infer, types, size) for size in SAMPLES]
    return tuple(_opened(answers, index, name) for index, answers in enumerate(zip(*found, strict=True)))


def _infer_any(
    infer: Callable[[tuple[AnyTensor, ...]], tuple[AnyTensor, ...]], types: Sequence[AnyTensor]
) -> tuple[AnyTensor, ...]:
    """Result types with a `?` for each dimension that depends on the run-time size."""
    first, second = (_at(infer, types, size) for size in SAMPLES[:2])
    shapes = [zip(a.get_shape(), b.get_shape(), strict=True) for a, b in zip(first, second, strict=True)]
    return tuple(
        with_shape(kind, [n if n == m else DYNAMIC_INDEX for n, m in pairs])
        for kind, pairs in zip(first, shapes, strict=True)
    )


def _at(
    infer: Callable[[tuple[AnyTensor, ...]], tuple[AnyTensor, ...]], types: Sequence[AnyTensor], size: int
) -> tuple[AnyTensor, ...]:
    """Result types at one run-time size."""
    try:
        return infer(tuple(at_size(kind, size) for kind in types))
    except VerifyException as error:
        text = _in_terms_of_size(str(error), size) if size > 1 else f"{error}, where ? is 1"
        raise VerifyException(text) from None


def _opened(answers: Sequence[AnyTensor], index: int, name: str) -> AnyTensor:
    """A result type that is `answers[i]` at size `SAMPLES[i]`."""
    kind, shape = answers[0], list[int]()
    for d, sizes in enumerate(zip(*(a.get_shape() for a in answers), strict=True)):
        if len(set(sizes)) == 1:
            shape.append(sizes[0])
        elif d == 0 and sizes == SAMPLES:
            shape.append(DYNAMIC_INDEX)
        else:
            size = _in_terms_of_size(str(sizes[0]), SAMPLES[0])
            be = f"be {size}" if "?" in size else "depend on the dynamic size ?"
            raise VerifyException(
                f"{name}: dimension {d} of result {index} would {be}; only the first dimension of a tensor may be "
                "dynamic, and it is ? itself"
            )
    return with_shape(kind, shape)


def _in_terms_of_size(text: str, size: int) -> str:
    """A message with `?` for the number `size`, `4*?` for multiples of it."""

    def one(match: Any) -> str:
        times, rest = divmod(int(match[0]), size)
        return match[0] if rest or not times else "?" if times == 1 else f"{times}*?"

    return re.sub(r"\d+", one, text)

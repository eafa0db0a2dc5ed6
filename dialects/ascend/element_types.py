"""What instructions take of element types, whatever the chip."""

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from ..element_types import SUMS
from .memory import dtype_of, space_of

DRAINED = {
    ("fixpipe", "f32"): ("f32", "f16", "bf16", "i8"),
    ("fixpipe", "i32"): ("i32", "f16", "i8"),
    ("copy", "f32"): ("f32", "f16", "bf16"),
    ("copy", "i32"): ("i32",),
}
"""What the sums of a type become on the way out of L0C."""


def check_factor(name: str, value: SSAValue) -> None:
    """`VerifyException` where elements are no operands of a product."""
    if dtype_of(value) not in SUMS:
        raise VerifyException(f"{name}: the Cube multiplies {', '.join(SUMS)}, not {dtype_of(value)}")


def check_move(name: str, source: SSAValue, destination: SSAValue) -> None:
    """`VerifyException` where a load of L0 is not from L1, or would convert."""
    if space_of(source) != "l1" or space_of(destination) not in ("l0a", "l0b"):
        raise VerifyException(
            f"{name}: loads from l1 to l0a or l0b, not {space_of(source)} to {space_of(destination)}"
        )
    if dtype_of(source) != dtype_of(destination):
        raise VerifyException(f"{name}: cannot convert {dtype_of(source)} to {dtype_of(destination)}")


def check_sums(name: str, value: SSAValue, factor: SSAValue | None = None) -> None:
    """`VerifyException` where what is in L0C is no sum of a product, or not of one of `factor`."""
    known = sorted(set(SUMS.values())) if factor is None else [SUMS[dtype_of(factor)]]
    if dtype_of(value) not in known:
        products = "" if factor is None else f" products of {dtype_of(factor)}"
        raise VerifyException(
            f"{name}: the Cube sums{products} in {' or '.join(known)}, not in {dtype_of(value)}"
        )


def check_drained(name: str, how: str, source: SSAValue, destination: SSAValue) -> None:
    """`VerifyException` where the way out of L0C does not give the destination's element type."""
    check_sums(name, source)
    known = DRAINED[how, dtype_of(source)]
    if dtype_of(destination) not in known:
        of = "" if dtype_of(source) == "f32" else f" in {dtype_of(source)}"
        raise VerifyException(f"{name}: sums{of} become {', '.join(known)}, not {dtype_of(destination)}")

"""A call of an op as a graph: graph text in which `DT` is the type."""

from collections.abc import Sequence


def text(shape: Sequence[int], dtype: str = "DT") -> str:
    """The type of a tensor."""
    return f"tensor<{'x'.join(map(str, (*shape, dtype)))}>"


def call(
    op: str, operands: Sequence[tuple[Sequence[int], str]], attributes: str = "", results: int = 1
) -> str:
    """A graph of one call; those operands whose type ends in `!` are weights."""
    names = "xwbcde"
    given = ", ".join(
        f"%{n}: {text(shape, kind.rstrip('!'))}" + " {weight}" * kind.endswith("!")
        for n, (shape, kind) in zip(names, operands, strict=False)
    )
    used = ", ".join(f"%{n}" for n, _ in zip(names, operands, strict=False))
    made = ", ".join(f"%y{i}" for i in range(results))
    return f"graph @f({given}) {{\n  {made} = {op}({used}) {{{attributes}}}\n  return {made}\n}}"


def plain(*shapes: Sequence[int]) -> list[tuple[Sequence[int], str]]:
    """Operands of these shapes that are no weights."""
    return [(shape, "DT") for shape in shapes]

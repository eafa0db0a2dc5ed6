"""The IR of `fusion-forms.md`: the kernel of each graph of the page, as an excerpt."""

from collections.abc import Callable, Iterator
from functools import partial

from excerpts import excerpt, files_of, steps

PAGE = "fusion-forms.md"
CHIP = "ascend910"

KERNEL = r"= tile\.kernel"
STORE = r"tile\.store"
LEFT = r"tile\.load .*, (l1|ub),"
PACKED = r"packed = \"zn\""
CONTRACT = r"tile\.contract"
SUMS = r"} -> .*l0c"
CHUNKS = r"tile\.chunks"
EXTRACT = r"tile\.extract"

SHOWN = {
    "flat": (KERNEL, r"tile\.load", r"tile\.load", "vmul", "vrelu", STORE),
    "rows": (KERNEL, LEFT, "vadd", '"max"', "vsub", "vexp", '"add"', "vrec", "vmul", STORE),
    "lanes": (r"graph\.reshape", KERNEL, r"tile\.load", STORE, r"graph\.reshape"),
    "window": (KERNEL, LEFT, "vrelu", r"tile\.border", r"tile\.window", r"tile\.window", "vmax", "vmax", STORE),
    "parts": (
        KERNEL, "vdup", "vdup", r"tile\.stream", LEFT, '"max"', "vmax", "vexp", '"add"', "vadd",
        r"tile\.yield", "vrec", r"tile\.stream", LEFT, "vexp", "vmul", STORE,
    ),
    "separable": (
        KERNEL, CONTRACT, LEFT, r"tile\.load", r"tile\.window", r"tile\.window", "vmul", "vmadd", "vrelu",
        r"tile\.move", PACKED, r"tile\.yield", SUMS, CHUNKS, EXTRACT, STORE,
    ),
    "gated": (
        KERNEL, CONTRACT, LEFT, PACKED, PACKED, r"tile\.yield", SUMS, CHUNKS, EXTRACT, EXTRACT, EXTRACT,
        '"vmul"', STORE,
    ),
    "heads": (
        KERNEL, LEFT, r"tile\.stream", CONTRACT, LEFT, SUMS, EXTRACT, '"max"', "vmax", "vexp", "vexp", '"add"',
        r"tile\.move", CONTRACT, LEFT, SUMS, EXTRACT, '"vmul"', '"vadd"', r"tile\.yield", "vrec", '"vmul"', STORE,
    ),
    "part": (
        KERNEL, LEFT, r"tile\.stream", CONTRACT, LEFT, SUMS, '"max"', "vexp", '"add"', r"tile\.move", CONTRACT, SUMS,
        r"tile\.yield", "vrec", '"vmul"', "vln", '"vadd"', STORE, STORE,
    ),
    "two": (
        KERNEL, CONTRACT, LEFT, PACKED, SUMS, CHUNKS, EXTRACT, "vadd", "vrelu", r"tile\.yield", r"} -> .*l1", CONTRACT,
        r"tile\.halo", PACKED, r"tile\.yield", SUMS, CHUNKS, EXTRACT, STORE,
    ),
}  # fmt: skip
"""Of each graph the lines of its kernel that the page shows."""


def _kernel(name: str, wanted: tuple[str, ...]) -> Iterator[str]:
    yield "```"
    yield from excerpt(steps(files_of(PAGE)[f"{name}.mlir"], CHIP).texts["tile-from-groups"], wanted)
    yield "```"


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    f"form {name}": partial(_kernel, name, wanted) for name, wanted in SHOWN.items()
}

__all__ = ["PARTS", "SHOWN"]

"""What a graph says itself about its kernels, as discardable attributes of graph ops: groups, tiles, layouts.

    %1 = graph.relu %0 {graph.fuse = "group1"} : ..    ops of one name become one kernel, no other op joins it
    %2 = graph.exp %1 {graph.nofuse} : ..              a kernel of its own
    %3 = graph.neg %2 {graph.nofuse = "a"} : ..        joins ops with the same word alone, where that pays
    %4 = graph.exp %3 {graph.tile = [1, 128], graph.cores = 8} : ..    the tiles of the kernel that the op is in
    %5 = graph.matmul %4, %w {graph.tiling = "step=256, drain=false"}  other fields of its tiling
    %6 = graph.relu %5 {graph.layout = "rows"} : ..    how its result lies, where it is one of a kernel

An op that a pass splits leaves its mark to its parts; `nofuse` then gets a word, so that the parts may still be one
kernel. What is said of tiles and layouts goes to the last part.
"""

from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

FUSE = "graph.fuse"
NOFUSE = "graph.nofuse"
TILE = "graph.tile"
CORES = "graph.cores"
TILING = "graph.tiling"
LAYOUT = "graph.layout"
MARKS = {"fuse": FUSE, "nofuse": NOFUSE, "tile": TILE, "cores": CORES, "tiling": TILING, "layout": LAYOUT}
"""The attributes by their names in graph text."""
OF_KERNELS = (TILE, CORES, TILING, LAYOUT)
"""Those that say what a kernel is like, and not which ops it has."""
LAYOUTS = ("rows", "blocks")
"""How a tensor between kernels may lie: row-major, or in blocks of 16 (NC1HWC0, NZ)."""


def is_marked(*ops: Operation) -> bool:
    """Whether any of the ops states something of the kernel that it is to be in."""
    return any(name in op.attributes for op in ops for name in MARKS.values())


def kernel_marks(op: Operation) -> tuple[tuple[str, Attribute], ...]:
    """What an op says of the kernel that it is in."""
    if not op.attributes:
        return ()
    return tuple((name, op.attributes[name]) for name in OF_KERNELS if name in op.attributes)


def drop_kernel_marks(op: Operation) -> None:
    """Forget what an op says of the kernel that fusion puts it in."""
    for name, _ in kernel_marks(op):
        del op.attributes[name]


def fuse_group(op: Operation) -> str | None:
    """The name of the group that the op is to be in, None where it states none."""
    stated = op.attributes.get(FUSE)
    return stated.data if isinstance(stated, StringAttr) else None


def joins(op: Operation, other: Operation) -> bool:
    """Whether the marks let the ops be in one kernel that nobody asked for."""
    if FUSE in op.attributes or FUSE in other.attributes:
        return False
    mark, beside = op.attributes.get(NOFUSE), other.attributes.get(NOFUSE)
    return mark == beside and not isinstance(mark, UnitAttr)


def keep_marks(op: Operation, *parts: Operation) -> None:
    """Give the marks of `op` to those that take its place, as far as they have none."""
    marks = {name: op.attributes[name] for name in (FUSE, NOFUSE) if name in op.attributes}
    if isinstance(marks.get(NOFUSE), UnitAttr) and len(parts) > 1:
        place = 0 if op.parent is None else op.parent.get_operation_index(op)
        marks[NOFUSE] = StringAttr(f"{op.name.removeprefix('graph.')}.{place}")
    for part in parts:
        if FUSE not in part.attributes and NOFUSE not in part.attributes:
            part.attributes |= marks
    if parts:
        parts[-1].attributes |= {
            name: mark for name, mark in kernel_marks(op) if name not in parts[-1].attributes
        }


def check_marks(op: Operation) -> None:
    """VerifyException where the marks are of the wrong type, or contradict each other."""
    fuse, nofuse = op.attributes.get(FUSE), op.attributes.get(NOFUSE)
    if fuse is not None and not (isinstance(fuse, StringAttr) and fuse.data):
        raise VerifyException(f"{op.name}: {FUSE} is the name of a group, got {fuse}")
    if nofuse is not None and not isinstance(nofuse, StringAttr | UnitAttr):
        raise VerifyException(f"{op.name}: {NOFUSE} stands alone or is a word, got {nofuse}")
    if fuse is not None and nofuse is not None:
        raise VerifyException(f"{op.name}: {FUSE} and {NOFUSE} contradict each other")
    for name, mark in kernel_marks(op):
        if reason := bad_mark(name, mark):
            raise VerifyException(f"{op.name}: {reason}")
        if len(op.results) > 1:
            word = name.removeprefix("graph.")
            raise VerifyException(
                f"{op.name}: '{word}' is of one kernel, and of {len(op.results)} results each may be another's; "
                "--mark states it of one of them"
            )


def bad_mark(name: str, mark: Attribute) -> str:
    """Why an attribute is not what a kernel's mark of that name says; empty where it is, and for other marks."""
    word, written = name.removeprefix("graph."), str(mark)
    if name == TILE:
        sizes = tile_sizes(mark)
        if not sizes or min(sizes) < 1:
            return f"'{word}' is a list of sizes, 1 or more each, not {list(sizes) or written}"
    elif name == CORES and not _is_count(mark):
        return f"'{word}' is a number of cores, 1 or more, not {written}"
    elif name == LAYOUT and not (isinstance(mark, StringAttr) and mark.data in LAYOUTS):
        return f"'{word}' is {' or '.join(LAYOUTS)}, not {written}"
    elif name == TILING and not (isinstance(mark, StringAttr) and mark.data):
        return f"'{word}' is a text such as \"step=256, drain=false\", not {written}"
    return ""


def tile_sizes(mark: Attribute) -> tuple[int, ...]:
    """The sizes of a tile that a mark states; none where it is no list of whole numbers."""
    if isinstance(mark, DenseArrayBase):
        return tuple(map(int, mark.get_values()))
    sizes = tuple(cast("ArrayAttr[Attribute]", mark)) if isinstance(mark, ArrayAttr) else ()
    if not all(isinstance(size, IntegerAttr) for size in sizes):
        return ()
    return tuple(cast("IntegerAttr[Any]", size).value.data for size in sizes)


def _is_count(mark: Attribute) -> bool:
    return isinstance(mark, IntegerAttr) and cast("IntegerAttr[Any]", mark).value.data >= 1

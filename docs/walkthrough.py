"""The IR of `walkthrough.md`: one convolution after each pass that changes it, as excerpts."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from textwrap import wrap

from excerpts import Steps, excerpt, files_of, steps

PAGE = "walkthrough.md"
CHIP = "ascend910"
REGISTERS = "ascend950"
"""A chip whose Vector unit computes in registers."""

GRAPH = (r"graph\.conv2d", r"graph\.bias_add", r"graph\.leaky_relu", r"graph\.reduce_mean", r"func\.return")
GROUPS = (
    r'= tile\.group "stem_0"',
    *GRAPH[:3],
    r"tile\.yield",
    "}",
    r'= tile\.group "stem_1"',
    GRAPH[3],
    r"tile\.yield",
    "}",
    GRAPH[4],
)
TILE = (
    r"ascend\.pack",
    r"= tile\.kernel \"stem_0\"",
    r"tile\.contract",
    r"-> !tile\.tile<.*, l1,",
    r'packed = "zn"',
    "tile.yield",
    r"} -> !tile\.tile<.*l0c",
    r"tile\.load .*tensor<64xf16> ->",
    r"tile\.chunks",
    r"tile\.extract .*l0c",
    r"tile\.extract",
    "vadd",
    "vlrelu",
    r"tile\.store",
    r"= tile\.kernel \"stem_1\"",
    r"tile\.load",
    "vconv",
    r"tile\.reduce",
    "vmuls",
    "vconv",
    r"tile\.store",
)
KERNEL = r"ascend\.kernel @stem_0"
LOADS = (
    r"scf\.for .* to",
    r"next_slot .*l0c",
    r"scf\.if",
    r"ascend\.copy .*gm.*ub",
    r"ascend\.transpose",
    r"ascend\.copy .*ub.*l1",
    r"ascend\.copy .*gm.*l1",
)
EPILOGUE = (
    r"scf\.if",
    r"ascend\.copy .*gm.*ub",
    r"ascend\.copy .*l0c.*ub",
    r"vec \"vadd\"",
    r"vec \"vlrelu\"",
    r"ascend\.transpose",
    r"ascend\.copy .*ub.*gm",
)
PRODUCTS = (r"scf\.if", r"scf\.for", r"ascend\.load3d", r"ascend\.load2d", r"ascend\.mmad")
LAUNCHES = (
    r"func\.func @stem\.prepare",
    r"ascend\.pack",
    r"func\.return",
    r"func\.func @stem\(",
    r"gm_alloc",
    r"launch @stem_0",
    r"gm_alloc",
    r"launch @stem_1",
)
BUFFERS = (
    KERNEL,
    r"ascend\.buffer .*accumulator",
    r"ascend\.buffer .*lhs",
    r"ascend\.buffer .*feature_map",
    r"ascend\.buffer .*result",
)
SYNCHRONISED = (
    r"set_flag \"V\" -> \"MTE2\"",
    r"scf\.for .* to",
    r"scf\.if",
    r"wait_flag \"V\" -> \"MTE2\"",
    r"ascend\.copy .*gm.*ub",
    r"set_flag \"MTE2\" -> \"V\"",
    r"wait_flag \"MTE2\" -> \"V\"",
    r"ascend\.transpose",
    r"set_flag \"V\" -> \"MTE3\"",
    r"set_flag \"V\" -> \"MTE2\"",
    r"wait_flag \"V\" -> \"MTE3\"",
    r"ascend\.copy .*ub.*l1",
    r"set_flag \"MTE3\" -> \"MTE1\"",
    r"wait_flag \"M\" -> \"V\"",
    r"ascend\.copy .*l0c.*ub",
    r"barrier \"V\"",
    r"vec \"vadd\"",
    r"ascend\.mmad",
    r"set_flag \"M\" -> \"V\"",
)
JOINED = (
    r"ascend\.kernel @stem_1",
    r"wait_flag",
    r"vec \"vconv\"",
    r"barrier \"V\" {joined}",
    r"vec .*{joined}",
    r"vec \"vcadd\".*{joined}",
    r"ascend\.transpose",
)

SHOWN: dict[str, tuple[str, tuple[str, ...]]] = {
    "graph canonicalize": ("graph-canonicalize", (*GRAPH[:2], r"graph\.batch_norm", *GRAPH[2:])),
    "graph fold batch norm": (
        "graph-fold-batch-norm",
        (
            r"graph\.rsqrt",
            r"graph\.mul",
            r"graph\.mul .*-> tensor<64x32",
            r"graph\.cast .*-> tensor<64x32",
            *GRAPH,
        ),
    ),
    "tile group": ("tile-group", GROUPS),
    "tile from groups": ("tile-from-groups", TILE),
    "tile to ascend": ("tile-to-ascend", (KERNEL, *LOADS, *EPILOGUE, *PRODUCTS, r"ascend\.end", *LAUNCHES)),
    "ascend multi buffer": ("ascend-multi-buffer", BUFFERS),
    "ascend plan memory": ("ascend-plan-memory", BUFFERS),
    "ascend plan workspace": ("ascend-plan-workspace", LAUNCHES[3:]),
    "ascend insert sync": ("ascend-insert-sync", SYNCHRONISED),
}
"""Of each part of the page: the pass, and the lines of its IR."""


def _compiled(chip: str = CHIP) -> Steps:
    (graph,) = files_of(PAGE).values()
    return steps(graph, chip)


def _block(lines: Iterator[str]) -> Iterator[str]:
    yield "```"
    yield from lines
    yield "```"


def _after(name: str, wanted: tuple[str, ...], chip: str = CHIP) -> Iterator[str]:
    yield from _block(excerpt(_compiled(chip).texts[name], wanted))


def _report(name: str, wanted: tuple[str, ...]) -> Iterator[str]:
    yield from _block(excerpt(_compiled().reports[name], wanted, shorter=False))


def _passes() -> Iterator[str]:
    """Which passes change the module, on each of the two chips."""
    first, second = (_compiled(chip) for chip in (CHIP, REGISTERS))
    yield f"| pass | `{CHIP}` | `{REGISTERS}` |"
    yield "|---|---|---|"
    quiet: list[str] = []
    for name in first.texts:
        marks = ["changes it" if name in one.changed() else "" for one in (first, second)]
        if any(marks):
            yield f"| `{name}` | {marks[0]} | {marks[1]} |"
        else:
            quiet.append(f"`{name}`")
    yield ""
    yield from wrap(f"The others find nothing to do: {', '.join(quiet)}.", 120, break_on_hyphens=False)


def _programs() -> Iterator[str]:
    """The kernels after the pass, of whose attributes those that it sets are shown."""
    for chip in (CHIP, "ascend910b"):
        text = _compiled(chip).texts["tile-pipeline"]
        found = re.findall(r'(tile\.kernel "\w+").*?(programs = .*)} {$', text, re.MULTILINE)
        yield f"{chip}:"
        yield from (f"  {kernel}(…) attributes {{…, {programs}}}" for kernel, programs in found)


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "walk passes": _passes,
    "walk tile pipeline": lambda: _block(_programs()),
    **{f"walk {part}": partial(_after, *shown) for part, shown in SHOWN.items()},
    "walk fusion report": partial(
        _report,
        "tile-fuse",
        (
            "fusion of",
            "kernel conv2d",
            "tiles ",
            "reads %x",
            "packed",
            "kernel reduce_mean",
            "layout: ",
            "taken: conv2d into",
            "taken: conv2d . bias_add into",
            "refused: ",
        ),
    ),
    "walk memory report": partial(
        _report,
        "ascend-plan-memory",
        (
            "memory of @stem_0",
            "l0c:",
            "accumulator",
            "l0a:",
            "lhs",
            "l1:",
            "feature_map",
            "rhs",
            "ub:",
            "channels",
            "pixels",
        ),
    ),
    "walk workspace report": partial(_report, "ascend-plan-workspace", ("workspace", "act")),
    "walk sync report": partial(_report, "ascend-insert-sync", ("stem_0", "stem_1")),
    "walk join vectors": partial(_after, "ascend-join-vectors", JOINED, REGISTERS),
}

__all__ = ["PARTS", "SHOWN"]

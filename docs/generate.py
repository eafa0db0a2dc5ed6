"""Writes the parts of these pages that come from the code: op references, the pass table, target parameters.

    python docs/generate.py            rewrites them in place
    python docs/generate.py --check    exit code 1 when a page is out of date
    python docs/generate.py --slow     also the parts that take minutes, which the others leave as they are

A part lies between `<!-- generated: name -->` and `<!-- end -->`.
"""

import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

from kernel_forms import PARTS as FORMS
from layers import folders, picture
from target_tables import parameters, targets
from walkthrough import PARTS as WALK
from xdsl.ir import TypeAttribute
from xdsl.utils.arg_spec import ArgSpec

from ascend_opt.compiler.drivers.target_table import Entry, TableOptions, entries
from ascend_opt.compiler.pipeline.pipelines import FUSE, LOWER, build_passes
from ascend_opt.compiler.pipeline.universe import PASSES, UNIVERSE
from ascend_opt.dialects.ascend import Ascend
from ascend_opt.dialects.graph import OPS
from ascend_opt.dialects.graph.base import AttributeSpec, GraphOp, to_python
from ascend_opt.dialects.isa import VECTOR_INSTRUCTIONS
from ascend_opt.dialects.tile import Tile
from ascend_opt.runtime.profile.advice import RULES

sys.path += [str(Path(__file__).parents[1] / folder) for folder in ("benchmarks", "tests/helpers")]

DOCS = Path(__file__).parent

KINDS = {
    "bool": "bool",
    "int": "integer",
    "ints": "list of integers",
    "float": "number",
    "floats": "list of numbers",
    "str": "string",
    "dtype": "element type",
    "tensor": "tensor",
}


def paragraphs(doc: str) -> tuple[str, str]:
    """The prose and the example (its indented or `%y = ...` part) of an op's docstring."""
    prose: list[str] = []
    example: list[str] = []
    for block in inspect.cleandoc(doc).split("\n\n"):
        first = block.lstrip().split("\n")[0]
        code = block.startswith("    ") or re.match(
            r'^(%\S+(?:, %\w+)* = |"?(ascend|tile|graph)\.\w+"?[ (])', first
        )
        if "  `" in block and not code:  # "End of a kernel.  `ascend.end`"
            text, _, inline = block.partition("  `")
            prose.append(text)
            example.append(inline.rstrip("`"))
        else:
            (example if code else prose).append(_unindented(block) if code else block)
    lines = (p if p.startswith("|") else p.replace("\n", " ") for p in prose)
    return "\n\n".join(lines), "\n".join(example)


def _unindented(block: str) -> str:
    """The block from its first line's column on; lines that continue it keep their indentation."""
    first, *rest = block.split("\n")
    width = len(first) - len(first.lstrip())
    return "\n".join([first.lstrip(), *(line[min(width, len(line) - len(line.lstrip())) :] for line in rest)])


def graph_reference() -> Iterator[str]:
    for op in OPS:
        prose, example = paragraphs(op.__doc__ or "")
        yield f"### `{op.short_name()}({_operands(op)})`\n"
        yield prose + "\n"
        attributes = [_attribute(spec) for spec in op.attribute_specs().values()]
        if attributes:
            yield "Attributes: " + "; ".join(attributes) + ".\n"
        engine = {"cube": "the Cube", "vector": "the Vector unit", "view": "nothing: no instruction"}
        engine["composite"] = "the ops that it is made of, which take its place before kernels are built"
        engines = dict.fromkeys(engine[rule.engine] for rule in (op.TILING, *op.MORE_TILINGS))
        yield f"Computed by {' or '.join(engines)}.\n"
        yield f"```\n{example}\n```\n"


def _operands(op: type[GraphOp]) -> str:
    return ", ".join(f"{s.name}?" if s.optional else s.name for s in op.operand_specs())


def _attribute(spec: AttributeSpec) -> str:
    kind = " or ".join(f'`"{c}"`' for c in spec.choices) or KINDS.get(spec.kind, spec.kind)
    if spec.default is not None:
        return f"`{spec.name}`, {kind}, default `{_text(to_python(spec.default))}`"
    return f"`{spec.name}`, {kind}, {'required' if spec.required else 'may be absent'}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(_text(item) for item in cast(tuple[Any, ...], value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _described(title: str, one: Any) -> Iterator[str]:
    """What an op, an attribute or a type says of itself, under a heading."""
    prose, example = paragraphs(one.__doc__ or "")
    yield f"### `{title}`\n"
    yield prose + "\n"
    if example:
        yield f"```\n{example}\n```\n"


def reference(ops: Any) -> Iterator[str]:
    for op in ops:
        yield from _described(op.name, op)


def attribute_reference(attributes: Any) -> Iterator[str]:
    """Attributes and types as they are written, with what they say."""
    for one in attributes:
        yield from _described(f"{'!' if issubclass(one, TypeAttribute) else '#'}{one.name}", one)


def vector_instructions() -> Iterator[str]:
    yield "| instruction | sources | scalar |"
    yield "|---|---|---|"
    for one in VECTOR_INSTRUCTIONS.values():
        yield f"| `{one.name}` | {one.sources} | {'yes' if one.scalar else ''} |"


def passes() -> Iterator[str]:
    pipelines: dict[str, list[str]] = {}
    for option, stages in (("`--fuse`", FUSE), ("`--lower`", LOWER)):
        named = dict.fromkeys(name for name, _ in stages)
        steps = build_passes(UNIVERSE.all_passes, [ArgSpec(name, {}) for name in named])
        for name in dict.fromkeys([*named, *(step.name for step in steps)]):
            pipelines.setdefault(name, []).append(option)
    yield "| pass | in | does | options |"
    yield "|---|---|---|---|"
    for name in PASSES:
        one = UNIVERSE.all_passes[name]()
        module = sys.modules[one.__module__]
        first = inspect.cleandoc(module.__doc__ or "").split("\n\n")[0].replace("\n", " ")
        options = ", ".join(f"`{f.name.replace('_', '-')}`" for f in fields(one) if f.name != "name")
        yield f"| `{name}` | {', '.join(pipelines.get(name, ()))} | {first} | {options} |"


def measured() -> Iterator[str]:
    """Published measurements and predictions, the worst first: runs the fidelity benchmark."""
    import fidelity

    yield from fidelity.whole_study().page()


def left_out() -> Iterator[str]:
    """Points without the numbers that were taken from them: runs the fidelity benchmark."""
    import fidelity
    from fidelity import leave_one_out

    yield from leave_one_out.table(fidelity.whole_study().left_out)


def error_bars() -> Iterator[str]:
    """Intervals by regime: runs the fidelity benchmark."""
    import fidelity
    from fidelity import intervals

    yield from intervals.table(fidelity.whole_study().residuals)


def provenance() -> Iterator[str]:
    """Where the numbers of the clock are from."""
    from fidelity import provenance

    yield from provenance.table()


def library() -> Iterator[str]:
    """The library's products and this compiler's own schedules: runs them."""
    from fidelity import library

    yield from library.table()


def advice_rules() -> Iterator[str]:
    """The rules of the profile's advice; what a rule's evidence states is in italics."""
    yield "| rule | evidence | what helps |"
    yield "|---|---|---|"
    for rule in RULES:
        texts = (rule.evidence.replace("{why}", ", and why"), rule.help, rule.lone)
        evidence, helps, lone = (re.sub(r"\{(\w+)[^}]*\}", r"*\1*", text) for text in texts)
        yield f"| `{rule.name}` | {evidence} | {helps}{lone and f'; of a kernel that can be fused with none: {lone}'} |"


def examples() -> Iterator[str]:
    """Every example on every chip."""
    files = sorted(map(str, (DOCS.parent / "examples").glob("*.mlir")))
    found = entries(TableOptions(files))
    graphs = list(dict.fromkeys(entry.graph for entry in found))
    yield "| target | " + " | ".join(f"`{graph}`" for graph in graphs) + " |"
    yield "|---" * (len(graphs) + 1) + "|"
    for target in dict.fromkeys(entry.target for entry in found):
        cells = [_cell(next(e for e in found if (e.target, e.graph) == (target, graph))) for graph in graphs]
        yield f"| `{target}` | " + " | ".join(cells) + " |"


def networks() -> Iterator[str]:
    """Every network, fused and one kernel for each op."""
    from networks import table

    return table()


def published_bounds() -> Iterator[str]:
    """Published times beside the bounds of their work."""
    from library_bounds import table

    yield from table()


def cold_and_warm() -> Iterator[str]:
    """The library's kernels by this compiler, cold and warm: runs them."""
    from library_bounds import cold_and_warm

    yield from cold_and_warm()


def separable_blocks(split: bool, blocks: bool) -> Iterator[str]:
    """Every depthwise-separable block on the chips whose cores have both units, or on those with cores of each kind;
    row-major or in blocks."""
    from separable_blocks import table

    return table(("ascend910b", "ascend950") if split else ("ascend910", "ascend310p"), blocks)


def _cell(entry: Entry) -> str:
    if entry.error:
        return entry.error
    kernels = "1 kernel" if entry.kernels == 1 else f"{entry.kernels} kernels"
    return f"{entry.time_us:.1f} µs, {kernels}, {entry.held}"


def onnx_operators() -> Iterator[str]:
    """The names of operators with a converter, in lines of text."""
    from ascend_opt.compiler.onnx.operators import CONVERTERS

    names = ", ".join(f"`{name}`" for domain, name in sorted(CONVERTERS) if not domain)
    yield from textwrap.wrap(names + ".", 120, break_on_hyphens=False)


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "published bounds": published_bounds,
    "graph ops": graph_reference,
    "tile ops": lambda: reference(Tile.operations),
    "tile attributes": lambda: attribute_reference(Tile.attributes),
    "ascend ops": lambda: reference(Ascend.operations),
    "vector instructions": vector_instructions,
    "passes": passes,
    "folders": folders,
    "layers": picture,
    "targets": lambda: targets("ascend910", "ascend310p"),
    "910B targets": lambda: targets("ascend910b1"),
    "950 targets": lambda: targets("ascend950"),
    "parameters": parameters,
    "provenance": provenance,
    "advice": advice_rules,
    "onnx operators": onnx_operators,
    **FORMS,
    **WALK,
}
SLOW: dict[str, Callable[[], Iterator[str]]] = {
    "examples": examples,
    "measured": measured,
    "points left out": left_out,
    "error bars": error_bars,
    "library": library,
    "cold and warm": cold_and_warm,
    "networks": networks,
    "separable blocks": lambda: separable_blocks(False, False),
    "separable blocks in NC1HWC0": lambda: separable_blocks(False, True),
    "separable blocks of split chips": lambda: separable_blocks(True, False),
    "separable blocks of split chips in NC1HWC0": lambda: separable_blocks(True, True),
}
"""tests/e2e/test_fidelity.py compares `measured` with the page."""


def filled(text: str, slow: bool = False) -> str:
    """`text` with every generated part made anew; the slow ones only where asked for."""

    def part(match: re.Match[str]) -> str:
        if match[2] in SLOW and not slow:
            return match[0]
        lines = "\n".join({**PARTS, **SLOW}[match[2]]())
        return f"{match[1]}\n{lines.rstrip()}\n{match[3]}"

    return re.sub(r"(<!-- generated: ([\w ]+) -->)\n.*?(<!-- end -->)", part, text, flags=re.DOTALL)


def main(arguments: list[str]) -> int:
    stale: list[str] = []
    for path in sorted(DOCS.glob("*.md")):
        old = path.read_text()
        new = filled(old, "--slow" in arguments)
        if new != old:
            stale.append(path.name)
            if "--check" not in arguments:
                path.write_text(new)
    print("\n".join(stale) if stale else "up to date", file=sys.stderr)
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What is wrong with the text of `-p`: one message that points at the place, in the words of who wrote it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from driver_runs import GRAPH, MLIR, Run, write
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType
from xdsl.utils.exceptions import ParseError

from ascend_opt.compiler.pipeline.explain import explain
from ascend_opt.compiler.pipeline.pass_options import misfit_of_option
from ascend_opt.compiler.pipeline.pass_text import parse_passes
from ascend_opt.compiler.pipeline.pipelines import build_passes


@dataclass(frozen=True)
class Typed(ModulePass):
    """Has an option of each type."""

    name = "a"
    number: float | int = 0
    sizes: tuple[int, ...] = ()
    mode: str = "a"
    switch: bool = False
    count: int | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None: ...


KNOWN = {"a": lambda: Typed}


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("a{number=foo}", 3, "option 'number' of pass 'a' takes a number, not foo"),
        ("a{switch number=1,2.5}", 3, "option 'switch' of pass 'a' needs a value: true or false"),
        ("a{switch=true number=1,2.5}", 15, "option 'number' of pass 'a' takes a number, not 1, 2.5"),
        ("a{sizes=1,x}", 3, "option 'sizes' of pass 'a' takes whole numbers, not 1, x"),
        ("a{mode=5}", 3, "option 'mode' of pass 'a' takes a text in quotes, not 5"),
        ("a{switch=1}", 3, "option 'switch' of pass 'a' takes true or false, not 1"),
        ("a{count=true}", 3, "option 'count' of pass 'a' takes a whole number, not true"),
        ("a,a{count=1.5}", 5, "option 'count' of pass 'a' takes a whole number, not 1.5"),
        ("a{number=1 number=2}", 12, "option 'number' of pass 'a' is given twice"),
        ("a{max-a=1 max_a=2}", 11, "option 'max-a' of pass 'a' is given twice"),
        ("a{mood=b}", 3, "pass 'a' has no option 'mood'; did you mean 'mode'?"),
        ("a,b{x=1}", 3, "unknown pass 'b'"),
        (
            "builtin.module(a)",
            1,
            "passes run on the whole module, and are written a,b{option=1}, without 'builtin.module(...)'",
        ),
        (
            "a,func.func(a{mode=b})",
            3,
            "passes run on the whole module, and are written a,b{option=1}, without 'func.func(...)'",
        ),
        ("a)", 2, "unexpected ')'"),
    ],
)
def test_a_mistake_is_one_message_at_its_place(text: str, column: int, message: str) -> None:
    with pytest.raises(ParseError) as raised:
        build_passes(KNOWN, parse_passes(text))
    first, shown, caret = str(explain(raised.value)).splitlines()
    assert first == f"-p:1:{column}: error: {message}"
    assert shown == text and caret.index("^") == column - 1


def test_the_place_in_a_text_of_several_lines() -> None:
    with pytest.raises(ParseError) as raised:
        parse_passes("a{mode=b\nswitch=1}:")
    assert str(explain(raised.value)) == "-p:2:10: error: unexpected ':'\nswitch=1}:\n         ^"


def test_values_that_fit() -> None:
    (built,) = build_passes(KNOWN, parse_passes('a{number=1e-3 sizes=1 mode="1,2 x=(3" switch=true count}'))
    assert built == Typed(0.001, (1,), "1,2 x=(3", True)
    assert build_passes(KNOWN, parse_passes("a{sizes number=2},a")) == (Typed(2, ()), Typed())


def test_specs_that_nobody_wrote_have_no_place() -> None:
    with pytest.raises(ValueError, match=r"^option 'sizes' of pass 'a' takes whole numbers, not x$"):
        build_passes(KNOWN, [ArgSpec("a", {"sizes": ("x",)})])


@pytest.mark.parametrize(
    ("value", "hint", "wrong"),
    [
        (("c",), Literal["a", "b"], "takes a or b, not c"),
        ((1, "c"), tuple[int, str], None),
        (("c", 1), tuple[int, str], "takes a whole number, a text, not c, 1"),
        (("x",), tuple[int, ...] | tuple[float, ...] | None, "takes whole numbers or numbers, not x"),
        ((), tuple[int, str], "needs a value: a whole number, a text"),
    ],
)
def test_types_of_options(value: ParameterListType, hint: Any, wrong: str | None) -> None:
    assert misfit_of_option(value, hint) == wrong


def test_the_tool_says_it(ascend_opt: Run, tmp_path: Path) -> None:
    outcome = ascend_opt(write(tmp_path, MLIR), "--fuse", "-p", "graph-cse,tile-fuse{min-gain=-1}")
    assert (outcome.code, outcome.output) == (1, "")
    assert outcome.errors == (
        "-p:1:11: error: pass 'tile-fuse': min-gain is a share from 0 to 1, not -1\n"
        "graph-cse,tile-fuse{min-gain=-1}\n          ^~~~~~~~~\n"
    )


@pytest.mark.parametrize(
    ("arguments", "notes"),
    [
        (
            ["-p", "tile-fuse{min-gain=0.1}", "--min-gain", "0.2"],
            ["--min-gain has no effect: -p states min-gain of tile-fuse"],
        ),
        (["-p", "tile-fuse{min-gain=0.1}", "--fuse", "--min-gain", "0.2"], []),
        (["-p", "tile-fuse{tune=1}", "--tune", "2"], ["--tune has no effect: -p states tune of tile-fuse"]),
        (
            ["-p", "tile-fuse{target=ascend910}", "--target", "ascend950"],
            ["--target has no effect: -p states the target of each pass"],
        ),
        (["-p", "graph-decompose{target=ascend910},tile-fuse", "--target", "ascend950"], []),
        (["--library", "--no-join-launches"], []),
    ],
)
def test_options_that_the_text_states_otherwise(
    ascend_opt: Run, tmp_path: Path, arguments: list[str], notes: list[str]
) -> None:
    outcome = ascend_opt(write(tmp_path, GRAPH), *arguments)
    assert outcome.code == 0
    assert outcome.errors == "".join(f"note: {note}\n" for note in notes)

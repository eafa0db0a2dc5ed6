"""The documentation says what is true: its IR parses, its commands and snippets run, its tables are those of the code.

In README.md and docs/*.md, a block with the words `sh run` must exit with 0, `sh fails` with 1, and `python run` must
run; they share a folder with `examples` in it. `sh triton` is `sh run` where the extra `triton` is installed. A block
without words right after a command is what the command prints, from some line of it on: numbers within a tenth, an
ellipsis (`…`) for the rest of a line or for lines left out. A complete module or graph in an `mlir` block must parse;
after `<!-- file: NAME -->` it is also a file of that folder. An ellipsis marks an excerpt there too.
"""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

sys.path.append(str(Path(__file__).parents[2] / "docs"))

import generate
import kernel_forms
from shell_blocks import run_block
from triton_sources import INSTALLED

from ascend_opt.compiler.pipeline.universe import PASSES
from ascend_opt.dialects.ascend import Ascend
from ascend_opt.dialects.graph import OPS
from ascend_opt.dialects.isa import VECTOR_INSTRUCTIONS
from ascend_opt.dialects.target_files import target_names
from ascend_opt.dialects.tile import Tile
from ascend_opt.tools.ascend_opt import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"(?:<!-- file: (\S+) -->\n)?^( *)```([^\n]*)\n(.*?)^\2```$", re.MULTILINE | re.DOTALL)
COMPLETE = re.compile(r"(?:\s*//.*\n)*\s*(graph @|builtin\.module|module|func\.func)")
EMULATES = re.compile(r"ascend-run examples|program\.run\(")
FORMS = list(kernel_forms.PARTS)
"""Generated parts that show the kernel of a graph, each its own."""
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e[+-]\d+)?")
LINK = re.compile(r"\]\(([^)#\s]*)(#[^)\s]*)?\)")


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    info: str
    text: str
    file: str | None
    shown: str = ""
    """What the page says that the command prints."""

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found: list[Block] = []
    matches = [*FENCE.finditer(text)]
    for match, after in zip(matches, [*matches[1:], None], strict=False):
        adjoins = after is not None and not after[3] and not text[match.end() : after.start()].strip()
        shown = after[4] if after is not None and adjoins and match[3].startswith("sh ") else ""
        line = text.count("\n", 0, match.start(3)) + 1
        found.append(Block(page.name, line, match[3], match[4], match[1], shown))
    return found


BLOCKS = [block for page in PAGES for block in blocks(page)]


def of(info: str) -> list[Block]:
    return [block for block in BLOCKS if block.info == info]


def runs(info: str) -> list[ParameterSet]:
    """The blocks to run; those that emulate a whole example are slow."""
    return [
        pytest.param(block, id=str(block), marks=[pytest.mark.slow] if EMULATES.search(block.text) else [])
        for block in of(info)
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """An empty working directory with the examples, what tests know, and the files of the block's page."""
    block: Block = request.getfixturevalue("block")
    for name in ("examples", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    for other in BLOCKS:
        if other.page == block.page and other.file is not None:
            (tmp_path / other.file).write_text(other.text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def complete(block: Block) -> bool:
    return COMPLETE.match(block.text) is not None and "…" not in block.text


def test_there_is_something_to_check():
    assert len(of("mlir")) >= 5
    assert len(of("sh run")) >= 8
    assert len(of("python run")) >= 2
    assert sum(bool(block.shown) for block in BLOCKS) >= 7


@pytest.mark.parametrize("block", [b for b in of("mlir") if complete(b)], ids=str)
def test_complete_modules_and_graphs_parse(block: Block, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "block.mlir"
    file.write_text(block.text)
    assert main([str(file)]) == 0, capsys.readouterr().err


def as_shown(line: str, shown: str) -> bool:
    """Whether a printed line is the one shown, its numbers within a tenth."""
    start, rest, _ = shown.partition("…")
    if NUMBER.sub("#", line)[: len(NUMBER.sub("#", start)) if rest else None] != NUMBER.sub("#", start):
        return False
    pairs = zip(NUMBER.findall(start), NUMBER.findall(line), strict=False)
    numbers = [(float(a.replace(",", "")), float(b.replace(",", ""))) for a, b in pairs]
    return all(abs(a - b) <= 0.1 * abs(a) for a, b in numbers)


def prints(lines: list[str], shown: list[str]) -> bool:
    """Whether `lines` start with those shown, of which `…` is any number."""
    if not shown:
        return True
    if shown[0] == "…":
        return any(prints(lines[i:], shown[1:]) for i in range(len(lines) + 1))
    return bool(lines) and as_shown(lines[0], shown[0]) and prints(lines[1:], shown[1:])


@pytest.mark.skipif(not INSTALLED, reason="the extra triton is not installed")
@pytest.mark.parametrize("block", runs("sh triton"))
def test_commands_of_the_extra_run(block: Block, folder: Path):
    test_commands_run(block, folder)


@pytest.mark.parametrize("block", runs("sh run"))
def test_commands_run(block: Block, folder: Path):
    run = run_block(block.text, folder)
    assert run.code == 0, run.errors
    shown = ["…", *(line.strip() for line in block.shown.splitlines())]
    assert prints(run.lines, shown), run.output + run.errors


@pytest.mark.parametrize("block", runs("sh fails"))
def test_commands_that_show_an_error_fail(block: Block, folder: Path):
    run = run_block(block.text, folder)
    assert run.code == 1
    assert "error: " in run.errors
    assert "Traceback" not in run.errors
    assert prints(run.lines, ["…", *(line.strip() for line in block.shown.splitlines())]), run.errors


@pytest.mark.parametrize("block", runs("python run"))
def test_snippets_run(block: Block, folder: Path):
    run = subprocess.run(
        [sys.executable, "-c", block.text], cwd=folder, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr


def test_the_readme_shows_an_example_as_it_is():
    code = "\n".join(b.text for b in of("mlir") if b.page == "README.md")
    example = (ROOT / "examples" / "conv_bias_leaky_relu.mlir").read_text()
    assert re.sub(r"^//.*\n", "", example, flags=re.MULTILINE).strip() in code


def generated(page: Path) -> dict[str, str]:
    """What a page has in the parts that are made of the code, by name."""
    found = re.findall(
        r"<!-- generated: ([\w ]+) -->\n(.*?)<!-- end -->", page.read_text(encoding="utf-8"), re.DOTALL
    )
    return dict(found)


def made(part: str) -> str:
    """The part as it has to be."""
    return "\n".join(generate.PARTS[part]()).rstrip() + "\n"


@pytest.mark.parametrize("page", [page for page in PAGES if generated(page)], ids=lambda page: page.name)
def test_generated_parts_are_up_to_date(page: Path):
    """All but what takes minutes, the kernels of forms, and the layers, which `test_layers.py` compares."""
    here = generate.PARTS.keys() - kernel_forms.PARTS.keys() - {"layers"}
    stale = [part for part, text in generated(page).items() if part in here and text != made(part)]
    assert not stale, "run python docs/generate.py"


@pytest.mark.sweep(3)
@pytest.mark.parametrize("part", FORMS)
def test_kernels_of_forms_are_up_to_date(part: str):
    page = ROOT / "docs" / kernel_forms.PAGE
    assert generated(page)[part] == made(part), "run python docs/generate.py"


def test_pages_out_of_date_are_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    others = {part for page in PAGES for part in generated(page)} - {"passes"}
    monkeypatch.setattr(generate, "PARTS", {"passes": lambda: iter(["no pass"])})
    monkeypatch.setattr(generate, "SLOW", dict.fromkeys(others))
    assert generate.main(["--check"]) == 1
    assert capsys.readouterr().err == "architecture.md\n"


def test_every_op_pass_and_chip_is_mentioned():
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    names = [op.short_name() for op in OPS]
    names += [op.name for dialect in (Tile, Ascend) for op in dialect.operations]
    names += [*VECTOR_INSTRUCTIONS, *PASSES, *target_names()]
    missing = [name for name in names if not re.search(rf"`{re.escape(name)}\b", text)]
    assert not missing


def test_the_glossary_has_each_word_once_and_names_that_the_code_has():
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", page, re.MULTILINE)
    terms = [term for row, _ in rows if row != "term" for term in row.split(", ")]
    assert len(terms) == len(set(terms)) > 50
    names = {
        name
        for _, text in rows
        for group in re.findall(r"\(([^()]*`[^()]*)\)", text)
        for name in group.split(", ")
    }
    code = {
        word
        for folder in ("dialects", "runtime", "passes")
        for path in (ROOT / folder).rglob("*.py")
        for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))
    }
    assert len(names) > 8
    assert {name.strip("`") for name in names} <= code


def slug(heading: str) -> str:
    """The anchor that a heading gets on GitHub."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path):
    for target, anchor in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        if target.startswith("http"):
            continue
        other = (page.parent / target).resolve() if target else page
        assert other.exists(), f"{page.name}: {target}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", other.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor[1:] in map(slug, headings), f"{page.name}: {target}{anchor}"

"""Files that describe a chip: what is wrong in one is named with its section and key."""

import re
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from bf16_targets import bf16_text

from ascend_opt.compiler.reports.target_list import target_list
from ascend_opt.dialects import target_files
from ascend_opt.dialects.target import TargetError, load_target
from ascend_opt.dialects.target_files import target_names
from ascend_opt.dialects.target_parser import parse_target
from ascend_opt.tools.ascend_run import main as run

TEXT = (Path(__file__).parents[2] / "dialects" / "targets" / "ascend910.toml").read_text(encoding="utf-8")
WHOLE = 'integers = ["vadd", "vsub", "vmul", "vmax", "vmin"]'
STORAGE = 'storage = ["f16", "f32", "i1", "i8", "i32"]'
COMPUTE = 'compute = ["f16", "f32"]'
UB = "ub  = { bytes = 262144, align = 32 }"
STORE = '"ub->gm"  = { pipe = "MTE3", rate = 64'


@pytest.mark.parametrize("name", target_names())
def test_every_known_chip_is_well_formed(name: str):
    chip = load_target(name)
    assert chip.name == name and chip.cores > 0 and chip.launch_us >= 0


def test_the_file_is_what_the_name_gives():
    assert parse_target(TEXT, "f.toml") == load_target("ascend910")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cores = 32 ", "core = 32 ", "f.toml: unknown key 'core'; did you mean 'cores'?"),
        ("cores = 32 ", "", "f.toml: missing key 'cores'"),
        ("cores = 32 ", 'cores = "many" ', "f.toml: cores is a whole number, not 'many'"),
        ("cores = 32 ", "cores = 0 ", "f.toml: cores is more than 0, not 0"),
        ("cores = 32 ", "cores = true ", "f.toml: cores is a whole number, not True"),
        ("cores = 32 ", "cores = = 32 ", "f.toml: Invalid value (at line"),
        ('kind = "coupled"', 'kind = "round"', "f.toml: kind is coupled or split, not 'round'"),
        ('overflow = "inf" ', 'overflow = "wrap" ', "f.toml: overflow is inf or saturate, not 'wrap'"),
        (
            STORAGE,
            'storage = "f16"',
            "f.toml: storage is a list of element types, not 'f16'",
        ),
        (UB, "", "f.toml: [spaces]: missing key 'ub'"),
        (UB, "ub = 3", "f.toml: [spaces] ub is a table, not 3"),
        (UB, UB.replace("32 }", "0 }"), "f.toml: [spaces] ub: align is more than 0, not 0"),
        (UB, UB.replace("bytes", "byte"), "[spaces] ub: unknown key 'byte'; did you mean 'bytes'?"),
        (STORE, STORE.replace("MTE3", "MTE9"), "[paths] ub->gm: unknown pipe 'MTE9'; known: S, V, M"),
        (STORE, STORE.replace("64", "0"), "[paths] ub->gm: rate is more than 0"),
        (STORE, STORE.replace("->", "-"), "[paths]: 'ub-gm' is no path between two of l1"),
        (STORE, STORE.replace("ub->", "l3->"), "[paths]: 'l3->gm' is no path between two of l1"),
        ("[dma]", "[dma]\nfoo = 1", "f.toml: [dma]: unknown key 'foo'; it takes nd2nz"),
        ("nd2nz = false ", "nd2nz = 0 ", "f.toml: [dma]: nd2nz is true or false, not 0"),
        (
            "default = 1",
            "defaults = 1",
            "[vector.cycles]: unknown instruction 'defaults'; did you mean 'default'?",
        ),
        ("default = 1", "", "f.toml: [vector.cycles]: missing key 'default'"),
        ("default = 1", 'default = "1"', "f.toml: [vector.cycles] default: cycles is a number, not '1'"),
        ('key = "pair" ', 'key = "any" ', "f.toml: [sync]: key is pair or source, not 'any'"),
        ("[launch]", "[launch]\nfoo = 1", "f.toml: [launch]: unknown key 'foo'; it takes us, assumed"),
        ("us = 2.0", "us = -2.0", "f.toml: [launch]: us is 0 or more, not -2.0"),
        ("\n[memory]\n", "\n[memories]\n", "f.toml: unknown key 'memories'; did you mean 'memory'?"),
        (UB, f"{UB}\nl0d = {{ bytes = 1, align = 1 }}", "[spaces]: unknown key 'l0d'; did you mean 'l0c'?"),
        ("fractal = ", "fractals = ", "f.toml: [cube]: missing key 'fractal'"),
        ("fractal = { f16", "fractal = { f8", "[cube] fractal: unknown element type 'f8'; it takes f16, f32"),
        ('acc = "f32"', 'acc = "f16"', "f.toml: [cube] fractal f16: acc is f32, not 'f16'"),
        ('acc = "i32"', 'acc = "f32"', "f.toml: [cube] fractal i8: acc is i32, not 'f32'"),
        (
            "i8 = { k0",
            "i1 = { k0",
            "f.toml: [cube] fractal i1: no Cube multiplies i1, only f16, bf16, f32, i8",
        ),
        ("[vector.cycles]", "[vector.cycle]", "f.toml: [vector]: missing key 'cycles'"),
        ("vexp = {", "vexq = {", "[vector.cycles]: unknown instruction 'vexq'; did you mean 'vexp'?"),
        (
            "vexp = { f16 = 4, f32",
            "vexp = { f16 = 4, fp32",
            "vexp: unknown element type 'fp32'; did you mean 'f32'?",
        ),
        ("vexp = { f16 = 4, f32 = 2 }", "vexp = { f16 = 4 }", "[vector.cycles] vexp: missing key 'f32'"),
        (
            STORAGE,
            'storage = ["f16", "fp32"]',
            "f.toml: storage: unknown element type 'fp32'; did you mean 'f32'?",
        ),
        (STORAGE, 'storage = ["f16", 32]', "f.toml: storage: an element type is a string, not 32"),
        (STORAGE, "storage = []", "f.toml: storage is a list of element types, not []"),
        (COMPUTE, 'compute = "f32"', "f.toml: [vector]: compute is a list of element types, not 'f32'"),
        (
            COMPUTE,
            'compute = ["bf16"]',
            "f.toml: [vector]: compute: unknown element type 'bf16'; did you mean 'f16'?",
        ),
        (
            COMPUTE,
            'compute = ["f16"]',
            "f.toml: [vector]: compute lacks f32, which i32 is converted to",
        ),
        (
            'atomic_add = ["f32"]',
            'atomic_add = ["f64"]',
            "f.toml: [dma]: atomic_add: unknown element type 'f64'",
        ),
        (WHOLE, 'integers = ["vadd"]', "f.toml: [vector]: integers lacks vsub, of which other"),
        (WHOLE, 'integers = ["vexp"]', "f.toml: [vector]: integers: unknown instruction 'vexp'"),
    ],
)
def test_mistakes_name_their_section_and_key(old: str, new: str, message: str):
    assert old in TEXT
    with pytest.raises(TargetError) as caught:
        parse_target(TEXT.replace(old, new, 1), "f.toml")
    assert message in str(caught.value)


def test_the_vector_computes_in_all_that_is_stored_unless_it_is_said():
    text = TEXT.replace(STORAGE, 'storage = ["f16", "bf16", "f32", "i8"]')
    assert parse_target(text, "f.toml").vector.compute == ("f16", "f32")
    with pytest.raises(TargetError, match=r"\[vector.cycles\] vexp: missing key 'bf16'"):
        parse_target(text.replace(COMPUTE, ""), "f.toml")
    assert text.count("vtranspose = 2") == 1
    with pytest.raises(TargetError, match=r"\[vector.cycles\] vtranspose: missing key 'bf16'"):
        parse_target(text.replace("vtranspose = 2", "vtranspose = { f16 = 2, f32 = 2 }"), "f.toml")
    assert parse_target(TEXT.replace(COMPUTE, ""), "f.toml").vector.compute == ("f16", "f32")


def test_conversions():
    vector = parse_target(bf16_text("converts"), "f.toml").vector
    assert vector.converts("bf16", "f32") and vector.converts("f32", "bf16") and vector.converts("f16", "f32")
    assert not vector.converts("bf16", "f16") and not vector.converts("f16", "bf16")
    assert parse_target(bf16_text("computes"), "f.toml").vector.converts("bf16", "f16")
    vector = parse_target(TEXT, "f.toml").vector
    for dtype in ("i1", "i8"):
        assert vector.converts(dtype, "f16") and vector.converts("f16", dtype)
        assert not vector.converts(dtype, "f32") and not vector.converts("f32", dtype)
    for compute, reason in (
        ('["f32"]', "compute lacks f16, which i1 is converted to"),
        ('["i8"]', "unknown"),
    ):
        with pytest.raises(TargetError, match=reason):
            parse_target(TEXT.replace(COMPUTE, f"compute = {compute}"), "f.toml")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\x00", "it is no UTF-8 text"),
        (b"", "missing key 'dma'"),
        (TEXT.encode()[:3000], "f.toml: "),
        (TEXT.replace(UB, "").encode(), "[spaces]: missing key 'ub'"),
    ],
)
def test_the_tools_say_it_in_one_line(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "f.toml").write_bytes(content)
    (tmp_path / "g.mlir").write_text("graph @f(%x: tensor<64xf16>) {\n  %y = relu(%x)\n  return %y\n}\n")
    assert run([str(tmp_path / "g.mlir"), "--target", str(tmp_path / "f.toml")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: ") and error.count("\n") == 1
    assert message in error and "internal error" not in error


def test_a_file_extends_one_that_extends_another(tmp_path: Path):
    path = tmp_path / "half.toml"
    path.write_text('extends = "ascend910b"\nname = "half"\ncores = 12\nvector_cores = 24\n')
    half = load_target(str(path))
    assert (half.cores, half.vector_cores, half.clock_mhz) == (12, 24, load_target("ascend910b1").clock_mhz)
    quarter = tmp_path / "quarter.toml"
    quarter.write_text(f'extends = "{path}"\nname = "quarter"\ncores = 6\nvector_cores = 12\n')
    assert load_target(str(quarter)).cores == 6


def test_a_file_that_extends_another_is_described_by_its_own_name(tmp_path: Path):
    """Unless it says more; a chip that differs in its name alone has the description of the other one."""
    path = tmp_path / "half.toml"
    path.write_text('extends = "ascend910b2"\nname = "half"\ncores = 12\nvector_cores = 24\n')
    assert load_target(str(path)).description == "half, from ascend910b2"
    beside = tmp_path / "quarter.toml"
    beside.write_text('extends = "half.toml"\nname = "quarter"\ncores = 6\nvector_cores = 12\n')
    assert load_target(str(beside)).description == "quarter, from half"
    own = tmp_path / "own.toml"
    own.write_text('extends = "half.toml"\nname = "own"\ndescription = "my own"\n')
    assert load_target(str(own)).description == "my own"
    assert load_target("ascend910b").description == load_target("ascend910b1").description


def test_a_file_that_extends_another_has_a_name(tmp_path: Path):
    path = tmp_path / "half.toml"
    path.write_text('extends = "ascend910b1"\ncores = 12\nvector_cores = 24\n')
    with pytest.raises(TargetError, match=r"half\.toml: a file that extends another: missing key 'name'"):
        load_target(str(path))


def test_files_that_extend_each_other(tmp_path: Path):
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text(f'extends = "{two}"\nname = "one"\n')
    two.write_text(f'extends = "{one}"\nname = "two"\n')
    with pytest.raises(TargetError, match="which extends this file"):
        load_target(str(one))


def test_names_of_chips_are_near_in_any_case():
    with pytest.raises(TargetError, match="did you mean 'ascend910b'"):
        load_target("Ascend910B")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('cores = "12"', "f.toml: cores is a whole number, not '12'"),
        ("cores = 12.5", "f.toml: cores is a whole number, not 12.5"),
        ('vector_cores = "24"', "f.toml: vector_cores is a whole number, not '24'"),
        ("cores = 0", "f.toml: cores is more than 0, not 0"),
        ("vector_cores = 47", "f.toml: vector_cores is a multiple of cores"),
    ],
)
def test_mistakes_in_numbers_of_cores(line: str, message: str):
    with pytest.raises(TargetError, match=re.escape(message)):
        parse_target(f'extends = "ascend910b1"\nname = "f"\n{line}\n', "f.toml")


@pytest.mark.parametrize(
    ("section", "line", "message"),
    [
        ("memory", "sector = 1024", "[memory]: l2_line is a multiple of sector, not 512 beside 1024"),
        ("memory", "sector = 96", "[memory]: l2_line is a multiple of sector, not 512 beside 96"),
        ("memory", "l2_bytes = 256", "[memory]: l2_bytes is a line (l2_line) or more, not 256"),
        ("spaces", "ub = { bytes = 16 }", "[spaces] ub: bytes is align or more, not 16"),
        ("vector", "drain = 50", "[vector]: drain is a part of latency, not 50"),
        ("banks", "span = 1000", "[banks]: span is a multiple of groups x row, not 1000"),
        ("cross", "hardware_events = 4", "[cross]: hardware_events is events or more, not 4"),
    ],
)
def test_numbers_that_are_not_possible_beside_each_other(section: str, line: str, message: str):
    with pytest.raises(TargetError) as caught:
        parse_target(f'extends = "ascend910b1"\nname = "f"\n[{section}]\n{line}\n', "f.toml")
    assert str(caught.value) == f"f.toml: {message}"


@pytest.mark.parametrize("value", ["nan", "inf"])
@pytest.mark.parametrize(
    ("section", "name"), [("", "clock_mhz"), ("[memory]", "hbm_chip"), ("[launch]", "us")]
)
def test_numbers_are_finite(section: str, name: str, value: str):
    with pytest.raises(TargetError, match=f"{name} is a finite number, not {value}"):
        parse_target(f'extends = "ascend910b1"\nname = "f"\n{section}\n{name} = {value}\n', "f.toml")


def test_an_unknown_base_names_the_file_that_extends_it():
    with pytest.raises(TargetError, match=r"f\.toml: extends: unknown target 'ascend910c'"):
        parse_target('extends = "ascend910c"\nname = "f"\n', "f.toml")


def test_a_changed_copy_of_a_target_goes_by_its_file(tmp_path: Path):
    """Modules are marked with the name, and messages have it."""
    (tmp_path / "mine.toml").write_text(TEXT)
    assert load_target(str(tmp_path / "mine.toml")).name == "mine"
    (tmp_path / "ascend910.toml").write_text(TEXT)
    assert load_target(str(tmp_path / "ascend910.toml")).name == str(tmp_path / "ascend910.toml")
    (tmp_path / "other.toml").write_text(TEXT.replace('name = "ascend910"', 'name = "stated"', 1))
    assert load_target(str(tmp_path / "other.toml")).name == "stated"
    there = Path(__file__).parents[2] / "dialects" / "targets" / "ascend910.toml"
    assert load_target(str(there)) == load_target("ascend910")


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Targets of another package: one of a file that calls itself otherwise, and some that cannot be used."""
    (tmp_path / "far.toml").write_text('extends = "ascend910"\nname = "other"\ncores = 16\n')
    (tmp_path / "far_targets.py").write_text(f"FAR = {str(tmp_path / 'far.toml')!r}\nNUMBER = 5\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    names = {"far": "FAR", "number": "NUMBER", "nothing": "NOTHING", "ascend310p": "FAR"}
    points = [EntryPoint(name, f"far_targets:{of}", "ascend_opt.targets") for name, of in names.items()]

    def entry_points(group: str) -> list[EntryPoint]:
        return points if group == "ascend_opt.targets" else []

    monkeypatch.setattr(target_files, "entry_points", entry_points)
    monkeypatch.setattr(target_files, "_UNUSABLE", {})
    for cached in (target_files.known_targets, load_target):
        cached.cache_clear()
    yield tmp_path / "far.toml"
    for cached in (target_files.known_targets, load_target):
        cached.cache_clear()


def test_a_registered_target_goes_by_its_registered_name(registered: Path):
    """Passes find it again by the name that a module is marked with."""
    assert load_target("far").name == "far" and load_target("far").cores == 16
    assert load_target(load_target("far").name) == load_target("far")
    assert load_target(str(registered)).name == "other"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("number", "target 'number' (far_targets:NUMBER) does not load: it is 5, and no path of a file"),
        (
            "nothing",
            "target 'nothing' (far_targets:NOTHING) does not load: module 'far_targets' has no attribute",
        ),
        ("ascend310p", "target 'ascend310p' is there twice, once as far_targets:FAR"),
    ],
)
def test_registered_targets_that_cannot_be_used_leave_the_others_alone(
    registered: Path, name: str, message: str
):
    with pytest.raises(TargetError, match=re.escape(message)):
        load_target(name)
    assert load_target("ascend910").name == "ascend910"
    assert any(line.startswith(f"{name} ") and message in line for line in target_list().splitlines())

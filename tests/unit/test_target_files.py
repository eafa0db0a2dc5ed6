"""Files that describe a chip: what is wrong in one is named with its section and key."""

from pathlib import Path

import pytest

from ascend_opt.dialects.target import TargetError, load_target, parse_target, target_names
from ascend_opt.tools.ascend_run import main as run

TEXT = (Path(__file__).parents[2] / "dialects" / "targets" / "ascend910.toml").read_text(encoding="utf-8")
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
        ("cores = 32 ", "core = 32 ", "f.toml: unknown key 'core'"),
        ("cores = 32 ", "", "f.toml: missing key 'cores'"),
        ("cores = 32 ", 'cores = "many" ', "f.toml: cores is a whole number, not 'many'"),
        ("cores = 32 ", "cores = 0 ", "f.toml: cores is more than 0, not 0"),
        ("cores = 32 ", "cores = true ", "f.toml: cores is a whole number, not True"),
        ("cores = 32 ", "cores = = 32 ", "f.toml: Invalid value (at line"),
        ('kind = "coupled"', 'kind = "round"', "f.toml: kind is coupled or split, not 'round'"),
        ('overflow = "inf" ', 'overflow = "wrap" ', "f.toml: overflow is inf or saturate, not 'wrap'"),
        (
            'storage = ["f16", "f32"]',
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
        ("default = 1", "defaults = 1", "f.toml: [vector.cycles]: missing key 'default'"),
        ("default = 1", 'default = "1"', "f.toml: [vector.cycles] default: cycles is a number, not '1'"),
        ('key = "pair" ', 'key = "any" ', "f.toml: [sync]: key is pair or source, not 'any'"),
        ("[launch]", "[launch]\nfoo = 1", "f.toml: [launch]: unknown key 'foo'; it takes us, assumed"),
        ("us = 2.0", "us = -2.0", "f.toml: [launch]: us is 0 or more, not -2.0"),
        ("\n[memory]\n", "\n[memories]\n", "f.toml: missing key 'memory'"),
    ],
)
def test_mistakes_name_their_section_and_key(old: str, new: str, message: str):
    assert old in TEXT
    with pytest.raises(TargetError) as caught:
        parse_target(TEXT.replace(old, new, 1), "f.toml")
    assert message in str(caught.value)


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

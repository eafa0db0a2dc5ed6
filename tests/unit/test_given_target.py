"""Targets that are given to the Python API as objects."""

from pathlib import Path

import numpy as np
import pytest
from small_graphs import LINEAR

import ascend_opt
from ascend_opt.compiler.api import CompileError, compile_until
from ascend_opt.dialects.given_target import name_of_target
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_files import target_names
from ascend_opt.dialects.target_parser import parse_target
from ascend_opt.dialects.target_text import text_of

CHIP = load_target("ascend910")
SQUARES = "graph @squares(%x: tensor<64x4096xf16>) {\n  %y = mul(%x, %x)\n  return %y\n}"


@pytest.mark.parametrize("name", target_names())
def test_the_text_of_an_object_states_it(name: str):
    target = load_target(name)
    assert parse_target(text_of(target), "here") == target
    changed = target.with_(cores=1, description='a "chip"', memory={"l2_bytes": 1 << 20}, launch_us=0.125)
    assert parse_target(text_of(changed), "here") == changed != target


def test_a_chip_as_an_object_is_the_chip():
    program = ascend_opt.compile(LINEAR, target=CHIP)
    assert (program.target, program.target_name) == (CHIP, "ascend910")
    assert str(program.module) == str(ascend_opt.compile(LINEAR, target="ascend910").module)


@pytest.mark.parametrize("tune", [1, 2])
def test_a_changed_chip_is_compiled_for_and_runs(tune: int):
    """A program of two cores has no launch of more, and takes as much longer; the chip itself is as before."""
    x = np.linspace(-2, 2, 64 * 4096).astype(np.float16).reshape(64, 4096)
    few = ascend_opt.compile(SQUARES, target=CHIP.with_(cores=2), tune=tune)
    np.testing.assert_array_equal(few.run(x=x).outputs["output0"], x * x)
    assert few.target.cores == 2
    assert max(kernel.cores for kernel in few.time().kernels) == 2
    many = ascend_opt.compile(SQUARES, target="ascend910", tune=tune)
    assert max(kernel.cores for kernel in many.time().kernels) > 2
    assert few.time().total_us > 2 * many.time().total_us
    assert str(compile_until(few, "ascend")) == str(few.module)


def test_a_file_with_the_same_content_gives_the_same_program(tmp_path: Path):
    changed = CHIP.with_(name="mine", cores=3, memory={"l2_bytes": 1 << 20})
    (tmp_path / "mine.toml").write_text(text_of(changed))
    given = ascend_opt.compile(LINEAR, target=changed)
    for path in (tmp_path / "mine.toml", str(tmp_path / "mine.toml")):
        read = ascend_opt.compile(LINEAR, target=path)
        assert (str(read.module), read.time()) == (str(given.module), given.time())


def test_changed_copies_have_names_of_their_own():
    """No mark on a module takes one for the chip or for another copy; what is equal has one name."""
    programs = [ascend_opt.compile(LINEAR, target=CHIP.with_(cores=n)) for n in (1, 2, 2)]
    first, second, again = (program.target.name for program in programs)
    assert len({first, second, "ascend910"}) == 3
    assert second == again
    assert all(name.startswith("ascend910+") for name in (first, second))
    assert ascend_opt.compile(programs[0].module, target=CHIP.with_(cores=1)).target.cores == 1
    with pytest.raises(CompileError, match=r"was lowered for ascend910\+\w+, not for ascend910;"):
        ascend_opt.compile(programs[0].module, target=CHIP)


def test_a_saved_program_takes_its_target_along(tmp_path: Path):
    program = ascend_opt.compile(LINEAR, target=CHIP.with_(cores=2, memory={"hbm_chip": 64.0}))
    program.save(tmp_path / "p")
    loaded = ascend_opt.load(tmp_path / "p")
    assert loaded.target == program.target
    assert loaded.time() == program.time()
    loaded.save(tmp_path / "q")
    assert (tmp_path / "p").read_bytes() == (tmp_path / "q").read_bytes()
    assert loaded.graph_module is not None
    again = ascend_opt.compile(loaded.graph_module, target=loaded.target)
    assert (str(again.module), again.target) == (str(program.module), program.target)
    named = ascend_opt.compile(loaded.graph_module, target=loaded.target_name)
    assert (named.target, named.target_text) == (program.target, text_of(program.target))


def test_what_no_file_may_state_is_an_error():
    with pytest.raises(CompileError, match="cores is more than 0, not 0"):
        ascend_opt.compile(LINEAR, target=CHIP.with_(cores=0))


@pytest.mark.parametrize("given", [3, ["ascend910"], {"name": "ascend910"}])
def test_other_types_are_named_with_those_that_are_taken(given: object):
    message = f"a chip, the path of a .toml file or a Target, not {type(given).__name__}$"
    with pytest.raises(TypeError, match=message):
        ascend_opt.compile(LINEAR, target=given)  # pyright: ignore[reportArgumentType]


def test_names_and_paths_stay_what_they_are():
    assert name_of_target("ascend310p") == "ascend310p"
    assert name_of_target(Path("chip.toml")) == "chip.toml"

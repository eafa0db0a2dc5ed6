"""What is installed: one import package whose list of sub-packages matches the folders, and nothing else."""

import ast
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import ascend_opt

sys.path.append(str(Path(__file__).parents[2] / "docs"))

from layers import statements

FOLDERS = ("compiler", "dialects", "passes", "runtime", "tools")


@pytest.fixture(scope="module")
def project(repository: Path) -> dict[str, Any]:
    return tomllib.loads((repository / "pyproject.toml").read_text())


def test_packages_are_the_folders(repository: Path, project: dict[str, Any]) -> None:
    folders = {
        init.parent.relative_to(repository)
        for folder in FOLDERS
        for init in (repository / folder).rglob("__init__.py")
    }
    expected = {f"ascend_opt.{'.'.join(folder.parts)}": str(folder) for folder in folders}
    expected["ascend_opt"] = "src/ascend_opt"
    settings = project["tool"]["setuptools"]
    assert settings["package-dir"] == expected
    assert sorted(settings["packages"]) == sorted(expected)


def test_every_module_lies_in_a_package(repository: Path) -> None:
    for folder in FOLDERS:
        for path in (repository / folder).rglob("*.py"):
            assert (path.parent / "__init__.py").exists(), f"{path.parent} has no __init__.py"


def test_version_and_entry_points(project: dict[str, Any]) -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", ascend_opt.__version__)
    scripts = {point.name: point.value for point in entry_points(group="console_scripts")}
    for name, value in project["project"]["scripts"].items():
        assert scripts[name] == value
    (universe,) = (point for point in entry_points(group="xdsl.universe") if point.name == "ascend-opt")
    assert universe.load().all_dialects.keys() >= {"graph", "tile", "ascend"}


def imports(path: Path) -> list[tuple[int, str]]:
    """Relative level and name of every import of a module."""
    found: list[tuple[int, str]] = []
    for node in statements(path.read_text(encoding="utf-8")):
        if isinstance(node, ast.ImportFrom):
            found.append((node.level, node.module or ""))
        elif isinstance(node, ast.Import):
            found += [(0, alias.name) for alias in node.names]
    return found


def test_arrows_between_folders_point_down(repository: Path) -> None:
    """Dialects know nobody, tools know all; inside the package imports are relative."""
    allowed = {
        "dialects": {"dialects"},
        "runtime": {"dialects", "runtime"},
        "passes": {"dialects", "runtime", "passes"},
        "compiler": {"dialects", "runtime", "passes", "compiler"},
        "tools": set(FOLDERS),
    }
    wrong: list[str] = []
    for folder in FOLDERS:
        for path in (repository / folder).rglob("*.py"):
            place = path.relative_to(repository)
            for level, name in imports(path):
                if level == 0:
                    if name.partition(".")[0] == "ascend_opt" and name != "ascend_opt":
                        wrong.append(f"{place}: absolute import of {name}")
                    continue
                package = place.parent.parts[: len(place.parent.parts) - (level - 1)]
                target = (package[0] if package else name.partition(".")[0]) or folder
                if target not in allowed[folder]:
                    wrong.append(f"{place}: imports {'.' * level}{name}")
    assert not wrong


@pytest.mark.parametrize("name", ["nothing"])
def test_unknown_attributes_are_attribute_errors(name: str) -> None:
    with pytest.raises(AttributeError, match=name):
        getattr(ascend_opt, name)


def test_importing_the_package_is_cheap() -> None:
    script = (
        "import sys, ascend_opt; print(sorted({'xdsl', 'numpy', 'ml_dtypes', 'lark'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done


@pytest.mark.slow
def test_wheel_and_sdist(repository: Path, tmp_path: Path) -> None:
    """The sdist is made from a copy of the tracked files, the wheel from the sdist, as a user's pip does."""
    pytest.importorskip("build")
    tracked = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=repository,
        capture_output=True,
        text=True,
    )
    if tracked.returncode:
        pytest.skip("not a git checkout")
    copy = tmp_path / "copy"
    for name in filter(None, tracked.stdout.split("\0")):
        source, place = repository / name, copy / name
        if source.is_file() and not source.is_symlink():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(source.read_bytes())
    built = subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(tmp_path / "dist"), str(copy)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    (sdist,) = (tmp_path / "dist").glob("*.tar.gz")

    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"ascend_opt", f"ascend_opt-{ascend_opt.__version__}.dist-info"}
    modules = {
        f"ascend_opt/{path.relative_to(copy)}"
        for folder in FOLDERS
        for pattern in ("*.py", "*.lark", "*.lark.json", "*.toml")
        for path in (copy / folder).rglob(pattern)
    }
    inside = {name for name in names if name.startswith("ascend_opt/")}
    assert inside == modules | {
        f"ascend_opt/{name}"
        for name in ("__init__.py", "hivm.py", "onnx_backend.py", "py.typed", "triton.py")
    }

    with tarfile.open(sdist) as archive:
        assert any(name.endswith("/compiler/text/graph.lark") for name in archive.getnames())

    target = tmp_path / "installed"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(target), str(wheel)],
        check=True,
        timeout=120,
    )
    text = repository / "examples/tanh_muladd.mlir"
    script = (
        f"import sys; sys.path.insert(0, {str(target)!r}); import ascend_opt; "
        f"assert ascend_opt.__file__.startswith({str(target)!r}), ascend_opt.__file__; "
        f"from ascend_opt.tools.ascend_opt import main; sys.exit(main([{str(text)!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, cwd=tmp_path
    )
    assert done.returncode == 0 and "graph.tanh" in done.stdout, done

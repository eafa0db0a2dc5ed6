"""Who imports whom: drawn from every import in the modules, those in functions and for types alone included."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("dialects", "runtime", "passes", "compiler", "tools")
Graph = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Imports:
    """The modules of the package, without their `__init__`, and the modules or packages that each imports."""

    modules: Graph
    packages: frozenset[str]

    @staticmethod
    def read(root: Path = ROOT) -> Imports:
        paths = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.py"))]
        names = {path: _name(path.relative_to(root)) for path in paths}
        packages = frozenset(name for path, name in names.items() if path.name == "__init__.py")
        known = frozenset(names.values())
        modules = {
            name: frozenset(_targets(path, name if path.name == "__init__.py" else _folder(name), known))
            - {name}
            for path, name in names.items()
        }
        return Imports(modules, packages)

    def folders(self) -> Graph:
        """The packages, and the other ones that modules in them import. An `__init__` stands for its package."""
        found: dict[str, set[str]] = {package: set() for package in self.packages}
        for module, targets in self.modules.items():
            here = self._package(module)
            found[here] |= {self._package(target) for target in targets} - {here}
        return {package: frozenset(targets) for package, targets in found.items()}

    def _package(self, module: str) -> str:
        return module if module in self.packages else _folder(module)


def circles(graph: Graph) -> list[list[str]]:
    """The groups of nodes that reach each other, each sorted (Tarjan's strongly connected components)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def levels(graph: Graph) -> list[list[str]]:
    """The nodes of a graph without circles, those that import nothing of it first: each is one above the highest of
    what it imports."""
    height: dict[str, int] = {}

    def of(node: str) -> int:
        if node not in height:
            height[node] = 1 + max(map(of, graph.get(node, ())), default=-1)
        return height[node]

    for node in graph:
        of(node)
    most = max(height.values())
    return [sorted(node for node, at in height.items() if at == level) for level in range(most + 1)]


def picture(imports: Imports | None = None) -> Iterator[str]:
    """The packages of each folder in layers, the highest first: each imports lower ones only."""
    folders = (imports or Imports.read()).folders()
    yield "```"
    for top in reversed(FOLDERS):
        inside = {
            name: frozenset(t for t in targets if t.split(".")[0] == top)
            for name, targets in folders.items()
            if name.split(".")[0] == top
        }
        label = top
        for layer in reversed(levels(inside)):
            named = ["." if name == top else name.removeprefix(f"{top}.") for name in layer]
            yield f"{label:9} {'  '.join(named)}".rstrip()
            label = ""
    yield "```"


def folders() -> Iterator[str]:
    """The inner folders, and what the docstring of each says that it holds."""
    yield "| folder | holds |"
    yield "|---|---|"
    for top in reversed(FOLDERS):
        for path in sorted((ROOT / top).glob("*/__init__.py")):
            doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            yield f"| `{top}/{path.parent.name}/` | {' '.join(doc.split(chr(10) * 2)[0].split())} |"


def statements(text: str) -> Iterator[ast.AST]:
    """Those of a module, wherever they stand; expressions, most of its nodes, hold none and are not walked."""
    left: list[ast.AST] = [ast.parse(text)]
    while left:
        node = left.pop()
        yield node
        for part in ("body", "orelse", "handlers", "finalbody", "cases"):
            left += getattr(node, part, ())


def _name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _folder(module: str) -> str:
    return module.rpartition(".")[0]


def _targets(path: Path, package: str, known: frozenset[str]) -> Iterator[str]:
    """What a module in `package` imports relatively: modules where names are those of modules."""
    for node in statements(path.read_text(encoding="utf-8")):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        parts = package.split(".")
        base = ".".join([*parts[: len(parts) - node.level + 1], *([node.module] if node.module else [])])
        for alias in node.names:
            target = f"{base}.{alias.name}" if f"{base}.{alias.name}" in known else base
            if target in known:
                yield target


__all__ = ["Imports", "circles", "folders", "levels", "picture", "statements"]

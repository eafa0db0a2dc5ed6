"""The smallest part of a graph that still fails."""

# pyright: basic

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from random_nodes import Graph, Node


def minimized(graph: Graph, fails: Callable[[Graph], bool]) -> Graph:
    """The graph with fewer results and ops that still fails: cut by turning values into arguments."""
    while True:
        for smaller in _smaller(graph):
            if fails(smaller):
                graph = smaller
                break
        else:
            return graph


def _smaller(graph: Graph) -> Iterator[Graph]:
    for result in graph.results if len(graph.results) > 1 else ():
        yield _alive(replace(graph, results=(result,)))
    ops = [n for n in graph.nodes if n.op not in ("", "constant")]
    for node in ops:
        if node.name not in graph.results:
            yield _alive(replace(graph, results=(node.name,)))
    for node in ops:
        if node.name in graph.results:
            continue
        as_argument = Node(node.name, "", (), {}, node.dtype, node.stored, node.stored.astype(np.float64))
        nodes = tuple(as_argument if n.name == node.name else n for n in graph.nodes)
        yield _alive(replace(graph, nodes=nodes))
    named = {n.name: n for n in graph.nodes}
    for node in ops:
        for operand in node.operands:
            if named[operand].type != node.type or node.name in graph.results:
                continue
            nodes = tuple(
                replace(n, operands=tuple(operand if o == node.name else o for o in n.operands))
                for n in graph.nodes
            )
            yield _alive(replace(graph, nodes=nodes))


def _alive(graph: Graph) -> Graph:
    """Without what no result needs."""
    needed = set(graph.results)
    for node in reversed(graph.nodes):
        if node.name in needed:
            needed |= set(node.operands)
    return replace(graph, nodes=tuple(n for n in graph.nodes if n.name in needed))

"""Marks on ops of a random graph that force and forbid fusion."""

# pyright: basic

from dataclasses import replace
from random import Random

from random_nodes import Graph, Node


def marked(graph: Graph, seed: int) -> Graph:
    """The graph with some ops in groups: mostly ops that follow each other, so that some of the groups are legal."""
    rng = Random(seed)
    names = [f"g{i}" for i in range(rng.choice((1, 1, 2, 3)))]
    marks = [*({"fuse": name} for name in names), {"nofuse": True}, {"nofuse": "n"}, {}]
    nodes: list[Node] = []
    mark = rng.choice(marks)
    for node in graph.nodes:
        if node.op in ("", "constant", "reshape"):
            nodes.append(node)
            continue
        if rng.random() < 0.3:
            mark = rng.choice(marks)
        nodes.append(replace(node, attributes={**node.attributes, **mark}))
    return replace(graph, nodes=tuple(nodes))

"""Inline SVG for the HTML report: layered graphs, and maps of memory over time."""

from collections.abc import Sequence
from html import escape

from ...dialects.records import dataclass
from ...passes.memory.space_plan import MemoryProblem, SpacePlan

NODE_HEIGHT, GAP, LEVEL, SKIP = 26, 16, 54, 48
"""Pixels of a node's height, between nodes beside each other, from layer to layer, and beside layers that an edge
skips."""
MAP_WIDTH, MAP_HEIGHT = 720, 220


def color(index: int) -> str:
    """A light colour; neighbours in number differ (golden angle)."""
    return f"hsl({index * 137.5 % 360:.0f} 65% 82%)"


def layers(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """The layer of each node: one below the lowest of those that feed it. Edges go from lower to higher numbers of a
    topological order, or in any order of an acyclic graph."""
    found = [0] * count
    for _ in range(count):
        moved = False
        for a, b in edges:
            if found[b] <= found[a]:
                found[b], moved = found[a] + 1, True
        if not moved:
            return found
    return found


def graph_svg(
    labels: Sequence[str], colors: Sequence[int], edges: Sequence[tuple[int, int]], title: str
) -> str:
    """Nodes as boxes in layers from top to bottom, each node near those that feed it."""
    level = layers(len(labels), edges)
    rows: list[list[int]] = [[] for _ in range(max(level, default=-1) + 1)]
    for node, row in enumerate(level):
        rows[row].append(node)
    width = [24 + 7 * len(label) for label in labels]
    center: dict[int, float] = {}
    for row in rows:

        def wanted(node: int) -> float:
            above = [center[a] for a, b in edges if b == node and a in center]
            return sum(above) / len(above) if above else 0.0

        at = -float("inf")
        placed = sorted(row, key=lambda node: (wanted(node), node))
        for node in placed:
            center[node] = max(at + GAP + width[node] / 2, wanted(node))
            at = center[node] + width[node] / 2
        shift = sum(wanted(node) - center[node] for node in placed) / len(placed)
        for node in placed:
            center[node] += shift
    left = min((center[n] - width[n] / 2 for n in center), default=0) - GAP
    total = max((center[n] + width[n] / 2 for n in center), default=0) + GAP - left
    total += SKIP * any(level[b] - level[a] > 1 for a, b in edges)
    height = len(rows) * LEVEL + GAP
    parts: list[str] = []
    for a, b in edges:
        x1, y1 = center[a] - left, level[a] * LEVEL + GAP + NODE_HEIGHT
        x2, y2 = center[b] - left, level[b] * LEVEL + GAP
        bend, out1, out2 = (y2 - y1) / 2, x1, x2
        between = [n for n in center if level[a] < level[n] < level[b]]
        if between:  # round the layers that the edge skips
            out1 = out2 = max(center[n] + width[n] / 2 for n in between) - left + SKIP
        parts.append(
            f'<path class="edge" d="M{x1:.0f} {y1} C{out1:.0f} {y1 + bend:.0f} {out2:.0f} {y2 - bend:.0f} '
            f'{x2:.0f} {y2}"/>'
        )
    for node, label in enumerate(labels):
        x, y = center[node] - left - width[node] / 2, level[node] * LEVEL + GAP
        parts.append(
            f'<rect x="{x:.0f}" y="{y}" width="{width[node]}" height="{NODE_HEIGHT}" rx="5" '
            f'fill="{color(colors[node])}" class="node"/><text x="{x + width[node] / 2:.0f}" y="{y + 17}" '
            f'text-anchor="middle">{escape(label)}</text>'
        )
    return _svg(round(total), height, title, parts)


def memory_svg(problem: MemoryProblem, plan: SpacePlan, title: str, time: str) -> str:
    """Every slot of every buffer as a box: its bytes from bottom to top, its life from left to right."""
    boxes = [
        Box(b.name, b.start, b.end, b.size, slots)
        for b, slots in zip(problem.buffers, plan.offsets, strict=True)
    ]
    return boxes_svg(boxes, plan.peak, title, time)


@dataclass(frozen=True)
class Box:
    """A buffer on a map: `size` bytes at each of its `offsets`, alive in [start, end)."""

    name: str
    start: int
    end: int
    size: int
    offsets: Sequence[int]


def boxes_svg(
    boxes: Sequence[Box], peak: int, title: str, time: str, width: int = MAP_WIDTH, height: int = MAP_HEIGHT
) -> str:
    """A map of the bytes below `peak` over time, in `width` x `height` pixels and a line below."""
    begin, end = min((b.start for b in boxes), default=0), max((b.end for b in boxes), default=1)
    span, top = max(end - begin, 1), max(peak, 1)
    left = max(70, 12 + 7 * len(f"{top} B"))
    room = width - left - 10
    parts = [
        f'<text x="{left - 6}" y="14" text-anchor="end">{top} B</text>',
        f'<text x="{left - 6}" y="{height}" text-anchor="end">0</text>',
        f'<text x="{left + room}" y="{height + 16}" text-anchor="end">{escape(time)} {begin} to {end}</text>',
        f'<rect x="{left}" y="4" width="{room}" height="{height - 4}" class="frame"/>',
    ]
    scale = (height - 4) / top
    for index, box in enumerate(boxes):
        x, wide = left + room * (box.start - begin) / span, max(room * (box.end - box.start) / span, 2)
        for number, at in enumerate(box.offsets):
            high = max(box.size * scale, 1)
            y = height - at * scale - high
            note = f"{box.name}, slot {number}: {box.size} B at {at}, alive {box.start} to {box.end}"
            parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="{color(index)}" '
                f'class="buffer"><title>{escape(note)}</title></rect>'
            )
            if high >= 13 and wide >= 7 * len(box.name):
                parts.append(
                    f'<text x="{x + 4:.1f}" y="{y + high / 2 + 4:.1f}" class="inside">{escape(box.name)}</text>'
                )
    return _svg(width, height + 22, title, parts)


def svg_file(svg: str) -> str:
    """An image as a file of its own."""
    style = "<style>text{font:12px system-ui,sans-serif}.frame{fill:#fafafa;stroke:#bbb}"
    style += ".buffer{stroke:#555;stroke-width:.6;fill-opacity:.85}</style>"
    head = '<svg xmlns="http://www.w3.org/2000/svg" '
    return svg.replace("<svg ", head, 1).replace("</title>", f"</title>{style}", 1) + "\n"


def _svg(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    head = f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">'
    return f"{head}<title>{escape(title)}</title>{''.join(parts)}</svg>"

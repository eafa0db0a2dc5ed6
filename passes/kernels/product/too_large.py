"""Which memories have no room for the tiles of a product, in words."""

from collections.abc import Sequence

from ....dialects.element_types import ELEMENT_BYTES
from ....dialects.target_types import Target
from .footprint import chunk_sizes, l1_of_tile, ub_of_chunk, ub_of_operands, ub_of_rows
from .problem import Problem, Tile
from .tiles import cuts_rows, tiles_of
from .tiling import product_columns, steps_of


def smallest(problems: Sequence[Problem]) -> str:
    """Which memories are too small, in words: of the tile that comes closest to fitting, what it needs of each and what
    there is."""
    target = problems[0].target
    spaces = target.spaces
    tiles = [(p, tile) for p in problems for tile in tiles_of(p) if tile.m <= target.cube.max_extent]
    if not tiles:
        return "no tile of the result is one that the Cube can compute and the store can write"
    needs = [(_least_bytes(p, tile), tile) for p, tile in tiles]
    need, tile = min(needs, key=lambda one: max(size / spaces[s].bytes for s, size in one[0].items()))
    sizes = "x".join(str(size) for size in tile.tiles)
    return f"a tile of {sizes}, which comes closest, needs {_too_much(need, target)}"


def too_large(p: Problem, tile: Tile) -> str:
    """Which memories are too small for a tile, in words; empty where it may fit."""
    if tile.m > p.target.cube.max_extent:
        return f"{tile.m} rows, and an instruction of the Cube takes at most {p.target.cube.max_extent}"
    return _too_much(_least_bytes(p, tile), p.target)


def _too_much(need: dict[str, int], target: Target) -> str:
    """What of some bytes of each memory is more than there is, in words."""
    short = [
        f"{size} B of {s.upper()} ({target.name} has {target.spaces[s].bytes} B)"
        for s, size in need.items()
        if size > target.spaces[s].bytes
    ]
    return " and ".join(short)


def _least_bytes(p: Problem, tile: Tile) -> dict[str, int]:
    """Bytes that a tile takes of each memory with the smallest step, piece and chunk."""
    step, slots, rows = steps_of(p)[0], p.slots, 0
    if p.whole_rows:
        step, rows = p.roles.k, 1
    chunks = chunk_sizes(p, tile)
    ub = min(ub_of_chunk(p, tile, chunk) for chunk in chunks)
    if p.whole_columns and p.roles.chunk_dim != p.roles.n and cuts_rows(p):
        ub = ub_of_chunk(p, tile, chunks[-1], 1)
    row = p.drain is not None and "fb" in p.drain.rows
    return {
        **({"fb": tile.n16 * ELEMENT_BYTES["f32"]} if row else {}),
        "l0a": slots * tile.m16 * p.grain * p.item,
        "l0b": slots * product_columns(p, tile) * p.grain * p.item,
        "l0c": tile.m16 * tile.n16 * 4,
        "l1": l1_of_tile(p, tile, steps_of(p)[0], p.roles.k if rows else 0),
        "ub": ub_of_operands(p, tile, step, rows) + ub_of_rows(p, tile) + ub,
    }


__all__ = ["smallest", "too_large"]

"""How instructions are chosen, as numbers: the lowering emits what these say, and the tile search prices it."""

"""The order in which the tiles of a core are emitted."""

"""Kernel forms: for each, its tile sizes, their predicted time, and the `tile.kernel` that is built."""

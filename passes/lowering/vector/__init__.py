"""Tile ops that the Vector computes."""

"""Pieces of graph rewrites that several passes use, and what brings a graph into the form that kernels are built of."""

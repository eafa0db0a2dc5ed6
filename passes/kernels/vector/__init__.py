"""Kernels without a product: the best of contiguous tiles, rows in lanes, windows and parts of rows."""

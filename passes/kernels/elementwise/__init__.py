"""Kernels without a product whose tiles are contiguous, or have rows in their lanes."""

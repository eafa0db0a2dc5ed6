"""Kernels of two convolutions, the first of which stays in L1."""

"""Kernels around one product on the Cube, or several of one left operand."""

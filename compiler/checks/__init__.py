"""Runs beside the reference: outputs, kernels, tiles, instructions; and repairs."""

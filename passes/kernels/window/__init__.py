"""Kernels on the Vector with windows over images."""

"""Kernels whose rows no tile holds in full: parts of rows are read several times."""

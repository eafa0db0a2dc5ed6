"""Kernels whose product takes a computed left operand part by part along K, such as attention."""

"""Slots and addresses of buffers, offsets of tensors between kernels."""

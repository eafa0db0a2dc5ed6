"""The context of a kernel's lowering: index arithmetic, buffers, places of tiles, regions of tensors."""

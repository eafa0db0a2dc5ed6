"""Which ops share a kernel, how tensors lie between kernels, and what people are told of it."""

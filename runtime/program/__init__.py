"""A decoded program: instructions, kernels, tensors in GM, and what operands must look like."""

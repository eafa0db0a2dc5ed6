"""Which launches need nothing of each other, and the kernel that does what the kernels of several do."""

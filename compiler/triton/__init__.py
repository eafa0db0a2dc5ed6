"""From Triton functions to HIVM, by the compilers of the extra `triton`."""

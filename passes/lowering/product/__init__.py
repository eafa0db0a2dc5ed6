"""Products: the K loop, operands on their way to L0, chunks of the accumulator."""

"""Each graph op in plain numpy: the oracle for everything the compiler produces."""

"""One pass per file; file, pass and test share a name."""

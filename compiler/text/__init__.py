"""Graph text and MLIR text, to modules and back, and how problems are worded."""

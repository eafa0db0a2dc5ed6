"""The `ascend` dialect."""

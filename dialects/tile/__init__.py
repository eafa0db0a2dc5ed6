"""The `tile` dialect."""

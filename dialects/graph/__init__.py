"""The `graph` dialect."""

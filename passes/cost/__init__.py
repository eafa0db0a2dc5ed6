"""What pieces of a kernel cost, from the prices of `runtime`."""

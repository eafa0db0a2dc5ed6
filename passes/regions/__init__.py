"""What part of each value a tile of a fusion group needs, and when ops may share a kernel."""

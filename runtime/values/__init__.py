"""What instructions compute, in numpy."""

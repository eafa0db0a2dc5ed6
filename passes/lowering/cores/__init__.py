"""What Cube and Vector cores of a group hand to each other."""

"""Flags and barriers: which dependences need one, and the check that all are in order."""

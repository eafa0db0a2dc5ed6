"""Compiled programs: what they take and give, saved and loaded."""

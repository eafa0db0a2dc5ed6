"""What a run measured, what held it up, and what would help."""

"""What the runtime shares: the errors that it raises, how far work is, names of values in messages, late imports."""

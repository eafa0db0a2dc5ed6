"""The emulator (values, time and hazards in one run), cost functions, references and profiles."""

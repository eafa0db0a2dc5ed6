"""What is known to xDSL, the fixed pipelines, reading and verifying modules, choosing tiles on the emulator."""

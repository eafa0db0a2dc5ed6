"""Runs of programs: cores, launches, the emulator."""

"""The chip: memories, L2 and HBM, ports, banks, unit flags, and what instructions cost."""

"""Chips, as paths of their TOML files."""

from pathlib import Path

HALF910 = Path(__file__).parent / "half910.toml"
"""An Ascend 910A with half of its cores."""

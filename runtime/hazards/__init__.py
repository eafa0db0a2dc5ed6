"""Races and flags: what hardware does not define is found whatever the clock says."""

"""Loads and stores: between GM and the layouts of tiles."""

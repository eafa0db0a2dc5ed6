"""A package that extends ascend-opt through entry points alone: see its pyproject.toml."""

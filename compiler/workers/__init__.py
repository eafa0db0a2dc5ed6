"""Who computes tasks that do not depend on each other: this process, others beside it, a Dask cluster."""

"""Front ends, pipelines, diagnostics and the Python API: what turns a file into a compiled program."""

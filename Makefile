# `make demo` and `make test` work from a bare clone: both make .venv first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
EXAMPLE := examples/conv_bias_leaky_relu.mlir

.PHONY: demo test lit lint clean

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	$(BIN)/python -m compileall -q compiler dialects passes runtime tools src
	touch $@

demo: $(INSTALLED)
	cat $(EXAMPLE)
	$(BIN)/ascend-opt $(EXAMPLE)
	$(BIN)/ascend-run $(EXAMPLE)

# One thread a worker: more of them wait for each other.
test: $(INSTALLED)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadgroup

lit: $(INSTALLED)
	$(BIN)/lit -sv tests/lit

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --threads 2 --pythonpath $(BIN)/python

clean:
	rm -rf $(VENV) build dist *.egg-info src/*.egg-info .pytest_cache .ruff_cache .hypothesis

# The two commands: `make report` measures and writes reports/, `make test` tests.
# Both set up a virtual environment in .venv first; PYTHON chooses the interpreter.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BUILT_FROM := pyproject.toml setup.py $(wildcard ext/*)

.PHONY: report test lint compare-c clean

report: $(VENV)/installed
	$(BIN)/nqbench study
	$(BIN)/nqbench report

test: $(VENV)/tested lint
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/mypy

compare-c: $(VENV)/installed
	$(BIN)/python benchmarks/against_c.py

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "nqbench needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "python3 -m venv failed; on Debian: apt install python3-venv"; exit 2; }

$(VENV)/installed: $(BIN)/python $(BUILT_FROM)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/tested: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

clean:
	rm -rf $(VENV) build *.egg-info nqbench/*.so .mypy_cache .pytest_cache .ruff_cache

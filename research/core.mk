# A work with a compiled core: of the NAME.pyx in its folder, the module _NAME.
PYTHON ?= ../../.venv/bin/python

.PHONY: build test

build:
	$(PYTHON) ../core.py -q build_ext --inplace

test: build
	$(PYTHON) -m pytest -q .

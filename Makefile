# The two commands: `make report` measures and writes reports/, `make test` tests; `make check`
# runs lint, types and the fast tests in a minute. All set up a virtual environment in .venv
# first; PYTHON chooses the interpreter.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SANITIZED := build/sanitized
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined
CLANG := build/clang
CORES := $(basename $(notdir $(wildcard ext/*.pyx)))
ASV := $(BIN)/asv
COMMITS ?= 3
BASE ?= HEAD~1
FUZZ_SECONDS ?= 600
HISTORY_SECONDS ?= 0
SOLVERS := clingo exact-cover python-sat>=1.9.dev17
# pip compiles all modules, one after the other, and most are never imported: the first import does it.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
BUILT_FROM := pyproject.toml setup.py $(wildcard ext/*)
# Else each of the hundreds of processes that tests start compiles the package again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: report gallery test run-tests test-minimum thorough check lint bench bench-compare history \
	research soak fuzz intervals kernels nvrtc aarch64 sanitize clang docs site lab dist anywhere test-installed clean

report: $(VENV)/installed
	$(BIN)/nqbench study
	$(BIN)/nqbench report

# The plots and tables that the documents show, from the published records in results/.
gallery: $(VENV)/installed
	$(BIN)/nqbench report --published --out build/gallery
	rm -f docs/gallery/*.svg && cp build/gallery/*.svg docs/gallery/
	$(BIN)/python docs/_site/tables.py

# The cores are compiled while pip installs packages and mypy runs, which use one processor each.
test:
	$(MAKE) --jobs=2 lint run-tests

# Tests wait for a quarter of their time, so two processors have work for three.
run-tests: $(VENV)/tested
	$(BIN)/python -m pytest -n 3 -m 'not thorough'

# The tests with the oldest dependencies that pyproject.toml allows, in an environment in build/minimum.
# These use what newer versions of other packages deprecate.
test-minimum:
	mkdir -p build
	$(PYTHON) tools/packages.py --oldest >build/minimum.txt
	PIP_CONSTRAINT=build/minimum.txt PYTEST_ADDOPTS='-W default::DeprecationWarning' \
		$(MAKE) VENV=build/minimum run-tests

# What takes long: asv runs every benchmark, axe reads the page, processes are killed, and another
# process makes the whole report again.
thorough: $(VENV)/tested
	$(BIN)/python -m pytest -n 2 -m thorough

check: $(VENV)/tested lint
	$(BIN)/python -m pytest -n 2 -m 'not slow'

lint: $(VENV)/packages-lint-test
	$(BIN)/ruff check .
	$(BIN)/clang-format --dry-run -Werror ext/*.h research/*/*.h
	$(BIN)/mypy

# The last COMMITS commits in turns, of all benchmarks or those that match BENCH; fails if a count
# changed, and says with which commit. Results go to .asv/results.
bench: $(VENV)/benched
	git rev-list --max-count=$(COMMITS) HEAD | $(ASV) run HASHFILE:- --interleave-rounds \
		$(if $(BENCH),--bench '$(BENCH)'); failed=$$?; \
		$(BIN)/python tools/across.py $$(git rev-list --reverse --max-count=$(COMMITS) HEAD) \
		&& exit $$failed

# HEAD against BASE in turns; fails if a count changed, or if HEAD is slower, or larger, beyond the
# noise.
bench-compare: $(VENV)/benched
	$(ASV) continuous $(BASE) HEAD $(if $(BENCH),--bench '$(BENCH)'); worse=$$?; \
		$(BIN)/python tools/across.py $(BASE) HEAD && exit $$worse

# The milestones that results/asv/milestones.txt names, into results/asv, for HISTORY_SECONDS, or 0
# for no limit; what is measured is skipped.
history: $(VENV)/benched
	$(BIN)/python tools/history.py $(HISTORY_SECONDS)

# The finished works in research/: each is built, and its short tests run.
research: $(VENV)/tested
	set -e; for each in research/*/; do $(MAKE) -C $$each test PYTHON=../../$(BIN)/python; done

# What verdicts say of equal code, and of a planted difference, on a busy machine: TABLES of each
# kind beside each neighbour, hours in all.
intervals: $(VENV)/installed
	$(BIN)/python research/intervals/null.py --tables $(or $(TABLES),10)

# Counts with their processes killed at random, KILLS times: about ten minutes for 100.
soak: $(VENV)/tested
	$(BIN)/python tools/soak.py --kills $(or $(KILLS),100)

# The readers of files, and any order of counting, killing and resuming, tried at random for
# FUZZ_SECONDS.
fuzz: $(VENV)/tested
	FUZZ_SECONDS=$(FUZZ_SECONDS) $(BIN)/python -m pytest tests -m 'fuzz or hypothesis' \
		--hypothesis-profile searching \
		-o timeout=$$(($(FUZZ_SECONDS) + 400))

# Every kernel of both engines against A000170, up to n = LARGEST: some minutes for 19.
kernels: $(VENV)/tested
	$(BIN)/python tools/every_kernel.py --largest $(or $(LARGEST),19)

# The text for cards of NVIDIA, compiled for sm_80, 90, 100 and 120 by NVRTC, a wheel, without a card.
nvrtc: $(VENV)/tested
	@$(INSTALL) nvidia-cuda-nvrtc-cu12 2>/dev/null || { echo "no wheel of nvidia-cuda-nvrtc-cu12 \
	can be installed here: NVRTC is skipped"; exit 0; }; \
	$(BIN)/python -m pytest tests/engine/test_devices.py -k compiles_for_the_cards

# The cores for 64-bit ARM, compiled on this machine and tested under qemu in build/aarch64.
aarch64: $(VENV)/bin/python
	$(BIN)/python tools/aarch64.py

# The compiled cores under AddressSanitizer and UndefinedBehaviorSanitizer (gcc). libstdc++ is loaded
# first, too: else matplotlib cannot raise its errors. A test has Dask take the answer of another
# server for a size, and expects an error that it cannot have so much memory. More optimisation takes
# half an hour to compile.
sanitize: needs-gcc $(VENV)/tested
	rm -rf $(SANITIZED) && mkdir -p $(SANITIZED) && cp -R nqbench $(SANITIZED)
	rm -f $(SANITIZED)/nqbench/*.so
	CFLAGS="-O1 -g1 $(SANITIZERS)" LDFLAGS="$(SANITIZERS)" $(BIN)/python setup.py -q build_ext \
		--force --build-lib $(SANITIZED) --build-temp $(SANITIZED)/temp
	for core in $(CORES); do test -e $(SANITIZED)/nqbench/_$$core.*.so || exit 1; done
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so)" \
		ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 PYTHONPATH=$(SANITIZED) \
		$(BIN)/pytest -q -o pythonpath='$(SANITIZED) . tools' @tests/cores.txt

# The cores compiled by clang.
clang: needs-clang $(VENV)/tested
	rm -rf $(CLANG) && mkdir -p $(CLANG) && cp -R nqbench $(CLANG)
	rm -f $(CLANG)/nqbench/*.so
	CC=clang LDSHARED="clang -shared" $(BIN)/python setup.py -q build_ext \
		--force --build-lib $(CLANG) --build-temp $(CLANG)/temp
	PYTHONPATH=$(CLANG) $(BIN)/python tools/installed.py
	PYTHONPATH=$(CLANG) $(BIN)/pytest -q -o pythonpath='$(CLANG) . tools' @tests/cores.txt

# The documentation site in build/docs, with the lab and its report; any warning is an error. The
# class notebooks run, and their outputs are kept in build/notebooks for the next time. Without npm
# there is no lab.
docs: $(VENV)/documented
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --doctree-dir build/doctrees docs build/docs
	rm -rf build/docs/lab
	PYTHONPATH=lab $(BIN)/python tools/lab.py build/lab; case $$? in \
		0) cp -R build/lab build/docs/lab ;; \
		3) $(BIN)/nqbench report --published --out build/docs/lab/report ;; \
		*) exit 1 ;; esac

# The tests of the site, also those that `make test` skips: Sphinx reads all of it, without a warning.
site: $(VENV)/tested
	$(BIN)/python -m pytest tests/test_site.py

# The lab, a static folder in build/lab, with the report of the published records: `nqbench lab`
# serves it. It needs npm.
lab: $(VENV)/installed
	PYTHONPATH=lab $(BIN)/python tools/lab.py build/lab

# The commands of the README in fresh clones, under CONDITIONS="'busy machine' usual": all take hours.
anywhere:
	$(PYTHON) tools/anywhere.py $(CONDITIONS)

# The source distribution and a wheel for this machine in dist/, checked; docs/releasing.md.
dist: $(VENV)/bin/python
	$(INSTALL) build check-manifest twine
	rm -rf dist
	$(BIN)/check-manifest
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*

# The source distribution in dist/, and a wheel of it, in an empty environment of PYTHON;
# docs/releasing.md.
test-installed:
	$(PYTHON) tools/try_package.py $(if $(MARKS),--marks '$(MARKS)')

# The commands and the Debian packages that targets need have the same names.
needs-%:
	@command -v $* >/dev/null || { echo "$* is not installed; on Debian: apt install $*"; exit 2; }

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "nqbench needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "python3 -m venv failed; on Debian: apt install python3-venv"; exit 2; }
	$(INSTALL) --upgrade pip || true  # new ones need half the time

# The package alone; its cores are compiled.
$(VENV)/compiled: $(BIN)/python $(BUILT_FROM)
	$(INSTALL) --no-deps --editable .
	touch $@

# All other packages, of which pip knows nothing from $(VENV)/compiled yet.
$(VENV)/packages-%: $(BIN)/python pyproject.toml
	$(BIN)/python tools/packages.py $(subst -, ,$*) >$@.txt
	$(INSTALL) --requirement $@.txt
	touch $@

$(VENV)/installed: $(VENV)/compiled $(VENV)/packages-bench
	touch $@

# asv asks who this machine is, once.
$(VENV)/benched: $(VENV)/installed
	test -f ~/.asv-machine.json || $(ASV) machine --yes
	touch $@

# Also the solvers that read what is exported, as far as there are wheels of them that go with the
# other packages as they are.
SOLVE := $(INSTALL) --constraint $(VENV)/constraints --only-binary :all:
$(VENV)/tested: $(VENV)/compiled $(VENV)/packages-lint-test
	$(BIN)/python -m pip freeze --exclude-editable >$(VENV)/constraints
	$(SOLVE) $(SOLVERS:%='%') 2>/dev/null || for solver in $(SOLVERS:%='%'); do \
		$(SOLVE) "$$solver" 2>/dev/null || echo "no wheel of $$solver is here: its tests are skipped"; done
	touch $@

$(VENV)/documented: $(VENV)/installed
	$(INSTALL) 'nqbench[docs]'
	touch $@

clean:
	rm -rf $(VENV) .asv build *.egg-info nqbench/*.so .mypy_cache .pytest_cache .ruff_cache

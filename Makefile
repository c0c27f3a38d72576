# Set-up, demo and tests on a machine that has Python (3.11 or newer), git and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: bytecode demo docs quick test test-versions psyneulink test-psyneulink test-psyneulink-suite test-psyneulink-suite-eighth lint types filecheck core unit check-full clean

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(BIN)/python -m compileall -q cogir
	touch $@

# PsyNeuLink, to compare with. It needs torch, which by default comes with gigabytes of CUDA: have a CPU build found first if you can.
psyneulink: $(VENV)/.psyneulink

$(VENV)/.psyneulink: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'torch==2.13.0'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,psyneulink]'
	touch $@

# The bytecode of sources that have changed since set-up, for the hundreds of processes that tests start: those do not write it where
# PYTHONDONTWRITEBYTECODE is set, and compiling all sources takes a second in each.
bytecode: $(READY)
	@$(BIN)/python -m compileall -q cogir test/support

demo: $(READY)
	$(BIN)/python examples/demo.py

# The site, in build/site: built with the network off, once its tools are installed. With PsyNeuLink in .venv its pages run, too.
docs: $(VENV)/.docs
	@echo "The site: about 2 minutes. If cogir has not changed since the last build, only pages that have changed are executed."
	$(BIN)/python docs/site/build_site.py

$(VENV)/.docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,docs]'
	touch $@

# What to run after each change. The parts run side by side; each prints its output when it is done, and quick fails if one of them fails.
quick: $(READY)
	@echo "Lint, types, FileCheck and core unit tests, side by side: about 1.5 minutes on two free cores."
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=target lint types filecheck core
	@echo "All quick checks pass."

# What to run before a change is handed in, and what CI runs: about 10 minutes on two free cores.
test: $(READY)
	@echo "Lint, types and FileCheck, side by side: about 1.5 minutes on two free cores. Then the unit tests: about 8."
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint types filecheck
	@$(MAKE) --no-print-directory unit
	@echo "All tests pass."

lint: $(READY)
	@echo "Lint: a few seconds."
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	@echo "Types: under a minute."
	$(BIN)/pyright

filecheck: bytecode
	@echo "FileCheck: a minute on two cores."
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/lit -q test/filecheck

PSYNEULINK_TESTS := test/unit/psyneulink test/unit/docs/test_psyneulink_guide.py

# Unit tests that together take about half a minute of one core. Files that compile many models or functions are left to `make unit`.
CORE := $(addprefix test/unit/,test_floors.py analysis dialects frontend/builder interpreters model pyfunc)
SLOW := $(addprefix test/unit/,frontend/builder/test_forgotten_resets.py frontend/builder/test_junk.py pyfunc/test_python_numbers.py \
  pyfunc/test_random_functions.py pyfunc/test_ir.py pyfunc/test_sorting.py pyfunc/test_linear_algebra.py pyfunc/test_special.py \
  frontend/builder/test_completion.py frontend/builder/test_ranges.py frontend/builder/test_default_generator.py analysis/test_float_ranges.py analysis/test_verify_ssa.py analysis/test_static_schedule.py interpreters/test_arith.py)

core: bytecode
	@echo "Core unit tests: about half a minute."
	$(BIN)/python -m pytest -q -p no:xdist -m "not full" $(CORE) $(addprefix --ignore=,$(SLOW))

# FileCheck and the core unit tests on each Python that is found, in an environment of its own.
VERSIONS := 3.11 3.12 3.13

test-versions:
	@for version in $(VERSIONS); do \
	  found=; \
	  for python in python$$version $${PYENV_ROOT:-$$HOME/.pyenv}/versions/$$version.*/bin/python; do \
	    if $$python --version >/dev/null 2>&1; then found=$$python; break; fi; \
	  done; \
	  if [ -z "$$found" ]; then echo "Python $$version: not found, left out"; continue; fi; \
	  echo "Python $$version ($$found): installs into build/python$$version, then FileCheck and the core unit tests"; \
	  mkdir -p build && $(MAKE) --no-print-directory PYTHON=$$found VENV=build/python$$version filecheck core || exit 1; \
	done

unit: bytecode
	@echo "All unit tests but those with PsyNeuLink and the long runs: about 8 minutes on two cores."
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not full" $(addprefix --ignore=,$(PSYNEULINK_TESTS))

# What cogir does with PsyNeuLink's Compositions, beside PsyNeuLink itself.
test-psyneulink: psyneulink
	WITH_PSYNEULINK=true $(BIN)/python -m pytest -q -n 2 -m "not full" $(PSYNEULINK_TESTS)

# PsyNeuLink's own tests, plain and under accelerate(), compared call by call: about 45 minutes on two free cores, an eighth of it in CI.
SUITE := $(BIN)/python test/psyneulink_suite/run.py --folder build/psyneulink_suite

$(VENV)/.psyneulink_suite: $(VENV)/.psyneulink
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pytest-helpers-namespace pytest-benchmark
	touch $@

test-psyneulink-suite: $(VENV)/.psyneulink_suite
	$(SUITE)

test-psyneulink-suite-eighth: $(VENV)/.psyneulink_suite
	$(SUITE) --one-of 8

# The long runs: 10,000 random models, 2,000 networks beside NumPy, 20,000 random functions, planted wrong compilations, 10^6 draws, ten
# minutes each of fuzzed passes and of fuzzed execution, and PsyNeuLink's own tests.
# Those that say what they were made of run in one process each, or print it in the end (-rP), so that it can be read.
RANDOM := test/unit/random/test_planted.py test/unit/pyfunc/test_random_functions.py
IN_PARTS := test/unit/random/test_models.py test/unit/random/test_networks.py
check-full: test
	COGIR_LIT_PLAIN=1 $(MAKE) --no-print-directory filecheck
	OPENBLAS_CORETYPE=Nehalem $(BIN)/python -m pytest -q -s -m full $(RANDOM)
	$(BIN)/python -m pytest -q -n 2 -rP -m full $(IN_PARTS)
	$(BIN)/python -m pytest -q -n 2 -m full $(addprefix --ignore=,$(RANDOM) $(IN_PARTS))
	$(BIN)/python test/fuzz/fuzz_functions.py --seeds 0:20000 --jobs 2
	$(BIN)/python test/fuzz/fuzz_cog_opt.py --minutes 10
	$(BIN)/python test/fuzz/fuzz_execution.py --minutes 10
	$(MAKE) test-psyneulink-suite

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache

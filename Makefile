# Set-up, demo and tests on a machine that has Python (3.11 or newer), git and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test psyneulink test-psyneulink test-psyneulink-suite test-psyneulink-suite-quarter lint types filecheck unit check-full clean

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

demo: $(READY)
	$(BIN)/python examples/demo.py

test: lint types filecheck unit

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/pyright

filecheck: $(READY)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/lit -q test/filecheck

PSYNEULINK_TESTS := test/unit/psyneulink test/unit/docs/test_psyneulink_guide.py

unit: $(READY)
	$(BIN)/python -m pytest -q -n 2 -m "not full"

# What cogir does with PsyNeuLink's Compositions, beside PsyNeuLink itself.
test-psyneulink: psyneulink
	WITH_PSYNEULINK=true $(BIN)/python -m pytest -q -n 2 -m "not full" $(PSYNEULINK_TESTS)

# PsyNeuLink's own tests, plain and under accelerate(), compared call by call: about 45 minutes on two free cores, a quarter of it in CI.
SUITE := $(BIN)/python test/psyneulink_suite/run.py --folder build/psyneulink_suite

$(VENV)/.psyneulink_suite: $(VENV)/.psyneulink
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pytest-helpers-namespace pytest-benchmark
	touch $@

test-psyneulink-suite: $(VENV)/.psyneulink_suite
	$(SUITE)

test-psyneulink-suite-quarter: $(VENV)/.psyneulink_suite
	$(SUITE) --quarter

# The long runs: 10,000 random models, 2,000 networks beside NumPy, 20,000 random functions, planted wrong compilations, 10^6 draws, ten
# minutes each of fuzzed passes and of fuzzed execution, and PsyNeuLink's own tests.
# Those that say what they were made of run in one process each, or print it in the end (-rP), so that it can be read.
RANDOM := test/unit/random/test_planted.py test/unit/pyfunc/test_random_functions.py
IN_PARTS := test/unit/random/test_models.py test/unit/random/test_networks.py
check-full: test
	$(BIN)/python -m pytest -q -s -m full $(RANDOM)
	$(BIN)/python -m pytest -q -n 2 -rP -m full $(IN_PARTS)
	$(BIN)/python -m pytest -q -n 2 -m full $(addprefix --ignore=,$(RANDOM) $(IN_PARTS))
	$(BIN)/python test/fuzz/fuzz_functions.py --seeds 0:20000 --jobs 2
	$(BIN)/python test/fuzz/fuzz_cog_opt.py --minutes 10
	$(BIN)/python test/fuzz/fuzz_execution.py --minutes 10
	$(MAKE) test-psyneulink-suite

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache

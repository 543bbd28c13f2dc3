# Everything a developer or a user does with a checkout.  `make help` lists the targets.
# VENV: where the virtual environment lives; PYTHON: the interpreter that makes it.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
BUILD ?= build
SAMPLE ?= samples/flash_attention.py
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PYTEST_ARGS ?=

# The runtime environment and the one with development tools are marked by a file each; both are remade when the
# project's dependencies change.
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
COMPILER := $(shell command -v $${CXX:-g++} 2>/dev/null || command -v clang++ 2>/dev/null)
EXTRA := $(if $(COMPILER),,[compiler])

.PHONY: help demo test mutate bench golden lint fmt type docs dist clean
.DEFAULT_GOAL := help

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

$(READY): pyproject.toml setup.py
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(if $(COMPILER),true,echo "no C++ compiler found: installing the 'compiler' extra (ziglang)")
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.$(EXTRA)'
	@$(BIN)/python -m compileall -q ptopro cli codegen_templates
	@touch $@

$(READY_DEV): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@$(BIN)/python -c 'import torch' 2>/dev/null || $(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0 \
	  || echo "torch could not be installed: tests that need it are skipped"
	@touch $@

demo: $(READY)  ## take one sample through expand, codegen, build and run
	@echo "expand: every lock and flag, written out"
	@$(BIN)/ptopro expand $(SAMPLE) -o $(BUILD)
	@echo "codegen: PTO-ISA C++"
	@$(BIN)/ptopro codegen $(SAMPLE) -o $(BUILD)
	@echo "build: a shared object for the simulator"
	@$(BIN)/ptopro build $(SAMPLE) -o $(BUILD)
	@echo "run: on this machine, against numpy"
	@PTOPRO_BUILD_DIR=$(BUILD) $(BIN)/ptopro run $(SAMPLE)

test: $(READY_DEV)  ## run all tests
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup $(PYTEST_ARGS)

mutate: $(READY_DEV)  ## prove the checker: every mutant of every sample is found, every sample stays silent
	@$(BIN)/python tests/mutation/campaign.py --jobs $(JOBS) --results $(BUILD)/mutants.jsonl
	@PTOPRO_ALL_SEEDS=1 $(BIN)/python -m pytest -n $(JOBS) tests/mutation/test_no_false_alarm.py

golden: $(READY_DEV)  ## rewrite the golden files; review the diff
	@$(BIN)/python -m pytest tests --update-golden -k golden

bench: $(READY_DEV)  ## measure against the numbers in README.md
	@$(BIN)/python tests/bench/run.py

lint: $(READY_DEV)  ## ruff and clang-format, changing nothing
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/clang-format --dry-run --Werror $$(git ls-files '*.hpp' '*.cpp' | grep -v '^tests/golden/')

fmt: $(READY_DEV)  ## format Python and C++
	@$(BIN)/ruff check --fix -q . || true
	@$(BIN)/ruff format -q .
	@$(BIN)/clang-format -i $$(git ls-files '*.hpp' '*.cpp' | grep -v '^tests/golden/')

# mypy wants to see the packages where they are installed, with cli inside ptopro.
TYPES := $(BUILD)/types

type: $(READY_DEV)  ## mypy --strict
	@rm -rf $(TYPES) && mkdir -p $(TYPES) && cp -r ptopro $(TYPES) && cp -r cli codegen_templates $(TYPES)/ptopro
	@cd $(TYPES) && $(abspath $(BIN))/mypy --config-file $(CURDIR)/pyproject.toml

docs: $(READY_DEV)  ## regenerate what is derived from the operation table
	@$(BIN)/python -m ptopro.language.stubs

dist: $(READY_DEV)  ## sdist and wheel
	@$(BIN)/python -m build --outdir dist .

clean:  ## remove what the targets made, except the virtual environment
	@rm -rf $(BUILD) dist *.egg-info .pytest_cache .mypy_cache .ruff_cache

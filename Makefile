# Everything runs in .venv, made from the pinned envs/requirements.txt; see README.md.
SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.11 || echo python3)
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
CORES ?= all
# What dvc.yaml versions, as targets of the workflow.
VERSIONED := all tables pairs selected_questions

.PHONY: setup table1 test restore publish verify faults environments audit report lint format \
	bench structural scale packages clean help

help: ## Show the targets
	@grep -E '^[a-z0-9]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 12

setup: .venv/.installed ## Make .venv from the pinned requirements

.venv/.installed: envs/requirements.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r envs/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

table1: setup ## Table 1 of the configured dataset (the embedded sample)
	snakemake --cores $(CORES) results/table1.csv
	@$(BIN)/ncsbench tables show results/table1.csv

test: setup ## All tests
	$(BIN)/python -m pytest -n 2 --dist loadfile

restore: setup ## Take over the sample's artifacts from the DVC remote instead of making them
	@dvc pull || { echo "restore: artifacts here are in no cache; dvc pull --force discards them"; exit 1; }
	@dvc status --quiet || echo "note: the checkout differs from dvc.lock (dvc status); the next run repeats what that asks for"
	snakemake --cores 1 --touch --forceall --quiet all -- $(VERSIONED)
	@echo "restored; what the next run would do:"
	@snakemake --cores 1 --dry-run --quiet rules -- $(VERSIONED) 2>&1 | grep -E "^Nothing|^total"

publish: setup ## Make the sample anew where needed and put it into the DVC remote; commit dvc.lock then
	dvc repro
	dvc push
	dvc gc --workspace --cloud --force

verify: setup ## Make the sample twice, in other circumstances, and compare every artifact
	$(BIN)/python tests/verify/verify.py

faults: setup ## Kills, full disks, damaged files, two runs at once: the tables stay what they are
	$(BIN)/python tests/faults/faults.py

environments: setup ## Run the sample with each rule in an environment made only from its own file
	$(BIN)/python -m pytest tests/environments

report: setup ## report.html: tables, figures, who made what (run the targets first)
	snakemake --cores 1 --report report.html -- $(VERSIONED)

audit: setup ## Known flaws of the pinned packages, from PyPI's service
	$(BIN)/python tests/security/audit.py

lint: setup ## ruff, mypy --strict, snakefmt, snakemake --lint
	ruff check workflow tests
	ruff format --check workflow tests
	mypy
	snakefmt --check Snakefile workflow/rules
	snakemake --lint

format: setup ## Rewrite the sources in the house's form
	ruff check --fix workflow tests
	ruff format workflow tests
	snakefmt Snakefile workflow/rules

bench: setup ## Benchmarks, as ratios within one run
	for script in tests/bench/extraction.py tests/bench/bm25.py tests/bench/judge.py tests/bench/posts.py tests/bench/unif.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

structural: setup ## Structural search and matching on up to 700,000 generated methods, and recall
	$(BIN)/python tests/bench/structural.py
	$(BIN)/python tests/bench/search_recall.py

scale: setup ## Seconds and peak memory of every stage on 700,000 generated methods
	$(BIN)/python tests/bench/scale.py

packages: ## Debian packages that some inputs need (as root): libarchive, for dumps as 7z
	apt-get install --yes --no-install-recommends libarchive13

clean: ## Remove what the workflow made, not the environment
	rm -rf data results/*/ results/*.csv .snakemake
